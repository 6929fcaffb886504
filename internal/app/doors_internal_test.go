package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
)

// TestPagesOfOtherOriginsAskGraphQL: their clients send headers of their own, and read when to try again.
func TestPagesOfOtherOriginsAskGraphQL(t *testing.T) {
	t.Parallel()
	const page = "https://shop.example"
	handler := (&App{cfg: &config.Config{HTTP: config.HTTP{CORSOrigins: []string{page}}}}).shared(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	ask := func(method, origin string, headers map[string]string) http.Header {
		r := httptest.NewRequestWithContext(t.Context(), method, "/graphql", nil)
		r.Header.Set("Origin", origin)
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, r)
		return rec.Header()
	}
	preflight := map[string]string{
		"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "apollographql-client-name,authorization,content-type,traceparent",
	}
	granted := ask(http.MethodOptions, page, preflight)
	require.Equal(t, page, granted.Get("Access-Control-Allow-Origin"))
	require.Equal(t, preflight["Access-Control-Request-Headers"], granted.Get("Access-Control-Allow-Headers"))
	require.Empty(t, granted.Get("Access-Control-Allow-Credentials"))
	require.Empty(t, ask(http.MethodOptions, "https://evil.example", preflight).Get("Access-Control-Allow-Origin"))

	exposed := strings.ToLower(ask(http.MethodPost, page, nil).Get("Access-Control-Expose-Headers"))
	for _, name := range []string{"x-request-id", "retry-after", "ratelimit-reset"} {
		require.Contains(t, exposed, name)
	}
}
