package provider_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
	"golang.org/x/oauth2/jwt"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/stall"
)

// office is an authorization server and a vendor that takes only the newest token.
type office struct {
	fetched atomic.Int64
	calls   atomic.Int64
	revoked atomic.Bool
	now     atomic.Int64 // seconds after providertest.Now
	answer  string       // of the authorization server; empty: a token
}

func (o *office) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := http.StatusOK, `{}`
	switch {
	case r.URL.Host == "login.example.com" && o.answer != "":
		status, body = http.StatusBadRequest, o.answer
	case r.URL.Host == "login.example.com":
		o.fetched.Add(1)
		o.revoked.Store(false)
		body = `{"access_token":"TOKEN","expires_in":3600}`
	default:
		o.calls.Add(1)
		if o.revoked.Load() {
			status = http.StatusUnauthorized
		}
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

func (o *office) grant(tokens *provider.Tokens, identity ...string) *provider.Grant {
	deps := provider.Deps{
		Vendor: o, Chosen: o, Log: slog.New(slog.DiscardHandler), Tokens: tokens,
		Now: func() time.Time { return providertest.Now.Add(time.Duration(o.now.Load()) * time.Second) },
	}
	client := deps.Client()
	g := deps.NewGrant(client, identity...)
	g.Fetch = func(ctx context.Context) (provider.AccessToken, error) {
		return client.FetchToken(ctx, &provider.Request{URL: "https://login.example.com/token", Body: provider.Form{}})
	}
	return g
}

func call(t *testing.T, g *provider.Grant) (*provider.Answer, error) {
	t.Helper()
	return g.Do(t.Context(), func(token string) *provider.Request {
		return &provider.Request{URL: "https://api.example.com/", Secure: provider.Bearer(token)}
	})
}

func TestTokensAreShared(t *testing.T) {
	t.Parallel()
	o, tokens := &office{}, provider.NewTokens()
	one, other := o.grant(tokens, "client", "secret"), o.grant(tokens, "clients", "ecret")
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			_, err := call(t, one)
			require.NoError(t, err)
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, o.fetched.Load())
	_, err := call(t, other)
	require.NoError(t, err)
	require.EqualValues(t, 2, o.fetched.Load(), "another identity is another token")
	o.now.Store(3299)
	_, err = call(t, one)
	require.NoError(t, err)
	require.EqualValues(t, 2, o.fetched.Load())
	o.now.Store(3301)
	_, err = call(t, one)
	require.NoError(t, err)
	require.EqualValues(t, 3, o.fetched.Load(), "renewed before it ends")
}

func TestRefusedTokenIsFetchedOnceMore(t *testing.T) {
	t.Parallel()
	o := &office{}
	g := o.grant(provider.NewTokens(), "client")
	_, err := call(t, g)
	require.NoError(t, err)
	o.revoked.Store(true)
	ans, err := call(t, g)
	require.NoError(t, err)
	require.True(t, ans.OK())
	require.EqualValues(t, 2, o.fetched.Load())
	require.EqualValues(t, 3, o.calls.Load())
}

func TestRefusedGrantIsAFault(t *testing.T) {
	t.Parallel()
	o := &office{answer: `{"error":"invalid_client","error_description":"no such client"}`}
	_, err := call(t, o.grant(nil, "client"))
	require.Equal(t, &provider.Error{
		Class: provider.Fault, Status: 400, Code: "invalid_client", Text: "no such client",
	}, provider.AsError(err))
	require.Zero(t, o.calls.Load())
}

// TestOAuthLibrary shows what keeps x/oauth2 from fetching our tokens; see Client.FetchToken.
func TestOAuthLibrary(t *testing.T) {
	t.Parallel()
	client := func(trip roundTrip) context.Context {
		return context.WithValue(t.Context(), oauth2.HTTPClient, &http.Client{Transport: trip})
	}
	answer := func(body string) roundTrip {
		return func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
		}
	}
	config := clientcredentials.Config{ClientID: "c", ClientSecret: "s", TokenURL: "https://vendor.example/token", AuthStyle: oauth2.AuthStyleInParams}
	_, err := config.Token(client(answer(`{"access_token":"t","expires_in":3599.5}`)))
	require.Error(t, err, "a life in parts of a second makes a token unusable")
	token, err := config.Token(client(answer(`{"access_token":"t","expires_in":3600}`)))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(time.Hour), token.Expiry, stall.Limit(time.Minute), "by the clock of the process, not that of the environment")

	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	assertion := jwt.Config{Email: "a@example.com", PrivateKey: []byte(inPEM(t, key)), TokenURL: "https://vendor.example/token"}
	refused := roundTrip(func(*http.Request) (*http.Response, error) { return nil, egress.ErrRefused })
	_, err = assertion.TokenSource(client(refused)).Token()
	require.Error(t, err)
	require.NotErrorIs(t, err, egress.ErrRefused, "the cause is lost, by which a failure is classified")
}
