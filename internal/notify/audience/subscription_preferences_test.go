package audience_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// TestSubscriptionPreferenceBounds holds how many items a subscription may say, and of what.
func TestSubscriptionPreferenceBounds(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	items := func(n int) []audience.SubscriptionPreferenceInput {
		out := make([]audience.SubscriptionPreferenceInput, n)
		for i := range out {
			out[i].WorkflowID = new(fmt.Sprint(i))
		}
		return out
	}
	one := func(item audience.SubscriptionPreferenceInput) []audience.SubscriptionPreferenceInput {
		return []audience.SubscriptionPreferenceInput{item}
	}
	texts, deep := make([]string, audience.MaxGroupFilterValues+1), map[string]any{"var": "x"}
	for range condition.MaxRuleDepth {
		deep = map[string]any{"!": deep}
	}
	for name, c := range map[string]struct {
		items []audience.SubscriptionPreferenceInput
		want  []string
	}{
		"the most":           {items(audience.MaxSubscriptionPreferences), nil},
		"too many":           {items(audience.MaxSubscriptionPreferences + 1), []string{"preferences"}},
		"neither":            {one(audience.SubscriptionPreferenceInput{}), []string{"preferences.0"}},
		"both":               {one(audience.SubscriptionPreferenceInput{WorkflowID: new("w"), Filter: &audience.WorkflowGroupFilter{}}), []string{"preferences.0"}},
		"the most tags":      {one(audience.SubscriptionPreferenceInput{Filter: &audience.WorkflowGroupFilter{Tags: texts[1:]}}), nil},
		"too many tags":      {one(audience.SubscriptionPreferenceInput{Filter: &audience.WorkflowGroupFilter{Tags: texts}}), []string{"preferences.0.filter"}},
		"too many workflows": {one(audience.SubscriptionPreferenceInput{Filter: &audience.WorkflowGroupFilter{WorkflowIDs: texts}}), []string{"preferences.0.filter"}},
		"a deep condition":   {one(audience.SubscriptionPreferenceInput{WorkflowID: new("w"), Condition: deep}), []string{"preferences.0.condition"}},
		"U+0000":             {one(audience.SubscriptionPreferenceInput{WorkflowID: new("w"), Condition: map[string]any{"var": "\x00"}}), []string{"preferences.0.condition"}},
	} {
		_, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u0"}, Preferences: c.items})
		if c.want == nil {
			require.NoError(t, err, name)
			continue
		}
		require.Error(t, err, name)
		got := notifytest.Paths(t, err)
		require.Len(t, got, len(c.want), name)
		require.Contains(t, got[0], c.want[0], name)
	}
}

// TestSubscriptionPreferenceLists narrows items by each filter, and finds and removes single ones.
func TestSubscriptionPreferenceLists(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 2)
	for _, name := range []string{"order", "promo"} {
		a.MakeWorkflow(t, name, nil)
	}
	made, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{
		TopicKey: "news", SubscriberIDs: []string{"u0", "u1"},
		Preferences: []audience.SubscriptionPreferenceInput{{WorkflowID: new("promo"), Enabled: notifytest.No()}, {WorkflowID: new("order")}},
	})
	require.NoError(t, err)
	first := made.Data[0]
	for name, c := range map[string]struct {
		filter *audience.SubscriptionPreferenceFilter
		want   int
	}{
		"none":             {nil, 4},
		"subscription":     {&audience.SubscriptionPreferenceFilter{SubscriptionID: new(first.GlobalID())}, 2},
		"workflow":         {&audience.SubscriptionPreferenceFilter{Workflow: new("order")}, 2},
		"unknown workflow": {&audience.SubscriptionPreferenceFilter{Workflow: new("none")}, 0},
		"enabled":          {&audience.SubscriptionPreferenceFilter{Enabled: notifytest.Yes()}, 2},
		"all of them":      {&audience.SubscriptionPreferenceFilter{SubscriptionID: &first.ID, Workflow: new("promo"), Enabled: notifytest.No()}, 1},
	} {
		n, err := length(a.SubscriptionPreferences.List(a.Ctx, usecase.Page{}, nil, c.filter))
		require.NoError(t, err)
		require.Equal(t, c.want, n, name)
	}
	nested, err := a.SubscriptionPreferences.OfSubscriptions(a.Ctx, []string{first.ID})
	require.NoError(t, err)
	require.Len(t, nested[first.ID], 2)
	require.False(t, nested[first.ID][0].Enabled, "in the order in which they were given")
	item, err := a.SubscriptionPreferences.ByKey(a.Ctx, first.ID, "promo")
	require.NoError(t, err)
	require.Equal(t, nested[first.ID][0].ID, item.ID)
	removed, err := a.SubscriptionPreferences.Delete(a.Ctx, item.GlobalID())
	require.NoError(t, err)
	require.Equal(t, item.ID, removed.ID)
	for _, err := range []error{
		notifytest.Err(a.SubscriptionPreferences.ByKey(a.Ctx, first.ID, "promo")), notifytest.Err(a.SubscriptionPreferences.ByKey(a.Ctx, first.ID, "none")),
		notifytest.Err(a.SubscriptionPreferences.ByKey(a.Ctx, "none", "order")), notifytest.Err(a.SubscriptionPreferences.Delete(a.Ctx, item.ID)),
		notifytest.Err(a.SubscriptionPreferences.List(a.Ctx, usecase.Page{}, nil, &audience.SubscriptionPreferenceFilter{SubscriptionID: new("none")})),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
	require.Equal(t, 3, a.DB.Ent.SubscriptionPreference.Query().CountX(a.Ctx))
}

// TestTenantWorkflows holds what a tenant's override says, and what an absent field leaves.
func TestTenantWorkflows(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	order := a.MakeWorkflow(t, "order", nil)
	for _, identifier := range []string{"acme", "other"} {
		_, err := a.Tenants.Create(a.Ctx, audience.CreateTenantInput{Identifier: identifier})
		require.NoError(t, err)
	}
	set := func(in audience.SetTenantWorkflowInput) error {
		return notifytest.Err(a.TenantWorkflows.Set(a.Ctx, in))
	}
	require.NoError(t, set(audience.SetTenantWorkflowInput{TenantIdentifier: "acme", Workflow: "order", Active: notifytest.No()}))
	require.NoError(t, set(audience.SetTenantWorkflowInput{TenantIdentifier: "acme", Workflow: order.ID, Preferences: &workflow.ChannelPreferences{SMS: notifytest.No()}}))
	require.NoError(t, set(audience.SetTenantWorkflowInput{TenantIdentifier: "other", Workflow: "order"}))
	override, err := a.TenantWorkflows.ByKey(a.Ctx, "acme", "order")
	require.NoError(t, err)
	require.False(t, override.Active, "what is not given stays")
	require.False(t, *override.Preferences.SMS)
	require.Equal(t, 2, a.DB.Ent.TenantWorkflow.Query().CountX(a.Ctx), "one for each tenant and workflow")
	for name, c := range map[string]struct {
		filter *audience.TenantWorkflowFilter
		want   int
	}{
		"none":             {nil, 2},
		"tenant":           {&audience.TenantWorkflowFilter{TenantIdentifier: new("acme")}, 1},
		"unknown tenant":   {&audience.TenantWorkflowFilter{TenantIdentifier: new("none")}, 0},
		"workflow":         {&audience.TenantWorkflowFilter{Workflow: new("order")}, 2},
		"unknown workflow": {&audience.TenantWorkflowFilter{Workflow: new("none")}, 0},
		"switched off":     {&audience.TenantWorkflowFilter{Active: notifytest.No()}, 1},
	} {
		n, err := length(a.TenantWorkflows.List(a.Ctx, usecase.Page{}, nil, c.filter))
		require.NoError(t, err)
		require.Equal(t, c.want, n, name)
	}
	_, err = a.TenantWorkflows.Delete(a.Ctx, override.GlobalID())
	require.NoError(t, err)
	for _, err := range []error{
		set(audience.SetTenantWorkflowInput{TenantIdentifier: "none", Workflow: "order"}), set(audience.SetTenantWorkflowInput{TenantIdentifier: "acme", Workflow: "none"}),
		notifytest.Err(a.TenantWorkflows.ByKey(a.Ctx, "acme", "order")), notifytest.Err(a.TenantWorkflows.ByKey(a.Ctx, "acme", "none")),
		notifytest.Err(a.TenantWorkflows.Delete(a.Ctx, override.ID)), notifytest.Err(a.TenantWorkflows.Get(a.Ctx, "none")),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
}

// TestPreferenceChanges holds that each change of a wish is kept, and how the changes are narrowed.
func TestPreferenceChanges(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 2)
	a.MakeWorkflow(t, "order", nil)
	for _, subscriberID := range []string{"u0", "u1"} {
		_, err := a.Preferences.SetGlobal(a.Ctx, audience.SetGlobalPreferencesInput{SubscriberID: subscriberID, Channels: &workflow.ChannelPreferences{Push: notifytest.No()}})
		require.NoError(t, err)
	}
	for _, keys := range []map[string]any{nil, {"region": "eu"}} {
		_, err := a.Preferences.Update(a.Ctx, audience.UpdatePreferencesInput{SubscriberID: "u0", Context: keys, Preferences: []audience.WorkflowPreferenceInput{
			{WorkflowID: "order", Channels: workflow.ChannelPreferences{Email: notifytest.No()}},
		}})
		require.NoError(t, err)
	}
	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *audience.PreferenceChangeFilter
		want   int
	}{
		"none":             {nil, 4},
		"subscriber":       {&audience.PreferenceChangeFilter{SubscriberID: new("u0")}, 3},
		"unknown":          {&audience.PreferenceChangeFilter{SubscriberID: new("u9")}, 0},
		"workflow":         {&audience.PreferenceChangeFilter{Workflow: new("order")}, 2},
		"unknown workflow": {&audience.PreferenceChangeFilter{Workflow: new("none")}, 0},
		"context":          {&audience.PreferenceChangeFilter{ContextKeys: []string{"region:eu"}}, 1},
		"without context":  {&audience.PreferenceChangeFilter{ContextKeys: []string{}, SubscriberID: new("u0")}, 2},
		"created after":    {&audience.PreferenceChangeFilter{CreatedAfter: &hour}, 0},
		"created before":   {&audience.PreferenceChangeFilter{CreatedBefore: &hour}, 4},
	} {
		n, err := length(a.PreferenceChanges.List(a.Ctx, usecase.Page{}, nil, c.filter))
		require.NoError(t, err)
		require.Equal(t, c.want, n, name)
	}
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.PreferenceChanges.Get(a.Ctx, "none")))
	one := a.DB.Ent.PreferenceChange.Query().FirstX(a.Ctx)
	same, err := a.PreferenceChanges.Get(a.Ctx, one.GlobalID())
	require.NoError(t, err)
	require.Equal(t, one.ID, same.ID)
}
