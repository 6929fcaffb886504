package home_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/home"
)

func TestPage(t *testing.T) {
	t.Parallel()
	page := home.New(home.Link{Path: "/dashboard", Name: "Dashboard", About: "<for people>"})
	rec := httptest.NewRecorder()
	page.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	require.Equal(t, http.StatusOK, rec.Code)
	require.Contains(t, rec.Body.String(), `<a href="/dashboard"><strong>Dashboard</strong> &lt;for people&gt;</a>`)
	require.Contains(t, rec.Body.String(), "carillon users create")
	policy := rec.Header().Get("Content-Security-Policy")
	require.True(t, strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-"), policy)
	require.NotContains(t, policy, "unsafe")
	require.NotContains(t, rec.Body.String(), "://", "no request leaves the server")
	require.NotContains(t, rec.Body.String(), "<script")
}

func TestWants(t *testing.T) {
	t.Parallel()
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, c := range []struct {
		method, path, accept string
		want                 bool
	}{
		{http.MethodGet, "/", browser, true},
		{http.MethodHead, "/", browser, true},
		{http.MethodGet, "/", "application/json, TEXT/HTML;level=1;q=0.1", true},
		{http.MethodGet, "/", "", false},
		{http.MethodGet, "/", "*/*", false},
		{http.MethodGet, "/", "application/json", false},
		{http.MethodGet, "/", "text/html;q=0", false},
		{http.MethodGet, "/", "text/html; q=0.000", false},
		{http.MethodPost, "/", browser, false},
		{http.MethodGet, "/v1/unknown", browser, false},
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, nil)
		if c.accept != "" {
			r.Header.Set("Accept", c.accept)
		}
		require.Equal(t, c.want, home.Wants(r), "%+v", c)
	}
}
