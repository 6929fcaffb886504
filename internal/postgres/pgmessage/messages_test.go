package pgmessage_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// TestInsertMessages holds every column: each has a value of its own, so that none can stand in the place of another.
func TestInsertMessages(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.InsertMessages(pgmessage.MessageRow{
		ID: "id", EnvironmentID: "env", CreatedAt: pgtest.Noon, ContextKeys: []string{"region:eu"}, Scope: "scope", NotificationID: "run",
		EventID: "event", TransactionID: "transaction", WorkflowID: "workflow", WorkflowIdentifier: "identifier", StepID: "step",
		SubscriberID: "subscriber", Channel: workflow.ChannelPush, Target: "target", IntegrationID: "integration", ProviderID: "provider",
		Status: workflow.MessagePending, DeliveredAt: json.RawMessage(`["d"]`), Subject: new("subject"), Content: json.RawMessage(`{"c": 1}`),
		CTA: json.RawMessage(`{"a": 2}`), Title: new("title"), Avatar: new("avatar"), Email: new("email"), Phone: new("phone"),
		DirectWebhookURL: new("url"), DeviceTokens: []string{"token"}, FeedID: "feed", Severity: workflow.SeverityHigh, Tags: []string{"tag"},
		Data: json.RawMessage(`{"d": 3}`), Envelope: json.RawMessage(`{"e": 4}`), DueAt: pgtest.At(1), DeadlineAt: pgtest.At(2), Lane: "urgent", Sequence: 7,
	}, pgmessage.MessageRow{ID: "empty", EnvironmentID: "env", CreatedAt: pgtest.Noon, NotificationID: "other", Channel: workflow.ChannelEmail, Status: "sent", Severity: "none"})

	got := s.Record("messages", "id")
	for name, want := range map[string]any{
		"id": "id", "environment_id": "env", "created_at": pgtest.JSONTime(0), "updated_at": pgtest.JSONTime(0), "arrived_at": pgtest.JSONTime(0),
		"context_keys": []any{"region:eu"}, "scope": "scope", "notification_id": "run", "event_id": "event", "transaction_id": "transaction",
		"workflow_id": "workflow", "workflow_identifier": "identifier", "step_id": "step", "subscriber_id": "subscriber", "channel": "push",
		"target": "target", "integration_id": "integration", "provider_id": "provider", "status": "pending", "delivered_at": []any{"d"},
		"subject": "subject", "title": "title", "avatar": "avatar", "email": "email", "phone": "phone", "direct_webhook_url": "url",
		"device_tokens": []any{"token"}, "feed_id": "feed", "severity": "high", "tags": []any{"tag"}, "due_at": pgtest.JSONTime(1),
		"deadline_at": pgtest.JSONTime(2), "lane": "urgent",
	} {
		require.Equal(t, want, got[name], name)
	}
	for name, want := range map[string]string{"content": `{"c":1}`, "cta": `{"a":2}`, "data": `{"d":3}`, "envelope": `{"e":4}`, "sequence": `7`, "attempts": `0`} {
		text, err := json.Marshal(got[name])
		require.NoError(t, err)
		require.JSONEq(t, want, string(text), name)
	}
	started := s.Message("started")
	started.Attempts = 1
	s.InsertMessages(started)
	require.NotNil(t, s.Record("messages", started.ID)["leased_until"], "its first attempt begins with it")
	empty := s.Record("messages", "empty")
	for _, name := range []string{
		"integration_id", "provider_id", "delivered_at", "subject", "content", "cta", "title", "avatar", "email", "phone",
		"direct_webhook_url", "device_tokens", "feed_id", "tags", "data", "envelope", "due_at", "deadline_at", "leased_until",
	} {
		require.Nil(t, empty[name], name)
	}
	require.Equal(t, []any{}, empty["context_keys"])

	again := s.Message("again")
	again.NotificationID, again.StepID, again.Target, again.Subject = "run", "step", "target", new("later")
	err := s.Batch(s.Ctx, func(b *postgres.Batch) error {
		batch := &pgx.Batch{}
		pgmessage.InsertMessages(batch, []pgmessage.MessageRow{again}, time.Minute)
		return b.Send(s.Ctx, batch)
	})
	require.True(t, postgres.IsUniqueViolation(err), "one message for each target of a step: %v", err)
	require.Equal(t, 1, pgtest.Ask[int](s, `SELECT count(*) FROM messages WHERE notification_id = 'run'`))

	b := &pgx.Batch{}
	pgmessage.InsertMessages(b, nil, time.Minute)
	pgrun.UpdateNotifications(b, nil)
	pgfanout.ChangeEvents(b, nil)
	pgmessage.BeginAttempts(b, nil, nil, time.Minute)
	pgmessage.AbandonIntents(b, nil)
	pgrun.SaveWindows(b, nil)
	pgrun.SaveThrottles(b, nil)
	pgrun.CancelWindows(b, nil)
	pgrun.NudgeRuns(b, nil, nil)
	pgaccept.QueueKeyedReplies(b, nil)
	require.Zero(t, b.Len(), "nothing to write asks nothing")
}

func TestClaimMessages(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	late, early, urgent, future, done, held := s.Message("late"), s.Message("early"), s.Message("urgent"), s.Message("future"), s.Message("done"), s.Message("held")
	late.DueAt, early.DueAt, urgent.DueAt, future.DueAt, done.DueAt = pgtest.At(-1), pgtest.At(-9), pgtest.At(-2), pgtest.At(5), nil
	urgent.Lane = "urgent"
	s.InsertMessages(late, early, urgent, future, done, held)
	s.Exec(`UPDATE messages SET leased_until = clock_timestamp() + interval '1 hour' WHERE id = 'm-held'`)
	now := pgdue.Moment{Now: pgtest.Noon}
	claim := func(tx pgx.Tx, ids []string, at pgdue.Moment, limit int) []string {
		claimed, err := pgmessage.ClaimMessages(s.Ctx, tx, ids, at, limit)
		require.NoError(t, err)
		return pgtest.Names(claimed, func(m *pgmessage.ClaimedMessage) string { return m.ID })
	}
	all := []string{"m-urgent", "m-late", "m-early", "m-future", "m-done", "m-held", "m-none"}
	for name, c := range map[string]struct {
		ids   []string
		at    pgdue.Moment
		limit int
		want  []string
	}{
		"UrgentFirst":    {nil, now, 9, []string{"m-urgent"}},
		"NamedById":      {all, now, 9, []string{"m-early", "m-late", "m-urgent"}},
		"NotYetDue":      {[]string{"m-future"}, now, 9, []string{}},
		"DueLater":       {[]string{"m-future"}, pgdue.Moment{Now: *pgtest.At(5)}, 9, []string{"m-future"}},
		"NothingNamed":   {[]string{}, now, 9, []string{}},
		"NothingDue":     {nil, pgdue.Moment{Now: *pgtest.At(-60)}, 9, []string{}},
		"VirtualIsAlike": {all, pgdue.Moment{Now: pgtest.Noon, Virtual: true}, 9, []string{"m-early", "m-late", "m-urgent"}},
	} {
		s.InTx(func(tx pgx.Tx) { require.Equal(t, c.want, claim(tx, c.ids, c.at, c.limit), name) })
	}
	s.Exec(`UPDATE messages SET lane = 'normal'`)
	s.InTx(func(tx pgx.Tx) {
		require.Equal(t, []string{"m-early", "m-urgent"}, claim(tx, nil, now, 2), "the oldest, as many as wanted")
	})
	s.Meanwhile(func(tx pgx.Tx) { require.Equal(t, []string{"m-early"}, claim(tx, nil, now, 1)) },
		func(tx pgx.Tx) {
			require.Equal(t, []string{"m-urgent", "m-late"}, claim(tx, nil, now, 9), "others share what one has not claimed")
			require.Equal(t, []string{"m-late"}, claim(tx, []string{"m-early", "m-late"}, now, 9))
		})
	s.Exec(`UPDATE messages SET leased_until = clock_timestamp() - interval '1 second' WHERE id = 'm-held'`)
	s.InTx(func(tx pgx.Tx) {
		require.Equal(t, []string{"m-held"}, claim(tx, []string{"m-held"}, now, 9), "after a lease others take over")
	})
}

func TestClaimedMessageKnowsItsLastOutcome(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	m := s.Message("x")
	m.IntegrationID, m.Content = "", json.RawMessage(`{"body": "b"}`)
	s.InsertMessages(m)
	claim := func() (claimed []pgmessage.ClaimedMessage) {
		s.InTx(func(tx pgx.Tx) {
			var err error
			claimed, err = pgmessage.ClaimMessages(s.Ctx, tx, []string{"m-x"}, pgdue.Moment{Now: pgtest.Noon}, 1)
			require.NoError(t, err)
		})
		require.Len(t, claimed, 1)
		return claimed
	}
	first := claim()[0]
	require.Empty(t, first.LastOutcome)
	require.Empty(t, first.IntegrationID)
	require.Equal(t, workflow.ChannelEmail, first.Channel)
	require.NotNil(t, first.Content)
	for n, outcome := range []string{"rejected", "unknown"} {
		s.Send(func(b *pgx.Batch) {
			pgmessage.BeginAttempts(b, []pgmessage.AttemptRow{{ID: "a-" + outcome, EnvironmentID: m.EnvironmentID, MessageID: "m-x", Number: n + 1, CreatedAt: pgtest.Noon}}, nil, 0)
		})
		s.Exec(`UPDATE attempts SET outcome = $1 WHERE id = 'a-' || $1`, outcome)
		next := claim()[0]
		require.EqualValues(t, outcome, next.LastOutcome, "of the latest attempt")
		require.Equal(t, n+1, next.Attempts)
	}
}

func TestLeases(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	open, final, other := s.Message("open"), s.Message("final"), s.Message("other")
	final.DueAt = nil
	s.InsertMessages(open, final, other)
	leased := func(name string) bool {
		return pgtest.Ask[bool](s, `SELECT coalesce(leased_until > clock_timestamp(), false) FROM messages WHERE id = $1`, "m-"+name)
	}
	both := []string{"m-open", "m-final"}
	require.NoError(t, pgmessage.ExtendLeases(s.Ctx, s.Pool, both, time.Hour))
	require.Equal(t, []bool{true, false, false}, []bool{leased("open"), leased("final"), leased("other")}, "only of what is not final")
	s.Exec(`UPDATE messages SET leased_until = NULL`)
	s.InTx(func(tx pgx.Tx) {
		require.NoError(t, pgmessage.DeferMessages(s.Ctx, tx, []string{"m-other"}, []time.Duration{time.Hour}, true))
	})
	require.Equal(t, []bool{false, false, true}, []bool{leased("open"), leased("final"), leased("other")})
	s.Exec(`UPDATE messages SET leased_until = NULL WHERE id = 'm-other'`)
	require.NoError(t, pgmessage.ExtendLeases(s.Ctx, s.Pool, both, -time.Hour))
	require.False(t, leased("open"), "the lease is as long as the caller says")
	s.Meanwhile(func(tx pgx.Tx) {
		_, err := tx.Exec(s.Ctx, `SELECT FROM messages WHERE id = 'm-open' FOR UPDATE`)
		require.NoError(t, err)
	}, func(pgx.Tx) {
		require.NoError(t, pgmessage.ExtendLeases(s.Ctx, s.Pool, []string{"m-open", "m-other"}, 2*time.Hour))
	})
	require.Equal(t, []bool{false, true}, []bool{leased("open"), leased("other")}, "what another transaction holds is not waited for")
}

func TestPutOffMessage(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	m, bare, final := s.Message("x"), s.Message("bare"), s.Message("final")
	m.Envelope, final.DueAt = json.RawMessage(`{"to": ["a"]}`), nil
	s.InsertMessages(m, bare, final)
	put := func(id string, minutes int) time.Time {
		since, err := pgmessage.PutOffMessage(s.Ctx, s.DB, id, *pgtest.At(minutes), time.Minute, 10*time.Minute)
		require.NoError(t, err)
		return since.UTC()
	}
	require.Equal(t, pgtest.Noon, put("m-x", 0))
	require.Equal(t, pgtest.JSONTime(1), s.Record("messages", "m-x")["due_at"])
	require.Equal(t, pgtest.Noon, put("m-x", 10), "failures close to each other are one row of them")
	require.Equal(t, *pgtest.At(21), put("m-x", 21), "after a longer time it begins anew")
	require.Equal(t, []any{"a"}, s.Record("messages", "m-x")["envelope"].(map[string]any)["to"], "the rest of the envelope stays")
	require.True(t, put("m-bare", 0).IsZero(), "without an envelope there is no room to keep it")
	require.Equal(t, pgtest.JSONTime(1), s.Record("messages", "m-bare")["due_at"])
	require.True(t, put("m-final", 0).IsZero())
	require.Nil(t, s.Record("messages", "m-final")["due_at"], "what is final stays so")
}

// TestClaimingDueMessagesFollowsTheIndex shows that claiming costs what is claimed, however many messages wait.
func TestClaimingDueMessagesFollowsTheIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	pgtest.FillMessages(t, db)
	claims := pgmessage.ClaimDueMessages()
	requireIndexes := func() {
		t.Helper()
		pgtest.RequireIndex(t, pgtest.Explain(t, db, claims[0], 50, time.Now()), "message_urgent_due_at")
		pgtest.RequireIndex(t, pgtest.Explain(t, db, claims[1], 50, time.Now()), "message_due_at")
	}
	requireIndexes()
	// Statistics that know of nothing due make every index of what is due look alike.
	for _, sql := range []string{`UPDATE messages SET due_at = NULL`, `VACUUM ANALYZE messages`} {
		_, err := db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	db.Pool.Reset() // the plans kept
	requireIndexes()
}
