package engine_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgdue"
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

// takenUp wakes once and returns how many events no longer wait afterwards.
func (b *bundle) takenUp() (n int) {
	b.tb.Helper()
	for _, before := range b.waiting() {
		n += before
	}
	require.Positive(b.tb, b.wake(pgdue.DueEvents))
	for _, after := range b.waiting() {
		n -= after
	}
	return n
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
	require.Equal(t, 6, b.takenUp())
	require.Equal(t, map[event.Lane]int{event.LaneNormal: 240}, b.waiting(), "the urgent ones of all environments came first, though they are younger")
	require.Equal(t, 200, b.takenUp())
	require.Equal(t, 40, b.takenUp())
	require.Empty(t, b.waiting())
	require.Zero(t, b.wake(pgdue.DueEvents))
	for _, env := range []*bundle{b, other} {
		require.Equal(t, 123, env.db.Ent.Notification.Query().CountX(env.ctx))
		require.Equal(t, 2, env.db.Ent.Subscriber.Query().CountX(env.ctx))
	}
}

// TestSmallAudiencesAreTakenUpTogether: events for topics that have few subscriptions share transactions, those for large
// ones do not.
func TestSmallAudiencesAreTakenUpTogether(t *testing.T) {
	t.Parallel()
	b := paged(t, 50) // ten are small
	var all []string
	for i := range 11 {
		all = append(all, fmt.Sprintf("s%02d", i))
		b.subscriber(all[i])
	}
	b.topic("small", all[:10]...)
	b.topic("large", all...)
	other := b.beside("other")
	other.subscriber("s00")
	other.topic("small", "s00")
	toTopic := func(key string) *workflow.Recipients {
		return &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: key}}}
	}
	mine, theirs := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}}), other.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	var small, foreign []string
	for range 90 {
		small = append(small, b.triggered(mine, toTopic("small"), left(event.LaneBulk, time.Minute)))
		foreign = append(foreign, other.triggered(theirs, toTopic("small"), left(event.LaneBulk, time.Minute)))
	}
	var large []string
	for range 6 {
		large = append(large, b.triggered(mine, toTopic("large"), left(event.LaneBulk, time.Hour)))
	}
	var transactions atomic.Int32
	b.config.Live = func(context.Context, []state.InboxChange) { transactions.Add(1) }
	b.engine = b.newEngine(b.config)
	require.Equal(t, 184, b.takenUp())
	require.Equal(t, map[event.Lane]int{event.LaneBulk: 2}, b.waiting(), "four of the large ones were streamed")
	require.EqualValues(t, 5, transactions.Load(), "one for all small ones")
	require.Equal(t, 2, b.takenUp())
	require.Empty(t, b.waiting())
	for _, ev := range small {
		require.Len(t, b.runs(ev), 10)
		require.Equal(t, 10, b.db.Ent.Event.GetX(b.ctx, ev).Notified)
	}
	for _, ev := range foreign {
		require.Len(t, other.runs(ev), 1)
	}
	for _, ev := range large {
		require.Equal(t, all, b.reached(ev))
	}
}

// TestOverdueMessagesAreSentUrgentFirst finds more messages than one look takes.
func TestOverdueMessagesAreSentUrgentFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscriber("u1")
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	numbered := func(n int) func(*ent.EventCreate) {
		return func(e *ent.EventCreate) { e.SetPayload(map[string]any{"text": fmt.Sprint(n)}) }
	}
	var events []string
	for n := range 60 {
		events = append(events, b.triggered(wf, to("u1"), numbered(n)))
	}
	urgent := b.triggered(wf, to("u1"), numbered(99), left(event.LaneUrgent, 0))
	b.fanOut(append(events, urgent)...)
	for n, ev := range events { // the older ones are those written last
		b.exec(`UPDATE messages SET due_at = $2 WHERE event_id = $1`, ev, b.clock.Now("").Add(-time.Hour-time.Duration(n)*time.Second))
	}
	sent := func() (texts map[string]bool) {
		texts = map[string]bool{}
		for _, m := range b.vendor.messages() {
			texts[m.Content.HTML] = true
		}
		return texts
	}
	require.Equal(t, 1, b.wake(pgdue.DueMessages))
	require.Equal(t, map[string]bool{"<p>99</p>": true}, sent())
	require.Equal(t, 50, b.wake(pgdue.DueMessages))
	for n := range 60 {
		require.Equal(t, n >= 10, sent()[fmt.Sprintf("<p>%d</p>", n)], "the oldest fifty: %d", n)
	}
	require.Equal(t, 10, b.wake(pgdue.DueMessages))
	require.Zero(t, b.wake(pgdue.DueMessages))
}

// TestOverdueRunsGoOnUrgentFirst wakes more runs than one batch has.
func TestOverdueRunsGoOnUrgentFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}}
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{wait, inAppStep("x")}})
	many := make([]string, 250)
	for i := range many {
		many[i] = fmt.Sprintf("s%03d", i)
	}
	b.fanOut(b.triggered(wf, to(many...)))
	b.clock.add(time.Minute)
	urgent := b.triggered(wf, to("u1", "u2"), left(event.LaneUrgent, 0))
	b.fanOut(urgent)
	b.clock.add(2 * time.Hour)
	require.Equal(t, 2, b.wake(pgdue.DueNotifications))
	require.Equal(t, []string{"u1", "u2"}, b.reached(urgent))
	require.Equal(t, 250, b.wake(pgdue.DueNotifications))
	require.Zero(t, b.wake(pgdue.DueNotifications))
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
				n, failures[i] = process.Wake(b.ctx, pgdue.DueEvents)
			}
		})
	}
	work.Wait()
	for _, err := range failures {
		require.NoError(t, err)
	}
	for b.wake(pgdue.DueEvents) > 0 { // what one of them held when the other looked last
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
	b.config.PageSize = 1 // so that even the smallest topic is streamed
	second, looks := b.newEngine(b.config), 0
	b.config.Live = func(ctx context.Context, _ []state.InboxChange) {
		looks++
		found, err := second.Wake(ctx, pgdue.DueEvents)
		require.NoError(t, err)
		require.Zero(t, found)
	}
	b.engine = b.newEngine(b.config)
	r := to("u2")
	r.Topics = []workflow.TopicRecipient{{TopicKey: "news"}}
	ev := b.triggered(wf, r, left(event.LaneBulk, time.Minute))
	require.Equal(t, 1, b.wake(pgdue.DueEvents))
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
	require.Positive(t, b.wake(pgdue.DueEvents))
	require.Len(t, b.messages(good), 1)
	for _, failed := range []string{bad, unreadable} {
		stored := b.db.Ent.Event.GetX(b.ctx, failed)
		require.Equal(t, 1, stored.Failures)
		require.WithinRange(t, *stored.DueAt, time.Now().Add(-time.Minute), time.Now().Add(time.Minute))
	}
}
