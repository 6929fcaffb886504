package notify_test

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

func TestTopics(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	a.subscribers(t, 1)
	made, err := a.Topics.Create(a.ctx, audience.CreateTopicInput{Key: "news", Name: new("News")})
	require.NoError(t, err)
	_, err = a.Topics.Create(a.ctx, audience.CreateTopicInput{Key: "news"})
	requireKind(t, fault.Conflict, err)
	_, err = a.Topics.Create(a.ctx, audience.CreateTopicInput{Key: "not a key"})
	requireKind(t, fault.Invalid, err)
	changed, err := a.Topics.Update(a.ctx, audience.UpdateTopicInput{ID: made.GlobalID(), Name: graphql.OmittableOf[*string](nil)})
	require.NoError(t, err)
	require.Nil(t, changed.Name)
	_, err = a.Subscriptions.Create(a.ctx, audience.CreateSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u0"}})
	require.NoError(t, err)
	_, err = a.Topics.Delete(a.ctx, made.GlobalID())
	require.NoError(t, err)
	require.Zero(t, a.db.Ent.Subscription.Query().CountX(a.ctx), "its subscriptions go with it")
}

func TestFeeds(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	made, err := a.Feeds.Create(a.ctx, inbox.CreateFeedInput{Identifier: "main", Name: "Main"})
	require.NoError(t, err)
	_, err = a.Feeds.Create(a.ctx, inbox.CreateFeedInput{Identifier: "main", Name: "Other"})
	requireKind(t, fault.Conflict, err)
	_, err = a.Feeds.Create(a.ctx, inbox.CreateFeedInput{Identifier: "a b", Name: " "})
	requireKind(t, fault.Invalid, err)
	changed, err := a.Feeds.Update(a.ctx, inbox.UpdateFeedInput{ID: made.ID, Name: new("New")})
	require.NoError(t, err)
	require.Equal(t, "New", changed.Name)
	_, err = a.Feeds.Delete(a.ctx, made.ID)
	require.NoError(t, err)
	_, err = a.Feeds.ByIdentifier(a.ctx, "main")
	requireKind(t, fault.NotFound, err)
}

func TestContextsKeepTheDataOfTheirFirstUse(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	for _, version := range []int{1, 2} {
		_, err := a.Subscriptions.Create(a.ctx, audience.CreateSubscriptionsInput{
			TopicKey: "news", Context: map[string]any{"app": map[string]any{"id": "shop", "data": map[string]any{"v": version}}},
		})
		require.NoError(t, err)
	}
	stored, err := a.Contexts.ByKey(a.ctx, "app:shop")
	require.NoError(t, err)
	require.EqualValues(t, 1, stored.Data["v"])
	changed, err := a.Contexts.Update(a.ctx, audience.UpdateContextInput{ID: stored.ID, Data: graphql.OmittableOf(map[string]any{"v": 3})})
	require.NoError(t, err)
	require.EqualValues(t, 3, changed.Data["v"])
	_, err = a.Contexts.Create(a.ctx, audience.CreateContextInput{Type: "app", Identifier: "shop"})
	requireKind(t, fault.Conflict, err)
	_, err = a.Contexts.Create(a.ctx, audience.CreateContextInput{Type: "a:b", Identifier: ""})
	requireKind(t, fault.Invalid, err)
	_, err = a.Contexts.Delete(a.ctx, stored.ID)
	require.NoError(t, err)
}

func TestTenants(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	first, err := a.Tenants.Upsert(a.ctx, audience.UpsertTenantInput{Identifier: " acme ", Name: graphql.OmittableOf(new("Acme")), Data: graphql.OmittableOf(map[string]any{"a": 1})})
	require.NoError(t, err)
	require.Equal(t, "acme", first.Identifier)
	second, err := a.Tenants.Upsert(a.ctx, audience.UpsertTenantInput{Identifier: "acme", Data: graphql.OmittableOf(map[string]any{"b": 2})})
	require.NoError(t, err)
	require.Equal(t, first.ID, second.ID)
	require.Equal(t, "Acme", *second.Name, "what is left out stays")
	require.Equal(t, map[string]any{"b": float64(2)}, second.Data, "data is replaced as a whole")
	_, err = a.Tenants.Upsert(a.ctx, audience.UpsertTenantInput{Identifier: "a b"})
	requireKind(t, fault.Invalid, err)
	_, err = a.Tenants.Create(a.ctx, audience.CreateTenantInput{Identifier: "acme"})
	requireKind(t, fault.Conflict, err)

	a.workflow(t, "order", nil)
	set, err := a.TenantWorkflows.Set(a.ctx, audience.SetTenantWorkflowInput{TenantIdentifier: "acme", Workflow: "order", Preferences: &workflow.ChannelPreferences{SMS: no()}})
	require.NoError(t, err)
	require.True(t, set.Active)
	off, err := a.TenantWorkflows.Set(a.ctx, audience.SetTenantWorkflowInput{TenantIdentifier: "acme", Workflow: "order", Active: no()})
	require.NoError(t, err)
	require.Equal(t, set.ID, off.ID)
	require.False(t, off.Active)
	require.False(t, *off.Preferences.SMS)
	found, err := a.TenantWorkflows.ByKey(a.ctx, "acme", "order")
	require.NoError(t, err)
	require.Equal(t, set.ID, found.ID)
	_, err = a.TenantWorkflows.Set(a.ctx, audience.SetTenantWorkflowInput{TenantIdentifier: "ghost", Workflow: "order"})
	requireKind(t, fault.NotFound, err)

	_, err = a.Tenants.Delete(a.ctx, first.GlobalID())
	require.NoError(t, err)
	require.Zero(t, a.db.Ent.TenantWorkflow.Query().CountX(a.ctx), "its overrides go with it")
}

func TestMessagesList(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	u := a.subscribers(t, 2)
	ids := a.messages(t, u[0], 3)
	a.messages(t, u[1], 2, "region:eu")
	a.mark(t, inbox.MarkRead, ids[0])
	count := func(f *inbox.MessageFilter) int {
		page, err := a.Messages.List(a.ctx, usecase.Page{}, nil, f)
		require.NoError(t, err)
		return len(page.Nodes())
	}
	require.Equal(t, 5, count(nil))
	require.Equal(t, 3, count(&inbox.MessageFilter{SubscriberID: new("u0"), ChannelIn: []workflow.Channel{workflow.ChannelInApp}}))
	require.Equal(t, 1, count(&inbox.MessageFilter{Read: yes()}))
	require.Equal(t, 2, count(&inbox.MessageFilter{ContextKeys: []string{"region:eu"}}))
	require.Equal(t, 0, count(&inbox.MessageFilter{StatusIn: []workflow.MessageStatus{workflow.MessagePending}}))
	require.Equal(t, 0, count(&inbox.MessageFilter{TransactionID: new("t")}), "no run of that transaction")
	require.Equal(t, 5, count(&inbox.MessageFilter{Snoozed: no(), Archived: no()}))
	message, err := a.Messages.Get(a.ctx, ids[0])
	require.NoError(t, err)
	same, err := a.Messages.ByKey(a.ctx, inbox.MessageKey{NotificationID: message.NotificationID, StepID: "s", Target: "inbox"})
	require.NoError(t, err)
	require.Equal(t, ids[0], same.ID)
}
