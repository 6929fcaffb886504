package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// ReceiptRow is what a provider reported about one of an integration's messages.
type ReceiptRow struct {
	EventID           string // the provider's; unique per integration
	Kind              workflow.ReceiptKind
	ProviderMessageID string
	Recipient         string
	At                time.Time
	Permanent         bool // a bounce that will not heal
	Detail            string
}

// RecordReceipts keeps receipts of an integration, each once, suppresses the addresses that bounced for good or
// complained, and moves the messages forward. One whose message is not known yet is kept until it is.
func (db *DB) RecordReceipts(ctx context.Context, scope viewer.Scope, integrationID string, c workflow.Channel, receipts []ReceiptRow) error {
	if len(receipts) == 0 {
		return nil
	}
	now := time.Now()
	ids, others := id.Batch(now, len(receipts)), id.Batch(now, len(receipts))
	var k columns
	messages := make([]string, len(receipts))
	addresses := make([]string, len(receipts))
	for i := range receipts {
		messages[i] = receipts[i].ProviderMessageID
		addresses[i] = workflow.SuppressedAddress(c, receipts[i].Recipient)
	}
	column(&k, receipts, func(r *ReceiptRow) string { return r.EventID })
	column(&k, receipts, func(r *ReceiptRow) string { return string(r.Kind) })
	column(&k, receipts, func(r *ReceiptRow) time.Time { return r.At })
	column(&k, receipts, func(r *ReceiptRow) bool { return r.Permanent })
	column(&k, receipts, func(r *ReceiptRow) string { return r.Detail })
	args := append([]any{scope.EnvironmentID, integrationID, string(c), ids, others, messages, addresses}, k.args...)
	_, err := db.Pool.Exec(ctx, `WITH given AS (SELECT * FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
	$10::timestamptz[], $11::bool[], $12::text[]) AS u (id, other, message, recipient, event, kind, at, permanent, detail)),
fresh AS (INSERT INTO receipts (id, created_at, updated_at, environment_id, integration_id, provider_event_id, kind,
		provider_message_id, recipient, occurred_at, permanent, detail)
	SELECT id, now(), now(), $1, $2, event, kind, message, recipient, at, permanent, detail FROM given ORDER BY event
	ON CONFLICT (environment_id, integration_id, provider_event_id) DO NOTHING RETURNING id)
INSERT INTO suppressions (id, created_at, updated_at, environment_id, channel, address, reason, integration_id, detail)
SELECT DISTINCT ON (recipient) other, now(), now(), $1, $3, recipient,
	CASE kind WHEN 'complained' THEN 'complaint' ELSE 'bounce' END, $2, detail
FROM given JOIN fresh USING (id) WHERE recipient <> '' AND (kind = 'complained' OR kind = 'bounced' AND permanent) ORDER BY recipient
ON CONFLICT (environment_id, channel, address) DO NOTHING`, args...)
	if err != nil {
		return fmt.Errorf("record receipts: %w", err)
	}
	return db.LinkReceipts(ctx, scope, integrationID, messages)
}

// LinkReceipts finds the messages of receipts that came before the answer to their own request was recorded, and moves
// those messages forward, never back (semantics.md §9.3).
func (db *DB) LinkReceipts(ctx context.Context, scope viewer.Scope, integrationID string, providerMessageIDs []string) error {
	return Retry(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
			rows, err := tx.Query(ctx, `UPDATE receipts r SET message_id = a.message_id, updated_at = now()
FROM attempts a WHERE r.environment_id = $1 AND r.integration_id = $2 AND r.provider_message_id = ANY($3) AND r.provider_message_id <> ''
	AND r.message_id IS NULL AND a.integration_id = $2 AND a.environment_id = $1 AND a.provider_message_id = r.provider_message_id
RETURNING a.message_id, r.kind, r.occurred_at, r.detail`, scope.EnvironmentID, integrationID, providerMessageIDs)
			found, err := collect(rows, err, "find the messages of receipts", pgx.RowToStructByPos[reported])
			if err != nil || len(found) == 0 {
				return err
			}
			return moveForward(ctx, tx, scope, furthest(found))
		})
	})
}

type reported struct {
	MessageID string
	Kind      workflow.ReceiptKind
	At        time.Time
	Detail    string
}

// furthest is the receipt of each message that moves it furthest, in the order in which rows are locked.
func furthest(found []reported) []reported {
	order := workflow.ReceiptKind("").Values()
	slices.SortFunc(found, func(a, b reported) int {
		if a.MessageID != b.MessageID {
			return strings.Compare(a.MessageID, b.MessageID)
		}
		return slices.Index(order, string(b.Kind)) - slices.Index(order, string(a.Kind))
	})
	return slices.CompactFunc(found, func(a, b reported) bool { return a.MessageID == b.MessageID })
}

func moveForward(ctx context.Context, tx pgx.Tx, scope viewer.Scope, found []reported) error {
	var c columns
	column(&c, found, func(r *reported) string { return r.MessageID })
	column(&c, found, func(r *reported) string { return string(r.Kind) })
	column(&c, found, func(r *reported) time.Time { return r.At })
	column(&c, found, func(r *reported) string { return r.Detail })
	args := append([]any{scope.EnvironmentID, workflow.ReceiptKind("").Values()}, c.args...)
	_, err := tx.Exec(ctx, `WITH runs AS MATERIALIZED (SELECT n.id FROM notifications n
	WHERE n.id IN (SELECT notification_id FROM messages WHERE id = ANY($3) AND environment_id = $1) ORDER BY n.id FOR NO KEY UPDATE),
moved AS (UPDATE messages m SET receipt = u.kind, receipt_at = u.at, updated_at = now(),
	status = CASE WHEN u.kind IN ('failed', 'bounced') THEN 'error' WHEN m.status = 'pending' THEN 'sent' ELSE m.status END,
	error_id = CASE WHEN u.kind IN ('failed', 'bounced') THEN u.kind ELSE m.error_id END,
	error_text = CASE WHEN u.kind IN ('failed', 'bounced') THEN coalesce(nullif(u.detail, ''), 'reported by the provider') ELSE m.error_text END
	FROM unnest($3::text[], $4::text[], $5::timestamptz[], $6::text[]) AS u (id, kind, at, detail)
	WHERE m.id = u.id AND m.environment_id = $1 AND (SELECT count(*) FROM runs) >= 0
		AND coalesce(array_position($2::text[], m.receipt::text), 0) < array_position($2::text[], u.kind)
	RETURNING m.notification_id, m.id, m.step_id, m.channel, m.integration_id, u.kind, u.at, u.detail)
UPDATE notifications n SET updated_at = now(), trace = n.trace || t.entries
FROM (SELECT notification_id, jsonb_agg(jsonb_strip_nulls(jsonb_build_object('at', to_jsonb(at AT TIME ZONE 'UTC') #>> '{}' || 'Z',
	'reason', 'receipt', 'detail', kind || coalesce(': ' || nullif(detail, ''), ''), 'stepId', step_id, 'channel', channel,
	'messageId', id, 'integrationId', integration_id))) AS entries FROM moved GROUP BY 1) t
WHERE n.id = t.notification_id AND n.environment_id = $1`, args...)
	if err != nil {
		return fmt.Errorf("move messages by receipts: %w", err)
	}
	return nil
}
