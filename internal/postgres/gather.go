package postgres

import (
	"context"
	"sync"
	"time"
)

// Gather asks one question of many callers at once. It never waits for company: a query takes what queued while the one
// before it ran, so an idle server answers at once and a busy one asks seldom.
type Gather[Q, A any] struct {
	// Ask answers every question, in their order. It runs on no caller's time, because several share it.
	Ask func(context.Context, []Q) ([]A, error)
	// Most bounds the questions of one query; 0: those that queue.
	Most int

	mu      sync.Mutex
	queue   []asked[Q, A]
	running bool
}

type asked[Q, A any] struct {
	question Q
	done     chan<- answered[A]
}

type answered[A any] struct {
	answer A
	err    error
}

// gatherTimeout bounds one query, by far more than one takes on a busy machine.
const gatherTimeout = 20 * time.Second

// Get is the answer of a query that began after the call.
func (g *Gather[Q, A]) Get(ctx context.Context, question Q) (A, error) {
	done := make(chan answered[A], 1)
	g.mu.Lock()
	g.queue = append(g.queue, asked[Q, A]{question, done})
	if !g.running {
		g.running = true
		go g.run() // on a context of its own: several callers share a query, and none of them may end it
	}
	g.mu.Unlock()
	select {
	case a := <-done:
		return a.answer, a.err
	case <-ctx.Done():
		return *new(A), Translate(ctx.Err())
	}
}

// run asks until nothing is queued.
func (g *Gather[Q, A]) run() {
	for {
		g.mu.Lock()
		batch := g.queue
		if g.Most > 0 && len(batch) > g.Most {
			batch = batch[:g.Most:g.Most]
		}
		g.queue = g.queue[len(batch):]
		if len(batch) == 0 {
			g.queue = nil
			g.running = false
			g.mu.Unlock()
			return
		}
		g.mu.Unlock()
		g.answer(batch)
	}
}

func (g *Gather[Q, A]) answer(batch []asked[Q, A]) {
	ctx, cancel := context.WithTimeout(context.Background(), gatherTimeout)
	defer cancel()
	questions := make([]Q, len(batch))
	for i, b := range batch {
		questions[i] = b.question
	}
	answers, err := g.Ask(ctx, questions)
	for i, b := range batch {
		if err != nil {
			b.done <- answered[A]{err: err}
			continue
		}
		b.done <- answered[A]{answer: answers[i]}
	}
}
