package accept_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/accept"
)

// halted is a queue that holds the writer up until it is let go.
type halted struct {
	*river.Client[pgx.Tx]
	entered, release chan struct{}
}

func (h *halted) InsertManyTx(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams) ([]*rivertype.JobInsertResult, error) {
	h.entered <- struct{}{}
	<-h.release
	return h.Client.InsertManyTx(ctx, tx, params) //nolint:wrapcheck // as it is
}

func TestWatchdogSeesAWriterThatStandsStill(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	jobs, err := river.NewClient(riverpgxv5.New(b.db.Pool), &river.Config{})
	require.NoError(t, err)
	queue := &halted{jobs, make(chan struct{}), make(chan struct{})}
	var log bytes.Buffer
	var passed atomic.Int64
	a := b.acceptor(t, func(cfg *accept.Config) {
		cfg.Jobs, cfg.Logger = queue, slog.New(slog.NewTextHandler(&log, nil))
		cfg.Now = func() time.Time { return b.now.Add(time.Duration(passed.Load())) }
	})
	stalled := func() bool {
		_, stalled := a.Stalled()
		return stalled
	}

	passed.Store(int64(time.Hour))
	require.False(t, stalled(), "nobody waits")
	done := make(chan error, 1)
	go func() {
		_, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", "t1")}})
		done <- err
	}()
	<-queue.entered
	passed.Add(int64(9 * time.Second))
	a.LookAfterWriters(t.Context())
	require.False(t, stalled())
	require.Empty(t, log.String())

	passed.Add(int64(time.Second))
	require.True(t, stalled())
	a.LookAfterWriters(t.Context())
	require.Contains(t, log.String(), "accepting stands still")
	require.Contains(t, log.String(), "InsertManyTx", "the stack of the writer")
	said := log.Len()
	a.LookAfterWriters(t.Context())
	require.Equal(t, said, log.Len(), "once")

	close(queue.release)
	require.NoError(t, <-done)
	require.False(t, stalled(), "it recovers by itself")
	a.LookAfterWriters(t.Context())
	require.Contains(t, log.String(), "moves again")
}

// TestHeavyCallsHoldUpTheirLikeOnly stores a light event while a heavy one stands still.
func TestHeavyCallsHoldUpTheirLikeOnly(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	jobs, err := river.NewClient(riverpgxv5.New(b.db.Pool), &river.Config{})
	require.NoError(t, err)
	queue := &halted{jobs, make(chan struct{}), make(chan struct{})}
	first := b.acceptor(t)
	acceptAll(t, first, b.item("good", "t0"))
	a := b.acceptor(t, func(cfg *accept.Config) { cfg.Jobs = queue })
	heavy := b.item("good", "heavy")
	heavy.Payload = []byte(`{"text":"` + strings.Repeat("x", 2<<20) + `"}`)
	done := make(chan error, 2)
	send := func(item accept.Acceptance) {
		_, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{item}})
		done <- err
	}
	go send(heavy)
	<-queue.entered // the heavy one is being written
	go send(b.item("good", "light"))
	<-queue.entered // and the light one all the same
	close(queue.release)
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	require.Equal(t, 3, b.count(t, "events"))
}
