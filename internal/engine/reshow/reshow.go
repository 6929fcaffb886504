// Package reshow brings in-app messages of digests up to date: the same message, unread again and at the top of its inbox.
package reshow

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pginbox"
)

// Message is an in-app message that shows what an open window has collected (semantics.md §3.18).
type Message struct {
	pginbox.StepKey
	At      time.Time
	CTA     json.RawMessage
	Content pginbox.ShownContent // but for the message's id, which Store finds

	Before   *pginbox.InboxMessage // nil: it was deleted
	After    pginbox.InboxMessage
	Sequence int64 // of its inbox, given by Store
}

// Messages are those that a batch shows anew, which it locks, counts and stores in one transaction.
type Messages []Message

// Lock locks the messages, and decides what becomes of each in its inbox.
func (l Messages) Lock(ctx context.Context, tx pgx.Tx) error {
	if len(l) == 0 {
		return nil
	}
	keys := make([]pginbox.StepKey, len(l))
	for i := range l {
		keys[i] = l[i].StepKey
	}
	locked, err := pginbox.LockShown(ctx, tx, keys)
	if err != nil {
		return err
	}
	for i := range l {
		m := &l[i]
		if m.Before = locked[keys[i]]; m.Before == nil {
			continue
		}
		m.After = *m.Before
		m.After.Read, m.After.Seen, m.After.Archived, m.After.ArchivedAt = false, false, false, nil
		m.After.DeliveredAt = append(slices.Clone(m.Before.DeliveredAt), state.Stamp(m.At))
		m.After.ArrivedAt = m.At
		m.After.CTA = nil
		if len(m.CTA) > 0 {
			_ = json.Unmarshal(m.CTA, &m.After.CTA) // of our own making
		}
	}
	return nil
}

// Changes returns what the messages change in their inboxes.
func (l Messages) Changes() (changes []pginbox.InboxChange) {
	for i := range l {
		if l[i].Before != nil {
			changes = append(changes, pginbox.InboxChange{Before: l[i].Before, After: &l[i].After})
		}
	}
	return changes
}

// Store stores the messages with the sequences of their inboxes, which are those of Changes, in their order.
func (l Messages) Store(ctx context.Context, tx pgx.Tx, changes []pginbox.InboxChange, sequences []int64) error {
	if len(changes) == 0 {
		return nil
	}
	var contents []pginbox.ShownContent
	for i := range l {
		m := &l[i]
		if m.Before == nil {
			continue
		}
		m.Sequence = sequences[len(contents)]
		m.Content.MessageID = m.Before.ID
		contents = append(contents, m.Content)
	}
	if err := pginbox.StoreInbox(ctx, tx, changes, sequences); err != nil {
		return err
	}
	return pginbox.StoreShown(ctx, tx, contents)
}
