package auth_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
)

const callback = "https://carillon.example/callback"

// issuer is an OpenID Connect server whose answer to a code the test chooses.
type issuer struct {
	url       string
	key       *rsa.PrivateKey
	published *oidctest.Server
	before    func(w http.ResponseWriter, r *http.Request) (answered bool) // nil: the usual answers
	token     func(w http.ResponseWriter, r *http.Request)                 // of the token endpoint
	down      atomic.Bool
	asked     atomic.Int64 // for its addresses
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	i := &issuer{key: key}
	published := &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "1", Algorithm: "RS256"}}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case i.before != nil && i.before(w, r):
		case i.down.Load():
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/token":
			i.token(w, r)
		default:
			if r.URL.Path == "/.well-known/openid-configuration" {
				i.asked.Add(1)
			}
			published.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	published.SetIssuer(server.URL)
	i.url, i.published = server.URL, published
	return i
}

// proof is an ID token of the person, signed by key, in which claims replace the usual ones.
func (i *issuer) proof(t *testing.T, key *rsa.PrivateKey, nonce string, claims map[string]any) string {
	t.Helper()
	all := map[string]any{
		"iss": i.url, "aud": "carillon", "sub": "1", "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
		"nonce": nonce, "email": "Ada@example.org", "email_verified": true,
	}
	maps.Copy(all, claims)
	text, err := json.Marshal(all)
	require.NoError(t, err)
	return oidctest.SignIDToken(key, "1", "RS256", string(text))
}

// hand answers the token endpoint with a proof.
func (i *issuer) hand(t *testing.T, proof any) {
	t.Helper()
	answer, err := json.Marshal(map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": proof})
	require.NoError(t, err)
	i.token = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	}
}

func (i *issuer) login() *auth.OIDC {
	return auth.NewOIDC(auth.OIDCConfig{Issuer: i.url, ClientID: "carillon", ClientSecret: "s3cret"})
}

// TestOIDCBegins with what only this browser knows, fresh for each attempt, and with the challenge of its verifier alone.
func TestOIDCBegins(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	login := i.login()
	one, location, err := login.Begin(t.Context(), callback)
	require.NoError(t, err)
	other, _, err := login.Begin(t.Context(), callback)
	require.NoError(t, err)
	for _, pair := range [][2]string{{one.State, other.State}, {one.Nonce, other.Nonce}, {one.Verifier, other.Verifier}} {
		require.GreaterOrEqual(t, len(pair[0]), 26, "beyond guessing")
		require.NotEqual(t, pair[0], pair[1])
	}
	to, err := url.Parse(location)
	require.NoError(t, err)
	q := to.Query()
	require.Equal(t, []string{"code", "carillon", callback, "openid email", one.State, one.Nonce, "S256"}, []string{
		q.Get("response_type"), q.Get("client_id"), q.Get("redirect_uri"), q.Get("scope"), q.Get("state"), q.Get("nonce"), q.Get("code_challenge_method"),
	})
	require.NotContains(t, location, one.Verifier)
	require.NotContains(t, location, "s3cret")
	require.EqualValues(t, 1, i.asked.Load(), "the issuer is asked for its addresses once")
	require.Nil(t, auth.NewOIDC(auth.OIDCConfig{ClientID: "carillon"}), "without an issuer there is no such log-in")
}

// TestOIDCExchangesTheCode with the secret, the verifier and the address that the code was given for.
func TestOIDCExchangesTheCode(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	login := i.login()
	attempt, _, err := login.Begin(t.Context(), callback)
	require.NoError(t, err)
	i.hand(t, i.proof(t, i.key, attempt.Nonce, nil))
	answer := i.token
	var form url.Values
	var user, password string
	i.token = func(w http.ResponseWriter, r *http.Request) {
		user, password, _ = r.BasicAuth()
		if r.ParseForm() == nil {
			form = r.PostForm
		}
		answer(w, r)
	}
	email, err := login.Finish(t.Context(), attempt, callback, attempt.State, "CODE")
	require.NoError(t, err)
	require.Equal(t, "Ada@example.org", email)
	require.Equal(t, []string{"carillon", "s3cret"}, []string{user, password})
	require.Equal(t, url.Values{"grant_type": {"authorization_code"}, "code": {"CODE"}, "redirect_uri": {callback}, "code_verifier": {attempt.Verifier}}, form)
}

// TestOIDCProofs: an address counts only as the issuer proves it: to us, now, for this attempt, and as verified.
func TestOIDCProofs(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	foreign, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	login := i.login()
	attempt, _, err := login.Begin(t.Context(), callback)
	require.NoError(t, err)
	with := func(claims map[string]any) string { return i.proof(t, i.key, attempt.Nonce, claims) }
	for name, c := range map[string]struct {
		proof any
		kind  fault.Kind // Internal: it is taken
	}{
		"Usual":         {with(nil), fault.Internal},
		"VerifiedText":  {with(map[string]any{"email_verified": "true"}), fault.Internal},
		"OtherKey":      {i.proof(t, foreign, attempt.Nonce, nil), fault.Unauthenticated},
		"OtherIssuer":   {with(map[string]any{"iss": "https://evil.example"}), fault.Unauthenticated},
		"OtherAudience": {with(map[string]any{"aud": "another"}), fault.Unauthenticated},
		"OtherAttempt":  {i.proof(t, i.key, "another", nil), fault.Unauthenticated},
		"NoNonce":       {i.proof(t, i.key, "", nil), fault.Unauthenticated},
		"Expired":       {with(map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}), fault.Unauthenticated},
		"NoProof":       {nil, fault.Unauthenticated},
		"Words":         {"proof", fault.Unauthenticated},
		"NotVerified":   {with(map[string]any{"email_verified": false}), fault.Forbidden},
		"SaysNothing":   {with(map[string]any{"email_verified": nil}), fault.Forbidden},
		"OddVerified":   {with(map[string]any{"email_verified": 1}), fault.Forbidden},
		"NoAddress":     {with(map[string]any{"email": ""}), fault.Forbidden},
		"OddAddress":    {with(map[string]any{"email": []string{"a"}}), fault.Unavailable},
	} {
		i.hand(t, c.proof)
		email, err := login.Finish(t.Context(), attempt, callback, attempt.State, "CODE")
		if c.kind == fault.Internal {
			require.NoError(t, err, name)
			require.Equal(t, "Ada@example.org", email, name)
			continue
		}
		require.Empty(t, email, name)
		require.Equal(t, c.kind, fault.KindOf(err), "%s: %v", name, err)
	}
}

// TestOIDCStates: who was not sent out by this browser is not let in, and the issuer not asked.
func TestOIDCStates(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	i.down.Store(true)
	for name, c := range map[string]struct {
		attempt auth.OIDCAttempt
		state   string
	}{
		"None": {auth.OIDCAttempt{}, ""}, "Other": {auth.OIDCAttempt{State: "a"}, "b"}, "Missing": {auth.OIDCAttempt{State: "a"}, ""}, "Longer": {auth.OIDCAttempt{State: "a"}, "aa"},
	} {
		_, err := i.login().Finish(t.Context(), c.attempt, callback, c.state, "CODE")
		require.Equal(t, fault.Unauthenticated, fault.KindOf(err), name)
	}
}

// TestOIDCIssuerAway: its failure is told as such and not kept; its refusal is the person's to begin again.
func TestOIDCIssuerAway(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	login := i.login()
	i.down.Store(true)
	_, _, err := login.Begin(t.Context(), callback)
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	_, err = login.Finish(t.Context(), auth.OIDCAttempt{State: "s"}, callback, "s", "CODE")
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	i.down.Store(false)
	attempt, _, err := login.Begin(t.Context(), callback)
	require.NoError(t, err)
	for status, kind := range map[int]fault.Kind{
		400: fault.Unauthenticated, 401: fault.Unauthenticated, 500: fault.Unavailable, 503: fault.Unavailable, 200: fault.Unavailable,
	} {
		i.token = func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"error":"secret detail"}`))
		}
		_, err = login.Finish(t.Context(), attempt, callback, attempt.State, "CODE")
		require.Equal(t, kind, fault.KindOf(err), status)
		var f *fault.Error
		require.ErrorAs(t, err, &f)
		require.NotContains(t, f.Message, "secret detail")
	}
}
