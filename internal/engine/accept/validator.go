package accept

import (
	"fmt"
	"time"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/workflow"
)

// validator decides the outcome rows of a set of calls (decisions.md §12, Outcome), given the facts.
type validator struct {
	facts pgaccept.AcceptFacts
	// created are the tenants that accepted events of this set will create.
	created map[pgaccept.EnvKey]bool
}

// item is an event whose write decides its outcome.
type item struct {
	call  *request
	index int
	plan  Plan
	event pgaccept.AcceptedEvent
}

// validate sets the outcomes that need no write and returns the events to write, with their ids in the order given.
func (j *validator) validate(calls []*request, now time.Time) []item {
	var items []item
	for _, c := range calls {
		for i := range c.Items {
			in := &c.Items[i]
			head := j.facts.Workflows[in.workflowKey()]
			outcome := j.outcome(in, head, c.prepared[i])
			c.outcomes[i] = outcome
			if outcome != (Outcome{}) {
				continue
			}
			if in.Tenant != nil {
				j.created[pgaccept.EnvKey{EnvironmentID: in.EnvironmentID, Key: in.Tenant.Identifier}] = true
			}
			items = append(items, item{call: c, index: i, event: acceptedEvent(in, head, c.prepared[i]), plan: c.prepared[i].plan})
		}
	}
	for i, eventID := range id.Batch(now, len(items)) {
		items[i].event.ID = eventID
		if items[i].plan != nil {
			items[i].plan.Settle(&items[i].event)
		}
	}
	return items
}

// outcome is rows 2 to 9; zero when the event is to be written. The payload was validated before, by the head's version.
func (j *validator) outcome(in *Acceptance, head pgaccept.WorkflowHead, given prepared) Outcome {
	v := given.version
	switch {
	case head.ID == "":
		return Outcome{Status: workflow.TriggerError, Error: CodeWorkflowNotFound}
	case head.VersionID == "": // a workflow that was never published is not active yet
	case v == nil || v.id != head.VersionID:
		return Outcome{Err: fmt.Errorf("workflow %s: published version %s cannot be read", head.ID, head.VersionID)}
	case given.err != nil:
		return Outcome{Err: given.err}
	}
	on, known := j.tenant(in)
	switch {
	case j.facts.Used[in.claimKey()]:
		return Outcome{Status: workflow.TriggerProcessed}
	case !known:
		return Outcome{Status: workflow.TriggerNoTenant}
	case !head.Active || head.VersionID == "" || !on:
		return Outcome{Status: workflow.TriggerNotActive}
	case v.steps == 0:
		return Outcome{Status: workflow.TriggerNoSteps}
	case v.active == 0:
		return Outcome{Status: workflow.TriggerNoActiveSteps}
	case !in.Reachable:
		return Outcome{Status: workflow.TriggerInvalidRecipients}
	}
	return Outcome{}
}

// tenant reports whether the workflow is on for the event's tenant, and whether that tenant is known or will be.
func (j *validator) tenant(in *Acceptance) (on, known bool) {
	if in.Tenant == nil {
		return true, true
	}
	on, stored := j.facts.Tenants[pgaccept.TenantUse{EnvironmentID: in.EnvironmentID, Tenant: in.Tenant.Identifier, Workflow: in.Workflow}]
	if stored {
		return on, true
	}
	return true, in.Tenant.Inline || j.created[pgaccept.EnvKey{EnvironmentID: in.EnvironmentID, Key: in.Tenant.Identifier}]
}

func acceptedEvent(in *Acceptance, head pgaccept.WorkflowHead, given prepared) pgaccept.AcceptedEvent {
	return pgaccept.AcceptedEvent{
		EnvironmentID: in.EnvironmentID, TransactionID: in.TransactionID,
		WorkflowID: head.ID, VersionID: head.VersionID,
		Kind: string(in.Kind), Lane: string(laneOf(in, given.version)),
		Payload: string(given.payload), Overrides: string(in.Overrides), Recipients: string(in.Recipients), Actor: string(in.Actor),
		Tenant: in.Tenant, TenantData: given.tenant, Contexts: in.Contexts, ContextData: given.contexts, RequestID: in.RequestID, TraceParent: in.TraceParent,
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
