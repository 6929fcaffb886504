package pgpersonal

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Erased replaces the values of an erased person.
const Erased = "[erased]"

// Erasure is what one batch of erasing a person did.
type Erasure struct {
	Rows int64 // records that are gone, as Count counts them; attempts and the receipts of messages belong to them
	Done bool  // nothing is left about the person
}

// erasing are the persons of one batch.
type erasing struct {
	Person
	scope     viewer.Scope
	pseudonym string // takes the place of the identifier
	limit     int
	now       time.Time // real time, as leases are
}

// Erase deletes up to limit rows of each table about a person (decisions.md §16), in a transaction of the caller's, and is
// repeated until it is done: what is left is found again, so that nothing needs to be remembered between batches. now is
// real time. The subscriber's own rows come last, without anything but the pseudonym.
func Erase(ctx context.Context, tx pgx.Tx, scope viewer.Scope, p Person, pseudonym string, now time.Time, limit int) (Erasure, error) {
	e := erasing{Person: p, scope: scope, pseudonym: pseudonym, limit: limit, now: now}
	if err := e.stop(ctx, tx); err != nil {
		return Erasure{}, fmt.Errorf("stop notifying a person: %w", err)
	}
	rows, err := e.eraseRuns(ctx, tx)
	if err != nil {
		return Erasure{}, fmt.Errorf("erase notifications: %w", err)
	}
	others, full, err := e.eraseHoldings(ctx, tx)
	if err != nil {
		return Erasure{}, fmt.Errorf("erase records of a person: %w", err)
	}
	rows += others
	if full {
		return Erasure{Rows: rows}, nil
	}
	var left bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM notifications WHERE environment_id = $1 AND subscriber_id = ANY($2))`,
		scope.EnvironmentID, p.Records).Scan(&left); err != nil || left {
		return Erasure{Rows: rows}, err
	}
	blanked, err := e.finish(ctx, tx)
	return Erasure{Rows: rows + blanked, Done: true}, err
}

// stop marks the subscriber as deleted, and takes it from events that were not begun and from alert rules. A run that waits may send until the batch
// that deletes it.
func (e *erasing) stop(ctx context.Context, tx pgx.Tx) error {
	b := &pgx.Batch{}
	b.Queue(`UPDATE subscribers SET deleted = true, deleted_at = $3 WHERE environment_id = $1 AND id = ANY($2) AND NOT deleted`,
		e.scope.EnvironmentID, e.Records, e.now)
	// An event that named no other recipient holds no data of others.
	b.Queue(`WITH named AS (SELECT id, jsonb_path_query_array(recipients, '$.direct[*] ? (@.subscriberId != $id)', jsonb_build_object('id', $2::text)) AS others
	FROM events WHERE environment_id = $1 AND due_at IS NOT NULL AND checkpoint IS NULL
		AND jsonb_path_exists(recipients, '$.direct[*] ? (@.subscriberId == $id)', jsonb_build_object('id', $2::text)) FOR UPDATE)
UPDATE events e SET recipients = jsonb_set(e.recipients, '{direct}', n.others),
	payload = CASE WHEN n.others = '[]' AND NOT e.recipients ? 'topics' THEN '{}' ELSE e.payload END,
	overrides = CASE WHEN n.others = '[]' AND NOT e.recipients ? 'topics' THEN NULL ELSE e.overrides END
FROM named n WHERE n.id = e.id`, e.scope.EnvironmentID, e.SubscriberID)
	// An empty list reaches no subscriber, null reaches all.
	b.Queue(`UPDATE trigger_schedules SET updated_at = now(), actor_id = nullif(actor_id, $2),
	recipients = jsonb_path_query_array(recipients, '$[*] ? (!(@.subscriberId == $id))', jsonb_build_object('id', $2::text))
WHERE environment_id = $1 AND (actor_id = $2 OR jsonb_path_exists(recipients, '$[*] ? (@.subscriberId == $id)', jsonb_build_object('id', $2::text)))`,
		e.scope.EnvironmentID, e.SubscriberID)
	b.Queue(`UPDATE alert_rules SET notify_subscribers = notify_subscribers - $2::text WHERE environment_id = $1 AND notify_subscribers ? $2::text`,
		e.scope.EnvironmentID, e.SubscriberID)
	return tx.SendBatch(ctx, b).Close()
}

// erasableRuns are runs that no process is working on: what calls a provider now, or still makes notifications of the
// same event, is left for the next batch.
const erasableRuns = `SELECT n.id, n.event_id FROM notifications n WHERE n.environment_id = $1 AND n.subscriber_id = ANY($2)
	AND NOT EXISTS (SELECT FROM messages m WHERE m.notification_id = n.id AND (m.leased_until > $3 OR m.lease_id IS NOT NULL))
	AND NOT EXISTS (SELECT FROM events e WHERE e.id = n.event_id AND e.due_at IS NOT NULL)
ORDER BY n.id LIMIT $4 FOR UPDATE SKIP LOCKED`

// eraseRuns deletes notifications with their messages, and takes the person from their events.
func (e *erasing) eraseRuns(ctx context.Context, tx pgx.Tx) (int64, error) {
	rows, err := tx.Query(ctx, erasableRuns, e.scope.EnvironmentID, e.Records, e.now, e.limit)
	found, err := postgres.Collect(rows, err, "find notifications of a person", pgx.RowToStructByPos[struct{ ID, EventID id.ID }])
	if err != nil || len(found) == 0 {
		return 0, err
	}
	var runs, events []id.ID
	for _, r := range found {
		runs, events = append(runs, r.ID), append(events, r.EventID)
	}
	b, others := &pgx.Batch{}, int64(0)
	count := func(tag pgconn.CommandTag) error {
		others += tag.RowsAffected()
		return nil
	}
	for _, table := range []string{"receipts", "attempts", "replies", "caught_messages"} {
		deleted := b.Queue(`DELETE FROM `+table+` t USING messages m WHERE t.environment_id = $1 AND t.message_id = m.id AND m.notification_id = ANY($2)`, e.scope.EnvironmentID, runs)
		if table == "replies" || table == "caught_messages" { // records of their own
			deleted.Exec(count)
		}
	}
	b.Queue(`DELETE FROM messages WHERE notification_id = ANY($1)`, runs).Exec(count)
	b.Queue(`DELETE FROM notifications WHERE id = ANY($1)`, runs)
	b.Queue(`UPDATE events e SET payload = '{}', overrides = NULL, recipients = NULL, actor = NULL, trace = NULL, held_by = CASE WHEN e.due_at IS NOT NULL THEN e.held_by END,
	checkpoint = NULL, trace_parent = NULL
WHERE e.id = ANY($1) AND NOT EXISTS (SELECT FROM notifications n WHERE n.event_id = e.id)`, events)
	b.Queue(`UPDATE events e SET payload = `+redacted("payload")+`, overrides = `+redacted("overrides")+`, recipients = `+redacted("recipients")+`,
	actor = `+redacted("actor")+`, trace = `+redacted("trace")+`
WHERE e.id = ANY($1) AND EXISTS (SELECT FROM notifications n WHERE n.event_id = e.id)`, events, e.values(), `"`+Erased+`"`, e.addresses(), Erased)
	err = tx.SendBatch(ctx, b).Close()
	return int64(len(runs)) + others, err
}

// eraseHoldings deletes what else is stored about a person; full reports whether there may be more.
func (e *erasing) eraseHoldings(ctx context.Context, tx pgx.Tx) (rows int64, full bool, err error) {
	b := &pgx.Batch{}
	count := func(tag pgconn.CommandTag) error {
		rows += tag.RowsAffected()
		full = full || tag.RowsAffected() == int64(e.limit)
		return nil
	}
	b.Queue(`DELETE FROM subscription_preferences p USING subscriptions t WHERE t.environment_id = $1 AND t.subscriber_id = ANY($2) AND p.subscription_id = t.id`,
		e.scope.EnvironmentID, e.Records)
	b.Queue(`DELETE FROM throttles WHERE environment_id = $1 AND subscriber_id = ANY($2)`, e.scope.EnvironmentID, e.Records)
	for _, h := range holdings {
		if !h.keptByErasing() {
			b.Queue(`DELETE FROM `+h.table+` WHERE id IN (SELECT t.id FROM `+h.rows()+unlessShared[h.kind]+` LIMIT $4)`,
				e.scope.EnvironmentID, e.Records, e.Addresses, e.limit).Exec(count)
		}
	}
	err = tx.SendBatch(ctx, b).Close()
	return rows, full, err
}

// unlessShared keeps a suppression whose address is that of another subscriber, whom it protects, too.
var unlessShared = map[Kind]string{KindSuppression: ` AND NOT EXISTS (SELECT FROM subscribers s WHERE s.environment_id = $1
	AND (s.email = t.address OR s.email = ANY($3) AND lower(s.email) = t.address OR s.phone = t.address) AND NOT s.deleted AND s.id <> ALL($2))`}

// keptByErasing reports whether rows stay, without what they said: those of the subscriber and of the audit log, and incidents, which
// say nothing else. Runs and messages go with each other, not table by table.
func (h *holding) keptByErasing() bool {
	return slices.Contains([]Kind{KindSubscriber, KindAlertIncident, KindAuditEntry, KindNotification, KindMessage, KindReply}, h.kind)
}

// finish leaves the pseudonym alone of the subscriber and of the audit log's entries, and drops stored replies that name it. It
// returns how many records keep nothing but that.
func (e *erasing) finish(ctx context.Context, tx pgx.Tx) (blanked int64, err error) {
	b := &pgx.Batch{}
	for _, h := range holdings {
		if slices.Contains([]Kind{KindSubscriber, KindAlertIncident, KindAuditEntry}, h.kind) {
			b.Queue(`SELECT count(*) FROM `+h.rows(), e.scope.EnvironmentID, e.Records, e.Addresses).QueryRow(func(row pgx.Row) error {
				var n int64
				err := row.Scan(&n)
				blanked += n
				return err
			})
		}
	}
	// Replies of GraphQL mutations are sealed: bytes that begin as no JSON does, which may name the person.
	b.Queue(`DELETE FROM idempotency_records r WHERE environment_id = $1 AND (r.body < '\x20' OR EXISTS (SELECT FROM unnest($2::text[]) v WHERE position(convert_to(v, 'UTF8') IN r.body) > 0))`,
		e.scope.EnvironmentID, e.quoted())
	b.Queue(`UPDATE audit_entries SET changes = NULL WHERE environment_id = $1 AND record_type = 'Subscriber' AND record_id = ANY($2)`, e.scope.EnvironmentID, e.Records)
	b.Queue(`UPDATE audit_entries SET actor_name = $3, address = '', changes = NULL WHERE environment_id = $1 AND actor_type = 'subscriber' AND actor_id = ANY($2)`,
		e.scope.EnvironmentID, e.Records, e.pseudonym)
	// A new row instead of a blanked one, so that no column is forgotten.
	b.Queue(`WITH gone AS (DELETE FROM subscribers WHERE environment_id = $1 AND id = ANY($2) RETURNING id, environment_id, created_at, updated_at, deleted_at)
INSERT INTO subscribers (id, environment_id, created_at, updated_at, deleted_at, deleted, subscriber_id)
SELECT id, environment_id, created_at, updated_at, deleted_at, true, $3 FROM gone`, e.scope.EnvironmentID, e.Records, e.pseudonym)
	err = tx.SendBatch(ctx, b).Close()
	return blanked, err
}

// redacted is SQL for a column of JSON in which texts that are values ($2, a pattern) and addresses anywhere in a text
// ($4, a pattern) are replaced by $3 and $5. A member's name stays, since a colon follows it.
func redacted(column string) string {
	return `regexp_replace(regexp_replace(e.` + column + `::text, $2, $3, 'g'), $4, $5, 'g')::jsonb`
}

// values is a pattern of the person's identifier, names and addresses as texts of JSON.
func (e *erasing) values() string {
	return `(?<!\\)"(?:` + alternatives(slices.Concat([]string{e.SubscriberID}, e.Names, e.Addresses)) + `)"(?!:)`
}

// addresses is a pattern of the addresses that can be nothing else within a longer text, digits alone could be.
func (e *erasing) addresses() string {
	distinct := slices.DeleteFunc(slices.Clone(e.Addresses), func(a string) bool { return !strings.Contains(a, "@") && !strings.HasPrefix(a, "+") })
	if len(distinct) == 0 {
		return `(?!)`
	}
	return alternatives(distinct)
}

func alternatives(texts []string) string {
	patterns := make([]string, len(texts))
	for i, text := range texts {
		patterns[i] = regexp.QuoteMeta(inJSON(text))
	}
	return strings.Join(patterns, "|")
}

// quoted are the identifier and the addresses as texts of JSON.
func (e *erasing) quoted() (texts []string) {
	for _, text := range append([]string{e.SubscriberID}, e.Addresses...) {
		texts = append(texts, `"`+inJSON(text)+`"`)
	}
	return texts
}

// inJSON is a text as Postgres writes it between the quotes of JSON; control characters are in no identifier or address.
func inJSON(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
}
