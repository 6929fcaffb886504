package run

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/definition"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// Advance takes runs that are due through their next steps. A run that fails alone is tried again later, and parked in
// the end; the others continue.
func (e *Executor) Advance(ctx context.Context, ids []string) error {
	return e.advance(ctx, ids, lockWait)
}

func (e *Executor) advance(ctx context.Context, ids []string, wait time.Duration) error {
	if len(ids) == 0 {
		return nil
	}
	err := e.resume(ctx, ids, wait)
	switch {
	case err == nil || isAway(ctx, err):
		return err
	case len(ids) == 1:
		return e.failed(ctx, pgdue.DueNotifications, ids[0], err)
	}
	for _, runID := range ids {
		if err := e.advance(ctx, []string{runID}, lockWaitAlone); err != nil {
			return err
		}
	}
	return nil
}

func (e *Executor) resume(ctx context.Context, ids []string, wait time.Duration) error {
	var b *batch
	err := e.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		b = e.newBatch()
		if err := postgres.BoundLocks(ctx, tx, wait); err != nil {
			return err
		}
		windows, err := pgrun.HoldWindows(ctx, tx, ids)
		if err != nil {
			return err
		}
		rows, err := pgrun.ClaimNotifications(ctx, tx, ids, e.Clocks.Moment(), windowIDs(windows))
		if err != nil || len(rows) == 0 {
			return err
		}
		runs, err := e.reopen(ctx, tx, rows)
		if err != nil {
			return err
		}
		if runs, err = holdRuns(ctx, tx, runs); err != nil {
			return err
		}
		if err := b.starts.load(ctx, tx, runs); err != nil {
			return err
		}
		for _, r := range runs {
			if r.event == nil || r.subscriber == nil {
				b.endOrphan(r)
				continue
			}
			r.window = windowOf(windows, r.row.DigestID)
			b.resume(ctx, r)
		}
		return b.write(ctx, tx, func(*pgx.Batch) {})
	})
	if err == nil {
		b.publish(ctx)
	}
	return err
}

func windowIDs(windows []pgrun.WindowRow) []string {
	ids := make([]string, len(windows))
	for i := range windows {
		ids[i] = windows[i].ID
	}
	return ids
}

func windowOf(windows []pgrun.WindowRow, id string) *pgrun.WindowRow {
	i := slices.IndexFunc(windows, func(w pgrun.WindowRow) bool { return w.ID == id })
	if i < 0 {
		return nil
	}
	return &windows[i]
}

// reopen joins waiting runs with their event, their subscriber as it is now, and what became of their earlier steps. A
// run whose event or subscriber is gone has none.
func (e *Executor) reopen(ctx context.Context, tx pgx.Tx, rows []pgrun.NotificationRow) ([]*run, error) {
	var environments, events, subscribers, notifications []string
	for i := range rows {
		environments = append(environments, rows[i].EnvironmentID)
		subscribers = append(subscribers, rows[i].SubscriberID)
		notifications = append(notifications, rows[i].ID)
		events = state.AddNew(events, rows[i].EventID)
	}
	people, err := pgsubscriber.LoadSubscribers(ctx, tx, environments, subscribers)
	if err != nil {
		return nil, err
	}
	bySubscriber := make(map[string]*Recipient, len(people))
	for _, p := range people {
		bySubscriber[p.ID] = &Recipient{SubscriberRow: p}
	}
	contexts, err := e.reopenEventContexts(ctx, tx, rows, events)
	if err != nil {
		return nil, err
	}
	runs := make([]*run, len(rows))
	byRun := make(map[string]*run, len(rows))
	var living []*run
	for i := range rows {
		from := contexts[eventContextKey{rows[i].EventID, rows[i].VersionID}]
		r := &run{row: rows[i], subscriber: bySubscriber[rows[i].SubscriberID], event: from.event}
		r.restoreState()
		runs[i], byRun[r.row.ID] = r, r
		for _, former := range r.former {
			byRun[former.RunID] = r
			environments, notifications = append(environments, r.row.EnvironmentID), append(notifications, former.RunID)
		}
		if r.event != nil && r.subscriber != nil {
			r.continueWith(from)
			living = append(living, r)
		}
	}
	outcomes, err := pgmessage.LoadStepOutcomes(ctx, tx, environments, notifications)
	if err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		byRun[o.NotificationID].applyOutcome(o)
	}
	if err := loadDigests(ctx, tx, living); err != nil {
		return nil, err
	}
	return runs, e.loadPersonal(ctx, tx, living)
}

// applyOutcome takes over what became of a step since. Of a run whose place this one has taken, the steps count that only it has come to,
// and not what is under way, which does not wake this one.
func (r *run) applyOutcome(o pgmessage.StepOutcome) {
	for _, former := range r.former {
		if former.RunID == o.NotificationID && (o.Pending || !slices.Contains(former.Steps, o.StepID)) {
			return
		}
	}
	if r.results == nil {
		r.results = map[string]plan.StepResult{}
	}
	r.results[o.StepID] = plan.StepResult{
		Sent: o.Sent, Failed: o.Failed, Skipped: o.Skipped, Seen: o.Seen, Read: o.Read, Pending: o.Pending && !o.Sent,
	}
}

// eventContextKey identifies the event context of a run: those of one event may have started with the same version and yet continue
// with different ones.
type eventContextKey struct{ eventID, versionID string }

// reopened is the event of a waiting run with the version with which the run continues.
type reopened struct {
	event    *EventContext         // nil: it is gone
	previous *definition.Published // of the version that the run was suspended with, when that is another one
}

// continueWith takes a run up with the version with which it continues.
func (r *run) continueWith(from reopened) {
	if from.previous == nil {
		r.track(r.event.definition.Definition)
		return
	}
	r.track(from.previous.Definition)
	r.move(from.previous.Definition)
}

// track makes the list of the steps that a run has passed, by the version that it was suspended with: a run without a list
// was planned by positions so far.
func (r *run) track(with *workflow.Definition) {
	if r.passed == nil && with.Versioning == workflow.VersionLatest {
		r.passed = with.Refs(r.row.Position)
	}
}

// move finds the run's position in the version that it continues with, and records the steps that it no longer reaches.
func (r *run) move(left *workflow.Definition) {
	r.row.VersionID = r.event.VersionID
	var at *workflow.StepRef
	if r.waited == nil && r.awaiting == "" && r.row.Position < len(left.Steps) { // suspended before a step, or at an HTTP step
		at = new(left.Steps[r.row.Position].Ref())
	}
	position, over := r.event.definition.Definition.Resume(r.passed, at)
	r.row.Position = position
	for _, step := range over {
		channel, _ := step.Type.Channel()
		r.trace(&plan.Decision{Step: step, Channel: channel, Reason: workflow.ReasonPassedOver}, nil)
	}
}

// reopenEventContexts reads the events of waiting runs, each with the version with which its run continues: the one that it
// started with, unless the workflow asks for the latest (semantics.md §2.8).
func (e *Executor) reopenEventContexts(ctx context.Context, tx pgx.Tx, rows []pgrun.NotificationRow, ids []string) (map[eventContextKey]reopened, error) {
	events, err := pgfanout.LoadEvents(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*pgfanout.EventRow, len(events))
	var environments, workflows []string
	for i := range events {
		byID[events[i].ID] = &events[i]
		environments, workflows = append(environments, events[i].EnvironmentID), append(workflows, events[i].WorkflowID)
	}
	latest, err := pgrun.LoadLatestVersions(ctx, tx, environments, workflows)
	if err != nil {
		return nil, err
	}
	var wanted []pgfanout.EventRow
	var keys []eventContextKey
	for i := range rows {
		key := eventContextKey{rows[i].EventID, rows[i].VersionID}
		if ev := byID[key.eventID]; ev != nil && !slices.Contains(keys, key) {
			copied := *ev
			copied.VersionID = key.versionID
			wanted, keys = append(wanted, copied), append(keys, key)
		}
	}
	started, err := e.byKey(ctx, tx, wanted, keys)
	if err != nil {
		return nil, err
	}
	return e.renew(ctx, tx, started, latest)
}

// byKey joins events with what their runs share. One that has lost its version or environment has no context. Any other failure is an error,
// and the runs are tried again: another process may have the secret key, or be the later release, that the overrides need.
func (e *Executor) byKey(ctx context.Context, tx pgx.Tx, events []pgfanout.EventRow, keys []eventContextKey) (map[eventContextKey]*EventContext, error) {
	list, broken, err := e.LoadEventContexts(ctx, tx, events)
	if err != nil {
		return nil, err
	}
	for _, cause := range broken {
		if !errors.Is(cause, errGone) {
			return nil, cause
		}
	}
	out := make(map[eventContextKey]*EventContext, len(list))
	for _, s := range list {
		out[eventContextKey{s.ID, s.VersionID}] = s
	}
	for _, key := range keys {
		if s := out[key]; s != nil && s.Actor != nil && s.actor == nil {
			if err := e.findActor(ctx, tx, s); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// renew moves the event contexts of workflows that continue with their latest version to it.
func (e *Executor) renew(ctx context.Context, tx pgx.Tx, started map[eventContextKey]*EventContext, latest []pgrun.LatestVersion) (map[eventContextKey]reopened, error) {
	out := make(map[eventContextKey]reopened, len(started))
	newest := make(map[string]string, len(latest))
	for _, l := range latest {
		newest[l.WorkflowID] = l.VersionID
	}
	var events []pgfanout.EventRow
	var from, to []eventContextKey
	for key, s := range started {
		out[key] = reopened{event: s}
		v := newest[s.WorkflowID]
		if s.definition.Definition.Versioning != workflow.VersionLatest || v == "" || v == s.VersionID {
			continue
		}
		ev := s.EventRow
		ev.VersionID = v
		events, from, to = append(events, ev), append(from, key), append(to, eventContextKey{key.eventID, v})
	}
	if len(events) == 0 {
		return out, nil
	}
	renewed, err := e.byKey(ctx, tx, events, to)
	if err != nil {
		return nil, err
	}
	for i, key := range from {
		if s := renewed[to[i]]; s != nil {
			out[key] = reopened{event: s, previous: started[key].definition}
		}
	}
	return out, nil
}

// endOrphan ends a run whose event or subscriber is gone.
func (b *batch) endOrphan(r *run) {
	now := b.executor.Clocks.Now(r.row.EnvironmentID).UTC()
	r.row.Status, r.row.DueAt, r.row.FinishedAt = workflow.RunCancelled, nil, &now
	r.row.Trace = []workflow.TraceEntry{{At: now, Reason: workflow.ReasonCancelled, Detail: "the event or the subscriber is gone"}}
	if r.row.DigestID != "" {
		b.vanished = append(b.vanished, r.row.DigestID)
	}
	b.runs = append(b.runs, r)
}
