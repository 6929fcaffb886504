package audience_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

func codes(r *usecase.SubscriptionsResult) []string {
	out := []string{}
	for _, e := range r.Errors {
		out = append(out, e.SubscriberID+" "+e.Code)
	}
	return out
}

func TestCreateSubscriptions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 3)

	result, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{
		TopicKey: "news", Name: new("News"),
		Context: map[string]any{"region": "eu", "app": map[string]any{"id": "shop", "data": map[string]any{"x": 1}}},
		Subscriptions: []audience.SubscriptionItem{
			{SubscriberID: "u1", Name: new("mine")},
			{SubscriberID: "ghost"},
			{SubscriberID: " u0 ", Identifier: new("second")},
			{SubscriberID: "u1"},
			{SubscriberID: "u2", Identifier: new("second")},
		},
	})
	require.NoError(t, err)
	require.Equal(t, usecase.ItemsMeta{TotalCount: 5, Successful: 3, Failed: 2}, result.Meta)
	require.Equal(t, []string{"ghost SUBSCRIBER_NOT_FOUND", "u2 SUBSCRIPTION_CREATE_FAILED"}, codes(result))
	require.NoError(t, result.Refusal())
	first := result.Data[0]
	require.Equal(t, "tk=news:si=u1:ctx=app:shop,region:eu", first.Identifier)
	require.Equal(t, []string{"app:shop", "region:eu"}, first.ContextKeys)
	require.Equal(t, "mine", *first.Name)
	require.Equal(t, "news", first.Edges.Topic.Key)
	require.Equal(t, "News", *first.Edges.Topic.Name)
	require.Equal(t, "u1", first.Edges.Subscriber.SubscriberID)
	require.Equal(t, "second", result.Data[1].Identifier)
	require.Equal(t, first.ID, result.Data[2].ID, "a repetition is the same record")

	stored, err := a.Contexts.ByKey(a.Ctx, "app:shop")
	require.NoError(t, err)
	require.EqualValues(t, 1, stored.Data["x"])
}

func TestCreateSubscriptionsLeavesWhatExists(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	a.MakeWorkflow(t, "order", nil)
	in := audience.CreateSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u0"}}
	before, err := a.Subscriptions.Create(a.Ctx, in)
	require.NoError(t, err)

	a.Now = a.Now.Add(time.Hour)
	in.Preferences = []audience.SubscriptionPreferenceInput{{WorkflowID: new("order")}}
	after, err := a.Subscriptions.Create(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, before.Data[0].ID, after.Data[0].ID)
	require.Equal(t, before.Data[0].UpdatedAt, after.Data[0].UpdatedAt)
	require.Empty(t, after.Data[0].Edges.Preferences)

	in.Context = map[string]any{"region": "eu"}
	in.Subscriptions = []audience.SubscriptionItem{{SubscriberID: "u0", Identifier: new("tk=news:si=u0")}}
	other, err := a.Subscriptions.Create(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, []string{"u0 SUBSCRIPTION_CREATE_FAILED"}, codes(other), "same identifier, other context")
}

func TestCreateSubscriptionsWhenEveryItemFails(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	result, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u9"}})
	require.NoError(t, err)
	var f *fault.Error
	require.ErrorAs(t, result.Refusal(), &f)
	require.Equal(t, usecase.CodeAllItemsFailed, f.Code)
	require.Equal(t, "None of the subscriptions could be created.", f.Message)
	require.Equal(t, "Subscriber u9 was not found.", result.Errors[0].Message)
	_, err = a.Topics.ByKey(a.Ctx, "news")
	require.NoError(t, err, "the topic is made all the same")
}

func TestCreateSubscriptionsRefusesWholeCalls(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	for name, in := range map[string]audience.CreateSubscriptionsInput{
		"empty":    {Subscriptions: []audience.SubscriptionItem{}},
		"too many": {SubscriberIDs: make([]string, 101)},
		"control":  {Subscriptions: []audience.SubscriptionItem{{SubscriberID: "u", Identifier: new("a\nb")}}},
		"context":  {Context: map[string]any{}},
		"neither":  {Preferences: []audience.SubscriptionPreferenceInput{{}}},
	} {
		in.TopicKey = "news"
		_, err := a.Subscriptions.Create(a.Ctx, in)
		require.Equal(t, fault.Invalid, fault.KindOf(err), name)
	}
	_, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: "not a key"})
	notifytest.RequireKind(t, fault.BadRequest, err)
	_, err = a.Topics.ByKey(a.Ctx, "news")
	notifytest.RequireKind(t, fault.NotFound, err)
}

func TestSubscriptionCapUnderConcurrency(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 2)
	var wait sync.WaitGroup
	results := make([]*usecase.SubscriptionsResult, 16)
	errs := make([]error, len(results))
	for i := range results {
		wait.Go(func() {
			items := make([]audience.SubscriptionItem, 0, 8)
			for j := range 4 {
				// Both subscribers in either order: a careless lock would deadlock.
				for k := range 2 {
					items = append(items, audience.SubscriptionItem{
						SubscriberID: fmt.Sprintf("u%d", (i+k)%2), Identifier: new(fmt.Sprintf("%d-%d-%d", i, j, (i+k)%2)),
					})
				}
			}
			results[i], errs[i] = a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: "news", Subscriptions: items})
		})
	}
	wait.Wait()
	successful := 0
	for i, r := range results {
		require.NoError(t, errs[i])
		successful += r.Meta.Successful
		for _, e := range r.Errors {
			require.Equal(t, usecase.ItemSubscriptionLimit, e.Code)
		}
	}
	require.Equal(t, 2*audience.MaxSubscriptionsPerPairing, successful)
	require.Equal(t, successful, a.DB.Ent.Subscription.Query().CountX(a.Ctx))
}

func TestSubscriptionIdentifierTakenByARace(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 8)
	var wait sync.WaitGroup
	results := make([]*usecase.SubscriptionsResult, 8)
	for i := range results {
		wait.Go(func() {
			var err error
			results[i], err = a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{
				TopicKey:      "news",
				Subscriptions: []audience.SubscriptionItem{{SubscriberID: fmt.Sprintf("u%d", i), Identifier: new("shared")}},
			})
			if err != nil {
				results[i] = nil
			}
		})
	}
	wait.Wait()
	successful := 0
	for _, r := range results {
		require.NotNil(t, r)
		successful += r.Meta.Successful
	}
	require.Equal(t, 1, successful)
}

func TestSubscriptionPreferenceItems(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 2)
	order := a.MakeWorkflow(t, "order", nil)
	tagged := func(tags ...string) func(*ent.WorkflowCreate, *workflow.Definition) {
		return func(c *ent.WorkflowCreate, _ *workflow.Definition) { c.SetTags(tags) }
	}
	promo := a.MakeWorkflow(t, "promo", tagged("marketing"))
	a.MakeWorkflow(t, "asleep", func(c *ent.WorkflowCreate, _ *workflow.Definition) { c.SetTags([]string{"marketing"}).SetActive(false) })

	result, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{
		TopicKey: "news", SubscriberIDs: []string{"u0", "u1"},
		Preferences: []audience.SubscriptionPreferenceInput{
			{WorkflowID: new(id.Slug("Whatever", "wf", order.ID)), Enabled: notifytest.No()},
			{WorkflowID: new("ghost")},
			{Filter: &audience.WorkflowGroupFilter{Tags: []string{"marketing", "nope"}}, Enabled: notifytest.No(), Condition: map[string]any{"==": []any{map[string]any{"var": "tier"}, "gold"}}},
			{WorkflowID: new("order"), Enabled: notifytest.Yes()},
			{Filter: &audience.WorkflowGroupFilter{}},
		},
	})
	require.NoError(t, err)
	for _, s := range result.Data {
		p := s.Edges.Preferences
		require.Len(t, p, 2)
		require.Equal(t, order.ID, p[0].WorkflowID)
		require.True(t, p[0].Enabled, "later items override")
		require.Equal(t, promo.ID, p[1].Edges.Workflow.ID)
		require.True(t, p[1].Enabled, "a condition decides alone")
		require.NotEmpty(t, p[1].Condition)
	}
}

func TestUpdateSubscription(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	a.MakeWorkflow(t, "order", nil)
	created, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u0"}})
	require.NoError(t, err)
	before := created.Data[0]
	in := audience.UpdateSubscriptionInput{TopicKey: "news", Identifier: before.Identifier}

	same, err := a.Subscriptions.Update(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, before.UpdatedAt, same.UpdatedAt, "nothing changed")

	in.Name, in.Preferences = graphql.OmittableOf(new("mine")), []audience.SubscriptionPreferenceInput{{WorkflowID: new("order"), Enabled: notifytest.No()}}
	changed, err := a.Subscriptions.Update(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, "mine", *changed.Name)
	require.Len(t, changed.Edges.Preferences, 1)
	require.NotEqual(t, before.UpdatedAt, changed.UpdatedAt)

	again, err := a.Subscriptions.Update(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, changed.UpdatedAt, again.UpdatedAt)

	in.Name, in.Preferences = graphql.OmittableOf[*string](nil), []audience.SubscriptionPreferenceInput{}
	cleared, err := a.Subscriptions.Update(a.Ctx, in)
	require.NoError(t, err)
	require.Nil(t, cleared.Name)
	require.Empty(t, cleared.Edges.Preferences)

	in.Identifier = "ghost"
	_, err = a.Subscriptions.Update(a.Ctx, in)
	notifytest.RequireKind(t, fault.NotFound, err)
	in.TopicKey = "ghost"
	_, err = a.Subscriptions.Update(a.Ctx, in)
	notifytest.RequireKind(t, fault.NotFound, err)
}

func TestDeleteSubscriptions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 3)
	for _, context := range []map[string]any{nil, {"region": "eu"}} {
		_, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{
			TopicKey: "news", SubscriberIDs: []string{"u0", "u1"}, Context: context,
		})
		require.NoError(t, err)
	}
	result, err := a.Subscriptions.Delete(a.Ctx, audience.DeleteSubscriptionsInput{TopicKey: "news", Subscriptions: []audience.SubscriptionRef{
		{Identifier: new("tk=news:si=u1"), SubscriberID: new("u0")},
		{SubscriberID: new("u0")},
		{Identifier: new("tk=news:si=u0")},
		{Identifier: new("tk=news:si=u1")},
		{SubscriberID: new("ghost")},
		{SubscriberID: new("u2")},
		{Identifier: new("ghost")},
		{},
	}})
	require.NoError(t, err)
	require.Equal(t, []string{
		"u0 SUBSCRIPTION_NOT_FOUND", "ghost SUBSCRIBER_NOT_FOUND", "u2 SUBSCRIPTION_NOT_FOUND",
		"unknown SUBSCRIPTION_NOT_FOUND", "unknown INVALID_REQUEST",
	}, codes(result))
	var identifiers []string
	for _, s := range result.Data {
		identifiers = append(identifiers, s.Identifier)
		require.Equal(t, "news", s.Edges.Topic.Key)
		require.NotNil(t, s.Edges.Subscriber)
	}
	require.Equal(t, []string{"tk=news:si=u0", "tk=news:si=u0:ctx=region:eu", "tk=news:si=u1"}, identifiers)
	require.Equal(t, usecase.ItemsMeta{TotalCount: 8, Successful: 3, Failed: 5}, result.Meta)
	require.Equal(t, 1, a.DB.Ent.Subscription.Query().CountX(a.Ctx))

	none, err := a.Subscriptions.Delete(a.Ctx, audience.DeleteSubscriptionsInput{TopicKey: "news"})
	require.NoError(t, err)
	require.Equal(t, usecase.ItemsMeta{}, none.Meta)
	require.NoError(t, none.Refusal())
	_, err = a.Subscriptions.Delete(a.Ctx, audience.DeleteSubscriptionsInput{TopicKey: "ghost", SubscriberIDs: []string{"u0"}})
	notifytest.RequireKind(t, fault.NotFound, err)
}

func TestListSubscriptions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	for _, key := range []string{"news", "jobs"} {
		for _, context := range []map[string]any{nil, {"region": "eu"}, {"region": "eu", "app": "shop"}} {
			_, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: key, SubscriberIDs: []string{"u0"}, Context: context})
			require.NoError(t, err)
		}
	}
	count := func(f audience.SubscriptionFilter) int {
		page, err := a.Subscriptions.OfSubscriber(a.Ctx, "u0", usecase.Page{}, nil, &f)
		require.NoError(t, err)
		for _, s := range page.Nodes() {
			require.NotNil(t, s.Edges.Topic)
		}
		return len(page.Nodes())
	}
	require.Equal(t, 6, count(audience.SubscriptionFilter{}))
	require.Equal(t, 3, count(audience.SubscriptionFilter{TopicKey: new("news")}))
	require.Equal(t, 0, count(audience.SubscriptionFilter{TopicKey: new("ghost")}))
	require.Equal(t, 2, count(audience.SubscriptionFilter{ContextKeys: []string{}}), "without context")
	require.Equal(t, 2, count(audience.SubscriptionFilter{ContextKeys: []string{"region:eu", "app:shop", "region:eu"}}), "as a set")
	require.Equal(t, 0, count(audience.SubscriptionFilter{ContextKeys: []string{"app:shop"}}))
	require.Equal(t, 0, count(audience.SubscriptionFilter{ContextKeys: []string{"malformed"}}))
	_, err := a.Subscriptions.OfSubscriber(a.Ctx, "ghost", usecase.Page{}, nil, nil)
	notifytest.RequireKind(t, fault.NotFound, err)
}
