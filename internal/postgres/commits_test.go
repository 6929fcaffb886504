package postgres_test

import (
	"context"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/embedded"
	"github.com/carillon/carillon/internal/stall"
)

// TestCommitsThatWaitForAStandby: while the synchronous standby is away no commit counts as done, whoever ends the wait for it, and what
// was committed by the primary alone is not seen before the standby has it.
func TestCommitsThatWaitForAStandby(t *testing.T) {
	t.Parallel()
	dir, err := embedded.TempDir("carillon-commits-*", embedded.RAMDisk()...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	server, err := embedded.Start(t.Context(), embedded.Config{DataDir: dir, Obtain: embedded.ObtainAny, Settings: map[string]string{"fsync": "off"}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	db, err := postgres.Open(t.Context(), server.DSN(embedded.Database), postgres.Options{})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	exec(t, db, `CREATE TABLE stored (name text PRIMARY KEY)`)

	stored := func(name string) (yes bool) {
		require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM stored WHERE name = $1)`, name).Scan(&yes))
		return yes
	}
	const insert = `INSERT INTO stored (name) VALUES ($1)`
	exec(t, db, `ALTER SYSTEM SET synchronous_standby_names = 'absent'`)
	exec(t, db, `SELECT pg_reload_conf()`)
	conn, err := pgx.Connect(t.Context(), server.DSN(embedded.Database))
	require.NoError(t, err)
	var other sync.WaitGroup
	t.Cleanup(other.Wait)
	other.Go(func() { // commits until the server has read its settings; this one waits then
		for n := 0; err == nil; n++ {
			_, err = conn.Exec(t.Context(), insert, strconv.Itoa(n))
		}
	})
	require.Eventually(t, func() (waits bool) {
		require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep')`).Scan(&waits))
		return waits
	}, stall.Limit(10*time.Second), 10*time.Millisecond)

	ways := map[string]func(ctx context.Context, name string) error{
		"in a batch": func(ctx context.Context, name string) error {
			return db.Batch(ctx, func(b *postgres.Batch) error {
				_, err := b.Pgx.Exec(ctx, insert, name)
				return err
			})
		},
		"as a batch": func(ctx context.Context, name string) error {
			return db.Batch(ctx, func(b *postgres.Batch) error {
				last := &pgx.Batch{}
				last.Queue(insert, name)
				return b.End(ctx, last)
			})
		},
		"in a transaction": func(ctx context.Context, name string) error {
			return db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
				_, err := tx.Pgx.Exec(ctx, insert, name)
				return err
			})
		},
	}
	waiting := func() (n int) {
		require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`).Scan(&n))
		return n
	}
	for name, way := range ways {
		before := waiting()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		other.Go(func() { ended <- way(ctx, name) })
		require.Eventually(t, func() bool { return waiting() > before }, stall.Limit(10*time.Second), 10*time.Millisecond, name)
		cancel()
		err := <-ended
		require.Error(t, err, name)
		require.Equal(t, fault.Unavailable, fault.KindOf(postgres.Translate(err)), name)
		require.False(t, stored(name), name)
	}
	for name, way := range ways {
		ended := make(chan error, 1)
		other.Go(func() { ended <- way(context.Background(), name+", cancelled") })
		for len(ended) == 0 {
			exec(t, db, `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name <> ''`)
		}
		require.Equal(t, fault.Unavailable, fault.KindOf(postgres.Translate(<-ended)), name)
	}
	exec(t, db, `ALTER SYSTEM RESET synchronous_standby_names`)
	exec(t, db, `SELECT pg_reload_conf()`)
	for name := range ways {
		require.Eventually(t, func() bool { return stored(name) }, stall.Limit(10*time.Second), 10*time.Millisecond, name)
	}
}
