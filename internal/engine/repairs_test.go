package engine_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/messageretry"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

func (b *bundle) pause(kind workflow.PauseKind, target string) *ent.Pause {
	b.tb.Helper()
	return b.db.Ent.Pause.Create().SetKind(kind).SetTarget(target).SaveX(b.ctx)
}

// resume ends a pause and gives everything back that it holds, a batch at a time; it returns the batches.
func (b *bundle) resume(p *ent.Pause, perSecond int) (batches int) {
	b.tb.Helper()
	p.Update().SetResumedAt(time.Now()).SetPerSecond(perSecond).SetDueAt(time.Now()).ExecX(b.ctx)
	for b.wake(pgdue.DuePauses) > 0 {
		batches++
		b.db.Ent.Pause.Update().Where().SetDueAt(time.Now()).ExecX(b.ctx)
		if held, err := pgdue.HeldBy(b.ctx, b.db.Pool, []string{p.ID}, 10); err != nil || held[p.ID] == 0 {
			require.NoError(b.tb, err)
			b.db.Ent.Pause.Update().ClearDueAt().ExecX(b.ctx)
		}
	}
	return batches
}

// TestPausedMessages: what a pause of each kind holds is held, whoever looks for it, and is sent after its end.
func TestPausedMessages(t *testing.T) {
	t.Parallel()
	for _, kind := range []workflow.PauseKind{
		workflow.PauseEnvironment, workflow.PauseWorkflow, workflow.PauseBroadcast, workflow.PauseSubscriber, workflow.PauseIntegration, workflow.PauseChannel,
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			ev := b.mailed()
			m := b.messages(ev)[0]
			target := map[workflow.PauseKind]string{
				workflow.PauseWorkflow: m.WorkflowID, workflow.PauseBroadcast: ev, workflow.PauseSubscriber: m.SubscriberID,
				workflow.PauseIntegration: b.email, workflow.PauseChannel: "email",
			}[kind]
			p := b.pause(kind, target)
			b.wake(pgdue.DueMessages)
			require.Empty(t, b.vendor.messages())
			held := b.db.Ent.Message.GetX(b.ctx, m.ID)
			require.Equal(t, p.ID, *held.HeldBy)
			require.True(t, pgdue.IsHeld(held.DueAt))
			require.Zero(t, b.wake(pgdue.DueMessages), "it is not found due")
			require.Equal(t, 1, b.resume(p, 10))
			released := b.db.Ent.Message.GetX(b.ctx, m.ID)
			require.Nil(t, released.HeldBy)
			require.True(t, m.DueAt.Equal(*released.DueAt), "its due time is that of before")
			require.Contains(t, released.Envelope, "again", "tries do not count the pause")
			b.wake(pgdue.DueMessages)
			require.Len(t, b.vendor.messages(), 1)
			require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
		})
	}
}

// TestDeadlinesUnderAPause: the deadline of a step does not count a pause, the instant that an event names stays what it is.
func TestDeadlinesUnderAPause(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscriber("u1")
	step := emailStep()
	step.DeadlineSeconds = 600
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{step}})
	named := time.Now().Add(5 * time.Minute).UTC().Truncate(time.Second)
	var messages []*ent.Message
	for _, overrides := range []map[string]any{nil, {"deadline": named.Format(time.RFC3339)}} {
		ev := b.triggered(wf, to("u1"), func(c *ent.EventCreate) { c.SetOverrides(overrides) })
		b.fanOut(ev)
		messages = append(messages, b.messages(ev)[0])
	}
	p := b.pause(workflow.PauseEnvironment, "")
	b.wake(pgdue.DueMessages)
	for _, m := range messages {
		held := b.db.Ent.Message.GetX(b.ctx, m.ID)
		held.Update().SetDueAt(held.DueAt.Add(-time.Hour)).ExecX(b.ctx)
	}
	b.resume(p, 10)
	require.WithinDuration(t, messages[0].DeadlineAt.Add(time.Hour), *b.db.Ent.Message.GetX(b.ctx, messages[0].ID).DeadlineAt, time.Minute)
	require.True(t, named.Equal(*b.db.Ent.Message.GetX(b.ctx, messages[1].ID).DeadlineAt))
}

// TestPauseOfAnother: what a pause does not name continues.
func TestPauseOfAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for kind, target := range map[workflow.PauseKind]string{
		workflow.PauseWorkflow: "w", workflow.PauseBroadcast: "e", workflow.PauseSubscriber: "s", workflow.PauseIntegration: b.inApp, workflow.PauseChannel: "sms",
	} {
		b.pause(kind, target)
	}
	b.mailed()
	b.wake(pgdue.DueMessages)
	require.Len(t, b.vendor.messages(), 1)
}

// TestPausedEventsAndRuns: an event that is accepted under a pause, and a run whose wait ends under it, wait for its end.
func TestPausedEventsAndRuns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscriber("u1")
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{
		{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}},
		inAppStep("x"),
	}})
	waiting := b.triggered(wf, to("u1"))
	b.fanOut(waiting)
	p := b.pause(workflow.PauseWorkflow, wf.workflow)
	accepted := b.triggered(wf, to("u1"))
	b.fanOut(accepted)
	require.Empty(t, b.runs(accepted), "its recipients are found after the pause")
	require.Equal(t, p.ID, *b.db.Ent.Event.GetX(b.ctx, accepted).HeldBy)
	b.clock.add(2 * time.Hour)
	b.wake(pgdue.DueNotifications)
	require.Equal(t, p.ID, *b.runs(waiting)[0].HeldBy)
	require.Empty(t, b.messages(waiting))
	require.Zero(t, b.wake(pgdue.DueNotifications))
	require.Equal(t, 2, b.resume(p, 1), "a batch has what is permitted per second")
	b.wake(pgdue.DueNotifications)
	require.Len(t, b.messages(waiting), 1)
	b.wake(pgdue.DueEvents)
	require.Len(t, b.runs(accepted), 1)
	require.Equal(t, event.StatusFannedOut, b.db.Ent.Event.GetX(b.ctx, accepted).Status)
}

// TestPausedSubscriber: the others of an event are notified, whichever way it comes to its recipients, and who is paused after the pause.
func TestPausedSubscriber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.acquainted("u1", "u2")
	loud, err := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID("u1")).Only(b.ctx)
	require.NoError(t, err)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{
		inAppStep("first"),
		{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}},
		{StepID: "again", Type: workflow.StepInApp, InApp: &workflow.InAppControls{Body: "second"}},
	}})
	waiting := b.triggered(wf, to("u1", "u2"))
	b.fanOut(waiting)
	require.Len(t, b.messages(waiting), 2)
	p := b.pause(workflow.PauseSubscriber, loud.ID)
	n := b.news(b.accepting(true))
	named, planned, broadcast := b.triggered(wf, to("u1", "u2")), n.trigger("u1", "u2"), n.broadcast()
	b.fanOut(named, planned)
	b.fanOut(broadcast)
	b.clock.add(2 * time.Hour)
	for b.wake(pgdue.DueNotifications) > 0 { //nolint:revive // until nothing is due
	}
	messages := func(ev string) (of map[bool]int) {
		of = map[bool]int{}
		for _, m := range b.messages(ev) {
			of[m.SubscriberID == loud.ID]++
		}
		return of
	}
	require.Equal(t, map[bool]int{true: 1, false: 2}, messages(waiting), "its second step waits for the end of the pause")
	require.Equal(t, map[bool]int{false: 2}, messages(named))
	require.Equal(t, map[bool]int{false: 1}, messages(planned))
	require.Equal(t, map[bool]int{false: 1}, messages(broadcast))
	for _, ev := range []string{waiting, named, broadcast, planned} {
		require.Equal(t, event.StatusFannedOut, b.db.Ent.Event.GetX(b.ctx, ev).Status)
		for _, r := range b.runs(ev) {
			require.Equal(t, r.SubscriberID == loud.ID, pgdue.IsHeld(r.DueAt))
			require.Equal(t, r.SubscriberID == loud.ID, r.HeldBy != nil && *r.HeldBy == p.ID)
		}
	}

	b.resume(p, 10)
	for range 3 {
		b.wake(pgdue.DueNotifications)
		b.clock.add(2 * time.Hour)
	}
	require.Equal(t, []map[bool]int{{true: 2, false: 2}, {true: 2, false: 2}, {true: 1, false: 1}, {true: 1, false: 1}},
		[]map[bool]int{messages(waiting), messages(named), messages(planned), messages(broadcast)})
}

// TestPauseDuringAnHTTPStep: the answer to a request that was under way is kept, and the steps behind it wait for the pause's end.
func TestPauseDuringAnHTTPStep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withHTTPSteps()
	var wf published
	var p *ent.Pause
	address := listen(t, func(_ int, w http.ResponseWriter) {
		p = b.pause(workflow.PauseWorkflow, wf.workflow)
		_, _ = w.Write([]byte(`{"plan": "gold"}`))
	})
	wf = b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL), inAppStep("you have {{steps.ask.response.plan}}")}})
	ev := b.triggered(wf, to("u1"))
	b.fanOut(ev)
	require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
	require.Empty(t, b.messages(ev))
	b.wake(pgdue.DueNotifications)
	require.Equal(t, p.ID, *b.runs(ev)[0].HeldBy)
	require.Empty(t, b.messages(ev))
	b.resume(p, 10)
	b.wake(pgdue.DueNotifications)
	require.Equal(t, "you have gold", b.messages(ev)[0].Content.Text)
	require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
	require.Len(t, address.bodies, 1, "the request is sent once")
}

// TestResumedPauseHoldsNothing: who has read that a pause lasts, and comes when it has ended, leaves rows due.
func TestResumedPauseHoldsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ev := b.mailed()
	m := b.messages(ev)[0]
	p := b.pause(workflow.PauseEnvironment, "")
	p.Update().SetResumedAt(time.Now()).ExecX(b.ctx)
	err := b.db.Tx(b.ctx, func(ctx context.Context, tx *postgres.Tx) error {
		return pgdue.Hold(ctx, tx.Pgx, pgdue.DueMessages, pgdue.Held{IDs: []string{m.ID}, Pauses: []string{p.ID}})
	})
	require.NoError(t, err)
	require.Equal(t, m.DueAt, b.db.Ent.Message.GetX(b.ctx, m.ID).DueAt)
}

// TestHeldIsCancelled: what a pause holds can be cancelled.
func TestHeldIsCancelled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ev := b.mailed()
	p := b.pause(workflow.PauseChannel, "email")
	b.wake(pgdue.DueMessages)
	require.Len(t, b.cancel(ev), 1)
	require.Empty(t, b.messages(ev))
	b.resume(p, 10)
	b.wake(pgdue.DueMessages)
	require.Empty(t, b.vendor.messages())
}

// TestRetryOfFailedMessages: a retry comes to every message that had failed when it began, batch by batch, and to no other.
func TestRetryOfFailedMessages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.vendor.answer = fails(&provider.Error{Class: provider.Permanent, Status: 400, Text: "no"}, 99)
	b.subscriber("u1")
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	mailed := func() string {
		ev := b.triggered(wf, to("u1"))
		b.fanOut(ev)
		return ev
	}
	events := []string{mailed(), mailed(), mailed()}
	b.wake(pgdue.DueMessages)
	last := ""
	for _, ev := range events {
		m := b.messages(ev)[0]
		require.Equal(t, workflow.MessageError, m.Status)
		last = max(last, m.ID)
	}
	b.vendor.answer = nil
	sent := mailed()
	b.wake(pgdue.DueMessages)
	require.Equal(t, workflow.MessageSent, b.messages(sent)[0].Status)
	r := b.db.Ent.MessageRetry.Create().SetFilter(workflow.FailedMessages{Channel: workflow.ChannelEmail}).SetPerSecond(2).SetUpTo(last).SetDueAt(time.Now()).SaveX(b.ctx)
	require.Equal(t, 1, b.wake(pgdue.DueRetries))
	now := b.db.Ent.MessageRetry.GetX(b.ctx, r.ID)
	require.Equal(t, []any{2, messageretry.StatusRunning}, []any{now.Retried, now.Status})
	require.Zero(t, b.wake(pgdue.DueRetries), "the next batch is due a second later")
	now.Update().SetDueAt(time.Now()).ExecX(b.ctx)
	require.Equal(t, 1, b.wake(pgdue.DueRetries))
	now = b.db.Ent.MessageRetry.GetX(b.ctx, r.ID)
	require.Equal(t, []any{3, messageretry.StatusCompleted}, []any{now.Retried, now.Status})
	require.Nil(t, now.DueAt)
	b.wake(pgdue.DueMessages)
	for _, ev := range events {
		m := b.messages(ev)[0]
		require.Equal(t, workflow.MessageSent, m.Status)
		require.Equal(t, 2, m.Attempts, "attempts count on")
		require.Contains(t, reasons(b.runs(ev)[0]), workflow.ReasonResent)
	}
	require.Len(t, b.vendor.messages(), 7, "three failed, four were sent: none twice")
}

// TestRetryOfUnknownOutcomes: a message that a provider may have taken is retried with many others only when it is asked for, and
// through another integration only where a duplicate is permitted.
func TestRetryOfUnknownOutcomes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.vendor.answer = fails(&provider.Error{Class: provider.Unknown, Text: "no answer"}, 99)
	ev := b.mailed(func(s *workflow.Step) { s.UnknownOutcome = workflow.UnknownStop })
	b.wake(pgdue.DueMessages)
	m := b.messages(ev)[0]
	require.Equal(t, "outcome_unknown", *m.ErrorID)
	retry := func(f workflow.FailedMessages, through string) []int {
		chosen, would, err := pgrepair.CountFailed(b.ctx, b.db.Pool, b.scope.EnvironmentID, &f, through != "", 10)
		require.NoError(t, err)
		r := b.db.Ent.MessageRetry.Create().SetFilter(f).SetPerSecond(2).SetUpTo(m.ID).SetDueAt(time.Now())
		if through != "" {
			r.SetIntegrationID(through)
		}
		stored := r.SaveX(b.ctx)
		b.wake(pgdue.DueRetries)
		now := b.db.Ent.MessageRetry.GetX(b.ctx, stored.ID)
		require.Equal(t, []int{chosen, would}, []int{now.Retried + now.Refused, now.Retried}, "what was said before is what is done")
		return []int{now.Retried, now.Refused}
	}
	require.Equal(t, []int{0, 1}, retry(workflow.FailedMessages{}, ""))
	m.Update().SetErrorID("attempts_exhausted").SetEnvelope(map[string]any{"uncertain": true}).ExecX(b.ctx)
	require.Equal(t, []int{0, 1}, retry(workflow.FailedMessages{}, b.email), "an attempt before the last may have arrived")
	m.Update().SetErrorID("outcome_unknown").ExecX(b.ctx)
	require.Equal(t, []int{1, 0}, retry(workflow.FailedMessages{ErrorID: "outcome_unknown"}, ""))
}

// TestCopiedMessage: a message that a provider has accepted is sent again as another one, whose key is its own.
func TestCopiedMessage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ev := b.mailed()
	b.wake(pgdue.DueMessages)
	original := b.messages(ev)[0]
	for range 2 {
		err := b.db.Tx(b.ctx, func(ctx context.Context, tx *postgres.Tx) error {
			retried, err := pgrepair.RetryMessages(ctx, tx.Pgx, b.scope, []string{original.ID}, pgrepair.Integration{}, b.clock.Now(""))
			require.Empty(t, retried, "it was accepted")
			require.NoError(t, err)
			return pgrepair.CopyMessage(ctx, tx.Pgx, b.scope, id.New(time.Now()), original.ID, pgrepair.Integration{}, b.clock.Now(""))
		})
		require.NoError(t, err)
	}
	b.wake(pgdue.DueMessages)
	messages := b.messages(ev)
	require.Len(t, messages, 3)
	for i, m := range messages[1:] {
		require.Equal(t, original.ID, *m.ResendOf)
		require.Equal(t, original.Target+[]string{"#2", "#3"}[i], m.Target)
		require.Equal(t, workflow.MessageSent, m.Status)
		require.Equal(t, original.Content, m.Content)
	}
	require.Len(t, b.vendor.messages(), 3)
	require.NotEqual(t, b.vendor.messages()[0].ID, b.vendor.messages()[1].ID, "so that the provider takes it")
}

// TestReleasedDigest: a window that is closed by hand continues with what it has collected, once.
func TestReleasedDigest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.virtual(year25)
	b.subscriber("u1")
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{digestStep(tenMinutes()), inAppStep(digested)}})
	one := b.numbered(wf, 0, 1)
	b.numbered(wf, 2, 2)
	window := b.db.Ent.Digest.Query().OnlyX(b.ctx)
	b.until(3)
	err := b.db.Tx(b.ctx, func(ctx context.Context, tx *postgres.Tx) error {
		return pgrepair.ReleaseWindow(ctx, tx.Pgx, b.scope, window.ID, year25.Add(3*time.Minute))
	})
	require.NoError(t, err)
	b.settle()
	require.Equal(t, []string{"3 2: 1 2 of 1"}, b.inbox())
	require.Contains(t, reasons(b.runs(one)[0]), workflow.ReasonReleased)
	b.until(100)
	require.Len(t, b.inbox(), 1)
}

// TestReplayedRun: a replay runs the steps from the named one on, and sees what the digests before it collected.
func TestReplayedRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.virtual(year25)
	b.subscriber("u1")
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{
		{StepID: "each", Type: workflow.StepInApp, InApp: &workflow.InAppControls{Body: "{{payload.n}}"}}, digestStep(tenMinutes()), inAppStep(digested),
	}})
	one := b.numbered(wf, 0, 1)
	b.numbered(wf, 2, 2)
	b.until(20)
	require.Len(t, b.inbox(), 3)
	of := b.runs(one)[0]
	replay := &pgrepair.Replay{
		Of: of.ID, EventID: id.New(time.Now()), NotificationID: id.New(time.Now()), ClaimID: id.New(time.Now()), TransactionID: "again",
		VersionID: of.WorkflowVersionID, Position: 2, At: year25.Add(20 * time.Minute),
	}
	err := b.db.Tx(b.ctx, func(ctx context.Context, tx *postgres.Tx) error {
		windows, err := pgrepair.Windows(ctx, tx.Pgx, b.scope, of.ID)
		require.NoError(t, err)
		require.Len(t, windows, 1)
		replay.State, err = json.Marshal(map[string]any{"digest": windows[0]})
		require.NoError(t, err)
		return pgrepair.StartReplay(ctx, tx.Pgx, b.scope, replay)
	})
	require.NoError(t, err)
	b.settle()
	require.Equal(t, []string{"0 1", "2 2", "10 2: 1 2 of 1", "20 2: 1 2 of 1"}, b.inbox(), "the steps before it are not run again")
	require.Equal(t, []workflow.RunStatus{workflow.RunCompleted}, b.statuses(replay.EventID))
	require.Equal(t, event.StatusFannedOut, b.db.Ent.Event.GetX(b.ctx, replay.EventID).Status)
	b.until(100)
	require.Len(t, b.inbox(), 4)
}

// TestCancelledIsNotRetried: what was cancelled after a failed attempt, and what was recalled, gets no further attempts.
func TestCancelledIsNotRetried(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.vendor.answer = fails(&provider.Error{Class: provider.Transient, Status: 503, Text: "later"}, 99)
	ev := b.mailed()
	b.wake(pgdue.DueMessages)
	m := b.messages(ev)[0]
	require.Equal(t, workflow.MessagePending, m.Status)
	b.cancel(ev)
	b.vendor.answer = fails(&provider.Error{Class: provider.Permanent, Status: 400, Text: "no"}, 1)
	failed := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), to("u1"))
	b.fanOut(failed)
	b.wake(pgdue.DueMessages)
	lost := b.messages(failed)[0]
	require.Equal(t, []workflow.MessageStatus{workflow.MessageError, workflow.MessageError}, []workflow.MessageStatus{b.messages(ev)[0].Status, lost.Status})
	err := b.db.Tx(b.ctx, func(ctx context.Context, tx *postgres.Tx) error {
		require.NoError(t, pgrepair.Forget(ctx, tx.Pgx, b.scope, []string{lost.NotificationID}))
		retried, err := pgrepair.RetryMessages(ctx, tx.Pgx, b.scope, []string{m.ID, lost.ID}, pgrepair.Integration{}, b.clock.Now(""))
		require.Empty(t, retried)
		return err
	})
	require.NoError(t, err)
	require.Len(t, b.vendor.messages(), 2)
}
