package engine

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/internal/postgres/pgdue"
)

const (
	// quiet is for how long after the last work the loops still look every WakeInterval.
	quiet = 5 * time.Second
	// idleTurns is how many WakeIntervals pass between two looks of an idle process. That bounds by how much a row is late
	// that another process stored less than that before its due time, or left behind when it died; every other row is
	// taken up at its instant.
	idleTurns = 4
	// looksAtOnce bounds the claims that are under way. There are more kinds of due rows than that, and looking at all of them at
	// once would start a database connection for each.
	looksAtOnce = 3
	// pruneIdle is the pause of deletion while nothing is past its retention.
	pruneIdle = time.Minute
)

// lookout lets the loops over due rows sleep while there is no work: one statement per second then asks for the next due
// time of every kind, and the loops are woken when it has come, or when this process gets work to do.
type lookout struct {
	worked atomic.Int64 // when there was work last, in Unix nanoseconds
	wakes  map[pgdue.DueTable][]chan struct{}
	room   chan struct{} // for looksAtOnce claims
}

func newLookout() *lookout {
	return &lookout{wakes: map[pgdue.DueTable][]chan struct{}{}, room: make(chan struct{}, looksAtOnce)}
}

// add returns what a loop over due rows of a kind sleeps on.
func (l *lookout) add(kind pgdue.DueTable) <-chan struct{} {
	wake := make(chan struct{}, 1)
	l.wakes[kind] = append(l.wakes[kind], wake)
	return wake
}

// inTurn is a claim that waits until fewer than looksAtOnce others are under way.
func (l *lookout) inTurn(of claim) claim {
	return func(ctx context.Context) (int, func(context.Context) error, error) {
		select {
		case l.room <- struct{}{}:
		case <-ctx.Done():
			return 0, nil, context.Cause(ctx)
		}
		defer func() { <-l.room }()
		return of(ctx)
	}
}

// busy reports whether there was work a short while ago.
func (l *lookout) busy() bool { return time.Now().UnixNano()-l.worked.Load() < int64(quiet) }

// touch says that there is work. The loops look around from now on: what they are to find may be stored any moment.
func (l *lookout) touch() {
	wasBusy := l.busy()
	l.worked.Store(time.Now().UnixNano())
	if !wasBusy {
		l.wakeAll()
	}
}

func (l *lookout) wakeAll() {
	for kind := range l.wakes {
		l.wake(kind)
	}
}

func (l *lookout) wake(kind pgdue.DueTable) {
	for _, wake := range l.wakes[kind] {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

// keepLookout wakes the loops of a process that is idle, until ctx ends. An error wakes them all: they report it.
func (e *Engine) keepLookout(ctx context.Context) {
	for ctx.Err() == nil {
		pause := e.WakeInterval * idleTurns
		if !e.lookout.busy() {
			pause = e.lookAhead(ctx, pause)
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
}

// lookAhead wakes the loops of the kinds that are due, and returns the time until the next one is, at most limit.
func (e *Engine) lookAhead(ctx context.Context, limit time.Duration) time.Duration {
	next, err := pgdue.Next(ctx, e.DB)
	if err != nil {
		e.lookout.wakeAll()
		return limit
	}
	now := e.Clocks.Now("")
	for kind, at := range next {
		if wait := at.Sub(now); wait <= 0 {
			e.lookout.wake(kind)
		} else {
			limit = min(limit, wait)
		}
	}
	return limit
}
