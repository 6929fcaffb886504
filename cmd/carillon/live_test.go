package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
)

// inboxUpdate is an update as a front end sees it.
type inboxUpdate struct {
	Sequence int
	Messages []struct {
		InternalID string
		Sequence   int
		Read       bool
	}
	RemovedIDs []string
	State      *struct{ Sequence, Total, Unread int }
}

const watchInbox = `subscription($after: Int) { inboxUpdates(after: $after) {
	sequence messages { internalId sequence read } removedIds state { sequence total unread } } }`

// socket is a graphql-transport-ws client with one subscription.
type socket struct {
	t    *testing.T
	conn *websocket.Conn
}

type frame struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// watch opens a connection with a subscriber token and subscribes after a sequence.
func watch(t *testing.T, p *child.Process, token string, after *int) *socket {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: 30 * time.Second}
	conn, resp, err := dialer.DialContext(t.Context(), "ws://"+p.Addr+"/graphql", nil)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	s := &socket{t, conn}
	s.send("", "connection_init", object{"Authorization": "Bearer " + token})
	require.Equal(t, "connection_ack", s.next().Type)
	s.send("1", "subscribe", object{"query": watchInbox, "variables": object{"after": after}})
	return s
}

func (s *socket) send(id, kind string, payload any) {
	s.t.Helper()
	raw, err := json.Marshal(payload)
	require.NoError(s.t, err)
	require.NoError(s.t, s.conn.WriteJSON(frame{id, kind, raw}))
}

// next is the next frame that is not a ping.
func (s *socket) next() frame {
	s.t.Helper()
	f, err := s.read()
	require.NoError(s.t, err)
	return f
}

func (s *socket) read() (f frame, err error) {
	for {
		if err := s.conn.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			return f, err
		}
		if err := s.conn.ReadJSON(&f); err != nil || f.Type != "ping" {
			return f, err
		}
		s.send("", "pong", nil)
	}
}

func (s *socket) update() inboxUpdate {
	s.t.Helper()
	f := s.next()
	require.Equal(s.t, "next", f.Type, string(f.Payload))
	var payload struct {
		Data struct{ InboxUpdates inboxUpdate }
	}
	require.NoError(s.t, json.Unmarshal(f.Payload, &payload))
	return payload.Data.InboxUpdates
}

// frontEnd is what a page knows of its inbox.
type frontEnd struct {
	after *int
	read  map[string]bool // by message
	seen  map[string]bool // message and its sequence: none comes twice
}

func (f *frontEnd) apply(t *testing.T, u inboxUpdate) {
	t.Helper()
	require.True(t, f.after == nil || u.Sequence > *f.after, "sequence %d after %v", u.Sequence, f.after)
	f.after = &u.Sequence
	for _, m := range u.Messages {
		key := fmt.Sprint(m.InternalID, m.Sequence)
		require.False(t, f.seen[key], "told twice")
		f.seen[key], f.read[m.InternalID] = true, m.Read
	}
	for _, removed := range u.RemovedIDs {
		delete(f.read, removed)
	}
}

func subscriberToken(t *testing.T, c *client.Client, who string) string {
	t.Helper()
	var out struct{ CreateSubscriberToken struct{ Token string } }
	graphQL(t, c, `mutation($who: String!) { createSubscriberToken(input: {subscriberId: $who}) { token } }`, object{"who": who}, &out)
	return out.CreateSubscriberToken.Token
}

// TestInboxesAreLive disconnects a front end at random, lets it come back to whichever process, and compares what it saw
// with the inbox.
func TestInboxesAreLive(t *testing.T) {
	t.Parallel()
	cluster := newCluster(t)
	servers := []*child.Process{cluster.start(t, "serve"), cluster.start(t, "serve")}
	c := &client.Client{URL: servers[0].URL(), Key: cluster.key}
	graphQL(t, c, `mutation { createSubscriber(input: {subscriberId: "ada"}) { id } }`, nil, nil)
	token := subscriberToken(t, c, "ada")

	// The first update says where the inbox stands.
	page := &frontEnd{read: map[string]bool{}, seen: map[string]bool{}}
	s := watch(t, servers[0], token, nil)
	page.apply(t, s.update())
	require.Empty(t, page.read)
	require.NoError(t, s.conn.Close())

	changes := 120
	if soak {
		changes = 5000
	}
	done := make(chan error, 1)
	go func() { done <- stir(t.Context(), &client.Client{URL: servers[1].URL(), Key: cluster.key}, changes) }()

	busy, connections := true, 0
	for busy || *page.after < inboxSequence(t, c) {
		s := watch(t, servers[rand.N(len(servers))], token, page.after)
		connections++
		for range 1 + rand.N(4) {
			if !busy && *page.after >= inboxSequence(t, c) {
				break
			}
			page.apply(t, s.update())
			select {
			case err := <-done:
				require.NoError(t, err)
				busy = false
			default:
			}
		}
		require.NoError(t, s.conn.Close()) // without a word, as a lost network would
	}
	require.Greater(t, connections, 5)
	require.Equal(t, inboxNow(t, c), page.read)
}

// stir sends, marks and deletes messages of ada's inbox.
func stir(ctx context.Context, c *client.Client, changes int) error {
	for i := range changes {
		body := object{"name": "hello", "to": "ada", "payload": object{"name": fmt.Sprint(i)}}
		if _, err := c.Do(ctx, http.MethodPost, "/v1/events/trigger", body, nil); err != nil {
			return err
		}
		var out struct {
			Inbox struct {
				Messages struct{ Nodes []struct{ ID string } }
			}
		}
		if err := c.GraphQL(ctx, `{ inbox(subscriberId: "ada") { messages(first: 3) { nodes { id } } } }`, nil, &out); err != nil {
			return err
		}
		nodes := out.Inbox.Messages.Nodes
		if len(nodes) < 2 {
			continue
		}
		mutation, id := `markMessages(input: {subscriberId: "ada", messageIds: [$id], markAs: READ})`, nodes[rand.N(len(nodes))].ID
		if i%5 == 0 {
			mutation = `deleteMessages(input: {subscriberId: "ada", messageIds: [$id]})`
		}
		if err := c.GraphQL(ctx, `mutation($id: ID!) { `+mutation+` { id } }`, object{"id": id}, nil); err != nil {
			return err
		}
	}
	return nil
}

func inboxSequence(t *testing.T, c *client.Client) int {
	t.Helper()
	var out struct {
		Inbox struct{ State *struct{ Sequence int } }
	}
	graphQL(t, c, `{ inbox(subscriberId: "ada") { state { sequence } } }`, nil, &out)
	if out.Inbox.State == nil {
		return 0
	}
	return out.Inbox.State.Sequence
}

// inboxNow is the whole inbox as the database has it: whether each message is read.
func inboxNow(t *testing.T, c *client.Client) map[string]bool {
	t.Helper()
	read := map[string]bool{}
	for after := (*string)(nil); ; {
		var out struct {
			Inbox struct {
				Messages struct {
					Nodes []struct {
						InternalID string
						Read       bool
					}
					PageInfo struct {
						HasNextPage bool
						EndCursor   *string
					}
				}
			}
		}
		graphQL(t, c, `query($after: String) { inbox(subscriberId: "ada") { messages(first: 100, after: $after) {
			nodes { internalId read } pageInfo { hasNextPage endCursor } } } }`, object{"after": after}, &out)
		for _, m := range out.Inbox.Messages.Nodes {
			read[m.InternalID] = m.Read
		}
		if after = out.Inbox.Messages.PageInfo.EndCursor; !out.Inbox.Messages.PageInfo.HasNextPage {
			return read
		}
	}
}

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

	graphQL(t, c, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }`, object{"input": object{
		"identifier": "slow", "name": "Slow", "definition": object{"steps": []object{
			{"stepId": "wait", "type": "DELAY", "delay": object{"type": "REGULAR", "amount": 1, "unit": "DAYS"}},
			{"stepId": "bell", "type": "IN_APP", "inApp": object{"body": "late"}},
		}},
	}}, nil)
	lines = follow(t, other, cluster.key, "t-2")
	_, err = c.Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{"name": "slow", "to": "ada", "transactionId": "t-2"}, nil)
	require.NoError(t, err)
	lines("WAITING")
	graphQL(t, c, `mutation { cancelTransaction(transactionId: "t-2") { stoppedCount } }`, nil, nil)
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
	graphQL(t, c, `mutation { createSubscriber(input: {subscriberId: "ada"}) { id } }`, nil, nil)
	token := subscriberToken(t, c, "ada")
	s := watch(t, other, token, nil)
	s.update()
	until(t, 20*time.Second, "an open inbox is a sign of presence", func(ctx context.Context) (bool, error) {
		var out struct{ SubscriberBySubscriberID struct{ IsOnline *bool } }
		err := c.GraphQL(ctx, `{ subscriberBySubscriberId(subscriberId: "ada") { isOnline } }`, nil, &out)
		return out.SubscriberBySubscriberID.IsOnline != nil && *out.SubscriberBySubscriberID.IsOnline, err
	})
	graphQL(t, c, `mutation { revokeSubscriberTokens(subscriberId: "ada") { id } }`, nil, nil)
	for err := error(nil); err == nil; {
		_, err = s.read()
		if err != nil {
			require.True(t, websocket.IsCloseError(err, websocket.CloseNormalClosure), err)
		}
	}
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
