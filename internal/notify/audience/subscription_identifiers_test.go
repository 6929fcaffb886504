package audience_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestLongestSubscriptionIdentifier stores the longest identifier that is made of topic, subscriber and contexts, which does
// not compress, and names the subscription by it.
func TestLongestSubscriptionIdentifier(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	random := func(n int) string {
		text := make([]byte, n)
		for i := range text {
			text[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"[rand.IntN(64)] //nolint:gosec // any text will do
		}
		return string(text)
	}
	topicKey, subscriberID, contexts := random(255), random(255), map[string]any{}
	for range workflow.MaxContexts {
		contexts[random(100)] = random(100)
	}
	_, err := a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{SubscriberID: subscriberID})
	require.NoError(t, err)
	create := func(identifier *string) string {
		made, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{
			TopicKey: topicKey, Context: contexts,
			Subscriptions: []audience.SubscriptionItem{{SubscriberID: subscriberID, Identifier: identifier}},
		})
		require.NoError(t, err)
		require.NoError(t, made.Refusal())
		return made.Data[0].Identifier
	}
	identifier := create(nil)
	require.Len(t, identifier, workflow.MaxSubscriptionIdentifier)
	require.Equal(t, identifier, create(&identifier))

	found, err := a.Subscriptions.ByIdentifier(a.Ctx, topicKey, identifier)
	require.NoError(t, err)
	_, err = a.Subscriptions.Update(a.Ctx, audience.UpdateSubscriptionInput{TopicKey: topicKey, Identifier: identifier})
	require.NoError(t, err)
	list, err := a.Subscriptions.List(a.Ctx, usecase.Page{}, nil, &audience.SubscriptionFilter{IdentifierIn: []string{identifier}})
	require.NoError(t, err)
	require.Len(t, list.Edges, 1)
	deleted, err := a.Subscriptions.Delete(a.Ctx, audience.DeleteSubscriptionsInput{
		TopicKey: topicKey, Subscriptions: []audience.SubscriptionRef{{Identifier: &identifier}},
	})
	require.NoError(t, err)
	require.Equal(t, found.ID, deleted.Data[0].ID)
}

// TestIdentifiersThatNoURLAddresses: clients resolve "." and ".." in a path away, so nothing new is called so. What is already can be
// deleted.
func TestIdentifiersThatNoURLAddresses(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	for _, dots := range []string{".", ".."} {
		_, err := a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{SubscriberID: dots})
		require.Equal(t, []string{"subscriberId"}, notifytest.Paths(t, err))
		_, err = a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: dots})
		require.Equal(t, []string{"key"}, notifytest.Paths(t, err))
		_, err = a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: dots})
		notifytest.RequireKind(t, fault.BadRequest, err)
		_, err = a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{
			TopicKey: "news", Subscriptions: []audience.SubscriptionItem{{SubscriberID: "u0", Identifier: &dots}},
		})
		require.Equal(t, []string{"subscriptions.0.identifier"}, notifytest.Paths(t, err))

		made, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{
			TopicKey: "news", Subscriptions: []audience.SubscriptionItem{{SubscriberID: "u0"}},
		})
		require.NoError(t, err)
		_, err = a.DB.Pool.Exec(a.Ctx, `UPDATE subscriptions SET identifier = $1`, dots)
		require.NoError(t, err)
		deleted, err := a.Subscriptions.Delete(a.Ctx, audience.DeleteSubscriptionsInput{
			TopicKey: "news", Subscriptions: []audience.SubscriptionRef{{Identifier: &dots}},
		})
		require.NoError(t, err)
		require.Equal(t, made.Data[0].ID, deleted.Data[0].ID)
	}
}
