package engine

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// digests are those that the run has come to, in that order.
func (r *run) digests() []digestState {
	if r.digest == nil {
		return nil
	}
	return append(r.earlier[:len(r.earlier):len(r.earlier)], *r.digest)
}

// addDigest makes a digest the one that the run came to last.
func (r *run) addDigest(d digestState) {
	r.earlier, r.digest = r.digests(), &d
}

// digestContent is what the run stands for: what its last digest collected, else its own event.
func (r *run) digestContent() *workflow.Collected {
	if r.collected != nil {
		return r.collected
	}
	return &workflow.Collected{Events: []any{r.event.Payload}, Total: 1}
}

// loadDigests gives runs that have been at digests what those hold.
func loadDigests(ctx context.Context, q postgres.Querier, runs []*run) error {
	var ids []string
	for _, r := range runs {
		for _, d := range r.digests() {
			if d.ID != "" {
				ids = addNew(ids, d.ID)
			}
		}
	}
	byID := map[string]*workflow.Collected{}
	if len(ids) > 0 {
		rows, err := postgres.LoadCollected(ctx, q, ids)
		if err != nil {
			return err
		}
		for i := range rows {
			byID[rows[i].DigestID] = &workflow.Collected{Events: rows[i].Events, Total: rows[i].Total}
		}
	}
	for _, r := range runs {
		for _, d := range r.digests() {
			c := byID[d.ID]
			if c == nil { // it passed straight through
				c = r.digestContent()
			}
			r.setDigest(d.StepID, c)
		}
	}
	return nil
}

// setDigest lets conditions and templates see what a digest of the run holds; the last one recalled is the run's last.
func (r *run) setDigest(stepID string, c *workflow.Collected) {
	r.collected = c
	if r.results == nil {
		r.results = map[string]workflow.StepResult{}
	}
	result := r.results[stepID]
	result.Digest = c
	r.results[stepID] = result
}

// resume takes up a run that is due. One that waits with a digest window shows what the window holds now, and closes it
// when its end has come.
func (b *batch) resume(ctx context.Context, r *run) {
	d := r.digest
	if d == nil || d.ID == "" || d.Closed {
		b.advance(ctx, r)
		return
	}
	r.plan = workflow.NewRun(b.input(r))
	if len(d.Early) > 0 && d.Shown != r.collected.Total {
		b.reshow(ctx, r)
	}
	if r.window != nil && r.event.now.Before(r.window.ClosesAt) {
		b.runs = append(b.runs, r)
		r.row.DueAt = new(r.window.ClosesAt)
		state := r.state(r.results)
		state.Waited = r.waited
		r.row.State = asJSON(state)
		return
	}
	if r.window != nil {
		r.window.Status = "closed"
		b.windows = append(b.windows, *r.window)
	}
	d.Closed = true
	b.advance(ctx, r)
}

// reshown is an in-app message that shows what an open window holds (semantics.md §3.18): the same message, unread
// again and at the top.
type reshown struct {
	run      *run
	stepID   string
	content  *content
	before   *postgres.InboxMessage // nil: it was deleted
	after    postgres.InboxMessage
	sequence int64
}

// reshow renders the steps anew that were sent while the window was open.
func (b *batch) reshow(ctx context.Context, r *run) {
	for _, d := range r.plan.Shown(r.digest.Early) {
		c, err := b.engine.content(ctx, r, &d)
		if err != nil {
			d.Reason, d.Detail = workflow.ReasonRenderFailed, err.Error()
			r.trace(&d, nil)
			continue
		}
		b.reshown = append(b.reshown, reshown{run: r, stepID: d.Step.StepID, content: c})
	}
	r.digest.Shown = r.collected.Total
}

// lockReshown locks the messages that are shown anew.
func (b *batch) lockReshown(ctx context.Context, tx pgx.Tx) error {
	if len(b.reshown) == 0 {
		return nil
	}
	keys := make([]postgres.StepKey, len(b.reshown))
	for i := range b.reshown {
		keys[i] = postgres.StepKey{NotificationID: b.reshown[i].run.row.ID, StepID: b.reshown[i].stepID}
	}
	locked, err := postgres.LockShown(ctx, tx, keys)
	if err != nil {
		return err
	}
	for i := range b.reshown {
		m := &b.reshown[i]
		if m.before = locked[keys[i]]; m.before == nil {
			continue
		}
		now := m.run.event.now
		m.after = *m.before
		m.after.Read, m.after.Seen, m.after.Archived, m.after.ArchivedAt = false, false, false, nil
		m.after.DeliveredAt = append(slices.Clone(m.before.DeliveredAt), stamp(now))
		m.after.ArrivedAt = now
		m.after.CTA = nil
		if len(m.content.cta) > 0 {
			_ = json.Unmarshal(m.content.cta, &m.after.CTA) // of our own making
		}
	}
	return nil
}

func (b *batch) reshownChanges() (changes []postgres.InboxChange) {
	for i := range b.reshown {
		if b.reshown[i].before != nil {
			changes = append(changes, postgres.InboxChange{Before: b.reshown[i].before, After: &b.reshown[i].after})
		}
	}
	return changes
}

// storeReshown stores the messages that are shown anew, with the sequences of their inboxes.
func (b *batch) storeReshown(ctx context.Context, tx pgx.Tx, changes []postgres.InboxChange, sequences []int64) error {
	if len(changes) == 0 {
		return nil
	}
	var contents []postgres.ShownContent
	for i := range b.reshown {
		m := &b.reshown[i]
		if m.before == nil {
			continue
		}
		m.sequence = sequences[len(contents)]
		contents = append(contents, postgres.ShownContent{
			MessageID: m.before.ID, Subject: m.content.subject, Content: m.content.body, Avatar: m.content.avatar, Data: m.content.data,
		})
	}
	if err := postgres.StoreInbox(ctx, tx, changes, sequences); err != nil {
		return err
	}
	return postgres.StoreShown(ctx, tx, contents)
}
