package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/carillon/carillon/ent"
)

// Tx is one transaction, seen by ent and by pgx. Inside it use nothing but the Tx, from one goroutine: the root client would
// write outside the transaction.
type Tx struct {
	Ent *ent.Client
	Pgx pgx.Tx
	// Last is sent together with the commit, for what has to wait until everything else is known.
	Last pgx.Batch

	ended     atomic.Bool
	committed []func()
}

// AfterCommit runs fn once the transaction that ctx runs in has committed, never if it does not; outside one at once. It
// is for telling others: fn must not fail and must not block.
func AfterCommit(ctx context.Context, fn func()) {
	tx, ok := TxFromContext(ctx)
	if !ok {
		fn()
		return
	}
	tx.AfterCommit(fn)
}

// AfterCommit is AfterCommit of this transaction.
func (tx *Tx) AfterCommit(fn func()) { tx.committed = append(tx.committed, fn) }

// WithCommits returns a context in which last adds to the end of each transaction that did something, so that what it adds commits
// together with that.
func WithCommits(ctx context.Context, last func(tx *Tx)) context.Context {
	return context.WithValue(ctx, commitsKey{}, last)
}

type (
	txKey      struct{}
	commitsKey struct{}
)

// TxFromContext is the transaction that ctx runs in; ok is false outside Tx, and once the transaction has ended.
func TxFromContext(ctx context.Context) (tx *Tx, ok bool) {
	tx, ok = ctx.Value(txKey{}).(*Tx)
	return tx, ok && !tx.ended.Load()
}

// Client is the ent client of the transaction that ctx runs in, else the root client.
func (db *DB) Client(ctx context.Context) *ent.Client {
	if tx, ok := TxFromContext(ctx); ok {
		return tx.Ent
	}
	return db.Ent
}

// Tx runs fn in a transaction, which begins with its first statement: committed when fn returns nil, rolled back when it
// returns an error or panics. Within fn's context Tx joins the transaction that is already open, so that use cases
// compose; an error of the inner one must then reach the outer one, because Postgres has given the transaction up.
//
// The errors of begin and commit are translated; fn's error comes back as it is.
func (db *DB) Tx(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if tx, ok := TxFromContext(ctx); ok {
		return fn(ctx, tx)
	}
	conn, err := db.SQL.Conn(ctx)
	if err != nil {
		return Translate(fmt.Errorf("begin: %w", err))
	}
	defer conn.Close() // the pool keeps or closes the connection by its state
	var raw *pgx.Conn
	if err := conn.Raw(func(c any) error { raw = c.(*stdlib.Conn).Conn(); return nil }); err != nil { // opened by stdlib
		return Translate(fmt.Errorf("begin: %w", err))
	}
	ptx := &late{own: conn, conn: raw}
	tx := &Tx{Ent: ent.NewClient(ent.Driver(joined{entsql.NewDriver(dialect.Postgres, entsql.Conn{ExecQuerier: begins{conn, ptx}})})), Pgx: ptx}
	defer rollback(ctx, tx)
	if err := fn(context.WithValue(ctx, txKey{}, tx), tx); err != nil {
		return err
	}
	if last, ok := ctx.Value(commitsKey{}).(func(*Tx)); ok && (ptx.begun || tx.Last.Len() > 0) {
		last(tx)
	}
	if err := ptx.end(ctx, &tx.Last); err != nil {
		return Translate(fmt.Errorf("commit: %w", err))
	}
	tx.ended.Store(true) // what runs now is outside it
	for _, callback := range tx.committed {
		callback()
	}
	return nil
}

// rollback ends the transaction if it is still open; after a commit it does nothing. The caller may have left, which
// must not leave the transaction's locks behind.
func rollback(ctx context.Context, tx *Tx) {
	tx.ended.Store(true)
	ctx, cancel := rollbackTime(ctx)
	defer cancel()
	_ = tx.Pgx.Rollback(ctx) // a failed rollback closes the connection, which rolls back too
}

func rollbackTime(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
}

// joined keeps ent inside our transaction: a save with edges opens its own, which panics on a pinned connection.
type joined struct{ *entsql.Driver }

// Tx hands the open transaction on.
func (d joined) Tx(context.Context) (dialect.Tx, error) { return dialect.NopTx(d), nil }

// retries bounds Retry. Five tries with doubling pauses outlast any two batches that take rows in different order.
const retries = 5

// Retry runs fn again when Postgres gave its transaction up in favour of another (deadlock, serialization). fn holds the
// whole transaction; inside an open one it runs once, because only the outermost can be repeated.
func Retry(ctx context.Context, fn func(ctx context.Context) error) error {
	if _, ok := TxFromContext(ctx); ok {
		return fn(ctx)
	}
	for try, pause := 1, 10*time.Millisecond; ; try, pause = try+1, 2*pause {
		err := fn(ctx)
		if err == nil || try == retries || !Retryable(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(rand.N(pause)): // a pause, not a secret
		}
	}
}

// Again is a reason to give a transaction up and try it again: another one has taken away what it rests on.
func Again(reason string) error {
	return &pgconn.PgError{Severity: "ERROR", Code: serialization, Message: reason}
}

// Retryable reports whether err is one after which the same transaction may be tried again and nothing of it has happened.
func Retryable(err error) bool {
	switch Code(err) {
	case serialization, deadlock:
		return true
	}
	return errors.Is(err, driver.ErrBadConn)
}
