package engine_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// TestIdleProcessesTakeWhatOthersStore: a process without work, whose loops sleep, takes up a row that another process stored
// or left behind, and not before it is due.
func TestIdleProcessesTakeWhatOthersStore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.config.Clock = nil
	sent := make(chan time.Time, 1)
	b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
		sent <- time.Now()
		return &provider.Receipt{ID: "x"}, nil
	}
	b.engine = b.newEngine(b.config)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	b.subscriber("u1")
	b.work()
	due := time.Now().Add(time.Second)
	b.triggered(wf, to("u1"), func(e *ent.EventCreate) { e.SetDueAt(due) })
	next, err := pgdue.Next(t.Context(), b.db)
	require.NoError(t, err)
	require.WithinDuration(t, due, next[pgdue.DueEvents], time.Millisecond)
	require.Len(t, next, 1, "nothing else is due")
	require.False(t, await(t, sent).Before(due))
	b.triggered(wf, to("u1"), left(event.LaneBulk, time.Minute))
	await(t, sent)
}

// TestWrongClocksTakeNothing: a process whose clock was set to another time than the database's takes up nothing until it is right again.
func TestWrongClocksTakeNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.config.Clock = nil
	sent := make(chan time.Time, 1)
	b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
		sent <- time.Now()
		return &provider.Receipt{ID: "x"}, nil
	}
	var ahead, looks atomic.Int64
	looked := make(chan time.Time, 1)
	began := time.Now()
	guard := postgres.NewClockGuard(b.db, slog.New(slog.DiscardHandler), func() (time.Time, time.Duration) {
		if looks.Add(1) == 20 {
			looked <- time.Now()
		}
		ran := time.Since(began)
		return began.Add(ran + time.Duration(ahead.Load())), ran
	})
	b.config.ClockGuard = guard
	b.engine = b.newEngine(b.config)
	ahead.Store(int64(time.Hour))
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	b.subscriber("u1")
	b.triggered(wf, to("u1"), func(e *ent.EventCreate) { e.SetDueAt(time.Now()) })
	b.work()
	await(t, looked)
	require.Empty(t, sent)
	require.Zero(t, b.db.Ent.Notification.Query().CountX(b.ctx))
	apart, err := guard.Apart(t.Context())
	require.NoError(t, err)
	require.Equal(t, time.Hour, apart.Round(time.Minute))
	ahead.Store(0)
	await(t, sent)
}

// TestLoopsSayOnceThatTheDatabaseIsAway: each of them finds that out with each of its looks.
func TestLoopsSayOnceThatTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var log bytes.Buffer
	cfg := b.config
	cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
	cfg.DB = pgtest.Open(t, b.db.Pool.Config().ConnString())
	e := b.newEngine(cfg)
	cfg.DB.Close()
	for range 3 {
		e.LookAtAll(t.Context())
	}
	require.Equal(t, 1, strings.Count(log.String(), "due rows not handled"), log.String())
}
