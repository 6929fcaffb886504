package transport

import (
	"context"
	"sync"
)

// turns lets a subscription wait for its next event without a goroutine: who sends events announces each of them, and their
// end, and only then a goroutine takes it.
type turns struct {
	mu      sync.Mutex
	adopted bool
	pending int
	running bool
	take    func() (goOn bool) // nil until the operation runs
}

type turnsKey struct{}

// Announcer returns what a subscription's resolver has called before each event and before the end; nil when the
// transport waits for them itself.
func Announcer(ctx context.Context) func() {
	if t, ok := ctx.Value(turnsKey{}).(*turns); ok {
		return t.announce
	}
	return nil
}

// Adopt says that every event will be announced.
func Adopt(ctx context.Context) {
	if t, ok := ctx.Value(turnsKey{}).(*turns); ok {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.adopted = true
	}
}

func (t *turns) announce() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pending++
	t.start()
}

// takes gives the events to take, if they will be announced.
func (t *turns) takes(take func() (goOn bool)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.adopted {
		t.take = take
		t.start()
	}
	return t.adopted
}

// start starts a goroutine that takes what is pending, unless one runs. The caller holds the lock.
func (t *turns) start() {
	if t.take != nil && !t.running && t.pending > 0 {
		t.running = true
		go t.run()
	}
}

func (t *turns) run() {
	for t.take() && t.more() {
		continue
	}
}

func (t *turns) more() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pending--
	t.running = t.pending > 0
	return t.running
}
