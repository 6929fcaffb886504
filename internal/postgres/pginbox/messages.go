package pginbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgdue"
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

	sequence int64 // of its inbox, when it is stored
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

var inboxMessageColumns = bulk.Columns[InboxMessage]{
	bulk.Field("id", func(m *InboxMessage) *string { return &m.ID }),
	bulk.Field("environment_id", func(m *InboxMessage) *string { return &m.EnvironmentID }),
	bulk.Field("subscriber_id", func(m *InboxMessage) *string { return &m.SubscriberID }),
	bulk.Field("scope", func(m *InboxMessage) *string { return &m.Scope }),
	bulk.List("context_keys", func(m *InboxMessage) *[]string { return &m.ContextKeys }),
	bulk.Field("read", func(m *InboxMessage) *bool { return &m.Read }),
	bulk.Field("seen", func(m *InboxMessage) *bool { return &m.Seen }),
	bulk.Field("archived", func(m *InboxMessage) *bool { return &m.Archived }),
	bulk.Field("last_read_at", func(m *InboxMessage) **time.Time { return &m.LastReadAt }),
	bulk.Field("last_seen_at", func(m *InboxMessage) **time.Time { return &m.LastSeenAt }),
	bulk.Field("archived_at", func(m *InboxMessage) **time.Time { return &m.ArchivedAt }),
	bulk.Field("snoozed_until", func(m *InboxMessage) **time.Time { return &m.SnoozedUntil }),
	bulk.List("delivered_at", func(m *InboxMessage) *[]string { return &m.DeliveredAt }).As("coalesce(%s, '[]')"),
	bulk.Field("arrived_at", func(m *InboxMessage) *time.Time { return &m.ArrivedAt }),
	bulk.JSON("cta", func(m *InboxMessage) **workflow.CTA { return &m.CTA }),
}

// SelectInbox reads inbox messages m; CollectInbox scans them.
var SelectInbox = `SELECT ` + inboxMessageColumns.Select("m") + ` FROM messages m `

// LockInboxMessages locks in-app messages of one subscriber, in order of their ids, and reads them. Ids that name none
// of them are left out, and so are messages that have not come yet: no inbox counts them (decisions.md §17).
func LockInboxMessages(ctx context.Context, tx pgx.Tx, scope viewer.Scope, subscriberID id.ID, ids []id.ID) ([]*InboxMessage, error) {
	rows, err := tx.Query(ctx, SelectInbox+`		WHERE id = ANY ($1::text[]) AND environment_id = $2 AND subscriber_id = $3 AND channel = 'in_app'
			AND status <> 'pending'
		ORDER BY id FOR UPDATE`, ids, scope.EnvironmentID, subscriberID)
	return CollectInbox(rows, err)
}

// LockNamed locks the named in-app messages of an environment, in order of their ids, and reads them. Those that are gone, or
// that have not come yet, are left out.
func LockNamed(ctx context.Context, tx pgx.Tx, scope viewer.Scope, ids []id.ID) ([]*InboxMessage, error) {
	rows, err := tx.Query(ctx, SelectInbox+`WHERE id = ANY ($1::text[]) AND environment_id = $2 AND channel = 'in_app' AND status <> 'pending'
ORDER BY id FOR UPDATE`, ids, scope.EnvironmentID)
	return CollectInbox(rows, err)
}

// CollectInbox reads all rows of SelectInbox.
func CollectInbox(rows pgx.Rows, err error) ([]*InboxMessage, error) {
	list, err := inboxMessageColumns.Collect(rows, err, "lock messages")
	messages := make([]*InboxMessage, len(list))
	for i := range list {
		messages[i] = &list[i]
	}
	return messages, err
}

// InboxChange is a locked message before and after an operation.
type InboxChange struct{ Before, After *InboxMessage }

// storeMessages stores changed messages, whose inboxes have come to a sequence, given by an expression. What a message is
// does not change, only its state.
func storeMessages(sequence, clauses string) bulk.Statement[InboxMessage] {
	return bulk.New(`UPDATE messages m SET read = u.read, seen = u.seen, archived = u.archived, last_read_at = u.last_read_at,
	last_seen_at = u.last_seen_at, archived_at = u.archived_at, snoozed_until = u.snoozed_until,
	delivered_at = u.delivered_at::jsonb, arrived_at = u.arrived_at, cta = u.cta::jsonb, updated_at = now(), sequence = `+sequence+`
FROM {rows} WHERE m.id = u.id AND m.environment_id = u.environment_id`+clauses,
		append(inboxMessageColumns.Pick("id", "environment_id", "read", "seen", "archived", "last_read_at", "last_seen_at", "archived_at",
			"snoozed_until", "delivered_at", "arrived_at", "cta"),
			bulk.Field("sequence", func(m *InboxMessage) *int64 { return &m.sequence })))
}

var saveInbox = storeMessages("u.sequence", "")

// storedMessages are the later states of changes, with the sequences of their inboxes; without those, zero.
func storedMessages(changes []InboxChange, sequences []int64) []InboxMessage {
	stored := make([]InboxMessage, len(changes))
	for i := range changes {
		stored[i] = *changes[i].After
		if sequences != nil {
			stored[i].sequence = sequences[i]
		}
	}
	return stored
}

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
	_, err := tx.Exec(ctx, saveInbox.Text, saveInbox.Args(storedMessages(changes, sequences))...)
	if err != nil {
		return fmt.Errorf("save messages: %w", err)
	}
	return nil
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
		batch.Queue(leaveRemoval, id.New(time.Now()), m.EnvironmentID, postgres.JSONList(m.ContextKeys), m.Scope, m.SubscriberID, m.ID, sequences[i])
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

var (
	shownKeys = bulk.Columns[StepKey]{
		bulk.Field("notification_id", func(k *StepKey) *string { return &k.NotificationID }),
		bulk.Field("step_id", func(k *StepKey) *string { return &k.StepID }),
	}
	lockShown = bulk.New(`SELECT `+shownKeys.Select("m")+`, `+inboxMessageColumns.Select("m")+` FROM messages m
WHERE (m.notification_id, m.step_id) IN (SELECT u.notification_id, u.step_id FROM {rows}) AND m.channel = 'in_app' ORDER BY m.id FOR UPDATE`, shownKeys)
)

// LockShown locks the in-app messages of steps, in order of their ids, and reads them. Deleted ones are missing.
func LockShown(ctx context.Context, tx pgx.Tx, keys []StepKey) (map[StepKey]*InboxMessage, error) {
	rows, err := tx.Query(ctx, lockShown.Text, lockShown.Args(keys)...)
	found := map[StepKey]*InboxMessage{}
	_, err = postgres.Collect(rows, err, "lock messages", func(r pgx.CollectableRow) (struct{}, error) {
		var key StepKey
		m := &InboxMessage{}
		err := r.Scan(append(shownKeys.Targets(&key), inboxMessageColumns.Targets(m)...)...)
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

var storeShown = bulk.New(`UPDATE messages m SET subject = u.subject, content = u.content::jsonb, avatar = u.avatar, data = u.data::jsonb
FROM {rows} WHERE m.id = u.id`, bulk.Columns[ShownContent]{
	bulk.Field("id", func(s *ShownContent) *string { return &s.MessageID }),
	bulk.Field("subject", func(s *ShownContent) **string { return &s.Subject }),
	bulk.JSON("content", func(s *ShownContent) *json.RawMessage { return &s.Content }),
	bulk.Field("avatar", func(s *ShownContent) **string { return &s.Avatar }),
	bulk.JSON("data", func(s *ShownContent) *json.RawMessage { return &s.Data }),
})

// StoreShown gives locked messages another content.
func StoreShown(ctx context.Context, tx pgx.Tx, rows []ShownContent) error {
	_, err := tx.Exec(ctx, storeShown.Text, storeShown.Args(rows)...)
	if err != nil {
		return fmt.Errorf("store what messages show: %w", err)
	}
	return nil
}

// LockSnoozed locks snoozed messages whose time has come, those that wait longest and at most limit, with their inboxes. It waits for
// no other transaction, which may be stuck: what one has locked is left for a later look.
func LockSnoozed(ctx context.Context, tx pgx.Tx, at pgdue.Moment, limit int) ([]*InboxMessage, error) {
	join, due := at.Due("t.snoozed_until", 1)
	rows, err := tx.Query(ctx, `SELECT `+inboxMessageColumns.Select("t")+` FROM messages t
	JOIN inbox_states i ON i.environment_id = t.environment_id AND i.subscriber_id = t.subscriber_id AND i.scope = t.scope`+join+`
	WHERE t.snoozed_until IS NOT NULL AND `+due+` ORDER BY t.snoozed_until, t.id LIMIT $2 FOR UPDATE OF t, i SKIP LOCKED`, at.Now, limit)
	return CollectInbox(rows, err)
}
