package accept_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
)

// halt holds a writer up, inside its transaction, until it is let go.
type halt struct{ entered, release chan struct{} }

func newHalt() *halt { return &halt{make(chan struct{}), make(chan struct{})} }

// key is an idempotency key whose reply is made by a writer that is held up.
func (h *halt) key(t *testing.T, b *acceptBundle, name string) *accept.Key {
	t.Helper()
	key := b.keyOf(t, name, name)
	key.Reply = func([]accept.Outcome) (*pgaccept.KeyReply, error) {
		h.entered <- struct{}{}
		<-h.release
		return nil, nil
	}
	return key
}

func TestWatchdogSeesAStalledWriter(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	halted := newHalt()
	var log bytes.Buffer
	var passed atomic.Int64
	a := b.acceptor(t, func(cfg *accept.Config) {
		cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
		cfg.Now = func() time.Time { return b.now.Add(time.Duration(passed.Load())) }
	})
	stalled := func() bool {
		_, stalled := a.Stalled()
		return stalled
	}

	passed.Store(int64(time.Hour))
	require.False(t, stalled(), "no request waits")
	done, key := make(chan error, 1), halted.key(t, b, "k")
	go func() {
		_, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", "t1")}, Key: key})
		done <- err
	}()
	<-halted.entered
	passed.Add(int64(9 * time.Second))
	a.CheckWriters(t.Context())
	require.False(t, stalled())
	require.Empty(t, log.String())

	passed.Add(int64(time.Second))
	require.True(t, stalled())
	a.CheckWriters(t.Context())
	require.Contains(t, log.String(), "accepting is stalled")
	require.Contains(t, log.String(), "stalled_for_ms=10000 ")
	require.Contains(t, log.String(), "halt).key", "the stack of the writer")
	said := log.Len()
	a.CheckWriters(t.Context())
	require.Equal(t, said, log.Len(), "once")

	ctx, leave := context.WithCancel(t.Context())
	leave()
	_, err := a.Accept(ctx, accept.Request{Items: []accept.Acceptance{b.item("good", "left")}})
	require.ErrorContains(t, err, "ended before its event was stored", "who waits for the writer may leave")
	require.True(t, stalled())
	close(halted.release)
	require.NoError(t, <-done)
	acceptAll(t, a, b.item("good", "t2"))
	require.Equal(t, 2, b.count(t, "events"), "what the writer had taken is stored")
	require.False(t, stalled(), "it recovers by itself")
	a.CheckWriters(t.Context())
	require.Contains(t, log.String(), "the writer moves")
}

// TestHeavyCallsHoldUpTheirLikeOnly stores a light event while a heavy one is stalled.
func TestHeavyCallsHoldUpTheirLikeOnly(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	halted := newHalt()
	first := b.acceptor(t)
	acceptAll(t, first, b.item("good", "t0"))
	a := b.acceptor(t)
	heavy := b.item("good", "heavy")
	heavy.Payload = []byte(`{"text":"` + strings.Repeat("x", 2<<20) + `"}`)
	done := make(chan error, 2)
	send := func(item accept.Acceptance, key *accept.Key) {
		_, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{item}, Key: key})
		done <- err
	}
	go send(heavy, halted.key(t, b, "heavy"))
	<-halted.entered // the heavy one is being written
	go send(b.item("good", "light"), halted.key(t, b, "light"))
	<-halted.entered // and the light one all the same
	close(halted.release)
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	require.Equal(t, 3, b.count(t, "events"))
}
