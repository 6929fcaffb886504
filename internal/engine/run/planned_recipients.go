package run

import (
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
)

// prepareNamed returns the subscribers that an event names, as the event leaves them, and has the plan create those that do not exist and
// change those whose profiles are others. It reports whether the event can be planned: none has to be created or changed by its fan-out or
// by that of an earlier event, or is changed by an earlier event that is planned with it. Which event was the first to name a subscriber
// (named_by) matters only for those that are created after a broadcast was accepted (semantics.md §11.34).
func (p *Planner) prepareNamed(plan *planned, found map[pgsubscriber.SubscriberKey]*Recipient, changed map[pgsubscriber.SubscriberKey]bool) (map[pgsubscriber.SubscriberKey]*Recipient, bool) {
	inputs := namedInputs{}
	inputs.addEvent(&plan.event.EventRow)
	named := make(map[pgsubscriber.SubscriberKey]*Recipient, len(inputs))
	for key, in := range inputs {
		known := found[key]
		switch {
		case changed[key] || p.waiting.includes(key):
			return nil, false
		case known == nil:
			n := p.new.of(key, in)
			if n == nil {
				return nil, false
			}
			plan.created = append(plan.created, n)
			named[key] = n.recipient
		case in.Differs(&known.Profile, known.Data):
			if named[key] = in.applied(known.SubscriberRow); named[key] == nil {
				return nil, false
			}
			plan.changed = append(plan.changed, &in.SubscriberInput)
		default:
			named[key] = known
		}
	}
	for _, in := range plan.changed {
		changed[pgsubscriber.SubscriberKey{EnvironmentID: plan.event.EnvironmentID, SubscriberID: in.SubscriberID}] = true
	}
	return named, true
}

// queueSubscribers queues the subscribers that plans create and change. The transaction fails where another has created one of them
// (bulk.Check). Of a subscriber whom several plans change the later plan overlays the earlier one.
func queueSubscribers(q *pgx.Batch, plans []accept.Plan) {
	created := map[string]pgsubscriber.SubscriberWrite{} // by id
	changed := namedInputs{}
	for _, plan := range plans {
		own, ok := plan.(*planned)
		if !ok {
			continue
		}
		for _, n := range own.created {
			w := n.write
			w.NamedBy = own.event.ID
			if earlier, ok := created[w.ID]; ok {
				w.NamedBy = min(w.NamedBy, earlier.NamedBy)
			}
			created[w.ID] = w
		}
		for _, in := range own.changed {
			changed.add(own.event.EnvironmentID, own.event.ID, in)
		}
	}
	writes := slices.SortedFunc(maps.Values(created), func(a, b pgsubscriber.SubscriberWrite) int { return a.Key().Compare(b.Key()) })
	pgsubscriber.QueueNew(q, writes)
	writes = nil
	for _, key := range changed.sorted() {
		writes = append(writes, changed[key].write(key))
	}
	pgsubscriber.QueueChanges(q, writes)
}

// forgetChanged forgets what is known of the subscribers that plans change.
func (p *Planner) forgetChanged(plans []accept.Plan) {
	for _, plan := range plans {
		if own, ok := plan.(*planned); ok {
			for _, in := range own.changed {
				p.known.keep(own.event.definition.PersonKey(&own.event.EventRow, in.SubscriberID), nil)
			}
		}
	}
}
