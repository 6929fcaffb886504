package pgfanout_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestClaimEvents(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	urgent, done := s.Event("urgent"), s.Event("done")
	urgent.Lane = "urgent"
	s.Accept(-5, s.Event("b"))
	s.Accept(0, s.Event("a"), done, urgent)
	s.Exec(`UPDATE events SET due_at = NULL WHERE id = 'e-done'`)
	now := pgdue.Moment{Now: pgtest.Noon}
	name := func(e *pgfanout.EventRow) string { return e.ID }
	claim := func(tx pgx.Tx, ids ...string) []string {
		claimed, err := pgfanout.ClaimEvents(s.Ctx, tx, ids, now)
		require.NoError(t, err)
		return pgtest.Names(claimed, name)
	}
	due := func(tx pgx.Tx, lane string, minutes, limit int) []string {
		claimed, err := pgfanout.ClaimDueEvents(s.Ctx, tx, lane, *pgtest.At(minutes), limit)
		require.NoError(t, err)
		return pgtest.Names(claimed, name)
	}
	s.Meanwhile(func(tx pgx.Tx) { require.Equal(t, []string{"e-a"}, claim(tx, "e-a", "e-done", "e-none")) }, func(tx pgx.Tx) {
		require.Equal(t, []string{"e-b"}, claim(tx, "e-a", "e-b"), "nobody waits for what another has claimed")
		require.Equal(t, []string{"e-b"}, due(tx, "normal", 1, 9))
	})
	for _, c := range []struct {
		lane           string
		minutes, limit int
		want           []string
	}{
		{"normal", 1, 9, []string{"e-b", "e-a"}},
		{"normal", 1, 1, []string{"e-b"}},
		{"normal", 0, 9, []string{"e-b"}},
		{"urgent", 1, 9, []string{"e-urgent"}},
		{"other", 1, 9, []string{}},
	} {
		s.InTx(func(tx pgx.Tx) { require.Equal(t, c.want, due(tx, c.lane, c.minutes, c.limit), c) })
	}
	s.InTx(func(tx pgx.Tx) {
		require.NoError(t, pgfanout.LeaseEvents(s.Ctx, tx, []string{"e-b", "e-done"}, time.Hour))
	})
	require.True(t, pgtest.Ask[bool](s, `SELECT due_at > clock_timestamp() FROM events WHERE id = 'e-b'`))
	require.Nil(t, s.Record("events", "e-done")["due_at"], "what is final stays so")
}

func TestChangeEvents(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Accept(0, s.Event("mine"), s.Event("others"))
	here, there := s.Here.Scope.EnvironmentID, s.There.Scope.EnvironmentID
	change := pgfanout.EventChange{
		EnvironmentID: here, ID: "e-mine", Status: "accepted", Checkpoint: &pgfanout.Checkpoint{After: "x"}, Notified: 2, DueAt: pgtest.At(9),
		Trace: []workflow.TraceEntry{{At: pgtest.Noon, Reason: workflow.ReasonCancelled}},
	}
	foreign := change
	foreign.ID, foreign.EnvironmentID = "e-others", there
	for range 2 {
		s.Send(func(b *pgx.Batch) { pgfanout.ChangeEvents(b, []pgfanout.EventChange{change, foreign}) })
	}
	got := s.Record("events", "e-mine")
	require.Equal(t, []any{pgtest.JSONTime(9), map[string]any{"after": "x"}}, []any{got["due_at"], got["checkpoint"]})
	require.Equal(t, []int{4, 2}, pgtest.Ask[[]int](s, `SELECT ARRAY[notified, jsonb_array_length(trace)] FROM events WHERE id = 'e-mine'`), "both are added to")
	require.Zero(t, pgtest.Ask[int](s, `SELECT notified FROM events WHERE id = 'e-others'`), "an event of another environment is left alone")

	move := func(environment string, from, to pgfanout.Checkpoint, last bool) (moved bool) {
		s.Send(func(b *pgx.Batch) {
			pgfanout.MoveEvent(b, &pgfanout.Move{EnvironmentID: environment, ID: "e-mine", From: from, To: to, Notified: 3, Last: last, Lease: time.Hour},
				func(ok bool, _ *int) error { moved = ok; return nil })
		})
		return moved
	}
	x, y := pgfanout.Checkpoint{After: "x"}, pgfanout.Checkpoint{After: "y"}
	require.False(t, move(here, y, x, false), "another has moved it")
	require.False(t, move(there, x, y, false), "it is another environment's")
	s.Exec(`UPDATE events SET due_at = due_at + interval '8765832 hours' WHERE id = 'e-mine'`)
	require.False(t, move(here, x, y, false), "a pause holds it")
	s.Exec(`UPDATE events SET due_at = due_at - interval '8765832 hours' WHERE id = 'e-mine'`)
	require.True(t, move(here, x, y, false))
	require.False(t, move(here, x, y, false), "a page counts once")
	require.Equal(t, 7, pgtest.Ask[int](s, `SELECT notified FROM events WHERE id = 'e-mine'`))
	require.True(t, move(here, y, x, true))
	got = s.Record("events", "e-mine")
	require.Equal(t, []any{"fanned_out", nil}, []any{got["status"], got["due_at"]})
}
