package run

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/definition"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// Planner plans small events before they are stored: an event that names a few recipients, whom it may create and change, and whose steps
// need no row that runs share. Its runs are planned and stored by the code that plans and stores those of any event; what cannot be decided
// before the event is stored is left to FanOut.
type Planner struct {
	*Executor
	known   *known
	new     *newSubscribers
	doubted recent // environments of which everything is read
	slow    recent // versions whose planning took long
	held    recent // environments of which another transaction holds rows
}

// NewPlanner returns a Planner.
func NewPlanner(e *Executor) *Planner {
	return &Planner{
		Executor: e, known: newKnown(), new: makeNewSubscribers(), doubted: newRecent(maxDoubted, doubtedFor), slow: newRecent(maxSlow, slowFor),
		held: newRecent(maxHeld, heldFor),
	}
}

const (
	// doubtedFor is how long everything of an environment is read after something was not as it was known.
	doubtedFor = time.Second
	maxDoubted = 10_000
)

const (
	// heldFor is how long the events of an environment are left to the fan-out after a commit has waited for a row in vain: else each of
	// them might wait.
	heldFor = 5 * time.Second
	maxHeld = 10_000
)

// planned is an event that was planned before it is stored.
type planned struct {
	event *EventContext
	batch *batch
	// prints are those of what was known and not read, which the commit verifies; nil: everything was read.
	prints *pgrun.Prints
	// created and changed are subscribers that the event names and that are stored with it.
	created []*newSubscriber
	changed []*workflow.SubscriberInput
}

// Apply makes an event the one that was planned.
func (p *planned) Apply(e *pgaccept.AcceptedEvent) {
	change := p.event.change(len(p.batch.runs), nil, 0)
	e.ID, e.Planned = p.event.ID, &pgaccept.PlannedEvent{At: p.event.now, Notified: change.Notified, Trace: change.Trace}
}

// Assumed reports whether the plan rests on what was known and not read, or on a subscriber being missing.
func (p *planned) Assumed() bool { return p.prints != nil || len(p.created) > 0 }

// Environment is the event's, with the version of its configuration by which the event was planned.
func (p *planned) Environment() pgaccept.EnvironmentVersion {
	return pgaccept.EnvironmentVersion{EnvironmentID: p.event.EnvironmentID, Version: p.event.env.Version}
}

// Profiles is none: the event is fanned out already.
func (*planned) Profiles() int { return 0 }

// Plan returns a plan for each event that can be planned now, by what it reads, and the profiles that the others set.
func (p *Planner) Plan(ctx context.Context, events []accept.Proposal) []accept.Plan {
	plans, _ := p.plans(ctx, events, p.read)
	return plans
}

// Recall returns a plan for each event that can be planned now, by what is known of its surroundings; false when something of that has
// to be read.
func (p *Planner) Recall(ctx context.Context, events []accept.Proposal) ([]accept.Plan, bool) {
	if p.DB.VirtualClocks || slices.ContainsFunc(events, p.doubts) {
		return nil, false
	}
	return p.plans(ctx, events, p.recall)
}

// Doubt lets everything of an environment be read for a while, which replaces what is known: some of it was wrong.
func (p *Planner) Doubt(environmentID string) {
	p.doubted.add(environmentID)
	p.new.forget(environmentID)
}

// Held leaves the events of an environment to the fan-out for heldFor.
func (p *Planner) Held(environmentID string) { p.held.add(environmentID) }

func (p *Planner) doubts(e accept.Proposal) bool { return p.doubted.has(e.EnvironmentID) }

// surroundings are what the plans of events rest on.
type surroundings struct {
	snapshot   *pgrun.Snapshot
	recipients map[pgsubscriber.SubscriberKey]*Recipient // those that exist of those that the events name
	// personal is what belongs to them; nil when that is still to be read, because a definition that says what is wanted was not kept.
	personal *pgrun.Personal
	// people are they, if all is known and nothing was read, and prints what the commit then verifies.
	people map[pgrun.PersonKey]*knownPerson
	prints *pgrun.Prints
}

// surround finds the surroundings of events, and of the API keys of their requests; nil when it does not know them.
type surround func(ctx context.Context, events []pgfanout.EventRow, keys []*pgaccess.KeyCheck) (*surroundings, error)

func (p *Planner) plans(ctx context.Context, events []accept.Proposal, find surround) (plans []accept.Plan, ok bool) {
	plans = make([]accept.Plan, len(events))
	ctx, cancel := context.WithTimeout(ctx, p.PlanTime)
	defer cancel()
	var list []*planned
	err := state.RecoverPanic(func() (err error) {
		list, ok, err = p.plan(ctx, events, find)
		return err
	})
	if err != nil {
		if ctx.Err() == nil {
			p.Logger.WarnContext(ctx, "events are stored before they are planned", slog.Int("events", len(events)), slog.String("error", err.Error()))
		}
		return p.Leave(events), ok
	}
	for i, plan := range list {
		if plan != nil {
			plans[i] = plan
		} else if own := p.profilesOf(&events[i]); own != nil {
			plans[i] = own
		}
	}
	return plans, ok
}

func (p *Planner) plan(ctx context.Context, events []accept.Proposal, find surround) (list []*planned, ok bool, err error) {
	list = make([]*planned, len(events))
	rows, at := p.candidates(events)
	if len(rows) == 0 {
		return list, true, nil
	}
	found, err := find(ctx, rows, keysOf(events))
	if err != nil {
		return nil, true, err
	}
	if found == nil {
		return nil, false, nil
	}
	contexts, _ := p.eventContexts(found.snapshot, rows)
	for _, s := range contexts {
		if s.definition.Independent && s.env.Pauses.Event(s.definition.WorkflowID, "") == nil {
			s.WorkflowID, s.CreatedAt = s.definition.WorkflowID, s.now
			list[at[s.ID]] = &planned{event: s}
		}
	}
	ids := &idPool{}
	var runs []*run
	changed := map[pgsubscriber.SubscriberKey]bool{}
	for i, plan := range list {
		var named map[pgsubscriber.SubscriberKey]*Recipient
		ok := plan != nil
		if ok {
			named, ok = p.prepareNamed(plan, found.recipients, changed)
		}
		if !ok {
			_, candidate := at[events[i].ID]
			if list[i] = nil; candidate && found.prints != nil { // by what is known, which nothing verifies then
				return nil, false, nil
			}
			if i < len(events)-1 { // those after it see what it sets
				p.profilesOf(&events[i]).mark(changed)
			}
			continue
		}
		plan.batch = p.newBatch()
		plan.batch.ids = ids
		runs = append(runs, plan.batch.runsOfNamed(plan.event, named)...)
		if found.prints != nil {
			plan.prints = found.printsOf(plan.event, named)
		}
	}
	if err := p.setPersonal(ctx, runs, found); err != nil {
		return nil, true, err
	}
	most := p.PlanTime / 5
	if found.prints != nil { // only their own request waits
		most = p.PlanTime
	}
	p.advance(ctx, list, runs, most)
	var batches []*batch
	for _, plan := range list {
		if plan != nil {
			batches = append(batches, plan.batch)
		}
	}
	p.begin(ctx, batches...)
	return list, true, nil
}

// candidates gives events ids, and returns those that name a few recipients and that nothing known leaves to FanOut (their versions, their
// environments), and the places of the events by these ids.
func (p *Planner) candidates(events []accept.Proposal) (rows []pgfanout.EventRow, at map[string]int) {
	rows, at = make([]pgfanout.EventRow, 0, len(events)), make(map[string]int, len(events))
	for i, eventID := range id.Batch(time.Now(), len(events)) {
		e := &events[i]
		e.ID = eventID
		if d := p.definitions.Get(e.VersionID); !e.Small || d != nil && !d.Independent || p.slow.has(e.VersionID) || p.held.has(e.EnvironmentID) {
			continue
		}
		if e.Row == nil {
			var err error
			if e.Row, err = EventOf(&e.AcceptedEvent); err != nil {
				continue
			}
		}
		ev := *e.Row
		if ev.Recipients == nil || len(ev.Recipients.Direct) == 0 || len(ev.Recipients.Direct) > p.SmallEvent {
			continue
		}
		ev.ID, ev.Workflow, ev.TraceParent = eventID, e.Workflow, e.TraceParent
		at[eventID] = i
		rows = append(rows, ev)
	}
	return rows, at
}

// recall is surround by what is known.
func (p *Planner) recall(_ context.Context, events []pgfanout.EventRow, keys []*pgaccess.KeyCheck) (*surroundings, error) {
	definitions := p.definitionsOf(events)
	if definitions == nil {
		return nil, nil //nolint:nilnil // not known
	}
	s := p.known.recall(printsOf(events, definitions), keys)
	if s == nil || !p.configurations.Recall(s.snapshot) {
		return nil, nil //nolint:nilnil // not known
	}
	return s, nil
}

// read is surround that reads, in one round trip, and keeps what it has read.
func (p *Planner) read(ctx context.Context, events []pgfanout.EventRow, keys []*pgaccess.KeyCheck) (*surroundings, error) {
	named := namedInputs{}
	for i := range events {
		named.addEvent(&events[i])
	}
	want := pgrun.SnapshotQuery{Subscribers: named.sorted(), Also: func(b *pgx.Batch) { pgaccess.QueueKeys(b, keys) }}
	definitions := p.definitionsOf(events)
	if definitions != nil {
		want.Prints = printsOf(events, definitions)
		for i := range events {
			for k := range events[i].Recipients.Direct {
				definitions[i].AddPersonal(&want.Personal, &events[i], events[i].Recipients.Direct[k].SubscriberID)
			}
		}
	}
	began := time.Now()
	snapshot, err := p.loadSnapshot(ctx, p.DB.Pool, events, want)
	if err != nil {
		return nil, err
	}
	s := &surroundings{snapshot: snapshot, recipients: map[pgsubscriber.SubscriberKey]*Recipient{}}
	addRecipients(s.recipients, snapshot.Subscribers)
	if want.Prints != nil {
		s.personal = &snapshot.Personal
		p.known.add(snapshot, want.Prints, keys, began)
	}
	return s, nil
}

// definitionsOf are those of the versions that events follow; nil when one is not kept.
func (p *Planner) definitionsOf(events []pgfanout.EventRow) []*definition.Published {
	all := make([]*definition.Published, len(events))
	for i := range events {
		if all[i] = p.definitions.Get(events[i].VersionID); all[i] == nil {
			return nil
		}
	}
	return all
}

// setPersonal gives runs what belongs to their subscribers.
func (p *Planner) setPersonal(ctx context.Context, runs []*run, found *surroundings) error {
	switch {
	case found.people != nil:
		for _, r := range runs {
			person := found.people[r.event.definition.PersonKey(&r.event.EventRow, r.subscriber.SubscriberID)]
			setPersonal([]*run{r}, &person.personal)
		}
		return nil
	case found.personal != nil:
		setPersonal(runs, found.personal)
		return nil
	}
	return p.loadPersonal(ctx, p.DB.Pool, runs)
}

// printsOf are those that the plan of one of the events, which names these subscribers, rests on.
func (s *surroundings) printsOf(ev *EventContext, named map[pgsubscriber.SubscriberKey]*Recipient) *pgrun.Prints {
	prints := &pgrun.Prints{Environments: []string{ev.EnvironmentID}}
	for _, p := range s.prints.People {
		if named[pgsubscriber.SubscriberKey{EnvironmentID: p.EnvironmentID, SubscriberID: p.SubscriberID}] != nil {
			prints.People = append(prints.People, p)
		}
	}
	return prints
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

// advance takes the event's runs as far as they go. It reports whether they may be stored with the event: no run has failed,
// which a slow template may only seem to, none is paused, and none has come to what is decided under a lock.
func (p *planned) advance(ctx context.Context, runs []*run) (ok bool) {
	err := state.RecoverPanic(func() error {
		p.batch.advanceAll(ctx, runs)
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

// Expect adds to a check that what plans rest on, as far as it was not read, is as it was known, and that the recipients who were read
// have not been erased meanwhile: the plan would store their data again.
func (p *Planner) Expect(check *bulk.Check, plans []accept.Plan) {
	prints := pgrun.Prints{}
	for _, plan := range plans {
		if own, ok := plan.(*planned); ok && own.prints != nil {
			prints.Environments = append(prints.Environments, own.prints.Environments...)
			prints.People = append(prints.People, own.prints.People...)
		} else if ok {
			prints.Living = append(prints.Living, own.living()...)
		}
	}
	prints.Compact()
	prints.Expect(check)
}

// Store queues the rows of plans. publish is nil when none has anything to publish.
func (p *Planner) Store(q *pgx.Batch, plans []accept.Plan) (publish func(context.Context)) {
	var batches []*batch
	for _, plan := range plans {
		if own, ok := plan.(*planned); ok {
			batches = append(batches, own.batch)
		}
	}
	merged := p.newBatch()
	merged.include(batches...)
	queueSubscribers(q, plans)
	p.forgetChanged(plans)
	if len(batches) == 0 {
		return nil
	}
	pginbox.QueueBump(q, merged.inboxDeltas(), merged.counted)
	merged.queue(q)
	return merged.publish
}

// Kept is the lease of messages that are stored with their events.
func (p *Planner) Kept() time.Duration { return p.Lease }

// include adds what other batches store, none of it decided by rows that runs share.
func (b *batch) include(others ...*batch) {
	runs, messages := 0, 0
	for _, other := range others {
		runs, messages = runs+len(other.runs), messages+len(other.messages)
	}
	b.runs, b.messages = slices.Grow(b.runs, runs), slices.Grow(b.messages, messages)
	for _, other := range others {
		first := len(b.messages)
		b.runs = append(b.runs, other.runs...)
		b.messages = append(b.messages, other.messages...)
		for _, s := range other.inbox {
			s.message += first
			b.inbox = append(b.inbox, s)
		}
		for _, s := range other.sends {
			s.message += first
			b.sends = append(b.sends, s)
		}
	}
}
