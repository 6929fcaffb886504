package postgres_test

import (
	"context"
	"errors"
	"testing"

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

func TestSteps(t *testing.T) {
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
	require.NoError(t, db.InSteps(ctx, func(s *postgres.Steps) error {
		require.NoError(t, s.Next(ctx, adding(1)))
		return s.Last(ctx, adding(2))
	}))
	require.NoError(t, db.InSteps(ctx, func(s *postgres.Steps) error { return s.Last(ctx, adding(3)) }))
	require.Equal(t, []int{1, 2, 3}, marks(), "what ends with Last is committed")

	failure := errors.New("refused")
	require.ErrorIs(t, db.InSteps(ctx, func(s *postgres.Steps) error {
		require.NoError(t, s.Next(ctx, adding(4)))
		return failure
	}), failure)
	require.NoError(t, db.InSteps(ctx, func(s *postgres.Steps) error { return s.Next(ctx, adding(4)) }))
	require.Error(t, db.InSteps(ctx, func(s *postgres.Steps) error {
		require.NoError(t, s.Next(ctx, adding(4)))
		last := adding(5)
		last.Queue(`INSERT INTO marks (n) VALUES (1)`)
		return s.Last(ctx, last)
	}))
	left, leave := context.WithCancel(ctx)
	require.Error(t, db.InSteps(left, func(s *postgres.Steps) error {
		require.NoError(t, s.Next(left, adding(4)))
		leave()
		return s.Last(left, adding(5))
	}))
	require.Equal(t, []int{1, 2, 3}, marks(), "and nothing else")

	require.ErrorIs(t, db.InTx(ctx, func(ctx context.Context, _ *postgres.Tx) error {
		require.NoError(t, db.InSteps(ctx, func(s *postgres.Steps) error {
			require.NoError(t, s.Next(ctx, adding(4)))
			return s.Last(ctx, adding(5))
		}))
		require.NoError(t, db.Together(ctx, func(batch *pgx.Batch) error {
			batch.Queue(`INSERT INTO marks (n) VALUES (6)`)
			return nil
		}))
		return failure
	}), failure)
	require.Equal(t, []int{1, 2, 3}, marks(), "a transaction that is there decides")
	require.Zero(t, db.Pool.Stat().AcquiredConns())
}

func TestTogetherIsAllOrNothing(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	_, err := db.Pool.Exec(t.Context(), `CREATE TABLE marks (n int PRIMARY KEY)`)
	require.NoError(t, err)
	require.Error(t, db.Together(t.Context(), func(batch *pgx.Batch) error {
		batch.Queue(`INSERT INTO marks (n) VALUES (1)`)
		batch.Queue(`INSERT INTO marks (n) VALUES (1)`)
		return nil
	}))
	var n int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM marks`).Scan(&n))
	require.Zero(t, n)
}
