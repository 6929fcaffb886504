package pgmessage_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/stall"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	env, integration := s.Here.Scope.EnvironmentID, s.Here.IDs["integrations"]
	policy := pgmessage.BreakerPolicy{Failures: 3, Pause: time.Minute, Longest: 3 * time.Minute}
	record := func(sign pgmessage.Health) string {
		sign.EnvironmentID, sign.IntegrationID = env, integration
		changes, err := pgmessage.RecordHealth(s.Ctx, s.DB, []pgmessage.Health{sign}, policy)
		require.NoError(t, err)
		return fmt.Sprint(pgtest.Names(changes, func(c *pgmessage.BreakerChange) string { return c.State }))
	}
	probe := func(environment string, minutes int) bool {
		taken, err := pgmessage.TakeProbes(s.Ctx, s.Pool, []pgmessage.Probe{{EnvironmentID: environment, IntegrationID: integration, Now: *pgtest.At(minutes)}}, time.Minute)
		require.NoError(t, err)
		return taken[integration]
	}
	require.Equal(t, "[]", record(pgmessage.Health{Failures: 2, At: pgtest.Noon}))
	require.Equal(t, "[]", record(pgmessage.Health{Well: true, At: pgtest.Noon}), "it was closed before")
	require.Zero(t, pgtest.Ask[int](s, `SELECT breaker_failures FROM integrations WHERE id = $1`, integration))
	require.Equal(t, "[]", record(pgmessage.Health{Failures: 2, At: pgtest.Noon}))
	require.False(t, probe(env, 60), "a closed breaker gets no probe")
	require.Equal(t, "[open]", record(pgmessage.Health{Failures: 1, At: pgtest.Noon, Cause: "down"}), "failures in a row add up")
	require.Equal(t, "[]", record(pgmessage.Health{Well: true, At: pgtest.Noon}), "a call that began before proves nothing")
	require.False(t, probe(env, 0), "not before the pause is over")
	require.False(t, probe(s.There.Scope.EnvironmentID, 1), "nor from another environment")
	require.True(t, probe(env, 1))
	require.False(t, probe(env, 1), "one at a time")
	require.Equal(t, "[open]", record(pgmessage.Health{Failures: 1, At: *pgtest.At(2)}))
	require.True(t, probe(env, 4), "the pause is as long as the breaker has been open")
	require.Equal(t, "[closed]", record(pgmessage.Health{Well: true, Probe: true, At: *pgtest.At(4)}))
	require.Zero(t, pgtest.Ask[int](s, `SELECT breaker_failures FROM integrations WHERE id = $1`, integration))
	require.Equal(t, "[open]", record(pgmessage.Health{Failures: 1, Fault: true, At: pgtest.Noon}), "a failure of its own for sure opens at once")
	require.Equal(t, "[closed]", record(pgmessage.Health{Well: true, Probe: true, Anew: true, Failures: 2, At: pgtest.Noon}),
		"a probe that works closes it, and the failures after it count from zero")
	require.Equal(t, 2, pgtest.Ask[int](s, `SELECT breaker_failures FROM integrations WHERE id = $1`, integration))
	require.Equal(t, "[open]", record(pgmessage.Health{Well: true, Probe: true, Anew: true, Failures: 3, At: pgtest.Noon}), "it was closed before")
	require.Equal(t, "[closed open]", record(pgmessage.Health{Well: true, Probe: true, Anew: true, Failures: 3, At: pgtest.Noon}))
}

func TestReservePace(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	integration := s.Here.IDs["integrations"]
	reserve := func(environment string, minutes int) map[string]time.Duration {
		begins, err := pgmessage.ReservePace(s.Ctx, s.Pool, []pgmessage.Pace{{EnvironmentID: environment, IntegrationID: integration, Now: *pgtest.At(minutes), Span: 30 * time.Second, Step: 30 * time.Second, Ahead: time.Hour}})
		require.NoError(t, err)
		return begins
	}
	env := s.Here.Scope.EnvironmentID
	require.Equal(t, map[string]time.Duration{integration: 0}, reserve(env, 0))
	require.Equal(t, 30*time.Second, reserve(env, 0)[integration], "behind what was reserved before")
	require.Zero(t, reserve(env, 2)[integration], "what has passed is not made up for")
	require.Empty(t, reserve(s.There.Scope.EnvironmentID, 0))
}

// TestHealthLocksInOrder: while one integration is held, as by a claim that reserves time of it, RecordHealth holds none behind it,
// whichever failed first.
func TestHealthLocksInOrder(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	env := s.Here.Scope.EnvironmentID
	first, second := s.Add(s.Here, "integrations", pgtest.Values{"identifier": "first"}), s.Add(s.Here, "integrations", pgtest.Values{"identifier": "second"})
	require.Less(t, first, second)
	done := make(chan error, 1)
	s.InTx(func(tx pgx.Tx) {
		_, err := tx.Exec(s.Ctx, `SELECT FROM integrations WHERE id = $1 FOR UPDATE`, first)
		require.NoError(t, err)
		go func() {
			_, err := pgmessage.RecordHealth(s.Ctx, s.DB, []pgmessage.Health{
				{EnvironmentID: env, IntegrationID: second, Failures: 1, At: pgtest.Noon}, {EnvironmentID: env, IntegrationID: first, Failures: 1, At: pgtest.Noon},
			}, pgmessage.BreakerPolicy{Failures: 3})
			done <- err
		}()
		require.Eventually(t, func() bool {
			return pgtest.Ask[bool](s, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`)
		}, stall.Limit(time.Minute), 5*time.Millisecond)
		_, err = tx.Exec(s.Ctx, `SELECT FROM integrations WHERE id = $1 FOR UPDATE NOWAIT`, second)
		require.NoError(t, err)
	})
	require.NoError(t, <-done)
	require.Equal(t, 2, pgtest.Ask[int](s, `SELECT sum(breaker_failures)::int FROM integrations WHERE id IN ($1, $2)`, first, second))
}
