package run

import (
	"context"
	"time"

	"github.com/carillon/carillon/internal/engine/reshow"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
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

// digestContent is what the run covers: what its last digest collected, else its own event.
func (r *run) digestContent() *plan.Collected {
	if r.collected != nil {
		return r.collected
	}
	return &plan.Collected{Events: []any{r.event.Payload}, Total: 1}
}

// loadDigests gives runs that have been at digests what those collected.
func loadDigests(ctx context.Context, q postgres.Querier, runs []*run) error {
	var ids []string
	for _, r := range runs {
		for _, d := range r.digests() {
			if d.ID != "" {
				ids = state.AddNew(ids, d.ID)
			}
		}
	}
	byID := map[string]*plan.Collected{}
	if len(ids) > 0 {
		rows, err := pgrun.LoadCollected(ctx, q, ids)
		if err != nil {
			return err
		}
		for i := range rows {
			byID[rows[i].DigestID] = &plan.Collected{Events: rows[i].Events, Total: rows[i].Total}
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

// setDigest lets conditions and templates see what a digest of the run collected; the last one set is the run's last.
func (r *run) setDigest(stepID string, c *plan.Collected) {
	r.collected = c
	if r.results == nil {
		r.results = map[string]plan.StepResult{}
	}
	result := r.results[stepID]
	result.Digest = c
	r.results[stepID] = result
}

// resume takes up a run that is due. One that waits with a digest window shows what the window has collected by now, and closes it
// when its end has come, unless the subscriber's hours are closed and the step says that it stays open then.
func (b *batch) resume(ctx context.Context, r *run) {
	d := r.digest
	if d == nil || d.ID == "" || d.Closed {
		b.advance(ctx, r)
		return
	}
	b.runs = append(b.runs, r)
	r.plan = plan.NewRun(b.input(r))
	if len(d.Early) > 0 && d.Shown != r.collected.Total {
		b.reshow(ctx, r)
	}
	if until := d.waitsUntil(r.window); r.event.now.Before(until) {
		r.row.DueAt = &until
		saved := r.state(r.results)
		saved.Waited = r.waited
		r.row.State = state.AsJSON(saved)
		return
	}
	next, _ := r.plan.Next()
	b.endWindow(r, &next)
	if b.follow(ctx, r, &next) {
		b.step(ctx, r)
	}
}

// waitsUntil is the end that the run knows of. That of the window is later when an event came before the run looked (digest): the run
// finds the same then, and puts it on its trace. It is earlier when the window's end was moved by hand.
func (d *digestState) waitsUntil(w *pgrun.WindowRow) time.Time {
	switch {
	case w == nil:
		return time.Time{}
	case !d.Ends.IsZero() && d.Ends.Before(w.ClosesAt):
		return d.Ends
	}
	return w.ClosesAt
}

// endWindow closes the window of a run whose wait has ended, or moves its end where the wait is extended. While it is open, later events join it.
func (b *batch) endWindow(r *run, next *plan.Decision) {
	d, w := r.digest, r.window
	if w == nil { // closed by an event that came after its end, or by hand
		d.Closed = true
		return
	}
	if next.Reason == workflow.ReasonHeld {
		w.ClosesAt, d.Ends = *next.Until, *next.Until
	} else {
		w.Status, d.Closed = "closed", true
		if r.event.now.Before(w.ClosesAt) { // what kept it open is no more
			w.ClosesAt = r.event.now
		}
	}
	b.windows = append(b.windows, *w)
}

// reshow renders the steps anew that were sent while the window was open (semantics.md §3.18).
func (b *batch) reshow(ctx context.Context, r *run) {
	for _, d := range r.plan.Shown(r.digest.Early) {
		c, err := b.executor.content(ctx, r, &d)
		if err != nil {
			d.Reason, d.Detail = workflow.ReasonRenderFailed, err.Error()
			r.trace(&d, nil)
			continue
		}
		b.reshown = append(b.reshown, reshow.Message{
			StepKey: pginbox.StepKey{NotificationID: r.row.ID, StepID: d.Step.StepID}, At: r.event.now, CTA: c.cta,
			Content: pginbox.ShownContent{Subject: c.subject, Content: c.body, Avatar: c.avatar, Data: c.data},
		})
	}
	r.digest.Shown = r.collected.Total
}
