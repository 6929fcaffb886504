package pgaccept_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestWriteEvents(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	full := s.Event("full")
	full.WorkflowID, full.VersionID, full.Lane = "workflow", "version", "urgent"
	full.Payload, full.Overrides, full.Recipients, full.Actor = `{"p": "1"}`, `{"o": "2"}`, `{"r": "3"}`, `{"a": "4"}`
	full.RequestID, full.TraceParent = "request", "trace"
	full.Contexts = []workflow.ContextRef{{Type: "region", ID: "eu"}}
	full.ContextData = []*string{new(`{"x": "1"}`)}
	require.Equal(t, []string{"e-bare", "e-full"}, s.Accept(0, s.Event("bare"), full))
	got := s.Record("events", "e-full")
	for name, want := range map[string]any{
		"environment_id": s.Here.Scope.EnvironmentID, "transaction_id": "t-full", "workflow_id": "workflow", "workflow_version_id": "version",
		"kind": "trigger", "lane": "urgent", "status": "accepted", "payload": map[string]any{"p": "1"}, "overrides": map[string]any{"o": "2"},
		"recipients": map[string]any{"r": "3"}, "actor": map[string]any{"a": "4"}, "request_id": "request", "trace_parent": "trace",
		"created_at": pgtest.JSONTime(0), "updated_at": pgtest.JSONTime(0), "due_at": pgtest.JSONTime(1), "context_keys": []any{"region:eu"},
		"scope": workflow.ContextSetOf(full.Contexts).Scope(),
	} {
		require.Equal(t, want, got[name], name)
	}
	bare := s.Record("events", "e-bare")
	for _, name := range []string{"overrides", "recipients", "actor", "request_id", "trace_parent", "tenant_id", "checkpoint"} {
		require.Nil(t, bare[name], name)
	}
	require.Equal(t, "1", pgtest.Ask[string](s, `SELECT data ->> 'x' FROM contexts WHERE type = 'region' AND identifier = 'eu'`))

	again, elsewhere := s.Event("full"), s.Event("full")
	again.ID, elsewhere.ID, elsewhere.EnvironmentID = "e-again", "e-elsewhere", s.There.Scope.EnvironmentID
	again.Contexts = []workflow.ContextRef{{Type: "region", ID: "us"}}
	require.Empty(t, s.Accept(60, again), "a transactionId is used once")
	require.Zero(t, pgtest.Ask[int](s, `SELECT count(*) FROM contexts WHERE identifier = 'us'`), "what is not accepted makes no context")
	require.Equal(t, []string{"e-elsewhere"}, s.Accept(59, elsewhere), "in each environment")
	require.Equal(t, []string{"e-again"}, s.Accept(61, again), "until the use is past its retention")
	require.Equal(t, "e-again", pgtest.Ask[string](s, `SELECT event_id FROM transaction_claims WHERE environment_id = $1 AND transaction_id = 't-full'`, full.EnvironmentID))

	broadcast := s.Event("zbroadcast")
	broadcast.Kind = "broadcast"
	require.Len(t, s.Accept(0, broadcast), 1)
	require.Equal(t, map[string]any{"max_subscriber_id": s.Here.IDs["subscribers"], "max_event_id": "e-zbroadcast"}, s.Record("events", "e-zbroadcast")["checkpoint"],
		"a broadcast reaches the subscribers and events of its environment so far")
}
