package auth

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
)

// hashing is Passwords whose only slot is taken, so that nothing depends on how fast the machine is.
type hashing struct {
	*Passwords
	t    *testing.T
	free func()

	mu    sync.Mutex
	order []string // in which callers were served
	ended sync.WaitGroup
}

func newHashing(t *testing.T) *hashing {
	t.Helper()
	h := &hashing{Passwords: newPasswords(1, time.Hour, nil), t: t}
	begun, end := make(chan struct{}), make(chan struct{})
	h.ended.Go(func() {
		_ = h.Do(t.Context(), false, func() { close(begun); <-end })
	})
	<-begun
	h.free = sync.OnceFunc(func() { close(end) })
	t.Cleanup(func() { h.free(); h.ended.Wait() })
	return h
}

// queue has a caller from an address wait, and returns where its failure is told.
func (h *hashing) queue(name, address string, known bool) <-chan error {
	h.t.Helper()
	waits, failed := make(chan struct{}), make(chan error, 1)
	ctx := &announcing{viewer.WithAddress(h.t.Context(), address), sync.OnceFunc(func() { close(waits) })}
	h.ended.Go(func() {
		failed <- h.Do(ctx, known, func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.order = append(h.order, name)
		})
	})
	select {
	case <-waits:
	case err := <-failed:
		failed <- err
	}
	return failed
}

// served frees the slot and returns in which order those who waited were served.
func (h *hashing) served() []string {
	h.free()
	h.ended.Wait()
	return h.order
}

// announcing is a context that signals when a call begins to wait for it.
type announcing struct {
	context.Context //nolint:containedctx // it is one
	asked           func()
}

// Done signals first.
func (a *announcing) Done() <-chan struct{} {
	a.asked()
	return a.Context.Done()
}

func requireBusy(t *testing.T, err error) {
	t.Helper()
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	require.Positive(t, fault.RetrySeconds(err))
}

// TestFloodOfOneNetwork fills the queue from one network: callers from another one still get their turn, before the flood.
func TestFloodOfOneNetwork(t *testing.T) {
	t.Parallel()
	h := newHashing(t)
	var flood []<-chan error
	for i := range hashingQueue {
		flood = append(flood, h.queue("flood", fmt.Sprintf("203.0.113.%d", i), false))
	}
	requireBusy(t, <-h.queue("flood", "203.0.113.99", false))
	person := h.queue("person", "198.51.100.7", false)
	requireBusy(t, <-flood[hashingQueue-1]) // the last one gave its place to the person
	order := h.served()
	require.NoError(t, <-person)
	require.Len(t, order, hashingQueue)
	require.Equal(t, []string{"flood", "person", "flood"}, order[:3], "networks take turns")
}

// TestFloodOfManyNetworks fills the queue from as many networks as it holds: whoever uses a device in which they logged in
// before is served first.
func TestFloodOfManyNetworks(t *testing.T) {
	t.Parallel()
	h := newHashing(t)
	for i := range hashingQueue {
		h.queue("flood", fmt.Sprintf("203.0.%d.1", i), false)
	}
	requireBusy(t, <-h.queue("stranger", "198.51.100.7", false))
	person := h.queue("person", "198.51.100.7", true)
	order := h.served()
	require.NoError(t, <-person)
	require.Len(t, order, hashingQueue)
	require.Equal(t, "person", order[0])
}

func TestCallersWhoLeaveAreNotHashedFor(t *testing.T) {
	t.Parallel()
	h := newHashing(t)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	require.Equal(t, fault.Unavailable, fault.KindOf(h.Do(ctx, false, func() { t.Error("hashed") })))
	hashed := 0
	p := NewPasswords(func() { hashed++ })
	hash, err := p.Hash(t.Context(), "correct horse battery")
	require.NoError(t, err)
	right, err := p.Matches(t.Context(), false, hash, "correct horse battery")
	require.NoError(t, err)
	require.True(t, right)
	right, err = p.Matches(t.Context(), false, "", "correct horse battery")
	require.NoError(t, err)
	require.False(t, right)
	require.Equal(t, 3, hashed, "an unknown person's password costs as much")
}
