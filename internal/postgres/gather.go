package postgres

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/fault"
)

// Gather runs one query for the questions of many callers. It never waits for company: a query takes what queued while those
// before it ran, so an idle server answers at once and a busy one runs few queries. The queue holds those only who wait for it,
// so what bounds the callers bounds it.
type Gather[Q, A any] struct {
	// Ask answers every question, in their order. An error or a panic is the answer to all of them.
	Ask func(context.Context, []Q) ([]A, error)
	// Most bounds the weight of one query: it takes questions until they reach it; 0: those that queue.
	Most int
	// Weight is what a question counts towards Most; nil: 1.
	Weight func(Q) int
	// Share is whose a question is; nil: all are of one. While questions of several queue they take turns, each in its own order, and no one gets
	// more than a quarter of a query (Most), so that who asks little waits neither for the queue of who asks much nor long for a query.
	Share func(Q) string
	// Workers is how many queries may run at once; 0: 1. A further one begins when what queues would fill (Most) it and the next of each
	// that runs: until then a query that takes more costs less than two.
	Workers int
	// Inherit runs queries on the context of the caller that began them, and every caller waits for its answer. It is for contexts that are
	// not ended when their caller has its answer: those of others may still run on it. Otherwise no caller's end is theirs, each query has a
	// bound of its own (gatherTimeout), and a caller may leave.
	Inherit bool
	// Direct lets a caller run the query itself while no other runs, which saves two changes of goroutines. It cannot leave then.
	Direct bool

	mu      sync.Mutex
	queue   []asked[Q, A]
	weighs  int // what queues
	running int
	closed  bool
	workers sync.WaitGroup // those that run
}

type asked[Q, A any] struct {
	question Q
	done     chan answered[A]
}

type answered[A any] struct {
	answer A
	err    error
}

// gatherTimeout bounds one query, by far more than one takes on a busy machine.
const gatherTimeout = 20 * time.Second

var (
	errAnswers = errors.New("a query of several questions did not answer each of them")
	errTimeout = fmt.Errorf("not answered within %s", gatherTimeout)
)

// ErrClosed is the cause of the error of questions that come after Close.
var ErrClosed = errors.New("no questions are answered any more")

// Get returns the answer of a query that began after the call. When ctx ends before that and Inherit is not set, Get returns
// the error of ctx, and the question is not asked unless a query has taken it already.
func (g *Gather[Q, A]) Get(ctx context.Context, question Q) (A, error) {
	done := make(chan answered[A], 1)
	if own := (asked[Q, A]{question, done}); g.askDirectly(ctx, own) {
		a := <-done
		return a.answer, a.err
	} else if !g.enqueue(ctx, own) {
		return *new(A), fault.Unavailablef(ErrClosed, "The service is stopping. Retry later.")
	}
	leave := ctx.Done()
	if g.Inherit {
		leave = nil
	}
	select {
	case a := <-done:
		return a.answer, a.err
	case <-leave:
		g.dequeue(done)
		return *new(A), Translate(ctx.Err())
	}
}

// Close refuses questions from now on, and returns when those that queued are answered.
func (g *Gather[Q, A]) Close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.workers.Wait()
}

// askDirectly runs a query of one question in the goroutine of its caller if no other query runs, and reports whether it did. Questions
// that queue meanwhile are left to a worker.
func (g *Gather[Q, A]) askDirectly(ctx context.Context, q asked[Q, A]) bool {
	g.mu.Lock()
	if !g.Direct || g.closed || g.running > 0 {
		g.mu.Unlock()
		return false
	}
	g.running++
	g.workers.Add(1)
	g.mu.Unlock()
	defer g.workers.Done()
	g.answer(g.context(ctx), []asked[Q, A]{q})
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queue) == 0 {
		g.running--
	} else {
		g.workers.Go(func() { g.run(g.context(ctx)) })
	}
	return true
}

func (g *Gather[Q, A]) enqueue(ctx context.Context, q asked[Q, A]) (open bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.queue = append(g.queue, q)
	g.weighs += g.weight(q.question)
	if g.running == 0 || g.running < g.Workers && g.Most > 0 && g.weighs >= g.Most*(g.running+1) {
		g.running++
		g.workers.Go(func() { g.run(g.context(ctx)) })
	}
	return true
}

// dequeue takes the question of a caller who leaves out of the queue, if it is still there.
func (g *Gather[Q, A]) dequeue(done chan answered[A]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.IndexFunc(g.queue, func(q asked[Q, A]) bool { return q.done == done }); i >= 0 {
		g.weighs -= g.weight(g.queue[i].question)
		g.queue = slices.Delete(g.queue, i, i+1)
	}
}

func (g *Gather[Q, A]) context(caller context.Context) context.Context {
	if g.Inherit {
		return caller
	}
	return context.Background() // several callers share a query, and none of them may end it
}

// run asks until nothing is queued.
func (g *Gather[Q, A]) run(ctx context.Context) {
	for batch := g.next(); len(batch) > 0; batch = g.next() {
		g.answer(ctx, batch)
	}
}

// next takes the questions of one query from the queue; none ends the worker.
func (g *Gather[Q, A]) next() []asked[Q, A] {
	g.mu.Lock()
	defer g.mu.Unlock()
	if of := g.shares(); len(of) > 1 {
		return g.inTurns(of)
	}
	n, weighs := 0, 0
	for n < len(g.queue) && (g.Most == 0 || weighs < g.Most) {
		weighs += g.weight(g.queue[n].question)
		n++
	}
	g.weighs -= weighs
	batch := g.queue[:n:n]
	if g.queue = g.queue[n:]; len(g.queue) == 0 {
		g.queue = nil // its memory is the batch's
	}
	if n == 0 {
		g.running--
	}
	return batch
}

// sharePart is the part of a query that one share gets while others queue.
const sharePart = 4

// share is the questions of one share that queue, by their places there.
type share struct {
	places []int
	weighs int // what was taken
}

// shares are those of what queues, in the order of their first questions.
func (g *Gather[Q, A]) shares() (of []*share) {
	if g.Share == nil || g.Most == 0 {
		return nil
	}
	known := map[string]*share{}
	for i := range g.queue {
		name := g.Share(g.queue[i].question)
		s := known[name]
		if s == nil {
			s = &share{}
			known[name], of = s, append(of, s)
		}
		s.places = append(s.places, i)
	}
	return of
}

// inTurns takes the questions of one query: again and again that of the share of which least was taken.
func (g *Gather[Q, A]) inTurns(of []*share) (batch []asked[Q, A]) {
	taken := make([]bool, len(g.queue))
	for weighs := 0; weighs < g.Most; {
		var next *share
		for _, s := range of {
			if len(s.places) > 0 && s.weighs*sharePart < g.Most && (next == nil || s.weighs < next.weighs) {
				next = s
			}
		}
		if next == nil {
			break
		}
		at := next.places[0]
		next.places = next.places[1:]
		weight := g.weight(g.queue[at].question)
		next.weighs += weight
		weighs += weight
		g.weighs -= weight
		batch, taken[at] = append(batch, g.queue[at]), true
	}
	left := make([]asked[Q, A], 0, len(g.queue)-len(batch))
	for i := range g.queue {
		if !taken[i] {
			left = append(left, g.queue[i])
		}
	}
	g.queue = left
	return batch
}

func (g *Gather[Q, A]) weight(question Q) int {
	if g.Weight == nil {
		return 1
	}
	return g.Weight(question)
}

func (g *Gather[Q, A]) answer(ctx context.Context, batch []asked[Q, A]) {
	if !g.Inherit {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, gatherTimeout, errTimeout)
		defer cancel()
	}
	questions := make([]Q, len(batch))
	for i, b := range batch {
		questions[i] = b.question
	}
	answers, err := g.ask(ctx, questions)
	for i, b := range batch {
		if err != nil {
			b.done <- answered[A]{err: err}
			continue
		}
		b.done <- answered[A]{answer: answers[i]}
	}
}

// ask asks, and returns a panic as an error, since it would end the process for callers that it does not concern.
func (g *Gather[Q, A]) ask(ctx context.Context, questions []Q) (answers []A, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if answers, err = g.Ask(ctx, questions); err == nil && len(answers) != len(questions) {
		err = errAnswers
	}
	return answers, err
}
