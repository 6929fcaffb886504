package graph_test

import (
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
