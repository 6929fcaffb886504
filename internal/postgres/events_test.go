package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

func (s *store) event(name string) postgres.AcceptedEvent {
	return postgres.AcceptedEvent{
		ID: "e-" + name, EnvironmentID: s.here.Scope.EnvironmentID, TransactionID: "t-" + name, WorkflowID: "w", VersionID: "v", Kind: "trigger",
		Lane: "normal", Payload: `{}`,
	}
}

// accept writes events at noon plus some minutes; uses older than an hour do not count.
func (s *store) accept(minutes int, events ...postgres.AcceptedEvent) (written []string) {
	s.t.Helper()
	s.tx(func(tx pgx.Tx) {
		stored, err := postgres.WriteEvents(s.ctx, tx, events, postgres.AcceptTimes{Now: *at(minutes), DueAt: *at(minutes + 1), UsedSince: *at(minutes - 60)})
		require.NoError(s.t, err)
		for _, e := range events {
			if stored[e.ID] {
				written = append(written, e.ID)
			}
		}
	})
	return written
}

func TestWriteEvents(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	full := s.event("full")
	full.WorkflowID, full.VersionID, full.Lane = "workflow", "version", "urgent"
	full.Payload, full.Overrides, full.Recipients, full.Actor = `{"p": "1"}`, `{"o": "2"}`, `{"r": "3"}`, `{"a": "4"}`
	full.RequestID, full.TraceParent = "request", "trace"
	full.Contexts = []workflow.ContextRef{{Type: "region", ID: "eu"}}
	full.ContextData = []*string{new(`{"x": "1"}`)}
	require.Equal(t, []string{"e-bare", "e-full"}, s.accept(0, s.event("bare"), full))
	got := s.record("events", "e-full")
	for name, want := range map[string]any{
		"environment_id": s.here.Scope.EnvironmentID, "transaction_id": "t-full", "workflow_id": "workflow", "workflow_version_id": "version",
		"kind": "trigger", "lane": "urgent", "status": "accepted", "payload": map[string]any{"p": "1"}, "overrides": map[string]any{"o": "2"},
		"recipients": map[string]any{"r": "3"}, "actor": map[string]any{"a": "4"}, "request_id": "request", "trace_parent": "trace",
		"created_at": jsonTime(0), "updated_at": jsonTime(0), "due_at": jsonTime(1), "context_keys": []any{"region:eu"},
		"scope": workflow.ContextSetOf(full.Contexts).Scope(),
	} {
		require.Equal(t, want, got[name], name)
	}
	bare := s.record("events", "e-bare")
	for _, name := range []string{"overrides", "recipients", "actor", "request_id", "trace_parent", "tenant_id", "checkpoint"} {
		require.Nil(t, bare[name], name)
	}
	require.Equal(t, "1", ask[string](s, `SELECT data ->> 'x' FROM contexts WHERE type = 'region' AND identifier = 'eu'`))

	again, elsewhere := s.event("full"), s.event("full")
	again.ID, elsewhere.ID, elsewhere.EnvironmentID = "e-again", "e-elsewhere", s.there.Scope.EnvironmentID
	again.Contexts = []workflow.ContextRef{{Type: "region", ID: "us"}}
	require.Empty(t, s.accept(59, again), "a transactionId is used once")
	require.Zero(t, ask[int](s, `SELECT count(*) FROM contexts WHERE identifier = 'us'`), "what is not accepted makes no context")
	require.Equal(t, []string{"e-elsewhere"}, s.accept(59, elsewhere), "in each environment")
	require.Equal(t, []string{"e-again"}, s.accept(61, again), "until the use is past its retention")
	require.Equal(t, "e-again", ask[string](s, `SELECT event_id FROM transaction_claims WHERE environment_id = $1 AND transaction_id = 't-full'`, full.EnvironmentID))

	broadcast := s.event("zbroadcast")
	broadcast.Kind = "broadcast"
	require.Len(t, s.accept(0, broadcast), 1)
	require.Equal(t, map[string]any{"max_subscriber_id": s.here.IDs["subscribers"], "max_event_id": "e-zbroadcast"}, s.record("events", "e-zbroadcast")["checkpoint"],
		"a broadcast reaches the subscribers and events of its environment so far")
}

func TestClaimEvents(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	urgent, done := s.event("urgent"), s.event("done")
	urgent.Lane = "urgent"
	s.accept(-5, s.event("b"))
	s.accept(0, s.event("a"), done, urgent)
	s.exec(`UPDATE events SET due_at = NULL WHERE id = 'e-done'`)
	now := postgres.Moment{Now: noon}
	name := func(e *postgres.EventRow) string { return e.ID }
	claim := func(tx pgx.Tx, ids ...string) []string {
		claimed, err := postgres.ClaimEvents(s.ctx, tx, ids, now)
		require.NoError(t, err)
		return names(claimed, name)
	}
	due := func(tx pgx.Tx, lane string, minutes, limit int) []string {
		claimed, err := postgres.ClaimDueEvents(s.ctx, tx, lane, *at(minutes), limit)
		require.NoError(t, err)
		return names(claimed, name)
	}
	s.meanwhile(func(tx pgx.Tx) { require.Equal(t, []string{"e-a"}, claim(tx, "e-a", "e-done", "e-none")) }, func(tx pgx.Tx) {
		require.Equal(t, []string{"e-b"}, claim(tx, "e-a", "e-b"), "nobody waits for what another has claimed")
		require.Equal(t, []string{"e-b"}, due(tx, "normal", 1, 9))
	})
	for _, c := range []struct {
		lane           string
		minutes, limit int
		want           []string
	}{
		{"normal", 1, 9, []string{"e-b", "e-a"}},
		{"normal", 1, 1, []string{"e-b"}},
		{"normal", 0, 9, []string{"e-b"}},
		{"urgent", 1, 9, []string{"e-urgent"}},
		{"other", 1, 9, []string{}},
	} {
		s.tx(func(tx pgx.Tx) { require.Equal(t, c.want, due(tx, c.lane, c.minutes, c.limit), c) })
	}
	s.tx(func(tx pgx.Tx) {
		require.NoError(t, postgres.LeaseEvents(s.ctx, tx, []string{"e-b", "e-done"}, time.Hour))
	})
	require.True(t, ask[bool](s, `SELECT due_at > clock_timestamp() FROM events WHERE id = 'e-b'`))
	require.Nil(t, s.record("events", "e-done")["due_at"], "what is final stays so")
}

func TestChangeEvents(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.accept(0, s.event("mine"), s.event("others"))
	here, there := s.here.Scope.EnvironmentID, s.there.Scope.EnvironmentID
	change := postgres.EventChange{
		EnvironmentID: here, ID: "e-mine", Status: "accepted", Checkpoint: &postgres.Checkpoint{After: "x"}, Notified: 2, DueAt: at(9),
		Trace: []workflow.TraceEntry{{At: noon, Reason: workflow.ReasonCancelled}},
	}
	foreign := change
	foreign.ID, foreign.EnvironmentID = "e-others", there
	for range 2 {
		s.send(func(b *pgx.Batch) { postgres.ChangeEvents(b, []postgres.EventChange{change, foreign}) })
	}
	got := s.record("events", "e-mine")
	require.Equal(t, []any{jsonTime(9), map[string]any{"after": "x"}}, []any{got["due_at"], got["checkpoint"]})
	require.Equal(t, []int{4, 2}, ask[[]int](s, `SELECT ARRAY[notified, jsonb_array_length(trace)] FROM events WHERE id = 'e-mine'`), "both are added to")
	require.Zero(t, ask[int](s, `SELECT notified FROM events WHERE id = 'e-others'`), "an event of another environment is left alone")

	move := func(environment string, from, to postgres.Checkpoint, last bool) (moved bool) {
		s.send(func(b *pgx.Batch) {
			postgres.MoveEvent(b, environment, "e-mine", from, to, 3, last, time.Hour, func(ok bool) error { moved = ok; return nil })
		})
		return moved
	}
	x, y := postgres.Checkpoint{After: "x"}, postgres.Checkpoint{After: "y"}
	require.False(t, move(here, y, x, false), "another has moved it")
	require.False(t, move(there, x, y, false), "it is another environment's")
	require.True(t, move(here, x, y, false))
	require.False(t, move(here, x, y, false), "a page counts once")
	require.Equal(t, 7, ask[int](s, `SELECT notified FROM events WHERE id = 'e-mine'`))
	require.True(t, move(here, y, x, true))
	got = s.record("events", "e-mine")
	require.Equal(t, []any{"fanned_out", nil}, []any{got["status"], got["due_at"]})
}

func TestRecordOutcomes(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	begin := func(name string) postgres.MessageOutcome {
		m := s.message(name)
		s.insertMessages(m)
		attempt := postgres.AttemptRow{ID: "a-" + name, EnvironmentID: m.EnvironmentID, MessageID: m.ID, Number: 1, IntegrationID: "j", ProviderID: "q", CreatedAt: noon}
		s.send(func(b *pgx.Batch) { postgres.BeginAttempts(b, []postgres.AttemptRow{attempt}, nil, time.Hour) })
		attempt.Outcome, attempt.FinishedAt, attempt.ProviderMessageID = "accepted", at(1), new("pm")
		return postgres.MessageOutcome{
			EnvironmentID: m.EnvironmentID, MessageID: m.ID, NotificationID: m.NotificationID, StepID: "mail", Attempt: &attempt, Status: "sent",
			IntegrationID: "j", ProviderID: "q", ProviderMessageID: new("pm"), At: *at(1),
			Trace: []workflow.TraceEntry{{At: *at(1), Reason: workflow.ReasonWaiting, StepID: "mail"}},
		}
	}
	record := func(outcomes ...postgres.MessageOutcome) ([]string, int) {
		calledUp, completed, err := s.RecordOutcomes(s.ctx, outcomes)
		require.NoError(t, err)
		return calledUp, completed
	}
	t.Run("LastMessageEndsTheRun", func(t *testing.T) {
		s.insertRuns(s.run("end"))
		second := s.message("end")
		o := begin("end")
		require.Equal(t, []any{"intent", "j"}, []any{s.record("attempts", "a-end")["outcome"], s.record("messages", "m-end")["integration_id"]})
		second.ID, second.StepID = "m-end2", "later"
		s.insertMessages(second)
		calledUp, completed := record(o)
		require.Empty(t, calledUp)
		require.Zero(t, completed, "another message is still due")
		m, a := s.record("messages", "m-end"), s.record("attempts", "a-end")
		require.Equal(t, []any{"sent", nil, nil, "pm"}, []any{m["status"], m["due_at"], m["leased_until"], m["provider_message_id"]})
		require.Equal(t, []any{"accepted", jsonTime(1), "pm"}, []any{a["outcome"], a["finished_at"], a["provider_message_id"]})
		o.MessageID, o.Attempt = "m-end2", nil
		_, completed = record(o)
		require.Equal(t, 1, completed)
		run := s.record("notifications", "n-end")
		require.Equal(t, []any{"completed", jsonTime(1)}, []any{run["status"], run["finished_at"]})
		require.Len(t, run["trace"], 3, "one entry of each message, and the end")
	})
	t.Run("AwaitedStepCallsTheRunUp", func(t *testing.T) {
		run := s.run("await")
		run.State = []byte(`{"awaiting": "mail"}`)
		s.insertRuns(run)
		calledUp, completed := record(begin("await"))
		require.Equal(t, []string{"n-await"}, calledUp)
		require.Zero(t, completed)
		require.Equal(t, jsonTime(1), s.record("notifications", "n-await")["due_at"])
	})
	t.Run("RetryKeepsTheMessageDue", func(t *testing.T) {
		s.insertRuns(s.run("retry"))
		o := begin("retry")
		o.Status, o.DueAt, o.ErrorID, o.ErrorText = "pending", at(7), new("id"), new("why")
		_, completed := record(o)
		require.Zero(t, completed)
		m := s.record("messages", "m-retry")
		require.Equal(t, []any{"pending", jsonTime(7), "id", "why"}, []any{m["status"], m["due_at"], m["error_id"], m["error_text"]})
	})
	t.Run("ReceiptThatCameFirstStays", func(t *testing.T) {
		s.insertRuns(s.run("receipt"))
		o := begin("receipt")
		s.exec(`UPDATE messages SET status = 'error', error_id = 'bounced' WHERE id = 'm-receipt'`)
		record(o)
		m := s.record("messages", "m-receipt")
		require.Equal(t, []any{"error", "bounced", nil, "pm"}, []any{m["status"], m["error_id"], m["due_at"], m["provider_message_id"]})
	})
	t.Run("OtherEnvironmentIsLeftAlone", func(t *testing.T) {
		s.insertRuns(s.run("foreign"))
		o := begin("foreign")
		o.EnvironmentID = s.there.Scope.EnvironmentID
		o.Attempt.EnvironmentID = o.EnvironmentID
		_, completed := record(o)
		require.Zero(t, completed)
		require.Equal(t, []any{"pending", "intent"}, []any{s.record("messages", "m-foreign")["status"], s.record("attempts", "a-foreign")["outcome"]})
	})
	t.Run("AbandonedIntentIsUnknown", func(t *testing.T) {
		begin("abandoned")
		s.send(func(b *pgx.Batch) { postgres.AbandonIntents(b, []string{"m-abandoned", "m-end"}) })
		require.Equal(t, "unknown", s.record("attempts", "a-abandoned")["outcome"])
		require.Equal(t, "accepted", s.record("attempts", "a-end")["outcome"], "what is known stays")
	})
}
