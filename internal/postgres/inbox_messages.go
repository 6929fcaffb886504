package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// InboxMessage is the state of an in-app message that its subscriber can change.
type InboxMessage struct {
	ID            id.ID
	EnvironmentID id.ID
	SubscriberID  id.ID
	Scope         string
	ContextKeys   []string
	Read          bool
	Seen          bool
	Archived      bool
	LastReadAt    *time.Time
	LastSeenAt    *time.Time
	ArchivedAt    *time.Time
	SnoozedUntil  *time.Time
	DeliveredAt   []string
	ArrivedAt     time.Time // the latest of DeliveredAt; the inbox is ordered by it
	CTA           *workflow.CTA
}

// Counted reports whether the inbox's counters count the message.
func (m *InboxMessage) Counted() bool { return !m.Archived && m.SnoozedUntil == nil }

// delta is what one state of the message contributes to its inbox's counters.
func (m *InboxMessage) delta(sign int) InboxDelta {
	d := InboxDelta{EnvironmentID: m.EnvironmentID, SubscriberID: m.SubscriberID, Scope: m.Scope, ContextKeys: m.ContextKeys}
	if !m.Counted() {
		return d
	}
	d.Total = sign
	if !m.Read {
		d.Unread = sign
	}
	if !m.Seen {
		d.Unseen = sign
	}
	return d
}

const inboxMessageColumns = `id, environment_id, subscriber_id, scope, context_keys, read, seen, archived,
	last_read_at, last_seen_at, archived_at, snoozed_until, COALESCE(delivered_at, '[]'), arrived_at, cta`

// LockInboxMessages locks in-app messages of one subscriber, in order of their ids, and reads them. Ids that name none
// of them are left out, and so are messages that have not come yet: no inbox counts them (decisions.md §17).
func LockInboxMessages(ctx context.Context, tx pgx.Tx, scope viewer.Scope, subscriberID id.ID, ids []id.ID) ([]*InboxMessage, error) {
	rows, err := tx.Query(ctx, `SELECT `+inboxMessageColumns+` FROM messages
		WHERE id = ANY ($1::text[]) AND environment_id = $2 AND subscriber_id = $3 AND channel = 'in_app'
			AND status <> 'pending'
		ORDER BY id FOR UPDATE`, ids, scope.EnvironmentID, subscriberID)
	return collectInbox(rows, err)
}

func (m *InboxMessage) fields() []any {
	return []any{
		&m.ID, &m.EnvironmentID, &m.SubscriberID, &m.Scope, &m.ContextKeys, &m.Read, &m.Seen, &m.Archived,
		&m.LastReadAt, &m.LastSeenAt, &m.ArchivedAt, &m.SnoozedUntil, &m.DeliveredAt, &m.ArrivedAt, &m.CTA,
	}
}

func collectInbox(rows pgx.Rows, err error) ([]*InboxMessage, error) {
	if err != nil {
		return nil, fmt.Errorf("lock messages: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*InboxMessage, error) {
		m := &InboxMessage{}
		return m, row.Scan(m.fields()...)
	})
	if err != nil {
		return nil, fmt.Errorf("lock messages: %w", err)
	}
	return all, nil
}

// InboxChange is a locked message before and after an operation.
type InboxChange struct{ Before, After *InboxMessage }

const saveInbox = storeMessages + `d.sequence` + storedMessages

// A statement that stores changed messages, around the sequence that each of them gets.
const (
	storeMessages = `
UPDATE messages m SET read = d.read, seen = d.seen, archived = d.archived, last_read_at = d.last_read_at,
	last_seen_at = d.last_seen_at, archived_at = d.archived_at, snoozed_until = d.snoozed_until,
	delivered_at = d.delivered_at::jsonb, arrived_at = d.arrived_at, cta = d.cta::jsonb, updated_at = now(), sequence = `
	storedMessages = `
FROM unnest($1::text[], $2::bool[], $3::bool[], $4::bool[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[],
	$8::timestamptz[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::bigint[])
	AS d (id, read, seen, archived, last_read_at, last_seen_at, archived_at, snoozed_until, delivered_at, cta,
		environment_id, arrived_at, sequence)
WHERE m.id = d.id AND m.environment_id = d.environment_id`
)

// SaveInbox stores the changed messages and what that does to the counters of their inboxes. All must be locked.
func SaveInbox(ctx context.Context, tx pgx.Tx, changes []InboxChange) error {
	if len(changes) == 0 {
		return nil
	}
	sequences, err := BumpInbox(ctx, tx, InboxDeltas(changes))
	if err != nil {
		return err
	}
	return StoreInbox(ctx, tx, changes, sequences)
}

// InboxDeltas are what changes do to the counters of their inboxes, one each.
func InboxDeltas(changes []InboxChange) []InboxDelta {
	deltas := make([]InboxDelta, len(changes))
	for i, c := range changes {
		before, after := c.Before.delta(-1), c.After.delta(1)
		after.Total += before.Total
		after.Unread += before.Unread
		after.Unseen += before.Unseen
		deltas[i] = after
	}
	return deltas
}

// StoreInbox stores changed messages with the sequences that their inboxes have come to by them.
func StoreInbox(ctx context.Context, tx pgx.Tx, changes []InboxChange, sequences []int64) error {
	rows, err := newInboxRows(changes)
	if err != nil {
		return fmt.Errorf("save messages: %w", err)
	}
	_, err = tx.Exec(ctx, saveInbox, append(rows.arguments(), sequences)...)
	if err != nil {
		return fmt.Errorf("save messages: %w", err)
	}
	return nil
}

// inboxRows are the columns of changed messages.
type inboxRows struct {
	ids, environments, delivered            []string
	read, seen, archived                    []bool
	lastRead, lastSeen, archivedAt, snoozed []*time.Time
	arrived                                 []time.Time
	cta                                     []*string
}

func (r *inboxRows) arguments() []any {
	return []any{
		r.ids, r.read, r.seen, r.archived, r.lastRead, r.lastSeen, r.archivedAt, r.snoozed, r.delivered, r.cta,
		r.environments, r.arrived,
	}
}

func newInboxRows(changes []InboxChange) (r inboxRows, err error) {
	for _, c := range changes {
		m := c.After
		r.ids, r.environments = append(r.ids, m.ID), append(r.environments, m.EnvironmentID)
		r.read, r.seen, r.archived = append(r.read, m.Read), append(r.seen, m.Seen), append(r.archived, m.Archived)
		r.lastRead, r.lastSeen = append(r.lastRead, m.LastReadAt), append(r.lastSeen, m.LastSeenAt)
		r.archivedAt, r.snoozed = append(r.archivedAt, m.ArchivedAt), append(r.snoozed, m.SnoozedUntil)
		r.delivered, r.arrived = append(r.delivered, jsonList(m.DeliveredAt)), append(r.arrived, m.ArrivedAt)
		var cta *string
		if m.CTA != nil {
			raw, err := json.Marshal(m.CTA)
			if err != nil {
				return r, err
			}
			text := string(raw)
			cta = &text
		}
		r.cta = append(r.cta, cta)
	}
	return r, nil
}

const leaveRemoval = `INSERT INTO inbox_removals
	(id, created_at, updated_at, environment_id, context_keys, scope, subscriber_id, message_id, sequence)
VALUES ($1, now(), now(), $2, $3::jsonb, $4, $5, $6, $7)`

// DeleteInboxMessages removes locked messages with their attempts and takes them out of their inboxes' counters.
func DeleteInboxMessages(ctx context.Context, tx pgx.Tx, messages []*InboxMessage) error {
	if len(messages) == 0 {
		return nil
	}
	ids, deltas := make([]id.ID, len(messages)), make([]InboxDelta, len(messages))
	for i, m := range messages {
		ids[i], deltas[i] = m.ID, m.delta(-1)
	}
	sequences, err := BumpInbox(ctx, tx, deltas)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	for i, m := range messages {
		batch.Queue(leaveRemoval, id.New(time.Now()), m.EnvironmentID, jsonList(m.ContextKeys), m.Scope, m.SubscriberID, m.ID, sequences[i])
	}
	batch.Queue(`DELETE FROM attempts WHERE message_id = ANY ($1::text[])`, ids)
	batch.Queue(`DELETE FROM messages WHERE id = ANY ($1::text[])`, ids)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("delete messages: %w", err)
	}
	return nil
}

// StepKey names the message that a step of a run left in the inbox.
type StepKey struct{ NotificationID, StepID string }

// LockShown locks the in-app messages of steps, in order of their ids, and reads them. Deleted ones are missing.
func LockShown(ctx context.Context, tx pgx.Tx, keys []StepKey) (map[StepKey]*InboxMessage, error) {
	var c columns
	column(&c, keys, func(k *StepKey) string { return k.NotificationID })
	column(&c, keys, func(k *StepKey) string { return k.StepID })
	rows, err := tx.Query(ctx, `SELECT notification_id, step_id, `+inboxMessageColumns+` FROM messages
WHERE (notification_id, step_id) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND channel = 'in_app' ORDER BY id FOR UPDATE`, c.args...)
	found := map[StepKey]*InboxMessage{}
	_, err = collect(rows, err, "lock messages", func(r pgx.CollectableRow) (struct{}, error) {
		var key StepKey
		m := &InboxMessage{}
		err := r.Scan(append([]any{&key.NotificationID, &key.StepID}, m.fields()...)...)
		found[key] = m
		return struct{}{}, err
	})
	return found, err
}

// ShownContent is the content that a locked message shows from now on.
type ShownContent struct {
	MessageID string
	Subject   *string
	Content   json.RawMessage
	Avatar    *string
	Data      json.RawMessage
}

// StoreShown gives locked messages another content.
func StoreShown(ctx context.Context, tx pgx.Tx, rows []ShownContent) error {
	var c columns
	column(&c, rows, func(s *ShownContent) string { return s.MessageID })
	column(&c, rows, func(s *ShownContent) *string { return s.Subject })
	column(&c, rows, func(s *ShownContent) *string { return rawText(s.Content) })
	column(&c, rows, func(s *ShownContent) *string { return s.Avatar })
	column(&c, rows, func(s *ShownContent) *string { return rawText(s.Data) })
	_, err := tx.Exec(ctx, `UPDATE messages m SET subject = u.subject, content = u.content::jsonb, avatar = u.avatar, data = u.data::jsonb
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS u (id, subject, content, avatar, data) WHERE m.id = u.id`, c.args...)
	if err != nil {
		return fmt.Errorf("store what messages show: %w", err)
	}
	return nil
}

// LockSnoozed locks snoozed messages whose time has come, at most limit, and reads them in order of their ids.
func LockSnoozed(ctx context.Context, tx pgx.Tx, at Moment, limit int) ([]*InboxMessage, error) {
	join, due := at.due("t.snoozed_until", 1)
	rows, err := tx.Query(ctx, `SELECT `+inboxMessageColumns+` FROM messages WHERE id IN (
	SELECT t.id FROM messages t`+join+` WHERE t.snoozed_until IS NOT NULL AND `+due+` ORDER BY t.snoozed_until LIMIT $2)
	AND snoozed_until IS NOT NULL ORDER BY id FOR UPDATE SKIP LOCKED`, at.Now, limit)
	return collectInbox(rows, err)
}
