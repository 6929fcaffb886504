package postgres

import (
	"context"
	"errors"
	"net"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

// A primary with a synchronous standby (synchronous_standby_names) commits by itself first and answers when the standby has the commit,
// too. When that wait is cancelled, it answers as if the standby had it, with a warning: what is acknowledged then is lost with the
// primary. So a commit that waits is not cancelled: its connection is given up, its transaction stays invisible until the standby has it,
// and the caller hears that no answer came. A wait that others cancel (statement_timeout, pg_cancel_backend) counts as no answer, either.

var (
	errAlone = errors.New("the wait for the synchronous standby was cancelled: the primary alone has the commit")
	errWaits = errors.New("a commit that waits for a synchronous standby is not cancelled")
)

// session is what is known of one connection.
type session struct {
	pid        uint32
	committing atomic.Bool // a commit was sent, and no answer has come
	alone      atomic.Bool // the server has warned that the primary alone has a commit
}

const sessionName = "session"

// watchCommits gives a connection that is to be made a session.
func (db *DB) watchCommits(_ context.Context, conn *pgx.ConnConfig) error {
	s := new(session)
	dial, watch, notice := conn.DialFunc, conn.BuildContextWatcherHandler, conn.OnNotice
	conn.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if s.committing.Load() && db.waitsForStandby(ctx, s.pid) { // pgx opens another connection to cancel what this one does
			return nil, errWaits
		}
		return dial(ctx, network, addr)
	}
	conn.BuildContextWatcherHandler = func(pg *pgconn.PgConn) ctxwatch.Handler {
		s.pid = pg.PID()
		pg.CustomData()[sessionName] = s
		return watch(pg)
	}
	conn.OnNotice = func(pg *pgconn.PgConn, n *pgconn.Notice) {
		if n.Routine == "SyncRepWaitForLSN" {
			s.alone.Store(true)
		}
		if notice != nil {
			notice(pg, n)
		}
	}
	return nil
}

// waitsForStandby reports whether a server process waits for a synchronous standby, or that is not known: a pooler does not say which
// process it is.
func (db *DB) waitsForStandby(ctx context.Context, pid uint32) bool {
	if db.pooler {
		return true
	}
	var waits bool
	err := db.lists.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep')`, int64(pid)).Scan(&waits)
	return err != nil || waits
}

// sendCommit sends a batch that ends a transaction.
func sendCommit(conn *pgx.Conn, send func() pgx.BatchResults) error {
	s, known := conn.PgConn().CustomData()[sessionName].(*session)
	if !known {
		return send().Close() //nolint:wrapcheck // its caller says what it was for
	}
	s.committing.Store(true)
	err := send().Close()
	if !conn.IsClosed() { // else what is left of it is cancelled after this
		s.committing.Store(false)
	}
	if s.alone.Swap(false) && err == nil {
		return errAlone
	}
	return err //nolint:wrapcheck // its caller says what it was for
}
