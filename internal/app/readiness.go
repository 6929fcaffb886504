package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
)

// condition is what decides whether a process can serve.
type condition struct {
	draining bool
	database error                            // of postgres.DB.Writable
	busy     bool                             // the database was not asked, because all connections are in use
	writer   time.Duration                    // for how long the writer of events has not moved although requests wait
	stalled  bool                             // writer is too long
	apart    time.Duration                    // by how much the clocks of this machine and the database differ; 0: little
	late     map[pgdue.DueTable]time.Duration // by how much the oldest due row of each kind is late; nil: not asked, or unknown
	unknown  bool                             // the server answers, but not how late rows are, as while a table of theirs is locked
}

// condition looks at the process and its database.
func (a *App) condition(ctx context.Context) condition {
	c := condition{draining: a.draining.Load()}
	if c.draining {
		return c
	}
	if _, c.database = a.writable.Get(ctx, struct{}{}); c.database != nil {
		c.busy = errors.Is(c.database, context.DeadlineExceeded) && a.db.Busy()
		return c
	}
	if c.writer, c.stalled = a.acceptor.Stalled(); c.stalled {
		return c
	}
	if c.apart, c.database = a.clock.Apart(ctx); c.apart > 0 || c.database != nil {
		return c
	}
	var err error
	c.late, err = a.figures.lateness(ctx)
	c.unknown = err != nil
	return c
}

// askWritable asks the database once for all who want to know whether it takes writes.
func (a *App) askWritable(ctx context.Context, askers []struct{}) ([]struct{}, error) {
	return askers, a.db.Writable(ctx)
}

// readiness is the answer to whether requests can be served. A process whose database has rows that are late serves: it
// accepts events, and fewer processes would not deliver them sooner. So does one that cannot learn it: a lock of any one table of due
// rows would otherwise take all processes out of service at once, and where it keeps events from being accepted, the writer shows it.
func (c condition) readiness() (status int, text string) {
	switch {
	case c.draining:
		return http.StatusServiceUnavailable, "stopping"
	case errors.Is(c.database, postgres.ErrReadOnly):
		return http.StatusServiceUnavailable, readOnly
	case errors.Is(c.database, postgres.ErrDiskFull):
		return http.StatusServiceUnavailable, "the database has no space left: nothing is accepted until the disk of Postgres has some"
	case errors.Is(c.database, postgres.ErrCrowded):
		return http.StatusServiceUnavailable, "the database gives no connection: there are as many as Postgres, the database or the role may have"
	case errors.Is(c.database, postgres.ErrLogIn):
		return http.StatusServiceUnavailable, "the database refuses the log-in: correct the user and the password in CARILLON_DATABASE_URL, and restart this process"
	case c.busy:
		return http.StatusServiceUnavailable, "all connections of this process are in use, and no statement ends: look for locks in Postgres, and for a synchronous standby that is away"
	case c.database != nil:
		return http.StatusServiceUnavailable, "the database does not answer"
	case c.stalled:
		return http.StatusServiceUnavailable, fmt.Sprintf("events are not accepted: the writer has not moved for %d s although requests wait; "+
			"the log shows what the process does", int(c.writer.Seconds()))
	case c.apart > 0:
		return http.StatusServiceUnavailable, fmt.Sprintf("the clocks of this machine and the database differ by %s: nothing that is due is taken up "+
			"or deleted until they agree; run NTP on both", c.apart.Round(time.Second))
	}
	if c.unknown {
		return http.StatusOK, "ready, but how late due rows are is not known: look for locks and slow statements in Postgres"
	}
	var late []string
	for _, kind := range slices.Sorted(maps.Keys(c.late)) {
		if by := c.late[kind]; by >= lateAfter {
			late = append(late, fmt.Sprintf("%s by %d s", kind, int(by.Seconds())))
		}
	}
	if len(late) > 0 {
		return http.StatusOK, "ready, but late: " + strings.Join(late, ", ") + "; start more workers, and ask carillon doctor"
	}
	return http.StatusOK, "ready"
}
