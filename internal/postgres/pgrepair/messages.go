// Package pgrepair stores what operators do by hand to what was triggered: messages that are sent again, notifications that are
// replayed, digest windows that end early, recalls, and pauses with what they hold (semantics.md §13).
package pgrepair

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgcount"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Integration is what sends a message instead of its own integration; the zero value is that one.
type Integration struct{ ID, ProviderID string }

// Retried is a message that gets further attempts.
type Retried struct {
	ID, NotificationID string
	StepID             string
	Channel            workflow.Channel
	Attempts           int
}

// again is the envelope of a message m whose tries count anew from the instant in parameter $n.
func again(n int) string {
	return fmt.Sprintf(`(m.envelope - 'slot' - 'failing' - 'receipt' - 'recall') || jsonb_build_object('since', m.attempts, 'again', $%d::timestamptz)`, n)
}

// retryable is the condition on messages m that failed, that no provider has accepted, and that were not cancelled: what a
// provider has accepted is never sent by the same message again.
var retryable = `m.status = 'error' AND NOT ` + pgdue.OpenMessage("m.") + ` AND m.channel <> 'in_app' AND jsonb_typeof(m.envelope) = 'object'
	AND m.error_id IS DISTINCT FROM 'cancelled' AND NOT EXISTS (SELECT FROM attempts a WHERE a.message_id = m.id AND a.outcome = 'accepted')
	AND NOT EXISTS (SELECT FROM notifications n WHERE n.id = m.notification_id AND n.status = 'cancelled')`

// certain is the condition on messages m that many are retried by at once, since no person looks at each: one that a provider may have
// taken is retried only when the filter asks for that error, and else moves to no other integration, as in a failover.
func certain(f *workflow.FailedMessages, through bool) string {
	switch {
	case f.ErrorID == string(workflow.ReasonOutcomeUnknown):
		return `true`
	case through:
		return `m.error_id IS DISTINCT FROM 'outcome_unknown' AND (NOT m.envelope ? 'uncertain' OR m.envelope ? 'allowDuplicate')`
	}
	return `m.error_id IS DISTINCT FROM 'outcome_unknown'`
}

// RetryMessages gives those of the named messages that may be retried further attempts, the first at once, and returns them. The
// attempts follow those before in number, and name the same message to the provider.
func RetryMessages(ctx context.Context, tx pgx.Tx, scope viewer.Scope, ids []string, through Integration, at time.Time) ([]Retried, error) {
	return retryMessages(ctx, tx, scope, ids, through, at, `true`)
}

// retryMessages is RetryMessages for those that meet a further condition. Runs are locked before messages, as sending locks them.
func retryMessages(ctx context.Context, tx pgx.Tx, scope viewer.Scope, ids []string, through Integration, at time.Time, condition string) ([]Retried, error) {
	if err := lockRunsOf(ctx, tx, scope, ids); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, `WITH chosen AS (SELECT m.id, m.status FROM messages m WHERE m.environment_id = $1 AND m.id = ANY($2) AND `+retryable+` AND `+condition+` ORDER BY m.id FOR UPDATE),
moved AS (UPDATE messages m SET status = 'pending', due_at = $3, leased_until = NULL, error_id = NULL, error_text = NULL, receipt = NULL, receipt_at = NULL,
	deadline_at = NULL, updated_at = now(), integration_id = coalesce(nullif($4, ''), m.integration_id), provider_id = coalesce(nullif($5, ''), m.provider_id),
	envelope = `+again(3)+`
FROM chosen c WHERE m.id = c.id RETURNING m.*, CASE WHEN c.status = 'error' THEN -1 ELSE 0 END AS failed, 0 AS sent),
counted AS (`+pgcount.Moved("moved")+`)
SELECT id, notification_id, step_id, channel, attempts FROM moved`, scope.EnvironmentID, ids, at, through.ID, through.ProviderID)
	retried, err := postgres.Collect(rows, err, "retry messages", pgx.RowToStructByPos[Retried])
	if err != nil {
		return nil, err
	}
	return retried, trace(ctx, tx, scope, retried, at, "further attempts were asked for")
}

func lockRunsOf(ctx context.Context, tx pgx.Tx, scope viewer.Scope, messages []string) error {
	_, err := tx.Exec(ctx, `SELECT FROM (SELECT id FROM notifications WHERE environment_id = $1
	AND id IN (SELECT notification_id FROM messages WHERE environment_id = $1 AND id = ANY($2)) ORDER BY id FOR NO KEY UPDATE) AS locked`, scope.EnvironmentID, messages)
	if err != nil {
		return fmt.Errorf("lock the runs of messages: %w", err)
	}
	return nil
}

// trace says on the traces of runs, which are locked, that their messages are sent again.
func trace(ctx context.Context, tx pgx.Tx, scope viewer.Scope, messages []Retried, at time.Time, detail string) error {
	if len(messages) == 0 {
		return nil
	}
	runs, entries := make([]string, len(messages)), make([]string, len(messages))
	for i, m := range messages {
		runs[i] = m.NotificationID
		entries[i] = postgres.JSONOr(workflow.TraceEntry{
			At: at, StepID: m.StepID, Channel: m.Channel, MessageID: m.ID, Attempt: m.Attempts, Reason: workflow.ReasonResent, Detail: detail,
		}, "{}")
	}
	return addTrace(ctx, tx, scope, runs, entries)
}

// addTrace appends entries to the traces of runs, one each; a run may have several.
func addTrace(ctx context.Context, tx pgx.Tx, scope viewer.Scope, runs, entries []string) error {
	_, err := tx.Exec(ctx, `UPDATE notifications n SET trace = n.trace || u.entries, updated_at = now()
FROM (SELECT id, jsonb_agg(entry::jsonb ORDER BY place) AS entries FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS u (id, entry, place) GROUP BY id) u
WHERE n.id = u.id AND n.environment_id = $1`, scope.EnvironmentID, runs, entries)
	if err != nil {
		return fmt.Errorf("trace a repair: %w", err)
	}
	return nil
}

// CopyMessage stores a message that sends another one again, with the same content to the same recipient, and returns its id.
// It names the original, and its target says which copy it is, so that the unique key of messages holds.
func CopyMessage(ctx context.Context, tx pgx.Tx, scope viewer.Scope, id, original string, through Integration, at time.Time) error {
	if err := lockRunsOf(ctx, tx, scope, []string{original}); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `WITH source AS (SELECT m.*, r.id AS root, r.target AS root_target FROM messages m
	JOIN messages r ON r.id = coalesce(m.resend_of, m.id) WHERE m.environment_id = $1 AND m.id = $3)
INSERT INTO messages (id, created_at, updated_at, arrived_at, environment_id, context_keys, scope, notification_id, event_id, transaction_id, workflow_id,
	workflow_identifier, step_id, subscriber_id, channel, target, integration_id, provider_id, status, subject, content, cta, title, avatar, email, phone,
	direct_webhook_url, device_tokens, severity, tags, data, envelope, due_at, lane, sequence, attempts, resend_of)
SELECT $2, $4, now(), $4, m.environment_id, m.context_keys, m.scope, m.notification_id, m.event_id, m.transaction_id, m.workflow_id,
	m.workflow_identifier, m.step_id, m.subscriber_id, m.channel,
	m.root_target || '#' || (2 + (SELECT count(*) FROM messages c WHERE c.notification_id = m.notification_id AND c.step_id = m.step_id AND c.resend_of = m.root)),
	coalesce(nullif($5, ''), m.integration_id), coalesce(nullif($6, ''), m.provider_id), 'pending', m.subject, m.content, m.cta, m.title, m.avatar, m.email, m.phone,
	m.direct_webhook_url, m.device_tokens, m.severity, m.tags, m.data,
	(m.envelope - 'slot' - 'failing' - 'uncertain' - 'since' - 'receipt' - 'recall') || jsonb_build_object('again', $4::timestamptz), $4, m.lane, 0, 0, m.root
FROM source m RETURNING id, notification_id, step_id, channel, attempts`, scope.EnvironmentID, id, original, at, through.ID, through.ProviderID)
	copies, err := postgres.Collect(rows, err, "send a message again", pgx.RowToStructByPos[Retried])
	if err != nil {
		return err
	}
	return trace(ctx, tx, scope, copies, at, "a new message with the content of "+original)
}

// Accepted reports whether a provider has accepted a message at least once, and whether the outcome of an attempt is unknown.
func Accepted(ctx context.Context, tx pgx.Tx, messageID string) (accepted, unknown bool, err error) {
	err = tx.QueryRow(ctx, `SELECT coalesce(bool_or(outcome = 'accepted'), false), coalesce(bool_or(outcome IN ('unknown', 'intent')), false)
FROM attempts WHERE message_id = $1`, messageID).Scan(&accepted, &unknown)
	if err != nil {
		return false, false, fmt.Errorf("look for accepted attempts: %w", err)
	}
	return accepted, unknown, nil
}
