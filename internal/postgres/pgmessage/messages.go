// Package pgmessage stores messages, their attempts, outcomes, receipts and replies, and the health of the integrations
// that deliver them.
package pgmessage

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
)

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
	Attempts           int    // 1 when its first attempt begins with it
	LeaseID            string // of the lease that it is stored under; "": it is due for every process
}

var insertMessages = bulk.Insert("messages", bulk.Columns[MessageRow]{
	bulk.Field("id", func(m *MessageRow) *string { return &m.ID }),
	bulk.Field("created_at", func(m *MessageRow) *time.Time { return &m.CreatedAt }),
	bulk.Field("environment_id", func(m *MessageRow) *string { return &m.EnvironmentID }),
	bulk.List("context_keys", func(m *MessageRow) *[]string { return &m.ContextKeys }),
	bulk.Field("scope", func(m *MessageRow) *string { return &m.Scope }),
	bulk.Field("notification_id", func(m *MessageRow) *string { return &m.NotificationID }),
	bulk.Field("event_id", func(m *MessageRow) *string { return &m.EventID }),
	bulk.Field("transaction_id", func(m *MessageRow) *string { return &m.TransactionID }),
	bulk.Field("workflow_id", func(m *MessageRow) *string { return &m.WorkflowID }),
	bulk.Field("workflow_identifier", func(m *MessageRow) *string { return &m.WorkflowIdentifier }),
	bulk.Field("step_id", func(m *MessageRow) *string { return &m.StepID }),
	bulk.Field("subscriber_id", func(m *MessageRow) *string { return &m.SubscriberID }),
	bulk.Text("channel", func(m *MessageRow) *workflow.Channel { return &m.Channel }),
	bulk.Field("target", func(m *MessageRow) *string { return &m.Target }),
	bulk.Optional("integration_id", func(m *MessageRow) *string { return &m.IntegrationID }),
	bulk.Optional("provider_id", func(m *MessageRow) *string { return &m.ProviderID }),
	bulk.Text("status", func(m *MessageRow) *workflow.MessageStatus { return &m.Status }),
	bulk.JSON("delivered_at", func(m *MessageRow) *json.RawMessage { return &m.DeliveredAt }),
	bulk.Field("subject", func(m *MessageRow) **string { return &m.Subject }),
	bulk.JSON("content", func(m *MessageRow) *json.RawMessage { return &m.Content }),
	bulk.JSON("cta", func(m *MessageRow) *json.RawMessage { return &m.CTA }),
	bulk.Field("title", func(m *MessageRow) **string { return &m.Title }),
	bulk.Field("avatar", func(m *MessageRow) **string { return &m.Avatar }),
	bulk.Field("email", func(m *MessageRow) **string { return &m.Email }),
	bulk.Field("phone", func(m *MessageRow) **string { return &m.Phone }),
	bulk.Field("direct_webhook_url", func(m *MessageRow) **string { return &m.DirectWebhookURL }),
	bulk.JSON("device_tokens", func(m *MessageRow) *[]string { return &m.DeviceTokens }),
	bulk.Optional("feed_id", func(m *MessageRow) *string { return &m.FeedID }),
	bulk.Text("severity", func(m *MessageRow) *workflow.Severity { return &m.Severity }),
	bulk.JSON("tags", func(m *MessageRow) *[]string { return &m.Tags }),
	bulk.JSON("data", func(m *MessageRow) *json.RawMessage { return &m.Data }),
	bulk.JSON("envelope", func(m *MessageRow) *json.RawMessage { return &m.Envelope }),
	bulk.Field("due_at", func(m *MessageRow) **time.Time { return &m.DueAt }),
	bulk.Optional("lease_id", func(m *MessageRow) *string { return &m.LeaseID }),
	bulk.Field("deadline_at", func(m *MessageRow) **time.Time { return &m.DeadlineAt }),
	bulk.Field("lane", func(m *MessageRow) *string { return &m.Lane }),
	bulk.Field("sequence", func(m *MessageRow) *int64 { return &m.Sequence }),
	bulk.Field("attempts", func(m *MessageRow) *int { return &m.Attempts }),
}).Set("updated_at", "u.created_at").Set("arrived_at", "u.created_at").
	Set("due_at", "CASE WHEN u.lease_id IS NULL THEN u.due_at END").
	Set("sequence", `CASE WHEN u.sequence > 0 OR u.channel <> 'in_app' THEN u.sequence ELSE coalesce((SELECT s.sequence FROM inbox_states s
		WHERE s.environment_id = u.environment_id AND s.subscriber_id = u.subscriber_id AND s.scope = u.scope), 0) END`).
	Set("leased_until", "CASE WHEN u.attempts > 0 THEN clock_timestamp() + @1::interval END").With("")

// InsertMessages queues new messages. One that is there already (same run, step and target) fails the transaction. Those whose first attempt begins with them are the caller's until the lease ends, as
// after BeginAttempts; InsertIntents stores these attempts.
func InsertMessages(b *pgx.Batch, messages []MessageRow, lease time.Duration) {
	if len(messages) == 0 {
		return
	}
	insertMessages.Queue(b, messages, lease)
}

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
	LeaseID            string                  // "": it is due for every process
	Cancelled          bool                    // a cancellation found an attempt under way: no other one follows
}

// ClaimMessages locks those of the named messages, or with no names the oldest of all, at most limit, that are due by now
// and that no worker holds. As long as some of the urgent lane are due, the oldest are those of that lane. BeginAttempts, in
// the same transaction, makes the claim last beyond it.
func ClaimMessages(ctx context.Context, tx pgx.Tx, ids []string, at pgdue.Moment, limit int) (claimed []ClaimedMessage, err error) {
	if ids != nil {
		rows, err := tx.Query(ctx, claimMessages(at), ids, at.Now)
		return claimedColumns.Collect(rows, err, "claim messages")
	}
	for _, turn := range pgdue.Turns {
		rows, err := tx.Query(ctx, claimDueMessages(at, turn), limit, at.Now)
		if claimed, err = claimedColumns.Collect(rows, err, "claim due messages"); len(claimed) > 0 || err != nil {
			return claimed, err
		}
	}
	return nil, nil
}

// claimMessages goes by the ids, never over the index of what is due, which holds a whole broadcast; coalesce hides it. Only the
// process that stored a message under a lease names it here. Whether its attempt has begun is seen in the table of attempts only.
func claimMessages(at pgdue.Moment) string {
	join, due := at.Due("coalesce(t.due_at, 'infinity')", 2)
	return claimedMessages + join + ` WHERE t.id = ANY($1) AND CASE WHEN t.lease_id IS NULL THEN ` + due + `
	ELSE NOT EXISTS (SELECT FROM attempts a WHERE a.message_id = t.id AND a.outcome = 'intent') END` + pgdue.NotLeased + ` ORDER BY t.id FOR UPDATE OF t SKIP LOCKED`
}

func claimDueMessages(at pgdue.Moment, turn string) string {
	join, due := at.Due("t.due_at", 2)
	return claimedMessages + join + ` WHERE ` + due + pgdue.NotLeased + turn + ` ORDER BY t.due_at LIMIT $1 FOR UPDATE OF t SKIP LOCKED`
}

var (
	claimedColumns = bulk.Columns[ClaimedMessage]{
		bulk.Field("id", func(m *ClaimedMessage) *string { return &m.ID }),
		bulk.Field("environment_id", func(m *ClaimedMessage) *string { return &m.EnvironmentID }),
		bulk.Field("created_at", func(m *ClaimedMessage) *time.Time { return &m.CreatedAt }),
		bulk.Field("notification_id", func(m *ClaimedMessage) *string { return &m.NotificationID }),
		bulk.Field("event_id", func(m *ClaimedMessage) *string { return &m.EventID }),
		bulk.Field("transaction_id", func(m *ClaimedMessage) *string { return &m.TransactionID }),
		bulk.Field("workflow_identifier", func(m *ClaimedMessage) *string { return &m.WorkflowIdentifier }),
		bulk.Field("step_id", func(m *ClaimedMessage) *string { return &m.StepID }),
		bulk.Field("subscriber_id", func(m *ClaimedMessage) *string { return &m.SubscriberID }),
		bulk.Text("channel", func(m *ClaimedMessage) *workflow.Channel { return &m.Channel }),
		bulk.Field("target", func(m *ClaimedMessage) *string { return &m.Target }),
		bulk.Optional("integration_id", func(m *ClaimedMessage) *string { return &m.IntegrationID }),
		bulk.Optional("provider_id", func(m *ClaimedMessage) *string { return &m.ProviderID }),
		bulk.Field("subject", func(m *ClaimedMessage) **string { return &m.Subject }),
		bulk.JSON("content", func(m *ClaimedMessage) **workflow.MessageContent { return &m.Content }),
		bulk.Field("title", func(m *ClaimedMessage) **string { return &m.Title }),
		bulk.JSON("envelope", func(m *ClaimedMessage) *json.RawMessage { return &m.Envelope }),
		bulk.Field("attempts", func(m *ClaimedMessage) *int { return &m.Attempts }),
		bulk.Field("deadline_at", func(m *ClaimedMessage) **time.Time { return &m.DeadlineAt }),
		bulk.Field("lane", func(m *ClaimedMessage) *string { return &m.Lane }),
		bulk.Text("status", func(m *ClaimedMessage) *workflow.MessageStatus { return &m.Status }),
		bulk.Read(`CASE WHEN t.attempts = 0 THEN '' ELSE
	coalesce((SELECT a.outcome FROM attempts a WHERE a.message_id = t.id ORDER BY a.number DESC LIMIT 1), '') END`,
			func(m *ClaimedMessage) any { return &m.LastOutcome }),
		bulk.Optional("lease_id", func(m *ClaimedMessage) *string { return &m.LeaseID }),
		bulk.Read(`coalesce(`+pgrun.CancelledMessage("t.")+`, false)`, func(m *ClaimedMessage) any { return &m.Cancelled }),
	}
	claimedMessages = `SELECT ` + claimedColumns.Select("t") + ` FROM messages t`
)

// Cancelled reports of messages, in their order, whether a cancellation found them under way.
func Cancelled(ctx context.Context, db *postgres.DB, ids []string) ([]bool, error) {
	rows, err := db.Pool.Query(ctx, `SELECT m.id IS NOT NULL FROM unnest($1::text[]) WITH ORDINALITY u (id, n)
LEFT JOIN messages m ON m.id = u.id AND `+pgrun.CancelledMessage("m.")+` ORDER BY u.n`, ids)
	return postgres.Collect(rows, err, "look for cancelled messages", pgx.RowTo[bool])
}

// ExtendLeases keeps messages to their worker while calls are under way. It waits for none that another transaction holds: as a rule that
// records its outcome, and the others must not become free meanwhile.
func ExtendLeases(ctx context.Context, q postgres.Querier, ids []string, lease time.Duration) error {
	if len(ids) == 0 {
		return nil
	}
	b := &pgx.Batch{}
	b.Queue(`UPDATE messages m SET leased_until = clock_timestamp() + $2::interval
FROM (SELECT id FROM messages WHERE id = ANY($1) AND `+pgdue.OpenMessage("")+` FOR NO KEY UPDATE SKIP LOCKED) AS free WHERE m.id = free.id`, ids, lease)
	if err := q.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("extend leases: %w", err)
	}
	return nil
}

// PutOffMessage makes a message due again after a pause that begins at at, its environment's time, because it could not be
// prepared for an attempt. It returns since when that has lasted: failures count as one row while none lies further than
// within behind the next. The time is zero when the message has no room to keep it.
func PutOffMessage(ctx context.Context, db *postgres.DB, id string, at time.Time, pause, within time.Duration) (since time.Time, err error) {
	rows, err := db.Pool.Query(ctx, `UPDATE messages m SET due_at = $2::timestamptz + $3::interval, leased_until = NULL, lease_id = NULL, updated_at = now(),
	envelope = CASE WHEN jsonb_typeof(m.envelope) = 'object' THEN m.envelope || jsonb_build_object('failing', jsonb_build_object('last', $2::timestamptz,
		'since', CASE WHEN (m.envelope -> 'failing' ->> 'last')::timestamptz >= $2::timestamptz - $4::interval
			THEN (m.envelope -> 'failing' ->> 'since')::timestamptz ELSE $2::timestamptz END)) ELSE m.envelope END
WHERE id = $1 AND `+pgdue.OpenMessage("m.")+` RETURNING (envelope -> 'failing' ->> 'since')::timestamptz`, id, at, pause, within)
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

// DeferMessages keeps messages, which the caller has locked, from being claimed, each for a pause. Then they are due for every process.
// Their due time is moved, so that no claim walks over them; where clocks are virtual their lease is, as they are due by another clock.
func DeferMessages(ctx context.Context, tx pgx.Tx, ids []string, pauses []time.Duration, virtual bool) error {
	until := `due_at = clock_timestamp() + u.pause`
	if virtual {
		until = `leased_until = clock_timestamp() + u.pause, due_at = coalesce(m.due_at, m.created_at)`
	}
	if _, err := tx.Exec(ctx, `UPDATE messages m SET `+until+`, lease_id = NULL FROM unnest($1::text[], $2::interval[]) u(id, pause)
WHERE m.id = u.id`, ids, pauses); err != nil {
		return fmt.Errorf("defer messages: %w", err)
	}
	return nil
}
