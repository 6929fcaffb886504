package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// stuckInbox locks the inbox of a subscriber as a transaction of a process that was frozen does.
func (b *bundle) stuckInbox(subscriberID string) (release func()) {
	b.tb.Helper()
	other, err := b.db.Pool.Begin(b.ctx)
	require.NoError(b.tb, err)
	release = func() { _ = other.Rollback(context.WithoutCancel(b.ctx)) }
	b.tb.Cleanup(release)
	tag, err := other.Exec(b.ctx, `SELECT FROM inbox_states i JOIN subscribers s ON s.id = i.subscriber_id WHERE s.subscriber_id = $1 FOR UPDATE OF i`, subscriberID)
	require.NoError(b.tb, err)
	require.EqualValues(b.tb, 1, tag.RowsAffected())
	return release
}

// besideStuck runs what must end although a transaction is stuck; otherwise the transaction is released, so that the test ends.
func (b *bundle) besideStuck(release func(), work func()) {
	b.tb.Helper()
	late := time.AfterFunc(stall.Limit(20*time.Second), release)
	work()
	require.True(b.tb, late.Stop(), "it waited for the stuck transaction")
}

// TestRunsBesideALockedRow: a transaction that is stuck holds up the runs that need what it has locked, and no others. They continue
// when it has ended, and what they waited is no failure of theirs.
func TestRunsBesideALockedRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.acquainted("stuck", "free")
	a := b.accepting(true)
	greeted := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	b.offer(a, greeted, to("stuck", "free"), "") // their inboxes are there
	wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}}
	ev := b.offer(a, b.workflow(workflow.Definition{Steps: []workflow.Step{wait, inAppStep("y")}}), to("stuck", "free"), "")
	due := `UPDATE notifications SET due_at = now() WHERE due_at IS NOT NULL`
	b.exec(due)
	release := b.stuckInbox("stuck")
	b.besideStuck(release, func() { b.wake(pgdue.DueNotifications) })
	require.Equal(t, []string{"free"}, b.reached(ev))
	for _, r := range b.runs(ev) {
		require.Zero(t, r.Failures)
		require.True(t, r.DueAt == nil || r.DueAt.After(time.Now()), "it is put off, so that it does not hold the others up at each look")
	}
	release()
	b.exec(due)
	b.wake(pgdue.DueNotifications)
	require.ElementsMatch(t, []string{"free", "stuck"}, b.reached(ev))
}

// TestFanOutBesideALockedRow is the same of events that another process has left.
func TestFanOutBesideALockedRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.acquainted("stuck", "free")
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	b.offer(b.accepting(true), wf, to("stuck", "free"), "")
	release := b.stuckInbox("stuck")
	first, second := b.triggered(wf, to("stuck"), left(event.LaneNormal, time.Hour)), b.triggered(wf, to("free"), left(event.LaneNormal, time.Minute))
	b.besideStuck(release, func() { b.wake(pgdue.DueEvents) })
	require.Equal(t, []string{"free"}, b.reached(second))
	require.Empty(t, b.reached(first))
	put := b.db.Ent.Event.GetX(b.ctx, first)
	require.Zero(t, put.Failures)
	require.True(t, put.DueAt.After(time.Now()))
	release()
	b.fanOut(first)
	require.Equal(t, []string{"stuck"}, b.reached(first))
}

// TestStreamBesideALockedRow: a page of a broadcast gives up before the lease of its event ends, since another worker would take the event
// up then and wait as well.
func TestStreamBesideALockedRow(t *testing.T) {
	t.Parallel()
	b := paged(t, 2)
	b.config.Lease = 4 * time.Second
	b.onRealTime()
	b.acquainted("free", "stuck", "third")
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	b.offer(b.accepting(true), wf, to("free", "stuck", "third"), "")
	release := b.stuckInbox("stuck")
	newest := b.db.Ent.Subscriber.Query().Order(ent.Desc(subscriber.FieldID)).FirstIDX(b.ctx)
	ev := b.triggered(wf, nil, left(event.LaneNormal, time.Hour), func(e *ent.EventCreate) {
		e.SetKind(event.KindBroadcast).SetCheckpoint(map[string]any{"max_subscriber_id": newest})
	})
	b.besideStuck(release, func() { b.wake(pgdue.DueEvents) })
	require.NotContains(t, b.reached(ev), "stuck")
	put := b.db.Ent.Event.GetX(b.ctx, ev)
	require.Zero(t, put.Failures)
	require.Less(t, time.Until(*put.DueAt), b.config.Lease)
	release()
	b.fanOut(ev)
	require.Equal(t, []string{"free", "stuck", "third"}, b.reached(ev))
}

// TestSnoozesBesideALockedRow: messages of other inboxes come back.
func TestSnoozesBesideALockedRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.acquainted("stuck", "free")
	b.offer(b.accepting(true), b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}}), to("stuck", "free"), "")
	b.exec(`UPDATE messages SET snoozed_until = now()`)
	snoozed := func() (who []string) {
		for _, m := range b.db.Ent.Message.Query().Where(message.SnoozedUntilNotNil()).AllX(b.ctx) {
			who = append(who, b.db.Ent.Subscriber.GetX(b.ctx, m.SubscriberID).SubscriberID)
		}
		return who
	}
	release := b.stuckInbox("stuck")
	b.besideStuck(release, func() { b.wake(pgdue.DueSnoozes) })
	require.Equal(t, []string{"stuck"}, snoozed())
	release()
	b.wake(pgdue.DueSnoozes)
	require.Empty(t, snoozed())
}
