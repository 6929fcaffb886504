// Package queue hands what was just committed to the workers of the same process: events to be fanned out and messages to be
// sent, by their ids. Due rows are the truth: what a queue has no room for, or loses with its process, is found by its due
// time, here or by another process.
package queue

import (
	"context"
	"sync"
	"time"

	"github.com/carillon/carillon/ent/event"
)

// Lanes are the lanes, the most urgent first. Each has workers of its own, so that a broadcast cannot starve a login code.
var Lanes = []event.Lane{event.LaneUrgent, event.LaneNormal, event.LaneBulk}

// MessagesPerSend bounds the messages that are claimed together: their attempts share a commit before the providers are called
// and a few after.
const MessagesPerSend = 50

// Queue holds the ids that wait for the workers of one process.
type Queue struct {
	Events   *Line
	Messages *Line
}

// New returns an empty Queue. It takes ids once its lines are open.
func New() *Queue { return &Queue{Events: newLine(), Messages: newLine()} }

// Open lets ids in: there are workers for them. touched runs whenever some come, also those for
// which there is no room.
func (q *Queue) Open(touched func()) {
	q.Events.openWith(touched)
	q.Messages.openWith(touched)
}

// maxWaiting bounds the ids that wait in one lane. Those beyond are left to their due time.
const maxWaiting = 20_000

// Line holds ids of one kind, by lane, in the order in which they came.
type Line struct {
	mu      sync.Mutex
	open    bool
	touched func()
	lanes   map[event.Lane]*lane
}

type lane struct {
	ids  []string
	more chan struct{} // holds one when ids wait or the line is closed
	room chan struct{} // holds one when ids were taken
}

func newLine() *Line {
	l := &Line{lanes: map[event.Lane]*lane{}}
	for _, name := range Lanes {
		l.lanes[name] = &lane{more: make(chan struct{}, 1), room: make(chan struct{}, 1)}
	}
	return l
}

// Open lets ids in: there are workers for them.
func (l *Line) Open() { l.openWith(nil) }

func (l *Line) openWith(touched func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open, l.touched = true, touched
}

// soon is how many ids of a lane workers take up within a few seconds, unless calls take long.
const soon = 4_000

// Room is how many more ids of a lane are taken up soon; 0 while the line is closed.
func (l *Line) Room(of event.Lane) int {
	n, _ := l.room(of)
	return n
}

func (l *Line) room(of event.Lane) (n int, open bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.open {
		return 0, false
	}
	return max(soon-len(l.lanes[of].ids), 0), true
}

// AwaitRoom waits until a lane has half of its room, but not longer than patience, and reports whether it has; of a closed line
// it reports false at once. A fan-out that calls it stays a bounded number of messages ahead of the workers.
func (l *Line) AwaitRoom(ctx context.Context, of event.Lane, patience time.Duration) bool {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		switch n, open := l.room(of); {
		case !open:
			return false
		case n >= soon/2:
			signal(l.lanes[of].room) // for others who wait
			return true
		}
		select {
		case <-l.lanes[of].room:
		case <-late.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// Len is how many ids wait in a lane.
func (l *Line) Len(of event.Lane) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lanes[of].ids)
}

// Close refuses further ids. Those that wait can still be taken.
func (l *Line) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = false
	for _, one := range l.lanes {
		signal(one.more)
		signal(one.room)
	}
}

// Put hands ids over, which are committed. It never waits; nothing is kept while the line is closed or the lane is full.
func (l *Line) Put(to event.Lane, ids ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.lanes[to]
	if l.open && l.touched != nil {
		l.touched()
	}
	if !l.open || one == nil || len(ids) == 0 || len(one.ids)+len(ids) > maxWaiting {
		return
	}
	one.ids = append(one.ids, ids...)
	signal(one.more)
}

// Take waits for ids of a lane and returns at most limit of them; nil when the line is closed and nothing waits, or ctx ends.
func (l *Line) Take(ctx context.Context, from event.Lane, limit int) []string {
	for {
		ids, closed := l.take(from, limit)
		if len(ids) > 0 || closed {
			return ids
		}
		select {
		case <-l.lanes[from].more:
		case <-ctx.Done():
			return nil
		}
	}
}

func (l *Line) take(from event.Lane, limit int) (ids []string, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.lanes[from]
	n := min(limit, len(one.ids))
	ids, one.ids = one.ids[:n:n], one.ids[n:]
	if len(one.ids) == 0 {
		one.ids = nil // its array is with those who took of it
	}
	if len(one.ids) > 0 || !l.open {
		signal(one.more) // for another worker
	}
	if n > 0 {
		signal(one.room)
	}
	return ids, !l.open
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
