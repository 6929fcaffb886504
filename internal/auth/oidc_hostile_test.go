package auth_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/stall"
)

// TestOIDCAlgorithms: a proof that needs no secret of the issuer's proves nothing, whatever the issuer says that it signs with.
func TestOIDCAlgorithms(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	i.says(t, map[string]any{"id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"}})
	login := i.login()
	attempt, _, err := login.Begin(t.Context(), callback)
	require.NoError(t, err)
	unsigned := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString([]byte(i.claims(t, attempt.Nonce))) + "."
	public, err := x509.MarshalPKIXPublicKey(i.key.Public())
	require.NoError(t, err)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: public}, nil)
	require.NoError(t, err)
	signed, err := signer.Sign([]byte(i.claims(t, attempt.Nonce)))
	require.NoError(t, err)
	byPublicKey, err := signed.CompactSerialize()
	require.NoError(t, err)
	for name, proof := range map[string]string{"Unsigned": unsigned, "ByPublicKey": byPublicKey} {
		i.hand(t, proof)
		_, err := login.Finish(t.Context(), attempt, callback, attempt.State, "CODE")
		require.Equal(t, fault.Unauthenticated, fault.KindOf(err), "%s: %v", name, err)
	}
	i.hand(t, i.proof(t, i.key, attempt.Nonce, nil))
	_, err = login.Finish(t.Context(), attempt, callback, attempt.State, "CODE")
	require.NoError(t, err)
}

// TestOIDCParties: of several audiences the proof is for the one that it names as authorized.
func TestOIDCParties(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	login := i.login()
	attempt, _, err := login.Begin(t.Context(), callback)
	require.NoError(t, err)
	for party, kind := range map[string]fault.Kind{"carillon": fault.Internal, "another": fault.Unauthenticated} {
		i.hand(t, i.proof(t, i.key, attempt.Nonce, map[string]any{"aud": []string{"carillon", "another"}, "azp": party}))
		_, err := login.Finish(t.Context(), attempt, callback, attempt.State, "CODE")
		require.Equal(t, kind == fault.Internal, err == nil, "%s: %v", party, err)
		if err != nil {
			require.Equal(t, kind, fault.KindOf(err))
		}
	}
}

// TestOIDCKeysRotate and keys that cannot be asked for are the issuer's failure, not the person's.
func TestOIDCKeysRotate(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	login := i.login()
	attempt, _, err := login.Begin(t.Context(), callback)
	require.NoError(t, err)
	next, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	i.hand(t, i.proof(t, next, attempt.Nonce, nil))
	var away atomic.Bool
	away.Store(true)
	i.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/keys" && away.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		return false
	}
	// A request for the keys counts as under way for a moment after its answer, which the next log-in then gets, too.
	finishes := func(as func(error) bool, why string) {
		t.Helper()
		require.Eventually(t, func() bool {
			_, err = login.Finish(t.Context(), attempt, callback, attempt.State, "CODE")
			return as(err)
		}, stall.Limit(time.Minute), time.Millisecond, why)
	}
	finishes(func(err error) bool { return fault.KindOf(err) == fault.Unavailable }, "the issuer is away")
	away.Store(false)
	finishes(func(err error) bool { return fault.KindOf(err) == fault.Unauthenticated }, "the key is not published")
	i.published.PublicKeys = []oidctest.PublicKey{{PublicKey: next.Public(), KeyID: "1", Algorithm: "RS256"}}
	finishes(func(err error) bool { return err == nil }, "the key is published")
}

// TestOIDCAnswersAreBounded: what an issuer answers is read up to a bound, whatever is asked.
func TestOIDCAnswersAreBounded(t *testing.T) {
	t.Parallel()
	const much = 64 << 20
	for _, path := range []string{"/.well-known/openid-configuration", "/keys", "/token"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t)
			written := make(chan int, 10)
			endless := func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != path {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				blank, sum := bytes.Repeat([]byte(" "), 64<<10), 0
				for sum < much {
					n, err := w.Write(blank)
					if sum += n; err != nil {
						break
					}
				}
				written <- sum
				return true
			}
			login := i.login()
			attempt := auth.OIDCAttempt{State: "s", Nonce: "n"}
			i.hand(t, i.proof(t, i.key, "n", nil))
			i.before = endless
			_, err := login.Finish(t.Context(), attempt, callback, "s", "CODE")
			require.Equal(t, fault.Unavailable, fault.KindOf(err), "%v", err)
			require.Less(t, <-written, much)
		})
	}
}

// TestOIDCIssuerIsSlow: log-ins wait together, and none longer than its request.
func TestOIDCIssuerIsSlow(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	asked, released := make(chan struct{}, 10), make(chan struct{})
	i.before = func(http.ResponseWriter, *http.Request) bool {
		asked <- struct{}{}
		<-released
		return false
	}
	login := i.login()
	first := make(chan error, 1)
	go func() {
		_, _, err := login.Begin(context.WithoutCancel(t.Context()), callback)
		first <- err
	}()
	<-asked
	left, leave := context.WithCancel(t.Context())
	leave()
	_, _, err := login.Begin(left, callback)
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	close(released)
	require.NoError(t, <-first)
	require.Empty(t, asked, "it is asked once")
}

// says replaces what the issuer says of itself.
func (i *issuer) says(t *testing.T, more map[string]any) {
	t.Helper()
	i.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/.well-known/openid-configuration" {
			return false
		}
		usual := httptest.NewRecorder()
		i.published.ServeHTTP(usual, r)
		said := map[string]any{}
		if json.Unmarshal(usual.Body.Bytes(), &said) != nil {
			return false
		}
		maps.Copy(said, more)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(said)
		return true
	}
}

func (i *issuer) claims(t *testing.T, nonce string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"iss": i.url, "aud": "carillon", "sub": "1", "exp": time.Now().Add(time.Hour).Unix(), "nonce": nonce,
		"email": "ada@example.org", "email_verified": true,
	})
	require.NoError(t, err)
	return string(text)
}
