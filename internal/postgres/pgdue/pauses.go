package pgdue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// A row that a pause holds names it, and is due a thousand years later: it stays open, in the order of due times, and no
// worker finds it due. Hours, because years are not of one length.
const (
	ahead   = `interval '8765832 hours'`
	farAway = `(now() + interval '4000000 hours')`
)

// Held are rows that pauses hold from now on.
type Held struct{ IDs, Pauses []string }

// Add names a row and the pause that holds it.
func (h *Held) Add(id, pauseID string) {
	h.IDs, h.Pauses = append(h.IDs, id), append(h.Pauses, pauseID)
}

// IsHeld reports whether a due time is that of a row that a pause holds.
func IsHeld(dueAt *time.Time) bool {
	return dueAt != nil && dueAt.After(time.Now().AddDate(450, 0, 0))
}

// Far is the condition on a due time that it is that of a row that a pause holds. A row keeps the name of the last pause: what
// moves its due time nearer ends the holding, without that name.
func Far(dueAt string) string { return `coalesce(` + dueAt + ` > ` + farAway + `, false)` }

var holdRows = map[DueTable]string{
	DueMessages: `, leased_until = NULL, lease_id = NULL`,
	DueEvents:   `, retry_at = coalesce(t.retry_at, t.created_at) + ` + ahead,
}

// Hold lets pauses hold rows of events, notifications or messages, which the transaction has locked. A pause that was resumed
// meanwhile holds nothing: the rows stay due then.
func Hold(ctx context.Context, tx pgx.Tx, table DueTable, rows Held) error {
	if len(rows.IDs) == 0 {
		return nil
	}
	due := `t.due_at`
	if table == DueMessages {
		due = `coalesce(t.due_at, CASE WHEN t.lease_id IS NOT NULL THEN t.created_at END)`
	}
	_, err := tx.Exec(ctx, `WITH lasting AS (SELECT id FROM pauses WHERE id = ANY($2) AND resumed_at IS NULL FOR SHARE)
UPDATE `+string(table)+` t SET held_by = l.id, due_at = `+due+` + `+ahead+`, updated_at = now()`+holdRows[table]+`
FROM unnest($1::text[], $2::text[]) AS u (id, pause) JOIN lasting l ON l.id = u.pause
WHERE t.id = u.id AND `+due+` < `+farAway, rows.IDs, rows.Pauses)
	if err != nil {
		return fmt.Errorf("hold %s: %w", table, err)
	}
	return nil
}

// ownClock is the time of the environment of a row t, where that is frozen.
const ownClock = `(SELECT e.clock_at FROM environments e WHERE e.id = t.environment_id AND e.type = 'development')`

// What was due keeps its due time, so that the oldest is taken up first. Tries and deadlines do not count the pause,
// except the deadline that an event names: an instant, after which nothing is sent (decisions.md §12).
var releaseRows = map[DueTable]string{
	DueMessages: `, deadline_at = CASE WHEN EXISTS (SELECT FROM events e WHERE e.id = t.event_id AND e.overrides ->> 'deadline' IS NOT NULL)
		THEN t.deadline_at ELSE t.deadline_at + (coalesce(` + ownClock + `, now()) - (t.due_at - ` + ahead + `)) END,
	envelope = CASE WHEN jsonb_typeof(t.envelope) = 'object' THEN t.envelope || jsonb_build_object('again', coalesce(` + ownClock + `, now())) ELSE t.envelope END`,
	DueEvents: `, retry_at = ` + ownClock,
}

// nextHeld finds rows that a pause holds, those that were due first at first.
func nextHeld(table DueTable) string {
	return `SELECT id FROM ` + string(table) + ` WHERE due_at > ` + farAway + ` AND held_by = $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`
}

// Release makes rows due again that a pause holds, those that were due first at first: messages, then runs, then events, at
// most limit. left reports whether it holds more.
func Release(ctx context.Context, tx pgx.Tx, pauseID string, limit int) (released int, left bool, err error) {
	for _, table := range []DueTable{DueMessages, DueNotifications, DueEvents} {
		if released >= limit {
			break
		}
		tag, err := tx.Exec(ctx, `WITH next AS (`+nextHeld(table)+`)
UPDATE `+string(table)+` t SET held_by = NULL, due_at = greatest(t.due_at - `+ahead+`, `+ownClock+`), updated_at = now()`+releaseRows[table]+`
FROM next WHERE t.id = next.id`, pauseID, limit-released)
		if err != nil {
			return 0, false, fmt.Errorf("release %s: %w", table, err)
		}
		released += int(tag.RowsAffected())
	}
	held, err := HeldBy(ctx, tx, []string{pauseID}, 1)
	return released, held[pauseID] > 0, err
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// HeldBy is how many rows each of the named pauses holds, at most limit of each table. Pauses that hold none are left out.
func HeldBy(ctx context.Context, q querier, pauses []string, limit int) (map[string]int, error) {
	rows, err := q.Query(ctx, `SELECT p.id, h.held FROM unnest($1::text[]) AS p (id) CROSS JOIN LATERAL (
	SELECT (SELECT count(*) FROM (SELECT FROM messages WHERE due_at > `+farAway+` AND held_by = p.id LIMIT $2) m)
		+ (SELECT count(*) FROM (SELECT FROM notifications WHERE due_at > `+farAway+` AND held_by = p.id LIMIT $2) n)
		+ (SELECT count(*) FROM (SELECT FROM events WHERE due_at > `+farAway+` AND held_by = p.id LIMIT $2) e) AS held) h
WHERE h.held > 0`, pauses, limit)
	held := map[string]int{}
	var id string
	var count int
	if err == nil {
		_, err = pgx.ForEachRow(rows, []any{&id, &count}, func() error { held[id] = count; return nil })
	}
	if err != nil {
		return nil, fmt.Errorf("count what pauses hold: %w", err)
	}
	return held, nil
}
