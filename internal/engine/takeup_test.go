package engine_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// beside is the same installation, seen from another environment of it.
func (b *bundle) beside(identifier string) *bundle {
	b.tb.Helper()
	env := b.db.Ent.Environment.Create().SetName(identifier).SetIdentifier(identifier).SetOrganizationID(b.scope.OrganizationID).SaveX(b.ctx)
	other := *b
	other.scope = viewer.Scope{OrganizationID: b.scope.OrganizationID, EnvironmentID: env.ID}
	other.ctx = viewer.InScope(viewer.SystemContext(b.tb.Context()), other.scope)
	other.inApp = other.integration("svc", workflow.ChannelInApp, false)
	other.email = other.integration("email-webhook", workflow.ChannelEmail, true)
	return &other
}

// left is an event as a process leaves it that died before the event's job was done.
func left(lane event.Lane, ago time.Duration) func(*ent.EventCreate) {
	return func(e *ent.EventCreate) { e.SetLane(lane).SetDueAt(time.Now().Add(-ago)) }
}

// waiting counts the events of all environments that wait for their fan-out, by lane.
func (b *bundle) waiting() map[event.Lane]int {
	b.tb.Helper()
	out := map[event.Lane]int{}
	for _, e := range b.db.Ent.Event.Query().Where(event.DueAtNotNil()).AllX(viewer.SystemContext(b.tb.Context())) {
		out[e.Lane]++
	}
	return out
}

// TestTakeUpIsUrgentFirstAndInBatches finds what a crash of a process left in two environments.
func TestTakeUpIsUrgentFirstAndInBatches(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.beside("other")
	for _, env := range []*bundle{b, other} {
		wf := env.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		for range 120 {
			env.triggered(wf, to("u1"), left(event.LaneNormal, time.Hour))
		}
		for range 3 {
			env.triggered(wf, to("u2"), left(event.LaneUrgent, time.Second))
		}
	}
	require.Equal(t, 6, b.wake(postgres.DueEvents))
	require.Equal(t, map[event.Lane]int{event.LaneNormal: 240}, b.waiting(), "the urgent ones of all environments came first, though they are younger")
	require.Equal(t, 200, b.wake(postgres.DueEvents))
	require.Equal(t, 40, b.wake(postgres.DueEvents))
	require.Zero(t, b.wake(postgres.DueEvents))
	for _, env := range []*bundle{b, other} {
		require.Equal(t, 123, env.db.Ent.Notification.Query().CountX(env.ctx))
		require.Equal(t, 2, env.db.Ent.Subscriber.Query().CountX(env.ctx))
	}
}

// TestProcessesShareTheTakeUp lets two processes take up the same events.
func TestProcessesShareTheTakeUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	for range 450 {
		b.triggered(wf, to("u1", "u2"), left(event.LaneNormal, time.Minute))
	}
	var work sync.WaitGroup
	failures := make([]error, 2)
	for i, process := range []*engine.Engine{b.newEngine(b.config), b.newEngine(b.config)} {
		work.Go(func() {
			for n := 1; n > 0 && failures[i] == nil; {
				n, failures[i] = process.Wake(b.ctx, postgres.DueEvents)
			}
		})
	}
	work.Wait()
	for _, err := range failures {
		require.NoError(t, err)
	}
	for b.wake(postgres.DueEvents) > 0 { // what one of them held when the other looked last
		continue
	}
	require.Empty(t, b.waiting())
	require.Equal(t, 900, b.db.Ent.Notification.Query().CountX(b.ctx))
}

// TestStreamIsTakenUpOnce: while one worker streams an event that was left, the others do not.
func TestStreamIsTakenUpOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscriber("u1")
	b.topic("news", "u1")
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	second, looks := b.newEngine(b.config), 0
	b.config.Live = func(ctx context.Context, _ []engine.InboxChange) {
		looks++
		found, err := second.Wake(ctx, postgres.DueEvents)
		require.NoError(t, err)
		require.Zero(t, found)
	}
	b.engine = b.newEngine(b.config)
	r := to("u2")
	r.Topics = []workflow.TopicRecipient{{TopicKey: "news"}}
	ev := b.triggered(wf, r, left(event.LaneBulk, time.Minute))
	require.Equal(t, 1, b.wake(postgres.DueEvents))
	require.Equal(t, 2, looks, "the direct recipients and the topic's")
	require.Equal(t, []string{"u1", "u2"}, b.reached(ev))
	require.Empty(t, b.waiting())
}

// TestPoisonedEventIsTakenUpAlone: an event that cannot be fanned out costs its neighbours nothing but time.
func TestPoisonedEventIsTakenUpAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	bad := b.triggered(published{wf.workflow, "000000000000000000000000"}, to("u2"), left(event.LaneNormal, time.Hour))
	unreadable := b.triggered(wf, to("u3"), left(event.LaneNormal, time.Hour), func(e *ent.EventCreate) {
		e.SetRecipients(map[string]any{"direct": "nobody"})
	})
	good := b.triggered(wf, to("u1"), left(event.LaneNormal, time.Minute))
	require.Equal(t, 3, b.wake(postgres.DueEvents))
	require.Len(t, b.messages(good), 1)
	for _, failed := range []string{bad, unreadable} {
		stored := b.db.Ent.Event.GetX(b.ctx, failed)
		require.Equal(t, 1, stored.Failures)
		require.WithinRange(t, *stored.DueAt, time.Now().Add(-time.Minute), time.Now().Add(time.Minute))
	}
}
