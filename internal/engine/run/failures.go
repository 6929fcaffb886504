package run

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// A row that fails is tried again after a pause that doubles, and parked after about eight minutes.
const (
	failurePause = 2 * time.Second
	maxFailures  = 8
)

// How long the transaction of a batch of runs or events waits for a row that another transaction holds, such as an inbox. The other one may
// be stuck, as that of a process that is frozen, and then only the rows that need what it holds may wait for it.
const (
	lockWait = 2 * time.Second
	// lockWaitAlone is that of one row, after its batch has waited in vain.
	lockWaitAlone = 100 * time.Millisecond
	// lockPause is for how long a row is put off that has waited in vain, so that those behind it do not wait for it at every look.
	lockPause = 5 * time.Second
)

// boundPage bounds how long the transaction of a page waits for a row. When the lease of its event ends, another worker takes the page up, and
// would wait for the same row: by then this one has given it up. Busy rows may hold a page up for longer than a batch, whose rows are then
// handled one by one; a page cannot be divided.
func (f *FanOut) boundPage(ctx context.Context, tx pgx.Tx) error {
	return postgres.BoundLocks(ctx, tx, f.Lease/2)
}

// isAway reports whether err says nothing about a row of the batch. That a row is locked says something about one of them.
func isAway(ctx context.Context, err error) bool {
	return state.IsInfrastructure(ctx, err) && !postgres.IsLocked(err)
}

// failed puts a row off that waits for another transaction, which is no failure of its own, and counts any other one.
func (e *Executor) failed(ctx context.Context, table pgdue.DueTable, rowID string, cause error) error {
	if !postgres.IsLocked(cause) {
		return e.countFailure(ctx, table, rowID, cause)
	}
	if e.DB.VirtualClocks { // no pause of the environment's clock lasts for a known time: the next look tries again
		return cause
	}
	e.Logger.WarnContext(ctx, "row put off: another transaction holds what it needs",
		slog.String("table", string(table)), slog.String("row_id", rowID), slog.String("error", cause.Error()))
	return pgdue.PutOff(ctx, e.DB, table, rowID, lockPause)
}

// countFailure counts a failure of one row. It is tried again after a pause that doubles, and parked in the end.
func (e *Executor) countFailure(ctx context.Context, table pgdue.DueTable, rowID string, cause error) error {
	environmentID, err := pgdue.EnvironmentOf(ctx, e.DB, table, rowID)
	if err != nil {
		return errors.Join(err, cause)
	}
	now, err := e.Clocks.ReadNow(ctx, environmentID)
	if err != nil {
		return errors.Join(err, cause)
	}
	_, frozen := e.Clocks.FrozenAt(environmentID)
	f := &pgdue.Failure{At: now, Frozen: frozen, Pause: failurePause, Limit: maxFailures}
	f.Parked = workflow.TraceEntry{At: now, Reason: workflow.ReasonParked, Detail: "it failed again and again; see the log"}
	var parked bool
	if table == pgdue.DueEvents {
		parked, err = e.failEvent(ctx, rowID, f)
	} else {
		parked, err = pgdue.FailNotification(ctx, e.DB.Pool, rowID, f)
	}
	if err != nil {
		return errors.Join(err, cause)
	}
	if parked && table == pgdue.DueNotifications {
		e.Meter.Notifications(string(workflow.RunParked), 1)
	}
	log := e.Logger.With(slog.String("table", string(table)), slog.String("row_id", rowID), slog.String("error", cause.Error()))
	if parked {
		log.ErrorContext(ctx, "row parked: it failed again and again")
	} else {
		log.WarnContext(ctx, "row failed, will be tried again")
	}
	return nil
}

// failEvent records a failure of an event as park does, and counts it also when the recipients that the event names cannot be
// created.
func (e *Executor) failEvent(ctx context.Context, eventID string, f *pgdue.Failure) (parked bool, err error) {
	err = e.InTx(ctx, func(ctx context.Context, tx pgx.Tx) (err error) {
		parked, err = e.park(ctx, tx, eventID, f)
		return err
	})
	if err == nil || state.IsInfrastructure(ctx, err) {
		return parked, err
	}
	e.Logger.WarnContext(ctx, "the recipients of a parked event were not created", slog.String("event_id", eventID), slog.String("error", err.Error()))
	return pgdue.FailEvent(ctx, e.DB.Pool, eventID, f)
}
