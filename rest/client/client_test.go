package client_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/app/apptest"
	api "github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/rest/client"
)

func TestMain(m *testing.M) { apptest.Main(m) }

func serving(t *testing.T, opts ...client.Option) *client.Client {
	t.Helper()
	c, err := client.New(os.Getenv(apptest.AddressVariable), os.Getenv(apptest.KeyVariable), opts...)
	require.NoError(t, err)
	return c
}

// What a user's program needs beside this package is the standard library.
func TestNeedsTheStandardLibraryOnly(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	require.NoError(t, err)
	require.Equal(t, []string{
		"github.com/carillon/carillon/graph/client/nullable", "github.com/carillon/carillon/graph/client/retry", "github.com/carillon/carillon/rest/client",
	}, strings.Fields(string(out)))
}

func TestEveryRouteAgainstAServer(t *testing.T) {
	t.Parallel()
	c, ctx := serving(t), t.Context()
	subscriber(t, "routes/ada")
	triggered, err := c.TriggerEvent(ctx, client.TriggerRequest{
		Name: "hello", To: client.Recipients(client.RecipientProfile(client.SubscriberRecipient{SubscriberID: "routes/ada", FirstName: client.Value("Ada")}), client.RecipientID("routes-bob")),
		Payload: map[string]any{"name": "World"},
	})
	require.NoError(t, err)
	require.Equal(t, client.TriggerStatusProcessed, triggered.Status)
	bulk, err := c.BulkTriggerEvents(ctx, client.BulkTriggerRequest{Events: []client.TriggerRequest{
		{Name: "hello", To: client.Recipients(client.RecipientTopic("routes", "routes-bob"))}, {Name: "unknown", To: client.Recipients(client.RecipientID("routes-bob"))},
	}})
	require.NoError(t, err)
	require.Equal(t, []client.TriggerStatus{client.TriggerStatusProcessed, client.TriggerStatusError}, []client.TriggerStatus{bulk[0].Status, bulk[1].Status})
	broadcast, err := c.BroadcastEvent(ctx, client.BroadcastRequest{Name: "hello", Payload: map[string]any{}})
	require.NoError(t, err)
	require.True(t, broadcast.Acknowledged)

	const subscriber, topic = "routes/ada", "routes" // the slash is data, not a part of the path
	created, err := c.CreateSubscriptions(ctx, topic, client.CreateSubscriptionsRequest{Subscriptions: []client.CreateSubscriptionsRequest_Subscriptions{client.SubscriptionOf(subscriber)}})
	require.NoError(t, err)
	require.Equal(t, 1, created.Meta.Successful)
	identifier := created.Data[0].Identifier
	updated, err := c.UpdateSubscription(ctx, topic, identifier, client.UpdateSubscriptionRequest{Name: new("Mine")})
	require.NoError(t, err)
	require.Equal(t, "Mine", *updated.Name)
	page, err := c.ListSubscriptions(ctx, subscriber, &client.ListSubscriptionsParams{Limit: new(5), ContextKeys: []string{}})
	require.NoError(t, err)
	require.Equal(t, 1, page.TotalCount)
	require.Equal(t, subscriber, page.Data[0].Subscriber.SubscriberID)
	var ref client.DeleteSubscriptionsRequest_Subscriptions
	require.NoError(t, ref.FromSubscriptionRef(client.SubscriptionRef{Identifier: &identifier}))
	deleted, err := c.DeleteSubscriptions(ctx, topic, client.DeleteSubscriptionsRequest{Subscriptions: []client.DeleteSubscriptionsRequest_Subscriptions{ref}})
	require.NoError(t, err)
	require.Equal(t, 1, deleted.Meta.Successful)

	wishes, err := c.UpdatePreferences(ctx, subscriber, client.UpdatePreferencesRequest{Preferences: []client.WorkflowPreferenceInput{
		{WorkflowID: "hello", Channels: client.ChannelPreferences{Email: new(false)}},
	}})
	require.NoError(t, err)
	require.False(t, *wishes[0].Channels.Email)
	effective, err := c.GetPreferences(ctx, subscriber, &client.GetPreferencesParams{Criticality: new(client.GetPreferencesParamsCriticalityAll)})
	require.NoError(t, err)
	require.False(t, *effective.Workflows[0].Channels.Email)
	workflows, err := c.ListWorkflows(ctx, &client.ListWorkflowsParams{Status: []client.WorkflowStatus{client.WorkflowStatusACTIVE, client.WorkflowStatusERROR}, Query: new("hello")})
	require.NoError(t, err)
	require.Equal(t, "hello", workflows.Workflows[0].WorkflowID)
	endpoints, err := c.ListChannelEndpoints(ctx, nil)
	require.NoError(t, err)
	require.Empty(t, endpoints.Data)

	var failure *client.APIError
	_, err = c.GetChannelEndpoint(ctx, "nowhere")
	require.ErrorAs(t, err, &failure)
	require.Equal(t, http.StatusNotFound, failure.StatusCode)
	require.NotEmpty(t, failure.RequestID)
	_, err = c.DeleteIntegration(ctx, "000000000000000000000001")
	require.ErrorAs(t, err, &failure)
	require.Equal(t, http.StatusNotFound, failure.StatusCode)
	var marked client.MarkMessagesRequest_MessageID
	require.NoError(t, marked.FromMarkMessagesRequestMessageID1(nil))
	_, err = c.MarkMessages(ctx, subscriber, client.MarkMessagesRequest{MessageID: marked, MarkAs: client.MarkMessagesRequestMarkAsRead})
	require.ErrorAs(t, err, &failure)
	require.Equal(t, client.BadRequestErrorTypeMESSAGEIDREQUIRED, failure.Type, "%v", err)
}

func TestErrorsHaveTheDocumentedFields(t *testing.T) {
	t.Parallel()
	c := serving(t)
	var failure *client.APIError
	_, err := c.TriggerEvent(t.Context(), client.TriggerRequest{Name: "not a name", To: client.Recipients(client.RecipientID("ada"))})
	require.ErrorAs(t, err, &failure)
	require.Equal(t, http.StatusUnprocessableEntity, failure.StatusCode)
	require.NotEmpty(t, failure.Fields["name"].Messages)
	require.ErrorContains(t, err, "POST /v1/events/trigger: status 422: Validation Error; name: ")

	_, err = c.CreateSubscriptions(t.Context(), "errors", client.CreateSubscriptionsRequest{SubscriberIds: []string{"stranger"}})
	require.ErrorAs(t, err, &failure)
	require.Equal(t, client.BadRequestErrorTypeALLITEMSFAILED, failure.Type)
	item, err := failure.Problems[0].AsItemError()
	require.NoError(t, err)
	require.Equal(t, "SUBSCRIBER_NOT_FOUND", item.Code)

	_, err = c.TriggerEvent(t.Context(), client.TriggerRequest{Name: "hello", To: client.Recipients(client.RecipientProfile(client.SubscriberRecipient{
		SubscriberID: "ada", Data: client.Value(map[string]any{"no": make(chan int)}),
	}))})
	require.ErrorContains(t, err, "encode the request")
	_, err = client.New("notify.example.com", "key")
	require.Error(t, err)
}

// A request whose answer is lost is sent again under the same key and carried out once.
func TestLostAnswersNeverDouble(t *testing.T) {
	t.Parallel()
	subscriber(t, "lost")
	var keys []string
	lossy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		resp, err := forward(r)
		if err != nil || len(keys) == 1 { // carried out, and the answer is lost
			panic(http.ErrAbortHandler)
		}
		defer func() { _ = resp.Body.Close() }()
		w.Header().Set("Idempotency-Replay", resp.Header.Get("Idempotency-Replay"))
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body)
	}))
	t.Cleanup(lossy.Close)
	c, err := client.New(lossy.URL, os.Getenv(apptest.KeyVariable), client.WithHTTPClient(lossy.Client()))
	require.NoError(t, err)
	done, err := c.CreateSubscriptions(t.Context(), "lost", client.CreateSubscriptionsRequest{SubscriberIds: []string{"lost"}})
	require.NoError(t, err)
	require.Equal(t, 1, done.Meta.Successful)
	require.Len(t, keys, 2)
	require.NotEmpty(t, keys[0])
	require.Equal(t, keys[0], keys[1])
}

// A service whose setting says so puts every answer into an envelope, lists as well; what has a member data of its own stays as it is.
func TestAnswersInAnEnvelope(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"/v1/events/trigger":      `{"data":{"acknowledged":true,"status":"processed","transactionId":"t"}}`,
		"/v1/events/trigger/bulk": `{"data":[{"acknowledged":true,"status":"processed"}]}`,
		"/v1/channel-endpoints":   `{"data":[],"next":null,"previous":null,"totalCount":7,"totalCountCapped":false}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, answers[r.URL.Path]) }))
	t.Cleanup(server.Close)
	c, err := client.New(server.URL, "key")
	require.NoError(t, err)
	event := client.TriggerRequest{Name: "hello", To: client.Recipients(client.RecipientID("ada"))}
	triggered, err := c.TriggerEvent(t.Context(), event)
	require.NoError(t, err)
	require.Equal(t, client.TriggerStatusProcessed, triggered.Status)
	bulk, err := c.BulkTriggerEvents(t.Context(), client.BulkTriggerRequest{Events: []client.TriggerRequest{event}})
	require.NoError(t, err)
	require.Len(t, bulk, 1)
	page, err := c.ListChannelEndpoints(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, 7, page.TotalCount)
}

// subscriber makes a subscriber, as no documented route does at once.
func subscriber(t *testing.T, id string) {
	t.Helper()
	graph := api.Client{URL: os.Getenv(apptest.AddressVariable), Key: os.Getenv(apptest.KeyVariable)}
	require.NoError(t, graph.GraphQL(t.Context(), `mutation ($id: String!) { createSubscriber(input: {subscriberId: $id}) { subscriber { id } } }`, map[string]any{"id": id}, nil))
}

func forward(r *http.Request) (*http.Response, error) {
	out := r.Clone(r.Context())
	out.RequestURI = ""
	out.Header.Del("Accept-Encoding")
	out.URL.Scheme, out.URL.Host = "http", strings.TrimPrefix(os.Getenv(apptest.AddressVariable), "http://")
	return http.DefaultClient.Do(out)
}
