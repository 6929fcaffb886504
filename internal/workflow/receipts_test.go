package workflow_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

// TestFurthestReceipt decides over every pair of receipts, in both orders of arrival.
func TestFurthestReceipt(t *testing.T) {
	t.Parallel()
	soft, hard := workflow.Report{Kind: workflow.ReceiptBounced}, workflow.Report{Kind: workflow.ReceiptBounced, Permanent: true}
	order := []workflow.Report{
		soft,
		{Kind: workflow.ReceiptDelivered},
		{Kind: workflow.ReceiptOpened},
		{Kind: workflow.ReceiptClicked},
		{Kind: workflow.ReceiptFailed},
		hard,
		{Kind: workflow.ReceiptComplained},
	}
	for i, lower := range order {
		for _, higher := range order[i:] {
			for _, pair := range [][]workflow.Report{{lower, higher}, {higher, lower}} {
				got, ok := workflow.Furthest(pair)
				require.True(t, ok)
				require.Equal(t, higher, got, fmt.Sprint(pair))
			}
		}
	}
	early := workflow.Report{Kind: workflow.ReceiptOpened, At: time.Unix(1, 0), Detail: "first"}
	got, _ := workflow.Furthest([]workflow.Report{{Kind: workflow.ReceiptOpened, At: time.Unix(2, 0)}, early})
	require.Equal(t, early, got, "the first of a kind")
	for _, none := range [][]workflow.Report{nil, {{Kind: "queued"}}} {
		_, ok := workflow.Furthest(none)
		require.False(t, ok)
	}
}
