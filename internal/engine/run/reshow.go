package run

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/workflow"
)

// reshownMessage is an in-app message that shows what an open window has collected (semantics.md §3.18): the same message, unread
// again and at the top.
type reshownMessage struct {
	run      *run
	stepID   string
	content  *content
	before   *pginbox.InboxMessage // nil: it was deleted
	after    pginbox.InboxMessage
	sequence int64
}

// reshown are the messages that a batch shows anew.
type reshown []reshownMessage

// reshow renders the steps anew that were sent while the window was open.
func (b *batch) reshow(ctx context.Context, r *run) {
	for _, d := range r.plan.Shown(r.digest.Early) {
		c, err := b.executor.content(ctx, r, &d)
		if err != nil {
			d.Reason, d.Detail = workflow.ReasonRenderFailed, err.Error()
			r.trace(&d, nil)
			continue
		}
		b.reshown = append(b.reshown, reshownMessage{run: r, stepID: d.Step.StepID, content: c})
	}
	r.digest.Shown = r.collected.Total
}

// lock locks the messages that are shown anew.
func (l reshown) lock(ctx context.Context, tx pgx.Tx) error {
	if len(l) == 0 {
		return nil
	}
	keys := make([]pginbox.StepKey, len(l))
	for i := range l {
		keys[i] = pginbox.StepKey{NotificationID: l[i].run.row.ID, StepID: l[i].stepID}
	}
	locked, err := pginbox.LockShown(ctx, tx, keys)
	if err != nil {
		return err
	}
	for i := range l {
		m := &l[i]
		if m.before = locked[keys[i]]; m.before == nil {
			continue
		}
		now := m.run.event.now
		m.after = *m.before
		m.after.Read, m.after.Seen, m.after.Archived, m.after.ArchivedAt = false, false, false, nil
		m.after.DeliveredAt = append(slices.Clone(m.before.DeliveredAt), state.Stamp(now))
		m.after.ArrivedAt = now
		m.after.CTA = nil
		if len(m.content.cta) > 0 {
			_ = json.Unmarshal(m.content.cta, &m.after.CTA) // of our own making
		}
	}
	return nil
}

// changes returns what the messages change in their inboxes.
func (l reshown) changes() (changes []pginbox.InboxChange) {
	for i := range l {
		if l[i].before != nil {
			changes = append(changes, pginbox.InboxChange{Before: l[i].before, After: &l[i].after})
		}
	}
	return changes
}

// store stores the messages that are shown anew, with the sequences of their inboxes.
func (l reshown) store(ctx context.Context, tx pgx.Tx, changes []pginbox.InboxChange, sequences []int64) error {
	if len(changes) == 0 {
		return nil
	}
	var contents []pginbox.ShownContent
	for i := range l {
		m := &l[i]
		if m.before == nil {
			continue
		}
		m.sequence = sequences[len(contents)]
		contents = append(contents, pginbox.ShownContent{
			MessageID: m.before.ID, Subject: m.content.subject, Content: m.content.body, Avatar: m.content.avatar, Data: m.content.data,
		})
	}
	if err := pginbox.StoreInbox(ctx, tx, changes, sequences); err != nil {
		return err
	}
	return pginbox.StoreShown(ctx, tx, contents)
}
