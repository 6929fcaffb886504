package inbox

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// sweepBatch bounds the messages that a sweep changes in one transaction.
const sweepBatch = 1000

// SweepAction is what happens to all messages of an inbox.
type SweepAction string

// The actions.
const (
	SweepRead    SweepAction = "read"
	SweepSeen    SweepAction = "seen"
	SweepArchive SweepAction = "archive"
	SweepDelete  SweepAction = "delete"
)

// sweeps are the actions: the messages that each would change, and how; nil removes them.
var sweeps = map[SweepAction]struct {
	touches []predicate.Message
	change  inboxChange
}{
	SweepRead:    {[]predicate.Message{message.Or(message.Read(false), message.Seen(false))}, awake(markRead)},
	SweepSeen:    {[]predicate.Message{message.Seen(false)}, awake(marks[MarkSeen])},
	SweepArchive: {nil, awake(archive)},
	SweepDelete:  {nil, nil},
}

// MarkAllMessagesInput acts on all messages that a subscriber has at this moment and that meet the filter.
type MarkAllMessagesInput struct {
	SubscriberID string // external
	Action       SweepAction
	ContextKeys  []string // as a set; nil: in every context set
	Filter       *InboxFilter
}

// MarkAll acts on a whole inbox and returns how many messages it changed. It works in batches, each its own transaction:
// after a failure the messages changed so far stay changed, and the same call continues.
func (n *Inbox) MarkAll(ctx context.Context, in MarkAllMessagesInput) (int, error) {
	action, ok := sweeps[in.Action]
	if !ok {
		return 0, fault.Invalidf("action", "must be read, seen, archive or delete")
	}
	owner, err := usecase.Read(ctx, n.Deps, usecase.ReadAudience.OrSelf(in.ContextKeys, in.SubscriberID), func(ctx context.Context, db *ent.Client) (*ent.Subscriber, error) {
		return usecase.LivingSubscriber(ctx, db, in.SubscriberID)
	})
	if err != nil {
		return 0, err
	}
	chosen, err := in.Filter.choice(owner.ID)
	if err != nil {
		return 0, err
	}
	chosen = append(chosen, action.touches...)
	chosen = append(chosen, message.IDLTE(id.New(n.Now()))) // so that it ends
	if in.ContextKeys != nil {
		set := workflow.NewContextSet(in.ContextKeys...)
		if !set.Valid() {
			return 0, nil
		}
		chosen = append(chosen, message.Scope(set.Scope()))
	}
	if v, _ := viewer.FromContext(ctx); v.ContextScope != nil {
		chosen = append(chosen, message.Scope(*v.ContextScope))
	}
	total, need := 0, usecase.WriteAudience.OrSelf(in.ContextKeys, in.SubscriberID)
	for after := ""; ; {
		batch, err := n.sweep(ctx, need, owner.ID, append(chosen, message.IDGT(after)), action.change)
		n.Publish(ctx, realtime.Inbox(owner.EnvironmentID, owner.ID))
		total += batch.changed
		if err != nil || batch.read < sweepBatch {
			return total, err
		}
		after = batch.last
	}
}

// swept is what became of one batch.
type swept struct {
	read, changed int
	last          id.ID
}

// sweep changes the oldest messages that are chosen. Those that change meanwhile are checked again when they are locked.
func (n *Inbox) sweep(ctx context.Context, need usecase.Need, subscriberID id.ID, chosen []predicate.Message, change inboxChange) (swept, error) {
	return usecase.Write(ctx, n.Deps, need, func(ctx context.Context, db *ent.Client) (swept, error) {
		ids, err := db.Message.Query().Where(chosen...).Order(message.ByID()).Limit(sweepBatch).ForUpdate().Select(message.FieldID).Strings(ctx)
		if err != nil || len(ids) == 0 {
			return swept{}, err
		}
		batch := swept{read: len(ids), last: ids[len(ids)-1]}
		tx, scope := usecase.TxScope(ctx)
		locked, err := pginbox.LockInboxMessages(ctx, tx, scope, subscriberID, ids)
		if err != nil {
			return swept{}, err
		}
		if change == nil {
			batch.changed = len(locked)
			return batch, pginbox.DeleteInboxMessages(ctx, tx, locked)
		}
		now, err := n.Instant(ctx)
		if err != nil {
			return swept{}, err
		}
		changes := changed(locked, change, now)
		batch.changed = len(changes)
		return batch, pginbox.SaveInbox(ctx, tx, changes)
	})
}
