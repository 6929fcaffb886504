package pgmessage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// TestOutcomesAreRecordedByKey shows that recording outcomes costs what they are, however many messages are due and
// attempts were made: the plan is made for all times, while few are.
func TestOutcomesAreRecordedByKey(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id,
	event_id, transaction_id, workflow_id, workflow_identifier, step_id, subscriber_id, channel, target, status, arrived_at)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', '', lpad(n::text, 24, '0'), 'e', 't', 'w', 'w', 's', 'u', 'email', 'email', 'sent', now()
FROM generate_series(1, 20000) n`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `INSERT INTO attempts (id, created_at, updated_at, environment_id, message_id, number, integration_id, provider_id, outcome)
SELECT id, now(), now(), 'env', id, 1, 'i', 'p', 'accepted' FROM messages`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `ANALYZE messages, attempts`)
	require.NoError(t, err)
	err = pgx.BeginFunc(t.Context(), db.Pool, func(tx pgx.Tx) error {
		for i, q := range pgmessage.OutcomeQueries() {
			name := fmt.Sprintf("outcome_%d", i)
			_, err := tx.Exec(t.Context(), "PREPARE "+name+" AS "+q.SQL)
			require.NoError(t, err)
			nothing := strings.TrimSuffix(strings.Repeat("NULL, ", len(q.Arguments)), ", ")
			rows, err := tx.Query(t.Context(), "EXPLAIN EXECUTE "+name+"("+nothing+")")
			require.NoError(t, err)
			plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
			require.NoError(t, err)
			require.NotContains(t, strings.Join(plan, "\n"), "due_at on", "%s", plan)
			require.NotContains(t, strings.Join(plan, "\n"), "Seq Scan on attempts", "%s", plan)
		}
		return nil
	})
	require.NoError(t, err)
}

func TestRecordOutcomes(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	begin := func(name string) pgmessage.MessageOutcome {
		m := s.Message(name)
		s.InsertMessages(m)
		attempt := pgmessage.AttemptRow{ID: "a-" + name, EnvironmentID: m.EnvironmentID, MessageID: m.ID, Number: 1, IntegrationID: "j", ProviderID: "q", CreatedAt: pgtest.Noon}
		s.Send(func(b *pgx.Batch) { pgmessage.BeginAttempts(b, []pgmessage.AttemptRow{attempt}, nil, time.Hour) })
		attempt.Outcome, attempt.FinishedAt, attempt.ProviderMessageID = "accepted", pgtest.At(1), new("pm")
		return pgmessage.MessageOutcome{
			EnvironmentID: m.EnvironmentID, MessageID: m.ID, NotificationID: m.NotificationID, StepID: "mail", Attempt: &attempt, Status: "sent",
			IntegrationID: "j", ProviderID: "q", ProviderMessageID: new("pm"), At: *pgtest.At(1),
			Trace: []workflow.TraceEntry{{At: *pgtest.At(1), Reason: workflow.ReasonWaiting, StepID: "mail"}},
		}
	}
	record := func(outcomes ...pgmessage.MessageOutcome) ([]string, int) {
		calledUp, completed, err := pgmessage.RecordOutcomes(s.Ctx, s.DB, outcomes)
		require.NoError(t, err)
		return calledUp, completed
	}
	t.Run("LastMessageEndsTheRun", func(t *testing.T) {
		s.InsertRuns(s.Run("end"))
		second := s.Message("end")
		o := begin("end")
		require.Equal(t, []any{"intent", "j"}, []any{s.Record("attempts", "a-end")["outcome"], s.Record("messages", "m-end")["integration_id"]})
		second.ID, second.StepID = "m-end2", "later"
		s.InsertMessages(second)
		calledUp, completed := record(o)
		require.Empty(t, calledUp)
		require.Zero(t, completed, "another message is still due")
		m, a := s.Record("messages", "m-end"), s.Record("attempts", "a-end")
		require.Equal(t, []any{"sent", nil, nil, "pm"}, []any{m["status"], m["due_at"], m["leased_until"], m["provider_message_id"]})
		require.Equal(t, []any{"accepted", pgtest.JSONTime(1), "pm"}, []any{a["outcome"], a["finished_at"], a["provider_message_id"]})
		o.MessageID, o.Attempt = "m-end2", nil
		_, completed = record(o)
		require.Equal(t, 1, completed)
		run := s.Record("notifications", "n-end")
		require.Equal(t, []any{"completed", pgtest.JSONTime(1)}, []any{run["status"], run["finished_at"]})
		require.Len(t, run["trace"], 3, "one entry of each message, and the end")
	})
	t.Run("AwaitedStepCallsTheRunUp", func(t *testing.T) {
		run := s.Run("await")
		run.State = []byte(`{"awaiting": "mail"}`)
		s.InsertRuns(run)
		calledUp, completed := record(begin("await"))
		require.Equal(t, []string{"n-await"}, calledUp)
		require.Zero(t, completed)
		require.Equal(t, pgtest.JSONTime(1), s.Record("notifications", "n-await")["due_at"])
	})
	t.Run("RetryKeepsTheMessageDue", func(t *testing.T) {
		s.InsertRuns(s.Run("retry"))
		o := begin("retry")
		o.Status, o.DueAt, o.ErrorID, o.ErrorText = "pending", pgtest.At(7), new("id"), new("why")
		_, completed := record(o)
		require.Zero(t, completed)
		m := s.Record("messages", "m-retry")
		require.Equal(t, []any{"pending", pgtest.JSONTime(7), "id", "why"}, []any{m["status"], m["due_at"], m["error_id"], m["error_text"]})
	})
	t.Run("AnswerEndsAPause", func(t *testing.T) {
		s.InsertRuns(s.Run("held"))
		o := begin("held")
		s.Exec(`UPDATE messages SET held_by = 'p', due_at = due_at + interval '8765832 hours' WHERE id = 'm-held'`)
		record(o)
		m := s.Record("messages", "m-held")
		require.Equal(t, []any{"sent", nil, nil}, []any{m["status"], m["due_at"], m["held_by"]})
	})
	t.Run("ReceiptThatCameFirstStays", func(t *testing.T) {
		s.InsertRuns(s.Run("receipt"))
		o := begin("receipt")
		s.Exec(`UPDATE messages SET status = 'error', error_id = 'bounced' WHERE id = 'm-receipt'`)
		record(o)
		m := s.Record("messages", "m-receipt")
		require.Equal(t, []any{"error", "bounced", nil, "pm"}, []any{m["status"], m["error_id"], m["due_at"], m["provider_message_id"]})
	})
	t.Run("AttemptOfAnotherProcessIsUnknownOnceTheMessageIsFinal", func(t *testing.T) {
		s.InsertRuns(s.Run("overtaken"))
		first := begin("overtaken")
		second := *first.Attempt
		second.ID, second.Number, second.Outcome, second.FinishedAt, second.ProviderMessageID = "a-overtaken-2", 2, "", nil, nil
		s.Send(func(b *pgx.Batch) {
			pgmessage.AbandonIntents(b, []string{"m-overtaken"})
			pgmessage.BeginAttempts(b, []pgmessage.AttemptRow{second}, nil, time.Hour)
		})
		retry := first
		retry.Attempt = new(*first.Attempt)
		retry.Attempt.Outcome, retry.Status, retry.DueAt = "failed", "pending", pgtest.At(7)
		record(retry)
		require.Equal(t, "intent", s.Record("attempts", second.ID)["outcome"], "the next claim ends it")
		record(first)
		a := s.Record("attempts", second.ID)
		require.Equal(t, "unknown", a["outcome"], "its process may be dead, and no claim takes the message up")
		require.NotNil(t, a["finished_at"])

		late := first
		late.Attempt = &second
		second.Outcome, second.FinishedAt = "accepted", pgtest.At(2)
		record(late)
		require.Equal(t, "accepted", s.Record("attempts", second.ID)["outcome"])
	})
	t.Run("OtherEnvironmentIsLeftAlone", func(t *testing.T) {
		s.InsertRuns(s.Run("foreign"))
		o := begin("foreign")
		o.EnvironmentID = s.There.Scope.EnvironmentID
		o.Attempt.EnvironmentID = o.EnvironmentID
		_, completed := record(o)
		require.Zero(t, completed)
		require.Equal(t, []any{"pending", "intent"}, []any{s.Record("messages", "m-foreign")["status"], s.Record("attempts", "a-foreign")["outcome"]})
	})
	t.Run("AbandonedIntentIsUnknown", func(t *testing.T) {
		begin("abandoned")
		s.Send(func(b *pgx.Batch) { pgmessage.AbandonIntents(b, []string{"m-abandoned", "m-end"}) })
		require.Equal(t, "unknown", s.Record("attempts", "a-abandoned")["outcome"])
		require.Equal(t, "accepted", s.Record("attempts", "a-end")["outcome"], "what is known stays")
	})
}

// TestLateAnswersCorrect: a message that was given up while the process that sent it was frozen is sent once its answer is recorded.
func TestLateAnswersCorrect(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for name, c := range map[string]struct {
		givenUp string // how the message ended meanwhile
		late    workflow.AttemptOutcome
		want    []any // status, error_id, error_text, integration_id, provider_message_id
		counted [2]int
	}{
		"deadline":  {`status = 'error', error_id = 'exhausted', error_text = 'the deadline has passed'`, "accepted", []any{"sent", nil, nil, "j", "pm"}, [2]int{1, -1}},
		"stopped":   {`status = 'error', error_id = 'outcome_unknown', error_text = 'the process ended'`, "accepted", []any{"sent", nil, nil, "j", "pm"}, [2]int{1, -1}},
		"cancelled": {`status = 'error', error_id = 'outcome_unknown', error_text = 'cancelled before the next attempt'`, "accepted", []any{"sent", nil, nil, "j", "pm"}, [2]int{1, 0}},
		"refused":   {`status = 'error', error_id = 'exhausted', error_text = 'the deadline has passed'`, "rejected", []any{"error", "exhausted", "the deadline has passed", "k", nil}, [2]int{}},
		"bounced":   {`status = 'error', error_id = 'bounced', error_text = 'gone', receipt = 'bounced'`, "accepted", []any{"error", "bounced", "gone", "k", nil}, [2]int{}},
		"sent":      {`status = 'sent', provider_message_id = 'other'`, "accepted", []any{"sent", nil, nil, "k", "other"}, [2]int{}},
	} {
		t.Run(name, func(t *testing.T) {
			event := s.Add(s.Here, "events", pgtest.Values{"transaction_id": "t-" + name, "checkpoint": map[string]any{"started": "true"}})
			m := s.Message(name)
			m.EventID = event
			s.InsertRuns(s.Run(name))
			s.InsertMessages(m)
			attempt := pgmessage.AttemptRow{ID: "a-" + name, EnvironmentID: m.EnvironmentID, MessageID: m.ID, Number: 1, IntegrationID: "j", ProviderID: "q", CreatedAt: pgtest.Noon}
			s.Send(func(b *pgx.Batch) { pgmessage.BeginAttempts(b, []pgmessage.AttemptRow{attempt}, nil, time.Hour) })
			s.Send(func(b *pgx.Batch) { pgmessage.AbandonIntents(b, []string{m.ID}) })
			s.Exec(`UPDATE messages SET due_at = NULL, lease_id = NULL, leased_until = NULL, integration_id = 'k', `+c.givenUp+` WHERE id = $1`, m.ID)

			attempt.Outcome, attempt.FinishedAt = c.late, pgtest.At(1)
			late := pgmessage.MessageOutcome{
				EnvironmentID: m.EnvironmentID, MessageID: m.ID, NotificationID: m.NotificationID, StepID: "mail", Attempt: &attempt, Status: "error",
				IntegrationID: "j", ProviderID: "q", ErrorID: new("exhausted"), ErrorText: new("no"), At: *pgtest.At(1),
			}
			if c.late == workflow.AttemptAccepted {
				late.Status, late.ProviderMessageID, late.ErrorID, late.ErrorText = "sent", new("pm"), nil, nil
			}
			for range 2 {
				_, _, err := pgmessage.RecordOutcomes(s.Ctx, s.DB, []pgmessage.MessageOutcome{late})
				require.NoError(t, err)
				r := s.Record("messages", m.ID)
				require.Equal(t, c.want, []any{r["status"], r["error_id"], r["error_text"], r["integration_id"], r["provider_message_id"]})
				require.Nil(t, r["due_at"])
				require.Equal(t, string(c.late), s.Record("attempts", attempt.ID)["outcome"])
				sum := func(column string) int {
					return pgtest.Ask[int](s, `SELECT coalesce(sum(`+column+`), 0)::int FROM event_counts WHERE event_id = $1`, event)
				}
				require.Equal(t, c.counted, [2]int{sum("sent"), sum("failed")}, "counted once")
			}
		})
	}
}
