package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/workflow"
)

// DueTable is a table whose rows have a due time.
type DueTable string

// The tables that the waker looks at.
const (
	DueEvents        DueTable = "events"
	DueNotifications DueTable = "notifications"
	DueMessages      DueTable = "messages"
	DueSnoozes       DueTable = "snoozes" // messages that come back to their inbox
	DueCalls         DueTable = "calls"   // notifications that wait for the answer of a custom step
)

// A notification whose state holds a call is for those who make calls, outside any transaction; the others are for those
// who plan. While somebody makes the call its lease holds, in real time.
const (
	notCalling = ` AND NOT coalesce(t.state ? 'call', false)`
	mayCall    = ` AND t.state ? 'call' AND coalesce((t.state -> 'call' ->> 'until')::timestamptz, '-infinity') < clock_timestamp()`
)

// turns are the conditions on rows t in the order in which due ones are taken up: those of the urgent lane, then all.
var turns = []string{` AND t.lane = 'urgent'`, ``}

// Events are not among them unless clocks are virtual: see ClaimDueEvents.
var dueQueries = map[DueTable]func(turn string) string{
	DueMessages: func(turn string) string {
		return `SELECT id, due_at FROM messages t WHERE due_at <= $1` + notLeased + turn + `
	ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`
	},
	DueNotifications: func(turn string) string {
		return `SELECT id, due_at FROM notifications t WHERE due_at <= $1` + notCalling + turn + ` ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`
	},
}

// Due are the ids of rows that are due at a moment and that no worker holds, the oldest first, and the due time of the
// first. As long as some of the urgent lane are due, they are of that lane. It only says where to look: who acts on a row
// claims it again.
func (db *DB) Due(ctx context.Context, table DueTable, at Moment, limit int) (ids []string, oldest time.Time, err error) {
	if at.Virtual {
		return db.due(ctx, table, dueVirtual[table], at, limit)
	}
	for _, turn := range turns {
		if ids, oldest, err = db.due(ctx, table, dueQueries[table](turn), at, limit); len(ids) > 0 || err != nil {
			break
		}
	}
	return ids, oldest, err
}

func (db *DB) due(ctx context.Context, table DueTable, query string, at Moment, limit int) (ids []string, oldest time.Time, err error) {
	rows, err := db.Pool.Query(ctx, query, at.Now, limit)
	if err != nil {
		return nil, oldest, fmt.Errorf("look for due %s: %w", table, err)
	}
	var found string
	var due time.Time
	_, err = pgx.ForEachRow(rows, []any{&found, &due}, func() error {
		if len(ids) == 0 {
			oldest = due
		}
		ids = append(ids, found)
		return nil
	})
	if err != nil {
		return nil, oldest, fmt.Errorf("look for due %s: %w", table, err)
	}
	return ids, oldest, nil
}

// ClaimNotifications locks those of the named runs that are due and that no other worker holds. The lock is the claim.
// A run with an open digest window is left alone unless the window is among those that the transaction holds.
func ClaimNotifications(ctx context.Context, tx pgx.Tx, ids []string, at Moment, held []string) ([]NotificationRow, error) {
	join, due := at.due("t.due_at", 2)
	rows, err := tx.Query(ctx, selectRuns+join+` WHERE t.id = ANY($1) AND `+due+notCalling+`
	AND (t.digest_id IS NULL OR t.digest_id = ANY($3) OR NOT EXISTS (SELECT FROM digests d WHERE d.id = t.digest_id AND d.status = 'open'))
ORDER BY t.id FOR UPDATE OF t SKIP LOCKED`, ids, at.Now, held)
	return collect(rows, err, "claim notifications", runColumns.Scan)
}

// ClaimCalls locks runs that wait for their call and that no other worker holds: those of the urgent lane if there are any,
// the oldest first.
func ClaimCalls(ctx context.Context, tx pgx.Tx, at Moment, limit int) (calls []NotificationRow, err error) {
	join, due := at.due("t.due_at", 1)
	for _, turn := range turns {
		rows, err := tx.Query(ctx, selectRuns+join+` WHERE `+due+mayCall+turn+`
ORDER BY t.due_at LIMIT $2 FOR UPDATE OF t SKIP LOCKED`, at.Now, limit)
		if calls, err = collect(rows, err, "claim calls", runColumns.Scan); len(calls) > 0 || err != nil {
			return calls, err
		}
	}
	return nil, nil
}

// ClaimAnswered locks a run whose call was made, unless it was cancelled meanwhile or the call is already another's.
func ClaimAnswered(ctx context.Context, tx pgx.Tx, id string, attempt int) ([]NotificationRow, error) {
	rows, err := tx.Query(ctx, selectRuns+` WHERE t.id = $1 AND `+open("t.due_at")+`
	AND (t.state -> 'call' ->> 'attempt')::int = $2 FOR UPDATE`, id, attempt)
	return collect(rows, err, "claim an answered call", runColumns.Scan)
}

var runColumns = append(insertNotifications.Columns.Pick("id", "environment_id", "created_at", "context_keys", "scope", "event_id",
	"transaction_id", "workflow_id", "workflow_version_id", "subscriber_id", "tenant_id", "status", "position", "state", "due_at", "digest_id"),
	bulk.Field("failures", func(n *NotificationRow) *int { return &n.Failures }))

var selectRuns = `SELECT ` + runColumns.Select("t") + ` FROM notifications t`

// LoadRunVersions reads with which versions runs go on, by their ids.
func LoadRunVersions(ctx context.Context, q Querier, runs []string) (map[string]string, error) {
	rows, err := q.Query(ctx, `SELECT id, workflow_version_id FROM notifications WHERE id = ANY($1)`, runs)
	if err != nil {
		return nil, fmt.Errorf("load the versions of runs: %w", err)
	}
	versions := make(map[string]string, len(runs))
	var id, version string
	_, err = pgx.ForEachRow(rows, []any{&id, &version}, func() error {
		versions[id] = version
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load the versions of runs: %w", err)
	}
	return versions, nil
}

// LatestVersion is the published version that a workflow has now.
type LatestVersion struct {
	WorkflowID string
	VersionID  string
	Active     bool
	Deleted    bool
	Identifier string
}

// LoadLatestVersions reads what workflows of several environments are now.
func LoadLatestVersions(ctx context.Context, q Querier, environments, workflows []string) ([]LatestVersion, error) {
	rows, err := q.Query(ctx, `SELECT w.id, coalesce(w.published_version_id, ''), w.active, w.deleted, w.identifier
FROM (SELECT DISTINCT env, id FROM unnest($1::text[], $2::text[]) AS u (env, id)) AS u
JOIN workflows w ON w.id = u.id AND w.environment_id = u.env`, environments, workflows)
	return collect(rows, err, "load workflows", pgx.RowToStructByPos[LatestVersion])
}

// Failure is a failure of one row of events or notifications.
type Failure struct {
	At     time.Time           // by the environment's clock
	Stands bool                // that clock is frozen: only it decides when an event is tried again
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
func FailEvent(ctx context.Context, q Querier, id string, f *Failure) (parked bool, err error) {
	rows, err := q.Query(ctx, failEvent+open("due_at")+` RETURNING due_at IS NULL`, id, f.Pause, f.Limit, f.entry(), f.At, f.Stands)
	return failed(rows, err, DueEvents)
}

// FailNotification counts a failure of a run, and reports whether the run is parked now.
func FailNotification(ctx context.Context, q Querier, id string, f *Failure) (parked bool, err error) {
	rows, err := q.Query(ctx, failNotification+open("due_at")+` RETURNING due_at IS NULL`, id, f.Pause, f.Limit, f.entry())
	return failed(rows, err, DueNotifications)
}

func (f *Failure) entry() string { return textOr([]workflow.TraceEntry{f.Parked}, "[]") }

func failed(rows pgx.Rows, err error, table DueTable) (parked bool, _ error) {
	results, err := collect(rows, err, "count a failure of "+string(table), pgx.RowTo[bool])
	return len(results) == 1 && results[0], err
}

// EnvironmentOf is the environment of a row of events or notifications; "" when the row is gone.
func (db *DB) EnvironmentOf(ctx context.Context, table DueTable, id string) (string, error) {
	rows, err := db.Pool.Query(ctx, `SELECT environment_id FROM `+string(table)+` WHERE id = $1`, id)
	if err != nil {
		return "", fmt.Errorf("look for the environment of %s: %w", table, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "", fmt.Errorf("look for the environment of %s: %w", table, err)
	}
	return strings.Join(found, ""), nil
}
