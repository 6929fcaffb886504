package client_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph/client"
	"github.com/carillon/carillon/graph/client/retry"
	"github.com/carillon/carillon/internal/app/apptest"
	api "github.com/carillon/carillon/internal/client"
)

func TestMain(m *testing.M) { apptest.Main(m) }

func serving(t *testing.T) *client.Client {
	t.Helper()
	c, err := client.New(os.Getenv(apptest.AddressVariable), os.Getenv(apptest.KeyVariable))
	require.NoError(t, err)
	return c
}

// What a user's program needs beside this package is genqlient and nothing of the server.
func TestNeedsNothingOfTheServer(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	require.NoError(t, err)
	require.Subset(t, []string{
		"github.com/Khan/genqlient/graphql", "github.com/carillon/carillon/graph/client", "github.com/carillon/carillon/graph/client/nullable", "github.com/carillon/carillon/graph/client/retry",
		"github.com/google/uuid", "github.com/vektah/gqlparser/v2/ast", "github.com/vektah/gqlparser/v2/gqlerror",
	}, strings.Fields(string(out)))
}

func TestSubscribersAndTopics(t *testing.T) {
	t.Parallel()
	c, ctx := serving(t), t.Context()
	made, err := c.UpsertSubscriber(ctx, client.CreateSubscriberInput{SubscriberId: "graph-ada", FirstName: new("Ada"), Email: new("ada@example.com"), Data: map[string]any{"plan": "free"}})
	require.NoError(t, err)
	changed, err := c.UpsertSubscriber(ctx, client.CreateSubscriberInput{SubscriberId: "graph-ada", LastName: new("Lovelace")})
	require.NoError(t, err)
	require.Equal(t, made.Id, changed.Id)
	require.Equal(t, "Ada", *changed.FirstName, "what is not given stays")
	require.Equal(t, "Lovelace", *changed.LastName)
	require.Equal(t, map[string]any{"plan": "free"}, changed.Data)
	cleared, err := client.UpdateSubscriber(ctx, c, &client.UpdateSubscriberInput{
		Id: made.Id, FirstName: client.Null[string](), LastName: client.Value("King"), Data: client.Null[map[string]any](),
	})
	require.NoError(t, err)
	require.Nil(t, cleared.UpdateSubscriber.Subscriber.FirstName)
	require.Equal(t, "King", *cleared.UpdateSubscriber.Subscriber.LastName)
	require.Equal(t, "ada@example.com", *cleared.UpdateSubscriber.Subscriber.Email, "what is not given stays")
	require.Empty(t, cleared.UpdateSubscriber.Subscriber.Data)
	_, err = c.UpsertSubscriber(ctx, client.CreateSubscriberInput{SubscriberId: "not an id"})
	require.Equal(t, client.CodeValidation, client.Code(err))
	var failure *client.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, "subscriberId", failure.Fields[0].Path)
	require.ErrorContains(t, err, "createSubscriber: ")

	first, err := client.ListSubscribers(ctx, c, new(1), nil, &client.SubscriberFilter{SubscriberIdIn: []string{"graph-ada"}})
	require.NoError(t, err)
	require.Equal(t, "graph-ada", first.Subscribers.Nodes[0].SubscriberId)
	require.False(t, first.Subscribers.PageInfo.HasNextPage)

	joined, err := client.CreateSubscriptions(ctx, c, &client.CreateSubscriptionsInput{TopicKey: "graph-news", Subscriptions: []*client.SubscriptionItemInput{
		{SubscriberId: "graph-ada"}, {SubscriberId: "graph-stranger"},
	}})
	require.NoError(t, err)
	require.Len(t, joined.CreateSubscriptions.Subscriptions, 1)
	require.Equal(t, "SUBSCRIBER_NOT_FOUND", joined.CreateSubscriptions.Errors[0].Code)
	topics, err := client.ListTopics(ctx, c, nil, nil, nil)
	require.NoError(t, err)
	require.Equal(t, "graph-news", topics.Topics.Nodes[0].Key)
	left, err := client.DeleteSubscriptions(ctx, c, &client.DeleteSubscriptionsInput{TopicKey: "graph-news", Subscriptions: []*client.SubscriptionRefInput{{SubscriberId: new("graph-ada")}}})
	require.NoError(t, err)
	require.Len(t, left.DeleteSubscriptions.Subscriptions, 1)

	token, err := client.CreateSubscriberToken(ctx, c, &client.CreateSubscriberTokenInput{SubscriberId: "graph-ada", TtlSeconds: new(60)})
	require.NoError(t, err)
	require.NotEmpty(t, token.CreateSubscriberToken.Token)
	require.WithinDuration(t, time.Now().Add(time.Minute), token.CreateSubscriberToken.ExpiresAt, 30*time.Second)
	_, err = client.RevokeSubscriberTokens(ctx, c, "graph-ada")
	require.NoError(t, err)
	gone, err := client.DeleteSubscriber(ctx, c, made.Id)
	require.NoError(t, err)
	require.NotNil(t, gone.DeleteSubscriber.Subscriber.DeletedAt)
	_, err = client.GetSubscriber(ctx, c, "graph-ada")
	require.Equal(t, client.CodeNotFound, client.Code(err), "%v", err)
}

func TestTriggersAndWhy(t *testing.T) {
	t.Parallel()
	c, ctx := serving(t), t.Context()
	_, err := c.UpsertSubscriber(ctx, client.CreateSubscriberInput{SubscriberId: "why"})
	require.NoError(t, err)
	outcome, err := c.Trigger(ctx, client.TriggerEventInput{Name: "hello", To: []*client.RecipientInput{{SubscriberId: new("why")}}, Payload: map[string]any{"name": "Why"}})
	require.NoError(t, err)
	require.Equal(t, client.TriggerStatusProcessed, outcome.Status)
	within, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	require.NoError(t, api.Until(within, 20*time.Millisecond, func(ctx context.Context) (bool, error) {
		answer, err := client.Why(ctx, c, *outcome.TransactionId, new("why"), nil, nil)
		if err != nil {
			return false, err
		}
		runs := answer.Notifications.Nodes
		return len(runs) == 1 && runs[0].Status == client.RunStatusCompleted && len(runs[0].Trace) > 0, nil
	}))
	messages, err := client.ListMessages(ctx, c, nil, nil, &client.MessageFilter{TransactionId: outcome.TransactionId})
	require.NoError(t, err)
	require.Equal(t, client.ChannelInApp, messages.Messages.Nodes[0].Channel)
	all, err := c.Broadcast(ctx, client.BroadcastEventInput{Name: "hello", Payload: map[string]any{}})
	require.NoError(t, err)
	require.Equal(t, client.TriggerStatusProcessed, all.Status)
}

// A mutation whose answer is lost is carried out once, and the next attempt gets the same answer.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	direct := http.DefaultTransport
	lossy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := r.Clone(r.Context())
		out.RequestURI, out.URL.Scheme, out.URL.Host = "", "http", strings.TrimPrefix(os.Getenv(apptest.AddressVariable), "http://")
		resp, err := direct.RoundTrip(out)
		if err != nil || calls.Add(1) == 1 { // carried out, and the answer is lost
			panic(http.ErrAbortHandler)
		}
		defer func() { _ = resp.Body.Close() }()
		w.Header().Set("Content-Encoding", resp.Header.Get("Content-Encoding"))
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body)
	}))
	t.Cleanup(lossy.Close)
	c, err := client.New(lossy.URL, os.Getenv(apptest.KeyVariable), client.WithHTTPClient(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}),
		client.WithRetries(retry.Sender{Backoff: time.Millisecond}))
	require.NoError(t, err)
	outcome, err := c.Trigger(t.Context(), client.TriggerEventInput{Name: "hello", To: []*client.RecipientInput{{SubscriberId: new("lost")}}})
	require.NoError(t, err)
	require.Equal(t, client.TriggerStatusProcessed, outcome.Status)
	require.NotNil(t, outcome.EventId)
	require.EqualValues(t, 2, calls.Load())

	known, err := c.UpsertSubscriber(t.Context(), client.CreateSubscriberInput{SubscriberId: "lost"})
	require.NoError(t, err)
	calls.Store(0)
	gone, err := client.DeleteSubscriber(t.Context(), c, known.Id)
	require.NoError(t, err)
	require.Equal(t, known.Id, gone.DeleteSubscriber.DeletedId)
	require.EqualValues(t, 2, calls.Load())
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	wrong, err := client.New(os.Getenv(apptest.AddressVariable), "wrong")
	require.NoError(t, err)
	_, err = client.ListTopics(t.Context(), wrong, nil, nil, nil)
	require.Equal(t, "UNAUTHENTICATED", client.Code(err), "%v", err)
	_, err = client.New("ftp://notify.example.com", "key")
	require.Error(t, err)
	proxy := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(proxy.Close)
	stray, err := client.New(proxy.URL, "key")
	require.NoError(t, err)
	_, err = client.ListTopics(t.Context(), stray, nil, nil, nil)
	var failure *client.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, http.StatusNotFound, failure.StatusCode)
	require.Empty(t, client.Code(context.Canceled))
}

// TestErrorNamesFieldsOnce: most messages name the fields themselves.
func TestErrorNamesFieldsOnce(t *testing.T) {
	t.Parallel()
	fields := []client.FieldError{{Path: "name", Message: "a"}, {Path: "key", Message: "b"}}
	err := &client.Error{Path: "createTopic", Message: "Validation Error: name: a", Code: "VALIDATION", Fields: fields}
	require.EqualError(t, err, "createTopic: Validation Error: name: a (VALIDATION); key: b")
}
