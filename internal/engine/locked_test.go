package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
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
