// Package pgwebhook claims deliveries of outgoing webhooks and records what became of them. What is delivered is written by triggers
// of the tables that it reports on (webhook_report, in the migrations).
package pgwebhook

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

// Delivery is a claimed delivery with its endpoint.
type Delivery struct {
	ID            string
	EnvironmentID string
	EndpointID    string
	SubscriberID  *string
	EventType     string
	Body          []byte // the payload, as it is sent
	Attempts      int    // the one that begins included
	Tries         int    // of them since it was recorded or replayed last
	URL           string
	Secret        []byte // encrypted
	Previous      []byte // encrypted; nil: only Secret signs
	Ordered       bool
}

// An endpoint without room is passed over, however much of it is due, so that the others are claimed at once. Of the others one row
// after the other is claimed, unless the endpoint is not active ($3 is what the log of the row says then), or is ordered and has an
// earlier delivery about the same subscriber. Such a row is due again when that one is; the end of that one brings it forward.
var claim = pgdue.WaitingEndpoints + `,
due AS (
	SELECT d.* FROM waiting o LEFT JOIN webhook_endpoints w ON w.id = o.endpoint_id CROSS JOIN LATERAL (
		SELECT d.id, d.endpoint_id, d.subscriber_id, d.due_at, coalesce(w.active, false) AS active, coalesce(w.ordered, false) AS ordered, o.room
		FROM webhook_deliveries d WHERE d.endpoint_id = o.endpoint_id AND d.due_at <= statement_timestamp()
		ORDER BY d.due_at, d.id LIMIT CASE WHEN w.active AND NOT w.ordered THEN o.room ELSE $1::bigint END FOR UPDATE OF d SKIP LOCKED) d
	WHERE o.room > 0 OR w.active IS NOT TRUE
	ORDER BY d.due_at, d.id LIMIT $1),
placed AS (
	SELECT d.id, d.active, p.due_at AS after, d.room, row_number() OVER (PARTITION BY d.endpoint_id, p.due_at IS NULL ORDER BY d.due_at, d.id) AS place
	FROM due d LEFT JOIN LATERAL (SELECT p.due_at FROM webhook_deliveries p WHERE d.ordered AND p.endpoint_id = d.endpoint_id
		AND p.subscriber_id = d.subscriber_id AND p.status = 'pending' AND p.id < d.id ORDER BY p.id LIMIT 1) p ON true),
dropped AS (
	UPDATE webhook_deliveries d SET status = 'failed', due_at = NULL, leased_until = NULL, finished_at = clock_timestamp(), updated_at = clock_timestamp(),
		attempt_log = d.attempt_log || $3::jsonb
	FROM placed p WHERE p.id = d.id AND NOT p.active),
postponed AS (
	UPDATE webhook_deliveries d SET due_at = greatest(p.after, clock_timestamp() + $2::interval) FROM placed p
	WHERE p.id = d.id AND p.active AND p.after IS NOT NULL),
taken AS (
	UPDATE webhook_deliveries d SET leased_until = clock_timestamp() + $2::interval, due_at = clock_timestamp() + $2::interval,
		attempts = d.attempts + 1, tries = d.tries + 1
	FROM placed p WHERE p.id = d.id AND p.active AND p.after IS NULL AND p.place <= p.room
	RETURNING d.id, d.environment_id, d.endpoint_id, d.subscriber_id, d.event_type, d.payload, d.attempts, d.tries)
SELECT n.found, coalesce(t.id, ''), coalesce(t.environment_id, ''), coalesce(t.endpoint_id, ''), t.subscriber_id, coalesce(t.event_type, ''),
	coalesce(t.payload::text, ''), coalesce(t.attempts, 0), coalesce(t.tries, 0), coalesce(w.url, ''), w.secret,
	CASE WHEN w.previous_secret_until > clock_timestamp() THEN w.previous_secret END, coalesce(w.ordered, false)
FROM (SELECT count(*)::int AS found FROM placed WHERE NOT active OR after IS NOT NULL OR place <= room) n
LEFT JOIN taken t ON true LEFT JOIN webhook_endpoints w ON w.id = t.endpoint_id ORDER BY t.id`

// Claim takes up to limit deliveries that are due for a lease, and counts an attempt of each. found is how many it came across: those,
// and others that it ended or postponed.
func Claim(ctx context.Context, db *postgres.DB, lease time.Duration, limit int) (claimed []Delivery, found int, err error) {
	inactive := postgres.JSONOr([]workflow.WebhookAttempt{{At: time.Now().UTC(), ErrorText: new("The endpoint is not active.")}}, "[]")
	rows, err := db.Pool.Query(ctx, claim, limit, lease, inactive)
	claimed, err = postgres.Collect(rows, err, "claim webhook deliveries", func(r pgx.CollectableRow) (d Delivery, err error) {
		var body string
		err = r.Scan(&found, &d.ID, &d.EnvironmentID, &d.EndpointID, &d.SubscriberID, &d.EventType, &body, &d.Attempts, &d.Tries,
			&d.URL, &d.Secret, &d.Previous, &d.Ordered)
		d.Body = []byte(body)
		return d, err
	})
	claimed = slices.DeleteFunc(claimed, func(d Delivery) bool { return d.ID == "" }) // of what was due nothing was taken
	return claimed, found, err
}

// Outcome is what an attempt came to.
type Outcome struct {
	*Delivery
	Status  workflow.WebhookDeliveryStatus
	RetryAt *time.Time // nil: the delivery is final
	Attempt workflow.WebhookAttempt
	Gone    bool // the endpoint asked not to be called any more
}

// LogLength is how many of its latest attempts a delivery keeps.
const LogLength = 20

const record = `UPDATE webhook_deliveries SET status = $3, due_at = $4, leased_until = NULL, updated_at = clock_timestamp(),
	finished_at = CASE WHEN $4::timestamptz IS NULL THEN clock_timestamp() END,
	attempt_log = CASE WHEN jsonb_array_length(attempt_log) >= $6 THEN attempt_log - 0 ELSE attempt_log END || $5::jsonb
WHERE id = $1 AND attempts = $2`

// The next delivery about a subscriber may have been postponed until this one was final.
const nextInOrder = `UPDATE webhook_deliveries SET due_at = clock_timestamp() WHERE id = (SELECT id FROM webhook_deliveries
	WHERE endpoint_id = $1 AND subscriber_id = $2 AND status = 'pending' AND id > $3 ORDER BY id LIMIT 1) AND leased_until IS NULL AND tries = 0`

// Disabled is an endpoint that was deactivated after failures.
type Disabled struct{ ID, EnvironmentID, Reason string }

// Record records outcomes in one transaction, and deactivates the endpoints that were gone, or that have failed since before a
// moment without a success. It returns those.
func Record(ctx context.Context, db *postgres.DB, outcomes []Outcome, failingBefore time.Time) (disabled []Disabled, err error) {
	err = db.Batch(ctx, func(in *postgres.Batch) error {
		disabled = nil
		b := &pgx.Batch{}
		well, failed, gone := []string{}, []string{}, []string{} // nil would be null in SQL
		for i := range outcomes {
			o := &outcomes[i]
			b.Queue(record, o.ID, o.Attempts, string(o.Status), o.RetryAt, postgres.JSONOr([]workflow.WebhookAttempt{o.Attempt}, "[]"), LogLength)
			if o.RetryAt == nil && o.Ordered && o.SubscriberID != nil {
				b.Queue(nextInOrder, o.EndpointID, *o.SubscriberID, o.ID)
			}
			switch {
			case o.Status == workflow.WebhookDelivered:
				well = append(well, o.EndpointID)
			case o.Gone:
				gone = append(gone, o.EndpointID)
			default:
				failed = append(failed, o.EndpointID)
			}
		}
		b.Queue(`UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ANY($1) AND failing_since IS NOT NULL`, well)
		b.Queue(`UPDATE webhook_endpoints SET failing_since = clock_timestamp() WHERE id = ANY($1) AND failing_since IS NULL AND NOT id = ANY($2)`, failed, well)
		b.Queue(`UPDATE webhook_endpoints SET active = false, disabled_at = clock_timestamp(), updated_at = clock_timestamp(),
	disabled_reason = CASE WHEN id = ANY($2) THEN 'It answered 410 Gone.'
		ELSE 'No delivery has succeeded since ' || to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC.' END
WHERE active AND (id = ANY($2) OR id = ANY($1) AND failing_since < $3) RETURNING id, environment_id, disabled_reason`, failed, gone, failingBefore).
			Query(func(rows pgx.Rows) (err error) {
				disabled, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Disabled])
				return err
			})
		return in.End(ctx, b)
	})
	if err != nil {
		return nil, fmt.Errorf("record webhook deliveries: %w", err)
	}
	return disabled, nil
}

// querier is the pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Replay is which deliveries of an endpoint are sent again.
type Replay struct {
	EndpointID string
	ID         string    // one delivery; "": those of the range
	FailedOnly bool      // otherwise delivered ones too
	From, To   time.Time // when they were recorded; zero: no bound
}

// Again makes up to limit deliveries due that are final, the oldest first, with all tries before them, and returns how many.
func Again(ctx context.Context, q querier, scope viewer.Scope, r Replay, limit int) (int, error) {
	var from, to *time.Time
	if !r.From.IsZero() {
		from = &r.From
	}
	if !r.To.IsZero() {
		to = &r.To
	}
	rows, err := q.Query(ctx, `UPDATE webhook_deliveries SET status = 'pending', tries = 0, due_at = clock_timestamp(), finished_at = NULL, updated_at = clock_timestamp()
WHERE id IN (SELECT id FROM webhook_deliveries WHERE environment_id = $1 AND endpoint_id = $2 AND ($3 = '' OR id = $3) AND status <> 'pending'
	AND (NOT $4 OR status = 'failed') AND ($5::timestamptz IS NULL OR created_at >= $5) AND ($6::timestamptz IS NULL OR created_at < $6)
	ORDER BY id LIMIT $7 FOR UPDATE) RETURNING id`, scope.EnvironmentID, r.EndpointID, r.ID, r.FailedOnly, from, to, limit)
	ids, err := postgres.Collect(rows, err, "replay webhook deliveries", pgx.RowTo[string])
	return len(ids), err
}

// mostUnchained bounds what Unchain changes in the request of whoever changes an endpoint.
const mostUnchained = 10_000

// Unchain makes deliveries due that wait for earlier ones about the same subscriber: their endpoint is not ordered any more. Beyond the
// first 10,000 they are due when those before them are.
func Unchain(ctx context.Context, q querier, endpointID string) error {
	rows, err := q.Query(ctx, `UPDATE webhook_deliveries SET due_at = clock_timestamp() WHERE id IN (SELECT id FROM webhook_deliveries
	WHERE endpoint_id = $1 AND due_at > clock_timestamp() AND tries = 0 AND leased_until IS NULL ORDER BY due_at LIMIT $2)`, endpointID, mostUnchained)
	if err == nil {
		rows.Close()
		err = rows.Err()
	}
	return postgres.Translate(err)
}

// Ping records a delivery of type ping for an endpoint, whatever it asks for, and returns its id.
func Ping(ctx context.Context, q querier, scope viewer.Scope, endpointID string) (id string, err error) {
	rows, err := q.Query(ctx, `INSERT INTO webhook_deliveries (id, created_at, updated_at, environment_id, endpoint_id, event_type, payload, status, attempt_log, due_at)
SELECT webhook_delivery_id(at), at, at, $1::varchar, $2::varchar, 'ping', jsonb_build_object('type', 'ping', 'version', 1,
	'timestamp', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'environmentId', $1::varchar, 'data', jsonb_build_object('endpointId', $2::varchar)),
	'pending', '[]', at
FROM clock_timestamp() at RETURNING id`, scope.EnvironmentID, endpointID)
	ids, err := postgres.Collect(rows, err, "ping a webhook endpoint", pgx.RowTo[string])
	if err != nil {
		return "", err
	}
	return ids[0], nil
}
