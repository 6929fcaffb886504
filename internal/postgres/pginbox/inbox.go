// Package pginbox stores the messages of inboxes, their counters and sequences, and who is online.
package pginbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/inboxstate"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/bulk"
)

// InboxDelta is a change of one inbox: of one subscriber in one context set. The counters count in-app messages that are
// neither archived nor snoozed (snoozed_until is null) nor deleted: Total all of them, Unread those not read, Unseen
// those not seen. A row whose counters stay the same still moves the inbox's sequence.
type InboxDelta struct {
	EnvironmentID string
	SubscriberID  string // internal id
	Scope         string // workflow.ContextSet.Scope of ContextKeys
	ContextKeys   []string
	Total         int
	Unread        int
	Unseen        int

	id string // of the inbox, when it is made
}

type inboxKey struct{ environment, subscriber, scope string }

func (d *InboxDelta) key() inboxKey { return inboxKey{d.EnvironmentID, d.SubscriberID, d.Scope} }

var bumpInbox = bulk.Insert("inbox_states", bulk.Columns[InboxDelta]{
	bulk.Field("id", func(d *InboxDelta) *string { return &d.id }),
	bulk.Field("environment_id", func(d *InboxDelta) *string { return &d.EnvironmentID }),
	bulk.Field("subscriber_id", func(d *InboxDelta) *string { return &d.SubscriberID }),
	bulk.Field("scope", func(d *InboxDelta) *string { return &d.Scope }),
	bulk.List("context_keys", func(d *InboxDelta) *[]string { return &d.ContextKeys }),
	bulk.Field("total", func(d *InboxDelta) *int { return &d.Total }),
	bulk.Field("unread", func(d *InboxDelta) *int { return &d.Unread }),
	bulk.Field("unseen", func(d *InboxDelta) *int { return &d.Unseen }),
}).Set("created_at", "now()").Set("updated_at", "now()").Set("sequence", "1").OnConflict(`(environment_id, subscriber_id, scope) DO UPDATE SET
	sequence = t.sequence + 1,
	total = t.total + excluded.total,
	unread = t.unread + excluded.unread,
	unseen = t.unseen + excluded.unseen,
	updated_at = excluded.updated_at
RETURNING ` + inboxColumns.Select("t"))

var inboxColumns = bulk.Columns[ent.InboxState]{
	bulk.Field(inboxstate.FieldID, func(s *ent.InboxState) *string { return &s.ID }),
	bulk.Field(inboxstate.FieldCreatedAt, func(s *ent.InboxState) *time.Time { return &s.CreatedAt }),
	bulk.Field(inboxstate.FieldUpdatedAt, func(s *ent.InboxState) *time.Time { return &s.UpdatedAt }),
	bulk.Field(inboxstate.FieldEnvironmentID, func(s *ent.InboxState) *string { return &s.EnvironmentID }),
	bulk.List(inboxstate.FieldContextKeys, func(s *ent.InboxState) *[]string { return &s.ContextKeys }),
	bulk.Field(inboxstate.FieldScope, func(s *ent.InboxState) *string { return &s.Scope }),
	bulk.Field(inboxstate.FieldSubscriberID, func(s *ent.InboxState) *string { return &s.SubscriberID }),
	bulk.Field(inboxstate.FieldSequence, func(s *ent.InboxState) *int64 { return &s.Sequence }),
	bulk.Field(inboxstate.FieldTotal, func(s *ent.InboxState) *int { return &s.Total }),
	bulk.Field(inboxstate.FieldUnread, func(s *ent.InboxState) *int { return &s.Unread }),
	bulk.Field(inboxstate.FieldUnseen, func(s *ent.InboxState) *int { return &s.Unseen }),
}

// BumpInbox adds deltas to the inboxes' counters, in the transaction of the messages they count, and moves the sequence
// of every inbox named by one, however many deltas name it. sequences are the new ones, one per delta. Inboxes are made
// on first use. Rows are locked in sorted order; a transaction that also locks messages must do that first, and must call
// this once.
func BumpInbox(ctx context.Context, tx pgx.Tx, deltas []InboxDelta) (sequences []int64, err error) {
	q := &pgx.Batch{}
	QueueBump(q, deltas, func(states []*ent.InboxState) {
		for _, s := range states {
			sequences = append(sequences, s.Sequence)
		}
	})
	if q.Len() == 0 {
		return nil, nil
	}
	if err := tx.SendBatch(ctx, q).Close(); err != nil {
		return nil, fmt.Errorf("bump inboxes: %w", err)
	}
	return sequences, nil
}

// QueueBump queues what BumpInbox does; states are the inboxes afterwards, one per delta. Messages that are inserted behind it, in the same transaction and without a sequence,
// take that of their inbox.
func QueueBump(b *pgx.Batch, deltas []InboxDelta, bumped func(states []*ent.InboxState)) {
	if len(deltas) == 0 {
		return
	}
	sums := sumDeltas(deltas)
	bumpInbox.Queue(b, sums).Query(func(rows pgx.Rows) error {
		all, err := inboxColumns.Collect(rows, nil, "bump inboxes")
		if err != nil {
			return err
		}
		now := make(map[inboxKey]*ent.InboxState, len(all))
		for i := range all {
			s := &all[i]
			now[inboxKey{s.EnvironmentID, s.SubscriberID, s.Scope}] = s
		}
		states := make([]*ent.InboxState, len(deltas))
		for i := range deltas {
			if states[i] = now[deltas[i].key()]; states[i] == nil {
				return fmt.Errorf("the inbox of subscriber %s was not counted", deltas[i].SubscriberID)
			}
		}
		bumped(states)
		return nil
	})
}

// sumDeltas gives one delta per inbox, in the order in which inboxes are locked.
func sumDeltas(deltas []InboxDelta) []InboxDelta {
	at := make(map[inboxKey]int, len(deltas))
	sums := make([]InboxDelta, 0, len(deltas))
	for _, d := range deltas {
		i, seen := at[d.key()]
		if !seen {
			at[d.key()] = len(sums)
			sums = append(sums, d)
			continue
		}
		sums[i].Total += d.Total
		sums[i].Unread += d.Unread
		sums[i].Unseen += d.Unseen
	}
	slices.SortFunc(sums, func(a, b InboxDelta) int {
		return cmp.Or(cmp.Compare(a.EnvironmentID, b.EnvironmentID), cmp.Compare(a.SubscriberID, b.SubscriberID),
			cmp.Compare(a.Scope, b.Scope))
	})
	for i, made := range id.Batch(time.Now(), len(sums)) {
		sums[i].id = made
	}
	return sums
}
