package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestManyLargeSubscribers marks many messages of a subscriber who holds much data: the answer shows the subscriber with as
// many of them as it can bear, and every message.
func TestManyLargeSubscribers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := viewer.InScope(t.Context(), b.scope)
	require.NoError(t, b.db.Ent.Subscriber.Create().SetID(fixed(0x101)).SetSubscriberID("u1").
		SetData(map[string]any{"text": strings.Repeat("x", 512<<10)}).Exec(ctx))
	const count = 40
	rows, ids := make([]*ent.MessageCreate, count), make([]string, count)
	for i := range rows {
		ids[i] = `"` + fixed(0x701+i) + `"`
		rows[i] = b.db.Ent.Message.Create().SetID(fixed(0x701 + i)).SetNotificationID(fixed(0x801 + i)).SetEventID(fixed(0x901)).
			SetTransactionID("t").SetWorkflowID(fixed(0x401)).SetWorkflowIdentifier("w").SetStepID("s").SetSubscriberID(fixed(0x101)).
			SetChannel(workflow.ChannelInApp).SetTarget("inbox").SetStatus(workflow.MessageSent)
	}
	require.NoError(t, b.db.Ent.Message.CreateBulk(rows...).Exec(ctx))
	w := b.ask(http.MethodPost, "/v1/subscribers/u1/messages/mark-as", fmt.Sprintf(`{"messageId":[%s],"markAs":"seen"}`, strings.Join(ids, ",")))
	require.Equal(t, http.StatusCreated, w.Code)
	require.Less(t, w.Body.Len(), 9<<20)
	messages, _ := decoded(t, w).([]any)
	require.Len(t, messages, count)
	shown := 0
	for _, m := range messages {
		if message, _ := m.(map[string]any); message["subscriber"] != nil {
			shown++
		}
	}
	require.Equal(t, 15, shown)
}
