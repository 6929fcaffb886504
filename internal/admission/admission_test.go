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
	leave, err := gate.Enter(t.Context(), admission.Call{})
	require.NoError(t, err)
	return gate, leave
}

func TestCallsThatWaitTooLongAreRefused(t *testing.T) {
	t.Parallel()
	gate, leave := full(t, time.Millisecond)
	for _, urgent := range []bool{false, true} {
		_, err := gate.Enter(t.Context(), admission.Call{Urgent: urgent})
		require.Equal(t, fault.Unavailable, fault.KindOf(err))
		require.ErrorContains(t, err, "Retry later")
	}
	always, err := gate.Enter(t.Context(), admission.Call{Always: true})
	require.NoError(t, err)
	always()
	leave()
	leave() // twice is once
	again, err := gate.Enter(t.Context(), admission.Call{})
	require.NoError(t, err)
	_, err = gate.Enter(t.Context(), admission.Call{})
	require.Error(t, err)
	again()
}

func TestCallersThatLeaveWaitNoMore(t *testing.T) {
	t.Parallel()
	gate, leave := full(t, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := gate.Enter(ctx, admission.Call{})
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	leave()
	leave, err = gate.Enter(t.Context(), admission.Call{})
	require.NoError(t, err, "nobody waits before it")
	leave()
}

// Log-ins wait at a gate of their own, however many there are.
func TestLogInsKeepNobodyElseWaiting(t *testing.T) {
	t.Parallel()
	gates := admission.NewGates(time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	var inside []func()
	for range runtime.GOMAXPROCS(0) {
		if len(inside) == max(1, runtime.GOMAXPROCS(0)/2) {
			cancel() // one more would wait
		}
		leave, err := gates.Enter(ctx, admission.Call{LogIn: true})
		if err == nil {
			inside = append(inside, leave)
		}
	}
	cancel()
	require.Len(t, inside, max(1, runtime.GOMAXPROCS(0)/2))
	_, err := gates.Enter(ctx, admission.Call{Environment: "a"})
	require.NoError(t, err)
	for _, leave := range inside {
		leave()
	}
}

// Environments take turns, and urgent calls go first: of a hundred calls that one environment has in the queue, the calls of
// another pass all but the first.
func TestTurns(t *testing.T) {
	t.Parallel()
	gate, leave := full(t, time.Hour)
	entered := make(chan string, 200)
	queue := func(name string, c admission.Call) {
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
		queue("flood", admission.Call{Environment: "a"})
	}
	queue("other", admission.Call{Environment: "b"})
	queue("other", admission.Call{Environment: "b"})
	queue("urgent", admission.Call{Environment: "a", Urgent: true})
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
