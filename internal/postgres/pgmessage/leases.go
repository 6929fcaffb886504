package pgmessage

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// InsertLease queues a lease: the named messages, which the transaction inserts with its id, belong to this process until it ends,
// and are due for every process then. Messages that are sent at once are therefore in no index of what is due, and none of them is
// rewritten before its outcome. The lease ends with a whole second, so that those of many commits end together.
func InsertLease(b *pgx.Batch, leaseID string, messageIDs []string, lease time.Duration) {
	b.Queue(`INSERT INTO message_leases (id, due_at, message_ids) VALUES ($1, date_trunc('second', clock_timestamp() + $2::interval) + interval '1 second', $3)`,
		leaseID, lease, messageIDs)
}

// leased are the messages that are still under leases l.
const leased = `CROSS JOIN LATERAL unnest(l.message_ids) u (id) JOIN messages m ON m.id = u.id AND m.lease_id = l.id`

const deleteLeases = `WITH ended AS MATERIALIZED (SELECT id, message_ids FROM message_leases WHERE due_at <= clock_timestamp()
	ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED),
open AS MATERIALIZED (SELECT DISTINCT l.id FROM ended l ` + leased + `),
deleted AS (DELETE FROM message_leases l USING ended e WHERE l.id = e.id AND NOT EXISTS (SELECT FROM open o WHERE o.id = l.id))
SELECT (SELECT count(*)::int FROM ended), coalesce((SELECT array_agg(id) FROM open), '{}')`

// EndLeases ends leases whose time has come, the oldest first, at most limit, and returns how many there were, and how many of them with
// open messages. As a rule all their messages are final. Others become due as of when they were made; lease is for how long a claim lasts.
func EndLeases(ctx context.Context, db *postgres.DB, limit int, lease time.Duration) (ended, open int, err error) {
	var left []string
	if err := db.Pool.QueryRow(ctx, deleteLeases, limit).Scan(&ended, &left); err != nil {
		return 0, 0, fmt.Errorf("end leases of messages: %w", err)
	}
	if len(left) == 0 {
		return ended, 0, nil
	}
	err = pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error { return giveBack(ctx, tx, left, lease) })
	if err != nil {
		return 0, 0, fmt.Errorf("end leases of open messages: %w", err)
	}
	return ended, len(left), nil
}

// makeDue makes messages due. One whose attempt is under way stays with its worker for half a claim at least: within that the worker
// extends it, if it lives (ExtendLeases). $2 is how long a claim lasts.
const makeDue = `UPDATE messages m SET due_at = m.created_at, lease_id = NULL, attempts = greatest(m.attempts, a.number),
	leased_until = CASE WHEN m.leased_until IS NULL AND a.outcome = 'intent'
		THEN greatest(a.created_at + $2::interval, clock_timestamp() + $2::interval / 2) ELSE m.leased_until END
FROM unnest($1::text[]) u (id) LEFT JOIN LATERAL (SELECT number, outcome, created_at FROM attempts WHERE message_id = u.id
	ORDER BY number DESC LIMIT 1) a ON true WHERE m.id = u.id`

// giveBack ends leases with messages that are still open. A lease with a message that another transaction has locked is looked at again
// a second later: waiting for the lock could end in a deadlock. The messages are locked by a statement of their own, so that the next
// statement sees every attempt that has begun.
func giveBack(ctx context.Context, tx pgx.Tx, leases []string, lease time.Duration) error {
	rows, err := tx.Query(ctx, `SELECT id FROM message_leases WHERE id = ANY($1) FOR UPDATE SKIP LOCKED`, leases)
	if leases, err = postgres.Collect(rows, err, "lock leases", pgx.RowTo[string]); err != nil || len(leases) == 0 {
		return err
	}
	rows, err = tx.Query(ctx, `SELECT m.id FROM message_leases l `+leased+` WHERE l.id = ANY($1) FOR UPDATE OF m SKIP LOCKED`, leases)
	messages, err := postgres.Collect(rows, err, "lock messages under leases", pgx.RowTo[string])
	if err != nil {
		return err
	}
	b := &pgx.Batch{}
	b.Queue(makeDue, messages, lease)
	b.Queue(`WITH open AS MATERIALIZED (SELECT DISTINCT l.id FROM message_leases l `+leased+` WHERE l.id = ANY($1)),
later AS (UPDATE message_leases l SET due_at = clock_timestamp() + interval '1 second' FROM open o WHERE l.id = o.id)
DELETE FROM message_leases l WHERE l.id = ANY($1) AND NOT EXISTS (SELECT FROM open o WHERE o.id = l.id)`, leases)
	return tx.SendBatch(ctx, b).Close()
}
