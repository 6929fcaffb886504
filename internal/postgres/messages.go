package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/workflow"
)

// NotificationRow is a run as the engine keeps it.
type NotificationRow struct {
	ID            string
	EnvironmentID string
	CreatedAt     time.Time
	ContextKeys   []string
	Scope         string
	EventID       string
	TransactionID string
	WorkflowID    string
	VersionID     string
	SubscriberID  string // internal id
	TenantID      string
	Status        workflow.RunStatus
	Position      int
	State         json.RawMessage // nil: nothing
	Topics        []string
	Trace         []workflow.TraceEntry // when written: what is new
	DueAt         *time.Time
	FinishedAt    *time.Time
	Failures      int
	DigestID      string // the window that its event is in
	Lane          string // when it is new: its event's
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func rawText(raw json.RawMessage) *string {
	if len(raw) == 0 {
		return nil
	}
	return orNull(string(raw))
}

// textOr is v as JSON text, or otherwise when v is nil or empty.
func textOr(v any, otherwise string) string {
	if text := jsonText(v); text != nil {
		return *text
	}
	return otherwise
}

// InsertNotifications queues new runs. One that is there already (same event, same subscriber) stays as it is; inserted
// hears how many were new; its error undoes the transaction.
func InsertNotifications(b *pgx.Batch, runs []NotificationRow, inserted func(int) error) {
	var c columns
	column(&c, runs, func(n *NotificationRow) string { return n.ID })
	column(&c, runs, func(n *NotificationRow) time.Time { return n.CreatedAt })
	column(&c, runs, func(n *NotificationRow) string { return n.EnvironmentID })
	column(&c, runs, func(n *NotificationRow) string { return jsonList(n.ContextKeys) })
	column(&c, runs, func(n *NotificationRow) string { return n.Scope })
	column(&c, runs, func(n *NotificationRow) string { return n.EventID })
	column(&c, runs, func(n *NotificationRow) string { return n.TransactionID })
	column(&c, runs, func(n *NotificationRow) string { return n.WorkflowID })
	column(&c, runs, func(n *NotificationRow) string { return n.VersionID })
	column(&c, runs, func(n *NotificationRow) string { return n.SubscriberID })
	column(&c, runs, func(n *NotificationRow) *string { return orNull(n.TenantID) })
	column(&c, runs, func(n *NotificationRow) string { return string(n.Status) })
	column(&c, runs, func(n *NotificationRow) int { return n.Position })
	column(&c, runs, func(n *NotificationRow) *string { return rawText(n.State) })
	column(&c, runs, func(n *NotificationRow) *string { return jsonText(n.Topics) })
	column(&c, runs, func(n *NotificationRow) string { return textOr(n.Trace, "[]") })
	column(&c, runs, func(n *NotificationRow) *time.Time { return n.DueAt })
	column(&c, runs, func(n *NotificationRow) *time.Time { return n.FinishedAt })
	column(&c, runs, func(n *NotificationRow) *string { return orNull(n.DigestID) })
	column(&c, runs, func(n *NotificationRow) string { return n.Lane })
	b.Queue(`INSERT INTO notifications (id, created_at, updated_at, environment_id, context_keys, scope, event_id, transaction_id,
	workflow_id, workflow_version_id, subscriber_id, tenant_id, status, position, state, topics, trace, due_at, finished_at, digest_id, lane)
SELECT id, at, at, env, keys::jsonb, scope, event, transaction, workflow, version, subscriber, tenant, status, position,
	state::jsonb, topics::jsonb, trace::jsonb, due_at, finished_at, digest, lane
FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
	$10::text[], $11::text[], $12::text[], $13::int[], $14::text[], $15::text[], $16::text[], $17::timestamptz[], $18::timestamptz[],
	$19::text[], $20::text[])
	AS u (id, at, env, keys, scope, event, transaction, workflow, version, subscriber, tenant, status, position, state, topics,
	trace, due_at, finished_at, digest, lane)
ON CONFLICT (event_id, subscriber_id) DO NOTHING`, c.args...).Exec(func(tag pgCommandTag) error {
		return inserted(int(tag.RowsAffected()))
	})
}

// UpdateNotifications queues the next stage of runs that the transaction holds.
func UpdateNotifications(b *pgx.Batch, runs []NotificationRow) {
	if len(runs) == 0 {
		return
	}
	var c columns
	column(&c, runs, func(n *NotificationRow) string { return n.EnvironmentID })
	column(&c, runs, func(n *NotificationRow) string { return n.ID })
	column(&c, runs, func(n *NotificationRow) string { return n.VersionID })
	column(&c, runs, func(n *NotificationRow) string { return string(n.Status) })
	column(&c, runs, func(n *NotificationRow) int { return n.Position })
	column(&c, runs, func(n *NotificationRow) *string { return rawText(n.State) })
	column(&c, runs, func(n *NotificationRow) string { return textOr(n.Trace, "[]") })
	column(&c, runs, func(n *NotificationRow) *time.Time { return n.DueAt })
	column(&c, runs, func(n *NotificationRow) *time.Time { return n.FinishedAt })
	column(&c, runs, func(n *NotificationRow) *string { return orNull(n.DigestID) })
	column(&c, runs, func(n *NotificationRow) bool { return repeats(n.Trace) })
	b.Queue(`UPDATE notifications n SET workflow_version_id = u.version, status = u.status, position = u.position, state = u.state::jsonb,
	trace = CASE WHEN u.repeats THEN `+folded("n.trace || u.trace::jsonb")+` ELSE n.trace || u.trace::jsonb END, due_at = u.due_at, finished_at = u.finished_at, digest_id = u.digest, failures = 0, updated_at = now()
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::timestamptz[], $9::timestamptz[], $10::text[],
	$11::bool[]) AS u (env, id, version, status, position, state, trace, due_at, finished_at, digest, repeats)
WHERE n.id = u.id AND n.environment_id = u.env`, c.args...)
}

// MessageRow is a message as the engine writes it.
type MessageRow struct {
	ID                 string
	EnvironmentID      string
	CreatedAt          time.Time
	ContextKeys        []string
	Scope              string
	NotificationID     string
	EventID            string
	TransactionID      string
	WorkflowID         string
	WorkflowIdentifier string
	StepID             string
	SubscriberID       string // internal id
	Channel            workflow.Channel
	Target             string
	IntegrationID      string
	ProviderID         string
	Status             workflow.MessageStatus
	DeliveredAt        json.RawMessage // list of instants
	Subject            *string
	Content            json.RawMessage
	CTA                json.RawMessage
	Title              *string
	Avatar             *string
	Email              *string
	Phone              *string
	DirectWebhookURL   *string
	DeviceTokens       []string
	FeedID             string
	Severity           workflow.Severity
	Tags               []string
	Data               json.RawMessage
	Envelope           json.RawMessage
	DueAt              *time.Time
	DeadlineAt         *time.Time
	Lane               string
	Sequence           int64
}

// InsertMessages queues new messages.
func InsertMessages(b *pgx.Batch, messages []MessageRow) {
	if len(messages) == 0 {
		return
	}
	var c columns
	column(&c, messages, func(m *MessageRow) string { return m.ID })
	column(&c, messages, func(m *MessageRow) time.Time { return m.CreatedAt })
	column(&c, messages, func(m *MessageRow) string { return m.EnvironmentID })
	column(&c, messages, func(m *MessageRow) string { return jsonList(m.ContextKeys) })
	column(&c, messages, func(m *MessageRow) string { return m.Scope })
	column(&c, messages, func(m *MessageRow) string { return m.NotificationID })
	column(&c, messages, func(m *MessageRow) string { return m.EventID })
	column(&c, messages, func(m *MessageRow) string { return m.TransactionID })
	column(&c, messages, func(m *MessageRow) string { return m.WorkflowID })
	column(&c, messages, func(m *MessageRow) string { return m.WorkflowIdentifier })
	column(&c, messages, func(m *MessageRow) string { return m.StepID })
	column(&c, messages, func(m *MessageRow) string { return m.SubscriberID })
	column(&c, messages, func(m *MessageRow) string { return string(m.Channel) })
	column(&c, messages, func(m *MessageRow) string { return m.Target })
	column(&c, messages, func(m *MessageRow) *string { return orNull(m.IntegrationID) })
	column(&c, messages, func(m *MessageRow) *string { return orNull(m.ProviderID) })
	column(&c, messages, func(m *MessageRow) string { return string(m.Status) })
	column(&c, messages, func(m *MessageRow) *string { return rawText(m.DeliveredAt) })
	column(&c, messages, func(m *MessageRow) *string { return m.Subject })
	column(&c, messages, func(m *MessageRow) *string { return rawText(m.Content) })
	column(&c, messages, func(m *MessageRow) *string { return rawText(m.CTA) })
	column(&c, messages, func(m *MessageRow) *string { return m.Title })
	column(&c, messages, func(m *MessageRow) *string { return m.Avatar })
	column(&c, messages, func(m *MessageRow) *string { return m.Email })
	column(&c, messages, func(m *MessageRow) *string { return m.Phone })
	column(&c, messages, func(m *MessageRow) *string { return m.DirectWebhookURL })
	column(&c, messages, func(m *MessageRow) *string { return jsonText(m.DeviceTokens) })
	column(&c, messages, func(m *MessageRow) *string { return orNull(m.FeedID) })
	column(&c, messages, func(m *MessageRow) string { return string(m.Severity) })
	column(&c, messages, func(m *MessageRow) *string { return jsonText(m.Tags) })
	column(&c, messages, func(m *MessageRow) *string { return rawText(m.Data) })
	column(&c, messages, func(m *MessageRow) *string { return rawText(m.Envelope) })
	column(&c, messages, func(m *MessageRow) *time.Time { return m.DueAt })
	column(&c, messages, func(m *MessageRow) *time.Time { return m.DeadlineAt })
	column(&c, messages, func(m *MessageRow) string { return m.Lane })
	column(&c, messages, func(m *MessageRow) int64 { return m.Sequence })
	b.Queue(insertMessages, c.args...)
}

const insertMessages = `INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id,
	event_id, transaction_id, workflow_id, workflow_identifier, step_id, subscriber_id, channel, target, integration_id,
	provider_id, status, delivered_at, subject, content, cta, title, avatar, email, phone, direct_webhook_url, device_tokens,
	feed_id, severity, tags, data, envelope, due_at, deadline_at, lane, sequence, arrived_at)
SELECT c1, c2, c2, c3, c4::jsonb, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18::jsonb, c19, c20::jsonb,
	c21::jsonb, c22, c23, c24, c25, c26, c27::jsonb, c28, c29, c30::jsonb, c31::jsonb, c32::jsonb, c33, c34, c35, c36, c2
FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
	$10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[],
	$19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[], $25::text[], $26::text[], $27::text[],
	$28::text[], $29::text[], $30::text[], $31::text[], $32::text[], $33::timestamptz[], $34::timestamptz[], $35::text[], $36::bigint[])
	AS u (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26,
	c27, c28, c29, c30, c31, c32, c33, c34, c35, c36)
ON CONFLICT (notification_id, step_id, target) DO NOTHING`

// open says that a row named by its id is not final yet, so that the planner cannot see it: over the index of what is due
// it would walk a whole broadcast for every batch.
func open(dueAt string) string { return `coalesce(` + dueAt + `, 'infinity') < 'infinity'` }

// ClaimedMessage is a message that is due for an attempt and that this worker has to itself until its lease ends.
type ClaimedMessage struct {
	ID                 string
	EnvironmentID      string
	CreatedAt          time.Time
	NotificationID     string
	EventID            string
	TransactionID      string
	WorkflowIdentifier string
	StepID             string
	SubscriberID       string
	Channel            workflow.Channel
	Target             string
	IntegrationID      string
	ProviderID         string
	Subject            *string
	Content            *workflow.MessageContent
	Title              *string
	Envelope           json.RawMessage
	Attempts           int
	DeadlineAt         *time.Time
	Lane               string
	Status             workflow.MessageStatus  // a receipt may have moved it on although it is due
	LastOutcome        workflow.AttemptOutcome // of the attempt before; "" when this is the first
}

// ClaimMessages locks those of the named messages, or with no names the oldest of all, at most limit, that are due by now
// and that nobody holds. As long as some of the urgent lane are due, the oldest are those of that lane. BeginAttempts, in
// the same transaction, makes the claim last beyond it.
func ClaimMessages(ctx context.Context, tx pgx.Tx, ids []string, at Moment, limit int) (claimed []ClaimedMessage, err error) {
	if ids != nil {
		rows, err := tx.Query(ctx, claimMessages(at), ids, at.Now)
		return collect(rows, err, "claim messages", scanClaimed)
	}
	for _, turn := range turns {
		rows, err := tx.Query(ctx, claimDueMessages(at, turn), limit, at.Now)
		if claimed, err = collect(rows, err, "claim due messages", scanClaimed); len(claimed) > 0 || err != nil {
			return claimed, err
		}
	}
	return nil, nil
}

// claimMessages goes by the ids, never over the index of what is due, which holds a whole broadcast; coalesce hides it.
func claimMessages(at Moment) string {
	join, due := at.due("coalesce(t.due_at, 'infinity')", 2)
	return claimedMessages + join + ` WHERE t.id = ANY($1) AND ` + due + notLeased + ` ORDER BY t.id FOR UPDATE OF t SKIP LOCKED`
}

func claimDueMessages(at Moment, turn string) string {
	join, due := at.due("t.due_at", 2)
	return claimedMessages + join + ` WHERE ` + due + notLeased + turn + ` ORDER BY t.due_at LIMIT $1 FOR UPDATE OF t SKIP LOCKED`
}

const (
	claimedMessages = `SELECT t.id, t.environment_id, t.created_at, t.notification_id, t.event_id, t.transaction_id, t.workflow_identifier,
	t.step_id, t.subscriber_id, t.channel, t.target, coalesce(t.integration_id, ''), coalesce(t.provider_id, ''), t.subject, t.content,
	t.title, t.envelope, t.attempts, t.deadline_at, t.lane, t.status,
	CASE WHEN t.attempts = 0 THEN '' ELSE coalesce((SELECT a.outcome FROM attempts a WHERE a.message_id = t.id ORDER BY a.number DESC LIMIT 1), '') END
FROM messages t`
	notLeased = ` AND (t.leased_until IS NULL OR t.leased_until < clock_timestamp())`
)

func scanClaimed(r pgx.CollectableRow) (m ClaimedMessage, err error) {
	return m, r.Scan(&m.ID, &m.EnvironmentID, &m.CreatedAt, &m.NotificationID, &m.EventID, &m.TransactionID,
		&m.WorkflowIdentifier, &m.StepID, &m.SubscriberID, &m.Channel, &m.Target, &m.IntegrationID, &m.ProviderID,
		&m.Subject, &m.Content, &m.Title, &m.Envelope, &m.Attempts, &m.DeadlineAt, &m.Lane, &m.Status, &m.LastOutcome)
}

// ExtendLeases keeps messages to their worker while calls are under way.
func (db *DB) ExtendLeases(ctx context.Context, ids []string, lease time.Duration) error {
	_, err := db.Pool.Exec(ctx, `UPDATE messages SET leased_until = clock_timestamp() + $2::interval WHERE id = ANY($1) AND `+open("due_at"), ids, lease)
	if err != nil {
		return fmt.Errorf("extend leases: %w", err)
	}
	return nil
}

// PutOffMessage makes a message due again after a pause that begins at at, its environment's time, because it could not be
// prepared for an attempt. It tells since when that has gone on: failures count as one row while none lies further than
// within behind the next. The time is zero when the message has no room to keep it.
func (db *DB) PutOffMessage(ctx context.Context, id string, at time.Time, pause, within time.Duration) (since time.Time, err error) {
	rows, err := db.Pool.Query(ctx, `UPDATE messages m SET due_at = $2::timestamptz + $3::interval, leased_until = NULL, updated_at = now(),
	envelope = CASE WHEN jsonb_typeof(m.envelope) = 'object' THEN m.envelope || jsonb_build_object('failing', jsonb_build_object('last', $2::timestamptz,
		'since', CASE WHEN (m.envelope -> 'failing' ->> 'last')::timestamptz >= $2::timestamptz - $4::interval
			THEN (m.envelope -> 'failing' ->> 'since')::timestamptz ELSE $2::timestamptz END)) ELSE m.envelope END
WHERE id = $1 AND `+open("due_at")+` RETURNING (envelope -> 'failing' ->> 'since')::timestamptz`, id, at, pause, within)
	if err != nil {
		return since, fmt.Errorf("put a message off: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[*time.Time])
	if err != nil {
		return since, fmt.Errorf("put a message off: %w", err)
	}
	if len(found) > 0 && found[0] != nil {
		since = *found[0]
	}
	return since, nil
}

// HoldMessages keeps messages, which the caller has locked, from being claimed for a while.
func HoldMessages(ctx context.Context, tx pgx.Tx, ids []string, pause time.Duration) error {
	if _, err := tx.Exec(ctx, `UPDATE messages SET leased_until = clock_timestamp() + $2::interval WHERE id = ANY($1)`, ids, pause); err != nil {
		return fmt.Errorf("hold messages: %w", err)
	}
	return nil
}

// ReleaseLeases gives messages back at once, to be claimed when they are due.
func (db *DB) ReleaseLeases(ctx context.Context, ids []string) error {
	_, err := db.Pool.Exec(ctx, `UPDATE messages SET leased_until = NULL WHERE id = ANY($1)`, ids)
	if err != nil {
		return fmt.Errorf("release leases: %w", err)
	}
	return nil
}
