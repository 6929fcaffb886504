package run

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// maxDepth is how many trigger steps may follow each other (semantics.md §11.27).
const maxDepth = 5

// starts are the events that the trigger steps of a batch's runs start.
type starts struct {
	executor *Executor
	targets  *accept.Preview // whether the workflows that the steps name can be started
	items    []accept.Acceptance
	written  []pgaccept.AcceptedEvent // those whose transactionId was not used yet
}

// trigger starts the workflow that a trigger step names, with the batch's transaction.
func (b *batch) trigger(ctx context.Context, r *run, d *plan.Decision) {
	item, err := b.executor.triggered(ctx, r, d.Step)
	if err == nil {
		err = b.starts.complete(ctx, &item)
	}
	if err != nil {
		r.plan.Record(d.Step.StepID, plan.StepResult{Failed: true})
		d.Reason, d.Detail = workflow.ReasonNotTriggered, err.Error()
		r.trace(d, nil)
		return
	}
	b.starts.items = append(b.starts.items, item)
	r.plan.Record(d.Step.StepID, plan.StepResult{Sent: true})
	d.Detail = item.Workflow + " " + item.TransactionID
	r.trace(d, nil)
}

// triggered is the event of a trigger step: for the same subscriber, in the same contexts, and with a transactionId that
// a repetition shares.
func (e *Executor) triggered(ctx context.Context, r *run, step *workflow.Step) (accept.Acceptance, error) {
	s, c := r.event, step.Trigger
	if c == nil {
		return accept.Acceptance{}, fmt.Errorf("the step names no workflow")
	}
	depth := 1
	if s.Recipients != nil {
		depth += s.Recipients.Depth
	}
	if depth > maxDepth {
		return accept.Acceptance{}, fmt.Errorf("more than %d workflows have started each other", maxDepth)
	}
	payload, err := e.Render.Data(ctx, c.Payload, r.vars(r.plan.Results()))
	if err != nil {
		return accept.Acceptance{}, err
	}
	if payload == nil {
		payload = map[string]any{}
	}
	recipients := workflow.Recipients{Direct: []workflow.SubscriberInput{{SubscriberID: r.subscriber.SubscriberID}}, Depth: depth}
	item := s.start(c.Workflow)
	item.TransactionID = workflow.GeneratedPrefix + r.row.ID + "_" + step.ID
	item.Payload, item.Recipients = state.AsJSON(payload), state.AsJSON(recipients)
	return item, nil
}

// complete returns an error when the workflow of an item cannot be started, by the rules of accepting (decisions.md §12), and
// completes the payload with the schema's defaults.
func (s *starts) complete(ctx context.Context, item *accept.Acceptance) error {
	outcome, payload := s.targets.Decide(ctx, item)
	switch {
	case outcome.Err != nil:
		return outcome.Err
	case outcome.Error != "":
		return fmt.Errorf("workflow %s: %s", item.Workflow, outcome.Error)
	case outcome.Status != "":
		return fmt.Errorf("workflow %s: %s", item.Workflow, outcome.Status)
	}
	item.Payload = payload
	return nil
}

// load reads what the trigger steps of runs depend on, before the runs are taken through their steps.
func (s *starts) load(ctx context.Context, q postgres.Querier, runs []*run) error {
	var items []accept.Acceptance
	seen := map[*EventContext]bool{}
	for _, r := range runs {
		if r.event == nil || seen[r.event] {
			continue
		}
		seen[r.event] = true
		for i := range r.event.definition.Definition.Steps {
			step := &r.event.definition.Definition.Steps[i]
			if step.Type == workflow.StepTrigger && step.Trigger != nil {
				items = append(items, r.event.start(step.Trigger.Workflow))
			}
		}
	}
	if len(items) == 0 {
		return nil
	}
	var err error
	s.targets, err = s.executor.versions.Preview(ctx, q, items, time.Time{})
	return err
}

// start is the event of a trigger step, as far as it is the same for all of an event's runs.
func (s *EventContext) start(workflowIdentifier string) accept.Acceptance {
	item := accept.Acceptance{
		EnvironmentID: s.EnvironmentID, Kind: event.KindTrigger, Workflow: workflowIdentifier, Generated: true, Reachable: true,
		TraceParent: s.TraceParent,
	}
	if s.Actor != nil {
		item.Actor = state.AsJSON(workflow.SubscriberInput{SubscriberID: s.Actor.SubscriberID})
	}
	if identifier, _ := s.tenant["identifier"].(string); identifier != "" {
		item.Tenant = &workflow.TenantInput{Identifier: identifier, Inline: s.TenantID == ""} // it is not stored on trial, and would be
	}
	for _, key := range s.ContextKeys {
		kind, contextID, _ := strings.Cut(key, ":")
		item.Contexts = append(item.Contexts, workflow.ContextRef{Type: kind, ID: contextID})
	}
	return item
}

// write puts the events of trigger steps into the transaction of the runs. In an environment with
// a virtual clock they happen at its time, not where a long jump of the clock ends.
func (s *starts) write(ctx context.Context, tx pgx.Tx) error {
	byEnvironment := map[string][]pgaccept.AcceptedEvent{}
	now := time.Now()
	for i, eventID := range id.Batch(now, len(s.items)) {
		ev := s.targets.Event(&s.items[i])
		ev.ID = eventID
		byEnvironment[ev.EnvironmentID] = append(byEnvironment[ev.EnvironmentID], ev)
	}
	var all []pgaccept.AcceptedEvent
	for _, environmentID := range slices.Sorted(maps.Keys(byEnvironment)) {
		events := byEnvironment[environmentID]
		slices.SortFunc(events, func(x, y pgaccept.AcceptedEvent) int { return cmp.Compare(x.TransactionID, y.TransactionID) })
		at := pgaccept.AcceptTimes{Now: now, DueAt: now.Add(accept.Grace)}
		if s.executor.DB.VirtualClocks {
			at.Happened = new(s.executor.Clocks.Now(environmentID))
		}
		written, err := pgaccept.WriteEvents(ctx, tx, events, at)
		if err != nil {
			return err
		}
		all = append(all, accept.Written(events, written)...)
	}
	s.written = all
	return nil
}
