package app

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/telemetry"
)

// TestReadyIsAFigure: what /readyz answers can be alerted on, also while the database is away, when figures of rows are missing.
func TestReadyIsAFigure(t *testing.T) {
	t.Parallel()
	a := &App{
		cfg: &config.Config{}, log: slog.New(slog.DiscardHandler), metrics: telemetry.NewMetrics("v"), db: &database{DB: pgtest.New(t)},
	}
	a.writable.Ask = a.askWritable
	a.clock = postgres.NewClockGuard(a.db.DB, a.log, postgres.SystemClock())
	a.acceptor = accept.NewAcceptor(accept.Config{DB: a.db.DB, Queue: queue.New(), Now: time.Now, Logger: a.log})
	a.figures = newFigures(a.db.DB, admission.NewSeats(1), queue.New(), a.acceptor.Stalled, a.condition)
	require.NoError(t, a.metrics.Register(a.figures))
	read := func() string {
		rec := httptest.NewRecorder()
		a.metrics.Handler().ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
		text, err := io.ReadAll(rec.Body)
		require.NoError(t, err)
		return string(text)
	}
	const due = `carillon_due_late_seconds{kind="events"} 0`
	require.Contains(t, read(), "\ncarillon_ready 1\n")
	require.Contains(t, read(), due)

	lock, err := a.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = lock.Rollback(context.Background()) }() // the pool is closed only when it has its connections
	_, err = lock.Exec(t.Context(), "LOCK TABLE notifications")
	require.NoError(t, err)
	locked := read()
	require.Contains(t, locked, "\ncarillon_ready 1\n", "events are accepted while a table of due rows is locked")
	require.NotContains(t, locked, due)
	require.NoError(t, lock.Rollback(t.Context()))

	a.draining.Store(true)
	require.Contains(t, read(), "\ncarillon_ready 0\n")
	require.Contains(t, read(), due, "a process that stops still delivers")

	a.draining.Store(false)
	a.db.Pool.Close()
	text := read()
	require.Contains(t, text, "\ncarillon_ready 0\n")
	require.Contains(t, text, "carillon_pool_connections{")
	require.NotContains(t, text, due)
}
