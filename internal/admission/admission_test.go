package admission_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/stall"
)

// full is a gate at which one call works and no other may.
func full(t *testing.T, wait time.Duration) (gate *admission.Gate, leave func()) {
	t.Helper()
	gate = admission.New(admission.Config{Wait: wait, Work: time.Hour, Least: 1, Most: 1})
	leave, err := gate.Enter(t.Context(), admission.Request{})
	require.NoError(t, err)
	return gate, leave
}

func TestCallsThatWaitTooLongAreRefused(t *testing.T) {
	t.Parallel()
	gate, leave := full(t, time.Millisecond)
	for _, urgent := range []bool{false, true} {
		_, err := gate.Enter(t.Context(), admission.Request{Urgent: urgent})
		require.Equal(t, fault.Unavailable, fault.KindOf(err))
		require.ErrorContains(t, err, "Retry later")
	}
	always, err := gate.Enter(t.Context(), admission.Request{Always: true})
	require.NoError(t, err)
	always()
	leave()
	leave() // twice is once
	again, err := gate.Enter(t.Context(), admission.Request{})
	require.NoError(t, err)
	_, err = gate.Enter(t.Context(), admission.Request{})
	require.Error(t, err)
	again()
}

// TestOnlyCallsThatWaitAreJudged: whether a call is urgent is found out outside the gate, which others pass meanwhile.
func TestOnlyCallsThatWaitAreJudged(t *testing.T) {
	t.Parallel()
	gate, leave := full(t, time.Hour)
	leave()
	leave, err := gate.Enter(t.Context(), admission.Request{Judge: func() bool {
		require.Fail(t, "nothing is under way")
		return false
	}})
	require.NoError(t, err)
	judged, err := gate.Enter(t.Context(), admission.Request{Judge: func() bool {
		leave()
		return true
	}})
	require.NoError(t, err, "the only place became free meanwhile")
	judged()
}

func TestCallersThatLeaveWaitNoMore(t *testing.T) {
	t.Parallel()
	gate, leave := full(t, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := gate.Enter(ctx, admission.Request{})
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	leave()
	leave, err = gate.Enter(t.Context(), admission.Request{})
	require.NoError(t, err, "no caller waits before it")
	leave()
}

// TestSparePlaces: a gate that one environment fills with calls that stay lets a few of another in, but not any number of all others.
func TestSparePlaces(t *testing.T) {
	t.Parallel()
	const most, few, spare = 32, 8, 16
	enter := func(g *admission.Gate, environment string) func() {
		leave, err := g.Enter(t.Context(), admission.Request{Environment: environment})
		if err != nil {
			require.True(t, admission.Refused(err))
			return nil
		}
		return leave
	}
	fill := func(c admission.Config) *admission.Gate {
		c.Wait, c.Work, c.Least, c.Most = time.Millisecond, time.Hour, most, most
		g := admission.New(c)
		for range most {
			require.NotNil(t, enter(g, "flood"))
		}
		require.Nil(t, enter(g, "flood"))
		return g
	}
	require.Nil(t, enter(fill(admission.Config{}), "a"), "only where the gate has spare places")

	g := fill(admission.Config{Spare: true})
	for range few - 1 {
		require.NotNil(t, enter(g, "a"))
	}
	leave := enter(g, "a")
	require.NotNil(t, leave)
	require.Nil(t, enter(g, "a"), "it has a few inside")
	for range spare - few {
		require.NotNil(t, enter(g, "b"))
	}
	require.Nil(t, enter(g, "c"), "all are taken")
	leave()
	require.NotNil(t, enter(g, "c"))
	require.Nil(t, enter(g, "d"))
}

// TestSparePlacesOfThoseThatWait: a call that waits begins when another of its environment, which has few inside, has ended.
func TestSparePlacesOfThoseThatWait(t *testing.T) {
	t.Parallel()
	const most, few = 32, 8
	g := admission.New(admission.Config{Wait: stall.Limit(time.Minute), Work: time.Hour, Least: most, Most: most, Spare: true})
	for range most {
		_, err := g.Enter(t.Context(), admission.Request{Environment: "flood"})
		require.NoError(t, err)
	}
	var leave func()
	for range few {
		var err error
		leave, err = g.Enter(t.Context(), admission.Request{Environment: "a"})
		require.NoError(t, err)
	}
	entered := make(chan error, 1)
	go func() {
		_, err := g.Enter(t.Context(), admission.Request{Environment: "a"})
		entered <- err
	}()
	for g.Waiting() == 0 {
		runtime.Gosched()
	}
	leave()
	require.NoError(t, <-entered)
}

// TestFullQueues fills a gate's queue: the environment that has most in it gives way to others, and urgent calls displace
// those that are not.
func TestFullQueues(t *testing.T) {
	t.Parallel()
	gate := admission.New(admission.Config{Wait: time.Hour, Work: time.Hour, Least: 1, Most: 1, Queue: 3})
	leave, err := gate.Enter(t.Context(), admission.Request{})
	require.NoError(t, err)
	queue := func(c admission.Request, more int) <-chan error {
		before, left := gate.Waiting(), make(chan error, 1)
		go func() {
			leave, err := gate.Enter(t.Context(), c)
			if err == nil {
				leave()
			}
			left <- err
		}()
		require.Eventually(t, func() bool { return gate.Waiting() == before+more || len(left) > 0 }, stall.Limit(time.Minute), 100*time.Microsecond)
		return left
	}
	refused := func(left <-chan error) { t.Helper(); require.True(t, admission.Refused(<-left)) }
	queue(admission.Request{Environment: "a"}, 1)
	second := queue(admission.Request{Environment: "a"}, 1)
	third := queue(admission.Request{Environment: "a"}, 1)
	refused(queue(admission.Request{Environment: "a"}, 0))
	b := queue(admission.Request{Environment: "b"}, 0)
	refused(third)
	refused(queue(admission.Request{Environment: "b"}, 0)) // it would have as many as a
	u := queue(admission.Request{Environment: "a", Urgent: true}, 0)
	refused(second)
	leave()
	require.NoError(t, <-b)
	require.NoError(t, <-u)
}

// TestStrangersTimeDoesNotCount: how long calls without a credential take does not change how many others work at once.
func TestStrangersTimeDoesNotCount(t *testing.T) {
	t.Parallel()
	gate := admission.New(admission.Config{Work: time.Nanosecond})
	for _, c := range []struct {
		call  admission.Request
		limit float64
	}{{admission.StrangersRequest(t.Context()), 256}, {admission.Request{}, 256 * 0.9}} {
		leave, err := gate.Enter(t.Context(), c.call)
		require.NoError(t, err)
		leave()
		require.InDelta(t, c.limit, gate.Limit(), 0.01)
	}
}

// Environments take turns, and urgent calls go first: of a hundred calls that one environment has in the queue, the calls of
// another pass all but the first.
func TestTurns(t *testing.T) {
	t.Parallel()
	gate, leave := full(t, time.Hour)
	entered := make(chan string, 200)
	queue := func(name string, c admission.Request) {
		before := gate.Waiting()
		go func() {
			leave, err := gate.Enter(t.Context(), c)
			if err == nil {
				entered <- name
				leave()
			}
		}()
		require.Eventually(t, func() bool { return gate.Waiting() > before }, stall.Limit(time.Minute), 100*time.Microsecond)
	}
	for range 20 {
		queue("flood", admission.Request{Environment: "a"})
	}
	queue("other", admission.Request{Environment: "b"})
	queue("other", admission.Request{Environment: "b"})
	queue("urgent", admission.Request{Environment: "a", Judge: func() bool { return true }})
	leave()
	var order []string
	for range 23 {
		order = append(order, <-entered)
	}
	require.Equal(t, []string{"urgent", "flood", "other", "flood", "other", "flood"}, order[:6])
}

func TestUrgentCallsDoNotShutOutOthers(t *testing.T) {
	t.Parallel()
	require.Equal(t, []bool{true, true, true, true, true, true, true, false, true}, admission.Picks(9))
}

// The number of calls that work at once follows from how long they take.
func TestLimitFollowsTheTimeOfWork(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 256, admission.LimitAfter(10, time.Millisecond, 0), 0, "nobody waits")
	require.InDelta(t, 356, admission.LimitAfter(500, time.Millisecond, 1), 0.01)
	require.InDelta(t, 1024, admission.LimitAfter(100_000, time.Millisecond, 1), 0)
	require.InDelta(t, 256*0.9, admission.LimitAfter(1, time.Second, 1), 0.01)
	require.InDelta(t, 256*0.9, admission.LimitAfter(100, time.Second, 1), 0.01, "once for calls of one time")
}
