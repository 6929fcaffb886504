package graph_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/internal/telemetry"
)

// TestOperationsAreCountedByWhatTheSchemaNames holds that no text of a client becomes the name of a figure.
func TestOperationsAreCountedByWhatTheSchemaNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	type seen struct{ kind, field, code string }
	var all []seen
	b.handler = graph.NewHandler(graph.Config{
		Services: b.services, Authenticator: b.auth, Logger: slog.New(slog.DiscardHandler),
		Observe: func(kind, field, code string, _ time.Duration) { all = append(all, seen{kind, field, code}) },
	})
	for _, query := range []string{
		`query Mine { mine: topics { nodes { id } } }`,
		`query Yours { ...f } fragment f on Query { subscribers { nodes { id } } }`,
		`mutation { deleteTopic(id: "none") { deletedId } }`,
		`query { strange }`,
		`{`,
	} {
		b.ask(t, b.key, query, nil)
	}
	require.Equal(t, []seen{
		{"query", "topics", ""},
		{"query", "subscribers", ""},
		{"mutation", "deleteTopic", "NOT_FOUND"},
		{"none", "", "GRAPHQL_VALIDATION_FAILED"},
		{"none", "", "GRAPHQL_PARSE_FAILED"},
	}, all)
}

// TestRequestsAreNamedAsOverREST holds that an operation's lines, its answer and the event that it stores carry the caller's id.
func TestRequestsAreNamedAsOverREST(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must(t, `mutation { createWorkflow(input: {name: "w", definition: {steps: [{type: IN_APP, inApp: {body: "x"}}]}}) { workflow { id } } }`, nil)
	log := &buffer{}
	logger, err := telemetry.NewLogger(log, "info", "json")
	require.NoError(t, err)
	b.handler = graph.NewHandler(graph.Config{Services: b.services, Authenticator: b.auth, Logger: logger})
	ask := func(id, query string) string {
		body, err := json.Marshal(map[string]any{"query": query})
		require.NoError(t, err)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
		r.Header.Set("Authorization", "ApiKey "+b.key)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Request-Id", id)
		rec := httptest.NewRecorder()
		b.handler.ServeHTTP(rec, r)
		require.NotContains(t, rec.Body.String(), `"errors"`)
		return rec.Header().Get("X-Request-Id")
	}
	require.Equal(t, "order-1", ask("order-1", `mutation { triggerEvent(input: {name: "w", to: [{subscriberId: "u"}]}) { result { status } } }`))
	require.Contains(t, log.String(), `"request_id":"order-1"`)
	require.Contains(t, log.String(), `"duration_ms":`)
	var kept string
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT request_id FROM events`).Scan(&kept))
	require.Equal(t, "order-1", kept)
	require.Len(t, ask("not\tharmless", `{ topics { nodes { id } } }`), 36)
}
