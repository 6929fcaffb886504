package accept

import (
	"fmt"
	"time"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/workflow"
)

// validator decides the outcomes of a set of requests by the table of decisions.md §12, Outcome, given the facts.
type validator struct {
	facts pgaccept.AcceptFacts
	// created are the tenants that accepted events of this set will create.
	created map[pgaccept.EnvKey]bool
}

// item is an event whose write decides its outcome.
type item struct {
	request *queuedRequest
	index   int
	plan    Plan
	event   pgaccept.AcceptedEvent
}

// validate sets the outcomes that need no write and returns the events to write, with their ids in the order given.
func (v *validator) validate(requests []*queuedRequest, now time.Time) []item {
	most := 0
	for _, r := range requests {
		most += len(r.Items)
	}
	items := make([]item, 0, most)
	for _, r := range requests {
		for i := range r.Items {
			in := &r.Items[i]
			head := v.facts.Workflows[in.workflowKey()]
			outcome := v.outcome(in, head, r.prepared[i])
			r.outcomes[i] = outcome
			if outcome != (Outcome{}) {
				continue
			}
			if in.Tenant != nil {
				v.created[pgaccept.EnvKey{EnvironmentID: in.EnvironmentID, Key: in.Tenant.Identifier}] = true
			}
			items = append(items, item{request: r, index: i, event: acceptedEvent(in, head, r.prepared[i]), plan: r.prepared[i].plan})
		}
	}
	for i, eventID := range id.Batch(now, len(items)) {
		items[i].event.ID = eventID
		if items[i].plan != nil {
			items[i].plan.Apply(&items[i].event)
		}
	}
	return items
}

// outcome applies rows 2 to 9 of the table of outcomes; it is zero when the event is to be written. The payload was validated before, by the head's version.
func (v *validator) outcome(in *Acceptance, head pgaccept.WorkflowHead, given prepared) Outcome {
	published := given.version
	switch {
	case head.ID == "":
		return Outcome{Status: workflow.TriggerError, Error: CodeWorkflowNotFound}
	case head.VersionID == "": // a workflow that was never published is not active yet
	case published == nil || published.id != head.VersionID:
		return Outcome{Err: fmt.Errorf("workflow %s: published version %s cannot be read", head.ID, head.VersionID)}
	case given.err != nil:
		return Outcome{Err: given.err}
	}
	on, known := v.tenant(in)
	switch {
	case v.facts.Used[in.claimKey()]:
		return Outcome{Status: workflow.TriggerProcessed}
	case !known:
		return Outcome{Status: workflow.TriggerNoTenant}
	case !head.Active || head.VersionID == "" || !on:
		return Outcome{Status: workflow.TriggerNotActive}
	case published.steps == 0:
		return Outcome{Status: workflow.TriggerNoSteps}
	case published.active == 0:
		return Outcome{Status: workflow.TriggerNoActiveSteps}
	case !in.Reachable:
		return Outcome{Status: workflow.TriggerInvalidRecipients}
	}
	return Outcome{}
}

// tenant reports whether the workflow is on for the event's tenant, and whether that tenant is known or will be.
func (v *validator) tenant(in *Acceptance) (on, known bool) {
	if in.Tenant == nil {
		return true, true
	}
	on, stored := v.facts.Tenants[pgaccept.TenantUse{EnvironmentID: in.EnvironmentID, Tenant: in.Tenant.Identifier, Workflow: in.Workflow}]
	if stored {
		return on, true
	}
	return true, in.Tenant.Inline || v.created[pgaccept.EnvKey{EnvironmentID: in.EnvironmentID, Key: in.Tenant.Identifier}]
}

func acceptedEvent(in *Acceptance, head pgaccept.WorkflowHead, given prepared) pgaccept.AcceptedEvent {
	return pgaccept.AcceptedEvent{
		EnvironmentID: in.EnvironmentID, TransactionID: in.TransactionID, Generated: in.Generated,
		WorkflowID: head.ID, VersionID: head.VersionID,
		Kind: string(in.Kind), Lane: string(laneOf(in, given.version)),
		Payload: string(given.payload), Overrides: string(in.Overrides), Recipients: string(in.Recipients), Actor: string(in.Actor),
		Tenant: in.Tenant, TenantData: given.tenant, Contexts: in.Contexts, ContextData: given.contexts, RequestID: in.RequestID, TraceParent: in.TraceParent, PerSecond: in.PerSecond,
	}
}

// laneOf puts whatever may reach many subscribers into the bulk lane first, because an urgent one that holds a million
// of them would starve a login code.
func laneOf(in *Acceptance, v *version) event.Lane {
	severity := v.severity
	if in.Severity != "" {
		severity = in.Severity
	}
	switch {
	case in.Kind == event.KindBroadcast || in.Topics:
		return event.LaneBulk
	case v.critical || severity == workflow.SeverityHigh:
		return event.LaneUrgent
	}
	return event.LaneNormal
}
