package accept

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
)

// Planner plans small events before they are stored, so that what follows from them is stored with them, in one commit. An
// event that it does not plan is fanned out once it is stored; the rules are the same.
type Planner interface {
	// Plan returns a plan for each of the events, in their order, by what it reads; nil for one of which nothing is stored before its fan-out.
	Plan(ctx context.Context, events []Proposal) []Plan
	// Recall is Plan without reading, by what is known; false when something has to be read. The commit verifies what these plans,
	// and the keys of the events, rest on.
	Recall(ctx context.Context, events []Proposal) ([]Plan, bool)
	// Leave is Plan for events that are all left to their fan-outs.
	Leave(events []Proposal) []Plan
	// Expect adds to a check what plans rest on and was not read, beside the versions of their environments. It is queued before Store.
	Expect(check *bulk.Check, plans []Plan)
	// Doubt says that what was known of an environment was wrong, so that it is read for a while, or that a subscriber that was missing
	// exists.
	Doubt(environmentID string)
	// Held says that another transaction holds a row of an environment for long. It may be one that plans change, an inbox or a
	// subscriber, so the environment's events are left to the fan-out for a while, and so are the profiles that they set.
	Held(environmentID string)
	// Unplanned tells of an event that was stored and is fanned out later: its fan-out may set the channel settings of subscribers, and their
	// profiles unless these were stored with it.
	Unplanned(environmentID, eventID string, recipients, actor []byte, profilesStored bool)
	// Store queues the rows of plans whose events the transaction has written. publish is for after its commit; nil: there is nothing to do.
	Store(q *pgx.Batch, plans []Plan) (publish func(context.Context))
	// Kept is how long what Store stores is left to this process.
	Kept() time.Duration
}

// Proposal is an event that is about to be accepted, without its id and that of its workflow.
type Proposal struct {
	pgaccept.AcceptedEvent
	Workflow string // trigger identifier
	Small    bool   // whether its runs may be planned, as far as that can be said from the request alone
	// Key is the API key of the event's request, which is read together with the rest; nil when there is none to read. The first event
	// of a request has it.
	Key *pgaccess.KeyCheck
	// Row is the event as its fan-out would read it. The planner decodes it, once; nil until then.
	Row *pgfanout.EventRow
}

// Plan is what is stored with an event: all that follows from it, or, of one that is left to its fan-out, the profiles that it sets.
type Plan interface {
	// Apply makes an event the one that was planned: fanned out already, with the id and the instant of the plan, unless the plan has Profiles only.
	Apply(e *pgaccept.AcceptedEvent)
	// Assumed reports whether the plan rests on what the commit verifies: on what was known and not read, or on what was missing.
	Assumed() bool
	// Environment is the event's, with the version of its configuration by which the event was planned; zero where the plan has Profiles only.
	Environment() pgaccept.EnvironmentVersion
	// Profiles is how many profiles are stored with an event that is left to its fan-out; 0: all that follows from the event is planned.
	Profiles() int
}

const (
	// maxPlannedBytes bounds an event that is planned before it is stored.
	maxPlannedBytes = 64 << 10
	// maxPlanning bounds the requests that wait for a plan, and with maxPlannedBytes their memory; what comes beyond is stored
	// first. Planning a crowd's events costs less than storing them first, which writes each twice.
	maxPlanning = 128
	// proposalsPerPlan bounds how many requests are planned together.
	proposalsPerPlan = 64
)

// planning plans the events of concurrent requests together, beside the writer.
type planning struct {
	planner Planner
	waiting atomic.Int64
	gather  postgres.Gather[[]Proposal, []Plan]
}

func newPlanning(by Planner) *planning {
	p := &planning{planner: by}
	p.gather.Most = proposalsPerPlan
	p.gather.Ask = func(ctx context.Context, requests [][]Proposal) ([][]Plan, error) {
		var all []Proposal
		for _, r := range requests {
			all = append(all, r...)
		}
		plans := by.Plan(ctx, all)
		answers := make([][]Plan, len(requests))
		for i, r := range requests {
			answers[i], plans = plans[:len(r):len(r)], plans[len(r):]
		}
		return answers, nil
	}
	return p
}

// PlanWith lets small events be planned before they are stored. Set it before Start.
func (a *Acceptor) PlanWith(p Planner) { a.planning = newPlanning(p) }

// plan plans the items of a request that are written: all that follows from those that are small, and the profiles that the others set.
func (a *Acceptor) plan(ctx context.Context, r Request, given []prepared) {
	if a.planning == nil {
		return
	}
	var proposals []Proposal
	var of []int
	small := false
	for i := range r.Items {
		in, p := &r.Items[i], &given[i]
		if p.version == nil || p.err != nil {
			continue
		}
		next := Proposal{AcceptedEvent: acceptedEvent(in, pgaccept.WorkflowHead{VersionID: p.version.id}, *p), Workflow: in.Workflow, Small: in.small(p)}
		proposals, of, small = append(proposals, next), append(of, i), small || next.Small
	}
	if len(proposals) == 0 {
		return
	}
	var plans []Plan
	if small {
		plans = a.planSmall(ctx, r, proposals)
	}
	if plans == nil {
		plans = a.planning.planner.Leave(proposals)
	}
	for k, i := range of {
		given[i].plan = plans[k]
	}
}

// planSmall plans the events of a request of which some are small; nil when too many requests wait for a plan.
func (a *Acceptor) planSmall(ctx context.Context, r Request, proposals []Proposal) []Plan {
	if r.Credential != nil {
		proposals[0].Key = r.Credential.Check()
	}
	defer a.planning.waiting.Add(-1)
	if a.planning.waiting.Add(1) > maxPlanning {
		return nil
	}
	plans, known := a.planning.planner.Recall(ctx, proposals)
	if !known {
		var err error
		if plans, err = a.planning.gather.Get(ctx, proposals); err != nil { // the client left; what it sent is accepted all the same
			return nil
		}
	}
	return plans
}

// tellUnplanned tells the planner of events of committed requests that were stored without a plan. It runs where they are committed, because
// who waited for them may have left.
func (a *Acceptor) tellUnplanned(requests []*queuedRequest) {
	if a.planning == nil {
		return
	}
	for _, r := range requests {
		if r.stale || r.err != nil {
			continue
		}
		for i := range r.Items {
			in, plan := &r.Items[i], r.prepared[i].plan
			if r.outcomes[i].EventID != "" && (plan == nil || plan.Profiles() > 0) {
				a.planning.planner.Unplanned(in.EnvironmentID, r.outcomes[i].EventID, in.Recipients, in.Actor, plan != nil)
			}
		}
	}
}

// small reports whether an item may be planned before it is stored: it names its recipients, neither tenants nor contexts,
// which it might change, are part of it, and its numbers are read as Postgres would give them back.
func (a *Acceptance) small(p *prepared) bool {
	return a.Kind == event.KindTrigger && a.Reachable && !a.Topics && a.Tenant == nil &&
		len(a.Contexts) == 0 && p.size(a) <= maxPlannedBytes && jsonnum.IsPlain(p.payload) && jsonnum.IsPlain(a.Overrides)
}

// plansOf are the plans of events that were written.
func plansOf(items []*item, written map[string]bool) (plans []Plan) {
	for _, it := range items {
		if it.plan != nil && written[it.event.ID] {
			plans = append(plans, it.plan)
		}
	}
	return plans
}

// forgetPlans leaves the events of requests to be fanned out once they are stored, and reports whether any had a plan.
func forgetPlans(requests []*queuedRequest) (had bool) {
	for _, r := range requests {
		for i := range r.prepared {
			had = had || r.prepared[i].plan != nil
			r.prepared[i].plan = nil
		}
	}
	return had
}
