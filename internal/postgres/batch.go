package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Together runs statements in one round trip: within the transaction that ctx runs in, else in one of their own, which
// commits when all of them succeed. Each sees what those before it did; results are read by the functions queued with
// them. fn is run again when another transaction was in the way, so what it queues must not rest on an earlier run.
func (db *DB) Together(ctx context.Context, fn func(*pgx.Batch) error) error {
	return Retry(ctx, func(ctx context.Context) error {
		batch := &pgx.Batch{}
		if err := fn(batch); err != nil {
			return err
		}
		return db.sender(ctx).SendBatch(ctx, batch).Close()
	})
}

type sender interface {
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

func (db *DB) sender(ctx context.Context) sender {
	if tx, ok := TxFromContext(ctx); ok {
		return tx.Pgx
	}
	return db.Pool
}

// Steps is a transaction that goes to Postgres no more often than it must: it begins with its first batch and commits
// with its last.
type Steps struct {
	tx  pgx.Tx
	own *late // the same, unless another's transaction is taken part in
}

// InSteps runs fn, which reads, decides and then writes, in the transaction that ctx runs in, else in one of its own. That
// is rolled back unless fn ends it with Last. fn is run again when another transaction was in the way.
func (db *DB) InSteps(ctx context.Context, fn func(*Steps) error) error {
	if tx, ok := TxFromContext(ctx); ok {
		return fn(&Steps{tx: tx.Pgx})
	}
	return Retry(ctx, func(ctx context.Context) error {
		return db.inLate(ctx, func(tx *late) error { return fn(&Steps{tx, tx}) })
	})
}

// Next sends a batch and reads its results.
func (s *Steps) Next(ctx context.Context, batch *pgx.Batch) error {
	return s.tx.SendBatch(ctx, batch).Close()
}

// Last is Next for the batch that ends the transaction.
func (s *Steps) Last(ctx context.Context, batch *pgx.Batch) error {
	switch {
	case s.own != nil:
		return s.own.end(ctx, batch)
	case batch.Len() == 0:
		return nil
	}
	return s.Next(ctx, batch)
}
