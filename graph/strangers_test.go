package graph_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph/document"
)

// Without a credential one log-in may be run, and nothing else: no second one beside it, no fragment, no text that is kept.
func TestStrangersMayOnlyLogIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const one = `logIn(input: {email: "a@example.org", password: "p"}) { token }`
	for name, text := range map[string]string{
		"Query":         `{ __typename }`,
		"Two":           "mutation { a: " + one + " b: " + one + " }",
		"Another":       "mutation { " + one + ` createTopic(input: {key: "k"}) { topic { id } } }`,
		"Fragment":      "mutation { ...f } fragment f on Mutation { " + one + " }",
		"Inline":        "mutation { ... { " + one + " } }",
		"Operations":    "mutation A { " + one + " } mutation B { " + one + " }",
		"Spreads":       "{" + strings.Repeat("...fa...fb", 1_500) + "}fragment fa on Query{__typename}fragment fb on Query{__typename}",
		"Introspection": standardIntrospection,
		"Syntax":        "mutation {",
		"Large":         "mutation { " + one + strings.Repeat(" ", 9<<10) + "}",
	} {
		status, r := b.askWith(t, "", text, nil)
		require.Equal(t, http.StatusUnauthorized, status, name)
		require.Equal(t, "UNAUTHENTICATED", r.code(), name)
	}
	status, r := b.askWith(t, "", "mutation { "+one+" }", nil)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "UNAUTHENTICATED", r.code(), "no account has this address")
	require.Contains(t, r.Errors[0].Message, "password")

	sum := sha256.Sum256([]byte(logIn))
	persisted := `"extensions":{"persistedQuery":{"version":1,"sha256Hash":"` + hex.EncodeToString(sum[:]) + `"}}`
	text, err := json.Marshal(logIn)
	require.NoError(t, err)
	rec, _ := b.post(t, "", `{"query":`+string(text)+`,"variables":{"email":"a@example.org","password":"p"},`+persisted+`}`)
	require.Equal(t, http.StatusOK, rec.Code)
	_, r = b.post(t, "ApiKey "+b.key, `{`+persisted+`}`)
	require.Equal(t, "PERSISTED_QUERY_NOT_FOUND", r.code(), "what a stranger sent is not kept")
}

// Whatever carries an operation, its text meets the same bounds.
func TestEveryTransportBoundsDocuments(t *testing.T) {
	t.Parallel()
	b, server := liveServer(t, document.Limits{})
	large := "{" + strings.Repeat(" __typename", 4_000) + "}"
	payload, err := json.Marshal(map[string]string{"query": large})
	require.NoError(t, err)

	c := dialGraphQL(t, server, ws)
	c.say(initAs("ApiKey " + b.key))
	c.hears(ack)
	c.say(`{"id":"1","type":"subscribe","payload":` + string(payload) + `}`)
	frame := c.hear()
	require.Equal(t, "error", frame.Type)
	require.Contains(t, string(frame.Payload), "DOCUMENT_LIMIT_EXCEEDED")

	ask := func(method, target, body, accept string) string {
		r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", accept)
		r.Header.Set("Authorization", "ApiKey "+b.key)
		w := httptest.NewRecorder()
		b.handler.ServeHTTP(w, r)
		return w.Body.String()
	}
	require.Contains(t, ask(http.MethodPost, "/graphql", string(payload), "text/event-stream"), "DOCUMENT_LIMIT_EXCEEDED")
	require.Contains(t, ask(http.MethodPost, "/graphql", string(payload), "*/*"), "DOCUMENT_LIMIT_EXCEEDED")
	require.Contains(t, ask(http.MethodGet, "/graphql?query="+url.QueryEscape(large), "", "*/*"), "DOCUMENT_LIMIT_EXCEEDED")
}
