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
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
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

// The events of a version of which one took longer than a fifth of PlanTime are fanned out after they are stored, for slowFor:
// clients do not wait for the templates of others.
const (
	slowFor = 30 * time.Second
	maxSlow = 1_000
)

// planned is an event that was planned before it is stored.
type planned struct {
	event *EventContext
	batch *batch
}

// Apply makes an event the one that was planned.
func (p *planned) Apply(e *pgaccept.AcceptedEvent) {
	change := p.event.change(len(p.batch.runs), nil, 0)
	e.ID, e.Planned = p.event.ID, &pgaccept.PlannedEvent{At: p.event.now, Notified: change.Notified, Trace: change.Trace}
}

// Plan returns a plan for each event that can be planned now.
func (p *Planner) Plan(ctx context.Context, events []accept.Proposal) []accept.Plan {
	plans := make([]accept.Plan, len(events))
	ctx, cancel := context.WithTimeout(ctx, p.PlanTime)
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
	for i, plan := range list {
		if plan != nil {
			plans[i] = plan
		}
	}
	return plans
}

func (p *Planner) plan(ctx context.Context, events []accept.Proposal) ([]*planned, error) {
	list := make([]*planned, len(events))
	facts, err := p.load(ctx, events, list)
	if err != nil {
		return nil, err
	}
	ids := &idPool{}
	var runs []*run
	for i, plan := range list {
		if plan == nil || plan.needsUpsert(facts.known) {
			list[i] = nil
			continue
		}
		plan.batch = p.newBatch()
		plan.batch.ids = ids
		runs = append(runs, plan.batch.runsOfNamed(plan.event, facts.known)...)
	}
	if facts.personal != nil {
		setPersonal(runs, facts.personal)
	} else if err := p.loadPersonal(ctx, p.DB.Pool, runs); err != nil {
		return nil, err
	}
	byEvent := map[*EventContext][]*run{}
	for _, r := range runs {
		byEvent[r.event] = append(byEvent[r.event], r)
	}
	merged := p.newBatch()
	for i, plan := range list {
		if plan == nil {
			continue
		}
		began := time.Now()
		_, span := p.Span(ctx, plan.event.TraceParent, "fan out", attribute.String("event.id", plan.event.ID))
		ok := plan.advance(ctx, byEvent[plan.event])
		span.End()
		if time.Since(began) > p.PlanTime/5 {
			p.slow.Add(plan.event.VersionID, struct{}{})
		}
		if !ok {
			list[i] = nil
			continue
		}
		merged.include(plan.batch)
	}
	merged.begin(ctx)
	sends := merged.sends
	for _, plan := range list {
		if plan != nil {
			for k := range plan.batch.sends {
				plan.batch.sends[k].first = sends[k].first
			}
			sends = sends[len(plan.batch.sends):]
		}
	}
	return list, nil
}

// namedFacts are the subscribers that events name, as far as they exist, and what belongs to them; nil when that is still to
// be loaded, because a definition that says what the events need of it is not in the cache.
type namedFacts struct {
	known    map[pgsubscriber.SubscriberKey]*Recipient
	personal *pgrun.Personal
}

// load reads what the runs of events share and the subscribers that the events name, in one round trip, and sets in list the
// events that can be planned before they are stored.
func (p *Planner) load(ctx context.Context, events []accept.Proposal, list []*planned) (facts namedFacts, err error) {
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
	facts.known = map[pgsubscriber.SubscriberKey]*Recipient{}
	if len(rows) == 0 {
		return facts, nil
	}
	want := pgrun.SnapshotQuery{Subscribers: named.sorted(), Also: func(b *pgx.Batch) { pgaccess.QueueKeys(b, keysOf(events)) }}
	complete := p.addPersonal(&want.Personal, rows)
	snapshot, err := p.loadSnapshot(ctx, p.DB.Pool, rows, want)
	if err != nil {
		return facts, err
	}
	addRecipients(facts.known, snapshot.Subscribers)
	if complete {
		facts.personal = &snapshot.Personal
	}
	contexts, _ := p.eventContexts(snapshot, rows)
	for _, s := range contexts {
		if s.definition.Independent && s.env.Pauses.Event(s.definition.WorkflowID, "") == nil && !p.slow.Contains(s.VersionID) {
			s.WorkflowID, s.CreatedAt = s.definition.WorkflowID, s.now
			list[at[s.ID]] = &planned{event: s}
		}
	}
	return facts, nil
}

// keysOf are the API keys of the requests that the events belong to.
func keysOf(events []accept.Proposal) (keys []*pgaccess.KeyCheck) {
	for i := range events {
		if events[i].Key != nil {
			keys = append(keys, events[i].Key)
		}
	}
	return keys
}

// addPersonal adds what the events need of the subscribers that they name. It adds nothing and reports false when the
// definition of one is not in the cache.
func (p *Planner) addPersonal(want *pgrun.PersonalQuery, events []pgfanout.EventRow) (complete bool) {
	for i := range events {
		definition := p.definitions.Get(events[i].VersionID)
		if definition == nil {
			*want = pgrun.PersonalQuery{}
			return false
		}
		for k := range events[i].Recipients.Direct {
			definition.AddPersonal(want, &events[i], events[i].Recipients.Direct[k].SubscriberID)
		}
	}
	return true
}

// needsUpsert reports whether one of the subscribers that the event names has to be created or changed.
func (p *planned) needsUpsert(known map[pgsubscriber.SubscriberKey]*Recipient) bool {
	inputs := namedInputs{}
	inputs.addEvent(&p.event.EventRow)
	for key, in := range inputs {
		if in.changes(known[key]) {
			return true
		}
	}
	return false
}

// advance takes the event's runs as far as they go. It reports whether they may be stored with the event: no run has failed,
// which a slow template may only seem to, none is paused, and none has come to what is decided under a lock.
func (p *planned) advance(ctx context.Context, runs []*run) (ok bool) {
	err := state.RecoverPanic(func() error {
		for _, r := range runs {
			p.batch.advanceUnlessPaused(ctx, r)
		}
		return nil
	})
	if err != nil || ctx.Err() != nil || len(p.batch.shared)+len(p.batch.starts.items) > 0 {
		return false
	}
	for _, r := range runs {
		if r.failed > 0 || r.pause() != nil {
			return false
		}
	}
	return true
}

// shortLockWait bounds how long clients wait for an inbox that another transaction has locked. Beyond it their events are fanned
// out after they are stored.
//
// SET LOCAL would warn where the batch is a transaction without a BEGIN.
const shortLockWait = `SELECT set_config('lock_timeout', '500ms', true)`

// Store queues the rows of plans.
func (p *Planner) Store(q *pgx.Batch, plans []accept.Plan) (publish func(context.Context)) {
	merged := p.newBatch()
	for _, plan := range plans {
		if own, ok := plan.(*planned); ok {
			merged.include(own.batch)
		}
	}
	q.Queue(shortLockWait)
	pginbox.QueueBump(q, merged.inboxDeltas(), merged.counted)
	merged.queue(q, func(int, int) error { return nil }) // the event is new, so its runs are
	return merged.publish
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
