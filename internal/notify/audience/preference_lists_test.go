package audience_test

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestStoredPreferences lists and finds what subscribers stored, by level, workflow and context set.
func TestStoredPreferences(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 2)
	order := a.MakeWorkflow(t, "order", nil)
	a.MakeWorkflow(t, "promo", nil)
	global := func(subscriberID string, context map[string]any) {
		_, err := a.Preferences.SetGlobal(a.Ctx, audience.SetGlobalPreferencesInput{
			SubscriberID: subscriberID, Channels: &workflow.ChannelPreferences{Push: notifytest.No()}, Context: context,
		})
		require.NoError(t, err)
	}
	wish := func(subscriberID, workflowID string, context map[string]any) {
		_, err := a.Preferences.Update(a.Ctx, audience.UpdatePreferencesInput{SubscriberID: subscriberID, Context: context, Preferences: []audience.WorkflowPreferenceInput{
			{WorkflowID: workflowID, Channels: workflow.ChannelPreferences{Email: notifytest.No()}},
		}})
		require.NoError(t, err)
	}
	eu := map[string]any{"region": "eu"}
	global("u0", nil)
	global("u1", eu)
	wish("u0", "order", nil)
	wish("u0", "promo", nil)
	wish("u0", order.ID, eu)

	template, globally := audience.LevelTemplate, audience.LevelGlobal
	for name, c := range map[string]struct {
		filter *audience.PreferenceFilter
		want   int
	}{
		"all":                {nil, 5},
		"subscriber":         {&audience.PreferenceFilter{SubscriberID: new("u0")}, 4},
		"unknown subscriber": {&audience.PreferenceFilter{SubscriberID: new("none")}, 0},
		"workflow":           {&audience.PreferenceFilter{Workflow: new("order")}, 2},
		"unknown workflow":   {&audience.PreferenceFilter{Workflow: new("none")}, 0},
		"global":             {&audience.PreferenceFilter{Level: &globally}, 2},
		"of workflows":       {&audience.PreferenceFilter{Level: &template}, 3},
		"no such":            {&audience.PreferenceFilter{Level: &globally, Workflow: new("order")}, 0},
		"in a context":       {&audience.PreferenceFilter{ContextKeys: []string{"region:eu"}}, 2},
		"without context":    {&audience.PreferenceFilter{ContextKeys: []string{}}, 3},
		"malformed context":  {&audience.PreferenceFilter{ContextKeys: []string{"eu"}}, 0},
	} {
		page, err := a.Preferences.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err, name)
		require.Len(t, page.Edges, c.want, name)
	}

	found, err := a.Preferences.ByKey(a.Ctx, audience.PreferenceKey{SubscriberID: "u0", Workflow: new("order"), ContextKeys: []string{"region:eu"}})
	require.NoError(t, err)
	require.Equal(t, order.ID, found.WorkflowID)
	same, err := a.Preferences.Get(a.Ctx, found.GlobalID())
	require.NoError(t, err)
	require.Equal(t, found.ID, same.ID)
	for name, key := range map[string]audience.PreferenceKey{
		"another context":    {SubscriberID: "u0", Workflow: new("promo"), ContextKeys: []string{"region:eu"}},
		"no global wish":     {SubscriberID: "u1"},
		"unknown workflow":   {SubscriberID: "u0", Workflow: new("none")},
		"unknown subscriber": {SubscriberID: "none"},
	} {
		require.Equal(t, fault.NotFound, fault.KindOf(notifytest.Err(a.Preferences.ByKey(a.Ctx, key))), name)
	}

	_, err = a.Preferences.Delete(a.Ctx, found.ID)
	require.NoError(t, err)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Preferences.Get(a.Ctx, found.ID)))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Preferences.Delete(a.OtherEnvironment(t), same.ID)))
}

// TestSummaries: lists show what workflows are called, those of the own environment.
func TestSummaries(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	order := a.MakeWorkflow(t, "order", critical)
	found, err := a.Preferences.Summaries(a.Ctx, []string{order.ID, "000000000000000000000000"})
	require.NoError(t, err)
	require.Len(t, found, 1)
	got := found[order.ID]
	require.Equal(t, []any{order.ID, "order", "order", true}, []any{got.ID, got.Identifier, got.Name, got.Critical})
	require.Equal(t, audience.SummaryOf(order).Slug, got.Slug)
	others, err := a.Preferences.Summaries(a.OtherEnvironment(t), []string{order.ID})
	require.NoError(t, err)
	require.Empty(t, others)
}

// profile is one with names, an e-mail address and, unless it is empty, a phone.
func profile(first, last, email, phone string) audience.SubscriberProfile {
	out := audience.ProfileChanges{FirstName: graphql.OmittableOf(&first), LastName: graphql.OmittableOf(&last), Email: graphql.OmittableOf(&email)}
	if phone != "" {
		out.Phone = graphql.OmittableOf(&phone)
	}
	return audience.SubscriberProfile{Profile: out}
}

// TestSubscriberFilters narrows the list of subscribers; the deleted are seen only when asked for.
func TestSubscriberFilters(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	for _, in := range []audience.CreateSubscriberInput{
		{SubscriberID: "ann", SubscriberProfile: profile("Ann", "Berg", "ann@example.com", "+15550101234")},
		{SubscriberID: "bob", SubscriberProfile: profile("Bob", "Annan", "bob@example.com", "")},
		{SubscriberID: "gone", SubscriberProfile: profile("Anna", "", "ann@example.com", "")},
	} {
		require.NoError(t, notifytest.Err(a.Subscribers.Create(a.Ctx, in)))
	}
	gone, err := a.DB.Ent.Subscriber.Query().Where(subscriber.SubscriberID("gone")).Only(a.Ctx)
	require.NoError(t, err)
	require.NoError(t, notifytest.Err(a.Subscribers.Delete(a.Ctx, gone.ID)))
	for name, c := range map[string]struct {
		filter *audience.SubscriberFilter
		want   []string
	}{
		"none":        {nil, []string{"bob", "ann"}},
		"identifiers": {&audience.SubscriberFilter{SubscriberIDIn: []string{"ann", "gone"}}, []string{"ann"}},
		"no one":      {&audience.SubscriberFilter{SubscriberIDIn: []string{}}, nil},
		"address":     {&audience.SubscriberFilter{Email: new("ann@example.com")}, []string{"ann"}},
		"phone":       {&audience.SubscriberFilter{Phone: new("+15550101234")}, []string{"ann"}},
		"part":        {&audience.SubscriberFilter{NameContains: new("ANN")}, []string{"bob", "ann"}},
		"deleted":     {&audience.SubscriberFilter{Deleted: notifytest.Yes()}, []string{"gone"}},
		"not deleted": {&audience.SubscriberFilter{Deleted: notifytest.No(), NameContains: new("berg")}, []string{"ann"}},
	} {
		page, err := a.Subscribers.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err, name)
		var got []string
		for _, node := range page.Nodes() {
			got = append(got, node.SubscriberID)
		}
		require.Equal(t, c.want, got, name)
	}
}
