package pgupkeep

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pginbox"
)

// keptKey is how long an idempotency key is kept at most, but for the time that its request ran. A younger record may have
// ended too, when its request never finished; it goes with the others of its age, and blocks no other request until then.
const keptKey = 24 * time.Hour

// keptTries is how long failed log-ins are kept, which is as long as any limit counts them.
const keptTries = 24 * time.Hour

// frozenAt is the time of an environment e with a frozen clock, by which its windows end; null where it is real time.
const frozenAt = `CASE e.type WHEN 'development' THEN e.clock_at END`

// Retention is how long final records are kept. Zero keeps them for ever. Idempotency records know their own end.
type Retention struct {
	Claims  time.Duration // of transactionIds (decisions.md §16)
	Records time.Duration // events, notifications, messages, what hangs on them, and ended repairs
}

// Prune deletes at most limit rows of every kind that is past its retention, oldest first, and returns the most that it
// deleted of one kind: when that is limit, there may be more. now is real time, which ids carry as well.
func Prune(ctx context.Context, db *postgres.DB, now time.Time, keep Retention, limit int) (deleted int64, err error) {
	b := &pgx.Batch{}
	prune := func(sql string, args ...any) {
		b.Queue(sql, append(args, limit)...).Exec(func(tag pgconn.CommandTag) error {
			deleted = max(deleted, tag.RowsAffected())
			return nil
		})
	}
	prune(`DELETE FROM idempotency_records WHERE id IN (SELECT id FROM idempotency_records WHERE id < $1 AND expires_at <= $2
	ORDER BY id LIMIT $3)`, id.Floor(now.Add(time.Second-keptKey)), now)
	prune(`DELETE FROM used_tokens WHERE ctid IN (SELECT ctid FROM used_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`, now)
	prune(`DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`, now)
	prune(`DELETE FROM log_in_tries WHERE id IN (SELECT id FROM log_in_tries WHERE tried_at < $1 ORDER BY tried_at LIMIT $2)`, now.Add(-keptTries))
	if keep.Claims > 0 {
		// A claim that was taken again has kept its id, and is younger than that says.
		prune(`DELETE FROM transaction_claims WHERE id IN (SELECT id FROM transaction_claims WHERE id < $1 AND created_at < $2
	ORDER BY id LIMIT $3)`, id.Floor(now.Add(-keep.Claims)), now.Add(-keep.Claims))
	}
	if keep.Records > 0 {
		before := id.Floor(now.Add(-keep.Records))
		for _, table := range []string{"inbox_removals", "receipts", "caught_messages"} {
			prune(`DELETE FROM `+table+` WHERE id IN (SELECT id FROM `+table+` WHERE id < $1 ORDER BY id LIMIT $2)`, before)
		}
		prune(`DELETE FROM replies WHERE id IN (SELECT id FROM replies WHERE id < $1 AND due_at IS NULL ORDER BY id LIMIT $2)`, before)
		prune(`DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE id < $1 AND due_at IS NULL ORDER BY id LIMIT $2)`, before)
		prune(`DELETE FROM message_retries WHERE id IN (SELECT id FROM message_retries WHERE id < $1 AND due_at IS NULL ORDER BY id LIMIT $2)`, before)
		prune(`DELETE FROM pauses WHERE id IN (SELECT id FROM pauses WHERE id < $1 AND due_at IS NULL AND resumed_at < $2 ORDER BY id LIMIT $3)`,
			before, now.Add(-keep.Records))
		prune(`DELETE FROM alert_incidents WHERE id IN (SELECT id FROM alert_incidents WHERE id < $1 AND closed_at IS NOT NULL ORDER BY id LIMIT $2)`, before)
		prune(`DELETE FROM throttles WHERE id IN (SELECT t.id FROM throttles t JOIN environments e ON e.id = t.environment_id
	WHERE t.ends_at < $1 AND t.ends_at < coalesce(`+frozenAt+`, $1) ORDER BY t.ends_at LIMIT $2 FOR UPDATE OF t SKIP LOCKED)`, now.Add(-keep.Records))
	}
	if err := db.Pool.SendBatch(ctx, b).Close(); err != nil {
		return 0, fmt.Errorf("delete what is past its retention: %w", err)
	}
	if keep.Records > 0 {
		runs, err := pruneRuns(ctx, db, now, id.Floor(now.Add(-keep.Records)), limit)
		if err != nil {
			return 0, fmt.Errorf("delete what is past its retention: %w", err)
		}
		deleted = max(deleted, runs)
	}
	return deleted, nil
}

// pastRuns are final runs that nothing waits for: neither a message of theirs, nor an open digest window, nor the run that a window belongs
// to, which reads the events of those merged into it as long as it lasts. Where that run was itself merged into another window, it goes
// first. While an event is fanned out, at its pace or after a pause, its runs tell whom it has reached.
//
// OFFSET 0 keeps each question one about its run, by an index: as a join the planner answers it by reading all messages, because few wait.
var pastRuns = `SELECT n.id FROM notifications n WHERE n.id < $1 AND n.due_at IS NULL AND n.status NOT IN ('pending', 'waiting')
	AND (n.digest_id IS NULL OR NOT EXISTS (SELECT FROM digests d LEFT JOIN notifications o ON o.id = d.notification_id AND o.id <> n.id
		WHERE d.id = n.digest_id AND (` + pgdue.HasStatus("d.status", "open") + ` OR o.status IN ('pending', 'waiting', 'merged'))))
	AND NOT EXISTS (SELECT FROM events e WHERE e.id = n.event_id AND e.due_at IS NOT NULL OFFSET 0)
	AND NOT EXISTS (SELECT FROM messages m WHERE m.notification_id = n.id
		AND (m.due_at IS NOT NULL OR m.lease_id IS NOT NULL OR m.snoozed_until IS NOT NULL) OFFSET 0)
ORDER BY n.id LIMIT $2 FOR UPDATE SKIP LOCKED`

// pastDigests are windows that have ended, whose runs are deleted, and that no look-back reaches any more by its environment's clock: that
// may be longer than the retention. Months of a look-back count 31 days.
var pastDigests = `WITH looks AS MATERIALIZED (SELECT w.id AS workflow_id, s ->> 'stepId' AS step_id, coalesce(` + frozenAt + `, $3)
		- (s #>> '{digest,backoffAmount}')::int * CASE s #>> '{digest,backoffUnit}' WHEN 'months' THEN interval '31 days'
			ELSE ('1 ' || (s #>> '{digest,backoffUnit}'))::interval END AS since
	FROM workflows w JOIN environments e ON e.id = w.environment_id JOIN workflow_versions v ON v.id = w.published_version_id
	CROSS JOIN LATERAL jsonb_path_query(v.definition, '$.steps[*] ? (@.digest.backoffAmount > 0 && @.digest.backoffUnit != "")') s
	WHERE EXISTS (SELECT FROM digests d WHERE d.environment_id = w.environment_id AND d.workflow_id = w.id))
SELECT d.id FROM digests d WHERE d.id < $1 AND d.status <> 'open' AND NOT EXISTS (SELECT FROM notifications n WHERE n.digest_id = d.id OFFSET 0)
	AND NOT EXISTS (SELECT FROM looks l WHERE l.workflow_id = d.workflow_id AND l.step_id = d.step_id AND d.last_event_at > l.since)
ORDER BY d.id LIMIT $2`

// pastEvents are events that are fanned out and have no runs.
const pastEvents = `SELECT e.id FROM events e WHERE e.id < $1 AND e.due_at IS NULL
	AND NOT EXISTS (SELECT FROM notifications n WHERE n.event_id = e.id OFFSET 0) ORDER BY e.id LIMIT $2`

// pruneRuns deletes past runs with their messages and attempts, takes those from their inboxes, and then deletes events
// and digest windows that no run is left of.
func pruneRuns(ctx context.Context, db *postgres.DB, now time.Time, before id.ID, limit int) (deleted int64, err error) {
	err = db.Batch(ctx, func(in *postgres.Batch) error {
		tx := in.Pgx
		rows, err := tx.Query(ctx, pastRuns, before, limit)
		runs, err := postgres.Collect(rows, err, "find past notifications", pgx.RowTo[string])
		if err != nil {
			return err
		}
		deleted = int64(len(runs))
		ended := before // ids before it are looked at for what no run is left of: behind the last run there are as many as there are runs
		if len(runs) == limit {
			ended = runs[limit-1]
		}
		shown, err := tx.Query(ctx, pginbox.SelectInbox+`WHERE notification_id = ANY($1) AND channel = 'in_app' AND status <> 'pending' ORDER BY id FOR UPDATE`, runs)
		inbox, err := pginbox.CollectInbox(shown, err)
		if err != nil {
			return err
		}
		if err := pginbox.DeleteInboxMessages(ctx, tx, inbox); err != nil {
			return err
		}
		b := &pgx.Batch{}
		b.Queue(`DELETE FROM attempts a USING messages m WHERE a.message_id = m.id AND m.notification_id = ANY($1)`, runs)
		b.Queue(`DELETE FROM messages WHERE notification_id = ANY($1)`, runs)
		b.Queue(`DELETE FROM notifications WHERE id = ANY($1)`, runs)
		b.Queue(`DELETE FROM digests WHERE id IN (`+pastDigests+`)`, ended, limit, now)
		b.Queue(`DELETE FROM events WHERE id IN (`+pastEvents+`)`, ended, limit).Exec(func(tag pgconn.CommandTag) error {
			deleted = max(deleted, tag.RowsAffected())
			return nil
		})
		b.Queue(`DELETE FROM event_counts WHERE id IN (SELECT c.id FROM event_counts c WHERE c.event_id < $1
	AND NOT EXISTS (SELECT FROM events e WHERE e.id = c.event_id OFFSET 0) ORDER BY c.event_id LIMIT $2)`, ended, limit)
		return in.End(ctx, b)
	})
	return deleted, err
}
