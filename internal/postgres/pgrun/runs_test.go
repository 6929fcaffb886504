package pgrun_test

import (
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestInsertNotifications(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.InsertRuns(pgrun.NotificationRow{
		ID: "id", EnvironmentID: "env", CreatedAt: pgtest.Noon, ContextKeys: []string{"a:b"}, Scope: "scope", EventID: "event", TransactionID: "transaction",
		WorkflowID: "workflow", VersionID: "version", SubscriberID: "subscriber", TenantID: "tenant", Status: workflow.RunWaiting, Position: 3,
		State: json.RawMessage(`{"s": 1}`), Topics: []string{"topic"}, Trace: []workflow.TraceEntry{{At: pgtest.Noon, Reason: workflow.ReasonWaiting}},
		DueAt: pgtest.At(1), FinishedAt: pgtest.At(2), DigestID: "digest", Lane: "urgent",
	}, s.Run("empty"))
	got := s.Record("notifications", "id")
	for name, want := range map[string]any{
		"environment_id": "env", "created_at": pgtest.JSONTime(0), "updated_at": pgtest.JSONTime(0), "context_keys": []any{"a:b"}, "scope": "scope",
		"event_id": "event", "transaction_id": "transaction", "workflow_id": "workflow", "workflow_version_id": "version",
		"subscriber_id": "subscriber", "tenant_id": "tenant", "status": "waiting", "topics": []any{"topic"}, "due_at": pgtest.JSONTime(1),
		"finished_at": pgtest.JSONTime(2), "digest_id": "digest", "lane": "urgent",
	} {
		require.Equal(t, want, got[name], name)
	}
	require.Equal(t, 3, pgtest.Ask[int](s, `SELECT position FROM notifications WHERE id = 'id'`))
	require.Len(t, got["trace"], 1)
	empty := s.Record("notifications", "n-empty")
	for _, name := range []string{"tenant_id", "state", "topics", "due_at", "finished_at", "digest_id"} {
		require.Nil(t, empty[name], name)
	}
	require.Equal(t, []any{}, empty["trace"])

	twice := s.Run("twice")
	twice.EventID, twice.SubscriberID, twice.Scope = "event", "subscriber", "changed"
	err := s.Batch(s.Ctx, func(b *postgres.Batch) error {
		batch := &pgx.Batch{}
		pgrun.InsertNotifications(batch, []pgrun.NotificationRow{s.Run("new"), twice})
		return b.Send(s.Ctx, batch)
	})
	require.True(t, postgres.IsUniqueViolation(err), "one run for each event and subscriber: %v", err)
	require.Zero(t, pgtest.Ask[int](s, `SELECT count(*) FROM notifications WHERE id IN ('n-new', 'n-twice')`))
}

func TestUpdateNotifications(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	run, other := s.Run("x"), s.Run("other")
	run.Trace = []workflow.TraceEntry{{At: pgtest.Noon, Reason: workflow.ReasonWaiting, StepID: "first"}}
	other.EnvironmentID = s.There.Scope.EnvironmentID
	s.InsertRuns(run, other)
	s.Exec(`UPDATE notifications SET failures = 4`)
	next := run
	next.VersionID, next.Status, next.Position, next.State, next.DueAt, next.FinishedAt, next.DigestID = "v2", workflow.RunCompleted, 5, json.RawMessage(`{"a": 1}`), pgtest.At(3), pgtest.At(4), "d"
	next.Trace = []workflow.TraceEntry{{At: pgtest.Noon, Reason: workflow.ReasonCompleted}}
	foreign := next
	foreign.ID = "n-other" // of the other environment
	s.Send(func(b *pgx.Batch) { pgrun.UpdateNotifications(b, []pgrun.NotificationRow{next, foreign}) })
	got := s.Record("notifications", "n-x")
	for name, want := range map[string]any{
		"workflow_version_id": "v2", "status": string(workflow.RunCompleted), "due_at": pgtest.JSONTime(3), "finished_at": pgtest.JSONTime(4), "digest_id": "d",
		"subscriber_id": "s",
	} {
		require.Equal(t, want, got[name], name)
	}
	require.Equal(t, []int{5, 0, 2}, pgtest.Ask[[]int](s, `SELECT ARRAY[position, failures, jsonb_array_length(trace)] FROM notifications WHERE id = 'n-x'`))
	require.Equal(t, "v", s.Record("notifications", "n-other")["workflow_version_id"], "a run of another environment is left alone")

	repeating := workflow.RepeatingReasons()
	require.NotEmpty(t, repeating)
	for minute := range 3 {
		next.Trace = []workflow.TraceEntry{{At: *pgtest.At(minute), Reason: repeating[0], StepID: "mail"}}
		s.Send(func(b *pgx.Batch) { pgrun.UpdateNotifications(b, []pgrun.NotificationRow{next}) })
	}
	trace := pgtest.Ask[[]workflow.TraceEntry](s, `SELECT trace FROM notifications WHERE id = 'n-x'`)
	require.Len(t, trace, 3, "repetitions are one entry")
	require.Equal(t, 3, trace[2].Count)
	require.True(t, pgtest.Noon.Equal(trace[2].At))
}
