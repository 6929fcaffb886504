package dashboard_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/dashboard"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/version"
	"github.com/carillon/carillon/internal/viewer"
)

const (
	email    = "owner@example.org"
	password = "correct horse battery"
)

type bundle struct {
	db       *postgres.DB
	services *notify.Services
	door     http.Handler
	auth     *auth.Authenticator
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{db: pgtest.New(t)}
	b.services = notify.New(usecase.Config{DB: b.db, Now: time.Now})
	b.auth = auth.New(auth.Config{DB: b.db, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	b.door = dashboard.New(dashboard.Config{Sessions: b.services.Sessions, Auth: b.auth, Logger: slog.New(slog.DiscardHandler), Secure: true})
	return b
}

// people makes two environments, and an owner who may log in.
func (b *bundle) people(t *testing.T) (first, second string) {
	t.Helper()
	system := viewer.SystemContext(t.Context())
	org := b.db.Ent.Organization.Create().SetName("o").SaveX(system)
	one := b.db.Ent.Environment.Create().SetName("one").SetIdentifier("one").SetOrganizationID(org.ID).SaveX(system)
	two := b.db.Ent.Environment.Create().SetName("two").SetIdentifier("two").SetOrganizationID(org.ID).SaveX(system)
	owner := viewer.InScope(t.Context(), viewer.Scope{OrganizationID: org.ID})
	_, err := b.services.Operator.CreatePerson(owner, access.CreatePersonInput{Email: email, Role: member.RoleOwner, Password: password})
	require.NoError(t, err)
	return one.ID, two.ID
}

// ask sends a request to the log-in; headers are name and value in turn.
func (b *bundle) ask(t *testing.T, method, body, cookie string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/dashboard/session", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	b.door.ServeHTTP(rec, r)
	return rec
}

func cookieOf(t *testing.T, rec *httptest.ResponseRecorder) *http.Cookie {
	t.Helper()
	cookies := rec.Result().Cookies()
	require.Len(t, cookies, 1)
	return cookies[0]
}

const proof = `{"email": "` + email + `", "password": "` + password + `"}`

func TestLogIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.people(t)

	rec := b.ask(t, http.MethodGet, "", "")
	require.JSONEq(t, `{"active": false, "oidc": false, "mail": false, "enrol": false}`, rec.Body.String())

	rec = b.ask(t, http.MethodPost, `{"email": "`+email+`", "password": "wrong wrong wrong"}`, "")
	require.Equal(t, http.StatusUnauthorized, rec.Code)
	require.JSONEq(t, `{"message": "The address or the password is not right."}`, rec.Body.String())
	require.Empty(t, rec.Header().Get("Set-Cookie"))

	rec = b.ask(t, http.MethodPost, proof, "", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, rec.Code, "another site's page must not log anybody in")
	rec = b.ask(t, http.MethodPost, proof, "", "Content-Type", "text/plain")
	require.Equal(t, http.StatusBadRequest, rec.Code)

	rec = b.ask(t, http.MethodPost, proof, "", "Sec-Fetch-Site", "same-origin")
	require.Equal(t, http.StatusNoContent, rec.Code, rec.Body.String())
	cookie := cookieOf(t, rec)
	require.True(t, cookie.HttpOnly)
	require.True(t, cookie.Secure)
	require.Equal(t, http.SameSiteStrictMode, cookie.SameSite)
	first := cookie.Name + "=" + cookie.Value
	require.JSONEq(t, `{"active": true, "oidc": false, "mail": false, "enrol": false, "version": "`+version.Version()+`"}`, b.ask(t, http.MethodGet, "", first).Body.String())
	require.Equal(t, one, b.seen(t, http.MethodPost, first, nil).EnvironmentID)

	rec = b.ask(t, http.MethodPut, `{"environmentId": "`+two+`"}`, first)
	require.Equal(t, http.StatusNoContent, rec.Code, rec.Body.String())
	moved := cookie.Name + "=" + cookieOf(t, rec).Value
	require.Equal(t, two, b.seen(t, http.MethodPost, moved, nil).EnvironmentID)
	require.JSONEq(t, `{"active": false, "oidc": false, "mail": false, "enrol": false}`, b.ask(t, http.MethodGet, "", first).Body.String(), "the log-in before ended")
	require.Equal(t, http.StatusUnauthorized, b.ask(t, http.MethodPut, `{"environmentId": "`+two+`"}`, first).Code)

	rec = b.ask(t, http.MethodDelete, "", moved)
	require.Equal(t, http.StatusNoContent, rec.Code)
	require.True(t, cookieOf(t, rec).Expires.Before(time.Now()))
	require.JSONEq(t, `{"active": false, "oidc": false, "mail": false, "enrol": false}`, b.ask(t, http.MethodGet, "", moved).Body.String())

	for range 30 { // on a slow machine the first delays are over before the next try
		if rec = b.ask(t, http.MethodPost, `{"email": "`+email+`", "password": "wrong wrong wrong"}`, ""); rec.Code == http.StatusTooManyRequests {
			break
		}
	}
	require.Equal(t, http.StatusTooManyRequests, rec.Code)
	require.NotEmpty(t, rec.Header().Get("Retry-After"))
}

// seen is the viewer whom a request through Credential stands for; the zero Viewer when it is a stranger's.
func (b *bundle) seen(t *testing.T, method, cookie string, headers map[string]string) (v viewer.Viewer) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "http://example.org/graphql", nil)
	r.Header.Set("Cookie", cookie)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	dashboard.Credential(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		v, _ = b.auth.Authenticate(r.Context(), r.Header.Get("Authorization"))
	})).ServeHTTP(httptest.NewRecorder(), r)
	return v
}

func TestCookieCountsForOwnPagesOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.people(t)
	c := cookieOf(t, b.ask(t, http.MethodPost, proof, ""))
	cookie := c.Name + "=" + c.Value
	for _, c := range []struct {
		method  string
		headers map[string]string
		counts  bool
	}{
		{http.MethodPost, map[string]string{"Sec-Fetch-Site": "same-origin"}, true},
		{http.MethodPost, map[string]string{"Origin": "http://example.org"}, true},
		{http.MethodPost, map[string]string{"Sec-Fetch-Site": "same-site"}, false},
		{http.MethodPost, map[string]string{"Sec-Fetch-Site": "cross-site"}, false},
		{http.MethodPost, map[string]string{"Origin": "https://evil.example"}, false},
		{http.MethodPost, map[string]string{"Authorization": "ApiKey x"}, false}, // the request's own credential counts, also a bad one
		{http.MethodGet, map[string]string{"Sec-Fetch-Site": "same-origin"}, false},
		{http.MethodGet, map[string]string{"Upgrade": "websocket", "Sec-Fetch-Site": "same-origin"}, true},
		{http.MethodGet, map[string]string{"Upgrade": "websocket", "Origin": "http://example.org"}, true},
		{http.MethodGet, map[string]string{"Upgrade": "websocket", "Sec-Fetch-Site": "cross-site", "Origin": "http://example.org"}, false},
		{http.MethodGet, map[string]string{"Upgrade": "websocket", "Origin": "https://evil.example"}, false},
		{http.MethodGet, map[string]string{"Upgrade": "websocket"}, false},
	} {
		require.Equal(t, c.counts, b.seen(t, c.method, cookie, c.headers).SessionID != "", "%s %v", c.method, c.headers)
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	door := dashboard.New(dashboard.Config{})
	get := func(path string) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		door.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return rec
	}
	page := get("/dashboard")
	require.Equal(t, http.StatusOK, page.Code)
	require.Equal(t, "no-cache", page.Header().Get("Cache-Control"))
	require.Contains(t, page.Header().Get("Content-Security-Policy"), "script-src 'self';")
	require.Equal(t, page.Body.String(), get("/dashboard/workflows/some/where").Body.String(), "the page reads the address itself")
	assets := regexp.MustCompile(`/dashboard/assets/[^"]+`).FindAllString(page.Body.String(), -1)
	require.GreaterOrEqual(t, len(assets), 3)
	for _, asset := range assets {
		rec := get(asset)
		require.Equal(t, http.StatusOK, rec.Code, asset)
		require.Contains(t, rec.Header().Get("Cache-Control"), "immutable")
		require.Equal(t, "nosniff", rec.Header().Get("X-Content-Type-Options"))
	}
	for _, asset := range assets {
		if !strings.HasSuffix(asset, ".js") || get(asset).Body.Len() < 10_000 {
			continue
		}
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, asset, nil)
		req.Header.Set("Accept-Encoding", "gzip")
		rec := httptest.NewRecorder()
		door.ServeHTTP(rec, req)
		require.Equal(t, "gzip", rec.Header().Get("Content-Encoding"), "%s: the budget of the first load is one of packed files", asset)
		require.Equal(t, "text/javascript; charset=utf-8", rec.Header().Get("Content-Type"))
		require.Contains(t, rec.Header().Get("Cache-Control"), "immutable")
	}
	require.Equal(t, http.StatusNotFound, get("/dashboard/assets/index.html").Code)
	require.NotContains(t, page.Body.String(), "://", "nothing comes from elsewhere")
}
