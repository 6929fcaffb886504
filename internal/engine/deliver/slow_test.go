package deliver

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/stall"
)

// TestSeatOfACallThatTakesLong: it gives its place among all calls back, once, as long as there is room among those that
// take long.
func TestSeatOfACallThatTakesLong(t *testing.T) {
	t.Parallel()
	var long atomic.Int64
	slow, given := make(chan struct{}, 1), 0
	give := func() { given++ }
	quick := newAttemptSlot(slow, &long, give)
	quick.release()
	quick.move() // a timer that fires late
	require.Equal(t, 1, given)
	require.Empty(t, slow)

	first, second := newAttemptSlot(slow, &long, give), newAttemptSlot(slow, &long, give)
	first.move()
	first.move()
	require.Equal(t, 2, given)
	require.Len(t, slow, 1)
	second.move() // there is no room: it keeps its place
	require.Equal(t, 2, given)
	require.EqualValues(t, 2, long.Load())
	first.release()
	require.Equal(t, 2, given)
	require.Empty(t, slow)
	second.release()
	require.Equal(t, 3, given)
	require.Empty(t, slow)
	require.Zero(t, long.Load())
}

// TestCrowdOfAnIntegration: one whose calls do not end is given no more than it can call for, twice over, and the others go
// on.
func TestCrowdOfAnIntegration(t *testing.T) {
	t.Parallel()
	w := &Worker{Shared: &state.Shared{Config: state.Config{AttemptsPerIntegration: 2}}}
	hanging, well := &openAdapter{}, &openAdapter{}
	hanging.under.Store(3)
	hanging.long.Store(1)
	well.under.Store(100)
	of := func(n int, a *openAdapter) *Delivery {
		return &Delivery{ClaimedMessage: pgmessage.ClaimedMessage{ID: fmt.Sprint(n), Lane: "urgent"}, adapter: a, attempt: &pgmessage.AttemptRow{}}
	}
	ids := func(list []*Delivery) (ids []string) {
		for _, d := range list {
			ids = append(ids, d.ID)
		}
		return ids
	}
	held, interrupted := of(9, nil), of(8, hanging)
	held.attempt, interrupted.interrupted = nil, true
	admitted, deferred := w.deferSlow([]*Delivery{of(1, hanging), of(2, hanging), of(3, well), of(4, hanging), held, interrupted, of(5, well)})
	require.Equal(t, []string{"2", "4"}, ids(deferred))
	require.Equal(t, []string{"1", "3", "9", "8", "5"}, ids(admitted), "one that a dead worker left is settled in any case")
	bulk := of(1, hanging)
	bulk.Lane = "bulk"
	hanging.under.Store(2)
	_, deferred = w.deferSlow([]*Delivery{bulk, of(2, hanging)})
	require.Equal(t, []string{"1"}, ids(deferred), "a broadcast leaves room for a login code")
}

// TestCrowdOfSlowCalls: however long its calls take, an integration is given what it calls for within seconds.
func TestCrowdOfSlowCalls(t *testing.T) {
	t.Parallel()
	a := &crowd{}
	require.Equal(t, math.MaxInt, a.most("normal", 64), "how long they take is not known yet")
	for took, most := range map[time.Duration][3]int{
		10 * time.Millisecond: {64_000, 48_000, 32_000}, time.Second: {640, 480, 320}, 4 * time.Second: {160, 120, 80}, 10 * time.Second: {128, 96, 64},
	} {
		a.took.Store(int64(took))
		require.Equal(t, most, [3]int{a.most("urgent", 64), a.most("normal", 64), a.most("bulk", 64)}, took)
	}
	b := &crowd{}
	b.learn(time.Second)
	require.Equal(t, time.Second/8, time.Duration(b.took.Load()), "the first one shows little")
	for range 40 {
		b.learn(4 * time.Second)
	}
	require.InDelta(t, 4, time.Duration(b.took.Load()).Seconds(), 0.25)
	b.learn(0)
	require.InDelta(t, 3.5, time.Duration(b.took.Load()).Seconds(), 0.25)
}

// TestInterruptedCalls end with the engine, also those whose job has ended before.
func TestInterruptedCalls(t *testing.T) {
	t.Parallel()
	w := NewWorker(state.New(state.Config{DB: &postgres.DB{}}), nil)
	job, done := context.WithCancel(t.Context())
	attempting, cancel := w.UntilInterrupt(job)
	defer cancel()
	done()
	require.NoError(t, attempting.Err())
	stopped, stop := context.WithTimeoutCause(t.Context(), 0, context.DeadlineExceeded)
	defer stop()
	w.Background.Go(func() { <-attempting.Done() })
	require.NoError(t, w.Stop(stopped), "what is under way is recorded before the end")
	require.ErrorIs(t, attempting.Err(), context.Canceled)
	late, _ := w.UntilInterrupt(t.Context())
	select {
	case <-late.Done():
	case <-time.After(stall.Limit(time.Minute)):
		t.Fatal("a call began after the end")
	}
}
