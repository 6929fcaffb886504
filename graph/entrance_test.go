package graph_test

import (
	"bufio"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/rest"
)

// Operations wait for their turn as requests of the other door do, and count against the same rates.
func TestEntrance(t *testing.T) {
	t.Parallel()
	b := setup(t)
	door := func(change func(*graph.Config)) {
		cfg := graph.Config{Services: b.services, Authenticator: b.auth, Logger: slog.New(slog.DiscardHandler), Limits: document.Limits{Timeout: 10 * time.Minute}}
		change(&cfg)
		b.handler = graph.NewHandler(cfg)
	}
	const trigger = `{"query":"mutation { triggerEvent(input: {name: \"none\", to: [{subscriberId: \"u\"}]}) { result { status } } }"}`
	key := "ApiKey " + b.key

	gate := admission.New(admission.Config{Wait: time.Millisecond, Least: 1, Most: 1})
	door(func(cfg *graph.Config) { cfg.Gates = admission.Gates{Accept: gate} })
	leave, err := gate.Enter(t.Context(), admission.Request{})
	require.NoError(t, err)
	rec, r := b.post(t, key, trigger)
	require.Equal(t, http.StatusServiceUnavailable, rec.Code)
	require.Equal(t, "1", rec.Header().Get("Retry-After"))
	require.Equal(t, "OVERLOADED", r.code())
	_, r = b.post(t, key, `{"query":"{ __typename }"}`)
	require.Empty(t, r.Errors, "it waits for something else")
	leave()
	_, r = b.post(t, key, trigger)
	require.Empty(t, r.Errors)

	frozen := time.Now()
	door(func(cfg *graph.Config) {
		cfg.Limiter = admission.NewLimits(map[admission.Category]int{
			admission.CategoryTrigger: 200, admission.CategoryConfiguration: 1, admission.CategoryGlobal: 1,
		}, func() time.Time { return frozen }, nil)
	})
	rec, r = b.post(t, key, `{"query":"mutation { a: broadcastEvent(input: {name: \"none\", payload: {}}) { result { status } } b: broadcastEvent(input: {name: \"none\", payload: {}}) { result { status } } }"}`)
	require.Empty(t, r.Errors)
	require.Equal(t, "20", rec.Header().Get("RateLimit-Remaining"), "of 220")
	for range 2 {
		_, r = b.post(t, key, `{"query":"{ topics { totalCount } }"}`)
		require.Empty(t, r.Errors)
	}
	rec, r = b.post(t, key, `{"query":"{ topics { totalCount } }"}`)
	require.Equal(t, http.StatusTooManyRequests, rec.Code)
	require.Equal(t, "RATE_LIMITED", r.code())
	require.Equal(t, "1", rec.Header().Get("Retry-After"))
}

// Subscriptions take turns to begin, on both transports, and hold no place once they have.
func TestSubscriptionsTakeTurnsToBegin(t *testing.T) {
	t.Parallel()
	b, hub := setup(t), realtime.NewHub(realtime.Config{Logger: slog.New(slog.DiscardHandler), Poll: time.Hour})
	b.must(t, `mutation { createSubscriber(input: {subscriberId: "ada"}) { subscriber { id } } }`, nil)
	gate := admission.New(admission.Config{Wait: time.Hour, Least: 1, Most: 1})
	server := httptest.NewServer(graph.NewHandler(graph.Config{
		Services: services(t, b.db, b.keeper, slog.New(slog.DiscardHandler), hub), Authenticator: b.auth, Logger: slog.New(slog.DiscardHandler),
		Live: hub, Limits: patient(document.Limits{}), Gates: admission.Gates{Begin: gate},
	}))
	t.Cleanup(server.Close)
	leave, err := gate.Enter(t.Context(), admission.Request{})
	require.NoError(t, err)
	c := dialGraphQL(t, server, ws)
	c.say(initAs("ApiKey " + b.key))
	c.hears(ack)
	const follow = `subscription { inboxUpdates(subscriberId: \"ada\") { sequence } }`
	c.say(`{"id":"ended","type":"subscribe","payload":{"query":"` + follow + `"}}`)
	c.say(`{"id":"ended","type":"complete"}`)
	c.say(`{"id":"1","type":"subscribe","payload":{"query":"` + follow + `"}}`)
	stream := bufio.NewReader(events(t, server, b.key, `subscription { inboxUpdates(subscriberId: "ada") { sequence } }`).Body) //nolint:bodyclose // the cleanup of events closes it
	for range 10 {
		c.say(`{"id":"2","type":"subscribe","payload":{"query":"{ subscribers { totalCount } }"}}`)
		c.hears(`{"id":"2","type":"next","payload":{"data":{"subscribers":{"totalCount":1}}}}`)
		c.hears(`{"id":"2","type":"complete"}`)
	}
	leave()
	const update = `,"type":"next","payload":{"data":{"inboxUpdates":{"sequence":0}}}}`
	c.hears(`{"id":"1"` + update)
	for line := ""; !strings.Contains(line, `{"inboxUpdates":{"sequence":0}}`); {
		line, err = stream.ReadString('\n')
		require.NoError(t, err)
	}
	c.say(`{"id":"3","type":"subscribe","payload":{"query":"` + follow + `"}}`)
	c.hears(`{"id":"3"` + update)
}

// The documented routes and GraphQL count against one limit, for all processes together.
func TestRatesOfAllDoorsAndProcesses(t *testing.T) {
	t.Parallel()
	b, frozen := setup(t), time.Now()
	type process struct{ graphQL, documented http.Handler }
	start := func() process {
		limits := admission.NewLimits(map[admission.Category]int{
			admission.CategoryTrigger: 3, admission.CategoryConfiguration: 1, admission.CategoryGlobal: 1,
		}, func() time.Time { return frozen }, b.db)
		logger := slog.New(slog.DiscardHandler)
		return process{
			graph.NewHandler(graph.Config{Services: b.services, Authenticator: b.auth, Logger: logger, Limits: document.Limits{Timeout: 10 * time.Minute}, Limiter: limits}),
			rest.New(rest.Config{Resolvers: &graph.Resolver{Services: b.services}, Auth: b.auth, Logger: logger, Now: time.Now, Limit: limits}),
		}
	}
	one, other := start(), start()
	graphQL := func(p process) int {
		b.handler = p.graphQL
		rec, _ := b.post(t, "ApiKey "+b.key, `{"query":"mutation { triggerEvent(input: {name: \"none\", to: [{subscriberId: \"u\"}]}) { result { status } } }"}`)
		return rec.Code
	}
	documented := func(p process) int {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/events/trigger", strings.NewReader(`{"name":"none","to":"u"}`))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "ApiKey "+b.key)
		rec := httptest.NewRecorder()
		p.documented.ServeHTTP(rec, req)
		return rec.Code
	}
	require.Equal(t, http.StatusOK, graphQL(one)) // 3 and a tenth, rounded up
	require.Equal(t, http.StatusCreated, documented(other))
	require.Equal(t, http.StatusOK, graphQL(other))
	require.Equal(t, http.StatusCreated, documented(one))
	for range 2 {
		require.Equal(t, http.StatusTooManyRequests, graphQL(one))
		require.Equal(t, http.StatusTooManyRequests, documented(other))
	}
}
