package accept

import (
	"bytes"
	"context"
	"log/slog"
	"runtime/pprof"
	"sync/atomic"
	"time"
)

const (
	// stallAfter is how long the writer may make no progress with clients waiting before something must be wrong: every write
	// is bounded, but a fault of ours or of the driver would not be.
	stallAfter = 10 * time.Second
	watchEvery = time.Second
)

// watchdog sees whether requests wait for a writer that does not move.
type watchdog struct {
	now     func() time.Time
	pending atomic.Int64 // requests that wait, and commits under way, whose clients may have left
	moved   atomic.Int64 // when a commit was last answered, or a request came while nothing was pending
	hung    atomic.Bool  // the last commit to end was given up without an answer
	noticed atomic.Bool  // look saw the writer stalled, and has not seen a commit answered since
}

func (w *watchdog) move() { w.moved.Store(w.now().UnixNano()) }

// enter counts a request that waits until the returned function runs. After a commit without an answer it is no news that nothing was
// pending: the requests were refused, and callers repeat them.
func (w *watchdog) enter() (leave func()) {
	if w.pending.Add(1) == 1 && !w.hung.Load() {
		w.move()
	}
	return func() { w.pending.Add(-1) }
}

// begin counts a commit that is under way until the returned function runs, which is told whether the database has answered.
func (w *watchdog) begin() (end func(answered bool)) {
	leave := w.enter()
	return func(answered bool) {
		if answered {
			w.move()
		}
		w.hung.Store(!answered)
		leave()
	}
}

// stalledFor is how long requests have been waiting without anything moving.
func (w *watchdog) stalledFor() time.Duration {
	if w.pending.Load() == 0 {
		return 0
	}
	return w.now().Sub(time.Unix(0, w.moved.Load()))
}

// look reports whether the writer is stalled, and whether that is new or has ended by a commit.
func (w *watchdog) look() (stalled, changed bool) {
	if stalled = w.stalledFor() >= stallAfter; !stalled && w.hung.Load() {
		return w.noticed.Load(), false // no request waits, which says nothing about the writer
	}
	return stalled, w.noticed.Swap(stalled) != stalled
}

// Stalled reports for how long a writer has not moved although clients wait; ok is false while that is no reason to
// worry. A process that stalls should get no more requests.
func (a *Acceptor) Stalled() (since time.Duration, ok bool) {
	since = max(a.light.watch.stalledFor(), a.heavy.watch.stalledFor())
	return since, since >= stallAfter
}

// watchWriters looks every second until ctx ends.
func (a *Acceptor) watchWriters(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			a.checkWriters(ctx)
		}
	}
}

// checkWriters logs once what all goroutines do when a writer is stalled, and once that it moves again.
func (a *Acceptor) checkWriters(ctx context.Context) {
	for _, w := range []*watchdog{&a.light.watch, &a.heavy.watch} {
		stalled, changed := w.look()
		switch {
		case !changed:
		case stalled:
			var stacks bytes.Buffer
			_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1) // to memory; equal stacks once, with their number
			a.Logger.ErrorContext(ctx, "accepting is stalled: the writer has not moved although requests wait",
				slog.Int64("stalled_for_ms", w.stalledFor().Milliseconds()), slog.Int64("pending", w.pending.Load()), slog.String("stacks", stacks.String()))
		default:
			a.Logger.WarnContext(ctx, "events are accepted again: the writer moves")
		}
	}
}
