package deliver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
)

// closing is an adapter that reports when its connections were dropped.
type closing struct{ closed atomic.Int32 }

func (*closing) Send(context.Context, *provider.Message) (*provider.Receipt, error) {
	return nil, provider.Failf(provider.Permanent, "not used")
}

func (c *closing) Close() error { c.closed.Add(1); return nil }

// opener opens adapters last changed at a time, and counts them.
func opener(at time.Time, adapter *closing, count *atomic.Int32) func() (*openAdapter, error) {
	return func() (*openAdapter, error) {
		count.Add(1)
		return &openAdapter{Adapter: adapter, updatedAt: at}, nil
	}
}

func TestAdapterCache(t *testing.T) {
	t.Parallel()
	first, second := time.Unix(1, 0), time.Unix(2, 0)

	t.Run("OpensOnceForAll", func(t *testing.T) {
		t.Parallel()
		c := newAdapterCache(10)
		var count atomic.Int32
		adapter, start := &closing{}, make(chan struct{})
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				<-start
				_, err := c.get("a", first, opener(first, adapter, &count))
				require.NoError(t, err)
			})
		}
		close(start)
		all.Wait()
		require.EqualValues(t, 1, count.Load())
	})
	t.Run("HoldsUpNoOther", func(t *testing.T) {
		t.Parallel()
		c := newAdapterCache(10)
		var count atomic.Int32
		opening, finish, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			_, _ = c.get("slow", first, func() (*openAdapter, error) {
				close(opening)
				<-finish
				return &openAdapter{Adapter: &closing{}, updatedAt: first}, nil
			})
		}()
		<-opening
		_, err := c.get("fast", first, opener(first, &closing{}, &count)) // would wait for ever under a lock of all
		require.NoError(t, err)
		close(finish)
		<-done
		require.Equal(t, 2, c.byID.Len())
	})
	t.Run("ClosesWhatItDrops", func(t *testing.T) {
		t.Parallel()
		c := newAdapterCache(2)
		var count atomic.Int32
		old, changed, other, third := &closing{}, &closing{}, &closing{}, &closing{}
		open := func(name string, at time.Time, adapter *closing) {
			t.Helper()
			got, err := c.get(name, at, opener(at, adapter, &count))
			require.NoError(t, err)
			require.Same(t, adapter, got.Adapter)
		}
		open("a", first, old)
		open("a", second, changed)
		require.EqualValues(t, 1, old.closed.Load(), "the integration was changed")
		open("b", first, other)
		open("a", second, changed)
		open("c", first, third)
		require.EqualValues(t, 1, other.closed.Load(), "it was used least recently")
		c.drop([]string{"c", "unknown"})
		require.EqualValues(t, 1, third.closed.Load(), "the integration was deleted")
		require.Zero(t, changed.closed.Load())
		c.close()
		require.EqualValues(t, 1, changed.closed.Load())
		require.EqualValues(t, 4, count.Load())
	})
	t.Run("KeepsNoFailure", func(t *testing.T) {
		t.Parallel()
		c := newAdapterCache(2)
		var count atomic.Int32
		wrong := errors.New("wrong")
		_, err := c.get("a", first, func() (*openAdapter, error) { return nil, wrong })
		require.ErrorIs(t, err, wrong)
		_, err = c.get("a", first, opener(first, &closing{}, &count))
		require.NoError(t, err)
	})
}

// TestDropGoneAdapters: what is not among the integrations any more is closed, the rest stays open.
func TestDropGoneAdapters(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	a := newAdapters(&state.Shared{Config: state.Config{DB: db}})
	require.NoError(t, a.dropGone(t.Context()))
	var count atomic.Int32
	gone := &closing{}
	_, err := a.cache.get("65f1a0b1c2d3e4f5a6b7c8d9", time.Unix(1, 0), opener(time.Unix(1, 0), gone, &count))
	require.NoError(t, err)
	require.NoError(t, a.dropGone(t.Context()))
	require.EqualValues(t, 1, gone.closed.Load())
	require.Zero(t, a.cache.byID.Len())
}

// TestMissingSecretKeyIsLogged: a process that lacks the key of credentials says so, once.
func TestMissingSecretKeyIsLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	w := newWorker(t, func(cfg *state.Config) {
		cfg.Logger = slog.New(slog.NewJSONHandler(&log, nil))
		cfg.Credentials = func(context.Context, pgrun.IntegrationRow) (provider.Credentials, error) { return nil, secret.ErrKey }
	})
	for _, name := range []string{"a", "b"} {
		row := integration(name)
		_, err := w.adapters.get(t.Context(), &row)
		require.Error(t, err)
	}
	require.Equal(t, 1, strings.Count(log.String(), "CARILLON_SECRET_KEY"), log.String())
}

// TestCredentialsThatMayBeReadLater: while the database is away, or a process lacks a key that others have, the integration is not at
// fault, and its messages wait.
func TestCredentialsThatMayBeReadLater(t *testing.T) {
	t.Parallel()
	for err, class := range map[error]provider.Class{
		io.ErrUnexpectedEOF: provider.Transient, secret.ErrKey: provider.Transient, secret.ErrBroken: provider.Fault,
	} {
		w := newWorker(t, func(cfg *state.Config) {
			cfg.Credentials = func(context.Context, pgrun.IntegrationRow) (provider.Credentials, error) {
				return nil, fmt.Errorf("read the variables of credentials: %w", err)
			}
		})
		row := integration("a")
		_, failed := w.adapters.get(t.Context(), &row)
		failure := provider.AsError(failed)
		require.Equal(t, class, failure.Class, err)
		require.Equal(t, class == provider.Transient, failure.OfTarget)
	}
}
