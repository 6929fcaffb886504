package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Batch is a transaction that goes to Postgres no more often than it must: it begins with its first statement, and its
// last batch takes the commit along.
type Batch struct {
	Pgx pgx.Tx
	own *late // the same, unless the transaction is another's
}

// Batch runs fn in the transaction that ctx runs in, else in one of its own: committed when fn returns nil, rolled back
// when it returns an error or panics. fn is run again when another transaction was in the way, so what it does must not
// rest on an earlier run. It is for what has no use for ent.
func (db *DB) Batch(ctx context.Context, fn func(*Batch) error) error {
	if tx, ok := TxFromContext(ctx); ok {
		return fn(&Batch{Pgx: tx.Pgx})
	}
	return Retry(ctx, func(ctx context.Context) error {
		return db.inLate(ctx, func(tx *late) error {
			if err := fn(&Batch{tx, tx}); err != nil || tx.ended {
				return err
			}
			if err := tx.end(ctx, &pgx.Batch{}); err != nil {
				return fmt.Errorf("commit: %w", err)
			}
			return nil
		})
	})
}

// Send sends a batch and reads its results.
func (b *Batch) Send(ctx context.Context, batch *pgx.Batch) error {
	return b.Pgx.SendBatch(ctx, batch).Close()
}

// End is Send for the last batch, which takes the commit along. A batch that comes alone needs none, unless
// the wait for locks is bounded: Postgres runs it as one transaction.
func (b *Batch) End(ctx context.Context, batch *pgx.Batch) error {
	switch {
	case b.own == nil && batch.Len() == 0:
		return nil
	case b.own == nil:
		return b.Send(ctx, batch)
	case b.own.begun || b.own.ended || b.own.opening != nil:
		return b.own.end(ctx, batch)
	}
	b.own.ended = true
	return sendCommit(b.own.conn, func() pgx.BatchResults { return b.own.conn.SendBatch(ctx, batch) })
}

type sender interface {
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

// Sender is where a batch of reads goes: the transaction that ctx runs in, else the pool.
func (db *DB) Sender(ctx context.Context) sender {
	if tx, ok := TxFromContext(ctx); ok {
		return tx.Pgx
	}
	return db.Pool
}
