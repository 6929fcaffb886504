package dashboard_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/dashboard"
)

// issuer is an OpenID Connect server with one person, who has always just agreed.
type issuer struct {
	*httptest.Server
	key    *rsa.PrivateKey
	claims map[string]any // in place of the usual ones
	mu     sync.Mutex
	asked  map[string]url.Values // by code
	before func()                // nil: codes are answered at once
	t      *testing.T
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	i := &issuer{key: key, claims: map[string]any{}, asked: map[string]url.Values{}, t: t}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		i.write(w, map[string]any{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256"}, "response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		i.write(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "1", Algorithm: "RS256", Use: "sig"}}})
	})
	mux.HandleFunc("POST /token", i.token)
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if json.NewEncoder(w).Encode(v) != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// agree is what the browser brings back after the person agreed.
func (i *issuer) agree(location string) url.Values {
	i.t.Helper()
	to, err := url.Parse(location)
	require.NoError(i.t, err)
	require.Equal(i.t, i.URL+"/authorize", to.Scheme+"://"+to.Host+to.Path)
	asked := to.Query()
	require.Equal(i.t, "S256", asked.Get("code_challenge_method"))
	code := rand.Text()
	i.asked[code] = asked
	return url.Values{"code": {code}, "state": {asked.Get("state")}}
}

// token hands out the proof once, to whoever has the secret and the verifier of the challenge.
func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	if i.before != nil {
		i.before()
	}
	id, secret, _ := r.BasicAuth()
	code := r.PostFormValue("code")
	i.mu.Lock()
	asked, known := i.asked[code]
	delete(i.asked, code)
	i.mu.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !known || id != "carillon" || secret != "s3cret" || base64.RawURLEncoding.EncodeToString(sum[:]) != asked.Get("code_challenge") ||
		r.PostFormValue("redirect_uri") != asked.Get("redirect_uri") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
		return
	}
	claims := map[string]any{
		"iss": i.URL, "aud": "carillon", "sub": "1", "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
		"nonce": asked.Get("nonce"), "email": "Owner@Example.org", "email_verified": true,
	}
	maps.Copy(claims, i.claims)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: i.key, KeyID: "1"}}, nil)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	text, _ := json.Marshal(claims) //nolint:errchkjson // texts and numbers
	signed, err := signer.Sign(text)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	proof, _ := signed.CompactSerialize()
	i.write(w, map[string]any{"access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": proof})
}

// page is what one request is answered with, its body aside.
type page struct {
	StatusCode int
	Header     http.Header
}

func (p page) Cookies() []*http.Cookie { return (&http.Response{Header: p.Header}).Cookies() }

// visit follows nothing: it answers with what one request says.
func (b *bundle) visit(t *testing.T, path string, cookies ...*http.Cookie) page {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	rec := httptest.NewRecorder()
	b.door.ServeHTTP(rec, r)
	return page{rec.Code, rec.Header()}
}

func cookieNamed(t *testing.T, r page, name string) *http.Cookie {
	t.Helper()
	for _, c := range r.Cookies() {
		if c.Name == name {
			return c
		}
	}
	require.Fail(t, "no cookie "+name)
	return nil
}

// told is what the page is told of a refusal that a browser brings along; it is told once.
func (b *bundle) told(t *testing.T, refusal *http.Cookie) string {
	t.Helper()
	require.True(t, refusal.HttpOnly && refusal.SameSite == http.SameSiteStrictMode && refusal.Path == "/dashboard/session")
	answer := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/dashboard/session", nil)
	r.AddCookie(refusal)
	b.door.ServeHTTP(answer, r)
	require.Negative(t, cookieNamed(t, page{answer.Code, answer.Header()}, "carillon_refused").MaxAge)
	var out struct{ Refused string }
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &out))
	return out.Refused
}

func TestOIDC(t *testing.T) {
	t.Parallel()
	b, who := setup(t), newIssuer(t)
	b.people(t)
	require.NotContains(t, b.ask(t, http.MethodGet, "", "").Body.String(), `"oidc":true`)
	b.door = dashboard.New(dashboard.Config{
		Sessions: b.services.Sessions, Auth: b.auth, Logger: slog.New(slog.DiscardHandler), Secure: true, PublicURL: "https://notify.example.org",
		OIDC: auth.NewOIDC(auth.OIDCConfig{Issuer: who.URL, ClientID: "carillon", ClientSecret: "s3cret"}),
	})
	require.Contains(t, b.ask(t, http.MethodGet, "", "").Body.String(), `"oidc":true`)

	begin := func() (attempt *http.Cookie, back url.Values) {
		began := b.visit(t, "/dashboard/oidc")
		require.Equal(t, http.StatusSeeOther, began.StatusCode)
		require.Contains(t, began.Header.Get("Location"), url.QueryEscape("https://notify.example.org/dashboard/oidc/callback"))
		attempt = cookieNamed(t, began, "carillon_oidc")
		require.True(t, attempt.HttpOnly && attempt.Secure && attempt.SameSite == http.SameSiteLaxMode && attempt.Path == "/dashboard/oidc")
		return attempt, who.agree(began.Header.Get("Location"))
	}
	finish := func(back url.Values, cookies ...*http.Cookie) page {
		return b.visit(t, "/dashboard/oidc/callback?"+back.Encode(), cookies...)
	}
	refused := func(r page, reason string) {
		t.Helper()
		require.Equal(t, http.StatusSeeOther, r.StatusCode)
		require.Equal(t, "/dashboard", r.Header.Get("Location"), "what the page says is not part of an address")
		told := b.told(t, cookieNamed(t, r, "carillon_refused"))
		require.Contains(t, told, reason)
		for _, c := range r.Cookies() {
			require.NotEqual(t, "carillon_session", c.Name)
		}
	}

	attempt, back := begin()
	done := finish(back, attempt)
	require.Equal(t, "/dashboard", done.Header.Get("Location"))
	session := cookieNamed(t, done, "carillon_session")
	require.True(t, session.HttpOnly && session.Secure && session.SameSite == http.SameSiteStrictMode)
	require.Negative(t, cookieNamed(t, done, "carillon_oidc").MaxAge, "an attempt counts once")
	v, err := b.auth.Authenticate(t.Context(), "Bearer "+session.Value)
	require.NoError(t, err)
	require.NotEmpty(t, v.UserID)

	refused(finish(back, attempt), "did not accept") // the code counts once

	attempt, back = begin()
	refused(finish(back), "not begun in this browser")
	other, _ := begin()
	refused(finish(back, other), "not begun in this browser")
	refused(finish(url.Values{"code": back["code"]}, attempt), "not begun in this browser")
	refused(finish(url.Values{"error": {"access_denied"}}, attempt), "refused the log-in")

	for reason, claims := range map[string]map[string]any{
		"has not verified":            {"email_verified": false},
		"does not belong to a member": {"email": "stranger@example.org"},
		"proof does not hold":         {"nonce": "another"},
		"does not hold. ":             {"aud": "another"},
		"not hold. Begin":             {"exp": time.Now().Add(-time.Hour).Unix()},
	} {
		who.claims = claims
		attempt, back = begin()
		refused(finish(back, attempt), reason)
	}

	who.claims = map[string]any{"email_verified": "true"}
	attempt, back = begin()
	who.key, err = rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	refused(finish(back, attempt), "proof does not hold") // signed by somebody else

	who.Close()
	b.door = dashboard.New(dashboard.Config{
		Sessions: b.services.Sessions, Auth: b.auth, Logger: slog.New(slog.DiscardHandler),
		OIDC: auth.NewOIDC(auth.OIDCConfig{Issuer: who.URL, ClientID: "carillon"}),
	})
	refused(b.visit(t, "/dashboard/oidc"), "could not be asked")
}

// TestCodesAskedAboutAtOnce: anybody can send codes, and the issuer is asked about so many of them at a time.
func TestCodesAskedAboutAtOnce(t *testing.T) {
	t.Parallel()
	b, who := setup(t), newIssuer(t)
	b.door = dashboard.New(dashboard.Config{
		Sessions: b.services.Sessions, Auth: b.auth, Logger: slog.New(slog.DiscardHandler),
		OIDC: auth.NewOIDC(auth.OIDCConfig{Issuer: who.URL, ClientID: "carillon", ClientSecret: "s3cret"}),
	})
	const atOnce = 32
	asked, answered := make(chan struct{}, 2*atOnce), make(chan struct{})
	who.before = func() { asked <- struct{}{}; <-answered }
	attempt := &http.Cookie{Name: "carillon_oidc", Value: base64.RawURLEncoding.EncodeToString([]byte(`{"State":"s"}`))}
	var senders sync.WaitGroup
	for range atOnce {
		senders.Go(func() { b.visit(t, "/dashboard/oidc/callback?state=s&code=c", attempt) })
	}
	for range atOnce {
		<-asked
	}
	refused := b.visit(t, "/dashboard/oidc/callback?state=s&code=c", attempt)
	require.Contains(t, b.told(t, cookieNamed(t, refused, "carillon_refused")), "more to do than it can")
	require.Empty(t, asked)
	who.before = nil
	close(answered)
	senders.Wait()
}
