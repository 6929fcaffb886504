package run

import (
	"cmp"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/id"
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

// living are the recipients of the plan who existed when it was made.
func (p *planned) living() (ids []string) {
	for _, r := range p.batch.runs {
		if !slices.ContainsFunc(p.created, func(n *newSubscriber) bool { return n.write.ID == r.subscriber.ID }) {
			ids = append(ids, r.subscriber.ID)
		}
	}
	return ids
}

// queueSubscribers queues the subscribers that plans create and change. The transaction fails where another has created one of those that an
// event was planned for as new (bulk.Check). What events that are left to their fan-outs say of a subscriber comes last, because no event is
// planned after one of its own request that changes whom it names.
func queueSubscribers(q *pgx.Batch, plans []accept.Plan) {
	created := map[string]pgsubscriber.SubscriberWrite{} // by id
	changed := namedInputs{}
	var left []*profiles
	for _, plan := range plans {
		switch own := plan.(type) {
		case *planned:
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
		case *profiles:
			left = append(left, own)
		}
	}
	slices.SortFunc(left, func(a, b *profiles) int { return cmp.Compare(a.eventID, b.eventID) })
	missing := map[pgsubscriber.SubscriberKey]bool{} // they may be
	for _, own := range left {
		own.mark(missing)
		for i := range own.inputs {
			changed.add(own.environmentID, own.eventID, &own.inputs[i])
		}
	}
	var fresh, changes []pgsubscriber.SubscriberWrite
	for _, w := range created {
		fresh = append(fresh, w)
		delete(missing, w.Key())
	}
	for _, key := range changed.sorted() {
		w := changed[key].write(key)
		changes = append(changes, w)
		if missing[key] {
			w.ID = id.New(time.Now())
			fresh = append(fresh, w)
		}
	}
	slices.SortFunc(fresh, func(a, b pgsubscriber.SubscriberWrite) int { return a.Key().Compare(b.Key()) })
	pgsubscriber.QueueNew(q, fresh, func(w *pgsubscriber.SubscriberWrite) bool { _, ok := created[w.ID]; return ok })
	pgsubscriber.QueueChanges(q, changes)
}

// forgetChanged forgets what is known of the subscribers that plans change.
func (p *Planner) forgetChanged(plans []accept.Plan) {
	for _, plan := range plans {
		if own, ok := plan.(*planned); ok {
			for _, in := range own.changed {
				p.known.forget(pgsubscriber.SubscriberKey{EnvironmentID: own.event.EnvironmentID, SubscriberID: in.SubscriberID})
			}
		}
	}
}
