package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// What Writable reports of a server that answers, and takes no writes or no connection.
var (
	ErrReadOnly = errors.New("the database is read-only")
	ErrDiskFull = errors.New("the database has no space left")
	ErrCrowded  = errors.New("the database gives no connection")
	ErrLogIn    = errors.New("the database refuses the log-in")
)

// How the server refuses a write (PostgreSQL, appendix A).
const (
	readOnlyTransaction = "25006" // of a standby, above all
	diskFull            = "53100" // it needs space which the server does not have
	tooManyConnections  = "53300" // of the server, the database or the role
	logInRefused        = "28"    // the class: the user, the password, or where it comes from
)

// fullFor is for how long a server that refused a write for want of space counts as full: then one is tried again.
const fullFor = 15 * time.Second

// renewEvery is how often connections are replaced at most because the server that they lead to takes no writes.
const renewEvery = time.Second

// crowdedFor is how long Writable waits for one of the connections that there are, where no further one is given.
const crowdedFor = 500 * time.Millisecond

// refusals are when the server last refused a write for want of space, and when connections were last replaced because it takes
// none, in nanoseconds since 1970; 0: never.
type refusals struct{ full, renewed atomic.Int64 }

// observe hears of the errors of the connections that are made with conn.
func (db *DB) observe(conn *pgconn.Config) {
	before := conn.OnPgError
	conn.OnPgError = func(c *pgconn.PgConn, err *pgconn.PgError) bool {
		switch err.Code {
		case diskFull:
			db.refused.full.Store(time.Now().UnixNano())
		case readOnlyTransaction:
			db.renew()
		}
		return before == nil || before(c, err)
	}
}

// renew replaces all connections, those in use when they are given back. A standby keeps its connections open while the address leads
// to the new primary already, as that of a proxy or a name does after a fail-over.
func (db *DB) renew() {
	now, last := time.Now().UnixNano(), db.refused.renewed.Load()
	if now-last < int64(renewEvery) || !db.refused.renewed.CompareAndSwap(last, now) || db.Pool == nil { // nil: while it is opened
		return
	}
	db.Pool.Reset()
	if db.lists != db.Pool {
		db.lists.Reset()
	}
}

// Writable asks the server whether it takes writes. The error wraps ErrReadOnly of a standby and of a database that is set
// read-only, ErrDiskFull within 15 seconds of a write that was refused for want of space, ErrCrowded when a connection was needed, there
// are too many, and none of them became free for half a second, ErrLogIn when one was needed and the user may not have it; any other
// means that no answer came.
func (db *DB) Writable(ctx context.Context) error {
	readOnly, err := db.readOnly(ctx)
	end := time.Now().Add(crowdedFor)
	for Code(err) == tooManyConnections && db.Pool.Stat().TotalConns() > 0 && time.Now().Before(end) && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(crowdedFor / 20):
			readOnly, err = db.readOnly(ctx)
		}
	}
	if err != nil {
		switch code := Code(err); {
		case code == tooManyConnections:
			return fmt.Errorf("%w: %w", ErrCrowded, err)
		case strings.HasPrefix(code, logInRefused):
			return fmt.Errorf("%w: %w", ErrLogIn, err)
		}
		return Translate(err)
	}
	if readOnly {
		db.renew()
		return ErrReadOnly
	}
	if time.Since(time.Unix(0, db.refused.full.Load())) < fullFor {
		return ErrDiskFull
	}
	return nil
}

func (db *DB) readOnly(ctx context.Context) (yes bool, err error) {
	err = db.Pool.QueryRow(ctx, `SELECT current_setting('transaction_read_only') = 'on'`).Scan(&yes)
	return yes, err
}
