package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

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

// Events are not among them unless clocks stand: see ClaimDueEvents.
var dueQueries = map[DueTable]string{
	DueMessages: `SELECT id, due_at FROM messages WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until < clock_timestamp())
	ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
	DueNotifications: `SELECT id, due_at FROM notifications t WHERE due_at <= $1` + notCalling + ` ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
}

// Due are the ids of rows that are due at a moment and that nobody works on, the oldest first, and the due time of the
// first. It only says where to look: who acts on a row claims it again.
func (db *DB) Due(ctx context.Context, table DueTable, at Moment, limit int) (ids []string, oldest time.Time, err error) {
	query := dueQueries[table]
	if standing, ok := dueVirtual[table]; ok && at.Virtual {
		query = standing
	}
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

// ClaimNotifications locks those of the named runs that are due and that nobody else works on. The lock is the claim.
// A run with an open digest window is left alone unless the window is among those that the transaction holds.
func ClaimNotifications(ctx context.Context, tx pgx.Tx, ids []string, at Moment, held []string) ([]NotificationRow, error) {
	join, due := at.due("t.due_at", 2)
	rows, err := tx.Query(ctx, `SELECT `+runColumns+` FROM notifications t`+join+` WHERE t.id = ANY($1) AND `+due+notCalling+`
	AND (t.digest_id IS NULL OR t.digest_id = ANY($3) OR NOT EXISTS (SELECT FROM digests d WHERE d.id = t.digest_id AND d.status = 'open'))
ORDER BY t.id FOR UPDATE OF t SKIP LOCKED`, ids, at.Now, held)
	return collect(rows, err, "claim notifications", scanRun)
}

// ClaimCalls locks runs that wait for their call and that nobody else works on, the oldest first.
func ClaimCalls(ctx context.Context, tx pgx.Tx, at Moment, limit int) ([]NotificationRow, error) {
	join, due := at.due("t.due_at", 1)
	rows, err := tx.Query(ctx, `SELECT `+runColumns+` FROM notifications t`+join+` WHERE `+due+mayCall+`
ORDER BY t.due_at LIMIT $2 FOR UPDATE OF t SKIP LOCKED`, at.Now, limit)
	return collect(rows, err, "claim calls", scanRun)
}

// ClaimAnswered locks a run whose call was made, unless it was cancelled meanwhile or the call is already another's.
func ClaimAnswered(ctx context.Context, tx pgx.Tx, id string, attempt int) ([]NotificationRow, error) {
	rows, err := tx.Query(ctx, `SELECT `+runColumns+` FROM notifications t WHERE t.id = $1 AND `+open("t.due_at")+`
	AND (t.state -> 'call' ->> 'attempt')::int = $2 FOR UPDATE`, id, attempt)
	return collect(rows, err, "claim an answered call", scanRun)
}

const runColumns = `t.id, t.environment_id, t.created_at, t.context_keys, t.scope, t.event_id, t.transaction_id, t.workflow_id,
	t.workflow_version_id, t.subscriber_id, coalesce(t.tenant_id, ''), t.status, t.position, t.state, t.due_at, t.failures,
	coalesce(t.digest_id, '')`

func scanRun(r pgx.CollectableRow) (n NotificationRow, err error) {
	return n, r.Scan(&n.ID, &n.EnvironmentID, &n.CreatedAt, &n.ContextKeys, &n.Scope, &n.EventID, &n.TransactionID,
		&n.WorkflowID, &n.VersionID, &n.SubscriberID, &n.TenantID, &n.Status, &n.Position, &n.State, &n.DueAt, &n.Failures, &n.DigestID)
}

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

var failQueries = map[DueTable]string{
	DueEvents: `UPDATE events SET failures = failures + 1, updated_at = now(),
	due_at = CASE WHEN failures + 1 >= $3 THEN NULL ELSE clock_timestamp() + $2::interval * power(2, failures) END,
	status = CASE WHEN failures + 1 >= $3 THEN 'parked' ELSE status END,
	trace = CASE WHEN failures + 1 >= $3 THEN coalesce(nullif(trace, 'null'), '[]') || $4::jsonb ELSE trace END
WHERE id = $1 AND ` + open("due_at") + ` RETURNING due_at IS NULL`,
	DueNotifications: `UPDATE notifications SET failures = failures + 1, updated_at = now(),
	due_at = CASE WHEN failures + 1 >= $3 THEN NULL ELSE due_at + $2::interval * power(2, failures) END,
	status = CASE WHEN failures + 1 >= $3 THEN 'parked' ELSE status END,
	trace = CASE WHEN failures + 1 >= $3 THEN trace || $4::jsonb ELSE trace END
WHERE id = $1 AND ` + open("due_at") + ` RETURNING due_at IS NULL`,
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

// Fail counts a failure of one row of events or notifications: it is due again after pause, which doubles each time, or parked when it has
// failed limit times.
func (db *DB) Fail(ctx context.Context, table DueTable, id string, pause time.Duration, limit int, trace workflow.TraceEntry) (parked bool, err error) {
	entry := "[]"
	if text := jsonText([]workflow.TraceEntry{trace}); text != nil {
		entry = *text
	}
	rows, err := db.Pool.Query(ctx, failQueries[table], id, pause, limit, entry)
	if err != nil {
		return false, fmt.Errorf("count a failure of %s: %w", table, err)
	}
	results, err := pgx.CollectRows(rows, pgx.RowTo[bool])
	if err != nil {
		return false, fmt.Errorf("count a failure of %s: %w", table, err)
	}
	return len(results) == 1 && results[0], nil
}
