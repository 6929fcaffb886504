package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCancel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must(t, `mutation { createWorkflow(input: {name: "w", definition: {steps: [{type: IN_APP, inApp: {body: "x"}}]}}) { workflow { id } } }`, nil)
	b.must(t, `mutation { triggerEvent(input: {name: "w", to: [{subscriberId: "u"}], transactionId: "t1"}) { result { status } } }`, nil)
	const cancel = `mutation { cancelTransaction(transactionId: "t1") { result { eventsStopped stopped { id } tooLate { id } stoppedCount tooLateCount complete } } }`
	empty := []any{}
	want := map[string]any{
		"eventsStopped": float64(1), "stopped": empty, "tooLate": empty, "stoppedCount": float64(0), "tooLateCount": float64(0), "complete": true,
	}
	require.Equal(t, want, at(t, b.must(t, cancel, nil), "cancelTransaction", "result"), "the event was not fanned out")
	want["eventsStopped"] = float64(0)
	require.Equal(t, want, at(t, b.must(t, cancel, nil), "cancelTransaction", "result"))
	status := b.must(t, `{ eventByTransactionId(transactionId: "t1") { status trace { reason } } }`, nil)["eventByTransactionId"].(map[string]any)
	require.Equal(t, "CANCELLED", status["status"])
	require.Equal(t, "NOT_FOUND", b.ask(t, b.key, `mutation { cancelTransaction(transactionId: "t2") { result { complete } } }`, nil).code())
	require.Equal(t, "NOT_FOUND", b.ask(t, b.key, `mutation { cancelNotification(id: "unknown") { result { complete } } }`, nil).code())
}
