package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
)

// TestTracesAreLive follows a trigger while another process works on it, over server-sent events.
func TestTracesAreLive(t *testing.T) {
	t.Parallel()
	cluster := newCluster(t)
	one, other := cluster.start(t, "serve"), cluster.start(t, "serve")
	lines := follow(t, other, cluster.key, "t-1")
	c := &client.Client{URL: one.URL(), Key: cluster.key}
	_, err := c.Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{"name": "hello", "to": "ada", "transactionId": "t-1"}, nil)
	require.NoError(t, err)
	require.Contains(t, lines("COMPLETED"), `"reason":"SENT"`)

	graphQL(t, c, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
		"identifier": "slow", "name": "Slow", "definition": object{"steps": []object{
			{"stepId": "wait", "type": "DELAY", "delay": object{"type": "REGULAR", "amount": 1, "unit": "DAYS"}},
			{"stepId": "bell", "type": "IN_APP", "inApp": object{"body": "late"}},
		}},
	}}, nil)
	lines = follow(t, other, cluster.key, "t-2")
	_, err = c.Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{"name": "slow", "to": "ada", "transactionId": "t-2"}, nil)
	require.NoError(t, err)
	lines("WAITING")
	graphQL(t, c, `mutation { cancelTransaction(transactionId: "t-2") { result { stoppedCount } } }`, nil, nil)
	lines("CANCELLED")
}

// follow watches the notifications of a transaction. The answer waits for a line that holds a word, and gives it.
func follow(t *testing.T, p *child.Process, key, transaction string) func(word string) string {
	t.Helper()
	body, err := json.Marshal(object{"query": `subscription { notificationUpdates(filter: {transactionId: "` + transaction + `"}) { status trace { reason } } }`})
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(within(t, time.Minute), http.MethodPost, p.URL()+"/graphql", bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Authorization", "ApiKey "+key)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	lines := bufio.NewScanner(resp.Body)
	return func(word string) string {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), word) {
				return lines.Text()
			}
		}
		require.NoError(t, lines.Err(), "before %s", word)
		require.FailNow(t, "the stream ended", "before %s", word)
		return ""
	}
}

// TestRevokedTokensEndConnections holds at every process.
func TestRevokedTokensEndConnections(t *testing.T) {
	t.Parallel()
	cluster := newCluster(t)
	one, other := cluster.start(t, "serve"), cluster.start(t, "serve")
	c := &client.Client{URL: one.URL(), Key: cluster.key}
	graphQL(t, c, `mutation { createSubscriber(input: {subscriberId: "ada"}) { subscriber { id } } }`, nil, nil)
	token := subscriberToken(t, c, "ada")
	s, err := dialSocket(t.Context(), other, token, nil)
	require.NoError(t, err)
	_, err = s.update()
	require.NoError(t, err)
	until(t, patience, "an open inbox is a sign of presence", func(ctx context.Context) (bool, error) {
		var out struct{ SubscriberBySubscriberID struct{ IsOnline *bool } }
		err := c.GraphQL(ctx, `{ subscriberBySubscriberId(subscriberId: "ada") { isOnline } }`, nil, &out)
		return out.SubscriberBySubscriberID.IsOnline != nil && *out.SubscriberBySubscriberID.IsOnline, err
	})
	graphQL(t, c, `mutation { revokeSubscriberTokens(subscriberId: "ada") { subscriber { id } } }`, nil, nil)
	for err = nil; err == nil; {
		_, err = s.read()
	}
	require.True(t, websocket.IsCloseError(err, 4403), err)
	status, err := (&client.Client{URL: one.URL(), HTTP: bearer{token}.client()}).Do(t.Context(), http.MethodPost, "/graphql",
		object{"query": "{ inbox { contextKeys } }"}, nil)
	require.Error(t, err)
	require.Equal(t, http.StatusUnauthorized, status)
}

// bearer sends a token in place of an API key.
type bearer struct{ token string }

func (b bearer) client() *http.Client { return &http.Client{Transport: b} }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", strings.TrimSpace("Bearer "+b.token))
	return http.DefaultTransport.RoundTrip(r)
}
