package graph_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// TestSubscriptionsRefuseWrongCredentials tries every subscription of the schema, over both transports.
func TestSubscriptionsRefuseWrongCredentials(t *testing.T) {
	t.Parallel()
	g := newGuest(t)
	hub := realtime.NewHub(realtime.Config{Logger: slog.New(slog.DiscardHandler), Poll: time.Hour})
	g.services = services(t, g.db, g.keeper, slog.New(slog.NewJSONHandler(g.log, nil)), hub)
	server := httptest.NewServer(graph.NewHandler(graph.Config{Services: g.services, Authenticator: g.auth, Logger: slog.New(slog.NewJSONHandler(g.log, nil)), Live: hub}))
	t.Cleanup(server.Close)
	own := map[string]bool{"inboxUpdates": true} // what a subscriber's credential is for
	operations := map[string][]string{
		"inboxUpdates":        {`inboxUpdates(subscriberId: "bob") { sequence }`, `inboxUpdates(subscriberId: "ada", contextKeys: ["tenant:other"]) { sequence }`},
		"notificationUpdates": {`notificationUpdates { id }`, `notificationUpdates(filter: {subscriberId: "ada"}) { id }`},
	}
	for _, field := range generated.NewExecutableSchema(generated.Config{}).Schema().Subscription.Fields {
		require.NotEmpty(t, operations[field.Name], "%s is not tried", field.Name)
	}
	ended := func(change func(*auth.SubscriberToken)) string {
		token := auth.SubscriberToken{EnvironmentID: g.mine.Scope.EnvironmentID, SubscriberID: g.ada.ID, IssuedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour)}
		change(&token)
		text, err := token.Seal(g.keeper, "")
		require.NoError(t, err)
		return "Bearer " + text
	}
	acme := "tenant:acme"
	for name, c := range map[string]struct {
		credential string
		refused    bool // at the door
	}{
		"OfAnotherSubscriber": {"Bearer " + g.token, false},
		"OfAContextSet":       {ended(func(token *auth.SubscriberToken) { token.ContextScope = &acme }), false},
		"Expired":             {ended(func(token *auth.SubscriberToken) { token.ExpiresAt = time.Now().Add(-time.Second) }), true},
		"OtherEnvironment":    {ended(func(token *auth.SubscriberToken) { token.EnvironmentID = strings.Repeat("6", 24) }), true},
		"Revoked":             {revoked(t, g), true},
		"None":                {"", true},
		"Nonsense":            {"Bearer cst_x", true},
		"Key":                 {"ApiKey nothing", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for field, texts := range operations {
				for _, text := range texts {
					if name == "OfAnotherSubscriber" && own[field] && strings.Contains(text, `"ada"`) {
						continue // its own inbox, in any context set
					}
					answer := overEvents(t, server, c.credential, text)
					require.Contains(t, answer, map[bool]string{true: "UNAUTHENTICATED", false: "FORBIDDEN"}[c.refused], text)
					conn := dialGraphQL(t, server, ws)
					conn.say(initAs(c.credential))
					if c.refused {
						conn.closes(4403)
						continue
					}
					conn.hears(ack)
					conn.say(fmt.Sprintf(`{"id":"1","type":"subscribe","payload":{"query":%q}}`, "subscription { "+text+" }"))
					frame := conn.hear()
					require.Equal(t, "error", frame.Type, text)
					require.Contains(t, string(frame.Payload), "FORBIDDEN", text)
				}
			}
		})
	}
}

// revoked is a token of another subscriber, whose tokens were all taken back.
func revoked(t *testing.T, g *guest) string {
	t.Helper()
	eve := g.db.Ent.Subscriber.Create().SetSubscriberID("eve").SaveX(viewer.InScope(t.Context(), g.mine.Scope))
	token, err := auth.SubscriberToken{EnvironmentID: g.mine.Scope.EnvironmentID, SubscriberID: eve.ID, IssuedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour)}.Seal(g.keeper, "")
	require.NoError(t, err)
	_, err = g.services.SubscriberTokens.Revoke(viewer.NewContext(t.Context(), viewer.Viewer{Scope: g.mine.Scope, Role: viewer.RoleAdmin}), "eve")
	require.NoError(t, err)
	return "Bearer " + token
}

func overEvents(t *testing.T, server *httptest.Server, credential, text string) string {
	t.Helper()
	body := fmt.Sprintf(`{"query":%q}`, "subscription { "+text+" }")
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Authorization", credential)
	rec := httptest.NewRecorder()
	server.Config.Handler.ServeHTTP(rec, req)
	return rec.Body.String()
}

// TestOpenConnectionsEndWithTheirCredential revokes a key and tokens under open connections of both transports.
func TestOpenConnectionsEndWithTheirCredential(t *testing.T) {
	t.Parallel()
	b, server := liveServer(t, document.Limits{})
	b.must(t, `mutation { createSubscriber(input: {subscriberId: "ada"}) { subscriber { id } } }`, nil)
	serve := func(query string) map[string]any {
		body, err := json.Marshal(map[string]string{"query": query})
		require.NoError(t, err)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/graphql", strings.NewReader(string(body)))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "ApiKey "+b.key)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { require.NoError(t, resp.Body.Close()) }()
		var r reply
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&r))
		require.Empty(t, r.Errors)
		return r.Data
	}
	token := at(t, serve(`mutation { createSubscriberToken(input: {subscriberId: "ada"}) { token } }`), "createSubscriberToken", "token")
	made := at(t, serve(`mutation { createApiKey(input: {name: "page"}) { key apiKey { id } } }`), "createApiKey")
	for _, c := range []struct{ credential, end, watch string }{
		{fmt.Sprint("Bearer ", token), `mutation { revokeSubscriberTokens(subscriberId: "ada") { subscriber { id } } }`, `inboxUpdates { sequence }`},
		{
			fmt.Sprint("ApiKey ", at(t, made, "key")), fmt.Sprintf(`mutation { revokeApiKey(id: %q) { apiKey { id } } }`, at(t, made, "apiKey", "id")),
			`inboxUpdates(subscriberId: "ada") { sequence }`,
		},
	} {
		conn := dialGraphQL(t, server, ws)
		conn.say(initAs(c.credential))
		conn.hears(ack)
		conn.say(fmt.Sprintf(`{"id":"1","type":"subscribe","payload":{"query":%q}}`, "subscription { "+c.watch+" }"))
		require.Equal(t, "next", conn.hear().Type)
		stream := make(chan string, 1)
		go func() { stream <- overEvents(t, server, c.credential, c.watch) }()
		serve(c.end)
		for {
			if _, _, err := conn.conn.ReadMessage(); err != nil {
				require.ErrorContains(t, err, "4403")
				break
			}
		}
		select {
		case <-stream:
		case <-time.After(50 * time.Second): // before credentials are judged anew, which would end it as well
			require.Fail(t, "the stream of events continues")
		}
	}
}
