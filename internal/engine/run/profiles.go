package run

import (
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// profiles are those that an event sets that is left to its fan-out. They are stored with the event: events are stored in the order in which
// clients send them, and fan-outs have no order. Channel settings are merged, so they are left to the fan-out.
type profiles struct {
	environmentID string
	eventID       string
	inputs        []workflow.SubscriberInput
}

// profilesOf are the profiles that an event sets; nil when it sets none, cannot be read, or may have to wait for the rows of subscribers.
func (p *Planner) profilesOf(e *accept.Proposal) *profiles {
	if p.held.has(e.EnvironmentID) {
		return nil
	}
	inputs := namedInputs{}
	if e.Row != nil {
		inputs.addEvent(e.Row)
	} else {
		inputs.addNamed(e.EnvironmentID, &pgfanout.NamedRow{Recipients: []byte(e.Recipients), Actor: []byte(e.Actor)})
	}
	own := &profiles{environmentID: e.EnvironmentID}
	for _, key := range inputs.sorted() {
		in := inputs[key].SubscriberInput
		in.Channels = nil
		if !in.Bare() {
			own.inputs = append(own.inputs, in)
		}
	}
	if len(own.inputs) == 0 {
		return nil
	}
	return own
}

// Apply notes that the event's profiles are stored with it.
func (p *profiles) Apply(e *pgaccept.AcceptedEvent) { p.eventID, e.ProfilesStored = e.ID, true }

// Assumed is false: profiles rest on nothing.
func (*profiles) Assumed() bool { return false }

// Environment is none, for the same reason.
func (*profiles) Environment() pgaccept.EnvironmentVersion { return pgaccept.EnvironmentVersion{} }

// Profiles is how many they are.
func (p *profiles) Profiles() int { return len(p.inputs) }

// Leave returns what is stored with events that are left to their fan-outs: the profiles that they set.
func (p *Planner) Leave(events []accept.Proposal) []accept.Plan {
	plans := make([]accept.Plan, len(events))
	for i := range events {
		if own := p.profilesOf(&events[i]); own != nil {
			plans[i] = own
		}
	}
	return plans
}

// mark adds the subscribers whose profiles the event sets.
func (p *profiles) mark(changed map[pgsubscriber.SubscriberKey]bool) {
	if p == nil {
		return
	}
	for i := range p.inputs {
		changed[pgsubscriber.SubscriberKey{EnvironmentID: p.environmentID, SubscriberID: p.inputs[i].SubscriberID}] = true
	}
}
