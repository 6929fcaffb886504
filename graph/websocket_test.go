package graph_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/stall"
)

// liveServer is the GraphQL door with subscriptions, on a real listener.
func liveServer(t *testing.T, limits document.Limits) (*bundle, *httptest.Server) {
	t.Helper()
	limits = patient(limits)
	b := setup(t)
	hub := realtime.NewHub(realtime.Config{Logger: slog.New(slog.DiscardHandler), Poll: time.Hour})
	b.services = services(t, b.db, b.keeper, slog.New(slog.NewJSONHandler(b.log, nil)), hub)
	server := httptest.NewServer(graph.NewHandler(graph.Config{
		Services: b.services, Authenticator: b.auth, Logger: slog.New(slog.NewJSONHandler(b.log, nil)), Live: hub, Limits: limits,
	}))
	t.Cleanup(server.Close)
	return b, server
}

// patient lets a busy machine take its time to show a credential, in tests of something else.
func patient(limits document.Limits) document.Limits {
	limits.InitTimeout = cmp.Or(limits.InitTimeout, stall.Limit(time.Minute))
	return limits
}

type wsClient struct {
	t    *testing.T
	conn *websocket.Conn
}

func dialGraphQL(t *testing.T, server *httptest.Server, subprotocols ...string) *wsClient {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: subprotocols}
	conn, resp, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http")+"/graphql", nil)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(stall.Limit(2*time.Minute))))
	return &wsClient{t, conn}
}

func (c *wsClient) say(text string) {
	c.t.Helper()
	require.NoError(c.t, c.conn.WriteMessage(websocket.TextMessage, []byte(text)))
}

func (c *wsClient) hears(text string) {
	c.t.Helper()
	_, heard, err := c.conn.ReadMessage()
	require.NoError(c.t, err)
	require.JSONEq(c.t, text, string(heard))
}

func (c *wsClient) hear() (frame struct {
	ID, Type string
	Payload  json.RawMessage
},
) {
	c.t.Helper()
	require.NoError(c.t, c.conn.ReadJSON(&frame))
	return frame
}

func (c *wsClient) closes(code int) {
	c.t.Helper()
	_, text, err := c.conn.ReadMessage()
	require.Truef(c.t, websocket.IsCloseError(err, code), "%v, %s", err, text)
}

const (
	ws   = "graphql-transport-ws"
	ack  = `{"type":"connection_ack"}`
	done = `{"id":"1","type":"complete"}`
)

func initAs(credential string) string {
	return `{"type":"connection_init","payload":{"Authorization":"` + credential + `"}}`
}

// TestWebSocketProtocol follows the document of graphql-transport-ws.
func TestWebSocketProtocol(t *testing.T) {
	t.Parallel()
	b, server := liveServer(t, document.Limits{})
	key := initAs("ApiKey " + b.key)
	open := func(t *testing.T) *wsClient {
		t.Helper()
		c := dialGraphQL(t, server, ws)
		c.say(key)
		c.hears(ack)
		return c
	}
	for name, c := range map[string]struct {
		say  []string
		code int
	}{
		"NotJSON":         {[]string{`{`}, 4400},
		"UnknownType":     {[]string{key, `{"type":"start"}`}, 4400},
		"NoPayload":       {[]string{key, `{"id":"1","type":"subscribe"}`}, 4400},
		"NoID":            {[]string{key, `{"type":"subscribe","payload":{"query":"{ __typename }"}}`}, 4400},
		"BadInit":         {[]string{`{"type":"connection_init","payload":7}`}, 4400},
		"BeforeInit":      {[]string{`{"id":"1","type":"subscribe","payload":{"query":"{ __typename }"}}`}, 4401},
		"NoCredential":    {[]string{`{"type":"connection_init"}`}, 4403},
		"WrongCredential": {[]string{initAs("ApiKey nothing")}, 4403},
		"TwoInits":        {[]string{key, key}, 4429},
		"Duplicate": {[]string{
			key, `{"id":"1","type":"subscribe","payload":{"query":"subscription { notificationUpdates { id } }"}}`,
			`{"id":"1","type":"subscribe","payload":{"query":"{ __typename }"}}`,
		}, 4409},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := dialGraphQL(t, server, ws)
			for _, text := range c.say {
				conn.say(text)
			}
			if c.say[0] == key {
				conn.hears(ack)
			}
			conn.closes(c.code)
		})
	}
	t.Run("Subprotocol", func(t *testing.T) {
		t.Parallel()
		dialGraphQL(t, server, "graphql-ws").closes(4406)
		dialGraphQL(t, server).closes(4406)
	})
	t.Run("LongMessageOfAStranger", func(t *testing.T) {
		t.Parallel()
		c := dialGraphQL(t, server, ws)
		_ = c.conn.WriteMessage(websocket.TextMessage, []byte(initAs(strings.Repeat("x", 20<<10)))) // may be cut off already
		_, _, err := c.conn.ReadMessage()
		require.Error(t, err)
	})
	t.Run("Binary", func(t *testing.T) {
		t.Parallel()
		c := dialGraphQL(t, server, ws)
		require.NoError(t, c.conn.WriteMessage(websocket.BinaryMessage, []byte(key)))
		c.closes(4400)
	})
	t.Run("PingPong", func(t *testing.T) {
		t.Parallel()
		c := dialGraphQL(t, server, ws)
		c.say(`{"type":"ping"}`)
		c.hears(`{"type":"pong"}`)
		c.say(`{"type":"ping","payload":{"a":1}}`)
		c.hears(`{"type":"pong","payload":{"a":1}}`)
		c.say(`{"type":"pong"}`)
		c.say(key)
		c.hears(ack)
	})
	t.Run("Operations", func(t *testing.T) {
		t.Parallel()
		c := open(t)
		c.say(`{"id":"1","type":"subscribe","payload":{"query":"query A { __typename } query B { b: __typename }","operationName":"B"}}`)
		c.hears(`{"id":"1","type":"next","payload":{"data":{"b":"Query"}}}`)
		c.hears(done)
		c.say(`{"id":"1","type":"subscribe","payload":{"query":"{ nothing }"}}`) // the id is free again
		f := c.hear()
		require.Equal(t, "error", f.Type)
		require.Contains(t, string(f.Payload), "GRAPHQL_VALIDATION_FAILED")
		c.say(`{"id":"1","type":"subscribe","payload":{"query":"{ topic(id: \"6f0000000000000000000000\") { id } }"}}`)
		f = c.hear()
		require.Equal(t, "next", f.Type, "a query that failed has a result, which tells of it")
		require.Contains(t, string(f.Payload), "NOT_FOUND")
		c.hears(done)
		c.say(`{"id":"nobody","type":"complete"}`) // is no error
		c.say(`{"id":"2","type":"subscribe","payload":{"query":"subscription { inboxUpdates(subscriberId: \"nobody\") { sequence } }"}}`)
		f = c.hear()
		require.Equal(t, "error", f.Type)
		require.Contains(t, string(f.Payload), "NOT_FOUND")
	})
	t.Run("OneStream", func(t *testing.T) {
		t.Parallel()
		c := open(t)
		for _, streams := range []string{
			`a: notificationUpdates { id } b: notificationUpdates { id }`, `notificationUpdates @skip(if: true) { id }`, `...F ...G`, `__typename`,
		} {
			fragments := ""
			if strings.Contains(streams, "...") {
				fragments = ` fragment F on Subscription { a: notificationUpdates { id } } fragment G on Subscription { b: notificationUpdates { id } }`
			}
			c.say(`{"id":"1","type":"subscribe","payload":{"query":"subscription { ` + streams + ` }` + fragments + `"}}`)
			f := c.hear()
			require.Equal(t, "error", f.Type, streams)
			require.Contains(t, string(f.Payload), "GRAPHQL_VALIDATION_FAILED", streams)
		}
	})
	t.Run("SequenceOfTheFuture", func(t *testing.T) {
		t.Parallel()
		b.must(t, `mutation { createSubscriber(input: {subscriberId: "eve"}) { subscriber { id } } }`, nil)
		c := open(t)
		c.say(`{"id":"1","type":"subscribe","payload":{"query":"subscription { inboxUpdates(subscriberId: \"eve\", after: 7) { sequence state { total } } }"}}`)
		c.hears(`{"id":"1","type":"next","payload":{"data":{"inboxUpdates":{"sequence":0,"state":null}}}}`)
	})
	t.Run("LimitOfOperations", func(t *testing.T) {
		t.Parallel()
		c := open(t)
		for i := range 101 {
			c.say(strings.Replace(`{"id":"#","type":"subscribe","payload":{"query":"subscription { notificationUpdates { id } }"}}`, "#", strings.Repeat("x", i+1), 1))
		}
		f := c.hear()
		require.Len(t, f.ID, 101)
		require.Contains(t, string(f.Payload), "OPERATION_LIMIT_EXCEEDED")
	})
}

func TestWebSocketsAreNotWaitedForForEver(t *testing.T) {
	t.Parallel()
	_, server := liveServer(t, document.Limits{InitTimeout: time.Millisecond})
	dialGraphQL(t, server, ws).closes(4408)
}

// TestOpenInboxesAreCheap is about the goroutines: ten thousand inboxes are open at once.
func TestOpenInboxesAreCheap(t *testing.T) { //nolint:paralleltest // counts the goroutines of the process
	b, server := liveServer(t, document.Limits{})
	b.must(t, `mutation { createSubscriber(input: {subscriberId: "ada"}) { subscriber { id } } }`, nil)
	const connections = 50
	watch := func() *wsClient {
		c := dialGraphQL(t, server, ws)
		c.say(initAs("ApiKey " + b.key))
		c.hears(ack)
		c.say(`{"id":"1","type":"subscribe","payload":{"query":"subscription { inboxUpdates(subscriberId: \"ada\") { sequence } }"}}`)
		c.hears(`{"id":"1","type":"next","payload":{"data":{"inboxUpdates":{"sequence":0}}}}`)
		return c
	}
	watch()
	before := runtime.NumGoroutine()
	all := make([]*wsClient, connections)
	for i := range all {
		all[i] = watch()
	}
	settles := func(most int) {
		t.Helper()
		deadline := time.Now().Add(stall.Limit(30 * time.Second))
		for runtime.NumGoroutine() > most {
			require.True(t, time.Now().Before(deadline), "%d goroutines, not %d", runtime.NumGoroutine(), most)
			runtime.Gosched()
		}
	}
	settles(before + connections + 10) // one each; the ten are anybody's
	all[0].say(`{"id":"1","type":"complete"}`)
	all[0].say(`{"id":"1","type":"subscribe","payload":{"query":"{ __typename }"}}`)
	all[0].hears(`{"id":"1","type":"next","payload":{"data":{"__typename":"Query"}}}`)
	for _, c := range all {
		require.NoError(t, c.conn.Close())
	}
	settles(before + 10)
}

// TestEventStreams are the same operations over server-sent events.
func TestEventStreams(t *testing.T) {
	t.Parallel()
	b, server := liveServer(t, document.Limits{})
	for name, c := range map[string]struct {
		credential, body, answer string
		status                   int
	}{
		"Query":        {"ApiKey " + b.key, `{"query":"{ __typename }"}`, ":\n\nevent: next\ndata: {\"data\":{\"__typename\":\"Query\"}}\n\nevent: complete\ndata:\n\n", 200},
		"Wrong":        {"ApiKey " + b.key, `{"query":"{ nothing }"}`, "GRAPHQL_VALIDATION_FAILED", 200},
		"Subscription": {"ApiKey " + b.key, `{"query":"subscription { inboxUpdates(subscriberId: \"nobody\") { sequence } }"}`, "NOT_FOUND", 200},
		"Body":         {"ApiKey " + b.key, `{`, "MALFORMED_BODY", 400},
		"NotUTF8":      {"ApiKey " + b.key, "{\"query\":\"subscription { a \xff }\"}", "MALFORMED_BODY", 400},
		"Credential":   {"Bearer cst_x", `{"query":"{ __typename }"}`, "UNAUTHENTICATED", 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(c.body))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "text/event-stream")
			req.Header.Set("Authorization", c.credential)
			rec := httptest.NewRecorder()
			server.Config.Handler.ServeHTTP(rec, req)
			require.Equal(t, c.status, rec.Code)
			require.Contains(t, rec.Body.String(), c.answer)
		})
	}
}

// TestStreamsAreForThoseWhoAcceptNothingElse: clients such as urql accept streams and JSON for every operation.
func TestStreamsAreForThoseWhoAcceptNothingElse(t *testing.T) {
	t.Parallel()
	b, server := liveServer(t, document.Limits{})
	const both = "application/graphql-response+json, application/json, text/event-stream, multipart/mixed"
	post := func(t *testing.T, authorization, accept, query string) (int, string, io.Reader) {
		t.Helper()
		body := strings.NewReader(fmt.Sprintf(`{"query":%q}`, query))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/graphql", body)
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", accept)
		req.Header.Set("Authorization", authorization)
		resp, err := server.Client().Do(req)
		require.NoError(t, err)
		t.Cleanup(func() { _ = resp.Body.Close() })
		return resp.StatusCode, resp.Header.Get("Content-Type"), resp.Body
	}
	for name, c := range map[string]struct {
		authorization, accept, query, media, answer string
		status                                      int
	}{
		"Query":      {"ApiKey " + b.key, both, `{ __typename }`, "application/graphql-response+json; charset=utf-8", `{"data":{"__typename":"Query"}}`, 200},
		"Anything":   {"ApiKey " + b.key, "text/event-stream, */*", `{ __typename }`, "application/json; charset=utf-8", `{"data":{"__typename":"Query"}}`, 200},
		"Wrong":      {"ApiKey " + b.key, both, `{ nothing }`, "application/graphql-response+json; charset=utf-8", "GRAPHQL_VALIDATION_FAILED", 400},
		"LogIn":      {"", both, `mutation { logIn(input: {email: "a@example.org", password: "p"}) { token } }`, "application/graphql-response+json; charset=utf-8", "The address or the password is not right.", 200},
		"Credential": {"ApiKey x", both, followAll, "application/graphql-response+json; charset=utf-8", "UNAUTHENTICATED", 401},
		"NoSuch":     {"ApiKey " + b.key, both, `subscription { inboxUpdates(subscriberId: "unknown") { sequence } }`, "text/event-stream", "NOT_FOUND", 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, media, body := post(t, c.authorization, c.accept, c.query)
			require.Equal(t, c.status, status)
			require.Equal(t, c.media, media)
			text, err := io.ReadAll(body)
			require.NoError(t, err)
			require.Contains(t, string(text), c.answer)
		})
	}

	for name, c := range map[string]struct {
		accept, query, media, answer string
		status                       int
	}{
		"Query":        {"text/event-stream", `{ __typename }`, "text/event-stream", ":\n\nevent: next\ndata: {\"data\":{\"__typename\":\"Query\"}}\n\nevent: complete\ndata:\n\n", 200},
		"QueryOrJSON":  {both, `{ __typename }`, "application/graphql-response+json; charset=utf-8", `{"data":{"__typename":"Query"}}`, 200},
		"Wrong":        {"text/event-stream", `{ nothing }`, "text/event-stream", "GRAPHQL_VALIDATION_FAILED", 200},
		"Subscription": {both, `subscription { inboxUpdates(subscriberId: "unknown") { sequence } }`, "text/event-stream", "NOT_FOUND", 200},
		"Mutation":     {"text/event-stream", `mutation { createTopic(input: {key: "t"}) { topic { id } } }`, "application/json; charset=utf-8", "METHOD_NOT_ALLOWED", 405},
	} {
		t.Run("Get"+name, func(t *testing.T) {
			t.Parallel()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/graphql?query="+url.QueryEscape(c.query), nil)
			require.NoError(t, err)
			req.Header.Set("Accept", c.accept)
			req.Header.Set("Authorization", "ApiKey "+b.key)
			resp, err := server.Client().Do(req)
			require.NoError(t, err)
			defer resp.Body.Close()
			text, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Equal(t, []any{c.status, c.media}, []any{resp.StatusCode, resp.Header.Get("Content-Type")})
			require.Contains(t, string(text), c.answer)
		})
	}

	t.Run("EndsWithItsCredential", func(t *testing.T) {
		t.Parallel()
		made := at(t, b.must(t, `mutation { createApiKey(input: {name: "page"}) { key apiKey { id } } }`, nil), "createApiKey")
		_, media, stream := post(t, "ApiKey "+at(t, made, "key").(string), both, followAll)
		require.Equal(t, "text/event-stream", media)
		// Here, so that the streams of this server hear of it.
		status, _, _ := post(t, "ApiKey "+b.key, both, fmt.Sprintf(`mutation { revokeApiKey(id: %q) { apiKey { id } } }`, at(t, made, "apiKey", "id")))
		require.Equal(t, http.StatusOK, status)
		text, err := io.ReadAll(stream)
		require.NoError(t, err)
		require.NotContains(t, string(text), "event: complete")
	})
}
