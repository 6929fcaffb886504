package postgres_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// TestInsertMessages holds every column: each has a value of its own, so that none can stand in the place of another.
func TestInsertMessages(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.insertMessages(postgres.MessageRow{
		ID: "id", EnvironmentID: "env", CreatedAt: noon, ContextKeys: []string{"region:eu"}, Scope: "scope", NotificationID: "run",
		EventID: "event", TransactionID: "transaction", WorkflowID: "workflow", WorkflowIdentifier: "identifier", StepID: "step",
		SubscriberID: "subscriber", Channel: workflow.ChannelPush, Target: "target", IntegrationID: "integration", ProviderID: "provider",
		Status: workflow.MessagePending, DeliveredAt: json.RawMessage(`["d"]`), Subject: new("subject"), Content: json.RawMessage(`{"c": 1}`),
		CTA: json.RawMessage(`{"a": 2}`), Title: new("title"), Avatar: new("avatar"), Email: new("email"), Phone: new("phone"),
		DirectWebhookURL: new("url"), DeviceTokens: []string{"token"}, FeedID: "feed", Severity: workflow.SeverityHigh, Tags: []string{"tag"},
		Data: json.RawMessage(`{"d": 3}`), Envelope: json.RawMessage(`{"e": 4}`), DueAt: at(1), DeadlineAt: at(2), Lane: "urgent", Sequence: 7,
	}, postgres.MessageRow{ID: "empty", EnvironmentID: "env", CreatedAt: noon, NotificationID: "other", Channel: workflow.ChannelEmail, Status: "sent", Severity: "none"})

	got := s.record("messages", "id")
	for name, want := range map[string]any{
		"id": "id", "environment_id": "env", "created_at": jsonTime(0), "updated_at": jsonTime(0), "arrived_at": jsonTime(0),
		"context_keys": []any{"region:eu"}, "scope": "scope", "notification_id": "run", "event_id": "event", "transaction_id": "transaction",
		"workflow_id": "workflow", "workflow_identifier": "identifier", "step_id": "step", "subscriber_id": "subscriber", "channel": "push",
		"target": "target", "integration_id": "integration", "provider_id": "provider", "status": "pending", "delivered_at": []any{"d"},
		"subject": "subject", "title": "title", "avatar": "avatar", "email": "email", "phone": "phone", "direct_webhook_url": "url",
		"device_tokens": []any{"token"}, "feed_id": "feed", "severity": "high", "tags": []any{"tag"}, "due_at": jsonTime(1),
		"deadline_at": jsonTime(2), "lane": "urgent",
	} {
		require.Equal(t, want, got[name], name)
	}
	for name, want := range map[string]string{"content": `{"c":1}`, "cta": `{"a":2}`, "data": `{"d":3}`, "envelope": `{"e":4}`, "sequence": `7`, "attempts": `0`} {
		text, err := json.Marshal(got[name])
		require.NoError(t, err)
		require.JSONEq(t, want, string(text), name)
	}
	empty := s.record("messages", "empty")
	for _, name := range []string{
		"integration_id", "provider_id", "delivered_at", "subject", "content", "cta", "title", "avatar", "email", "phone",
		"direct_webhook_url", "device_tokens", "feed_id", "tags", "data", "envelope", "due_at", "deadline_at", "leased_until",
	} {
		require.Nil(t, empty[name], name)
	}
	require.Equal(t, []any{}, empty["context_keys"])

	again := s.message("again")
	again.NotificationID, again.StepID, again.Target, again.Subject = "run", "step", "target", new("later")
	s.insertMessages(again)
	require.Equal(t, "subject", s.record("messages", "id")["subject"], "the first message of a target stays")
	require.Equal(t, 1, ask[int](s, `SELECT count(*) FROM messages WHERE notification_id = 'run'`))

	b := &pgx.Batch{}
	postgres.InsertMessages(b, nil)
	postgres.UpdateNotifications(b, nil)
	postgres.ChangeEvents(b, nil)
	postgres.BeginAttempts(b, nil, nil, time.Minute)
	postgres.AbandonIntents(b, nil)
	postgres.SaveWindows(b, nil)
	postgres.SaveThrottles(b, nil)
	postgres.CancelWindows(b, nil)
	postgres.NudgeRuns(b, nil, nil)
	postgres.QueueKeyedReplies(b, nil)
	require.Zero(t, b.Len(), "nothing to write asks nothing")
}

func TestClaimMessages(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	late, early, urgent, future, done, held := s.message("late"), s.message("early"), s.message("urgent"), s.message("future"), s.message("done"), s.message("held")
	late.DueAt, early.DueAt, urgent.DueAt, future.DueAt, done.DueAt = at(-1), at(-9), at(-2), at(5), nil
	urgent.Lane = "urgent"
	s.insertMessages(late, early, urgent, future, done, held)
	s.exec(`UPDATE messages SET leased_until = clock_timestamp() + interval '1 hour' WHERE id = 'm-held'`)
	now := postgres.Moment{Now: noon}
	claim := func(tx pgx.Tx, ids []string, at postgres.Moment, limit int) []string {
		claimed, err := postgres.ClaimMessages(s.ctx, tx, ids, at, limit)
		require.NoError(t, err)
		return names(claimed, func(m *postgres.ClaimedMessage) string { return m.ID })
	}
	all := []string{"m-urgent", "m-late", "m-early", "m-future", "m-done", "m-held", "m-none"}
	for name, c := range map[string]struct {
		ids   []string
		at    postgres.Moment
		limit int
		want  []string
	}{
		"UrgentFirst":    {nil, now, 9, []string{"m-urgent"}},
		"NamedById":      {all, now, 9, []string{"m-early", "m-late", "m-urgent"}},
		"NotYetDue":      {[]string{"m-future"}, now, 9, []string{}},
		"DueLater":       {[]string{"m-future"}, postgres.Moment{Now: *at(5)}, 9, []string{"m-future"}},
		"NothingNamed":   {[]string{}, now, 9, []string{}},
		"NothingDue":     {nil, postgres.Moment{Now: *at(-60)}, 9, []string{}},
		"VirtualIsAlike": {all, postgres.Moment{Now: noon, Virtual: true}, 9, []string{"m-early", "m-late", "m-urgent"}},
	} {
		s.tx(func(tx pgx.Tx) { require.Equal(t, c.want, claim(tx, c.ids, c.at, c.limit), name) })
	}
	s.exec(`UPDATE messages SET lane = 'normal'`)
	s.tx(func(tx pgx.Tx) {
		require.Equal(t, []string{"m-early", "m-urgent"}, claim(tx, nil, now, 2), "the oldest, as many as wanted")
	})
	s.meanwhile(func(tx pgx.Tx) { require.Equal(t, []string{"m-early"}, claim(tx, nil, now, 1)) },
		func(tx pgx.Tx) {
			require.Equal(t, []string{"m-urgent", "m-late"}, claim(tx, nil, now, 9), "others share what one has not claimed")
			require.Equal(t, []string{"m-late"}, claim(tx, []string{"m-early", "m-late"}, now, 9))
		})
	s.exec(`UPDATE messages SET leased_until = clock_timestamp() - interval '1 second' WHERE id = 'm-held'`)
	s.tx(func(tx pgx.Tx) {
		require.Equal(t, []string{"m-held"}, claim(tx, []string{"m-held"}, now, 9), "after a lease others take over")
	})
}

func TestClaimedMessageKnowsItsLastOutcome(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	m := s.message("x")
	m.IntegrationID, m.Content = "", json.RawMessage(`{"body": "b"}`)
	s.insertMessages(m)
	claim := func() (claimed []postgres.ClaimedMessage) {
		s.tx(func(tx pgx.Tx) {
			var err error
			claimed, err = postgres.ClaimMessages(s.ctx, tx, []string{"m-x"}, postgres.Moment{Now: noon}, 1)
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
		s.send(func(b *pgx.Batch) {
			postgres.BeginAttempts(b, []postgres.AttemptRow{{ID: "a-" + outcome, EnvironmentID: m.EnvironmentID, MessageID: "m-x", Number: n + 1, CreatedAt: noon}}, nil, 0)
		})
		s.exec(`UPDATE attempts SET outcome = $1 WHERE id = 'a-' || $1`, outcome)
		next := claim()[0]
		require.EqualValues(t, outcome, next.LastOutcome, "of the latest attempt")
		require.Equal(t, n+1, next.Attempts)
	}
}

func TestLeases(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	open, final, other := s.message("open"), s.message("final"), s.message("other")
	final.DueAt = nil
	s.insertMessages(open, final, other)
	leased := func(name string) bool {
		return ask[bool](s, `SELECT coalesce(leased_until > clock_timestamp(), false) FROM messages WHERE id = $1`, "m-"+name)
	}
	both := []string{"m-open", "m-final"}
	require.NoError(t, s.ExtendLeases(s.ctx, both, time.Hour))
	require.Equal(t, []bool{true, false, false}, []bool{leased("open"), leased("final"), leased("other")}, "only of what is not final")
	require.NoError(t, s.ReleaseLeases(s.ctx, both))
	require.False(t, leased("open"))
	s.tx(func(tx pgx.Tx) { require.NoError(t, postgres.HoldMessages(s.ctx, tx, []string{"m-other"}, time.Hour)) })
	require.Equal(t, []bool{false, false, true}, []bool{leased("open"), leased("final"), leased("other")})
	require.NoError(t, s.ExtendLeases(s.ctx, both, -time.Hour))
	require.False(t, leased("open"), "the lease is as long as the caller says")
}

func TestPutOffMessage(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	m, bare, final := s.message("x"), s.message("bare"), s.message("final")
	m.Envelope, final.DueAt = json.RawMessage(`{"to": ["a"]}`), nil
	s.insertMessages(m, bare, final)
	put := func(id string, minutes int) time.Time {
		since, err := s.PutOffMessage(s.ctx, id, *at(minutes), time.Minute, 10*time.Minute)
		require.NoError(t, err)
		return since.UTC()
	}
	require.Equal(t, noon, put("m-x", 0))
	require.Equal(t, jsonTime(1), s.record("messages", "m-x")["due_at"])
	require.Equal(t, noon, put("m-x", 10), "failures close to each other are one row of them")
	require.Equal(t, *at(21), put("m-x", 21), "after a longer time it begins anew")
	require.Equal(t, []any{"a"}, s.record("messages", "m-x")["envelope"].(map[string]any)["to"], "the rest of the envelope stays")
	require.True(t, put("m-bare", 0).IsZero(), "without an envelope there is no room to keep it")
	require.Equal(t, jsonTime(1), s.record("messages", "m-bare")["due_at"])
	require.True(t, put("m-final", 0).IsZero())
	require.Nil(t, s.record("messages", "m-final")["due_at"], "what is final stays so")
}

func TestInsertNotifications(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	require.Equal(t, 2, s.insertRuns(postgres.NotificationRow{
		ID: "id", EnvironmentID: "env", CreatedAt: noon, ContextKeys: []string{"a:b"}, Scope: "scope", EventID: "event", TransactionID: "transaction",
		WorkflowID: "workflow", VersionID: "version", SubscriberID: "subscriber", TenantID: "tenant", Status: workflow.RunWaiting, Position: 3,
		State: json.RawMessage(`{"s": 1}`), Topics: []string{"topic"}, Trace: []workflow.TraceEntry{{At: noon, Reason: workflow.ReasonWaiting}},
		DueAt: at(1), FinishedAt: at(2), DigestID: "digest", Lane: "urgent",
	}, s.run("empty")))
	got := s.record("notifications", "id")
	for name, want := range map[string]any{
		"environment_id": "env", "created_at": jsonTime(0), "updated_at": jsonTime(0), "context_keys": []any{"a:b"}, "scope": "scope",
		"event_id": "event", "transaction_id": "transaction", "workflow_id": "workflow", "workflow_version_id": "version",
		"subscriber_id": "subscriber", "tenant_id": "tenant", "status": "waiting", "topics": []any{"topic"}, "due_at": jsonTime(1),
		"finished_at": jsonTime(2), "digest_id": "digest", "lane": "urgent",
	} {
		require.Equal(t, want, got[name], name)
	}
	require.Equal(t, 3, ask[int](s, `SELECT position FROM notifications WHERE id = 'id'`))
	require.Len(t, got["trace"], 1)
	empty := s.record("notifications", "n-empty")
	for _, name := range []string{"tenant_id", "state", "topics", "due_at", "finished_at", "digest_id"} {
		require.Nil(t, empty[name], name)
	}
	require.Equal(t, []any{}, empty["trace"])

	twice := s.run("twice")
	twice.EventID, twice.SubscriberID, twice.Scope = "event", "subscriber", "changed"
	require.Equal(t, 1, s.insertRuns(twice, s.run("new")), "one run for each event and subscriber")
	require.Equal(t, "scope", s.record("notifications", "id")["scope"])
	require.ErrorIs(t, s.Batch(s.ctx, func(b *postgres.Batch) error {
		batch := &pgx.Batch{}
		postgres.InsertNotifications(batch, []postgres.NotificationRow{s.run("refused")}, func(int) error { return errOnPurpose })
		return b.Send(s.ctx, batch)
	}), errOnPurpose)
	require.Zero(t, ask[int](s, `SELECT count(*) FROM notifications WHERE id = 'n-refused'`), "an error of inserted undoes it")
}

func TestUpdateNotifications(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	run, other := s.run("x"), s.run("other")
	run.Trace = []workflow.TraceEntry{{At: noon, Reason: workflow.ReasonWaiting, StepID: "first"}}
	other.EnvironmentID = s.there.Scope.EnvironmentID
	s.insertRuns(run, other)
	s.exec(`UPDATE notifications SET failures = 4`)
	next := run
	next.VersionID, next.Status, next.Position, next.State, next.DueAt, next.FinishedAt, next.DigestID = "v2", workflow.RunCompleted, 5, json.RawMessage(`{"a": 1}`), at(3), at(4), "d"
	next.Trace = []workflow.TraceEntry{{At: noon, Reason: workflow.ReasonCompleted}}
	foreign := next
	foreign.ID = "n-other" // of the other environment
	s.send(func(b *pgx.Batch) { postgres.UpdateNotifications(b, []postgres.NotificationRow{next, foreign}) })
	got := s.record("notifications", "n-x")
	for name, want := range map[string]any{
		"workflow_version_id": "v2", "status": string(workflow.RunCompleted), "due_at": jsonTime(3), "finished_at": jsonTime(4), "digest_id": "d",
		"subscriber_id": "s",
	} {
		require.Equal(t, want, got[name], name)
	}
	require.Equal(t, []int{5, 0, 2}, ask[[]int](s, `SELECT ARRAY[position, failures, jsonb_array_length(trace)] FROM notifications WHERE id = 'n-x'`))
	require.Equal(t, "v", s.record("notifications", "n-other")["workflow_version_id"], "a run of another environment is left alone")

	repeating := workflow.RepeatingReasons()
	require.NotEmpty(t, repeating)
	for minute := range 3 {
		next.Trace = []workflow.TraceEntry{{At: *at(minute), Reason: repeating[0], StepID: "mail"}}
		s.send(func(b *pgx.Batch) { postgres.UpdateNotifications(b, []postgres.NotificationRow{next}) })
	}
	trace := ask[[]workflow.TraceEntry](s, `SELECT trace FROM notifications WHERE id = 'n-x'`)
	require.Len(t, trace, 3, "repetitions are one entry")
	require.Equal(t, 3, trace[2].Count)
	require.True(t, noon.Equal(trace[2].At))
}
