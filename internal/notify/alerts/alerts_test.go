package alerts_test

import (
	"context"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/alerts"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

func rule(change func(*alerts.CreateAlertRuleInput)) alerts.CreateAlertRuleInput {
	in := alerts.CreateAlertRuleInput{Name: "Failures", Condition: workflow.AlertFailureRate, Threshold: new(5.0)}
	if change != nil {
		change(&in)
	}
	return in
}

// TestRuleBounds holds what a rule may say, and how many there may be.
func TestRuleBounds(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	email := workflow.ChannelEmail
	for name, c := range map[string]struct {
		change func(*alerts.CreateAlertRuleInput)
		want   []string
	}{
		"no name":            {func(in *alerts.CreateAlertRuleInput) { in.Name = "" }, []string{"name"}},
		"no threshold":       {func(in *alerts.CreateAlertRuleInput) { in.Threshold = nil }, []string{"threshold"}},
		"above all":          {func(in *alerts.CreateAlertRuleInput) { in.Threshold = new(101.0) }, []string{"threshold"}},
		"recovers above":     {func(in *alerts.CreateAlertRuleInput) { in.RecoverBelow = new(6.0) }, []string{"recoverBelow"}},
		"a long window":      {func(in *alerts.CreateAlertRuleInput) { in.WindowMinutes = new(1441) }, []string{"windowMinutes"}},
		"two scopes":         {func(in *alerts.CreateAlertRuleInput) { in.Channel, in.Workflow = &email, new("flow") }, []string{"condition"}},
		"reminds too often":  {func(in *alerts.CreateAlertRuleInput) { in.RemindAfterMinutes = new(4) }, []string{"remindAfterMinutes"}},
		"without recipients": {func(in *alerts.CreateAlertRuleInput) { in.NotifyWorkflow = new("flow") }, []string{"notifySubscribers"}},
		"nothing that tells": {func(in *alerts.CreateAlertRuleInput) { in.NotifySubscribers = []string{"ops"} }, []string{"notifyWorkflow"}},
		"no such workflow":   {func(in *alerts.CreateAlertRuleInput) { in.Workflow = new("gone") }, []string{"workflow"}},
		"a lag of a channel": {func(in *alerts.CreateAlertRuleInput) { in.Condition, in.Channel = workflow.AlertLag, &email }, []string{"condition"}},
		"a window of a lag":  {func(in *alerts.CreateAlertRuleInput) { in.Condition, in.WindowMinutes = workflow.AlertLag, new(5) }, []string{"windowMinutes"}},
		"a pause of a lag":   {func(in *alerts.CreateAlertRuleInput) { in.Condition, in.Pause = workflow.AlertLag, new(true) }, []string{"pause"}},
		"a pause of an inbox": {func(in *alerts.CreateAlertRuleInput) {
			inbox := workflow.ChannelInApp
			in.Channel, in.Pause = &inbox, new(true)
		}, []string{"pause"}},
		"a pause that holds all notices": {func(in *alerts.CreateAlertRuleInput) {
			in.Pause, in.NotifyWorkflow, in.NotifySubscribers = new(true), new("flow"), []string{"ops"}
		}, []string{"notifyWorkflow"}},
		"a pause that holds its notice": {func(in *alerts.CreateAlertRuleInput) {
			in.Pause, in.Workflow, in.NotifyWorkflow, in.NotifySubscribers = new(true), new("flow"), new("flow"), []string{"ops"}
		}, []string{"notifyWorkflow"}},
		"a volume of one subscriber above all": {func(in *alerts.CreateAlertRuleInput) {
			in.Condition, in.Threshold = workflow.AlertSubscriberVolume, new(10_001.0)
		}, []string{"threshold"}},
		"a health of a workflow": {func(in *alerts.CreateAlertRuleInput) {
			in.Condition, in.Workflow = workflow.AlertUnhealthyIntegration, new("flow")
		}, []string{"workflow"}},
		"a volume of a workflow": {func(in *alerts.CreateAlertRuleInput) {
			in.Condition, in.Workflow, in.Threshold = workflow.AlertVolume, new("flow"), new(50_001.0)
		}, []string{"threshold"}},
	} {
		require.Equal(t, c.want, notifytest.Paths(t, notifytest.Err(a.AlertRules.Create(a.Ctx, rule(c.change)))), name)
	}
	for range alerts.MaxRules {
		_, err := a.AlertRules.Create(a.Ctx, rule(nil))
		require.NoError(t, err)
	}
	require.ErrorContains(t, notifytest.Err(a.AlertRules.Create(a.Ctx, rule(nil))), "at most 50")
}

// TestRulesChange: what is left out stays, null clears, and disabling a firing rule closes its incident.
func TestRulesChange(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made, err := a.AlertRules.Create(a.Ctx, rule(func(in *alerts.CreateAlertRuleInput) { in.RecoverBelow, in.RemindAfterMinutes = new(2.0), new(30) }))
	require.NoError(t, err)
	require.Equal(t, []int{20, 15, 5}, []int{made.Minimum, made.WindowMinutes, made.RecoverAfterMinutes}, "what is left out")
	require.NotNil(t, made.DueAt)
	changed, err := a.AlertRules.Update(a.Ctx, alerts.UpdateAlertRuleInput{ID: made.GlobalID(), Threshold: new(7.0), RecoverBelow: graphql.OmittableOf[*float64](nil)})
	require.NoError(t, err)
	require.Equal(t, []any{7.0, (*float64)(nil), 30}, []any{changed.Threshold, changed.RecoverBelow, *changed.RemindAfterMinutes})

	require.Error(t, notifytest.Err(a.AlertRules.Silence(a.Ctx, alerts.SilenceAlertRuleInput{ID: made.ID, Until: new(a.Now.Add(31 * 24 * time.Hour))})))
	silenced, err := a.AlertRules.Silence(a.Ctx, alerts.SilenceAlertRuleInput{ID: made.ID, Until: new(a.Now.Add(time.Hour))})
	require.NoError(t, err)
	require.NotNil(t, silenced.SilencedUntil)

	incident := a.DB.Ent.AlertIncident.Create().SetRuleID(made.ID).SetOpenedAt(a.Now).SetValue(9).SetPeak(9).SetThreshold(7).SaveX(a.Ctx)
	require.NoError(t, a.DB.Ent.AlertRule.UpdateOneID(made.ID).SetState(workflow.AlertFiring).SetIncidentID(incident.ID).Exec(a.Ctx))
	open, err := a.AlertIncidents.List(a.Ctx, usecase.Page{}, &alerts.AlertIncidentFilter{RuleID: new(made.GlobalID()), Open: new(true)})
	require.NoError(t, err)
	require.Len(t, open.Edges, 1)
	disabled, err := a.AlertRules.Update(a.Ctx, alerts.UpdateAlertRuleInput{ID: made.ID, Enabled: new(false)})
	require.NoError(t, err)
	require.Equal(t, workflow.AlertOK, disabled.State)
	require.Nil(t, disabled.DueAt)
	require.Equal(t, workflow.AlertDisabled, *a.DB.Ent.AlertIncident.GetX(a.Ctx, incident.ID).Ended)
	_, err = a.AlertRules.Delete(a.Ctx, made.ID)
	require.NoError(t, err)
	require.Zero(t, a.DB.Ent.AlertIncident.Query().CountX(a.Ctx))
}

// TestWhoMayChangeRules: editors silence, administrators set up.
func TestWhoMayChangeRules(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made, err := a.AlertRules.Create(a.Ctx, rule(nil))
	require.NoError(t, err)
	editor := viewer.NewContext(t.Context(), viewer.Viewer{Scope: a.Scope, Role: viewer.RoleEditor, UserID: "ada"})
	notifytest.RequireRefused(t, true, notifytest.Err(a.AlertRules.Create(editor, rule(nil))), "create")
	notifytest.RequireRefused(t, true, notifytest.Err(a.AlertRules.Test(editor, made.ID)), "test")
	_, err = a.AlertRules.Silence(editor, alerts.SilenceAlertRuleInput{ID: made.ID})
	require.NoError(t, err)
	_, err = a.AlertRules.Test(a.Ctx, made.ID)
	require.ErrorContains(t, err, "names no workflow")
}

// TestWhoMayPauseByRule: a rule that pauses takes the right to pause by hand, also for changing one.
func TestWhoMayPauseByRule(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	with := func(grants ...viewer.Grant) context.Context {
		return viewer.NewContext(t.Context(), viewer.Viewer{Scope: a.Scope, Role: viewer.RoleKey, Grants: viewer.GrantsOf(grants...), APIKeyID: "k"})
	}
	integrations, both := with(viewer.GrantIntegrations), with(viewer.GrantIntegrations, viewer.GrantActivity)
	pausing := rule(func(in *alerts.CreateAlertRuleInput) { in.Pause = new(true) })
	notifytest.RequireKind(t, fault.Forbidden, notifytest.Err(a.AlertRules.Create(integrations, pausing)))
	made, err := a.AlertRules.Create(both, pausing)
	require.NoError(t, err)
	lower := alerts.UpdateAlertRuleInput{ID: made.ID, Threshold: new(1.0)}
	notifytest.RequireKind(t, fault.Forbidden, notifytest.Err(a.AlertRules.Update(integrations, lower)))
	require.NoError(t, notifytest.Err(a.AlertRules.Update(both, lower)))
	plain, err := a.AlertRules.Create(integrations, rule(nil))
	require.NoError(t, err)
	notifytest.RequireKind(t, fault.Forbidden, notifytest.Err(a.AlertRules.Update(integrations, alerts.UpdateAlertRuleInput{ID: plain.ID, Pause: new(true)})))
}
