// Package queue hands what was just committed to the workers of the same process: events to be fanned out and messages to be
// sent, by their ids. Due rows are the truth: what a queue has no room for, or loses with its process, is found by its due
// time, here or by another process.
package queue

import (
	"container/list"
	"context"
	"slices"
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
	Streams  *Line // events that are fanned out page by page, as found among Events
	Messages *Line
}

// New returns an empty Queue. It takes ids once its lines are open.
func New() *Queue { return &Queue{Events: newLine(), Streams: newLine(), Messages: newLine()} }

// Open lets ids in: there are workers for them. touched runs whenever some come, also those for
// which there is no room.
func (q *Queue) Open(touched func()) {
	for _, line := range []*Line{q.Events, q.Streams, q.Messages} {
		line.openWith(touched)
	}
}

// maxWaiting bounds the ids that wait in one lane. Those beyond are left to their due time. An environment may have as many there as are
// left beside its own, so that there is room for others.
const maxWaiting = 40_000

// Item is an id that waits.
type Item struct{ EnvironmentID, ID string }

// IDs are those of items.
func IDs(items []Item) []string {
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = items[i].ID
	}
	return ids
}

// Line holds ids of one kind, by lane. In a lane environments take turns, each with its ids in the order in which they came, so that none
// waits for all that another has.
type Line struct {
	mu      sync.Mutex
	open    bool
	touched func()
	lanes   map[event.Lane]*lane
}

type lane struct {
	turns *list.List               // of *share: those that have ids, the next first
	of    map[string]*list.Element // by environment
	n     int
	more  chan struct{} // holds one when ids wait or the line is closed
	room  chan struct{} // holds one when ids were taken
}

// share is what waits of one environment.
type share struct {
	environmentID string
	ids           []string
}

func newLine() *Line {
	l := &Line{lanes: map[event.Lane]*lane{}}
	for _, name := range Lanes {
		l.lanes[name] = &lane{turns: list.New(), of: map[string]*list.Element{}, more: make(chan struct{}, 1), room: make(chan struct{}, 1)}
	}
	return l
}

// share returns that of an environment, with a turn behind the others if it has none.
func (l *lane) share(environmentID string) *share {
	at := l.of[environmentID]
	if at == nil {
		at = l.turns.PushBack(&share{environmentID: environmentID})
		l.of[environmentID] = at
	}
	return at.Value.(*share) //nolint:forcetypeassert // it holds nothing else
}

// waiting is how many ids of an environment wait.
func (l *lane) waiting(environmentID string) int {
	if at := l.of[environmentID]; at != nil {
		return len(at.Value.(*share).ids) //nolint:forcetypeassert // it holds nothing else
	}
	return 0
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
	return max(soon-l.lanes[of].n, 0), true
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
	return l.lanes[of].n
}

// OthersWait reports whether ids of other environments wait in a lane.
func (l *Line) OthersWait(of event.Lane, environmentID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.lanes[of]
	return one.n > one.waiting(environmentID)
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

// Put hands ids of an environment over, which are committed. It never waits; nothing is kept while the line is closed or the environment's
// room in the lane is full.
func (l *Line) Put(to event.Lane, environmentID string, ids ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.lanes[to]
	if l.open && l.touched != nil {
		l.touched()
	}
	if !l.open || one == nil || len(ids) == 0 || one.waiting(environmentID)+len(ids) > maxWaiting-one.n {
		return
	}
	s := one.share(environmentID)
	s.ids = append(s.ids, ids...)
	one.n += len(ids)
	signal(one.more)
}

// Return gives back what was taken, to be taken first when the turn of its environment comes.
func (l *Line) Return(to event.Lane, items ...Item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.lanes[to]
	for len(items) > 0 {
		of, from := items[len(items)-1].EnvironmentID, len(items)
		for from > 0 && items[from-1].EnvironmentID == of {
			from--
		}
		s := one.share(of)
		s.ids = slices.Insert(s.ids, 0, IDs(items[from:])...)
		one.n += len(items) - from
		items = items[:from]
		signal(one.more)
	}
}

// Take waits for ids of a lane and returns at most limit of them: of the environment whose turn it is, and of those behind it as long as all
// that they have finds room. It returns nil when the line is closed and nothing waits, or ctx ends.
func (l *Line) Take(ctx context.Context, from event.Lane, limit int) []Item {
	for {
		items, closed := l.take(from, limit)
		if len(items) > 0 || closed {
			return items
		}
		select {
		case <-l.lanes[from].more:
		case <-ctx.Done():
			return nil
		}
	}
}

func (l *Line) take(from event.Lane, limit int) (items []Item, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.lanes[from]
	for at := one.turns.Front(); at != nil; at = one.turns.Front() {
		s := at.Value.(*share) //nolint:forcetypeassert // it holds nothing else
		n := min(limit-len(items), len(s.ids))
		if len(items) > 0 && n < len(s.ids) {
			break
		}
		for _, id := range s.ids[:n] {
			items = append(items, Item{s.environmentID, id})
		}
		if s.ids = s.ids[n:]; len(s.ids) > 0 {
			one.turns.MoveToBack(at)
			break
		}
		one.turns.Remove(at)
		delete(one.of, s.environmentID)
	}
	if one.n -= len(items); one.n > 0 || !l.open {
		signal(one.more) // for another worker
	}
	if len(items) > 0 {
		signal(one.room)
	}
	return items, !l.open
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
