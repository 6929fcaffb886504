package inbox

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/workflow"
)

// Inbox are the use cases of what subscribers do with their in-app messages (decisions.md §9, semantics.md §8). Every
// change of a message moves its inbox's counters and sequence in the same transaction.
type Inbox struct {
	usecase.Deps
	presence *Presence
	news     *postgres.Gather[pginbox.InboxQuestion, pginbox.InboxNews]
}

// newsTogether bounds the inboxes whose changes are read together: they may have up to updateBatch each.
const newsTogether = 50

func newInbox(b usecase.Deps, presence *Presence) *Inbox {
	return &Inbox{b, presence, &postgres.Gather[pginbox.InboxQuestion, pginbox.InboxNews]{
		Ask: func(ctx context.Context, questions []pginbox.InboxQuestion) ([]pginbox.InboxNews, error) {
			return pginbox.ReadInboxNews(ctx, b.DB, questions)
		},
		Most: newsTogether,
	}}
}

// MaxInboxMessages bounds the messages that one call names (decisions.md §9).
const MaxInboxMessages = 1000

// maxSnooze bounds how far ahead a message can be put off.
const maxSnooze = 366 * 24 * time.Hour

// CodeMessageIDRequired is the code of a call that names no message.
const CodeMessageIDRequired = "MESSAGE_ID_REQUIRED"

// Mark is a state that messages are put into.
type Mark string

// The marks.
const (
	MarkRead   Mark = "read"
	MarkUnread Mark = "unread"
	MarkSeen   Mark = "seen"
	MarkUnseen Mark = "unseen"
)

// InboxMessagesInput names in-app messages of one subscriber. Ids that name none of them are ignored: an answer never
// reports whether another subscriber's message exists.
type InboxMessagesInput struct {
	SubscriberID string   // external
	MessageIDs   []string // global or internal ids
}

// MarkMessagesInput says how messages are marked.
type MarkMessagesInput struct {
	InboxMessagesInput
	MarkAs Mark
}

// SnoozeMessagesInput puts messages off.
type SnoozeMessagesInput struct {
	InboxMessagesInput
	Until time.Time
}

// CompleteMessageActionInput names the button of a message was used.
type CompleteMessageActionInput struct {
	SubscriberID string // external
	MessageID    string // global or internal id
	Button       string // primary or secondary
	Payload      map[string]any
}

// inboxChange puts a message into its next state; what may not change stays as it is.
type inboxChange func(m *pginbox.InboxMessage, now time.Time)

var marks = map[Mark]inboxChange{
	MarkRead:   markRead,
	MarkUnread: func(m *pginbox.InboxMessage, _ time.Time) { m.Read, m.Archived, m.ArchivedAt = false, false, nil },
	MarkSeen:   func(m *pginbox.InboxMessage, now time.Time) { m.Seen, m.LastSeenAt = true, &now },
	MarkUnseen: func(m *pginbox.InboxMessage, _ time.Time) { m.Seen = false },
}

// markRead also marks as seen: what was read was seen.
func markRead(m *pginbox.InboxMessage, now time.Time) {
	m.Read, m.Seen, m.LastReadAt, m.LastSeenAt = true, true, &now, &now
}

func archive(m *pginbox.InboxMessage, now time.Time) {
	if !m.Archived {
		markRead(m, now)
		m.Archived, m.ArchivedAt = true, &now
	}
}

func unarchive(m *pginbox.InboxMessage, _ time.Time) { m.Archived, m.ArchivedAt = false, nil }

// awake leaves snoozed messages alone until they are back (semantics.md §8.3).
func awake(change inboxChange) inboxChange {
	return func(m *pginbox.InboxMessage, now time.Time) {
		if m.SnoozedUntil == nil {
			change(m, now)
		}
	}
}

// Check reports every problem of the call.
func (in *MarkMessagesInput) Check(p *fault.Problems) {
	if marks[in.MarkAs] == nil && !p.At("markAs") {
		p.Add("markAs", in.MarkAs, "must be read, seen, unread or unseen")
	}
	if len(in.MessageIDs) > MaxInboxMessages {
		p.Add("messageIds", nil, "must not hold more than %d items", MaxInboxMessages)
	}
}

// Mark marks messages and answers them in the order of the call, also those that were in that state already.
func (n *Inbox) Mark(ctx context.Context, in MarkMessagesInput) ([]*ent.Message, error) {
	var p fault.Problems
	if in.Check(&p); p.Any() {
		return nil, p.Err()
	}
	return n.change(ctx, in.InboxMessagesInput, awake(marks[in.MarkAs]))
}

// Archive takes messages out of the default list, which marks them as read and seen, and answers them.
func (n *Inbox) Archive(ctx context.Context, in InboxMessagesInput) ([]*ent.Message, error) {
	return n.change(ctx, in, awake(archive))
}

// Unarchive takes messages back into the default list; they stay read. It answers them.
func (n *Inbox) Unarchive(ctx context.Context, in InboxMessagesInput) ([]*ent.Message, error) {
	return n.change(ctx, in, awake(unarchive))
}

// Snooze hides messages until a moment and answers them. Archived ones stay as they are.
func (n *Inbox) Snooze(ctx context.Context, in SnoozeMessagesInput) ([]*ent.Message, error) {
	if _, err := usecase.Require(ctx, usecase.WriteAudience.OrSelf(nil, in.SubscriberID)); err != nil {
		return nil, err
	}
	now, err := n.Instant(ctx)
	switch {
	case err != nil:
		return nil, err
	case !in.Until.After(now):
		return nil, fault.Invalidf("until", "must lie in the future")
	case in.Until.Sub(now) > maxSnooze:
		return nil, fault.Invalidf("until", "must not lie more than %d days ahead", int(maxSnooze.Hours()/24))
	}
	until := in.Until.UTC().Truncate(time.Microsecond)
	return n.change(ctx, in.InboxMessagesInput, func(m *pginbox.InboxMessage, _ time.Time) {
		if !m.Archived {
			m.SnoozedUntil = &until
		}
	})
}

// Unsnooze brings snoozed messages back as they were, and answers them.
func (n *Inbox) Unsnooze(ctx context.Context, in InboxMessagesInput) ([]*ent.Message, error) {
	return n.change(ctx, in, func(m *pginbox.InboxMessage, _ time.Time) { m.SnoozedUntil = nil })
}

// CompleteAction records that the subscriber used a button of a message. The first use counts; a later one changes
// nothing (decisions.md §17).
func (n *Inbox) CompleteAction(ctx context.Context, in CompleteMessageActionInput) (*ent.Message, error) {
	var p fault.Problems
	usecase.CheckData(&p, "payload", in.Payload)
	if p.Any() {
		return nil, p.Err()
	}
	missing := false
	rows, err := n.change(ctx, InboxMessagesInput{SubscriberID: in.SubscriberID, MessageIDs: []string{in.MessageID}},
		func(m *pginbox.InboxMessage, _ time.Time) { m.CTA, missing = used(m.CTA, in) })
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0:
		return nil, fault.NotFoundf("Message %s was not found.", in.MessageID)
	case missing:
		return nil, fault.Invalidf("button", "the message has no such button")
	}
	return rows[0], nil
}

// used is the call to action after a button was used; missing reports that there is no such button.
func used(cta *workflow.CTA, in CompleteMessageActionInput) (after *workflow.CTA, missing bool) {
	if cta == nil || cta.Action == nil || !slices.ContainsFunc(cta.Action.Buttons, func(b workflow.CTAButton) bool { return b.Type == in.Button }) {
		return cta, true
	}
	if cta.Action.Status == workflow.ActionDone {
		return cta, false
	}
	changed, action := *cta, *cta.Action
	action.Status, action.Result = workflow.ActionDone, &workflow.CTAResult{Type: in.Button, Payload: in.Payload}
	changed.Action = &action
	return &changed, false
}

// change applies a change to the messages named and answers them in the order of the call, each once. Cost: two round
// trips.
func (n *Inbox) change(ctx context.Context, in InboxMessagesInput, change inboxChange) ([]*ent.Message, error) {
	ids, err := in.internal()
	if err != nil {
		return nil, err
	}
	v, err := usecase.Require(ctx, usecase.WriteAudience.OrSelf(nil, in.SubscriberID))
	if err != nil {
		return nil, err
	}
	now, err := n.Instant(ctx)
	if err != nil {
		return nil, err
	}
	var owner *ent.Subscriber
	var rows []*ent.Message
	err = n.DB.Batch(ctx, func(batch *postgres.Batch) (err error) {
		trimmed, _ := workflow.ParseSubscriberID(in.SubscriberID)
		if owner, rows, err = pginbox.LockMessages(ctx, batch, v.Scope, trimmed, ids); err != nil {
			return err
		}
		if owner == nil {
			return fault.NotFoundf("Subscriber %s was not found.", in.SubscriberID)
		}
		rows = slices.DeleteFunc(rows, func(m *ent.Message) bool { return !usecase.WithinContext(ctx, m.Scope) })
		locked := make([]*pginbox.InboxMessage, len(rows))
		for i, row := range rows {
			locked[i] = pginbox.InboxStateOf(row)
		}
		saved, err := pginbox.SaveMessages(ctx, batch, changed(locked, change, now))
		rows = append(rows, saved...) // the later of two counts
		return err
	})
	if err != nil {
		return nil, postgres.Translate(err)
	}
	n.Publish(ctx, realtime.Inbox(owner.EnvironmentID, owner.ID))
	return inOrder(rows, ids), nil
}

// internal are the record ids that a call names; those that are none are left out.
func (in *InboxMessagesInput) internal() ([]id.ID, error) {
	switch {
	case len(in.MessageIDs) == 0:
		return nil, fault.BadRequestf(CodeMessageIDRequired, "Name at least one message.")
	case len(in.MessageIDs) > MaxInboxMessages:
		return nil, fault.Invalidf("messageIds", "must not hold more than %d items", MaxInboxMessages)
	}
	ids := make([]id.ID, 0, len(in.MessageIDs))
	for _, given := range in.MessageIDs {
		if messageID, err := usecase.RecordID("Message", given); err == nil {
			ids = append(ids, strings.ToLower(messageID))
		}
	}
	return usecase.Distinct(ids), nil
}

func (n *Inbox) lock(ctx context.Context, db *ent.Client, subscriberID string, ids []id.ID) ([]*pginbox.InboxMessage, error) {
	owner, err := usecase.LivingSubscriber(ctx, db, subscriberID)
	if err != nil {
		return nil, err
	}
	tx, scope := usecase.TxScope(ctx)
	locked, err := pginbox.LockInboxMessages(ctx, tx, scope, owner.ID, ids)
	n.Publish(ctx, realtime.Inbox(owner.EnvironmentID, owner.ID))
	return slices.DeleteFunc(locked, func(m *pginbox.InboxMessage) bool { return !usecase.WithinContext(ctx, m.Scope) }), err
}

// changed are the messages that a change made different.
func changed(locked []*pginbox.InboxMessage, change inboxChange, now time.Time) (changes []pginbox.InboxChange) {
	for _, before := range locked {
		after := *before
		change(&after, now)
		if !usecase.SameJSON(before, &after) {
			changes = append(changes, pginbox.InboxChange{Before: before, After: &after})
		}
	}
	return changes
}

// inOrder sorts messages into the order in which they were named.
func inOrder(rows []*ent.Message, ids []id.ID) []*ent.Message {
	index := usecase.ByID(rows)
	sorted := make([]*ent.Message, 0, len(rows))
	for _, messageID := range ids {
		if row := index[messageID]; row != nil {
			sorted = append(sorted, row)
		}
	}
	return sorted
}

// Delete removes messages for good and answers what was removed.
func (n *Inbox) Delete(ctx context.Context, in InboxMessagesInput) ([]*ent.Message, error) {
	ids, err := in.internal()
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, n.Deps, usecase.WriteAudience.OrSelf(nil, in.SubscriberID), func(ctx context.Context, db *ent.Client) ([]*ent.Message, error) {
		locked, err := n.lock(ctx, db, in.SubscriberID, ids)
		if err != nil {
			return nil, err
		}
		found := make([]id.ID, len(locked))
		for i, m := range locked {
			found[i] = m.ID
		}
		rows, err := db.Message.Query().Where(message.IDIn(found...)).All(ctx)
		if err != nil {
			return nil, err
		}
		tx, _ := usecase.TxScope(ctx)
		return inOrder(rows, ids), pginbox.DeleteInboxMessages(ctx, tx, locked)
	})
}
