package alerts

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/alertincident"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/alerts"
	"github.com/carillon/carillon/internal/engine/watch"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// Incidents are the use cases of incidents.
type Incidents struct{ usecase.Deps }

// AlertIncidentConnection is a page of incidents.
type AlertIncidentConnection = usecase.Connection[ent.AlertIncident]

// AlertIncidentEdge is one incident of a page.
type AlertIncidentEdge = usecase.Edge[ent.AlertIncident]

// AlertIncidentFilter narrows a list of incidents; the fields that are set combine with AND.
type AlertIncidentFilter struct {
	RuleID *string // global or internal id
	Open   *bool
}

func (f *AlertIncidentFilter) predicates() (ps []predicate.AlertIncident) {
	if f == nil {
		return nil
	}
	if f.RuleID != nil {
		ps = append(ps, alertincident.RuleIDIn(usecase.PlainIDs("AlertRule", []string{*f.RuleID})...))
	}
	if f.Open != nil && *f.Open {
		ps = append(ps, alertincident.ClosedAtIsNil())
	} else if f.Open != nil {
		ps = append(ps, alertincident.ClosedAtNotNil())
	}
	return ps
}

// List is a page of incidents.
func (i *Incidents) List(ctx context.Context, page usecase.Page, filter *AlertIncidentFilter) (*AlertIncidentConnection, error) {
	return usecase.Read(ctx, i.Deps, usecase.ReadIntegrations, func(ctx context.Context, db *ent.Client) (*AlertIncidentConnection, error) {
		return usecase.Paginate(ctx, db.AlertIncident.Query(), filter.predicates(), page, (*usecase.Order)(nil).OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Test triggers the workflow of a rule with a notice that says it is a test, and returns the event.
func (r *Rules) Test(ctx context.Context, globalID string) (*ent.Event, error) {
	v, err := usecase.Require(ctx, usecase.WriteIntegrations)
	if err != nil {
		return nil, err
	}
	rule, err := r.Get(ctx, globalID)
	switch {
	case err != nil:
		return nil, err
	case rule.NotifyWorkflow == nil:
		return nil, fault.Conflictf("ALERT_WITHOUT_WORKFLOW", "The alert rule names no workflow; test webhook endpoints with pingWebhookEndpoint.")
	}
	item, err := r.testEvent(ctx, v.EnvironmentID, rule)
	if err != nil {
		return nil, err
	}
	outcomes, err := r.accept.Accept(ctx, accept.Request{Items: []accept.Acceptance{item}})
	if err != nil {
		return nil, err //nolint:wrapcheck // classified, or says what it did
	}
	if outcomes[0].EventID == "" {
		return nil, fault.Conflictf("ALERT_NOT_TOLD", "The workflow of the alert rule was not started: %s.", or(watch.Refused(outcomes[0]), "no reason"))
	}
	return usecase.Write(ctx, r.Deps, usecase.WriteIntegrations, func(ctx context.Context, db *ent.Client) (*ent.Event, error) {
		accepted, err := db.Event.Get(ctx, outcomes[0].EventID)
		if err != nil {
			return nil, err
		}
		return accepted, usecase.Audit(ctx, db, "test", rule, nil)
	})
}

func (r *Rules) testEvent(ctx context.Context, environmentID string, rule *ent.AlertRule) (item accept.Acceptance, err error) {
	environment, err := usecase.Read(ctx, r.Deps, usecase.AnyCredential, func(ctx context.Context, db *ent.Client) (*ent.Environment, error) {
		return db.Environment.Get(ctx, environmentID)
	})
	if err != nil {
		return item, err
	}
	told := alerts.Told{
		Notice: alerts.Test, RuleID: rule.ID, Name: rule.Name, Environment: environment.Name, Condition: rule.Condition, Threshold: rule.Threshold,
		WindowMinutes: rule.WindowMinutes, Value: &rule.Threshold, Workflow: rule.Workflow, Integration: rule.Integration, Channel: (*string)(rule.Channel),
	}
	item = watch.Event(environmentID, *rule.NotifyWorkflow, told.Payload(), rule.NotifySubscribers, rule.NotifyTopics)
	item.TransactionID, item.Generated = "alert_test_"+r.NewID(), true
	return item, nil
}
