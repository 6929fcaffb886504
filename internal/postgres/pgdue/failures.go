package pgdue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// Failure is a failure of one row of events or notifications.
type Failure struct {
	At     time.Time           // by the environment's clock
	Frozen bool                // that clock is frozen: only it decides when an event is tried again
	Pause  time.Duration       // until the next try; it doubles with each failure
	Limit  int                 // the failures after which the row is parked
	Parked workflow.TraceEntry // for the trace of a row that is parked
}

// Events have two instants: due_at is real time, after which others look after them, and retry_at the environment's.
const failEvent = `UPDATE events SET failures = failures + 1, updated_at = now(),
	due_at = CASE WHEN failures + 1 >= $3 THEN NULL WHEN $6 THEN clock_timestamp() ELSE clock_timestamp() + $2::interval * power(2, failures) END,
	retry_at = CASE WHEN failures + 1 >= $3 THEN NULL ELSE $5::timestamptz + $2::interval * power(2, failures) END,
	status = CASE WHEN failures + 1 >= $3 THEN 'parked' ELSE status END,
	trace = CASE WHEN failures + 1 >= $3 THEN coalesce(nullif(trace, 'null'), '[]') || $4::jsonb ELSE trace END
WHERE id = $1 AND `

const failNotification = `UPDATE notifications SET failures = failures + 1, updated_at = now(),
	due_at = CASE WHEN failures + 1 >= $3 THEN NULL ELSE due_at + $2::interval * power(2, failures) END,
	status = CASE WHEN failures + 1 >= $3 THEN 'parked' ELSE status END,
	trace = CASE WHEN failures + 1 >= $3 THEN trace || $4::jsonb ELSE trace END
WHERE id = $1 AND `

// FailEvent counts a failure of an event's fan-out, and reports whether the event is parked now.
func FailEvent(ctx context.Context, q postgres.Querier, id string, f *Failure) (parked bool, err error) {
	rows, err := q.Query(ctx, failEvent+Open("due_at")+` RETURNING due_at IS NULL`, id, f.Pause, f.Limit, f.entry(), f.At, f.Frozen)
	return failed(rows, err, DueEvents)
}

// FailNotification counts a failure of a run, and reports whether the run is parked now.
func FailNotification(ctx context.Context, q postgres.Querier, id string, f *Failure) (parked bool, err error) {
	rows, err := q.Query(ctx, failNotification+Open("due_at")+` RETURNING due_at IS NULL`, id, f.Pause, f.Limit, f.entry())
	return failed(rows, err, DueNotifications)
}

// PutOff has a row of events or notifications tried again after a pause of real time, and counts no failure. One that another process
// has brought to a later instant meanwhile keeps that.
func PutOff(ctx context.Context, db *postgres.DB, table DueTable, id string, pause time.Duration) error {
	_, err := db.Pool.Exec(ctx, `UPDATE `+string(table)+` SET due_at = clock_timestamp() + $2::interval, updated_at = now()
WHERE id = $1 AND due_at <= clock_timestamp()`, id, pause)
	if err != nil {
		return fmt.Errorf("put off a row of %s: %w", table, err)
	}
	return nil
}

func (f *Failure) entry() string { return postgres.JSONOr([]workflow.TraceEntry{f.Parked}, "[]") }

func failed(rows pgx.Rows, err error, table DueTable) (parked bool, _ error) {
	results, err := postgres.Collect(rows, err, "count a failure of "+string(table), pgx.RowTo[bool])
	return len(results) == 1 && results[0], err
}
