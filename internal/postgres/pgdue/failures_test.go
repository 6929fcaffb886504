package pgdue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestFailures(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Accept(0, s.Event("x"))
	run, final := s.Run("x"), s.Run("final")
	run.DueAt = pgtest.At(0)
	s.InsertRuns(run, final)
	failure := &pgdue.Failure{At: pgtest.Noon, Pause: time.Minute, Limit: 3, Parked: workflow.TraceEntry{At: pgtest.Noon, Reason: workflow.ReasonCancelled}}
	for n, want := range []struct {
		parked      bool
		run, events any // when they are tried again
	}{{false, pgtest.JSONTime(1), pgtest.JSONTime(1)}, {false, pgtest.JSONTime(3), pgtest.JSONTime(2)}, {true, nil, nil}} {
		parked, err := pgdue.FailNotification(s.Ctx, s.Pool, "n-x", failure)
		require.NoError(t, err)
		require.Equal(t, want.parked, parked, n)
		parked, err = pgdue.FailEvent(s.Ctx, s.Pool, "e-x", failure)
		require.NoError(t, err)
		require.Equal(t, want.parked, parked, n)
		require.Equal(t, want.run, s.Record("notifications", "n-x")["due_at"], "pauses double with each failure")
		require.Equal(t, want.events, s.Record("events", "e-x")["retry_at"])
	}
	for _, table := range []string{"notifications", "events"} {
		require.Equal(t, 1, pgtest.Ask[int](s, `SELECT count(*) FROM `+table+` WHERE status = 'parked' AND jsonb_array_length(trace) = 1 AND failures = 3`), table)
	}
	parked, err := pgdue.FailNotification(s.Ctx, s.Pool, "n-final", failure)
	require.NoError(t, err)
	require.False(t, parked)
	require.EqualValues(t, 0, pgtest.Ask[int](s, `SELECT failures FROM notifications WHERE id = 'n-final'`), "what is final does not fail")
}

// TestPutOff: what is due is tried again later, and what has come to a later instant meanwhile keeps it.
func TestPutOff(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Accept(0, s.Event("x"))
	due, later := s.Run("due"), s.Run("later")
	due.DueAt, later.DueAt = new(time.Now().Add(-time.Hour)), new(time.Now().Add(time.Minute))
	s.InsertRuns(due, later)
	for _, id := range []string{"n-due", "n-later"} {
		require.NoError(t, pgdue.PutOff(s.Ctx, s.DB, pgdue.DueNotifications, id, time.Hour))
	}
	require.True(t, pgtest.Ask[bool](s, `SELECT due_at > now() + interval '30 minutes' AND failures = 0 FROM notifications WHERE id = 'n-due'`))
	require.True(t, pgtest.Ask[bool](s, `SELECT due_at < now() + interval '30 minutes' FROM notifications WHERE id = 'n-later'`))
}
