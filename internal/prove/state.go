package prove

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// notFinal lists the rows that are not final. A row is stuck when nothing will take it up: it has neither an owner nor a due time.
const notFinal = `
SELECT 'event' AS table, id, status::text, CASE WHEN due_at IS NULL THEN 'no due time' ELSE '' END AS why FROM events WHERE status = 'accepted'
UNION ALL
SELECT 'notification', n.id, n.status::text, CASE WHEN n.due_at IS NULL AND NOT EXISTS (
	SELECT FROM messages m WHERE m.notification_id = n.id AND m.status = 'pending') THEN 'no due time' ELSE '' END FROM notifications n WHERE n.status IN ('pending', 'waiting')
UNION ALL
SELECT 'message', id, status::text, CASE WHEN due_at IS NULL AND NOT EXISTS (SELECT FROM message_leases l WHERE l.id = lease_id)
	THEN 'no due time and no owner' ELSE '' END FROM messages WHERE status = 'pending'
UNION ALL
SELECT 'digest', id, status::text, '' FROM digests WHERE status = 'open'
UNION ALL
SELECT 'attempt', a.id, a.outcome::text, '' FROM attempts a JOIN messages m ON m.id = a.message_id WHERE a.outcome = 'intent' AND m.status <> 'pending'`

// open counts the rows that are not final.
func open(ctx context.Context, db *pgxpool.Pool) (rows int, err error) {
	err = db.QueryRow(ctx, `SELECT count(*) FROM (`+notFinal+`) AS open`).Scan(&rows)
	return rows, err
}

// shortenPauses makes messages due that would be tried again only after a longer pause. Those that a process is sending are left alone.
func shortenPauses(ctx context.Context, db *pgxpool.Pool, longest time.Duration) error {
	_, err := db.Exec(ctx, `UPDATE messages SET due_at = now() WHERE status = 'pending' AND due_at > now() + $1::interval
	AND (leased_until IS NULL OR leased_until < now())`, longest)
	if err != nil {
		return fmt.Errorf("shorten the pauses of messages: %w", err)
	}
	return nil
}

// collect reads what the database holds.
func collect(ctx context.Context, db *pgxpool.Pool) (s State, err error) {
	if s.Events, err = read[Event](ctx, db, `SELECT id, payload->>'text' FROM events WHERE payload ? 'text'`); err != nil {
		return s, err
	}
	if s.Runs, err = read[Notification](ctx, db, `SELECT n.id, e.payload->>'text', p.subscriber_id, n.status::text
FROM notifications n JOIN events e ON e.id = n.event_id JOIN subscribers p ON p.id = n.subscriber_id WHERE e.payload ? 'text'`); err != nil {
		return s, err
	}
	// A digest's message lists its events behind its count.
	if s.Messages, err = read[Message](ctx, db, `SELECT m.id, m.notification_id, p.subscriber_id, m.step_id, m.channel::text, m.status::text,
	CASE WHEN m.step_id = '`+digestList+`' THEN regexp_split_to_array(trim(m.content->>'text'), ' ') END,
	EXISTS (SELECT FROM attempts a WHERE a.message_id = m.id AND a.duplicate_possible)
FROM messages m JOIN subscribers p ON p.id = m.subscriber_id`); err != nil {
		return s, err
	}
	if s.Open, err = read[Open](ctx, db, notFinal); err != nil {
		return s, err
	}
	s.Inboxes, err = read[Inbox](ctx, db, `SELECT p.subscriber_id, i.sequence, jsonb_build_object('Total', i.total, 'Unread', i.unread, 'Unseen', i.unseen),
	(SELECT jsonb_build_object('Total', count(*), 'Unread', count(*) FILTER (WHERE NOT m.read), 'Unseen', count(*) FILTER (WHERE NOT m.seen)) FROM messages m
	WHERE m.subscriber_id = i.subscriber_id AND m.scope = i.scope AND m.channel = 'in_app' AND NOT m.archived AND m.snoozed_until IS NULL)
FROM inbox_states i JOIN subscribers p ON p.id = i.subscriber_id`)
	return s, err
}

// read reads rows by the order of T's fields.
func read[T any](ctx context.Context, db *pgxpool.Pool, query string) ([]T, error) {
	rows, err := db.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("read the state: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[T])
	if err != nil {
		return nil, fmt.Errorf("read the state: %w", err)
	}
	return all, nil
}
