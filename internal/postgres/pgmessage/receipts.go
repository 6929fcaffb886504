package pgmessage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// ReceiptRow is what a provider reported about one of an integration's messages.
type ReceiptRow struct {
	EventID           string // the provider's; unique per integration
	Kind              workflow.ReceiptKind
	ProviderMessageID string
	MessageID         string // ours, where the provider gives it back; it counts before ProviderMessageID
	Recipient         string
	At                time.Time
	Permanent         bool // a bounce that will not heal
	Detail            string
}

// ReceiptReport is one request of a provider.
type ReceiptReport struct {
	Receipts []ReceiptRow
	// Proven says that the provider wrote it. Otherwise only the address that it was posted to is a secret, and no address is
	// suppressed but that of a message of the integration.
	Proven bool
	// Token counts once for the integration: what comes with it again is dropped, until Expires. "": there is none.
	Token   string
	Expires time.Time
	// Recorded is told the kind of each receipt that was not recorded before; nil: nothing is.
	Recorded func(workflow.ReceiptKind)
}

// givenReceipt is a receipt with the ids of its record and of the suppression that it may lead to.
type givenReceipt struct {
	ReceiptRow
	id, suppression, address string
}

// @1 is the environment, @2 the integration, @3 the channel, @4 whether the receipts are proven, @5 the token and @6 until
// when it counts.
var recordReceipts = bulk.New(`WITH given AS (SELECT u.* FROM {rows}),
used AS (INSERT INTO used_tokens (integration_id, token, expires_at) SELECT @2, @5::text, @6::timestamptz WHERE @5::text <> ''
	ON CONFLICT (integration_id, token) DO NOTHING RETURNING token),
fresh AS (INSERT INTO receipts (id, created_at, updated_at, environment_id, integration_id, provider_event_id, kind,
		provider_message_id, recipient, occurred_at, permanent, detail)
	SELECT id, now(), now(), @1, @2, provider_event_id, kind, provider_message_id, recipient, occurred_at, permanent, detail FROM given
	WHERE @5::text = '' OR EXISTS (SELECT FROM used) ORDER BY provider_event_id
	ON CONFLICT (environment_id, integration_id, provider_event_id) DO NOTHING RETURNING id, kind),
suppressed AS (INSERT INTO suppressions (id, created_at, updated_at, environment_id, channel, address, reason, integration_id, detail)
	SELECT DISTINCT ON (recipient) suppression, now(), now(), @1, @3, recipient,
		CASE given.kind WHEN 'complained' THEN 'complaint' ELSE 'bounce' END, @2, detail
	FROM given JOIN fresh USING (id) WHERE @4::bool AND recipient <> '' AND (given.kind = 'complained' OR given.kind = 'bounced' AND permanent) ORDER BY recipient
	ON CONFLICT (environment_id, channel, address) DO NOTHING)
SELECT kind FROM fresh`, bulk.Columns[givenReceipt]{
	bulk.Field("id", func(r *givenReceipt) *string { return &r.id }),
	bulk.Field("suppression", func(r *givenReceipt) *string { return &r.suppression }),
	bulk.Field("provider_message_id", func(r *givenReceipt) *string { return &r.ProviderMessageID }),
	bulk.Field("recipient", func(r *givenReceipt) *string { return &r.address }),
	bulk.Field("provider_event_id", func(r *givenReceipt) *string { return &r.EventID }),
	bulk.Text("kind", func(r *givenReceipt) *workflow.ReceiptKind { return &r.Kind }),
	bulk.Field("occurred_at", func(r *givenReceipt) *time.Time { return &r.At }),
	bulk.Field("permanent", func(r *givenReceipt) *bool { return &r.Permanent }),
	bulk.Field("detail", func(r *givenReceipt) *string { return &r.Detail }),
})

// receiptsAtOnce bounds what one statement records: it compares receipts with each other, and what it takes grows with the square
// of their number.
const receiptsAtOnce = 1_000

// RecordReceipts keeps receipts of an integration, each once, suppresses the addresses that bounced for good or
// complained, and moves the messages forward. One whose message is not known yet is kept until it is. Of many receipts some
// may be recorded when it fails: those that come again count once.
func RecordReceipts(ctx context.Context, db *postgres.DB, scope viewer.Scope, integrationID string, c workflow.Channel, report ReceiptReport) error {
	if report.Token != "" { // it counts once: what comes with it is one statement's
		return recordTogether(ctx, db, scope, integrationID, c, report)
	}
	for part := range slices.Chunk(report.Receipts, receiptsAtOnce) {
		if err := recordTogether(ctx, db, scope, integrationID, c, ReceiptReport{Receipts: part, Proven: report.Proven, Recorded: report.Recorded}); err != nil {
			return err
		}
	}
	return nil
}

func recordTogether(ctx context.Context, db *postgres.DB, scope viewer.Scope, integrationID string, c workflow.Channel, report ReceiptReport) error {
	receipts, err := underKnownIDs(ctx, db, scope, integrationID, report.Receipts)
	if err != nil {
		return err
	}
	given, messages := make([]givenReceipt, len(receipts)), make([]string, len(receipts))
	for i, made := range id.Batch(time.Now(), 2*len(receipts)) {
		k := i / 2
		if i%2 == 0 {
			given[k] = givenReceipt{ReceiptRow: receipts[k], id: made, address: workflow.SuppressedAddress(c, receipts[k].Recipient)}
			messages[k] = receipts[k].ProviderMessageID
		} else {
			given[k].suppression = made
		}
	}
	rows, err := db.Pool.Query(ctx, recordReceipts.Text, recordReceipts.Args(given, scope.EnvironmentID, integrationID, string(c),
		report.Proven, report.Token, report.Expires)...)
	fresh, err := postgres.Collect(rows, err, "record receipts", pgx.RowTo[workflow.ReceiptKind])
	if err != nil {
		return err
	}
	if report.Recorded != nil {
		for _, kind := range fresh {
			report.Recorded(kind)
		}
	}
	return LinkReceipts(ctx, db, scope, integrationID, messages)
}

// underKnownIDs gives receipts that name a message of ours the provider's id that its answer had: some providers have an id for the
// mail of each recipient, and the answer's is that of the first. A receipt that comes before the answer keeps its own.
func underKnownIDs(ctx context.Context, db *postgres.DB, scope viewer.Scope, integrationID string, receipts []ReceiptRow) ([]ReceiptRow, error) {
	var ours []string
	for i := range receipts {
		if receipts[i].MessageID != "" {
			ours = append(ours, receipts[i].MessageID)
		}
	}
	if len(ours) == 0 {
		return receipts, nil
	}
	rows, err := db.Pool.Query(ctx, `SELECT id, provider_message_id FROM messages
WHERE id = ANY($1) AND environment_id = $2 AND integration_id = $3 AND provider_message_id <> ''`, ours, scope.EnvironmentID, integrationID)
	known := map[string]string{}
	var messageID, providerMessageID string
	if err == nil {
		_, err = pgx.ForEachRow(rows, []any{&messageID, &providerMessageID}, func() error {
			known[messageID] = providerMessageID
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("find the messages of receipts: %w", err)
	}
	receipts = slices.Clone(receipts)
	for i := range receipts {
		if found, ok := known[receipts[i].MessageID]; ok {
			receipts[i].ProviderMessageID = found
		}
	}
	return receipts, nil
}

// SentID names a message that a provider took, by the provider's own id.
type SentID struct{ EnvironmentID, IntegrationID, ProviderMessageID string }

// EarlyReceipts returns those of the messages of which receipts wait that were not linked to them: receipts came before the
// answer to the request was recorded, which LinkReceipts mends. It is called after that record was committed, and costs one
// round trip.
func EarlyReceipts(ctx context.Context, db *postgres.DB, sent []SentID) ([]SentID, error) {
	environments, integrations, ids := make([]string, len(sent)), make([]string, len(sent)), make([]string, len(sent))
	for i, one := range sent {
		environments[i], integrations[i], ids[i] = one.EnvironmentID, one.IntegrationID, one.ProviderMessageID
	}
	rows, err := db.Pool.Query(ctx, `SELECT u.environment_id, u.integration_id, u.provider_message_id
FROM unnest($1::text[], $2::text[], $3::text[]) AS u (environment_id, integration_id, provider_message_id) CROSS JOIN LATERAL (
	SELECT FROM receipts r WHERE r.integration_id = u.integration_id AND r.provider_message_id = u.provider_message_id
		AND r.environment_id = u.environment_id AND r.message_id IS NULL LIMIT 1) early`, environments, integrations, ids)
	return postgres.Collect(rows, err, "look for early receipts", pgx.RowToStructByPos[SentID])
}

// MissedReceipts returns at most limit of the messages of which receipts wait that were recorded since an instant and not linked to them:
// the process ended, or lost the database, between the record of its outcome and EarlyReceipts. The conditions are those of LinkReceipts.
func MissedReceipts(ctx context.Context, db *postgres.DB, since time.Time, limit int) ([]SentID, error) {
	rows, err := db.Pool.Query(ctx, `SELECT DISTINCT r.environment_id, r.integration_id, r.provider_message_id FROM receipts r CROSS JOIN LATERAL (
	SELECT FROM attempts a JOIN messages m ON m.id = a.message_id AND m.environment_id = a.environment_id AND m.provider_message_id = a.provider_message_id
	WHERE a.environment_id = r.environment_id AND a.provider_message_id = r.provider_message_id AND m.integration_id = r.integration_id LIMIT 1) known
WHERE r.id >= $1 AND r.message_id IS NULL AND r.provider_message_id <> '' LIMIT $2`, id.Floor(since), limit)
	return postgres.Collect(rows, err, "look for missed receipts", pgx.RowToStructByPos[SentID])
}

// LinkReceipts finds the messages of receipts that came before the answer to their own request was recorded, suppresses the
// addresses of those messages that bounced for good or complained, and moves the messages forward (semantics.md §9.3).
func LinkReceipts(ctx context.Context, db *postgres.DB, scope viewer.Scope, integrationID string, providerMessageIDs []string) error {
	return db.Batch(ctx, func(b *postgres.Batch) error {
		tx := b.Pgx
		rows, err := tx.Query(ctx, `UPDATE receipts r SET message_id = m.id, updated_at = now(), copy = coalesce(m.envelope->'copies' ? r.recipient, false)
FROM attempts a JOIN messages m ON m.id = a.message_id AND m.environment_id = a.environment_id AND m.provider_message_id = a.provider_message_id
WHERE r.environment_id = $1 AND r.integration_id = $2 AND r.provider_message_id = ANY($3) AND r.provider_message_id <> ''
	AND r.message_id IS NULL AND a.environment_id = $1 AND a.provider_message_id = r.provider_message_id AND m.integration_id = $2
RETURNING r.id, m.id, r.kind, r.permanent, r.recipient, r.detail, r.copy`, scope.EnvironmentID, integrationID, providerMessageIDs)
		linked, err := postgres.Collect(rows, err, "find the messages of receipts", pgx.RowToStructByPos[linkedReceipt])
		if err != nil || len(linked) == 0 {
			return err
		}
		if err := suppressOwn(ctx, tx, scope, integrationID, linked); err != nil {
			return err
		}
		return moveByReceipts(ctx, tx, scope, linked)
	})
}

type linkedReceipt struct {
	ID        string
	MessageID string
	Kind      workflow.ReceiptKind
	Permanent bool
	Recipient string
	Detail    string
	Copy      bool
}

func (r *linkedReceipt) suppresses() bool {
	return r.Recipient != "" && (r.Kind == workflow.ReceiptComplained || r.Kind == workflow.ReceiptBounced && r.Permanent)
}

// suppressOwn suppresses an address that a receipt names when its message went there.
func suppressOwn(ctx context.Context, tx pgx.Tx, scope viewer.Scope, integrationID string, linked []linkedReceipt) error {
	var bad []linkedReceipt
	var messages []string
	for _, r := range linked {
		if r.suppresses() {
			bad, messages = append(bad, r), append(messages, r.MessageID)
		}
	}
	if len(bad) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, `SELECT id, channel, coalesce(email, ''), coalesce(phone, ''), coalesce(envelope->'to', '[]') || coalesce(envelope->'copies', '[]')
FROM messages WHERE id = ANY($1) AND environment_id = $2`, messages, scope.EnvironmentID)
	if err != nil {
		return fmt.Errorf("suppress addresses of messages: %w", err)
	}
	type own struct{ message, address string }
	channels, addresses := map[string]workflow.Channel{}, map[own]bool{}
	var messageID, email, phone string
	var c workflow.Channel
	var to []string
	if _, err = pgx.ForEachRow(rows, []any{&messageID, &c, &email, &phone, &to}, func() error {
		channels[messageID] = c
		for _, address := range append(to, email, phone) {
			addresses[own{messageID, workflow.SuppressedAddress(c, address)}] = true
		}
		return nil
	}); err != nil {
		return fmt.Errorf("suppress addresses of messages: %w", err)
	}
	for i, suppressionID := range id.Batch(time.Now(), len(bad)) {
		r := &bad[i]
		channel := channels[r.MessageID]
		address := workflow.SuppressedAddress(channel, r.Recipient)
		if !addresses[own{r.MessageID, address}] {
			continue
		}
		reason := workflow.SuppressionBounce
		if r.Kind == workflow.ReceiptComplained {
			reason = workflow.SuppressionComplaint
		}
		if _, err := tx.Exec(ctx, `INSERT INTO suppressions (id, created_at, updated_at, environment_id, channel, address, reason, integration_id, message_id, detail)
VALUES ($1, now(), now(), $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (environment_id, channel, address) DO NOTHING`,
			suppressionID, scope.EnvironmentID, channel, address, reason, integrationID, r.MessageID, r.Detail); err != nil {
			return fmt.Errorf("suppress addresses of messages: %w", err)
		}
	}
	return nil
}

// moveByReceipts brings messages into the state that all their receipts together say, those about copies left out, which the trace
// names. The runs are locked first, so that whoever comes second sees the receipts of the first.
func moveByReceipts(ctx context.Context, tx pgx.Tx, scope viewer.Scope, linked []linkedReceipt) error {
	messages := make([]string, len(linked))
	var copies []string
	for i := range linked {
		messages[i] = linked[i].MessageID
		if linked[i].Copy {
			copies = append(copies, linked[i].ID)
		}
	}
	if _, err := tx.Exec(ctx, `SELECT FROM notifications n
WHERE n.id IN (SELECT notification_id FROM messages WHERE id = ANY($2) AND environment_id = $1) ORDER BY n.id FOR NO KEY UPDATE`,
		scope.EnvironmentID, messages); err != nil {
		return fmt.Errorf("move messages by receipts: %w", err)
	}
	if err := traceCopies(ctx, tx, scope, copies); err != nil {
		return err
	}
	known, err := reportsOf(ctx, tx, scope, messages)
	if err != nil {
		return err
	}
	var found []reported
	for messageID, reports := range known {
		if furthest, ok := workflow.Furthest(reports); ok {
			found = append(found, reported{MessageID: messageID, Report: furthest})
		}
	}
	return setReceipts(ctx, tx, scope, found)
}

// traceCopies puts receipts about copies on the traces of their runs: of each address and kind the first, since readers open mails often.
func traceCopies(ctx context.Context, tx pgx.Tx, scope viewer.Scope, receipts []string) error {
	if len(receipts) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `WITH fresh AS (SELECT DISTINCT ON (r.message_id, r.recipient, r.kind) r.* FROM receipts r
	WHERE r.environment_id = $1 AND r.id = ANY($2) AND NOT EXISTS (SELECT FROM receipts o WHERE o.environment_id = $1 AND o.message_id = r.message_id
		AND o.recipient = r.recipient AND o.kind = r.kind AND o.id <> ALL($2))
	ORDER BY r.message_id, r.recipient, r.kind, r.occurred_at)
UPDATE notifications n SET updated_at = now(), trace = n.trace || t.entries
FROM (SELECT m.notification_id, jsonb_agg(jsonb_strip_nulls(jsonb_build_object('at', to_jsonb(f.occurred_at AT TIME ZONE 'UTC') #>> '{}' || 'Z',
	'reason', 'receipt', 'detail', f.kind || ', copy to ' || f.recipient || coalesce(': ' || nullif(f.detail, ''), ''), 'stepId', m.step_id,
	'channel', m.channel, 'messageId', m.id, 'integrationId', m.integration_id)) ORDER BY f.occurred_at, f.id) AS entries
	FROM fresh f JOIN messages m ON m.id = f.message_id AND m.environment_id = $1 GROUP BY 1) t
WHERE n.id = t.notification_id AND n.environment_id = $1`, scope.EnvironmentID, receipts)
	if err != nil {
		return fmt.Errorf("trace receipts of copies: %w", err)
	}
	return nil
}

type reported struct {
	MessageID string
	workflow.Report
}

// reportsOf are the reports on messages, the first of each kind, by message. The state that a message has counts as one when
// the receipts behind it are past their retention.
func reportsOf(ctx context.Context, tx pgx.Tx, scope viewer.Scope, messages []string) (map[string][]workflow.Report, error) {
	rows, err := tx.Query(ctx, `(SELECT DISTINCT ON (message_id, kind, permanent) message_id, kind, permanent, occurred_at, detail
	FROM receipts WHERE environment_id = $1 AND message_id = ANY($2) AND NOT copy ORDER BY message_id, kind, permanent, occurred_at)
UNION ALL SELECT m.id, m.receipt, true, m.receipt_at, '' FROM messages m
	WHERE m.environment_id = $1 AND m.id = ANY($2) AND m.receipt IS NOT NULL AND m.receipt_at IS NOT NULL
	AND NOT EXISTS (SELECT FROM receipts r WHERE r.environment_id = $1 AND r.message_id = m.id AND r.kind = m.receipt AND NOT r.copy)`,
		scope.EnvironmentID, messages)
	if err != nil {
		return nil, fmt.Errorf("read receipts of messages: %w", err)
	}
	known := map[string][]workflow.Report{}
	var messageID string
	var r workflow.Report
	if _, err := pgx.ForEachRow(rows, []any{&messageID, &r.Kind, &r.Permanent, &r.At, &r.Detail}, func() error {
		known[messageID] = append(known[messageID], r)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read receipts of messages: %w", err)
	}
	return known, nil
}

var setReported = bulk.New(`WITH given AS (SELECT u.*, u.kind IN ('failed', 'bounced') AS bad, u.kind IN ('delivered', 'opened', 'clicked') AS good
	FROM {rows}),
moved AS (UPDATE messages m SET receipt = u.kind, receipt_at = u.at, updated_at = now(),
	status = CASE WHEN u.bad THEN 'error' WHEN m.status = 'pending' OR u.good AND m.receipt = 'bounced' THEN 'sent' ELSE m.status END,
	error_id = CASE WHEN u.bad THEN u.kind WHEN m.status = 'pending' OR u.good AND m.receipt = 'bounced' THEN NULL ELSE m.error_id END,
	error_text = CASE WHEN u.bad THEN coalesce(nullif(u.detail, ''), 'reported by the provider')
		WHEN u.good AND m.receipt = 'bounced' THEN NULL ELSE m.error_text END
	FROM given u WHERE m.id = u.id AND m.environment_id = @1 AND m.receipt IS DISTINCT FROM u.kind
	RETURNING m.notification_id, m.id, m.step_id, m.channel, m.integration_id, u.kind, u.at, u.detail)
UPDATE notifications n SET updated_at = now(), trace = n.trace || t.entries
FROM (SELECT notification_id, jsonb_agg(jsonb_strip_nulls(jsonb_build_object('at', to_jsonb(at AT TIME ZONE 'UTC') #>> '{}' || 'Z',
	'reason', 'receipt', 'detail', kind || coalesce(': ' || nullif(detail, ''), ''), 'stepId', step_id, 'channel', channel,
	'messageId', id, 'integrationId', integration_id))) AS entries FROM moved GROUP BY 1) t
WHERE n.id = t.notification_id AND n.environment_id = @1`, bulk.Columns[reported]{
	bulk.Field("id", func(r *reported) *string { return &r.MessageID }),
	bulk.Text("kind", func(r *reported) *workflow.ReceiptKind { return &r.Kind }),
	bulk.Field("at", func(r *reported) *time.Time { return &r.At }),
	bulk.Field("detail", func(r *reported) *string { return &r.Detail }),
})

// setReceipts writes states that differ from the stored ones. A delivery after a bounce takes the error away again.
func setReceipts(ctx context.Context, tx pgx.Tx, scope viewer.Scope, found []reported) error {
	_, err := tx.Exec(ctx, setReported.Text, setReported.Args(found, scope.EnvironmentID)...)
	if err != nil {
		return fmt.Errorf("move messages by receipts: %w", err)
	}
	return nil
}
