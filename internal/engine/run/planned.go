package run

import (
	"context"
	"log/slog"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// Planner plans small events before they are stored: an event that names a few recipients, who are known and whom it does
// not change, and whose steps need no row that runs share. Its runs are planned and stored by the code that plans and stores
// those of any event; what cannot be decided before the event is stored is left to FanOut.
type Planner struct {
	*Executor
	slow *expirable.LRU[string, struct{}] // versions whose planning took long
}

// NewPlanner returns a Planner.
func NewPlanner(e *Executor) *Planner {
	return &Planner{e, expirable.NewLRU[string, struct{}](maxSlow, nil, slowFor)}
}

// planTime bounds the planning of one set of events, on whose replies callers wait. What is not planned by then is fanned out
// after it is stored.
const planTime = 100 * time.Millisecond

// The events of a version of which one took longer than slowPlan are fanned out after they are stored, for slowFor: callers
// do not wait for the templates of others.
const (
	slowPlan = 20 * time.Millisecond
	slowFor  = 30 * time.Second
	maxSlow  = 1_000
)

// planned is an event that was planned before it is stored.
type planned struct {
	source *EventContext
	batch  *batch
}

// Settle makes an event the one that was planned.
func (p *planned) Settle(e *pgaccept.AcceptedEvent) {
	change := p.source.change(len(p.batch.runs), nil, 0)
	e.ID, e.Planned = p.source.ID, &pgaccept.PlannedEvent{At: p.source.now, Notified: change.Notified, Trace: change.Trace}
}

// Plan returns a plan for each event that can be planned now.
func (p *Planner) Plan(ctx context.Context, events []accept.Proposal) []accept.Plan {
	plans := make([]accept.Plan, len(events))
	ctx, cancel := context.WithTimeout(ctx, planTime)
	defer cancel()
	var list []*planned
	err := state.RecoverPanic(func() (err error) {
		list, err = p.plan(ctx, events)
		return err
	})
	if err != nil {
		if ctx.Err() == nil {
			p.Logger.WarnContext(ctx, "events are stored before they are planned", slog.Int("events", len(events)), slog.String("error", err.Error()))
		}
		return plans
	}
	for i, one := range list {
		if one != nil {
			plans[i] = one
		}
	}
	return plans
}

func (p *Planner) plan(ctx context.Context, events []accept.Proposal) ([]*planned, error) {
	list := make([]*planned, len(events))
	known, err := p.sources(ctx, events, list)
	if err != nil {
		return nil, err
	}
	ids := &idPool{}
	var runs []*run
	for i, one := range list {
		if one == nil || !one.knows(known) {
			list[i] = nil
			continue
		}
		one.batch = p.newBatch()
		one.batch.ids = ids
		runs = append(runs, one.batch.runsOfNamed(one.source, known)...)
	}
	if err := p.loadPersonal(ctx, p.DB.Pool, runs); err != nil {
		return nil, err
	}
	bySource := map[*EventContext][]*run{}
	for _, r := range runs {
		bySource[r.event] = append(bySource[r.event], r)
	}
	whole := p.newBatch()
	for i, one := range list {
		if one == nil {
			continue
		}
		began := time.Now()
		_, span := p.Span(ctx, one.source.TraceParent, "fan out", attribute.String("event.id", one.source.ID))
		ok := one.advance(ctx, bySource[one.source])
		span.End()
		if time.Since(began) > slowPlan {
			p.slow.Add(one.source.VersionID, struct{}{})
		}
		if !ok {
			list[i] = nil
			continue
		}
		whole.include(one.batch)
	}
	if err := whole.begin(ctx, p.DB.Pool); err != nil {
		return nil, err
	}
	sends := whole.sends
	for _, one := range list {
		if one != nil {
			for k := range one.batch.sends {
				one.batch.sends[k].first = sends[k].first
			}
			sends = sends[len(one.batch.sends):]
		}
	}
	return list, nil
}

// sources reads what the runs of events share and whom the events name, and leaves out events that cannot be planned before
// they are stored.
func (p *Planner) sources(ctx context.Context, events []accept.Proposal, list []*planned) (map[pgsubscriber.SubscriberKey]*Recipient, error) {
	var rows []pgfanout.EventRow
	at, named := map[string]int{}, namedInputs{}
	for i, eventID := range id.Batch(time.Now(), len(events)) {
		events[i].ID = eventID
		ev, err := EventOf(&events[i].AcceptedEvent)
		if err != nil || ev.Recipients == nil || len(ev.Recipients.Direct) == 0 || len(ev.Recipients.Direct) > p.SmallEvent {
			continue
		}
		ev.Workflow, ev.TraceParent = events[i].Workflow, events[i].TraceParent
		at[eventID] = i
		rows = append(rows, *ev)
		named.addEvent(ev)
	}
	known := map[pgsubscriber.SubscriberKey]*Recipient{}
	if len(rows) == 0 {
		return known, nil
	}
	snapshot, err := p.loadSnapshot(ctx, p.DB.Pool, rows, named.sorted())
	if err != nil {
		return nil, err
	}
	addRecipients(known, snapshot.Subscribers)
	sources, _ := p.eventContexts(snapshot, rows)
	for _, s := range sources {
		if s.definition.independent && !p.slow.Contains(s.VersionID) {
			s.WorkflowID, s.CreatedAt = s.definition.WorkflowID, s.now
			list[at[s.ID]] = &planned{source: s}
		}
	}
	return known, nil
}

// knows reports whether all whom the event names are known and need no change.
func (p *planned) knows(known map[pgsubscriber.SubscriberKey]*Recipient) bool {
	inputs := namedInputs{}
	inputs.addEvent(&p.source.EventRow)
	for key, in := range inputs {
		if in.changes(known[key]) {
			return false
		}
	}
	return true
}

// advance takes the event's runs as far as they go. It reports whether they may be stored with the event: no run has failed,
// which a slow template may only seem to, and none has come to what is decided under a lock.
func (p *planned) advance(ctx context.Context, runs []*run) (ok bool) {
	err := state.RecoverPanic(func() error {
		for _, r := range runs {
			p.batch.advance(ctx, r)
		}
		return nil
	})
	if err != nil || ctx.Err() != nil || len(p.batch.shared)+len(p.batch.starts.items) > 0 {
		return false
	}
	for _, r := range runs {
		if r.failed > 0 {
			return false
		}
	}
	return true
}

// shortLockWait bounds how long callers wait for an inbox that another transaction holds. Beyond it their events are fanned
// out after they are stored.
const shortLockWait = `SET LOCAL lock_timeout = '500ms'`

// Store queues the rows of plans.
func (p *Planner) Store(q *pgx.Batch, plans []accept.Plan) (publish func(context.Context)) {
	whole := p.newBatch()
	for _, one := range plans {
		if own, ok := one.(*planned); ok {
			whole.include(own.batch)
		}
	}
	q.Queue(shortLockWait)
	pginbox.QueueBump(q, whole.inboxDeltas(), func(sequences []int64) {
		for k, i := range whole.inbox {
			whole.messages[i].Sequence = sequences[k]
		}
	})
	whole.queue(q, func(int, int) error { return nil }) // the event is new, so its runs are
	return whole.publish
}

// include adds what another batch stores, none of it decided by rows that runs share.
func (b *batch) include(other *batch) {
	first := len(b.messages)
	b.runs = append(b.runs, other.runs...)
	b.messages = append(b.messages, other.messages...)
	for _, i := range other.inbox {
		b.inbox = append(b.inbox, first+i)
	}
	for _, s := range other.sends {
		s.message += first
		b.sends = append(b.sends, s)
	}
}

// isIndependent reports whether runs of a definition depend on no rows that they share with others and start no other workflow.
func isIndependent(d *workflow.Definition) bool {
	for i := range d.Steps {
		switch d.Steps[i].Type {
		case workflow.StepDigest, workflow.StepThrottle, workflow.StepTrigger, workflow.StepCustom:
			return false
		}
	}
	return true
}
