package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/workflow"
)

// TestPastRecordsGo shows that what is final leaves at the end of its retention, in bounded batches, and nothing else.
func TestPastRecordsGo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.virtual(year25)
	b.subscriber("u1")
	mail := workflow.Step{StepID: "mail", Type: workflow.StepEmail, Email: &workflow.EmailControls{Subject: "x", HTML: "<p>x</p>"}}
	done := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x"), mail}})
	waits := b.workflow(workflow.Definition{Steps: []workflow.Step{digestStep(tenMinutes()), inAppStep("y")}})
	for range 5 {
		b.numbered(done, 0, 1)
	}
	open, joined := b.numbered(waits, 1, 1), b.numbered(waits, 2, 2)
	snoozed := b.numbered(done, 3, 1)
	b.exec(`UPDATE messages SET snoozed_until = '2030-01-01' WHERE event_id = '` + snoozed + `' AND channel = 'in_app'`)
	b.exec(`UPDATE inbox_states SET total = 5, unread = 5, unseen = 5`)
	counts := func() []int {
		c := b.db.Ent
		return []int{
			c.Event.Query().CountX(b.ctx), c.Notification.Query().CountX(b.ctx), c.Message.Query().CountX(b.ctx),
			c.Attempt.Query().CountX(b.ctx), c.Digest.Query().CountX(b.ctx),
		}
	}
	require.Equal(t, []int{8, 8, 12, 6, 1}, counts())
	keep := pgupkeep.Retention{Records: 24 * time.Hour}
	prune := func(at time.Time) int64 {
		n, err := pgupkeep.Prune(b.ctx, b.db, at, keep, 2)
		require.NoError(t, err)
		return n
	}
	// Age is told by ids, which tests that run beside this one may push into the future.
	oldest := b.db.Ent.Event.Query().Order(event.ByID()).FirstX(b.ctx).ID
	require.Zero(t, prune(id.Time(oldest).Add(23*time.Hour)))
	require.Equal(t, []int{8, 8, 12, 6, 1}, counts())
	later := id.Time(id.New(time.Now())).Add(25 * time.Hour)
	require.EqualValues(t, 2, prune(later))
	require.Equal(t, []int{6, 6, 8, 4, 1}, counts())
	require.Equal(t, 2, b.db.Ent.InboxRemoval.Query().CountX(b.ctx), "open inboxes hear of it")
	for prune(later) > 0 { //nolint:revive // until nothing is left to delete
	}
	require.Equal(t, []int{3, 3, 2, 1, 1}, counts())
	state := b.db.Ent.InboxState.Query().OnlyX(b.ctx)
	require.Equal(t, []int{0, 0, 0}, []int{state.Total, state.Unread, state.Unseen})
	require.Equal(t, []workflow.RunStatus{workflow.RunWaiting, workflow.RunMerged, workflow.RunCompleted}, b.statuses(open, joined, snoozed))

	b.until(60)
	require.Contains(t, b.inbox(), "11 y")
	for prune(later.Add(48*time.Hour)) > 0 { //nolint:revive // until nothing is left to delete
	}
	require.Equal(t, []int{1, 1, 2, 1, 0}, counts(), "the snoozed one stays until it has come back")
}
