package alerts

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgalert"
	"github.com/carillon/carillon/internal/workflow"
)

// Bounds of rules.
const (
	maxName       = 200         // characters
	maxWindow     = 24 * 60     // minutes
	maxWait       = 24 * 60     // minutes before a rule opens or recovers
	minReminder   = 5           // minutes
	maxReminder   = 7 * 24 * 60 // minutes
	maxMinimum    = 10_000      // messages, as many as a failure rate looks at
	maxRecipients = 20          // subscribers, and topics
	maxIdentifier = 255         // bytes
	maxSilence    = 30 * 24 * time.Hour
)

// thresholds bound the thresholds of each condition, in its unit. What is counted up to a volume of one workflow is found run by run.
var thresholds = map[workflow.AlertCondition]float64{
	workflow.AlertFailureRate: 100, workflow.AlertUnhealthyIntegration: 100, workflow.AlertLag: 7 * 24 * 3600, workflow.AlertNoMessages: 31 * 24 * 60,
	workflow.AlertVolume: 500_000, workflow.AlertSubscriberVolume: 10_000,
}

const maxWorkflowVolume = 50_000

// terms are what a rule says and may change.
type terms struct {
	condition           workflow.AlertCondition
	workflow            *string
	integration         *string
	channel             *workflow.Channel
	Name                string
	Threshold           float64
	RecoverBelow        *float64
	Minimum             int
	WindowMinutes       int
	OpenAfterMinutes    int
	RecoverAfterMinutes int
	RemindAfterMinutes  *int
	NotifyWorkflow      *string
	NotifySubscribers   []string
	NotifyTopics        []string
	Pause               bool
	Enabled             bool
}

// What is left out of a new rule.
const (
	defaultMinimum      = 20
	defaultWindow       = 15
	defaultRecoverAfter = 5
)

func newTerms(in *CreateAlertRuleInput) *terms {
	t := &terms{
		condition: in.Condition, workflow: in.Workflow, integration: in.Integration, channel: in.Channel, Name: in.Name, RecoverBelow: in.RecoverBelow,
		OpenAfterMinutes: or(in.OpenAfterMinutes, 0), RecoverAfterMinutes: or(in.RecoverAfterMinutes, defaultRecoverAfter),
		RemindAfterMinutes: in.RemindAfterMinutes, NotifyWorkflow: in.NotifyWorkflow, NotifySubscribers: distinct(in.NotifySubscribers),
		NotifyTopics: distinct(in.NotifyTopics), Pause: or(in.Pause, false), Enabled: or(in.Enabled, true), Threshold: or(in.Threshold, 0), Minimum: or(in.Minimum, 0),
		WindowMinutes: or(in.WindowMinutes, 0),
	}
	if in.Threshold == nil && in.Condition == workflow.AlertUnhealthyIntegration {
		t.Threshold = 1
	}
	if in.Minimum == nil && in.Condition == workflow.AlertFailureRate {
		t.Minimum = defaultMinimum
	}
	if in.WindowMinutes == nil && in.Condition.Windowed() {
		t.WindowMinutes = defaultWindow
	}
	return t
}

func or[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

func distinct(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return append([]string{}, slices.Compact(out)...)
}

// termsOf are those of a stored rule.
func termsOf(r *ent.AlertRule) *terms {
	return &terms{
		condition: r.Condition, workflow: r.Workflow, integration: r.Integration, channel: r.Channel, Name: r.Name, Threshold: r.Threshold,
		RecoverBelow: r.RecoverBelow, Minimum: r.Minimum, WindowMinutes: r.WindowMinutes, OpenAfterMinutes: r.OpenAfterMinutes,
		RecoverAfterMinutes: r.RecoverAfterMinutes, RemindAfterMinutes: r.RemindAfterMinutes, NotifyWorkflow: r.NotifyWorkflow,
		NotifySubscribers: r.NotifySubscribers, NotifyTopics: r.NotifyTopics, Pause: r.Pause, Enabled: r.Enabled,
	}
}

// check returns all that is wrong with terms.
func (t *terms) check() error {
	var problems fault.Problems
	if n := utf8.RuneCountInString(t.Name); n == 0 || n > maxName {
		problems.Add("name", t.Name, "must be 1 to 200 characters")
	}
	t.checkScope(&problems)
	t.checkThreshold(&problems)
	between(&problems, "openAfterMinutes", t.OpenAfterMinutes, 0, maxWait)
	between(&problems, "recoverAfterMinutes", t.RecoverAfterMinutes, 0, maxWait)
	if t.RemindAfterMinutes != nil {
		between(&problems, "remindAfterMinutes", *t.RemindAfterMinutes, minReminder, maxReminder)
	}
	t.checkRecipients(&problems)
	t.checkPause(&problems)
	return problems.Err()
}

func between(problems *fault.Problems, field string, value, least, most int) {
	if value < least || value > most {
		problems.Add(field, value, "must be between %d and %d", least, most)
	}
}

func (t *terms) checkScope(problems *fault.Problems) {
	named := 0
	for _, given := range []bool{t.workflow != nil, t.integration != nil, t.channel != nil} {
		if given {
			named++
		}
	}
	switch {
	case t.condition == workflow.AlertLag && named > 0:
		problems.Add("condition", t.condition, "is about the whole environment: name no workflow, integration or channel")
	case t.condition == workflow.AlertUnhealthyIntegration && t.workflow != nil:
		problems.Add("workflow", *t.workflow, "has no meaning for this condition")
	case named > 1:
		problems.Add("condition", t.condition, "is narrowed by one of workflow, integration and channel")
	}
}

func (t *terms) checkThreshold(problems *fault.Problems) {
	most := thresholds[t.condition]
	if t.condition == workflow.AlertVolume && t.workflow != nil {
		most = maxWorkflowVolume
	}
	if !(t.Threshold > 0 && t.Threshold <= most) {
		problems.Add("threshold", t.Threshold, "must be above 0 and at most %.0f", most)
	}
	if t.RecoverBelow != nil && !(*t.RecoverBelow > 0 && *t.RecoverBelow <= t.Threshold) {
		problems.Add("recoverBelow", *t.RecoverBelow, "must be above 0 and at most the threshold")
	}
	if t.condition.Windowed() {
		between(problems, "windowMinutes", t.WindowMinutes, 1, maxWindow)
	} else if t.WindowMinutes != 0 {
		problems.Add("windowMinutes", t.WindowMinutes, "has no meaning for this condition")
	}
	if t.condition == workflow.AlertFailureRate {
		between(problems, "minimum", t.Minimum, 1, maxMinimum)
	} else if t.Minimum != 0 {
		problems.Add("minimum", t.Minimum, "has no meaning for this condition")
	}
}

func (t *terms) checkRecipients(problems *fault.Problems) {
	recipients := len(t.NotifySubscribers) + len(t.NotifyTopics)
	switch {
	case t.NotifyWorkflow != nil && recipients == 0:
		problems.Add("notifySubscribers", nil, "or notifyTopics must name whom the workflow notifies")
	case t.NotifyWorkflow == nil && recipients > 0:
		problems.Add("notifyWorkflow", nil, "is required when subscribers or topics are named")
	case recipients > maxRecipients:
		problems.Add("notifySubscribers", recipients, "and notifyTopics name at most %d", maxRecipients)
	}
	for _, subscriber := range t.NotifySubscribers {
		if subscriber == "" || len(subscriber) > maxIdentifier {
			problems.Add("notifySubscribers", subscriber, "must be 1 to 255 bytes each")
		}
	}
	for _, topic := range t.NotifyTopics {
		if !workflow.ValidTopicKey(topic) {
			problems.Add("notifyTopics", topic, "must be topic keys")
		}
	}
}

// checkPause refuses a pause that could not hold what the rule watches, or would hold the notice that tells of it.
func (t *terms) checkPause(problems *fault.Problems) {
	switch {
	case !t.Pause:
	case !t.condition.Windowed():
		problems.Add("pause", true, "has no meaning for this condition")
	case t.condition == workflow.AlertSubscriberVolume: // it pauses single subscribers, on every channel
	case t.channel != nil && *t.channel == workflow.ChannelInApp:
		problems.Add("pause", true, "does not hold in-app messages, which are stored by their step; watch the workflow")
	case t.NotifyWorkflow == nil:
	case t.workflow == nil && t.integration == nil && t.channel == nil:
		problems.Add("notifyWorkflow", *t.NotifyWorkflow, "would be held: the rule pauses the whole environment; use a webhook endpoint")
	case t.workflow != nil && *t.workflow == *t.NotifyWorkflow:
		problems.Add("notifyWorkflow", *t.NotifyWorkflow, "would be held: the rule pauses it")
	}
}

// mayPause refuses a rule that pauses to those who may not pause by hand.
func (t *terms) mayPause(ctx context.Context) error {
	if !t.Pause {
		return nil
	}
	_, err := usecase.Require(ctx, usecase.ManageEnvironment)
	return err
}

// changes are what the audit notes.
func (t *terms) changes(r *ent.AlertRule) map[string]any {
	return map[string]any{
		"name": t.Name, "condition": r.Condition, "workflow": r.Workflow, "integration": r.Integration, "channel": r.Channel, "threshold": t.Threshold,
		"recoverBelow": t.RecoverBelow, "minimum": t.Minimum, "windowMinutes": t.WindowMinutes, "openAfterMinutes": t.OpenAfterMinutes,
		"recoverAfterMinutes": t.RecoverAfterMinutes, "remindAfterMinutes": t.RemindAfterMinutes, "notifyWorkflow": t.NotifyWorkflow,
		"notifySubscribers": t.NotifySubscribers, "notifyTopics": t.NotifyTopics, "pause": t.Pause, "enabled": t.Enabled,
	}
}

// UpdateAlertRuleInput changes a rule; absent fields stay. What it watches stays for good.
type UpdateAlertRuleInput struct {
	ID                  string
	Name                *string
	Threshold           *float64
	RecoverBelow        graphql.Omittable[*float64]
	Minimum             *int
	WindowMinutes       *int
	OpenAfterMinutes    *int
	RecoverAfterMinutes *int
	RemindAfterMinutes  graphql.Omittable[*int]
	NotifyWorkflow      graphql.Omittable[*string]
	NotifySubscribers   []string
	NotifyTopics        []string
	Pause               *bool
	Enabled             *bool
}

// apply puts the changes of an update into terms.
func (in *UpdateAlertRuleInput) apply(t *terms) {
	t.Name, t.Threshold, t.Minimum, t.WindowMinutes = or(in.Name, t.Name), or(in.Threshold, t.Threshold), or(in.Minimum, t.Minimum), or(in.WindowMinutes, t.WindowMinutes)
	t.OpenAfterMinutes, t.RecoverAfterMinutes = or(in.OpenAfterMinutes, t.OpenAfterMinutes), or(in.RecoverAfterMinutes, t.RecoverAfterMinutes)
	t.Pause, t.Enabled = or(in.Pause, t.Pause), or(in.Enabled, t.Enabled)
	if given, set := in.RecoverBelow.ValueOK(); set {
		t.RecoverBelow = given
	}
	if given, set := in.RemindAfterMinutes.ValueOK(); set {
		t.RemindAfterMinutes = given
	}
	if given, set := in.NotifyWorkflow.ValueOK(); set {
		t.NotifyWorkflow = given
	}
	if in.NotifySubscribers != nil {
		t.NotifySubscribers = distinct(in.NotifySubscribers)
	}
	if in.NotifyTopics != nil {
		t.NotifyTopics = distinct(in.NotifyTopics)
	}
}

// Update changes a rule. Disabling it closes its incident.
func (r *Rules) Update(ctx context.Context, in UpdateAlertRuleInput) (*ent.AlertRule, error) {
	return r.change(ctx, usecase.WriteIntegrations, in.ID, func(ctx context.Context, db *ent.Client, found *ent.AlertRule) (*ent.AlertRule, error) {
		t := termsOf(found)
		in.apply(t)
		if err := t.mayPause(ctx); err != nil {
			return nil, err
		}
		if err := t.check(); err != nil {
			return nil, err
		}
		if err := in.exist(ctx, db, *t); err != nil {
			return nil, err
		}
		change := t.write(found.Update())
		switch {
		case !t.Enabled && found.Enabled:
			if err := pgalert.CloseIncident(ctx, r.Reader(ctx), found.ID, r.Stamp()); err != nil {
				return nil, err
			}
			change.ClearDueAt().SetState(workflow.AlertOK).ClearBreachingSince().ClearRecoveringSince().ClearIncidentID().ClearValue()
		case t.Enabled:
			change.SetDueAt(r.Stamp())
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, t.changes(updated))
	})
}

// exist checks that what an update names is there. What the rule watches may be gone by now, unless it is to be paused from now on.
func (in *UpdateAlertRuleInput) exist(ctx context.Context, db *ent.Client, t terms) error {
	if _, set := in.NotifyWorkflow.ValueOK(); !set {
		t.NotifyWorkflow = nil
	}
	if !or(in.Pause, false) {
		t.workflow, t.integration = nil, nil
	}
	return exist(ctx, db, &t)
}

// write puts terms into an update.
func (t *terms) write(change *ent.AlertRuleUpdateOne) *ent.AlertRuleUpdateOne {
	change.SetName(t.Name).SetThreshold(t.Threshold).SetMinimum(t.Minimum).SetWindowMinutes(t.WindowMinutes).SetOpenAfterMinutes(t.OpenAfterMinutes).
		SetRecoverAfterMinutes(t.RecoverAfterMinutes).SetNotifySubscribers(t.NotifySubscribers).SetNotifyTopics(t.NotifyTopics).SetPause(t.Pause).SetEnabled(t.Enabled)
	setOrClear(t.RecoverBelow, change.SetRecoverBelow, change.ClearRecoverBelow)
	setOrClear(t.RemindAfterMinutes, change.SetRemindAfterMinutes, change.ClearRemindAfterMinutes)
	setOrClear(t.NotifyWorkflow, change.SetNotifyWorkflow, change.ClearNotifyWorkflow)
	return change
}

func setOrClear[V, B any](value *V, set func(V) B, unset func() B) {
	if value == nil {
		unset()
	} else {
		set(*value)
	}
}
