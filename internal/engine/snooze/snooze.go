// Package snooze brings snoozed messages back.
package snooze

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/viewer"
)

// snoozeLimit is how many messages one claim brings back.
const snoozeLimit = 200

// Snoozes are the in-app messages that are hidden until a time.
type Snoozes struct{ *state.Shared }

// Unsnooze brings snoozed messages back whose time has come: unread, unseen, and at the top by a new delivery
// (semantics.md §8.4). It returns what changed, for Announce.
func (s Snoozes) Unsnooze(ctx context.Context) (changed []state.InboxChange, err error) {
	err = s.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		messages, err := pginbox.LockSnoozed(ctx, tx, s.Clocks.Moment(), snoozeLimit)
		if err != nil || len(messages) == 0 {
			changed = nil
			return err
		}
		var environments []string
		for _, m := range messages {
			environments = state.AddNew(environments, m.EnvironmentID)
		}
		if err := s.Clocks.Read(ctx, tx, environments); err != nil {
			return err
		}
		var changes []pginbox.InboxChange
		changed = nil
		for _, m := range messages {
			now := s.Clocks.Now(m.EnvironmentID).UTC()
			if m.SnoozedUntil.After(now) { // put off again meanwhile
				continue
			}
			after := *m
			after.SnoozedUntil, after.Read, after.Seen = nil, false, false
			after.DeliveredAt, after.ArrivedAt = append(slices.Clone(m.DeliveredAt), state.Stamp(now)), now
			changes = append(changes, pginbox.InboxChange{Before: m, After: &after})
		}
		sequences, err := pginbox.BumpInbox(ctx, tx, pginbox.InboxDeltas(changes))
		if err != nil || len(changes) == 0 {
			return err
		}
		for i, c := range changes {
			changed = append(changed, state.InboxChange{
				Scope: viewer.Scope{EnvironmentID: c.After.EnvironmentID}, SubscriberID: c.After.SubscriberID,
				ContextKeys: c.After.ContextKeys, MessageID: c.After.ID, Sequence: sequences[i],
			})
		}
		return pginbox.StoreInbox(ctx, tx, changes, sequences)
	})
	return changed, err
}

// Announce publishes committed changes to open inboxes.
func (s Snoozes) Announce(ctx context.Context, changed []state.InboxChange) error {
	s.Live(ctx, changed)
	return nil
}
