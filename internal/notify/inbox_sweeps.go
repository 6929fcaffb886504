package notify

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
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
)

// sweeps are the actions: which messages they touch, and how.
var sweeps = map[SweepAction]struct {
	choice postgres.InboxSweep
	change inboxChange
}{
	SweepRead:    {postgres.InboxSweep{Unread: true}, markRead},
	SweepSeen:    {postgres.InboxSweep{Unseen: true}, marks[MarkSeen]},
	SweepArchive: {postgres.InboxSweep{}, archive},
}

// MarkAllMessagesInput acts on all messages that a subscriber has at this moment; archived and snoozed ones stay as
// they are.
type MarkAllMessagesInput struct {
	SubscriberID string // external
	Action       SweepAction
	ContextKeys  []string // as a set; nil: in every context set
}

// MarkAll acts on a whole inbox and tells how many messages it changed. It works in batches, each its own transaction:
// after a failure the messages changed so far stay changed, and the same call goes on.
func (n *Inbox) MarkAll(ctx context.Context, in MarkAllMessagesInput) (int, error) {
	action, ok := sweeps[in.Action]
	if !ok {
		return 0, fault.Invalidf("action", "must be read, seen or archive")
	}
	ctx, err := asSelf(ctx, in.SubscriberID, in.ContextKeys)
	if err != nil {
		return 0, err
	}
	choice := action.choice
	choice.Until = id.New(n.now())
	if in.ContextKeys != nil {
		set := workflow.NewContextSet(in.ContextKeys...)
		if !set.Valid() {
			return 0, nil
		}
		scopeKey := set.Scope()
		choice.ScopeKey = &scopeKey
	}
	if v, _ := viewer.FromContext(ctx); v.ContextScope != nil {
		choice.ScopeKey = v.ContextScope
	}
	owner, err := read(ctx, n.base, func(ctx context.Context, db *ent.Client) (*ent.Subscriber, error) {
		return livingSubscriber(ctx, db, in.SubscriberID)
	})
	if err != nil {
		return 0, err
	}
	choice.SubscriberID = owner.ID
	for total := 0; ; {
		done, err := n.sweep(ctx, choice, action.change)
		n.tell(ctx, realtime.Inbox(owner.EnvironmentID, owner.ID))
		total += done
		if err != nil || done < sweepBatch {
			return total, err
		}
	}
}

func (n *Inbox) sweep(ctx context.Context, choice postgres.InboxSweep, change inboxChange) (int, error) {
	return write(ctx, n.base, viewer.RoleEditor, func(ctx context.Context, _ *ent.Client) (int, error) {
		tx, scope := hot(ctx)
		locked, err := postgres.SweepInbox(ctx, tx, scope, choice, sweepBatch)
		if err != nil {
			return 0, err
		}
		now := n.stamp()
		return len(locked), postgres.SaveInbox(ctx, tx, now, changed(locked, change, now))
	})
}
