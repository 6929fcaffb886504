package postgres_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func adding(n int) *pgx.Batch {
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO marks (n) VALUES ($1)`, n)
	return batch
}

func TestBatch(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	_, err := db.Pool.Exec(ctx, `CREATE TABLE marks (n int PRIMARY KEY)`)
	require.NoError(t, err)
	marks := func() (n []int) {
		rows, err := db.Pool.Query(ctx, `SELECT n FROM marks ORDER BY n`)
		require.NoError(t, err)
		n, err = pgx.CollectRows(rows, pgx.RowTo[int])
		require.NoError(t, err)
		return n
	}
	require.NoError(t, db.Batch(ctx, func(b *postgres.Batch) error {
		require.NoError(t, b.Send(ctx, adding(1)))
		return b.End(ctx, adding(2))
	}))
	require.NoError(t, db.Batch(ctx, func(b *postgres.Batch) error { return b.End(ctx, adding(3)) }))
	require.NoError(t, db.Batch(ctx, func(b *postgres.Batch) error { return b.Send(ctx, adding(4)) }))
	require.NoError(t, db.Batch(ctx, func(*postgres.Batch) error { return nil }))
	require.Equal(t, []int{1, 2, 3, 4}, marks(), "what returns no error is committed, with End or without")

	failure := errors.New("refused")
	require.ErrorIs(t, db.Batch(ctx, func(b *postgres.Batch) error {
		require.NoError(t, b.Send(ctx, adding(5)))
		return failure
	}), failure)
	require.Error(t, db.Batch(ctx, func(b *postgres.Batch) error {
		require.NoError(t, b.Send(ctx, adding(5)))
		last := adding(6)
		last.Queue(`INSERT INTO marks (n) VALUES (1)`)
		return b.End(ctx, last)
	}))
	left, leave := context.WithCancel(ctx)
	require.Error(t, db.Batch(left, func(b *postgres.Batch) error {
		require.NoError(t, b.Send(left, adding(5)))
		leave()
		return b.End(left, adding(5))
	}))
	require.Equal(t, []int{1, 2, 3, 4}, marks(), "and nothing else")

	require.ErrorIs(t, db.Tx(ctx, func(ctx context.Context, _ *postgres.Tx) error {
		require.NoError(t, db.Batch(ctx, func(b *postgres.Batch) error {
			require.NoError(t, b.Send(ctx, adding(5)))
			return b.End(ctx, adding(6))
		}))
		require.NoError(t, db.Batch(ctx, func(b *postgres.Batch) error { return b.End(ctx, &pgx.Batch{}) }))
		return failure
	}), failure)
	require.Equal(t, []int{1, 2, 3, 4}, marks(), "a transaction that is there decides")
	require.Zero(t, db.Pool.Stat().AcquiredConns())
}

func TestBatchOfOneStepIsAllOrNothing(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	_, err := db.Pool.Exec(t.Context(), `CREATE TABLE marks (n int PRIMARY KEY)`)
	require.NoError(t, err)
	require.Error(t, db.Batch(t.Context(), func(b *postgres.Batch) error {
		batch := adding(1)
		batch.Queue(`INSERT INTO marks (n) VALUES (1)`)
		return b.End(t.Context(), batch)
	}))
	var n int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM marks`).Scan(&n))
	require.Zero(t, n)
}

// TestBatchAsksSeldom counts what goes to Postgres: the BEGIN with the first batch, the COMMIT with the last one, neither
// for one that comes alone, which is a transaction by itself.
func TestBatchAsksSeldom(t *testing.T) {
	t.Parallel()
	seen := &batches{}
	db := pgtest.OpenTraced(t, pgtest.NewURL(t), seen)
	ctx := t.Context()
	_, err := db.Pool.Exec(ctx, `CREATE TABLE marks (n int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)`)
	require.NoError(t, err)
	const insert = `INSERT INTO marks (n) VALUES ($1)`
	seen.taken()
	require.NoError(t, db.Batch(ctx, func(b *postgres.Batch) error { return b.End(ctx, &pgx.Batch{}) }))
	require.Empty(t, seen.taken())
	require.NoError(t, db.Batch(ctx, func(b *postgres.Batch) error { return b.End(ctx, adding(1)) }))
	require.Equal(t, [][]string{{insert}}, seen.taken())
	require.NoError(t, db.Batch(ctx, func(b *postgres.Batch) error {
		require.NoError(t, b.Send(ctx, adding(2)))
		return b.End(ctx, adding(3))
	}))
	require.Equal(t, [][]string{{"begin", insert}, {insert, "commit"}}, seen.taken())
	require.Error(t, db.Batch(ctx, func(b *postgres.Batch) error { return b.End(ctx, adding(1)) }), "what the commit finds is told")
	require.ErrorIs(t, db.Batch(ctx, func(b *postgres.Batch) error {
		require.NoError(t, b.End(ctx, adding(4)))
		return b.Send(ctx, adding(5))
	}), pgx.ErrTxClosed)
}

// TestBatchRunsAgain makes two transactions wait for each other, so that Postgres gives one up.
func TestBatchRunsAgain(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	_, err := db.Pool.Exec(ctx, `CREATE TABLE marks (n int PRIMARY KEY, by int); INSERT INTO marks VALUES (1), (2)`)
	require.NoError(t, err)
	var runs atomic.Int32
	locked := make(chan struct{})
	both := func(first, second int) error {
		return db.Batch(ctx, func(b *postgres.Batch) error {
			run := runs.Add(1)
			if _, err := b.Pgx.Exec(ctx, `UPDATE marks SET by = $2 WHERE n = $1`, first, first); err != nil {
				return err
			}
			switch run {
			case 1:
				<-locked
			case 2:
				locked <- struct{}{}
			}
			_, err := b.Pgx.Exec(ctx, `UPDATE marks SET by = $2 WHERE n = $1`, second, first)
			return err
		})
	}
	ended := make(chan error)
	go func() { ended <- both(1, 2) }()
	go func() { ended <- both(2, 1) }()
	require.NoError(t, <-ended)
	require.NoError(t, <-ended)
	require.GreaterOrEqual(t, runs.Load(), int32(3), "the one that was given up ran again")
	var sum int
	require.NoError(t, db.Pool.QueryRow(ctx, `SELECT sum(by) FROM marks`).Scan(&sum))
	require.Contains(t, []int{2, 4}, sum, "both rows are those of one transaction")
}

// TestBoundLocks: every statement of the transaction waits so long at most, however it begins, and none of the next transaction on the
// same connection.
func TestBoundLocks(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	_, err := db.Pool.Exec(ctx, `CREATE TABLE marks (n int PRIMARY KEY); INSERT INTO marks VALUES (1)`)
	require.NoError(t, err)
	other, err := db.Pool.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = other.Rollback(context.Background()) }() // the pool is closed only when it has its connections
	_, err = other.Exec(ctx, `UPDATE marks SET n = 2`)
	require.NoError(t, err)
	const update = `UPDATE marks SET n = 3`
	change := func() *pgx.Batch {
		batch := &pgx.Batch{}
		batch.Queue(update)
		return batch
	}
	for name, locked := range map[string]func(*postgres.Batch) error{
		"Statement": func(b *postgres.Batch) error { _, err := b.Pgx.Exec(ctx, update); return err },
		"Batch":     func(b *postgres.Batch) error { return b.Send(ctx, change()) },
		"OneBatch":  func(b *postgres.Batch) error { return b.End(ctx, change()) },
	} {
		err := db.Batch(ctx, func(b *postgres.Batch) error {
			require.NoError(t, postgres.BoundLocks(ctx, b.Pgx, 5*time.Millisecond))
			return locked(b)
		})
		require.True(t, postgres.IsLocked(err), "%s: %v", name, err)
	}
	begun := db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		require.NoError(t, tx.Pgx.QueryRow(ctx, `SELECT 1`).Scan(new(int)))
		require.NoError(t, postgres.BoundLocks(ctx, tx.Pgx, 5*time.Millisecond))
		_, err := tx.Pgx.Exec(ctx, update)
		return err
	})
	require.True(t, postgres.IsLocked(begun), "%v", begun)
	var bound string
	require.NoError(t, db.Pool.QueryRow(ctx, `SHOW lock_timeout`).Scan(&bound))
	require.Equal(t, "0", bound)
}
