package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// accepting accepts events as a process does that works on them, too.
func (b *bundle) accepting(plans bool) *accept.Acceptor {
	b.tb.Helper()
	a := accept.NewAcceptor(accept.Config{DB: b.db, Queue: b.config.Queue, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	if plans {
		a.PlanWith(b.engine.Planner())
	}
	require.NoError(b.tb, a.Start(b.ctx))
	b.tb.Cleanup(func() { require.NoError(b.tb, a.Stop(context.WithoutCancel(b.ctx))) })
	return a
}

// acceptance is an event of a workflow for named recipients.
func (b *bundle) acceptance(p published, r *workflow.Recipients, transactionID string) accept.Acceptance {
	b.tb.Helper()
	recipients, err := json.Marshal(r)
	require.NoError(b.tb, err)
	item := accept.Acceptance{
		EnvironmentID: b.scope.EnvironmentID, Kind: event.KindTrigger, Workflow: b.db.Ent.Workflow.GetX(b.ctx, p.workflow).Identifier,
		TransactionID: transactionID, Payload: []byte(`{"text": "hello"}`), Recipients: recipients, Reachable: true,
	}
	if transactionID == "" {
		item.TransactionID, item.Generated = "txn_"+id.New(time.Now()), true
	}
	return item
}

// offer accepts an event of a workflow for named recipients and returns its id; "" when its transactionId was used.
func (b *bundle) offer(a *accept.Acceptor, p published, r *workflow.Recipients, transactionID string) string {
	b.tb.Helper()
	outcomes, err := a.Accept(b.ctx, accept.Request{Items: []accept.Acceptance{b.acceptance(p, r, transactionID)}})
	require.NoError(b.tb, err)
	require.NoError(b.tb, outcomes[0].Err)
	require.Equal(b.tb, workflow.TriggerProcessed, outcomes[0].Status)
	return outcomes[0].EventID
}

// acquainted makes subscribers whom events have named before, so that another event changes nothing of them.
func (b *bundle) acquainted(ids ...string) {
	b.tb.Helper()
	for _, subscriberID := range ids {
		b.subscriber(subscriberID)
	}
	b.exec(`UPDATE subscribers SET named_by = id`)
}

// TestSmallEventIsStoredWithItsMessages: when the caller has its reply everything is there, each row in the state that it has
// afterwards, and those who watch hear of it.
func TestSmallEventIsStoredWithItsMessages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	told := make(chan state.InboxChange, 9)
	b.config.Live = func(_ context.Context, changes []state.InboxChange) {
		for _, c := range changes {
			told <- c
		}
	}
	b.onRealTime()
	b.config.Queue.Events.Open()
	b.acquainted("u1", "u2")
	a := b.accepting(true)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}} {{subscriber.subscriberId}}")}})
	b.offer(a, wf, to("u1"), "")
	await(t, told)
	ev := b.offer(a, wf, to("u1", "u2"), "")

	stored := b.db.Ent.Event.GetX(b.ctx, ev)
	require.Equal(t, event.StatusFannedOut, stored.Status)
	require.Nil(t, stored.DueAt)
	require.Equal(t, 2, stored.Notified)
	for i, run := range b.runs(ev) {
		require.Equal(t, workflow.RunCompleted, run.Status)
		require.Equal(t, []workflow.Reason{workflow.ReasonSent, workflow.ReasonCompleted}, reasons(run))
		m := b.messages(ev)[i]
		require.Equal(t, run.ID, m.NotificationID)
		require.Equal(t, int64(2-i), m.Sequence, "u1 has had one before")
		require.Equal(t, stored.CreatedAt, m.CreatedAt)
	}
	changes := []state.InboxChange{await(t, told), await(t, told)}
	require.ElementsMatch(t, []int64{1, 2}, []int64{changes[0].Sequence, changes[1].Sequence})
	for _, c := range changes { // what watchers are told is what they would read
		told, err := c.New.Entity()
		require.NoError(t, err)
		require.JSONEq(t, asJSON(t, b.db.Ent.Message.GetX(b.ctx, c.MessageID)), asJSON(t, told))
		require.JSONEq(t, asJSON(t, b.db.Ent.InboxState.GetX(b.ctx, c.Inbox.ID)), asJSON(t, c.Inbox))
	}
	b.config.Queue.Events.Close()
	require.Empty(t, b.config.Queue.Events.Take(b.ctx, event.LaneNormal, 9), "nothing is left to fan out")
}

// TestLockedRowIsNotWaitedFor: when another transaction has locked an inbox or a subscriber for long, an event to it is stored all the
// same, and fanned out afterwards. The next events of the environment do not wait for the row again.
func TestLockedRowIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	renamed := to("u1")
	renamed.Direct[0].FirstName = workflow.Given("Ada")
	for table, recipients := range map[string]*workflow.Recipients{"inbox_states": to("u1"), "subscribers": renamed} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			seen := &refusals{}
			b := setupOn(t, pgtest.OpenTraced(t, pgtest.NewURL(t), seen))
			b.onRealTime()
			b.acquainted("u1")
			a := b.accepting(true)
			wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
			b.offer(a, wf, to("u1"), "")
			other, err := b.db.Pool.Begin(b.ctx)
			require.NoError(t, err)
			defer func() { _ = other.Rollback(b.ctx) }()
			_, err = other.Exec(b.ctx, `SELECT FROM `+table+` FOR UPDATE`)
			require.NoError(t, err)
			for range 3 {
				ev := b.offer(a, wf, recipients, "")
				stored := b.db.Ent.Event.GetX(b.ctx, ev)
				require.Equal(t, event.StatusAccepted, stored.Status)
				require.NotNil(t, stored.DueAt)
				require.Empty(t, b.runs(ev))
				require.EqualValues(t, 1, seen.n.Load(), "commits that have waited in vain")
			}
		})
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// TestLeftToFanOut: what cannot be decided before the event is stored waits for its fan-out, as any large event.
func TestLeftToFanOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.acquainted("u1", "u2")
	a := b.accepting(true)
	inApp := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	reached := func(name string) *workflow.Recipients {
		r := to(name)
		r.Direct[0].Channels = []workflow.ChannelInput{{ProviderID: "fcm", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"d"}}}}
		return r
	}
	var crowd []string
	for n := range 21 {
		crowd = append(crowd, fmt.Sprint("c", n))
	}
	b.acquainted(crowd...)
	for name, c := range map[string]struct {
		workflow published
		to       *workflow.Recipients
	}{
		"WithChannels":    {inApp, reached("u2")},
		"NewWithChannels": {inApp, reached("new")},
		"ManyRecipients":  {inApp, to(crowd...)},
		"BrokenTemplate":  {b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{ payload.text | divided_by: 0 }}")}}), to("u1")},
		"Digest": {b.workflow(workflow.Definition{Steps: []workflow.Step{
			{StepID: "d", Type: workflow.StepDigest, Digest: &workflow.DigestControls{Amount: 5, Unit: "minutes"}}, inAppStep("x"),
		}}), to("u1")},
	} {
		ev := b.db.Ent.Event.GetX(b.ctx, b.offer(a, c.workflow, c.to, ""))
		require.Equal(t, event.StatusAccepted, ev.Status, name)
		require.NotNil(t, ev.DueAt, name)
		require.Empty(t, b.runs(ev.ID), name)
	}
}

// TestUsedTransactionStoresNothing offers one transactionId many times at once: one event has its message, the others nothing.
func TestUsedTransactionStoresNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.acquainted("u1")
	acceptors := []*accept.Acceptor{b.accepting(true), b.accepting(true)}
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	b.offer(acceptors[0], wf, to("u1"), "known") // the workflow is known from here on
	var offers sync.WaitGroup
	for n := range 16 {
		offers.Go(func() { b.offer(acceptors[n%2], wf, to("u1"), "once") })
	}
	offers.Wait()
	require.Equal(t, 2, b.db.Ent.Event.Query().CountX(b.ctx))
	require.Equal(t, 2, b.db.Ent.Notification.Query().CountX(b.ctx))
	require.Equal(t, 2, b.db.Ent.Message.Query().CountX(b.ctx))
	state := b.db.Ent.InboxState.Query().OnlyX(b.ctx)
	require.Equal(t, []any{2, int64(2)}, []any{state.Total, state.Sequence})
}

// TestPlannedIsAsFannedOut takes the same events both ways and compares what is stored of them.
func TestPlannedIsAsFannedOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.acquainted("u1")
	waits := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: "regular", Amount: 5, Unit: "minutes"}}
	for name, steps := range map[string][]workflow.Step{
		"InApp": {inAppStep("{{payload.text}}")},
		"Mail":  {emailStep(), inAppStep("{{subscriber.subscriberId}}")},
		"Delay": {inAppStep("x"), waits, emailStep()},
	} {
		wf := b.workflow(workflow.Definition{Steps: steps})
		first := b.offer(b.accepting(false), wf, to("u1"), "")
		b.fanOut(first)
		a := b.accepting(true)
		b.offer(a, wf, to("u1"), "")
		second := b.offer(a, wf, to("u1"), "")
		require.Nil(t, b.db.Ent.Event.GetX(b.ctx, second).DueAt, "%s: it was planned", name)
		require.Equal(t, b.shape(first), b.shape(second), name)
	}
}

// shape is what is stored of an event, without what differs between any two.
func (b *bundle) shape(eventID string) (lines []string) {
	b.tb.Helper()
	ev := b.db.Ent.Event.GetX(b.ctx, eventID)
	lines = append(lines, fmt.Sprint(ev.Status, ev.Notified, ev.Payload, ev.Lane, ev.Trace))
	for _, n := range b.db.Ent.Notification.Query().Where(notification.EventID(eventID)).AllX(b.ctx) {
		lines = append(lines, fmt.Sprint(n.Status, n.Position, n.DueAt == nil, n.FinishedAt == nil, n.SubscriberID, n.WorkflowVersionID, reasons(n), string(n.Lane)))
	}
	for _, m := range b.messages(eventID) {
		lines = append(lines, fmt.Sprint(m.Channel, m.Status, m.StepID, m.Target, m.Content, m.DueAt == nil, m.Attempts, m.Severity, m.Lane))
	}
	return lines
}

// statements counts what goes to Postgres: round trips and, of them, those that commit something.
type statements struct {
	mu             sync.Mutex
	trips, commits int
	seen           []string
}

func (s *statements) note(sql string) {
	lower := strings.ToLower(sql)
	if strings.HasPrefix(sql, "-- ping") {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trips++
	s.seen = append(s.seen, sql)
	alone := strings.HasPrefix(lower, "select 1 / (") || strings.Contains(lower, "for no key update) as locked") // batches that are a transaction
	if strings.HasSuffix(lower, "commit") || alone && !strings.Contains(lower, "begin") {
		s.commits++
	}
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.note(data.SQL)
	return ctx
}
func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	var all []string
	for _, q := range data.Batch.QueuedQueries {
		all = append(all, q.SQL)
	}
	s.note(strings.Join(all, ";\n"))
	return ctx
}
func (s *statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// TestHotPathCeilings holds what one notification costs from its trigger to the end: an in-app message one commit, a call to
// a provider two.
func TestHotPathCeilings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step           workflow.Step
		own            bool // the transactionId is the client's
		trips, commits int
	}{
		"InApp":            {inAppStep("x"), false, 1, 1},
		"OwnTransactionID": {inAppStep("x"), true, 1, 1},
		"Mail":             {emailStep(), true, 3, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := &statements{}
			b := setupOn(t, pgtest.OpenTraced(t, pgtest.NewURL(t), seen))
			b.config.Clock, b.config.WakeInterval = nil, time.Hour
			b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) { return &provider.Receipt{ID: "x"}, nil }
			b.engine = b.newEngine(b.config)
			require.NoError(t, b.engine.SealStoredURLs(b.ctx)) // else the start does, among what is counted
			b.work()
			b.acquainted("u1")
			wf := b.workflow(workflow.Definition{Steps: []workflow.Step{c.step}})
			a := b.accepting(true)
			b.sentMessage(b.offer(a, wf, to("u1"), "")) // plans are made, caches filled
			identifier := b.db.Ent.Workflow.GetX(b.ctx, wf.workflow).Identifier
			fewest, least := 1000, 1000
			form := workflow.GeneratedPrefix
			if c.own {
				form = "order_"
			}
			var of []string
			for n := 0; n < 5 || n < 50 && (fewest > c.trips || least > c.commits); n++ {
				seen.mu.Lock()
				seen.trips, seen.commits, seen.seen = 0, 0, nil
				seen.mu.Unlock()
				_, err := a.Accept(b.ctx, accept.Request{Items: []accept.Acceptance{{
					EnvironmentID: b.scope.EnvironmentID, Kind: event.KindTrigger, Workflow: identifier, TransactionID: form + id.New(time.Now()), Generated: !c.own,
					Payload: []byte(`{}`), Recipients: []byte(`{"direct":[{"subscriberId":"u1"}]}`), Reachable: true,
				}}})
				require.NoError(t, err)
				if c.step.Type != workflow.StepInApp {
					seen.settled(t)
				}
				seen.mu.Lock()
				if seen.trips < fewest {
					fewest, of = seen.trips, seen.seen
				}
				least = min(least, seen.commits)
				seen.mu.Unlock()
			}
			require.Equal(t, []int{c.trips, c.commits}, []int{fewest, least}, strings.Join(of, "\n---\n"))
		})
	}
}

// refusals counts the batches that Postgres refuses.
type refusals struct{ n atomic.Int64 }

func (r *refusals) TraceBatchEnd(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	if data.Err != nil {
		r.n.Add(1)
	}
}

func (*refusals) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (*refusals) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (*refusals) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (*refusals) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData)     {}

// settled waits until the outcome of a call is recorded, and early receipts of it were looked for. Periodic work may have sent
// statements since.
func (s *statements) settled(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.commits >= 2 && slices.ContainsFunc(s.seen, func(sql string) bool { return strings.Contains(sql, "FROM receipts") })
	}, stall.Limit(time.Minute), time.Millisecond)
}

// TestPlannedHeedsItsRecipients: what a subscriber prefers, and that an address is suppressed, counts for events that are
// planned with the definition at hand as well.
func TestPlannedHeedsItsRecipients(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.work()
	b.acquainted("u1", "u2")
	a := b.accepting(true)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	require.Equal(t, workflow.MessageSent, b.sentMessage(b.offer(a, wf, to("u1"), "")).Status)
	require.Equal(t, workflow.MessageSent, b.sentMessage(b.offer(a, wf, to("u1"), "")).Status)
	require.Len(t, b.vendor.messages(), 2)

	b.db.Ent.Suppression.Create().SetChannel(workflow.ChannelEmail).SetAddress("u1@example.com").SetReason(workflow.SuppressionManual).SaveX(b.ctx)
	ev := b.offer(a, wf, to("u1"), "")
	require.Nil(t, b.db.Ent.Event.GetX(b.ctx, ev).DueAt, "it was planned")
	require.Zero(t, b.sentMessage(ev).Attempts)
	require.Equal(t, workflow.MessageError, b.sentMessage(ev).Status)
	who := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID("u2")).OnlyX(b.ctx)
	b.db.Ent.Preference.Create().SetSubscriberID(who.ID).SetWorkflowID(wf.workflow).SetChannels(workflow.ChannelPreferences{Email: new(false)}).SaveX(b.ctx)
	ev = b.offer(a, wf, to("u2"), "")
	require.Nil(t, b.db.Ent.Event.GetX(b.ctx, ev).DueAt, "it was planned")
	require.Equal(t, []workflow.Reason{workflow.ReasonPreference, workflow.ReasonCompleted}, reasons(b.runs(ev)[0]))
	require.Len(t, b.vendor.messages(), 2)
}
