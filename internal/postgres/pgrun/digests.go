package pgrun

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// WindowKey is the identity of digest windows (semantics.md §3.1).
type WindowKey struct {
	EnvironmentID string
	WorkflowID    string
	StepID        string
	SubscriberID  string // internal id
	DigestKey     string
	Scope         string
}

// WindowRow is a digest window.
type WindowRow struct {
	WindowKey
	ID             string
	ContextKeys    []string
	NotificationID string // of the run that continues when it closes
	Status         string // open, closed, cancelled or passed
	OpenedAt       time.Time
	ClosesAt       time.Time
	LastEventAt    time.Time
	Total          int
}

var windowColumns = bulk.Columns[WindowRow]{
	bulk.Field("environment_id", func(w *WindowRow) *string { return &w.EnvironmentID }),
	bulk.Field("workflow_id", func(w *WindowRow) *string { return &w.WorkflowID }),
	bulk.Field("step_id", func(w *WindowRow) *string { return &w.StepID }),
	bulk.Field("subscriber_id", func(w *WindowRow) *string { return &w.SubscriberID }),
	bulk.Field("digest_key", func(w *WindowRow) *string { return &w.DigestKey }),
	bulk.Field("scope", func(w *WindowRow) *string { return &w.Scope }),
	bulk.Field("id", func(w *WindowRow) *string { return &w.ID }),
	bulk.List("context_keys", func(w *WindowRow) *[]string { return &w.ContextKeys }),
	bulk.Field("notification_id", func(w *WindowRow) *string { return &w.NotificationID }),
	bulk.Field("status", func(w *WindowRow) *string { return &w.Status }),
	bulk.Field("opened_at", func(w *WindowRow) *time.Time { return &w.OpenedAt }),
	bulk.Field("closes_at", func(w *WindowRow) *time.Time { return &w.ClosesAt }),
	bulk.Field("last_event_at", func(w *WindowRow) *time.Time { return &w.LastEventAt }),
	bulk.Field("total", func(w *WindowRow) *int { return &w.Total }),
}

const sameIdentity = `d.environment_id = u.environment_id AND d.workflow_id = u.workflow_id AND d.step_id = u.step_id
	AND d.subscriber_id = u.subscriber_id AND d.digest_key = u.digest_key AND d.scope = u.scope`

var (
	windowKeys   = windowColumns.Pick("environment_id", "workflow_id", "step_id", "subscriber_id", "digest_key", "scope")
	writeWindows = bulk.Insert("digests", windowColumns).Set("created_at", "now()").Set("updated_at", "now()").InOrder()
	lockWindows  = writeWindows.OnConflict(`(environment_id, workflow_id, step_id, subscriber_id, digest_key, scope)
	WHERE status = 'open' DO UPDATE SET updated_at = excluded.updated_at RETURNING ` + windowColumns.Select("t"))
	saveWindows = writeWindows.OnConflict(`(id) DO UPDATE SET notification_id = excluded.notification_id, status = excluded.status,
	opened_at = excluded.opened_at, closes_at = excluded.closes_at, last_event_at = excluded.last_event_at, total = excluded.total,
	updated_at = excluded.updated_at`)
	readWindows = bulk.New(`SELECT `+windowColumns.Select("d")+` FROM {rows} JOIN digests d ON `+sameIdentity+` AND d.status = 'open'`, windowKeys)
	// The windows of an identity follow each other, but those of two processes may have ids in another order than their events.
	lastEvents = bulk.New(`SELECT l.last_event_at FROM {rows}
LEFT JOIN LATERAL (SELECT max(d.last_event_at) AS last_event_at FROM (SELECT d.last_event_at FROM digests d WHERE `+sameIdentity+` AND d.id <> u.id
	ORDER BY d.id DESC LIMIT 3) d) l ON true ORDER BY u.place`, append(windowKeys, windowColumns.Pick("id")...))
)

// LockWindows takes identities for the transaction, so that joining, opening and closing their windows serialise: it
// finds the open window of each, or stores the proposed one. Answered are the open windows, in any order; those proposed
// are recognised by their ids. proposed are sorted by identity without repetition, so that concurrent batches lock in one
// order.
func LockWindows(ctx context.Context, tx pgx.Tx, proposed []WindowRow) ([]WindowRow, error) {
	rows, err := tx.Query(ctx, lockWindows.Text, lockWindows.Args(proposed)...)
	return windowColumns.Collect(rows, err, "lock digest windows")
}

// ReadWindows finds the open windows of identities without locking them.
func ReadWindows(ctx context.Context, q postgres.Querier, of []WindowRow) ([]WindowRow, error) {
	rows, err := q.Query(ctx, readWindows.Text, readWindows.Args(of)...)
	return windowColumns.Collect(rows, err, "read digest windows")
}

// LastEvents returns when the latest event of each identity came that a window other than the row's own saw; the zero time
// when none did.
func LastEvents(ctx context.Context, q postgres.Querier, of []WindowRow) ([]time.Time, error) {
	rows, err := q.Query(ctx, lastEvents.Text, lastEvents.Args(of)...)
	return postgres.Collect(rows, err, "look back", func(r pgx.CollectableRow) (at time.Time, err error) {
		var last *time.Time
		if err = r.Scan(&last); last != nil {
			at = *last
		}
		return at, err
	})
}

// SaveWindows queues new and changed windows that the transaction has locked. Of one identity the open window comes last.
func SaveWindows(b *pgx.Batch, rows []WindowRow) {
	if len(rows) > 0 {
		saveWindows.Queue(b, rows)
	}
}

// HoldWindows locks the open windows of those of the named runs that no other worker holds: windows are locked before runs.
func HoldWindows(ctx context.Context, tx pgx.Tx, runs []string) ([]WindowRow, error) {
	rows, err := tx.Query(ctx, `SELECT `+windowColumns.Select("d")+` FROM notifications t JOIN digests d ON d.id = t.digest_id
WHERE t.id = ANY($1) AND `+pgdue.Open("t.due_at")+` AND `+pgdue.HasStatus("d.status", "open")+windowOrder+` FOR UPDATE OF d SKIP LOCKED`, runs)
	return windowColumns.Collect(rows, err, "hold digest windows")
}

// CollectedRow is what a window holds.
type CollectedRow struct {
	DigestID string
	Total    int
	Events   []any // payloads, oldest first
}

const (
	maxCollected      = 1000    // events of a window whose payloads are kept (semantics.md §11.21)
	maxCollectedBytes = 8 << 20 // of payloads, beyond which later ones are left out
)

// LoadCollected reads what windows hold, the events of windows that were merged into them included (semantics.md §11.12).
// The run that a window belongs to is in it, although its row names the window that it came to last. Of a run's windows
// those are inside that ended before; of those that ended at the same instant, as by a frozen clock, the ones that it came to before.
func LoadCollected(ctx context.Context, q postgres.Querier, digests []string) ([]CollectedRow, error) {
	rows, err := q.Query(ctx, loadCollected, digests, maxCollected, maxCollectedBytes)
	return postgres.Collect(rows, err, "load what digests hold", func(r pgx.CollectableRow) (c CollectedRow, err error) {
		return c, r.Scan(&c.DigestID, &c.Total, &c.Events)
	})
}

var loadCollected = `WITH RECURSIVE inside AS (
	SELECT d.id AS outermost, d.id, d.notification_id, d.closes_at FROM digests d WHERE d.id = ANY($1)
	UNION SELECT i.outermost, d.id, d.notification_id, d.closes_at FROM inside i
		JOIN LATERAL (SELECT n.id FROM notifications n WHERE n.digest_id = i.id UNION SELECT i.notification_id) n ON true
		JOIN digests d ON d.notification_id = n.id AND d.id <> i.id AND ` + pgdue.HasStatus("d.status", "closed") + `
			AND (d.closes_at < i.closes_at OR d.closes_at = i.closes_at AND (d.notification_id <> i.notification_id OR d.id < i.id)))
SELECT d.id, d.total, p.payloads FROM digests d LEFT JOIN LATERAL (
	SELECT jsonb_agg(payload ORDER BY created_at, id) AS payloads FROM (
		SELECT e.payload, e.created_at, e.id, sum(pg_column_size(e.payload)) OVER (ORDER BY e.created_at, e.id) AS bytes FROM (
			SELECT DISTINCT n.event_id FROM inside i JOIN LATERAL (
				SELECT n.event_id, n.status FROM notifications n WHERE n.digest_id = i.id
				UNION ALL SELECT n.event_id, n.status FROM notifications n WHERE n.id = i.notification_id) n ON true
			WHERE i.outermost = d.id AND n.status <> 'cancelled' ORDER BY n.event_id LIMIT $2) f
		JOIN events e ON e.id = f.event_id) s WHERE bytes <= $3) p ON true
WHERE d.id = ANY($1)`

// NudgeRuns queues that runs which wait with an open window look at what it holds now.
func NudgeRuns(b *pgx.Batch, runs []string, at []time.Time) {
	if len(runs) == 0 {
		return
	}
	b.Queue(`UPDATE notifications n SET due_at = least(n.due_at, u.at), updated_at = now()
FROM unnest($1::text[], $2::timestamptz[]) AS u (id, at) WHERE n.id = u.id AND n.status = 'waiting' AND `+pgdue.Open("n.due_at"), runs, at)
}

// ThrottleRow is what a throttle's identity has let through in its present window.
type ThrottleRow struct {
	ID            string
	EnvironmentID string
	WorkflowID    string
	StepID        string
	SubscriberID  string // internal id
	ThrottleKey   string
	workflow.ThrottleState
}

var throttleColumns = bulk.Columns[ThrottleRow]{
	bulk.Field("environment_id", func(t *ThrottleRow) *string { return &t.EnvironmentID }),
	bulk.Field("workflow_id", func(t *ThrottleRow) *string { return &t.WorkflowID }),
	bulk.Field("step_id", func(t *ThrottleRow) *string { return &t.StepID }),
	bulk.Field("subscriber_id", func(t *ThrottleRow) *string { return &t.SubscriberID }),
	bulk.Field("throttle_key", func(t *ThrottleRow) *string { return &t.ThrottleKey }),
	bulk.Field("id", func(t *ThrottleRow) *string { return &t.ID }),
	bulk.Field("starts_at", func(t *ThrottleRow) *time.Time { return &t.StartsAt }),
	bulk.Field("ends_at", func(t *ThrottleRow) *time.Time { return &t.EndsAt }),
	bulk.Field("used", func(t *ThrottleRow) *int { return &t.Used }),
}

var (
	throttleKeys  = throttleColumns.Pick("environment_id", "workflow_id", "step_id", "subscriber_id", "throttle_key")
	lockThrottles = bulk.Insert("throttles", append(throttleKeys, throttleColumns.Pick("id")...)).
			Set("created_at", "now()").Set("updated_at", "now()").Set("starts_at", "'epoch'").Set("ends_at", "'epoch'").Set("used", "0").InOrder().
			OnConflict(`(environment_id, workflow_id, step_id, subscriber_id, throttle_key) DO UPDATE SET updated_at = excluded.updated_at
RETURNING ` + throttleColumns.Select("t"))
	readThrottles = bulk.New(`SELECT `+throttleColumns.Select("t")+` FROM {rows}
JOIN throttles t ON t.environment_id = u.environment_id AND t.workflow_id = u.workflow_id AND t.step_id = u.step_id
	AND t.subscriber_id = u.subscriber_id AND t.throttle_key = u.throttle_key`, throttleKeys)
	saveThrottles = bulk.New(`UPDATE throttles t SET starts_at = u.starts_at, ends_at = u.ends_at, used = u.used, updated_at = now()
FROM {rows} WHERE t.id = u.id AND t.environment_id = u.environment_id`,
		throttleColumns.Pick("environment_id", "id", "starts_at", "ends_at", "used"))
)

// LockThrottles takes throttles for the transaction; unknown ones are stored as given. rows are sorted by identity
// without repetition, so that concurrent batches lock in one order.
func LockThrottles(ctx context.Context, tx pgx.Tx, rows []ThrottleRow) ([]ThrottleRow, error) {
	found, err := tx.Query(ctx, lockThrottles.Text, lockThrottles.Args(rows)...)
	return throttleColumns.Collect(found, err, "lock throttles")
}

// ReadThrottles reads throttles without locking them.
func ReadThrottles(ctx context.Context, q postgres.Querier, rows []ThrottleRow) ([]ThrottleRow, error) {
	found, err := q.Query(ctx, readThrottles.Text, readThrottles.Args(rows)...)
	return throttleColumns.Collect(found, err, "read throttles")
}

// SaveThrottles queues what locked throttles have come to.
func SaveThrottles(b *pgx.Batch, rows []ThrottleRow) {
	if len(rows) > 0 {
		saveThrottles.Queue(b, rows)
	}
}

// CancelWindows queues the end of windows whose runs are gone.
func CancelWindows(b *pgx.Batch, ids []string) {
	if len(ids) > 0 {
		b.Queue(`UPDATE digests SET status = 'cancelled', updated_at = now() WHERE id = ANY($1) AND status = 'open'`, ids)
	}
}

// leaveWindows takes cancelled runs out of the open windows they are in, which the transaction has locked. Where the
// run that would have gone on is among them, the oldest of the others takes its place, with what was shown of it; a
// window without runs ends (semantics.md §3.12).
func leaveWindows(ctx context.Context, tx pgx.Tx, ids, stopped []string, at time.Time) error {
	if len(ids) == 0 || len(stopped) == 0 {
		return nil
	}
	entry := postgres.JSONOr([]workflow.TraceEntry{{At: at, Reason: workflow.ReasonWaiting, Detail: "takes over the digest window of a cancelled event"}}, "[]")
	b := &pgx.Batch{}
	b.Queue(`WITH weights AS (SELECT n.digest_id, sum(coalesce(
		(SELECT max(c.total) FROM digests c WHERE c.notification_id = n.id AND `+pgdue.HasStatus("c.status", "closed")+`), 1)) AS events
	FROM notifications n WHERE n.id = ANY($2) AND n.digest_id = ANY($1) GROUP BY 1)
UPDATE digests d SET total = d.total - w.events, updated_at = now() FROM weights w WHERE d.id = w.digest_id`, ids, stopped)
	b.Queue(`WITH heirs AS (SELECT d.id, d.closes_at, d.notification_id AS former, old.state -> 'digest' AS shown, next.id AS heir, next.event_id, next.transaction_id
	FROM digests d JOIN notifications old ON old.id = d.notification_id JOIN LATERAL (
		SELECT n.id, n.event_id, n.transaction_id FROM notifications n WHERE n.digest_id = d.id AND n.status = 'merged' AND n.id <> ALL($2)
		ORDER BY n.event_id LIMIT 1) next ON true
	WHERE d.id = ANY($1) AND d.notification_id = ANY($2)),
moved AS (UPDATE messages m SET notification_id = h.heir, event_id = h.event_id, transaction_id = h.transaction_id, updated_at = now()
	FROM heirs h WHERE m.notification_id = h.former AND h.shown -> 'early' ? m.step_id),
woken AS (UPDATE notifications n SET status = 'waiting', finished_at = NULL, updated_at = now(), due_at = h.closes_at,
	state = coalesce(n.state, '{}') || jsonb_build_object('digest', h.shown), trace = n.trace || $3::jsonb
	FROM heirs h WHERE n.id = h.heir)
UPDATE digests d SET notification_id = h.heir FROM heirs h WHERE d.id = h.id`, ids, stopped, entry)
	b.Queue(`UPDATE notifications SET digest_id = NULL WHERE id = ANY($2) AND digest_id = ANY($1)`, ids, stopped)
	// What is shown is to be made anew even when it is as many events as before: another may have joined that is not shown yet.
	b.Queue(`UPDATE notifications n SET due_at = least(n.due_at, $2), state = n.state #- '{digest,shown}', updated_at = now() FROM digests d
WHERE d.id = ANY($1) AND n.id = d.notification_id AND n.status = 'waiting' AND jsonb_array_length(n.state -> 'digest' -> 'early') > 0`, ids, at)
	b.Queue(`UPDATE digests d SET status = 'cancelled', total = 0 WHERE id = ANY($1) AND status = 'open'
	AND NOT EXISTS (SELECT FROM notifications n WHERE n.digest_id = d.id)`, ids)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("leave digest windows: %w", err)
	}
	return nil
}
