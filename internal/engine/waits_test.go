package engine_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

func TestThrottle(t *testing.T) {
	t.Parallel()
	throttled := func(c workflow.ThrottleControls) []workflow.Step {
		return []workflow.Step{{StepID: "calm", Type: workflow.StepThrottle, Throttle: &c}, inAppStep("{{payload.n}}")}
	}

	t.Run("LetsSoManyThrough", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		wf := b.workflow(workflow.Definition{Critical: true, Steps: throttled(workflow.ThrottleControls{Threshold: new(2), Amount: 1, Unit: workflow.UnitHours})})
		var events []string
		for i, minute := range []float64{0, 10, 20, 59, 60, 61, 62} {
			events = append(events, b.numbered(wf, minute, i+1))
		}
		require.Equal(t, []string{"0 1", "10 2", "60 5", "61 6"}, b.inbox(), "its end belongs to the next window")
		require.Equal(t, workflow.RunSkipped, b.runs(events[2])[0].Status)
		require.Equal(t, []workflow.Reason{workflow.ReasonThrottled, workflow.ReasonThrottled}, reasons(b.runs(events[2])[0]))
		require.Equal(t, []workflow.Reason{workflow.ReasonThrottlePassed, workflow.ReasonSent, workflow.ReasonCompleted}, reasons(b.runs(events[0])[0]))
	})

	t.Run("LosesNoUnit", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: throttled(workflow.ThrottleControls{Threshold: new(17), Amount: 1, Unit: workflow.UnitDays})})
		const events = 120
		ids := make([]string, events)
		for i := range ids {
			ids[i] = b.triggered(wf, to("u1"))
		}
		var working sync.WaitGroup
		for process := range 2 {
			e := b.newEngine(b.config)
			for worker := range 6 {
				working.Go(func() {
					for i := process*6 + worker; i < events; i += 12 {
						assert.NoError(t, e.FanOut(b.ctx, ids[i:min(i+1+i%2, events)]))
					}
				})
			}
		}
		working.Wait()
		b.fanOut(ids...)
		require.Equal(t, 17, b.db.Ent.Message.Query().CountX(b.ctx))
		require.Equal(t, events-17, b.db.Ent.Notification.Query().Where(notification.StatusEQ(workflow.RunSkipped)).CountX(b.ctx))
	})
}

func TestSnoozedMessagesComeBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.virtual(year25)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.n}}")}})
	one := b.numbered(wf, 0, 1)
	b.numbered(wf, 1, 2)
	b.exec(`UPDATE messages SET read = true, seen = true, snoozed_until = '` + year25.Add(30*time.Minute).Format(time.RFC3339) + `' WHERE event_id = '` + one + `'`)
	b.exec(`UPDATE inbox_states SET total = 1, unread = 1, unseen = 1`)
	b.until(29)
	require.NotNil(t, b.messages(one)[0].SnoozedUntil)
	b.until(100)
	m := b.messages(one)[0]
	require.Nil(t, m.SnoozedUntil)
	require.False(t, m.Read || m.Seen)
	require.Equal(t, []string{"1 2", "30 1"}, b.inbox(), "at the top, by its own time also under a long jump")
	require.Len(t, m.DeliveredAt, 2)
	state := b.db.Ent.InboxState.Query().OnlyX(b.ctx)
	require.Equal(t, []int{2, 2, 2}, []int{state.Total, state.Unread, state.Unseen})
	require.Zero(t, b.wake(pgdue.DueSnoozes))
}

// TestManyRunsDueAtOnce, as by digests that all end at nine o'clock: one look takes several batches of them, each run once.
func TestManyRunsDueAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	newest := b.crowd(450)
	wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 15, Unit: workflow.UnitMinutes}}
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{wait, inAppStep("{{subscriber.subscriberId}}")}})
	b.fanOut(b.triggered(wf, nil, func(e *ent.EventCreate) {
		e.SetKind(event.KindBroadcast).SetCheckpoint(map[string]any{"max_subscriber_id": newest})
	}))
	require.Zero(t, b.wake(pgdue.DueNotifications))
	b.clock.add(15 * time.Minute)
	require.Equal(t, 450, b.wake(pgdue.DueNotifications))
	require.Zero(t, b.wake(pgdue.DueNotifications))
	require.Equal(t, 450, b.db.Ent.Notification.Query().Where(notification.StatusEQ(workflow.RunCompleted)).CountX(b.ctx))
	require.Equal(t, 450, b.db.Ent.Message.Query().CountX(b.ctx))
}

func TestDelay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.virtual(year25)
	wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 15, Unit: workflow.UnitMinutes}}
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{wait, inAppStep("{{payload.n}}")}})
	one, two := b.numbered(wf, 0, 1), b.numbered(wf, 5, 2)
	require.Equal(t, []workflow.RunStatus{workflow.RunWaiting, workflow.RunWaiting}, b.statuses(one, two))
	b.until(14.9)
	require.Empty(t, b.inbox())
	b.cancel(two)
	b.until(100)
	require.Equal(t, []string{"15 1"}, b.inbox())
	require.Equal(t, []workflow.Reason{workflow.ReasonWaiting, workflow.ReasonContinued, workflow.ReasonSent, workflow.ReasonCompleted}, reasons(b.runs(one)[0]))
	require.Equal(t, workflow.RunCancelled, b.runs(two)[0].Status)
}
