package pgrepair

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Replay is a notification that is replayed from a step on.
type Replay struct {
	Of             string // internal id of the notification
	EventID        string // of the new event
	NotificationID string // the new one
	ClaimID        string
	TransactionID  string // of the new event
	VersionID      string
	Position       int    // index of the first step
	State          []byte // results of the steps before it
	Trace          workflow.TraceEntry
	At             time.Time
}

// StartReplay stores a replay: an event of its own for the one subscriber, fanned out already, and its run, which is due. Its
// messages have keys of their own, since those belong to a run.
func StartReplay(ctx context.Context, tx pgx.Tx, scope viewer.Scope, r *Replay) error {
	b := &pgx.Batch{}
	b.Queue(`INSERT INTO transaction_claims (id, created_at, updated_at, environment_id, transaction_id, event_id)
VALUES ($1, now(), now(), $2, $3, $4)`, r.ClaimID, scope.EnvironmentID, r.TransactionID, r.EventID)
	b.Queue(`INSERT INTO events (id, created_at, updated_at, environment_id, context_keys, scope, transaction_id, workflow_id, workflow_version_id, kind,
	payload, overrides, recipients, actor, tenant_id, lane, status, notified)
SELECT $3, $4, now(), e.environment_id, e.context_keys, e.scope, $5, e.workflow_id, $6, 'trigger', e.payload, e.overrides, NULL, e.actor, e.tenant_id,
	e.lane, 'fanned_out', 1
FROM notifications n JOIN events e ON e.id = n.event_id WHERE n.environment_id = $1 AND n.id = $2`,
		scope.EnvironmentID, r.Of, r.EventID, r.At, r.TransactionID, r.VersionID)
	b.Queue(`INSERT INTO notifications (id, created_at, updated_at, environment_id, context_keys, scope, event_id, transaction_id, workflow_id,
	workflow_version_id, subscriber_id, tenant_id, status, position, state, topics, trace, due_at, lane, replay_of)
SELECT $3, $4, now(), n.environment_id, n.context_keys, n.scope, $5, $6, n.workflow_id, $7, n.subscriber_id, n.tenant_id, 'waiting', $8, $9::jsonb, n.topics,
	$10::jsonb, $4, n.lane, n.id
FROM notifications n WHERE n.environment_id = $1 AND n.id = $2`, scope.EnvironmentID, r.Of, r.NotificationID, r.At, r.EventID, r.TransactionID,
		r.VersionID, r.Position, string(r.State), postgres.JSONOr([]workflow.TraceEntry{r.Trace}, "[]"))
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("replay a notification: %w", err)
	}
	return nil
}

// Window is a digest window that a run has come to, as the state of a replay names it: what it collected is seen, and it is
// not open for the replay.
type Window struct {
	ID     string `json:"id"`
	StepID string `json:"stepId"`
	Closed bool   `json:"closed"`
}

// Windows are the digest windows of a run, the earliest first. Those in which it was merged are those of another run.
func Windows(ctx context.Context, tx pgx.Tx, scope viewer.Scope, runID string) ([]Window, error) {
	rows, err := tx.Query(ctx, `SELECT id, step_id, true FROM digests WHERE environment_id = $1 AND notification_id = $2 AND status <> 'cancelled'
ORDER BY closes_at, id`, scope.EnvironmentID, runID)
	return postgres.Collect(rows, err, "find the digest windows of a run", pgx.RowToStructByPos[Window])
}

// ReleaseWindow closes an open digest window, which the transaction has locked, at an instant: its run continues then. It is closed
// here and not by its run, which would keep it open outside the subscriber's hours.
func ReleaseWindow(ctx context.Context, tx pgx.Tx, scope viewer.Scope, digestID string, at time.Time) error {
	entry := postgres.JSONOr([]workflow.TraceEntry{{At: at, Reason: workflow.ReasonReleased, Detail: "its digest was closed by hand"}}, "[]")
	b := &pgx.Batch{}
	b.Queue(`UPDATE digests SET status = 'closed', closes_at = $3, updated_at = now() WHERE environment_id = $1 AND id = $2 AND status = 'open'`, scope.EnvironmentID, digestID, at)
	b.Queue(`UPDATE notifications n SET due_at = CASE WHEN `+pgdue.Far("n.due_at")+` THEN n.due_at ELSE $3 END, trace = n.trace || $4::jsonb, updated_at = now()
FROM digests d WHERE d.environment_id = $1 AND d.id = $2 AND n.id = d.notification_id AND n.status = 'waiting' AND `+pgdue.Open("n.due_at"),
		scope.EnvironmentID, digestID, at, entry)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("release a digest window: %w", err)
	}
	return nil
}

// LockWindow locks an open digest window; false when it is none.
func LockWindow(ctx context.Context, tx pgx.Tx, scope viewer.Scope, digestID string) (open bool, err error) {
	rows, err := tx.Query(ctx, `SELECT id FROM digests WHERE environment_id = $1 AND id = $2 AND status = 'open' FOR UPDATE`, scope.EnvironmentID, digestID)
	found, err := postgres.Collect(rows, err, "lock a digest window", pgx.RowTo[string])
	return len(found) == 1, err
}

// WindowRuns are the runs in a window, the latest first, before a run's id, so that the one which would continue comes last.
func WindowRuns(ctx context.Context, tx pgx.Tx, scope viewer.Scope, digestID, before string, limit int) ([]string, error) {
	rows, err := tx.Query(ctx, `SELECT n.id FROM notifications n JOIN digests d ON d.id = n.digest_id
WHERE n.environment_id = $1 AND n.digest_id = $2 AND n.status IN ('merged', 'waiting') AND n.id <> d.notification_id AND ($3 = '' OR n.id < $3)
ORDER BY n.id DESC LIMIT $4`, scope.EnvironmentID, digestID, before, limit)
	return postgres.Collect(rows, err, "find the runs of a digest window", pgx.RowTo[string])
}

// Withdraw deletes the in-app messages of runs from their inboxes, whose counters and sequences follow, and returns them.
func Withdraw(ctx context.Context, tx pgx.Tx, scope viewer.Scope, runs []string, at time.Time) ([]*pginbox.InboxMessage, error) {
	rows, err := tx.Query(ctx, `SELECT m.notification_id, m.step_id, m.id FROM messages m
WHERE m.environment_id = $1 AND m.notification_id = ANY($2) AND m.channel = 'in_app' AND m.status <> 'pending'`, scope.EnvironmentID, runs)
	type shown struct{ Run, StepID, ID string }
	found, err := postgres.Collect(rows, err, "find in-app messages", pgx.RowToStructByPos[shown])
	if err != nil || len(found) == 0 {
		return nil, err
	}
	ids, of, entries := make([]string, len(found)), make([]string, len(found)), make([]string, len(found))
	for i, m := range found {
		ids[i], of[i] = m.ID, m.Run
		entries[i] = postgres.JSONOr(workflow.TraceEntry{
			At: at, StepID: m.StepID, Channel: workflow.ChannelInApp, MessageID: m.ID, Reason: workflow.ReasonRecalled, Detail: "withdrawn from the inbox",
		}, "{}")
	}
	messages, err := pginbox.LockNamed(ctx, tx, scope, ids)
	if err != nil {
		return nil, err
	}
	if err := pginbox.DeleteInboxMessages(ctx, tx, messages); err != nil {
		return nil, fmt.Errorf("withdraw messages: %w", err)
	}
	return messages, addTrace(ctx, tx, scope, of, entries)
}

// Forget leaves the failed messages of recalled runs without what sending needs, so that no retry sends them.
func Forget(ctx context.Context, tx pgx.Tx, scope viewer.Scope, runs []string) error {
	_, err := tx.Exec(ctx, `UPDATE messages m SET envelope = NULL, updated_at = now()
WHERE m.environment_id = $1 AND m.notification_id = ANY($2) AND m.channel <> 'in_app' AND m.status = 'error' AND NOT `+pgdue.OpenMessage("m."), scope.EnvironmentID, runs)
	if err != nil {
		return fmt.Errorf("forget failed messages: %w", err)
	}
	return nil
}

// OutOfReach are the messages of runs that have left, or that are on their way, without those that providers delete: at most limit of them, by ascending id, and
// how many there are.
func OutOfReach(ctx context.Context, tx pgx.Tx, scope viewer.Scope, runs []string, limit int) (ids []string, count int, err error) {
	rows, err := tx.Query(ctx, `SELECT id, count(*) OVER () FROM messages m WHERE environment_id = $1 AND notification_id = ANY($2) AND channel <> 'in_app'
	AND (status IN ('sent', 'warning') OR status = 'pending' OR error_id = 'outcome_unknown') AND NOT `+reached+` ORDER BY id LIMIT $3`, scope.EnvironmentID, runs, max(limit, 1))
	var id string
	if err == nil {
		_, err = pgx.ForEachRow(rows, []any{&id, &count}, func() error { ids = append(ids, id); return nil })
	}
	if err != nil {
		return nil, 0, fmt.Errorf("find messages out of reach: %w", err)
	}
	return ids[:min(limit, len(ids))], count, nil
}
