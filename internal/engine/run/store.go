package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgcount"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// write puts a batch and the changes of its events into the transaction, in two round trips: the inboxes' new sequences
// first, because messages carry them.
func (b *batch) write(ctx context.Context, tx pgx.Tx, changes func(*pgx.Batch)) error {
	if err := b.lock(ctx, tx); err != nil {
		return err
	}
	q := &pgx.Batch{}
	b.queue(q)
	return b.finish(ctx, tx, q, changes)
}

// lock takes the rows that the batch shares with others, and gives its messages the sequences of their inboxes.
func (b *batch) lock(ctx context.Context, tx pgx.Tx) error {
	if err := b.applySharedSteps(ctx, pgrun.LockedRows{Tx: tx}); err != nil {
		return err
	}
	if err := b.reshown.Lock(ctx, tx); err != nil {
		return err
	}
	b.executor.begin(ctx, b)
	return b.count(ctx, tx)
}

// finish sends what q has of the batch, the changes of its events and their counts, and starts what the batch starts.
func (b *batch) finish(ctx context.Context, tx pgx.Tx, q *pgx.Batch, changes func(*pgx.Batch)) error {
	changes(q)
	pgcount.Add(q, b.counts())
	if err := tx.SendBatch(ctx, q).Close(); err != nil {
		return fmt.Errorf("store a batch of runs: %w", err)
	}
	return b.starts.write(ctx, tx)
}

// queue queues the rows of the batch.
func (b *batch) queue(q *pgx.Batch) {
	pgrun.SaveWindows(q, b.windows)
	pgrun.CancelWindows(q, b.vanished)
	pgrun.SaveThrottles(q, b.throttles)
	fresh, stored := b.rows()
	pgrun.InsertNotifications(q, fresh)
	pgrun.UpdateNotifications(q, stored)
	pgrun.NudgeRuns(q, b.nudged, b.nudgedAt)
	b.queueMessages(q)
}

// counts are what the batch adds to the counts of streamed events.
func (b *batch) counts() []pgcount.Count {
	at := map[string]int{}
	var counts []pgcount.Count
	for _, r := range b.runs {
		if r.event == nil || r.event.Checkpoint == nil || !r.event.Checkpoint.Started || r.sent+r.failed+r.skipped == 0 {
			continue
		}
		k, seen := at[r.event.ID]
		if !seen {
			k = len(counts)
			at[r.event.ID] = k
			counts = append(counts, pgcount.Count{EnvironmentID: r.event.EnvironmentID, EventID: r.event.ID})
		}
		counts[k].Sent += r.sent
		counts[k].Failed += r.failed
		counts[k].Skipped += r.skipped
	}
	return counts
}

func (b *batch) rows() (fresh, stored []pgrun.NotificationRow) {
	fresh = make([]pgrun.NotificationRow, 0, len(b.runs)) // as a rule all are
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
	changes := b.reshown.Changes()
	q := &pgx.Batch{}
	var later []int64
	pginbox.QueueBump(q, append(deltas, pginbox.InboxDeltas(changes)...), func(states []*ent.InboxState) {
		b.counted(states[:len(deltas)])
		for _, s := range states[len(deltas):] {
			later = append(later, s.Sequence)
		}
	})
	if q.Len() == 0 {
		return nil
	}
	if err := tx.SendBatch(ctx, q).Close(); err != nil {
		return fmt.Errorf("count messages: %w", err)
	}
	return b.reshown.Store(ctx, tx, changes, later)
}

// counted gives the batch's in-app messages the sequences of their inboxes.
func (b *batch) counted(states []*ent.InboxState) {
	b.inboxes = states
	for k, s := range b.inbox {
		b.messages[s.message].Sequence = states[k].Sequence
	}
}

// inboxDeltas are what the batch's in-app messages change in their inboxes, one each.
func (b *batch) inboxDeltas() []pginbox.InboxDelta {
	deltas := make([]pginbox.InboxDelta, len(b.inbox))
	for k, s := range b.inbox {
		m := &b.messages[s.message]
		deltas[k] = pginbox.InboxDelta{
			EnvironmentID: m.EnvironmentID, SubscriberID: m.SubscriberID, Scope: m.Scope, ContextKeys: m.ContextKeys,
			Total: 1, Unread: 1, Unseen: 1,
		}
	}
	return deltas
}

// isFresh reports whether the batch does nothing but begin runs, so that all its messages are new and nothing else of their
// inboxes has changed.
func (b *batch) isFresh() bool {
	return len(b.reshown) == 0 && !slices.ContainsFunc(b.runs, func(r *run) bool { return r.stored })
}

// meterInbox counts the time that the batch's in-app messages needed since their events were accepted, or since the end of
// their runs' waits.
func (b *batch) meterInbox() {
	for _, s := range b.inbox {
		m := &b.messages[s.message]
		since := m.CreatedAt
		if e := s.run.event; !s.run.stored && !e.CreatedAt.IsZero() {
			since = e.CreatedAt
		}
		b.executor.Meter.Delivered(m.Lane, string(workflow.ChannelInApp), max(b.executor.Clocks.Now(m.EnvironmentID).Sub(since), 1))
	}
}

// failedReasons are those by which steps of a run fail; a run that is parked is counted by its status.
var failedReasons = slices.DeleteFunc(workflow.FailedReasons(), func(r workflow.Reason) bool { return r == workflow.ReasonParked })

// publish reports a committed batch to metrics and to open inboxes, and hands over what is to be done next.
func (b *batch) publish(ctx context.Context) {
	b.executor.waiting.stored(b.named)
	b.handOver(ctx)
	counts, failed := map[workflow.RunStatus]int{}, map[workflow.Reason]int{}
	traced := make([]state.TraceChange, len(b.runs))
	for i, r := range b.runs {
		if r.row.Status != r.before {
			counts[r.row.Status]++
		}
		for k := range r.row.Trace { // what this batch has added
			if entry := &r.row.Trace[k]; entry.StepID != "" && slices.Contains(failedReasons, entry.Reason) {
				failed[entry.Reason]++
			}
		}
		traced[i] = state.TraceChange{EnvironmentID: r.row.EnvironmentID, NotificationID: r.row.ID}
	}
	b.executor.Traced(traced)
	for status, n := range counts {
		b.executor.Meter.Notifications(string(status), n)
	}
	for reason, n := range failed {
		b.executor.Meter.FailedSteps(string(reason), n)
	}
	if len(b.inbox)+len(b.reshown) == 0 {
		return
	}
	b.executor.Meter.Messages(string(workflow.ChannelInApp), string(workflow.MessageSent), len(b.inbox))
	b.meterInbox()
	changes := make([]state.InboxChange, len(b.inbox))
	told := b.isFresh() && b.inboxes != nil // of a commit whose connection was lost the counters did not come back
	for k, s := range b.inbox {
		m := &b.messages[s.message]
		changes[k] = state.InboxChange{
			Scope:        viewer.Scope{OrganizationID: s.run.event.env.OrganizationID, EnvironmentID: m.EnvironmentID},
			SubscriberID: m.SubscriberID, ContextKeys: m.ContextKeys, MessageID: m.ID, Sequence: m.Sequence,
		}
		if told {
			changes[k].New, changes[k].Inbox = m, b.inboxes[k]
		}
	}
	b.executor.Live(ctx, append(changes, b.reshownChanges()...))
}

// reshownChanges are those of messages that show what their window holds now.
func (b *batch) reshownChanges() (changes []state.InboxChange) {
	if len(b.reshown) == 0 {
		return nil
	}
	organizations := map[string]string{}
	for _, r := range b.runs {
		if r.event != nil {
			organizations[r.event.EnvironmentID] = r.event.env.OrganizationID
		}
	}
	for i := range b.reshown {
		if m := b.reshown[i].Before; m != nil {
			changes = append(changes, state.InboxChange{
				Scope:        viewer.Scope{OrganizationID: organizations[m.EnvironmentID], EnvironmentID: m.EnvironmentID},
				SubscriberID: m.SubscriberID, ContextKeys: m.ContextKeys, MessageID: m.ID, Sequence: b.reshown[i].Sequence,
			})
		}
	}
	return changes
}
