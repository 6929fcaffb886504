package engine_test

import (
	"context"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// work sets the engine to work, as a process does.
func (b *bundle) work() {
	b.tb.Helper()
	require.NoError(b.tb, b.engine.Start(b.ctx))
	b.tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), stall.Limit(2*time.Minute))
		defer cancel()
		require.NoError(b.tb, b.engine.Stop(ctx))
		require.NoError(b.tb, b.engine.Stop(ctx), "may be called twice")
	})
}

func await[T any](tb testing.TB, c <-chan T) (v T) {
	tb.Helper()
	select {
	case v = <-c:
	case <-time.After(stall.Limit(2 * time.Minute)):
		require.FailNow(tb, "nothing came")
	}
	return v
}

func TestHandedOverOrDue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stored, sent := make(chan state.InboxChange, 10), make(chan string, 10)
	b.config.Live = func(_ context.Context, changes []state.InboxChange) {
		for _, c := range changes {
			stored <- c
		}
	}
	b.config.Clock = nil
	b.vendor.answer = func(m *provider.Message) (*provider.Receipt, error) {
		sent <- m.ID
		return &provider.Receipt{ID: "x"}, nil
	}
	b.engine = b.newEngine(b.config)
	b.work()
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x"), emailStep()}})
	b.subscriber("u1")

	ev := b.triggered(wf, to("u1"))
	b.config.Queue.Events.Put(event.LaneNormal, b.scope.EnvironmentID, ev)
	change := await(t, stored)
	require.Equal(t, b.scope, change.Scope)
	require.Equal(t, int64(1), change.Sequence)
	await(t, sent)

	b.triggered(wf, to("u1")) // it was not handed over: the waker looks after it
	await(t, stored)
	await(t, sent)
}

// TestBroadcastsLeaveWorkersToOthers: while an environment's broadcasts take long, another's event to a topic does not wait for their end.
func TestBroadcastsLeaveWorkersToOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.beside("other")
	begun, finish, reached := make(chan struct{}, 100), make(chan struct{}), make(chan state.InboxChange, 1)
	b.config.Live = func(_ context.Context, changes []state.InboxChange) {
		if changes[0].Scope == other.scope {
			reached <- changes[0]
			return
		}
		begun <- struct{}{}
		<-finish
	}
	b.config.Clock, b.config.PageSize = nil, 20
	b.engine = b.newEngine(b.config)
	b.work()
	defer close(finish)
	newest := b.crowd(100)
	other.subscriber("u")
	other.topic("t", "u")
	inBulk := func(e *ent.EventCreate) { e.SetLane(event.LaneBulk).SetDueAt(time.Now().Add(time.Hour)) } // handed over alone
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	for range 2 {
		ev := b.triggered(wf, nil, inBulk, func(e *ent.EventCreate) {
			e.SetKind(event.KindBroadcast).SetCheckpoint(map[string]any{"max_subscriber_id": newest})
		})
		b.config.Queue.Events.Put(event.LaneBulk, b.scope.EnvironmentID, ev)
	}
	await(t, begun)
	await(t, begun)
	ev := other.triggered(other.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}}),
		&workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "t"}}}, inBulk)
	b.config.Queue.Events.Put(event.LaneBulk, other.scope.EnvironmentID, ev)
	require.Equal(t, other.scope, await(t, reached).Scope)
}

// TestSlowRequestsLeavePlacesToOthers: however many requests of custom steps an environment has to servers that take long, those of another
// begin.
func TestSlowRequestsLeavePlacesToOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withHTTPSteps(func(c *engine.Config) { c.Clock, c.ConcurrentAttempts = nil, 2 })
	other := b.beside("other")
	begun, finish, reached := make(chan struct{}, 100), make(chan struct{}), make(chan struct{}, 1)
	slow := listen(t, func(int, http.ResponseWriter) {
		begun <- struct{}{}
		<-finish
	})
	quick := listen(t, func(int, http.ResponseWriter) { reached <- struct{}{} })
	b.work()
	defer close(finish)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(slow.URL)}})
	for range 9 {
		b.config.Queue.Events.Put(event.LaneNormal, b.scope.EnvironmentID, b.triggered(wf, to("u1")))
	}
	await(t, begun)
	await(t, begun)
	ev := other.triggered(other.workflow(workflow.Definition{Steps: []workflow.Step{customStep(quick.URL)}}), to("u1"))
	b.config.Queue.Events.Put(event.LaneNormal, other.scope.EnvironmentID, ev)
	await(t, reached)
}

func TestBroadcastInConstantMemory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("writes 20,000 messages")
	}
	b := setup(t)
	newest := b.crowd(20_000)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{subscriber.subscriberId}}")}})
	ev := b.triggered(wf, nil, func(e *ent.EventCreate) {
		e.SetKind(event.KindBroadcast).SetCheckpoint(map[string]any{"max_subscriber_id": newest})
	})
	var peak uint64
	var page sync.Mutex
	b.config.Live = func(context.Context, []state.InboxChange) { // two pages may be published at once
		page.Lock()
		defer page.Unlock()
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	b.engine = b.newEngine(b.config)
	b.fanOut(ev)
	stored, err := b.db.Ent.Event.Get(b.ctx, ev)
	require.NoError(t, err)
	require.Equal(t, 20_000, stored.Notified)
	require.Less(t, peak, uint64(256<<20), "living heap of the whole test binary")
}
