package postgres

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// What Writable reports of a server that answers and takes no writes.
var (
	ErrReadOnly = errors.New("the database is read-only")
	ErrDiskFull = errors.New("the database has no space left")
)

// diskFull is how the server refuses a write that needs space which it does not have (PostgreSQL, appendix A).
const diskFull = "53100"

// fullFor is for how long a server that refused a write for want of space counts as full: then one is tried again.
const fullFor = 15 * time.Second

// lastFull is when the server last refused a write for want of space, in nanoseconds since 1970; 0: never.
type lastFull struct{ atomic.Int64 }

// observe hears of the errors of the connections that are made with conn.
func (f *lastFull) observe(conn *pgconn.Config) {
	before := conn.OnPgError
	conn.OnPgError = func(c *pgconn.PgConn, err *pgconn.PgError) bool {
		if err.Code == diskFull {
			f.Store(time.Now().UnixNano())
		}
		return before == nil || before(c, err)
	}
}

// Writable asks the server whether it takes writes. The error wraps ErrReadOnly of a standby and of a database that is set
// read-only, ErrDiskFull within 15 seconds of a write that was refused for want of space; any other means that no answer came.
func (db *DB) Writable(ctx context.Context) error {
	var readOnly bool
	if err := db.Pool.QueryRow(ctx, `SELECT current_setting('transaction_read_only') = 'on'`).Scan(&readOnly); err != nil {
		return Translate(err)
	}
	if readOnly {
		return ErrReadOnly
	}
	if time.Since(time.Unix(0, db.full.Load())) < fullFor {
		return ErrDiskFull
	}
	return nil
}
