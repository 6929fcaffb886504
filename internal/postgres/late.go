package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// late is a transaction that begins with its first statement: a batch takes the BEGIN along, which saves a round trip, and
// one that asks nothing of Postgres costs none.
//
// A connection of database/sql belongs to the transaction as long as that says so: it takes connections away on which ent
// failed, for example because the caller's time was over, and what is taken away may be closed or in other use by now.
type late struct {
	own          owner
	conn         *pgx.Conn // what it owns
	opening      []string  // what begins it; nil: a BEGIN alone
	begun, ended bool
}

const begin = "begin"

// BoundLocks bounds how long each statement of a transaction waits for a lock from here on; one that waits for longer fails, and
// IsLocked says so. At the start of a transaction of Tx or Batch it costs no round trip.
func BoundLocks(ctx context.Context, tx pgx.Tx, wait time.Duration) error {
	bound := fmt.Sprintf("SET LOCAL lock_timeout = %d", wait.Milliseconds())
	if t, ok := tx.(*late); ok && !t.begun {
		t.opening = []string{begin, bound}
		return nil
	}
	if _, err := tx.Exec(ctx, bound); err != nil {
		return fmt.Errorf("bound the wait for locks: %w", err)
	}
	return nil
}

// begins are the statements that begin the transaction.
func (t *late) begins() []string {
	if t.opening != nil {
		return t.opening
	}
	return []string{begin}
}

// owner lends a connection out, with an error once it is not its own any more: *sql.Conn.
type owner interface {
	Raw(fn func(any) error) error
}

// pooled owns a connection of the pool, which leaves it alone until it is given back.
type pooled struct{}

func (pooled) Raw(fn func(any) error) error { return fn(nil) }

// inLate runs fn with a transaction on a connection of the pool, which is rolled back unless fn ends it.
func (db *DB) inLate(ctx context.Context, fn func(*late) error) error {
	conn, err := db.Pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer conn.Release()
	tx := &late{own: pooled{}, conn: conn.Conn()}
	defer func() {
		ctx, cancel := rollbackTime(ctx)
		defer cancel()
		_ = tx.Rollback(ctx) // a failed rollback closes the connection, which rolls back too
	}()
	return fn(tx)
}

var errNoSavepoints = errors.New("a transaction of Tx has no savepoints: an error inside gives all of it up")

// check returns why no more queries are possible.
func (t *late) check() error {
	if t.ended {
		return pgx.ErrTxClosed
	}
	return t.own.Raw(func(any) error { return nil }) //nolint:wrapcheck // sql.ErrConnDone
}

// start begins the transaction for what cannot take the BEGIN along.
func (t *late) start(ctx context.Context) error {
	if err := t.check(); err != nil || t.begun {
		return err
	}
	t.begun = true
	if _, err := t.conn.Exec(ctx, strings.Join(t.begins(), "; ")); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	return nil
}

// SendBatch sends statements in one round trip, the BEGIN before them if it is still to come.
func (t *late) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	if err := t.check(); err != nil {
		return pgx.FailedBatchResults(b, err)
	}
	if t.begun || b.Len() == 0 {
		return t.conn.SendBatch(ctx, b)
	}
	t.begun = true
	begins := t.begins()
	results := t.conn.SendBatch(ctx, behind(begins, b))
	for range begins {
		_, _ = results.Exec() // an error of it is that of every later result
	}
	return results
}

// behind is a batch that does what b says behind other statements.
func behind(first []string, b *pgx.Batch) *pgx.Batch {
	begun := &pgx.Batch{}
	for _, sql := range first {
		begun.Queue(sql)
	}
	begun.QueuedQueries = append(begun.QueuedQueries, b.QueuedQueries...)
	return begun
}

// end commits, with last before in the same round trip.
func (t *late) end(ctx context.Context, last *pgx.Batch) error {
	if t.ended {
		return pgx.ErrTxClosed
	}
	if !t.begun && last.Len() == 0 {
		t.ended = true
		return nil
	}
	last.Queue("commit").Exec(func(tag pgconn.CommandTag) error {
		if tag.String() == "ROLLBACK" {
			return pgx.ErrTxCommitRollback
		}
		return nil
	})
	if err := sendCommit(t.conn, func() pgx.BatchResults { return t.SendBatch(ctx, last) }); err != nil {
		return err
	}
	t.ended = true
	return nil
}

func (t *late) Commit(ctx context.Context) error { return t.end(ctx, &pgx.Batch{}) }

// Rollback gives the transaction up. A connection where that fails is closed, which gives it up, too.
func (t *late) Rollback(ctx context.Context) error {
	if t.ended {
		return pgx.ErrTxClosed
	}
	t.ended = true
	err := t.own.Raw(func(any) error {
		if t.conn.PgConn().TxStatus() == 'I' {
			return nil
		}
		_, err := t.conn.Exec(ctx, "rollback")
		if err != nil {
			_ = t.conn.Close(ctx)
		}
		return err //nolint:wrapcheck // below
	})
	if err != nil {
		return fmt.Errorf("roll back: %w", err)
	}
	return nil
}

func (t *late) Begin(context.Context) (pgx.Tx, error) { return nil, errNoSavepoints }

func (t *late) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if err := t.start(ctx); err != nil {
		return pgconn.CommandTag{}, err
	}
	return t.conn.Exec(ctx, sql, args...) //nolint:wrapcheck // says nothing of its own
}

func (t *late) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if err := t.start(ctx); err != nil {
		return nil, err
	}
	return t.conn.Query(ctx, sql, args...) //nolint:wrapcheck // says nothing of its own
}

func (t *late) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if err := t.start(ctx); err != nil {
		return failedRow{err}
	}
	return t.conn.QueryRow(ctx, sql, args...)
}

type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

func (t *late) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if err := t.start(ctx); err != nil {
		return 0, err
	}
	return t.conn.CopyFrom(ctx, table, columns, rows) //nolint:wrapcheck // says nothing of its own
}

func (t *late) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	return t.conn.Prepare(ctx, name, sql) //nolint:wrapcheck // says nothing of its own
}

func (t *late) LargeObjects() pgx.LargeObjects { panic("large objects are not used") }

// Conn is the connection, within the transaction only if that has begun.
func (t *late) Conn() *pgx.Conn { return t.conn }

// begins lets ent's statements begin the transaction.
type begins struct {
	entsql.ExecQuerier
	tx *late
}

func (b begins) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := b.tx.start(ctx); err != nil {
		return nil, err
	}
	return b.ExecQuerier.ExecContext(ctx, query, args...) //nolint:wrapcheck // ent's own
}

func (b begins) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := b.tx.start(ctx); err != nil {
		return nil, err
	}
	return b.ExecQuerier.QueryContext(ctx, query, args...) //nolint:wrapcheck // ent's own
}
