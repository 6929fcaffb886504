package notify_test

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestOddCursors gives lists cursors that no list made: they are refused as such, and never reach the database.
func TestOddCursors(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	a.subscribers(t, 1)
	id := strings.Repeat("a", 24)
	for _, cursor := range []string{
		"\x00", "\xff", "x", id + "0", id[1:], "id\x00" + id + "\x00", packedCursor("id", id[1:], ""), packedCursor("name", id, ""),
		packedCursor("created_at", id, "x"), packedCursor("created_at", id, "9223372036854775807"), packedCursor("created_at", id, "-9223372036854775808"),
		packedCursor("created_at", id, "1\x00"), packedCursor("created_at", id, "\xff"),
	} {
		for _, page := range []usecase.Page{{After: &cursor}, {Before: &cursor}} {
			_, err := a.Subscribers.List(a.ctx, page, &usecase.Order{Field: usecase.ColumnCreatedAt, Direction: usecase.OrderDesc}, nil)
			var refusal *fault.Error
			require.ErrorAs(t, err, &refusal, "%q", cursor)
			require.Equal(t, "INVALID_CURSOR", refusal.Code, "%q", cursor)
		}
	}
	upper := packedCursor("created_at", strings.ToUpper(id), "1")
	list, err := a.Subscribers.List(a.ctx, usecase.Page{After: &upper}, &usecase.Order{Field: usecase.ColumnCreatedAt, Direction: usecase.OrderAsc}, nil)
	require.NoError(t, err)
	require.Len(t, list.Edges, 1)
}

func packedCursor(parts ...string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, "\x00")))
}

// TestLongestSubscriptionIdentifier stores the longest identifier that is made of topic, subscriber and contexts, which does
// not compress, and names the subscription by it.
func TestLongestSubscriptionIdentifier(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
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
	_, err := a.Subscribers.Create(a.ctx, audience.CreateSubscriberInput{SubscriberID: subscriberID})
	require.NoError(t, err)
	create := func(identifier *string) string {
		made, err := a.Subscriptions.Create(a.ctx, audience.CreateSubscriptionsInput{
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

	found, err := a.Subscriptions.ByIdentifier(a.ctx, topicKey, identifier)
	require.NoError(t, err)
	_, err = a.Subscriptions.Update(a.ctx, audience.UpdateSubscriptionInput{TopicKey: topicKey, Identifier: identifier})
	require.NoError(t, err)
	list, err := a.Subscriptions.List(a.ctx, usecase.Page{}, nil, &audience.SubscriptionFilter{IdentifierIn: []string{identifier}})
	require.NoError(t, err)
	require.Len(t, list.Edges, 1)
	deleted, err := a.Subscriptions.Delete(a.ctx, audience.DeleteSubscriptionsInput{
		TopicKey: topicKey, Subscriptions: []audience.SubscriptionRef{{Identifier: &identifier}},
	})
	require.NoError(t, err)
	require.Equal(t, found.ID, deleted.Data[0].ID)
}
