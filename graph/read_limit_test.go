package graph_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/graph/document"
)

// TestOperationsReadLittle: a short operation may not ask for more long records than fit in memory, in one list or in several.
func TestOperationsReadLittle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := "ApiKey " + b.key
	for i := range 4 {
		_, r := b.askWith(t, key, `mutation($i: CreateSubscriberInput!) { createSubscriber(input: $i) { subscriber { id } } }`, map[string]any{
			"i": map[string]any{"subscriberId": fmt.Sprint(i), "data": map[string]any{"text": strings.Repeat("x", 10_000)}},
		})
		require.Empty(t, r.Errors)
	}
	b.handler = graph.NewHandler(graph.Config{
		Services: b.services, Authenticator: b.auth, Logger: slog.New(slog.DiscardHandler), Limits: document.Limits{ReadBytes: 35_000},
	})
	for text, code := range map[string]string{
		"{ subscribers(first: 2) { nodes { data } } }":                                                "",
		"{ subscribers(first: 4) { nodes { data } } }":                                                "TOO_LARGE",
		"{ a: subscribers(first: 1) { nodes { data } } b: subscribers(first: 2) { nodes { data } } }": "TOO_LARGE",
	} {
		_, r := b.askWith(t, key, text, nil)
		require.Equal(t, code, r.code(), "%s: %v", text, r.Errors)
	}
}
