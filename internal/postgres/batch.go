package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
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
	db   *DB
	tx   pgx.Tx        // the one it takes part in; nil: its own
	conn *pgxpool.Conn // that it holds, once it began
}

// InSteps runs fn, which reads, decides and then writes, in the transaction that ctx runs in, else in one of its own. That
// is rolled back unless fn ends it with Last. fn is run again when another transaction was in the way.
func (db *DB) InSteps(ctx context.Context, fn func(*Steps) error) error {
	return Retry(ctx, func(ctx context.Context) error {
		s := &Steps{db: db}
		if tx, ok := TxFromContext(ctx); ok {
			s.tx = tx.Pgx
		}
		defer s.release(ctx)
		return fn(s)
	})
}

// Next sends a batch and reads its results.
func (s *Steps) Next(ctx context.Context, batch *pgx.Batch) error {
	if s.tx != nil {
		return s.tx.SendBatch(ctx, batch).Close()
	}
	if s.conn != nil {
		return s.conn.SendBatch(ctx, batch).Close()
	}
	conn, err := s.db.Pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	s.conn = conn
	return conn.SendBatch(ctx, withBegin(batch)).Close()
}

// Last is Next for the batch that ends the transaction.
func (s *Steps) Last(ctx context.Context, batch *pgx.Batch) error {
	switch {
	case s.conn == nil && batch.Len() == 0:
		return nil
	case s.tx != nil:
		return s.tx.SendBatch(ctx, batch).Close()
	case s.conn == nil:
		return s.db.Pool.SendBatch(ctx, batch).Close()
	}
	batch.Queue("commit")
	return s.conn.SendBatch(ctx, batch).Close()
}

// release gives the connection back, which must not be within a transaction any more.
func (s *Steps) release(ctx context.Context) {
	if s.conn == nil {
		return
	}
	defer s.conn.Release()
	if s.conn.Conn().PgConn().TxStatus() != 'I' {
		ctx, cancel := rollbackTime(ctx)
		defer cancel()
		_, _ = s.conn.Exec(ctx, "rollback") // a connection where it fails is closed by the pool
	}
}
