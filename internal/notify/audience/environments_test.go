package audience_test

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestAudiencesOfEnvironments holds that nothing of an audience is found, listed or changed from another environment, which
// may have records of the same names.
func TestAudiencesOfEnvironments(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)[0]
	w := a.MakeWorkflow(t, "order", nil)
	made, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{
		TopicKey: "news", SubscriberIDs: []string{"u0"}, Context: map[string]any{"region": "eu"},
		Preferences: []audience.SubscriptionPreferenceInput{{WorkflowID: new("order")}},
	})
	require.NoError(t, err)
	subscription := made.Data[0]
	item := subscription.Edges.Preferences[0]
	topic, err := a.Topics.ByKey(a.Ctx, "news")
	require.NoError(t, err)
	region, err := a.Contexts.ByKey(a.Ctx, "region:eu")
	require.NoError(t, err)
	tenant, err := a.Tenants.Create(a.Ctx, audience.CreateTenantInput{Identifier: "acme", Name: new("Acme")})
	require.NoError(t, err)
	override, err := a.TenantWorkflows.Set(a.Ctx, audience.SetTenantWorkflowInput{TenantIdentifier: "acme", Workflow: "order", Active: notifytest.No()})
	require.NoError(t, err)
	channel, err := a.SubscriberChannels.Set(a.Ctx, audience.SetSubscriberChannelInput{
		SubscriberChannelKey: audience.SubscriberChannelKey{SubscriberID: "u0", ProviderID: "fcm"},
		Credentials:          workflow.ChannelCredentials{DeviceTokens: []string{"d"}},
	})
	require.NoError(t, err)
	_, err = a.Preferences.SetGlobal(a.Ctx, audience.SetGlobalPreferencesInput{SubscriberID: "u0", Channels: &workflow.ChannelPreferences{Push: notifytest.No()}})
	require.NoError(t, err)
	preference := a.DB.Ent.Preference.Query().OnlyX(a.Ctx)
	change := a.DB.Ent.PreferenceChange.Query().FirstX(a.Ctx)

	other := a.OtherEnvironment(t)
	for name, err := range map[string]error{
		"subscriber":                 notifytest.Err(a.Subscribers.Get(other, u.ID)),
		"subscriber by id":           notifytest.Err(a.Subscribers.BySubscriberID(other, "u0")),
		"update subscriber":          notifytest.Err(a.Subscribers.Update(other, audience.UpdateSubscriberInput{ID: u.ID})),
		"delete subscriber":          notifytest.Err(a.Subscribers.Delete(other, u.GlobalID())),
		"topic":                      notifytest.Err(a.Topics.Get(other, topic.ID)),
		"topic by key":               notifytest.Err(a.Topics.ByKey(other, "news")),
		"update topic":               notifytest.Err(a.Topics.Update(other, audience.UpdateTopicInput{ID: topic.ID, Name: graphql.OmittableOf(new("x"))})),
		"delete topic":               notifytest.Err(a.Topics.Delete(other, topic.ID)),
		"subscription":               notifytest.Err(a.Subscriptions.Get(other, subscription.ID)),
		"subscription by identifier": notifytest.Err(a.Subscriptions.ByIdentifier(other, "news", subscription.Identifier)),
		"subscriptions of":           notifytest.Err(a.Subscriptions.OfSubscriber(other, "u0", usecase.Page{}, nil, nil)),
		"update subscription":        notifytest.Err(a.Subscriptions.Update(other, audience.UpdateSubscriptionInput{TopicKey: "news", Identifier: subscription.Identifier})),
		"delete subscriptions":       notifytest.Err(a.Subscriptions.Delete(other, audience.DeleteSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u0"}})),
		"item":                       notifytest.Err(a.SubscriptionPreferences.Get(other, item.ID)),
		"item by key":                notifytest.Err(a.SubscriptionPreferences.ByKey(other, subscription.ID, "order")),
		"delete item":                notifytest.Err(a.SubscriptionPreferences.Delete(other, item.ID)),
		"context":                    notifytest.Err(a.Contexts.Get(other, region.ID)),
		"context by key":             notifytest.Err(a.Contexts.ByKey(other, "region:eu")),
		"update context":             notifytest.Err(a.Contexts.Update(other, audience.UpdateContextInput{ID: region.ID})),
		"delete context":             notifytest.Err(a.Contexts.Delete(other, region.ID)),
		"tenant":                     notifytest.Err(a.Tenants.Get(other, tenant.ID)),
		"tenant by identifier":       notifytest.Err(a.Tenants.ByIdentifier(other, "acme")),
		"update tenant":              notifytest.Err(a.Tenants.Update(other, audience.UpdateTenantInput{ID: tenant.ID})),
		"delete tenant":              notifytest.Err(a.Tenants.Delete(other, tenant.ID)),
		"override":                   notifytest.Err(a.TenantWorkflows.Get(other, override.ID)),
		"override by key":            notifytest.Err(a.TenantWorkflows.ByKey(other, "acme", "order")),
		"set override":               notifytest.Err(a.TenantWorkflows.Set(other, audience.SetTenantWorkflowInput{TenantIdentifier: "acme", Workflow: w.ID})),
		"delete override":            notifytest.Err(a.TenantWorkflows.Delete(other, override.ID)),
		"channel":                    notifytest.Err(a.SubscriberChannels.Get(other, channel.ID)),
		"delete channel":             notifytest.Err(a.SubscriberChannels.Delete(other, channel.ID)),
		"preference":                 notifytest.Err(a.Preferences.Get(other, preference.ID)),
		"read preferences":           notifytest.Err(a.Preferences.Read(other, audience.ReadPreferencesInput{SubscriberID: "u0"})),
		"delete preference":          notifytest.Err(a.Preferences.Delete(other, preference.ID)),
		"change":                     notifytest.Err(a.PreferenceChanges.Get(other, change.ID)),
	} {
		require.Equal(t, fault.NotFound, fault.KindOf(err), "%s: %v", name, err)
	}
	count := func(n int, err error) int { require.NoError(t, err); return n }
	for name, n := range map[string]int{
		"subscribers":   count(length(a.Subscribers.List(other, usecase.Page{}, nil, nil))),
		"topics":        count(length(a.Topics.List(other, usecase.Page{}, nil, nil))),
		"subscriptions": count(length(a.Subscriptions.List(other, usecase.Page{}, nil, nil))),
		"items":         count(length(a.SubscriptionPreferences.List(other, usecase.Page{}, nil, nil))),
		"contexts":      count(length(a.Contexts.List(other, usecase.Page{}, nil, nil))),
		"tenants":       count(length(a.Tenants.List(other, usecase.Page{}, nil, nil))),
		"overrides":     count(length(a.TenantWorkflows.List(other, usecase.Page{}, nil, nil))),
		"channels":      count(length(a.SubscriberChannels.List(other, usecase.Page{}, nil, nil))),
		"preferences":   count(length(a.Preferences.List(other, usecase.Page{}, nil, nil))),
		"changes":       count(length(a.PreferenceChanges.List(other, usecase.Page{}, nil, nil))),
	} {
		require.Zero(t, n, name)
	}
	for name, err := range map[string]error{
		"subscriber": notifytest.Err(a.Subscribers.Create(other, audience.CreateSubscriberInput{SubscriberID: "u0"})),
		"topic":      notifytest.Err(a.Topics.Create(other, audience.CreateTopicInput{Key: "news"})),
		"context":    notifytest.Err(a.Contexts.Create(other, audience.CreateContextInput{Type: "region", Identifier: "eu"})),
		"tenant":     notifytest.Err(a.Tenants.Upsert(other, audience.UpsertTenantInput{Identifier: "acme", Name: graphql.OmittableOf(new("Other"))})),
	} {
		require.NoError(t, err, "%s: each environment has its own names", name)
	}
	require.Equal(t, "Acme", *a.DB.Ent.Tenant.GetX(a.Ctx, tenant.ID).Name)
}

// length counts the records of a page.
func length[T any](list *usecase.Connection[T], err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return len(list.Edges), nil
}
