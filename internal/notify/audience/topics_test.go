package audience_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

func TestTopics(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	made, err := a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: "news", Name: new("News")})
	require.NoError(t, err)
	_, err = a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: "news"})
	notifytest.RequireKind(t, fault.Conflict, err)
	_, err = a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: "not a key"})
	notifytest.RequireKind(t, fault.Invalid, err)
	long := strings.Repeat("ä", 256)
	require.Equal(t, []string{"name"}, notifytest.Paths(t, notifytest.Err(a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: "long", Name: &long}))))
	require.Equal(t, []string{"name"}, notifytest.Paths(t, notifytest.Err(a.Topics.Update(a.Ctx, audience.UpdateTopicInput{ID: made.GlobalID(), Name: graphql.OmittableOf(&long)}))))
	_, err = a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: "long", Name: new(strings.Repeat("ä", 255))})
	require.NoError(t, err)
	changed, err := a.Topics.Update(a.Ctx, audience.UpdateTopicInput{ID: made.GlobalID(), Name: graphql.OmittableOf[*string](nil)})
	require.NoError(t, err)
	require.Nil(t, changed.Name)
	_, err = a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u0"}})
	require.NoError(t, err)
	_, err = a.Topics.Delete(a.Ctx, made.GlobalID())
	require.NoError(t, err)
	require.Zero(t, a.DB.Ent.Subscription.Query().CountX(a.Ctx), "its subscriptions go with it")
}

// TestTopicsDeletedMeanwhile: a call that makes subscriptions while their topic is deleted makes the topic anew.
func TestTopicsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	for name, ids := range map[string][]string{"Subscribed": {"u0"}, "Unknown": {"unknown"}, "Empty": nil} {
		t.Run(name, func(t *testing.T) {
			topic, err := a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: name})
			require.NoError(t, err)
			done := make(chan error, 1)
			require.NoError(t, a.DB.Tx(a.Ctx, func(ctx context.Context, _ *postgres.Tx) error {
				_, err := a.Topics.Delete(ctx, topic.GlobalID())
				require.NoError(t, err)
				go func() {
					made, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: name, SubscriberIDs: ids})
					if err == nil && name == "Subscribed" {
						err = made.Refusal()
					}
					done <- err
				}()
				require.Eventually(t, func() bool {
					var waiting bool
					require.NoError(t, a.DB.Pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waiting))
					return waiting
				}, stall.Limit(time.Minute), 5*time.Millisecond)
				return nil
			}))
			require.NoError(t, <-done)
			found, err := a.Topics.ByKey(a.Ctx, name)
			require.NoError(t, err)
			require.NotEqual(t, topic.ID, found.ID)
		})
	}
}

func TestContextsKeepTheDataOfTheirFirstUse(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	for _, version := range []int{1, 2} {
		_, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{
			TopicKey: "news", Context: map[string]any{"app": map[string]any{"id": "shop", "data": map[string]any{"v": version}}},
		})
		require.NoError(t, err)
	}
	stored, err := a.Contexts.ByKey(a.Ctx, "app:shop")
	require.NoError(t, err)
	require.EqualValues(t, 1, stored.Data["v"])
	changed, err := a.Contexts.Update(a.Ctx, audience.UpdateContextInput{ID: stored.ID, Data: graphql.OmittableOf(map[string]any{"v": 3})})
	require.NoError(t, err)
	require.EqualValues(t, 3, changed.Data["v"])
	_, err = a.Contexts.Create(a.Ctx, audience.CreateContextInput{Type: "app", Identifier: "shop"})
	notifytest.RequireKind(t, fault.Conflict, err)
	_, err = a.Contexts.Create(a.Ctx, audience.CreateContextInput{Type: "a:b", Identifier: ""})
	notifytest.RequireKind(t, fault.Invalid, err)
	_, err = a.Contexts.Delete(a.Ctx, stored.ID)
	require.NoError(t, err)
}

func TestTenants(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	first, err := a.Tenants.Upsert(a.Ctx, audience.UpsertTenantInput{Identifier: " acme ", Name: graphql.OmittableOf(new("Acme")), Data: graphql.OmittableOf(map[string]any{"a": 1})})
	require.NoError(t, err)
	require.Equal(t, "acme", first.Identifier)
	second, err := a.Tenants.Upsert(a.Ctx, audience.UpsertTenantInput{Identifier: "acme", Data: graphql.OmittableOf(map[string]any{"b": 2})})
	require.NoError(t, err)
	require.Equal(t, first.ID, second.ID)
	require.Equal(t, "Acme", *second.Name, "what is left out stays")
	require.Equal(t, map[string]any{"b": float64(2)}, second.Data, "data is replaced as a whole")
	_, err = a.Tenants.Upsert(a.Ctx, audience.UpsertTenantInput{Identifier: "a b"})
	notifytest.RequireKind(t, fault.Invalid, err)
	_, err = a.Tenants.Create(a.Ctx, audience.CreateTenantInput{Identifier: "acme"})
	notifytest.RequireKind(t, fault.Conflict, err)

	a.MakeWorkflow(t, "order", nil)
	set, err := a.TenantWorkflows.Set(a.Ctx, audience.SetTenantWorkflowInput{TenantIdentifier: "acme", Workflow: "order", Preferences: &workflow.ChannelPreferences{SMS: notifytest.No()}})
	require.NoError(t, err)
	require.True(t, set.Active)
	off, err := a.TenantWorkflows.Set(a.Ctx, audience.SetTenantWorkflowInput{TenantIdentifier: "acme", Workflow: "order", Active: notifytest.No()})
	require.NoError(t, err)
	require.Equal(t, set.ID, off.ID)
	require.False(t, off.Active)
	require.False(t, *off.Preferences.SMS)
	found, err := a.TenantWorkflows.ByKey(a.Ctx, "acme", "order")
	require.NoError(t, err)
	require.Equal(t, set.ID, found.ID)
	_, err = a.TenantWorkflows.Set(a.Ctx, audience.SetTenantWorkflowInput{TenantIdentifier: "ghost", Workflow: "order"})
	notifytest.RequireKind(t, fault.NotFound, err)

	_, err = a.Tenants.Delete(a.Ctx, first.GlobalID())
	require.NoError(t, err)
	require.Zero(t, a.DB.Ent.TenantWorkflow.Query().CountX(a.Ctx), "its overrides go with it")
}
