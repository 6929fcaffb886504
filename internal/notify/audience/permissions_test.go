package audience_test

import (
	"context"
	"testing"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// TestPermissions holds who may read the audience and who may change it.
func TestPermissions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	page, none := usecase.Page{}, id.New(a.Now)
	channel := audience.SubscriberChannelKey{SubscriberID: "nobody", ProviderID: "slack"}
	reads := map[string]notifytest.Call{
		"contexts":             func(c context.Context) error { return notifytest.Err(a.Contexts.List(c, page, nil, nil)) },
		"context":              func(c context.Context) error { return notifytest.Err(a.Contexts.Get(c, none)) },
		"contextByKey":         func(c context.Context) error { return notifytest.Err(a.Contexts.ByKey(c, "app:shop")) },
		"tenants":              func(c context.Context) error { return notifytest.Err(a.Tenants.List(c, page, nil, nil)) },
		"tenant":               func(c context.Context) error { return notifytest.Err(a.Tenants.Get(c, none)) },
		"tenantByIdentifier":   func(c context.Context) error { return notifytest.Err(a.Tenants.ByIdentifier(c, "acme")) },
		"tenantBatch":          func(c context.Context) error { return notifytest.Err(a.Tenants.Batch(c, []string{none})) },
		"tenantWorkflows":      func(c context.Context) error { return notifytest.Err(a.TenantWorkflows.List(c, page, nil, nil)) },
		"tenantWorkflow":       func(c context.Context) error { return notifytest.Err(a.TenantWorkflows.Get(c, none)) },
		"tenantWorkflowByKey":  func(c context.Context) error { return notifytest.Err(a.TenantWorkflows.ByKey(c, "acme", "order")) },
		"audiences":            func(c context.Context) error { return notifytest.Err(a.Audiences.List(c, page, nil, nil)) },
		"audience":             func(c context.Context) error { return notifytest.Err(a.Audiences.Get(c, none)) },
		"audienceByIdentifier": func(c context.Context) error { return notifytest.Err(a.Audiences.ByIdentifier(c, "fans")) },
		"audiencePreview": func(c context.Context) error {
			return notifytest.Err(a.Audiences.Preview(c, audience.AudiencePreviewInput{TopicKey: new("news")}))
		},
		"topics":                     func(c context.Context) error { return notifytest.Err(a.Topics.List(c, page, nil, nil)) },
		"topic":                      func(c context.Context) error { return notifytest.Err(a.Topics.Get(c, none)) },
		"topicByKey":                 func(c context.Context) error { return notifytest.Err(a.Topics.ByKey(c, "news")) },
		"topicBatch":                 func(c context.Context) error { return notifytest.Err(a.Topics.Batch(c, []string{none})) },
		"subscribers":                func(c context.Context) error { return notifytest.Err(a.Subscribers.List(c, page, nil, nil)) },
		"subscriber":                 func(c context.Context) error { return notifytest.Err(a.Subscribers.Get(c, none)) },
		"subscriberChannels":         func(c context.Context) error { return notifytest.Err(a.SubscriberChannels.List(c, page, nil, nil)) },
		"subscriberChannel":          func(c context.Context) error { return notifytest.Err(a.SubscriberChannels.Get(c, none)) },
		"subscriberChannelByKey":     func(c context.Context) error { return notifytest.Err(a.SubscriberChannels.ByKey(c, channel)) },
		"channelsOfSubscribers":      func(c context.Context) error { return notifytest.Err(a.SubscriberChannels.OfSubscribers(c, nil, page)) },
		"preferencesOfSubscribers":   func(c context.Context) error { return notifytest.Err(a.Preferences.OfSubscribers(c, nil, page)) },
		"subscriptionsOfSubscribers": func(c context.Context) error { return notifytest.Err(a.Subscriptions.OfSubscribers(c, nil, page)) },
		"subscriptionsOfTopics":      func(c context.Context) error { return notifytest.Err(a.Subscriptions.OfTopics(c, nil, page)) },
		"livingSubscribers":          func(c context.Context) error { return notifytest.Err(a.Subscribers.Living(c, []string{"u0"})) },
		"subscriptions":              func(c context.Context) error { return notifytest.Err(a.Subscriptions.List(c, page, nil, nil)) },
		"subscription":               func(c context.Context) error { return notifytest.Err(a.Subscriptions.Get(c, none)) },
		"subscriptionPreferences": func(c context.Context) error {
			return notifytest.Err(a.SubscriptionPreferences.List(c, page, nil, nil))
		},
		"subscriptionPreference": func(c context.Context) error { return notifytest.Err(a.SubscriptionPreferences.Get(c, none)) },
		"preferences":            func(c context.Context) error { return notifytest.Err(a.Preferences.List(c, page, nil, nil)) },
		"preference":             func(c context.Context) error { return notifytest.Err(a.Preferences.Get(c, none)) },
		"preferenceChanges":      func(c context.Context) error { return notifytest.Err(a.PreferenceChanges.List(c, page, nil, nil)) },
		"preferenceChange":       func(c context.Context) error { return notifytest.Err(a.PreferenceChanges.Get(c, none)) },
	}
	writes := map[string]notifytest.Call{
		"createAudience": func(c context.Context) error {
			return notifytest.Err(a.Audiences.Create(c, audience.CreateAudienceInput{Identifier: "fans", TopicKey: new("news")}))
		},
		"updateAudience": func(c context.Context) error {
			return notifytest.Err(a.Audiences.Update(c, audience.UpdateAudienceInput{ID: none}))
		},
		"deleteAudience": func(c context.Context) error { return notifytest.Err(a.Audiences.Delete(c, none)) },
		"createContext": func(c context.Context) error {
			return notifytest.Err(a.Contexts.Create(c, audience.CreateContextInput{Type: "app", Identifier: "shop"}))
		},
		"updateContext": func(c context.Context) error {
			return notifytest.Err(a.Contexts.Update(c, audience.UpdateContextInput{ID: none}))
		},
		"deleteContext": func(c context.Context) error { return notifytest.Err(a.Contexts.Delete(c, none)) },
		"createTenant": func(c context.Context) error {
			return notifytest.Err(a.Tenants.Create(c, audience.CreateTenantInput{Identifier: "acme"}))
		},
		"updateTenant": func(c context.Context) error {
			return notifytest.Err(a.Tenants.Update(c, audience.UpdateTenantInput{ID: none}))
		},
		"upsertTenant": func(c context.Context) error {
			return notifytest.Err(a.Tenants.Upsert(c, audience.UpsertTenantInput{Identifier: "acme"}))
		},
		"deleteTenant": func(c context.Context) error { return notifytest.Err(a.Tenants.Delete(c, none)) },
		"setTenantWorkflow": func(c context.Context) error {
			return notifytest.Err(a.TenantWorkflows.Set(c, audience.SetTenantWorkflowInput{TenantIdentifier: "nobody"}))
		},
		"deleteTenantWorkflow": func(c context.Context) error { return notifytest.Err(a.TenantWorkflows.Delete(c, none)) },
		"createTopic": func(c context.Context) error {
			return notifytest.Err(a.Topics.Create(c, audience.CreateTopicInput{Key: "news"}))
		},
		"updateTopic": func(c context.Context) error {
			return notifytest.Err(a.Topics.Update(c, audience.UpdateTopicInput{ID: none}))
		},
		"deleteTopic": func(c context.Context) error { return notifytest.Err(a.Topics.Delete(c, none)) },
		"createSubscriber": func(c context.Context) error {
			return notifytest.Err(a.Subscribers.Create(c, audience.CreateSubscriberInput{SubscriberID: "ada"}))
		},
		"updateSubscriber": func(c context.Context) error {
			return notifytest.Err(a.Subscribers.Update(c, audience.UpdateSubscriberInput{ID: none}))
		},
		"deleteSubscriber": func(c context.Context) error { return notifytest.Err(a.Subscribers.Delete(c, none)) },
		"upsertSubscribers": func(c context.Context) error {
			return notifytest.Err(a.Subscribers.Upsert(c, []*audience.UpsertSubscriberInput{{SubscriberID: "ada"}}))
		},
		"deleteSubscribers": func(c context.Context) error {
			return notifytest.Err(a.Subscribers.DeleteAll(c, []string{"nobody"}))
		},
		"importSubscribers": func(c context.Context) error {
			return notifytest.Err(a.Subscribers.Import(c, audience.ImportSubscribersInput{Format: audience.ImportCSV, Text: "subscriberId\n"}))
		},
		"setSubscriberChannel": func(c context.Context) error {
			return notifytest.Err(a.SubscriberChannels.Set(c, audience.SetSubscriberChannelInput{SubscriberChannelKey: channel}))
		},
		"removeDeviceTokens": func(c context.Context) error {
			return notifytest.Err(a.SubscriberChannels.RemoveDeviceTokens(c, audience.RemoveDeviceTokensInput{SubscriberChannelKey: channel}))
		},
		"deleteSubscriberChannel": func(c context.Context) error { return notifytest.Err(a.SubscriberChannels.Delete(c, none)) },
		"updateSubscription": func(c context.Context) error {
			return notifytest.Err(a.Subscriptions.Update(c, audience.UpdateSubscriptionInput{TopicKey: "none", Identifier: "none"}))
		},
		"deleteSubscriptionPreference": func(c context.Context) error { return notifytest.Err(a.SubscriptionPreferences.Delete(c, none)) },
		"deletePreference":             func(c context.Context) error { return notifytest.Err(a.Preferences.Delete(c, none)) },
	}
	selfReads := map[string]notifytest.Call{
		"subscriptionsOfSubscriber": func(c context.Context) error {
			return notifytest.Err(a.Subscriptions.OfSubscriber(c, "u0", page, nil, nil))
		},
		"subscriberPreferences": func(c context.Context) error {
			return notifytest.Err(a.Preferences.Read(c, audience.ReadPreferencesInput{SubscriberID: "u0"}))
		},
	}
	selfWrites := map[string]notifytest.Call{
		"setGlobalPreferences": func(c context.Context) error {
			return notifytest.Err(a.Preferences.SetGlobal(c, audience.SetGlobalPreferencesInput{SubscriberID: "u0"}))
		},
		"updatePreferences": func(c context.Context) error {
			return notifytest.Err(a.Preferences.Update(c, audience.UpdatePreferencesInput{SubscriberID: "u0"}))
		},
		"setSchedule": func(c context.Context) error {
			return notifytest.Err(a.Preferences.SetSchedule(c, audience.SetScheduleInput{SubscriberID: "u0"}))
		},
		"createSubscriptions": func(c context.Context) error {
			return notifytest.Err(a.Subscriptions.Create(c, audience.CreateSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u0"}}))
		},
	}
	permissions := notifytest.Permissions{}
	permissions.Add(viewer.GrantAudienceRead, viewer.RoleViewer, reads)
	permissions.AddSelf(viewer.GrantAudienceRead, viewer.RoleViewer, selfReads)
	permissions.Add(viewer.GrantAudience, viewer.RoleEditor, writes)
	permissions.AddSelf(viewer.GrantAudience, viewer.RoleEditor, selfWrites)
	notifytest.RequirePermissions(t, a.Scope, permissions)
}
