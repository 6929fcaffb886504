package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// A digest and a throttle are decided by rows that runs share. Runs stop at such a step; then the rows of all that stand
// at one are locked at once, in one order, each run is judged by what those before it left, and those let through go on,
// possibly to the next such step. All of it is in the transaction that stores the runs.

// gated is a run that stands at a digest or a throttle.
type gated struct {
	run      *run
	decision workflow.Decision
	at       time.Time // when it reached the step
	key      string    // value of the step's key
}

// gates gives the shared rows of runs: locked for those who write, as they are for those who explain.
type gates interface {
	windows(ctx context.Context, of []postgres.WindowRow) ([]postgres.WindowRow, error)
	lastEvents(ctx context.Context, of []postgres.WindowRow) ([]time.Time, error)
	throttles(ctx context.Context, of []postgres.ThrottleRow) ([]postgres.ThrottleRow, error)
}

// locking locks what it reads, and stores what is not there yet.
type locking struct{ tx pgx.Tx }

func (l locking) windows(ctx context.Context, of []postgres.WindowRow) ([]postgres.WindowRow, error) {
	return postgres.LockWindows(ctx, l.tx, of)
}

func (l locking) lastEvents(ctx context.Context, of []postgres.WindowRow) ([]time.Time, error) {
	return postgres.LastEvents(ctx, l.tx, of)
}

func (l locking) throttles(ctx context.Context, of []postgres.ThrottleRow) ([]postgres.ThrottleRow, error) {
	return postgres.LockThrottles(ctx, l.tx, of)
}

// looking only reads.
type looking struct{ q postgres.Querier }

func (l looking) windows(ctx context.Context, of []postgres.WindowRow) ([]postgres.WindowRow, error) {
	return postgres.ReadWindows(ctx, l.q, of)
}

func (l looking) lastEvents(ctx context.Context, of []postgres.WindowRow) ([]time.Time, error) {
	return postgres.LastEvents(ctx, l.q, of)
}

func (l looking) throttles(ctx context.Context, of []postgres.ThrottleRow) ([]postgres.ThrottleRow, error) {
	return postgres.ReadThrottles(ctx, l.q, of)
}

// stand keeps a run that has come to a digest or a throttle.
func (b *batch) stand(r *run, d *workflow.Decision) {
	g := &gated{run: r, decision: *d, at: r.reached()}
	if d.Kind == workflow.DecideDigest {
		g.key = workflow.KeyValue(r.source.Payload, d.Step.Digest.DigestKey)
	} else {
		g.key = workflow.KeyValue(r.source.Payload, d.Step.Throttle.ThrottleKey)
	}
	b.gated = append(b.gated, g)
}

// reached is when the run came to where it is. A run that begins came to its first steps when its event was accepted,
// however late the fan-out takes place: so windows hold what was accepted in their time.
func (r *run) reached() time.Time {
	if !r.stored && !r.source.CreatedAt.IsZero() && r.source.CreatedAt.Before(r.source.now) {
		return r.source.CreatedAt.UTC()
	}
	return r.source.now
}

// pass takes the runs that stand at digests and throttles on, until none does.
func (b *batch) pass(ctx context.Context, g gates) error {
	for len(b.gated) > 0 {
		var digests, throttles []*gated
		for _, at := range b.gated {
			if at.decision.Kind == workflow.DecideDigest {
				digests = append(digests, at)
			} else {
				throttles = append(throttles, at)
			}
		}
		b.gated = nil
		if err := b.passDigests(ctx, g, digests); err != nil {
			return err
		}
		if err := b.passThrottles(ctx, g, throttles); err != nil {
			return err
		}
	}
	return nil
}

// inOrder sorts runs by when they came, and groups them by identity in the order in which identities are locked.
func inOrder[K any](list []*gated, identity func(*gated) K, compare func(a, b K) int) (groups [][]*gated) {
	slices.SortStableFunc(list, func(a, b *gated) int {
		return cmp.Or(compare(identity(a), identity(b)), a.at.Compare(b.at), cmp.Compare(a.run.row.EventID, b.run.row.EventID))
	})
	for i, g := range list {
		if i == 0 || compare(identity(list[i-1]), identity(g)) != 0 {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], g)
	}
	return groups
}

func (g *gated) window() postgres.WindowKey {
	r := g.run
	return postgres.WindowKey{
		EnvironmentID: r.row.EnvironmentID, WorkflowID: r.row.WorkflowID, StepID: g.decision.Step.StepID,
		SubscriberID: r.row.SubscriberID, DigestKey: g.key, Scope: r.row.Scope,
	}
}

func compareWindows(a, b postgres.WindowKey) int {
	return cmp.Or(cmp.Compare(a.EnvironmentID, b.EnvironmentID), cmp.Compare(a.WorkflowID, b.WorkflowID), cmp.Compare(a.StepID, b.StepID),
		cmp.Compare(a.SubscriberID, b.SubscriberID), cmp.Compare(a.DigestKey, b.DigestKey), cmp.Compare(a.Scope, b.Scope))
}

func (b *batch) passDigests(ctx context.Context, g gates, list []*gated) error {
	if len(list) == 0 {
		return nil
	}
	groups := inOrder(list, (*gated).window, compareWindows)
	proposed := make([]postgres.WindowRow, len(groups))
	var lookBack []postgres.WindowRow
	for i, group := range groups {
		proposed[i] = b.proposal(group[0])
		if slices.ContainsFunc(group, func(g *gated) bool { return g.decision.Step.Digest.LooksBack() }) {
			lookBack = append(lookBack, proposed[i])
		}
	}
	found, err := g.windows(ctx, proposed)
	if err != nil {
		return err
	}
	last, err := lastEvents(ctx, g, lookBack)
	if err != nil {
		return err
	}
	byKey := make(map[postgres.WindowKey]postgres.WindowRow, len(found))
	for _, w := range found {
		byKey[w.WindowKey] = w
	}
	for i, group := range groups {
		b.digest(ctx, group, &identity{proposed: proposed[i], open: opened(byKey, proposed[i]), last: last[proposed[i].WindowKey]})
	}
	return nil
}

// lastEvents tells when the latest event of each identity came before.
func lastEvents(ctx context.Context, g gates, of []postgres.WindowRow) (map[postgres.WindowKey]time.Time, error) {
	if len(of) == 0 {
		return nil, nil
	}
	found, err := g.lastEvents(ctx, of)
	if err != nil {
		return nil, err
	}
	last := make(map[postgres.WindowKey]time.Time, len(of))
	for i, at := range found {
		last[of[i].WindowKey] = at
	}
	return last, nil
}

func (b *batch) proposal(g *gated) postgres.WindowRow {
	return postgres.WindowRow{
		WindowKey: g.window(), ID: b.id(), ContextKeys: g.run.row.ContextKeys, NotificationID: g.run.row.ID, Status: "open",
		OpenedAt: g.at, ClosesAt: g.at, LastEventAt: g.at,
	}
}

// opened is the window that was open before; nil when there was none.
func opened(byKey map[postgres.WindowKey]postgres.WindowRow, proposed postgres.WindowRow) *postgres.WindowRow {
	w, ok := byKey[proposed.WindowKey]
	if !ok || w.ID == proposed.ID {
		return nil
	}
	return &w
}

// identity is what the events of a digest's identity share, as one run after the other finds it.
type identity struct {
	proposed postgres.WindowRow // stored by the lock; used for the first window that is opened
	used     bool
	open     *postgres.WindowRow // the latest: open, or an event that passed
	last     time.Time
	former   []postgres.WindowRow
	nudged   string // the window whose run was told to look at it
}

// digest judges the runs of one identity, in the order in which they came.
func (b *batch) digest(ctx context.Context, group []*gated, of *identity) {
	for _, g := range group {
		state := workflow.DigestState{Last: of.last}
		if of.open != nil {
			if of.open.Status == "open" {
				state.ClosesAt = of.open.ClosesAt
			}
			if of.open.LastEventAt.After(state.Last) {
				state.Last = of.open.LastEventAt
			}
		}
		r := g.run
		controls := g.decision.Step.Digest.Overridden(r.source.overrides.Delay())
		verdict, closesAt := controls.Judge(state, g.at, workflow.LocationOrUTC(deref(r.who.Timezone)))
		if g.at.After(of.last) {
			of.last = g.at
		}
		switch verdict {
		case workflow.DigestJoins:
			b.join(g, of)
		case workflow.DigestPasses:
			of.next(b, g, "passed", g.at)
			b.passOn(ctx, g)
		case workflow.DigestOpens:
			w := of.next(b, g, "open", closesAt)
			b.openWindow(ctx, g, w)
		}
	}
	b.windows = append(b.windows, of.former...)
	if of.open != nil {
		b.windows = append(b.windows, *of.open)
	}
}

// next begins another window, or keeps the event that passed straight through for the look-back. A window whose end has
// come is closed by that; its run is due.
func (of *identity) next(b *batch, g *gated, status string, closesAt time.Time) *postgres.WindowRow {
	if of.open != nil {
		if of.open.Status == "open" {
			of.open.Status = "closed"
		}
		of.former = append(of.former, *of.open)
	}
	w := of.proposed
	if of.used {
		w = b.proposal(g)
	}
	of.used = true
	w.Status, w.NotificationID, w.Total = status, g.run.row.ID, g.run.weight()
	w.OpenedAt, w.ClosesAt, w.LastEventAt = g.at, closesAt, g.at
	of.open = &w
	return of.open
}

// weight is how many events the run stands for (semantics.md §11.12).
func (r *run) weight() int { return r.holds().Total }

// openWindow lets the run wait for the end of its window. With updateMode its in-app steps go out at once.
func (b *batch) openWindow(ctx context.Context, g *gated, w *postgres.WindowRow) {
	r, step := g.run, g.decision.Step
	r.row.DigestID = w.ID
	r.comesTo(digestState{StepID: step.StepID, ID: w.ID})
	if step.Digest.UpdateMode {
		r.collect(step.StepID, r.holds())
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
	r.rest(&workflow.Decision{
		Kind: workflow.DecideWait, Step: step, Reason: workflow.ReasonWaiting, Detail: "for the end of the digest window",
		Status: workflow.RunWaiting, Position: g.decision.Position, Until: &until,
	})
}

// join ends the run: its event belongs to the run that opened the window.
func (b *batch) join(g *gated, of *identity) {
	r, w := g.run, of.open
	w.Total += r.weight()
	if g.at.After(w.LastEventAt) {
		w.LastEventAt = g.at
	}
	r.row.DigestID = w.ID
	r.comesTo(digestState{StepID: g.decision.Step.StepID, ID: w.ID})
	r.rest(&workflow.Decision{
		Kind: workflow.DecideStop, Step: g.decision.Step, Reason: workflow.ReasonMerged, Detail: "into the run " + w.NotificationID,
		Status: workflow.RunMerged, Position: g.decision.Position,
	})
	if g.decision.Step.Digest.UpdateMode && of.nudged != w.ID {
		of.nudged = w.ID
		b.nudged, b.nudgedAt = append(b.nudged, w.NotificationID), append(b.nudgedAt, g.at)
	}
}

// passOn lets the run go on at once: nothing came before it within the look-back.
func (b *batch) passOn(ctx context.Context, g *gated) {
	r, step := g.run, g.decision.Step
	r.comesTo(digestState{StepID: step.StepID})
	r.collect(step.StepID, r.holds())
	r.note(&workflow.Decision{Kind: workflow.DecidePass, Step: step, Reason: workflow.ReasonDigestPassed}, nil)
	b.goOn(ctx, r)
}

// collect keeps what a digest step saw, for conditions and templates.
func (r *run) collect(stepID string, c *workflow.Collected) {
	r.collected = c
	result := r.plan.Results()[stepID]
	result.Digest = c
	r.plan.Record(stepID, result)
}

type throttleKey struct{ environment, workflow, step, subscriber, key string }

func (g *gated) throttle() throttleKey {
	r := g.run
	return throttleKey{r.row.EnvironmentID, r.row.WorkflowID, g.decision.Step.StepID, r.row.SubscriberID, g.key}
}

func compareThrottles(a, b throttleKey) int {
	return cmp.Or(cmp.Compare(a.environment, b.environment), cmp.Compare(a.workflow, b.workflow), cmp.Compare(a.step, b.step),
		cmp.Compare(a.subscriber, b.subscriber), cmp.Compare(a.key, b.key))
}

func (b *batch) passThrottles(ctx context.Context, g gates, list []*gated) error {
	if len(list) == 0 {
		return nil
	}
	groups := inOrder(list, (*gated).throttle, compareThrottles)
	rows := make([]postgres.ThrottleRow, len(groups))
	for i, group := range groups {
		k := group[0].throttle()
		rows[i] = postgres.ThrottleRow{
			ID: b.id(), EnvironmentID: k.environment, WorkflowID: k.workflow, StepID: k.step, SubscriberID: k.subscriber, ThrottleKey: k.key,
		}
	}
	found, err := g.throttles(ctx, rows)
	if err != nil {
		return err
	}
	byKey := make(map[throttleKey]postgres.ThrottleRow, len(found))
	for _, t := range found {
		byKey[throttleKey{t.EnvironmentID, t.WorkflowID, t.StepID, t.SubscriberID, t.ThrottleKey}] = t
	}
	for i, group := range groups {
		if t, ok := byKey[group[0].throttle()]; ok {
			rows[i] = t
		}
		before := rows[i].ThrottleState
		for _, one := range group {
			b.throttle(ctx, one, &rows[i].ThrottleState)
		}
		if rows[i].ThrottleState != before {
			b.throttles = append(b.throttles, rows[i])
		}
	}
	return nil
}

// throttle takes a unit for the run, or ends it.
func (b *batch) throttle(ctx context.Context, g *gated, state *workflow.ThrottleState) {
	r, step := g.run, g.decision.Step
	next, passes, warning := step.Throttle.Judge(*state, g.at, r.source.Payload, workflow.LocationOrUTC(deref(r.who.Timezone)))
	*state = next
	if !passes {
		r.rest(&workflow.Decision{
			Kind: workflow.DecideStop, Step: step, Reason: workflow.ReasonThrottled, Detail: warning, Status: workflow.RunSkipped,
			Position: g.decision.Position,
		})
		return
	}
	r.note(&workflow.Decision{Kind: workflow.DecidePass, Step: step, Reason: workflow.ReasonThrottlePassed, Detail: warning}, nil)
	b.goOn(ctx, r)
}

// digestState is how a run stands to the digest window that it came to last.
type digestState struct {
	StepID string   `json:"stepId"`
	ID     string   `json:"id,omitempty"`     // of the window; "": its event passed straight through
	Closed bool     `json:"closed,omitempty"` // it has ended
	Early  []string `json:"early,omitempty"`  // steps that were shown while it was open
	Shown  int      `json:"shown,omitempty"`  // how many events they show
}
