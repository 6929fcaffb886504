package pgrun

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Cancelling decides each row by one conditional write. Whoever works on a row holds its lock, so a cancellation waits
// for that and then decides by what the row has become. Locks are taken as sending takes them: events, runs, messages.

// CancelEvents stops the fan-out of a transaction's events. all are the transaction's events, stopped those that still
// had recipients to find.
func CancelEvents(ctx context.Context, tx pgx.Tx, scope viewer.Scope, transactionID string, at time.Time) (all, stopped []string, err error) {
	entry := postgres.JSONOr([]workflow.TraceEntry{{At: at, Reason: workflow.ReasonCancelled}}, "[]")
	rows, err := tx.Query(ctx, `UPDATE events SET status = 'cancelled', due_at = NULL, held_by = NULL, updated_at = now(),
	trace = coalesce(nullif(trace, 'null'), '[]') || $3::jsonb
WHERE environment_id = $1 AND transaction_id = $2 AND `+pgdue.HasStatus("status", "accepted")+` RETURNING id`,
		scope.EnvironmentID, transactionID, entry)
	if stopped, err = postgres.Collect(rows, err, "cancel events", pgx.RowTo[string]); err != nil {
		return nil, nil, err
	}
	rows, err = tx.Query(ctx, `SELECT id FROM events WHERE environment_id = $1 AND transaction_id = $2 ORDER BY id`, scope.EnvironmentID, transactionID)
	all, err = postgres.Collect(rows, err, "find events", pgx.RowTo[string])
	return all, stopped, err
}

// EventRuns are the next runs of events behind a run's id, at most limit, by ascending id.
func EventRuns(ctx context.Context, tx pgx.Tx, scope viewer.Scope, eventIDs []string, after string, limit int) ([]string, error) {
	rows, err := tx.Query(ctx, `SELECT id FROM notifications WHERE environment_id = $1 AND event_id = ANY($2) AND id > $3
ORDER BY id LIMIT $4`, scope.EnvironmentID, eventIDs, after, limit)
	return postgres.Collect(rows, err, "find the runs of events", pgx.RowTo[string])
}

// withdrawn is a message that was not yet sent, or whose next attempt had not begun.
type withdrawn struct {
	ID, NotificationID, StepID string
	Channel                    workflow.Channel
	Attempts                   int
}

// CancelRuns stops those of the named runs that still had something to do, and returns which: their waits end, and sends
// that are not under way are withdrawn. The others were too late; what was still to be sent of them is withdrawn too. Sends under way are marked as
// the last (allowNoFurtherAttempt). Of the runs
// that were merged into a stopped one, the oldest continues instead of it as takeOver says (semantics.md §3.12). Without takeOver what was
// merged stays merged, and nothing is sent of it.
func CancelRuns(ctx context.Context, tx pgx.Tx, scope viewer.Scope, ids []string, at time.Time, takeOver TakeOver) (stopped []string, err error) {
	windows, err := lockRuns(ctx, tx, scope, ids)
	if err != nil {
		return nil, err
	}
	// An attempt does not change a message under a lease. With these messages locked none begins, and withdraw sees those that have begun.
	if _, err := tx.Exec(ctx, `SELECT FROM (SELECT id FROM messages WHERE environment_id = $1 AND notification_id = ANY($2) AND lease_id IS NOT NULL
	ORDER BY id FOR UPDATE) AS locked`, scope.EnvironmentID, ids); err != nil {
		return nil, fmt.Errorf("lock messages: %w", err)
	}
	messages, err := withdraw(ctx, tx, scope, ids)
	if err != nil {
		return nil, err
	}
	if err := allowNoFurtherAttempt(ctx, tx, scope, ids); err != nil {
		return nil, err
	}
	runs, entries := traceOf(messages, at)
	// A run that has reached all its steps is stopped when all that was left of it has been withdrawn; one that was merged,
	// while its window is open.
	rows, err := tx.Query(ctx, `SELECT n.id FROM notifications n WHERE n.environment_id = $1 AND n.id = ANY($2)
	AND (n.status = 'waiting' OR n.status = 'merged' AND n.digest_id = ANY($4) OR n.status = 'pending' AND (n.due_at IS NOT NULL
		OR n.state ->> 'awaiting' IS NOT NULL OR n.id = ANY($3) AND NOT EXISTS (
			SELECT FROM messages m WHERE m.notification_id = n.id AND `+pgdue.OpenMessage("m.")+`)))
ORDER BY n.id`, scope.EnvironmentID, ids, runs, windows)
	if stopped, err = postgres.Collect(rows, err, "find the runs to stop", pgx.RowTo[string]); err != nil {
		return nil, err
	}
	if takeOver != nil && len(stopped) > 0 {
		if err := handOver(ctx, tx, scope, stopped, at, takeOver); err != nil {
			return nil, err
		}
	}
	entry := postgres.JSONOr(workflow.TraceEntry{At: at, Reason: workflow.ReasonCancelled}, "{}")
	if _, err := tx.Exec(ctx, `WITH withdrawn AS (SELECT * FROM unnest($4::text[], $5::text[]) AS u (id, trace))
UPDATE notifications n SET updated_at = now(),
	trace = n.trace || coalesce(w.trace::jsonb, '[]') || CASE WHEN u.stops THEN jsonb_build_array($6::jsonb) ELSE '[]' END,
	status = CASE WHEN u.stops THEN 'cancelled' ELSE n.status END,
	due_at = CASE WHEN u.stops THEN NULL ELSE n.due_at END,
	held_by = CASE WHEN u.stops THEN NULL ELSE n.held_by END,
	finished_at = CASE WHEN u.stops THEN $3 ELSE n.finished_at END
FROM (SELECT id, id = ANY($2) AS stops FROM unnest($7::text[]) AS u (id)) u LEFT JOIN withdrawn w ON w.id = u.id
WHERE n.environment_id = $1 AND n.id = u.id AND (u.stops OR w.id IS NOT NULL)`,
		scope.EnvironmentID, stopped, at, runs, entries, entry, ids); err != nil {
		return nil, fmt.Errorf("cancel runs: %w", err)
	}
	return stopped, leaveWindows(ctx, tx, windows, stopped, at)
}

// lockRuns locks runs and those that handOver would continue, and before them the open digest windows that the runs are in, which it
// returns. A worker may take a run into a window while its lock is waited for. All locks are given back then and taken anew, so that
// windows are always locked first.
func lockRuns(ctx context.Context, tx pgx.Tx, scope viewer.Scope, runs []string) (windows []string, err error) {
	windowsOf := `SELECT d.id FROM digests d WHERE d.environment_id = $1 AND ` + pgdue.HasStatus("d.status", "open") + `
	AND d.id IN (SELECT digest_id FROM notifications WHERE environment_id = $1 AND id = ANY($2))` + windowOrder
	collect := func(into *[]string) func(pgx.Rows) error {
		return func(rows pgx.Rows) (err error) {
			*into, err = pgx.CollectRows(rows, pgx.RowTo[string])
			return err
		}
	}
	b := &pgx.Batch{}
	b.Queue("SAVEPOINT unlocked")
	for {
		var present []string
		b.Queue(windowsOf+" FOR UPDATE", scope.EnvironmentID, runs).Query(collect(&windows))
		b.Queue(`SELECT FROM (SELECT id FROM notifications WHERE environment_id = $1
	AND id IN (SELECT unnest($2::text[]) UNION ALL SELECT heir.id FROM digests d JOIN LATERAL (`+heirOf+`) heir ON true
		WHERE d.environment_id = $1 AND d.notification_id = ANY($2) AND `+pgdue.HasStatus("d.status", "closed")+`)
	ORDER BY id FOR NO KEY UPDATE) AS locked`, scope.EnvironmentID, runs)
		b.Queue(windowsOf, scope.EnvironmentID, runs).Query(collect(&present))
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return nil, fmt.Errorf("lock runs and their windows: %w", err)
		}
		if !slices.ContainsFunc(present, func(id string) bool { return !slices.Contains(windows, id) }) {
			return windows, nil
		}
		b = &pgx.Batch{}
		b.Queue("ROLLBACK TO SAVEPOINT unlocked")
	}
}

// AbandonAttempts is the beginning of a statement that ends attempts a whose process died or has been overtaken: what became of their
// calls is unknown, until a later outcome tells.
const AbandonAttempts = `UPDATE attempts a SET outcome = 'unknown', class = 'unknown', finished_at = now(), updated_at = now(),
	error_text = 'interrupted before the outcome was recorded'`

// withdraw takes back messages whose call has not begun: those never attempted vanish, since no recipient has seen them; those
// that wait for another attempt end here. Those that their providers are to delete are left alone.
func withdraw(ctx context.Context, tx pgx.Tx, scope viewer.Scope, runs []string) ([]withdrawn, error) {
	rows, err := tx.Query(ctx, `WITH open AS (SELECT m.id, m.notification_id, m.step_id, m.channel, m.attempts,
		(SELECT a.outcome FROM attempts a WHERE a.message_id = m.id ORDER BY a.number DESC LIMIT 1) AS outcome
	FROM messages m WHERE m.environment_id = $1 AND m.notification_id = ANY($2) AND m.channel <> 'in_app'
		AND NOT coalesce(m.envelope ? 'recall', false)
		AND `+pgdue.OpenMessage("m.")+` AND (m.leased_until IS NULL OR m.leased_until < clock_timestamp())
		AND (m.lease_id IS NULL OR NOT EXISTS (SELECT FROM attempts a WHERE a.message_id = m.id AND a.outcome = 'intent')) ORDER BY m.id FOR UPDATE OF m),
gone AS (DELETE FROM messages m USING open o WHERE m.id = o.id AND o.attempts = 0),
ended AS (UPDATE messages m SET due_at = NULL, held_by = NULL, leased_until = NULL, lease_id = NULL, updated_at = now(),
	status = CASE WHEN m.status = 'pending' THEN 'error' ELSE m.status END,
	error_id = CASE WHEN m.status <> 'pending' THEN m.error_id WHEN o.outcome IN ('intent', 'unknown') THEN 'outcome_unknown' ELSE 'cancelled' END,
	error_text = CASE WHEN m.status <> 'pending' THEN m.error_text ELSE '`+workflow.CancelledText+`' END
	FROM open o WHERE m.id = o.id AND o.attempts > 0),
abandoned AS (`+AbandonAttempts+` FROM open o WHERE a.message_id = o.id AND a.outcome = 'intent')
SELECT id, notification_id, step_id, channel, attempts FROM open`, scope.EnvironmentID, runs)
	return postgres.Collect(rows, err, "withdraw messages", pgx.RowToStructByPos[withdrawn])
}

// CancelledMessage is the condition on a message that a cancellation found an attempt of it under way. of is how the statement names the
// message, with its point.
func CancelledMessage(of string) string {
	return of + `error_id = 'cancelled' AND ` + of + `status = 'pending'`
}

// allowNoFurtherAttempt marks the messages that withdraw has left, whose attempts are under way: they end with these.
func allowNoFurtherAttempt(ctx context.Context, tx pgx.Tx, scope viewer.Scope, runs []string) error {
	if _, err := tx.Exec(ctx, `UPDATE messages m SET error_id = 'cancelled', updated_at = now() WHERE m.environment_id = $1
	AND m.notification_id = ANY($2) AND m.channel <> 'in_app' AND m.status = 'pending' AND m.error_id IS NULL AND `+pgdue.OpenMessage("m."), scope.EnvironmentID, runs); err != nil {
		return fmt.Errorf("mark messages under way: %w", err)
	}
	return nil
}

// traceOf is what becomes of withdrawn messages on the traces of their runs.
func traceOf(messages []withdrawn, at time.Time) (runs, entries []string) {
	byRun := map[string][]workflow.TraceEntry{}
	for _, m := range messages {
		if byRun[m.NotificationID] == nil {
			runs = append(runs, m.NotificationID)
		}
		byRun[m.NotificationID] = append(byRun[m.NotificationID], workflow.TraceEntry{
			At: at, StepID: m.StepID, Channel: m.Channel, MessageID: m.ID, Attempt: m.Attempts, Reason: workflow.ReasonCancelled,
			Detail: "withdrawn before its next attempt",
		})
	}
	for _, run := range runs {
		entries = append(entries, postgres.JSONOr(byRun[run], "[]"))
	}
	return runs, entries
}
