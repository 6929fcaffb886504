package auth

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
)

// TestPasswordsAreHashedAFewAtATime holds all slots, so that nothing depends on how fast the machine is.
func TestPasswordsAreHashedAFewAtATime(t *testing.T) {
	t.Parallel()
	p := NewPasswords()
	free, held := make(chan struct{}), make(chan error)
	begun := make(chan struct{})
	for range cap(p.slots) {
		go func() { held <- p.take(t.Context(), "a", func() { begun <- struct{}{}; <-free }) }()
	}
	for range cap(p.slots) {
		<-begun
	}
	left, leave := context.WithCancel(t.Context())
	waiting := make(chan error)
	rest := hashingWaits - cap(p.slots) // who holds a slot counts as well
	for n := range rest {
		network := string(rune('b' + n/hashingWaitsOfNetwork)) // as many as one network may have, and then another one
		require.True(t, p.enter(network))
		p.leave(network)
		entered := make(chan struct{})
		go func() {
			waiting <- p.take(&announcing{left, sync.OnceFunc(func() { close(entered) })}, network, func() {})
		}()
		<-entered
	}
	requireBusy(t, p.take(t.Context(), "b", func() { t.Error("hashed") }))
	requireBusy(t, p.take(t.Context(), "z", func() { t.Error("hashed") }))
	leave()
	for range rest {
		require.ErrorIs(t, <-waiting, context.Canceled)
	}
	close(free)
	for range cap(p.slots) {
		require.NoError(t, <-held)
	}
	require.Zero(t, p.waiting)
	require.Empty(t, p.from)
	require.NoError(t, p.take(t.Context(), "b", func() {}))
}

// announcing is a context that signals when a call begins to wait for it.
type announcing struct {
	context.Context //nolint:containedctx // it is one
	asked           func()
}

// Done tells first.
func (a *announcing) Done() <-chan struct{} {
	a.asked()
	return a.Context.Done()
}

func requireBusy(t *testing.T, err error) {
	t.Helper()
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	require.Positive(t, fault.RetrySeconds(err))
}
