package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/app/apptest"
)

var (
	linked    = regexp.MustCompile(`(?:href|src)="([^"#]+)`)
	parameter = regexp.MustCompile(`\{[^}]+\}`)
)

// unlinked are addresses that no page leads to and the OpenAPI document does not hold.
var unlinked = []string{
	"GET /", "GET /healthz", "GET /readyz", "GET /metrics", "GET /graphql", "POST /graphql", "OPTIONS /graphql", "GET /graphql/schema.graphql",
	"GET /graphql/start.js", "GET /graphql/nothing", "GET /dashboard", "GET /dashboard/workflows/x", "GET /dashboard/session", "POST /dashboard/session",
	"GET /dashboard/assets/nothing", "GET /inbox/", "GET /inbox/nothing", "GET /docs", "GET /docs/nothing", "GET /v1/inbound/x", "POST /v1/inbound/x",
	"DELETE /v1/inbound/x", "GET /images/x", "POST /images/x", "GET /v1/unsubscribe/x", "POST /v1/unsubscribe/x", "GET /nothing", "BREW /v1/topics", "GET //v1/topics",
}

// TestRulesForBrowsers asks every address of a server, with and without a key, as a browser and as a program: each answer has
// the rules that keep a browser from framing it, guessing its type and telling others where it was, and each page a policy that
// starts from nothing or itself. Answers that belong to one caller are not stored.
func TestRulesForBrowsers(t *testing.T) {
	t.Parallel()
	server := apptest.Serve(t)
	w := &rulesWalk{server: server, client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	_, text := w.ask(t, "GET /openapi.json", true)
	require.NoError(t, json.Unmarshal(text, &document))
	requests := unlinked
	for path, methods := range document.Paths {
		for method := range methods {
			if method != "parameters" {
				requests = append(requests, strings.ToUpper(method)+" "+parameter.ReplaceAllString(path, "x"))
			}
		}
	}
	require.Greater(t, len(requests), len(unlinked)+10)
	asked := map[string]bool{}
	pages := 0
	for len(requests) > 0 {
		request := requests[0]
		requests = requests[1:]
		if asked[request] {
			continue
		}
		asked[request] = true
		method, path, _ := strings.Cut(request, " ")
		for _, known := range []bool{false, true} {
			page, text := w.ask(t, request, known)
			if !page {
				continue
			}
			pages++
			for _, link := range linked.FindAllStringSubmatch(string(text), -1) {
				to, err := url.Parse(path)
				require.NoError(t, err, path)
				if to, err = to.Parse(link[1]); err == nil && to.Host == "" && method == http.MethodGet {
					requests = append(requests, "GET "+to.Path)
				}
			}
		}
	}
	require.Greater(t, pages, 60, "the pages of the documents among them")
}

// rulesWalk asks one server.
type rulesWalk struct {
	server string
	client *http.Client
}

// ask sends a request such as "GET /" and holds its answer against the rules. page reports whether it is one for people.
func (w *rulesWalk) ask(t *testing.T, request string, known bool) (page bool, text []byte) {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(t.Context(), method, w.server+path, nil)
	require.NoError(t, err)
	r.Header.Set("Accept", "application/json")
	if known {
		r.Header.Set("Authorization", "ApiKey "+apptest.Key)
	} else {
		r.Header.Set("Accept", "text/html")
	}
	resp, err := w.client.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err = io.ReadAll(resp.Body)
	require.NoError(t, err)
	policy := resp.Header.Get("Content-Security-Policy")
	require.Regexp(t, `^default-src '(none|self)'; .*frame-ancestors 'none'`, policy, request)
	require.NotRegexp(t, `unsafe-eval|script-src[^;]*unsafe-inline| \*|http:`, policy, request)
	require.Equal(t, "nosniff", resp.Header.Get("X-Content-Type-Options"), request)
	require.Equal(t, "DENY", resp.Header.Get("X-Frame-Options"), request)
	cached := resp.Header.Get("Cache-Control")
	require.NotEmpty(t, cached, request)
	if strings.HasPrefix(path, "/v1/") || strings.HasPrefix(path, "/dashboard/session") || path == "/graphql" && method == http.MethodPost {
		require.Equal(t, "no-store", cached, request)
	}
	require.Regexp(t, `^(no-referrer|same-origin)$`, resp.Header.Get("Referrer-Policy"), request)
	page = strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
	if page {
		require.Contains(t, policy, "base-uri 'none'", request)
		require.Contains(t, policy, "form-action", request)
		require.NotRegexp(t, `(?i)<[^>]+\son[a-z]+="`, string(text), "%s: its policy would not run handlers in the text", request)
	}
	return page, text
}
