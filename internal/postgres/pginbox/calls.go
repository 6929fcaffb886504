package pginbox

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/viewer"
)

// lockMessages leaves out what LockInboxMessages leaves out.
var lockMessages = `SELECT ` + postgres.Selected("m", message.Columns) + ` FROM messages m WHERE m.id = ANY ($3::text[]) AND m.environment_id = $1
	AND m.subscriber_id = (SELECT o.id FROM subscribers o WHERE o.environment_id = $1 AND o.subscriber_id = $2 AND NOT o.deleted)
	AND m.channel = 'in_app' AND m.status <> 'pending' ORDER BY m.id FOR UPDATE`

// LockMessages is LockInboxMessages with the messages as a whole, for the living subscriber of an external id, which is
// nil when there is none.
func LockMessages(ctx context.Context, b *postgres.Batch, scope viewer.Scope, subscriberID string, ids []id.ID) (owner *ent.Subscriber, locked []*ent.Message, err error) {
	batch := &pgx.Batch{}
	batch.Queue(pgsubscriber.LivingSubscriber, scope.EnvironmentID, subscriberID).Query(postgres.One(&owner))
	batch.Queue(lockMessages, scope.EnvironmentID, subscriberID, ids).Query(postgres.Into(&locked))
	if err := b.Send(ctx, batch); err != nil {
		return nil, nil, fmt.Errorf("lock messages: %w", err)
	}
	return owner, locked, nil
}

// InboxStateOf is the state of an in-app message that its subscriber can change.
func InboxStateOf(m *ent.Message) *InboxMessage {
	state := &InboxMessage{
		ID: m.ID, EnvironmentID: m.EnvironmentID, SubscriberID: m.SubscriberID, Scope: m.Scope, ContextKeys: m.ContextKeys,
		Read: m.Read, Seen: m.Seen, Archived: m.Archived, LastReadAt: m.LastReadAt, LastSeenAt: m.LastSeenAt,
		ArchivedAt: m.ArchivedAt, SnoozedUntil: m.SnoozedUntil, DeliveredAt: m.DeliveredAt, ArrivedAt: m.ArrivedAt, CTA: m.Cta,
	}
	if state.DeliveredAt == nil {
		state.DeliveredAt = []string{}
	}
	return state
}

// sequenceOf is the sequence that a message's inbox has come to, which is locked.
const sequenceOf = `(SELECT i.sequence FROM inbox_states i WHERE i.environment_id = m.environment_id AND i.subscriber_id = m.subscriber_id AND i.scope = m.scope)`

var saveMessages = storeMessages(sequenceOf, ` RETURNING `+postgres.Selected("m", message.Columns))

// SaveMessages ends the transaction with changed messages, which must be locked, and what that does to the counters of
// their inboxes. It answers them.
func SaveMessages(ctx context.Context, b *postgres.Batch, changes []InboxChange) (saved []*ent.Message, err error) {
	batch := &pgx.Batch{}
	if len(changes) > 0 {
		bumpInbox.Queue(batch, sumDeltas(InboxDeltas(changes)))
		saveMessages.Queue(batch, storedMessages(changes, nil)).Query(postgres.Into(&saved))
	}
	if err := b.End(ctx, batch); err != nil {
		return nil, fmt.Errorf("save messages: %w", err)
	}
	return saved, nil
}

// MessageParents are what documented messages show besides themselves.
type MessageParents struct {
	Events      []*ent.Event // as far as messages show them
	Subscribers []*ent.Subscriber
	Channels    []*ent.SubscriberChannel // of the subscribers, in the order of their making
}

// channelsShown are the channel settings of subscribers. A setting that names no integration shows the one that it is used
// with: the one of its identifier, else the provider's newest active one.
const channelsShown = `SELECT c.id, c.subscriber_id, c.provider_id, c.integration_identifier, c.credentials,
	coalesce(c.integration_id, (SELECT i.id FROM integrations i WHERE i.environment_id = c.environment_id AND i.provider_id = c.provider_id
		AND NOT i.deleted AND (i.identifier = c.integration_identifier OR c.integration_identifier = '' AND i.active)
		ORDER BY i.id DESC LIMIT 1)) AS integration_id
	FROM subscriber_channels c WHERE c.environment_id = $1 AND c.subscriber_id = ANY ($2::text[]) ORDER BY c.id`

// ReadMessageParents reads, in one round trip, the events and subscribers of messages by their internal ids.
func ReadMessageParents(ctx context.Context, db *postgres.DB, scope viewer.Scope, events, subscribers []id.ID) (*MessageParents, error) {
	parents := &MessageParents{}
	batch := &pgx.Batch{}
	batch.Queue(eventsShown, scope.EnvironmentID, events).Query(postgres.Into(&parents.Events))
	batch.Queue(`SELECT `+postgres.Selected("o", subscriber.Columns)+` FROM subscribers o WHERE o.environment_id = $1 AND o.id = ANY ($2::text[])`,
		scope.EnvironmentID, subscribers).Query(postgres.Into(&parents.Subscribers))
	batch.Queue(channelsShown, scope.EnvironmentID, subscribers).Query(postgres.Into(&parents.Channels))
	if err := db.Sender(ctx).SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("read what messages show: %w", err)
	}
	return parents, nil
}

const eventsShown = `SELECT id, payload, overrides FROM events WHERE environment_id = $1 AND id = ANY ($2::text[])`

// EventsShown reads events as far as messages show them.
func EventsShown(ctx context.Context, q postgres.Reader, scope viewer.Scope, ids []id.ID) ([]*ent.Event, error) {
	rows, err := q.Query(ctx, eventsShown, scope.EnvironmentID, ids)
	if err != nil {
		return nil, fmt.Errorf("read the events of messages: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByNameLax[ent.Event])
	if err != nil {
		return nil, fmt.Errorf("read the events of messages: %w", err)
	}
	return all, nil
}
