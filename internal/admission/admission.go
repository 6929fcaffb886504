// Package admission decides which calls may work now, which wait for their turn, and which are refused because their turn does
// not come in time. Past capacity the service answers as many calls as before and refuses the rest, instead of making all of
// them wait longer and longer.
package admission

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/fault"
)

// Config is how a Gate behaves. A zero field means the default.
type Config struct {
	// Wait is how long a call may wait for its turn. Default 250 milliseconds.
	Wait time.Duration
	// Work is how long a call should take once it has begun: while calls take longer, fewer work at once. Default 100
	// milliseconds.
	Work time.Duration
	// Spare gives environments that have few calls inside more places than that, half of all that may be at once, because calls of one
	// that floods the service may stay for long, as bulk triggers do.
	Spare bool
	// Least and Most bound how many calls work at once. Defaults 128 and 1024.
	Least, Most int
	// Queue is how many calls may wait. When as many do, a further one takes the place of the last call of the environment
	// that has most of them, if that leaves it ahead of the new one; an urgent call takes the place of one that is not.
	// Default: 20,000, and beyond them new calls are refused.
	Queue int
}

// Request says who asks to work.
type Request struct {
	// Environment takes turns with others, so that one that floods the service does not starve them.
	Environment string
	// Accepts says that it accepts events.
	Accepts bool
	// Begins says that it is the beginning of a subscription.
	Begins bool
	// Stranger says that it shows no credential. Such calls take turns by network, and how long they take says nothing about
	// how busy the service is: passwords are compared slowly on purpose.
	Stranger bool
	// Urgent calls go first, and are refused last: they wait four times as long.
	Urgent bool
	// Judge says whether the call is Urgent, if that has to be found out. Only a call that has to wait is asked.
	Judge func() bool
	// Always lets a call work at once, whatever waits: that of an operator.
	Always bool
}

// Gate lets a number of calls work at once that follows from how long they take.
type Gate struct {
	cfg Config

	mu      sync.Mutex
	limit   float64
	inside  int
	held    map[string]int // those inside, by environment
	waiting int
	shrunk  time.Time // when limit went down last
	picks   int
	urgent  lane
	normal  lane
}

// maxWaiting bounds how many calls wait where none gives its place to another.
const maxWaiting = 20_000

// New makes a Gate.
func New(cfg Config) *Gate {
	cfg = Config{
		Wait: cmp.Or(cfg.Wait, 250*time.Millisecond), Work: cmp.Or(cfg.Work, 100*time.Millisecond),
		Least: cmp.Or(cfg.Least, 128), Most: cmp.Or(cfg.Most, 1024), Queue: cfg.Queue, Spare: cfg.Spare,
	}
	return &Gate{cfg: cfg, limit: float64(min(cfg.Most, max(cfg.Least, 256))), held: map[string]int{}, urgent: newLane(), normal: newLane()}
}

const (
	fewOf   = 4 // an environment has few calls inside while they are less than this part of all that may be
	spareOf = 2 // so large a part of all that may be are the places for such beside them
)

// Enter waits until a call may work, which ends with leave. The error is a fault: too much is under way, or ctx has ended.
// Nothing waits at a nil Gate.
func (g *Gate) Enter(ctx context.Context, r Request) (leave func(), err error) {
	if g == nil {
		return func() {}, nil
	}
	g.mu.Lock()
	begins := g.begins(r)
	if !begins && r.Judge != nil {
		g.mu.Unlock()
		r.Urgent = r.Judge()
		g.mu.Lock()
		begins = g.begins(r) // meanwhile a place may have become free, of which only calls that wait are told
	}
	if begins {
		g.mu.Unlock()
		return g.leaving(r), nil
	}
	if !g.makeRoom(r) {
		g.mu.Unlock()
		return nil, errOverloaded()
	}
	wait, in := g.cfg.Wait, &g.normal
	if r.Urgent {
		wait, in = 4*g.cfg.Wait, &g.urgent
	}
	w := in.add(r.Environment)
	g.waiting++
	g.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-w.turn:
		if w.displaced {
			return nil, errOverloaded()
		}
		return g.leaving(r), nil
	case <-timer.C:
		err = errOverloaded()
	case <-ctx.Done():
		err = fault.Unavailablef(context.Cause(ctx), "The request ended before its turn came.")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if w.displaced {
		return nil, err
	}
	if !in.remove(w) {
		return g.leaving(r), nil // its turn came just now
	}
	g.waiting--
	return nil, err
}

// begins reports whether a call works at once. The gate is locked.
func (g *Gate) begins(r Request) bool {
	if !r.Always && (g.waiting > 0 || g.inside >= int(g.limit)) && !g.spares(r.Environment) {
		return false
	}
	g.enters(r.Environment)
	return true
}

func (g *Gate) enters(environment string) {
	g.inside++
	g.held[environment]++
}

// spares reports whether a call that comes now of an environment that has few inside gets one of the places for such.
func (g *Gate) spares(environment string) bool {
	return g.hasFew(environment) && g.urgent.queues[environment] == nil && g.normal.queues[environment] == nil
}

// hasFew reports whether an environment has few calls inside, and places for such are free.
func (g *Gate) hasFew(environment string) bool {
	return g.cfg.Spare && g.held[environment] < int(g.limit)/fewOf && g.inside < int(g.limit)+int(g.limit)/spareOf
}

// makeRoom reports whether one more call may wait, for which another one may have to go.
func (g *Gate) makeRoom(r Request) bool {
	if g.waiting < cmp.Or(g.cfg.Queue, maxWaiting) {
		return true
	}
	if g.cfg.Queue == 0 {
		return false
	}
	from := &g.normal
	if r.Urgent && len(g.normal.queues) == 0 {
		from = &g.urgent
	}
	q := from.longest()
	own := 0
	if same := from.queues[r.Environment]; same != nil && r.Urgent == (from == &g.urgent) {
		own = same.waiters.Len()
	}
	if q == nil || (!r.Urgent || from == &g.urgent) && q.waiters.Len() <= own+1 {
		return false
	}
	w := q.waiters.Back().Value.(*waiter) //nolint:forcetypeassert // it holds nothing else
	from.remove(w)
	g.waiting--
	w.displaced = true
	close(w.turn)
	return true
}

const codeOverloaded = "OVERLOADED"

// Refused reports whether err says that a call's turn did not come in time.
func Refused(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Code == codeOverloaded
}

func errOverloaded() error {
	return &fault.Error{Kind: fault.Unavailable, Code: codeOverloaded, Message: "The service has more to do than it can. Retry later."}
}

// leaving notes when a call begins to work; the function it returns is for its end, and does nothing the second time.
func (g *Gate) leaving(r Request) func() {
	began := time.Now()
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if now := time.Now(); !r.Stranger {
			g.adapt(now, now.Sub(began))
		}
		g.inside--
		if g.held[r.Environment]--; g.held[r.Environment] == 0 {
			delete(g.held, r.Environment)
		}
		for g.waiting > 0 && g.inside < int(g.limit) {
			g.begin(g.next())
		}
		if w := g.nextOf(r.Environment); w != nil {
			g.begin(w)
		}
	})
}

// begin lets a call begin that has waited.
func (g *Gate) begin(w *waiter) {
	g.waiting--
	g.enters(w.queue.environment)
	close(w.turn)
}

// nextOf takes out the first call of an environment if that has few inside.
func (g *Gate) nextOf(environment string) *waiter {
	if g.hasFew(environment) {
		for _, l := range []*lane{&g.urgent, &g.normal} {
			if q := l.queues[environment]; q != nil {
				return l.first(q)
			}
		}
	}
	return nil
}

// adapt moves the limit by what one call took: up slowly while calls wait, down by a tenth, but once per such time.
func (g *Gate) adapt(now time.Time, took time.Duration) {
	switch {
	case took <= g.cfg.Work:
		if g.waiting > 0 {
			g.limit = min(g.limit+0.2, float64(g.cfg.Most))
		}
	case now.Sub(g.shrunk) > took:
		g.limit, g.shrunk = max(g.limit*0.9, float64(g.cfg.Least)), now
	}
}

// next takes an urgent call first, but every eighth time another one, so that urgent ones do not shut out all others.
func (g *Gate) next() *waiter {
	g.picks++
	first, second := &g.urgent, &g.normal
	if g.picks%8 == 0 {
		first, second = second, first
	}
	if w := first.next(); w != nil {
		return w
	}
	return second.next()
}

// lane is the calls that wait, a queue for each environment, which take turns.
type lane struct {
	queues map[string]*queue
	turns  *list.List // of *queue: those that are not empty
}

type queue struct {
	environment string
	waiters     *list.List // of *waiter
	turn        *list.Element
}

type waiter struct {
	turn  chan struct{}
	queue *queue
	place *list.Element // nil once it was taken out

	displaced bool // its place was given to another; set before turn is closed
}

func newLane() lane { return lane{queues: map[string]*queue{}, turns: list.New()} }

func (l *lane) add(environment string) *waiter {
	q := l.queues[environment]
	if q == nil {
		q = &queue{environment: environment, waiters: list.New()}
		l.queues[environment] = q
		q.turn = l.turns.PushBack(q)
	}
	w := &waiter{turn: make(chan struct{}), queue: q}
	w.place = q.waiters.PushBack(w)
	return w
}

// remove takes a waiter out; false when its turn has come.
func (l *lane) remove(w *waiter) bool {
	if w.place == nil {
		return false
	}
	w.queue.waiters.Remove(w.place)
	w.place = nil
	if w.queue.waiters.Len() == 0 {
		l.turns.Remove(w.queue.turn)
		delete(l.queues, w.queue.environment)
	}
	return true
}

// next takes out the first waiter of the environment whose turn it is; nil when none waits.
func (l *lane) next() *waiter {
	front := l.turns.Front()
	if front == nil {
		return nil
	}
	l.turns.MoveToBack(front)
	return l.first(front.Value.(*queue)) //nolint:forcetypeassert // it holds nothing else
}

// first takes out the first waiter of a queue.
func (l *lane) first(q *queue) *waiter {
	w := q.waiters.Front().Value.(*waiter) //nolint:forcetypeassert // it holds nothing else
	l.remove(w)
	return w
}

// longest returns the queue with most waiters; nil when none waits.
func (l *lane) longest() (longest *queue) {
	for at := l.turns.Front(); at != nil; at = at.Next() {
		if q := at.Value.(*queue); longest == nil || q.waiters.Len() > longest.waiters.Len() { //nolint:forcetypeassert // it holds nothing else
			longest = q
		}
	}
	return longest
}
