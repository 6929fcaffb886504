package postgres_test

import (
	"context"
	"database/sql/driver"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// TestCallersThatLeave: a statement whose caller has left ends by itself or is cancelled, and its connection serves the next one.
func TestCallersThatLeave(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	conn, err := db.Pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	process := func() (pid int) {
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT pg_backend_pid()`).Scan(&pid))
		return pid
	}
	before := process()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, seconds := range []float64{0.05, 3600} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		_, err := conn.Exec(ctx, `SELECT pg_sleep($1)`, seconds)
		cancel()
		if seconds > 1 {
			require.Equal(t, fault.Unavailable, fault.KindOf(postgres.Translate(err)))
			require.True(t, postgres.Stopped(stopped, err))
			require.False(t, postgres.Stopped(t.Context(), err), "by a time limit of the server's")
		}
		require.Equal(t, before, process())
	}
}

// TestCallersThatLeaveATransaction: what a transaction says after its caller has left, whose connection is taken away, came of that.
func TestCallersThatLeaveATransaction(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx, leave := context.WithCancel(viewer.SystemContext(t.Context()))
	err := db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		_, err := tx.Ent.Organization.Query().Count(ctx)
		require.NoError(t, err)
		leave()
		_, err = tx.Ent.Organization.Query().Count(ctx)
		require.Error(t, err)
		_, err = tx.Ent.Organization.Query().Count(ctx)
		return err
	})
	require.ErrorIs(t, err, driver.ErrBadConn)
	require.True(t, postgres.Stopped(ctx, err))
	require.False(t, postgres.Stopped(t.Context(), err))
}

// TestCallersThatLeaveBehindAPooler: their statements are not cancelled, because a pooler may cancel another one; they end by themselves.
func TestCallersThatLeaveBehindAPooler(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), pgtest.NewURL(t), postgres.Options{Pooler: true})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err = db.Pool.Exec(ctx, `SELECT pg_sleep(0.3)`)
	require.NoError(t, err)
	require.EqualValues(t, 1, db.Pool.Stat().NewConnsCount())
}
