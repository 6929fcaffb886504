// Package alerts owns the use cases of alert rules and their incidents (decisions.md §20).
package alerts

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/alertrule"
	"github.com/carillon/carillon/ent/integration"
	entworkflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgalert"
	"github.com/carillon/carillon/internal/workflow"
)

// Services are the use cases of this package.
type Services struct {
	AlertRules     *Rules
	AlertIncidents *Incidents
}

// New builds the use cases.
func New(b usecase.Deps, cfg usecase.Config) Services {
	return Services{AlertRules: &Rules{b, cfg.Accept}, AlertIncidents: &Incidents{b}}
}

// Rules are the use cases of alert rules.
type Rules struct {
	usecase.Deps
	accept usecase.Acceptor
}

// MaxRules is how many alert rules an environment may have: each is evaluated every minute or every five.
const MaxRules = 50

// AlertRuleConnection is a page of rules.
type AlertRuleConnection = usecase.Connection[ent.AlertRule]

// AlertRuleEdge is one rule of a page.
type AlertRuleEdge = usecase.Edge[ent.AlertRule]

// List is a page of rules.
func (r *Rules) List(ctx context.Context, page usecase.Page, order *usecase.Order) (*AlertRuleConnection, error) {
	return usecase.Read(ctx, r.Deps, usecase.ReadIntegrations, func(ctx context.Context, db *ent.Client) (*AlertRuleConnection, error) {
		return usecase.Paginate(ctx, db.AlertRule.Query(), nil, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one rule by its global or internal id.
func (r *Rules) Get(ctx context.Context, globalID string) (*ent.AlertRule, error) {
	recordID, err := usecase.RecordID("AlertRule", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, r.Deps, usecase.ReadIntegrations, func(ctx context.Context, db *ent.Client) (*ent.AlertRule, error) {
		found, err := db.AlertRule.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Alert rule %s was not found.", globalID)
	})
}

// CreateAlertRuleInput describes a new rule.
type CreateAlertRuleInput struct {
	Name                string
	Condition           workflow.AlertCondition
	Workflow            *string
	Integration         *string
	Channel             *workflow.Channel
	Threshold           *float64
	RecoverBelow        *float64
	Minimum             *int
	WindowMinutes       *int
	OpenAfterMinutes    *int
	RecoverAfterMinutes *int
	RemindAfterMinutes  *int
	NotifyWorkflow      *string
	NotifySubscribers   []string
	NotifyTopics        []string
	Pause               *bool
	Enabled             *bool
}

// Create makes a rule. It is evaluated within a minute.
func (r *Rules) Create(ctx context.Context, in CreateAlertRuleInput) (*ent.AlertRule, error) {
	t := newTerms(&in)
	if err := t.check(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, r.Deps, usecase.WriteIntegrations, func(ctx context.Context, db *ent.Client) (*ent.AlertRule, error) {
		if err := t.mayPause(ctx); err != nil {
			return nil, err
		}
		full := fault.BadRequestf("TOO_MANY_ALERT_RULES", "An environment has at most %d alert rules.", MaxRules)
		if err := usecase.CheckRoom(ctx, alertrule.Table, MaxRules, db.AlertRule.Query().Count, full); err != nil {
			return nil, err
		}
		if err := exist(ctx, db, t); err != nil {
			return nil, err
		}
		create := db.AlertRule.Create().SetCondition(in.Condition).SetNillableWorkflow(in.Workflow).SetNillableIntegration(in.Integration).
			SetNillableChannel(in.Channel).SetName(t.Name).SetThreshold(t.Threshold).SetNillableRecoverBelow(t.RecoverBelow).SetMinimum(t.Minimum).
			SetWindowMinutes(t.WindowMinutes).SetOpenAfterMinutes(t.OpenAfterMinutes).SetRecoverAfterMinutes(t.RecoverAfterMinutes).
			SetNillableRemindAfterMinutes(t.RemindAfterMinutes).SetNillableNotifyWorkflow(t.NotifyWorkflow).
			SetNotifySubscribers(t.NotifySubscribers).SetNotifyTopics(t.NotifyTopics).SetPause(t.Pause).SetEnabled(t.Enabled)
		if t.Enabled {
			create.SetDueAt(r.Stamp())
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, err
		}
		return created, usecase.Audit(ctx, db, "create", created, t.changes(created))
	})
}

// exist checks that what a rule names is there, and that a pause can hold it.
func exist(ctx context.Context, db *ent.Client, t *terms) error {
	var problems fault.Problems
	for field, identifier := range map[string]*string{"workflow": t.workflow, "notifyWorkflow": t.NotifyWorkflow} {
		if identifier == nil {
			continue
		}
		switch found, err := db.Workflow.Query().Where(entworkflow.Identifier(*identifier), entworkflow.Deleted(false)).Exist(ctx); {
		case err != nil:
			return err
		case !found:
			problems.Add(field, *identifier, "names no workflow")
		}
	}
	if t.integration != nil {
		switch found, err := db.Integration.Query().Where(integration.Identifier(*t.integration), integration.Deleted(false)).Only(ctx); {
		case ent.IsNotFound(err):
			problems.Add("integration", *t.integration, "names no integration")
		case err != nil:
			return err
		case t.Pause && found.Channel == workflow.ChannelInApp:
			problems.Add("pause", true, "does not hold in-app messages, which are stored by their step; watch the workflow")
		}
	}
	return problems.Err()
}

// SilenceAlertRuleInput says which rule is silenced, and until when; nil: no longer.
type SilenceAlertRuleInput struct {
	ID    string
	Until *time.Time
}

// Silence silences a rule until an instant, or ends its silence.
func (r *Rules) Silence(ctx context.Context, in SilenceAlertRuleInput) (*ent.AlertRule, error) {
	until := in.Until
	if until != nil && (!until.After(r.Now()) || until.After(r.Now().Add(maxSilence))) {
		return nil, fault.Invalidf("until", "must be in the future, at most 30 days from now")
	}
	return r.change(ctx, usecase.RepairDelivery, in.ID, func(ctx context.Context, db *ent.Client, found *ent.AlertRule) (*ent.AlertRule, error) {
		change := found.Update()
		if until == nil {
			change.ClearSilencedUntil()
		} else {
			change.SetSilencedUntil(until.UTC())
		}
		silenced, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return silenced, usecase.Audit(ctx, db, "silence", silenced, map[string]any{"until": until})
	})
}

// Delete removes a rule with its incidents. One that is open is closed before, so that webhook endpoints learn of its end.
func (r *Rules) Delete(ctx context.Context, globalID string) (*ent.AlertRule, error) {
	return r.change(ctx, usecase.WriteIntegrations, globalID, func(ctx context.Context, db *ent.Client, found *ent.AlertRule) (*ent.AlertRule, error) {
		if err := pgalert.CloseIncident(ctx, r.Reader(ctx), found.ID, r.Stamp()); err != nil {
			return nil, err
		}
		if err := db.AlertRule.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"name": found.Name})
	})
}

// change runs fn on a rule of the viewer's environment, in one transaction that keeps evaluations from changing it.
func (r *Rules) change(ctx context.Context, need usecase.Need, globalID string, fn func(context.Context, *ent.Client, *ent.AlertRule) (*ent.AlertRule, error)) (*ent.AlertRule, error) {
	recordID, err := usecase.RecordID("AlertRule", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, r.Deps, need, func(ctx context.Context, db *ent.Client) (*ent.AlertRule, error) {
		found, err := db.AlertRule.Query().Where(alertrule.ID(recordID)).ForUpdate().Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "Alert rule %s was not found.", globalID)
		}
		return fn(ctx, db, found)
	})
}
