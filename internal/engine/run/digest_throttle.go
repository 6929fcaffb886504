package run

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// A digest and a throttle are decided by rows that runs share. Runs stop at such a step; then the rows of all that are
// at one are locked at once, in one order, each run is decided by what those before it left, and those let through continue,
// possibly to the next such step. All of it is in the transaction that stores the runs.

// sharedStep is a run that is at a digest or a throttle.
type sharedStep struct {
	run      *run
	decision plan.Decision
	at       time.Time // when it reached the step
	key      string    // value of the step's key
}

// sharedRows gives the shared rows of runs: locked for those who write, as they are for those who explain.
type sharedRows interface {
	Windows(ctx context.Context, of []pgrun.WindowRow) ([]pgrun.WindowRow, error)
	LastEvents(ctx context.Context, of []pgrun.WindowRow) ([]time.Time, error)
	Throttles(ctx context.Context, of []pgrun.ThrottleRow) ([]pgrun.ThrottleRow, error)
}

// addSharedStep keeps a run that has come to a digest or a throttle.
func (b *batch) addSharedStep(r *run, d *plan.Decision) {
	s := &sharedStep{run: r, decision: *d, at: r.enteredAt()}
	if d.Kind == plan.DecideDigest {
		s.key = workflow.KeyValue(r.event.Payload, d.Step.Digest.DigestKey)
	} else {
		s.key = workflow.KeyValue(r.event.Payload, d.Step.Throttle.ThrottleKey)
	}
	b.shared = append(b.shared, s)
}

// enteredAt is when the run came to where it is. A run that begins came to its first steps when its event was accepted,
// however late the fan-out takes place: so windows collect what was accepted in their time.
func (r *run) enteredAt() time.Time {
	if !r.stored && !r.event.CreatedAt.IsZero() && r.event.CreatedAt.Before(r.event.now) {
		return r.event.CreatedAt.UTC()
	}
	return r.event.now
}

// applySharedSteps takes the runs that are at digests and throttles on, until none is.
func (b *batch) applySharedSteps(ctx context.Context, shared sharedRows) error {
	for len(b.shared) > 0 {
		var digests, throttles []*sharedStep
		for _, s := range b.shared {
			if s.decision.Kind == plan.DecideDigest {
				digests = append(digests, s)
			} else {
				throttles = append(throttles, s)
			}
		}
		b.shared = nil
		if err := b.applyDigests(ctx, shared, digests); err != nil {
			return err
		}
		if err := b.applyThrottles(ctx, shared, throttles); err != nil {
			return err
		}
	}
	return nil
}

// inOrder sorts runs by when they came, and groups them by identity in the order in which identities are locked.
func inOrder[K any](list []*sharedStep, identity func(*sharedStep) K, compare func(a, b K) int) (groups [][]*sharedStep) {
	slices.SortStableFunc(list, func(a, b *sharedStep) int {
		return cmp.Or(compare(identity(a), identity(b)), a.at.Compare(b.at), cmp.Compare(a.run.row.EventID, b.run.row.EventID))
	})
	for i, s := range list {
		if i == 0 || compare(identity(list[i-1]), identity(s)) != 0 {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], s)
	}
	return groups
}

func (s *sharedStep) window() pgrun.WindowKey {
	r := s.run
	return pgrun.WindowKey{
		EnvironmentID: r.row.EnvironmentID, WorkflowID: r.row.WorkflowID, StepID: s.decision.Step.StepID,
		SubscriberID: r.row.SubscriberID, DigestKey: s.key, Scope: r.row.Scope,
	}
}

func (b *batch) applyDigests(ctx context.Context, shared sharedRows, list []*sharedStep) error {
	if len(list) == 0 {
		return nil
	}
	groups := inOrder(list, (*sharedStep).window, pgrun.WindowKey.Compare)
	proposed := make([]pgrun.WindowRow, len(groups))
	var lookBack []pgrun.WindowRow
	for i, group := range groups {
		proposed[i] = b.proposal(group[0])
		if slices.ContainsFunc(group, func(s *sharedStep) bool { return s.decision.Step.Digest.LooksBack() }) {
			lookBack = append(lookBack, proposed[i])
		}
	}
	found, err := shared.Windows(ctx, proposed)
	if err != nil {
		return err
	}
	last, err := lastEvents(ctx, shared, lookBack)
	if err != nil {
		return err
	}
	byKey := make(map[pgrun.WindowKey]pgrun.WindowRow, len(found))
	for _, w := range found {
		byKey[w.WindowKey] = w
	}
	for i, group := range groups {
		b.digest(ctx, group, &identity{proposed: proposed[i], open: opened(byKey, proposed[i]), last: last[proposed[i].WindowKey]})
	}
	return nil
}

// lastEvents returns when the latest event of each identity came before.
func lastEvents(ctx context.Context, shared sharedRows, of []pgrun.WindowRow) (map[pgrun.WindowKey]time.Time, error) {
	if len(of) == 0 {
		return nil, nil
	}
	found, err := shared.LastEvents(ctx, of)
	if err != nil {
		return nil, err
	}
	last := make(map[pgrun.WindowKey]time.Time, len(of))
	for i, at := range found {
		last[of[i].WindowKey] = at
	}
	return last, nil
}

func (b *batch) proposal(s *sharedStep) pgrun.WindowRow {
	return pgrun.WindowRow{
		WindowKey: s.window(), ID: b.id(), ContextKeys: s.run.row.ContextKeys, NotificationID: s.run.row.ID, Status: "open",
		OpenedAt: s.at, ClosesAt: s.at, LastEventAt: s.at,
	}
}

// opened is the window that was open before; nil when there was none.
func opened(byKey map[pgrun.WindowKey]pgrun.WindowRow, proposed pgrun.WindowRow) *pgrun.WindowRow {
	w, ok := byKey[proposed.WindowKey]
	if !ok || w.ID == proposed.ID {
		return nil
	}
	return &w
}

// identity is what the events of a digest's identity share, as one run after the other finds it.
type identity struct {
	proposed pgrun.WindowRow // stored by the lock; used for the first window that is opened
	used     bool
	open     *pgrun.WindowRow // the latest: open, or an event that passed
	last     time.Time
	former   []pgrun.WindowRow
	nudged   string // the window whose run was made due for it
}

// digest decides the runs of one identity, in the order in which they came.
func (b *batch) digest(ctx context.Context, group []*sharedStep, of *identity) {
	for _, s := range group {
		before := workflow.DigestState{Last: of.last}
		if of.open != nil {
			if of.open.Status == "open" {
				of.extend(s)
				before.ClosesAt = of.open.ClosesAt
			}
			if of.open.LastEventAt.After(before.Last) {
				before.Last = of.open.LastEventAt
			}
		}
		r := s.run
		controls := s.decision.Step.Digest.Overridden(r.event.overrides.Delay())
		verdict, closesAt := controls.Decide(before, s.at, workflow.LocationOrUTC(state.Deref(r.subscriber.Timezone)))
		if s.at.After(of.last) {
			of.last = s.at
		}
		switch verdict {
		case workflow.DigestJoins:
			b.join(s, of)
		case workflow.DigestPasses:
			of.next(b, s, "passed", s.at)
			b.passDigest(ctx, s)
		case workflow.DigestOpens:
			w := of.next(b, s, "open", closesAt)
			b.openWindow(ctx, s, w)
		}
	}
	b.windows = append(b.windows, of.former...)
	if of.open != nil {
		b.windows = append(b.windows, *of.open)
	}
}

// extend keeps the open window open whose end has come where its run, which is due, would do so: which of the two is first is chance. As the
// run does, it goes by the end: an event of a later day, when a pause has kept it and the run, belongs to another window.
func (of *identity) extend(s *sharedStep) {
	if s.at.Before(of.open.ClosesAt) {
		return
	}
	if until, extends := s.run.plan.Extension(s.decision.Step, of.open.ClosesAt); extends {
		of.open.ClosesAt = until
	}
}

// next begins another window, or keeps the event that passed straight through for the look-back. A window whose end has
// come is closed by that; its run is due.
func (of *identity) next(b *batch, s *sharedStep, status string, closesAt time.Time) *pgrun.WindowRow {
	if of.open != nil {
		if of.open.Status == "open" {
			of.open.Status = "closed"
		}
		of.former = append(of.former, *of.open)
	}
	w := of.proposed
	if of.used {
		w = b.proposal(s)
	}
	of.used = true
	w.Status, w.NotificationID, w.Total = status, s.run.row.ID, s.run.weight()
	w.OpenedAt, w.ClosesAt, w.LastEventAt = s.at, closesAt, s.at
	of.open = &w
	return of.open
}

// weight is how many events the run covers (semantics.md §11.12).
func (r *run) weight() int { return r.digestContent().Total }

// openWindow lets the run wait for the end of its window. With updateMode its in-app steps go out at once.
func (b *batch) openWindow(ctx context.Context, s *sharedStep, w *pgrun.WindowRow) {
	r, step := s.run, s.decision.Step
	r.row.DigestID = w.ID
	r.addDigest(digestState{StepID: step.StepID, ID: w.ID, Ends: w.ClosesAt})
	if step.Digest.UpdateMode {
		r.setCollected(step.StepID, r.digestContent())
		early := r.plan.Early()
		for i := range early {
			b.send(ctx, r, &early[i])
			if r.plan.Results()[early[i].Step.StepID].Sent {
				r.digest.Early = append(r.digest.Early, early[i].Step.StepID)
			}
		}
		r.digest.Shown = r.weight()
	}
	until := w.ClosesAt
	r.suspend(&plan.Decision{
		Kind: plan.DecideWait, Step: step, Reason: workflow.ReasonWaiting, Detail: "for the end of the digest window",
		Status: workflow.RunWaiting, Position: s.decision.Position, Until: &until,
	})
}

// join ends the run: its event belongs to the run that opened the window.
func (b *batch) join(s *sharedStep, of *identity) {
	r, w := s.run, of.open
	w.Total += r.weight()
	if s.at.After(w.LastEventAt) {
		w.LastEventAt = s.at
	}
	r.row.DigestID = w.ID
	r.addDigest(digestState{StepID: s.decision.Step.StepID, ID: w.ID})
	r.suspend(&plan.Decision{
		Kind: plan.DecideStop, Step: s.decision.Step, Reason: workflow.ReasonMerged, Detail: "into the run " + w.NotificationID,
		Status: workflow.RunMerged, Position: s.decision.Position,
	})
	if s.decision.Step.Digest.UpdateMode && of.nudged != w.ID {
		of.nudged = w.ID
		b.nudged, b.nudgedAt = append(b.nudged, w.NotificationID), append(b.nudgedAt, s.run.event.now)
	}
}

// passDigest lets the run continue at once: nothing came before it within the look-back.
func (b *batch) passDigest(ctx context.Context, s *sharedStep) {
	r, step := s.run, s.decision.Step
	r.addDigest(digestState{StepID: step.StepID})
	r.setCollected(step.StepID, r.digestContent())
	r.trace(&plan.Decision{Kind: plan.DecidePass, Step: step, Reason: workflow.ReasonDigestPassed}, nil)
	b.step(ctx, r)
}

// setCollected keeps what a digest step saw, for conditions and templates.
func (r *run) setCollected(stepID string, c *plan.Collected) {
	r.collected = c
	result := r.plan.Results()[stepID]
	result.Digest = c
	r.plan.Record(stepID, result)
}

func (s *sharedStep) throttle() pgrun.ThrottleKey {
	row := &s.run.row
	return pgrun.ThrottleKey{EnvironmentID: row.EnvironmentID, WorkflowID: row.WorkflowID, StepID: s.decision.Step.StepID, SubscriberID: row.SubscriberID, Value: s.key}
}

func (b *batch) applyThrottles(ctx context.Context, shared sharedRows, list []*sharedStep) error {
	if len(list) == 0 {
		return nil
	}
	groups := inOrder(list, (*sharedStep).throttle, pgrun.ThrottleKey.Compare)
	rows := make([]pgrun.ThrottleRow, len(groups))
	for i, group := range groups {
		k := group[0].throttle()
		rows[i] = k.Row(b.id())
	}
	found, err := shared.Throttles(ctx, rows)
	if err != nil {
		return err
	}
	byKey := make(map[pgrun.ThrottleKey]pgrun.ThrottleRow, len(found))
	for _, t := range found {
		byKey[t.Key()] = t
	}
	for i, group := range groups {
		if t, ok := byKey[group[0].throttle()]; ok {
			rows[i] = t
		}
		before := rows[i].ThrottleState
		for _, s := range group {
			b.throttle(ctx, s, &rows[i].ThrottleState)
		}
		if rows[i].ThrottleState != before {
			b.throttles = append(b.throttles, rows[i])
		}
	}
	return nil
}

// throttle takes a unit for the run, or ends it.
func (b *batch) throttle(ctx context.Context, s *sharedStep, units *workflow.ThrottleState) {
	r, step := s.run, s.decision.Step
	next, passes, warning := step.Throttle.Decide(*units, s.at, r.event.Payload, workflow.LocationOrUTC(state.Deref(r.subscriber.Timezone)))
	*units = next
	if !passes {
		r.suspend(&plan.Decision{
			Kind: plan.DecideStop, Step: step, Reason: workflow.ReasonThrottled, Detail: warning, Status: workflow.RunSkipped,
			Position: s.decision.Position,
		})
		return
	}
	r.trace(&plan.Decision{Kind: plan.DecidePass, Step: step, Reason: workflow.ReasonThrottlePassed, Detail: warning}, nil)
	b.step(ctx, r)
}

// digestState is the state of the digest window that the run came to last.
type digestState struct {
	StepID string    `json:"stepId"`
	ID     string    `json:"id,omitempty"`     // of the window; "": its event passed straight through
	Ends   time.Time `json:"ends,omitzero"`    // its end as the run knows it; zero: not noted
	Closed bool      `json:"closed,omitempty"` // it has ended
	Early  []string  `json:"early,omitempty"`  // steps that were shown while it was open
	Shown  int       `json:"shown,omitempty"`  // how many events they show
}
