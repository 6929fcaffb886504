package run

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// write puts a batch and the changes of its events into the transaction, in two round trips: the inboxes' new sequences
// first, because messages carry them.
func (b *batch) write(ctx context.Context, tx pgx.Tx, add func(*pgx.Batch)) error {
	if err := b.applySharedSteps(ctx, lockedRows{tx}); err != nil {
		return err
	}
	if err := b.reshown.lock(ctx, tx); err != nil {
		return err
	}
	if err := b.beginScreened(ctx, tx); err != nil {
		return err
	}
	if err := b.count(ctx, tx); err != nil {
		return err
	}
	q := &pgx.Batch{}
	b.queue(q, requireAllInserted)
	add(q)
	if err := tx.SendBatch(ctx, q).Close(); err != nil {
		return fmt.Errorf("store a batch of runs: %w", err)
	}
	return b.starts.write(ctx, tx)
}

// queue queues the rows of the batch. inserted is given how many of the new runs were inserted; its error undoes a transaction
// that does not end with these rows.
func (b *batch) queue(q *pgx.Batch, inserted func(n, wanted int) error) {
	pgrun.SaveWindows(q, b.windows)
	pgrun.CancelWindows(q, b.vanished)
	pgrun.SaveThrottles(q, b.throttles)
	fresh, stored := b.rows()
	if len(fresh) > 0 {
		pgrun.InsertNotifications(q, fresh, func(n int) error { return inserted(n, len(fresh)) })
	}
	pgrun.UpdateNotifications(q, stored)
	pgrun.NudgeRuns(q, b.nudged, b.nudgedAt)
	b.queueMessages(q)
}

// requireAllInserted refuses a batch some of whose runs exist already: their messages would be counted and sent once more. It cannot
// happen while an event is fanned out under its lock, so it is a fault to be seen, not one to be smoothed over.
func requireAllInserted(inserted, wanted int) error {
	if inserted != wanted {
		return fmt.Errorf("%d of %d notifications exist already", wanted-inserted, wanted)
	}
	return nil
}

func (b *batch) rows() (fresh, stored []pgrun.NotificationRow) {
	for _, r := range b.runs {
		if r.stored {
			stored = append(stored, r.row)
		} else {
			fresh = append(fresh, r.row)
		}
	}
	return fresh, stored
}

// count moves the inboxes of the batch's in-app messages and gives the messages their sequence.
func (b *batch) count(ctx context.Context, tx pgx.Tx) error {
	deltas := b.inboxDeltas()
	changes := b.reshown.changes()
	sequences, err := pginbox.BumpInbox(ctx, tx, append(deltas, pginbox.InboxDeltas(changes)...))
	if err != nil {
		return err
	}
	for k, i := range b.inbox {
		b.messages[i].Sequence = sequences[k]
	}
	return b.reshown.store(ctx, tx, changes, sequences[len(deltas):])
}

// inboxDeltas are what the batch's in-app messages change in their inboxes, one each.
func (b *batch) inboxDeltas() []pginbox.InboxDelta {
	deltas := make([]pginbox.InboxDelta, len(b.inbox))
	for k, i := range b.inbox {
		m := &b.messages[i]
		deltas[k] = pginbox.InboxDelta{
			EnvironmentID: m.EnvironmentID, SubscriberID: m.SubscriberID, Scope: m.Scope, ContextKeys: m.ContextKeys,
			Total: 1, Unread: 1, Unseen: 1,
		}
	}
	return deltas
}

// publish reports a committed batch to metrics and to open inboxes, and hands over what is to be done next.
func (b *batch) publish(ctx context.Context) {
	b.handOver(ctx)
	counts := map[workflow.RunStatus]int{}
	traced := make([]state.TraceChange, len(b.runs))
	for i, r := range b.runs {
		if r.row.Status != r.before {
			counts[r.row.Status]++
		}
		traced[i] = state.TraceChange{EnvironmentID: r.row.EnvironmentID, NotificationID: r.row.ID}
	}
	b.executor.Traced(traced)
	for status, n := range counts {
		b.executor.Meter.Notifications(string(status), n)
	}
	if len(b.inbox)+len(b.reshown) == 0 {
		return
	}
	b.executor.Meter.Messages(string(workflow.ChannelInApp), string(workflow.MessageSent), len(b.inbox))
	changes := make([]state.InboxChange, len(b.inbox))
	organizations := map[string]string{}
	for _, r := range b.runs {
		if r.event == nil {
			continue
		}
		organizations[r.event.EnvironmentID] = r.event.env.OrganizationID
	}
	for k, i := range b.inbox {
		m := &b.messages[i]
		changes[k] = state.InboxChange{
			Scope:        viewer.Scope{OrganizationID: organizations[m.EnvironmentID], EnvironmentID: m.EnvironmentID},
			SubscriberID: m.SubscriberID, ContextKeys: m.ContextKeys, MessageID: m.ID, Sequence: m.Sequence,
		}
	}
	for i := range b.reshown {
		if m := b.reshown[i].before; m != nil {
			changes = append(changes, state.InboxChange{
				Scope:        viewer.Scope{OrganizationID: organizations[m.EnvironmentID], EnvironmentID: m.EnvironmentID},
				SubscriberID: m.SubscriberID, ContextKeys: m.ContextKeys, MessageID: m.ID, Sequence: b.reshown[i].sequence,
			})
		}
	}
	b.executor.Live(ctx, changes)
}
