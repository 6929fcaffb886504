package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/carillon/carillon/internal/fault"
)

// OIDCConfig names the server that people of this installation prove themselves to (OpenID Connect).
type OIDCConfig struct {
	Issuer       string
	ClientID     string
	ClientSecret string
	HTTP         *http.Client // nil: one with a timeout
}

// OIDC is the log-in by OpenID Connect: the authorization code flow with state, nonce and PKCE. The issuer is asked for its
// addresses when first needed, so that it need not be up when this server starts.
type OIDC struct {
	cfg       OIDCConfig
	discovery singleflight.Group
	provider  atomic.Pointer[oidc.Provider]
}

// NewOIDC is the log-in at one issuer; nil without one.
func NewOIDC(cfg OIDCConfig) *OIDC {
	if cfg.Issuer == "" {
		return nil
	}
	client := http.Client{Timeout: 10 * time.Second}
	if cfg.HTTP != nil {
		client = *cfg.HTTP
	}
	client.Transport = boundedAnswers{client.Transport}
	cfg.HTTP = &client
	return &OIDC{cfg: cfg}
}

// maxIssuerAnswer bounds what an issuer says of itself, its keys and its tokens. go-oidc reads them whole.
const maxIssuerAnswer = 1 << 20

// boundedAnswers fails to read answers beyond maxIssuerAnswer.
type boundedAnswers struct{ next http.RoundTripper }

// RoundTrip bounds what is read of the answer.
func (b boundedAnswers) RoundTrip(r *http.Request) (*http.Response, error) {
	next := b.next
	if next == nil {
		next = http.DefaultTransport
	}
	answer, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = http.MaxBytesReader(nil, answer.Body, maxIssuerAnswer)
	return answer, nil
}

// OIDCAttempt is one log-in under way. The browser that began it keeps it, out of reach of scripts, and brings it back.
type OIDCAttempt struct{ State, Nonce, Verifier string }

// errIssuer reports a failure of the issuer's server; its cause goes to the log.
func errIssuer(cause error) error {
	return &fault.Error{Kind: fault.Unavailable, Message: "The OpenID Connect server could not be asked. Try again later.", Cause: cause}
}

// Begin is a new attempt, and the address of the issuer to which the browser is sent with it. callback is where the issuer
// sends it back to.
func (o *OIDC) Begin(ctx context.Context, callback string) (OIDCAttempt, string, error) {
	provider, err := o.discovered(ctx)
	if err != nil {
		return OIDCAttempt{}, "", err
	}
	attempt := OIDCAttempt{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
	to := o.client(provider, callback).AuthCodeURL(attempt.State, oidc.Nonce(attempt.Nonce), oauth2.S256ChallengeOption(attempt.Verifier))
	return attempt, to, nil
}

// Finish is the verified e-mail address of the person whom the issuer sent back with a code.
func (o *OIDC) Finish(ctx context.Context, attempt OIDCAttempt, callback, state, code string) (email string, err error) {
	if attempt.State == "" || subtle.ConstantTimeCompare([]byte(attempt.State), []byte(state)) != 1 {
		return "", fault.Unauthenticatedf("This log-in was not begun in this browser, or it took too long. Begin again.")
	}
	provider, err := o.discovered(ctx)
	if err != nil {
		return "", err
	}
	ctx = oidc.ClientContext(ctx, o.cfg.HTTP)
	token, err := o.client(provider, callback).Exchange(ctx, code, oauth2.VerifierOption(attempt.Verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.Response.StatusCode < 500:
		return "", fault.Unauthenticatedf("The OpenID Connect server did not accept this log-in. Begin again.")
	case err != nil:
		return "", errIssuer(fmt.Errorf("exchange the code: %w", err))
	}
	raw, _ := token.Extra("id_token").(string)
	proof, err := provider.Verifier(&oidc.Config{ClientID: o.cfg.ClientID}).Verify(ctx, raw)
	if err != nil && strings.Contains(err.Error(), "fetching keys") { // go-oidc has no error to compare with
		return "", errIssuer(fmt.Errorf("check the proof: %w", err))
	}
	errProof := fault.Unauthenticatedf("The OpenID Connect server's proof does not hold. Begin again.")
	if err != nil || subtle.ConstantTimeCompare([]byte(proof.Nonce), []byte(attempt.Nonce)) != 1 {
		return "", errProof
	}
	var claims struct {
		Email    string `json:"email"`
		Verified any    `json:"email_verified"` // some issuers write it as text
		Party    string `json:"azp"`            // whom the proof was made for, where it has several audiences
	}
	if err := proof.Claims(&claims); err != nil {
		return "", errIssuer(fmt.Errorf("read the claims: %w", err))
	}
	if claims.Party != "" && claims.Party != o.cfg.ClientID {
		return "", errProof
	}
	if claims.Email == "" || claims.Verified != true && claims.Verified != "true" {
		return "", fault.Forbiddenf("The OpenID Connect server has not verified your e-mail address.")
	}
	return claims.Email, nil
}

func (o *OIDC) client(provider *oidc.Provider, callback string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: o.cfg.ClientID, ClientSecret: o.cfg.ClientSecret, Endpoint: provider.Endpoint(), RedirectURL: callback,
		Scopes: []string{oidc.ScopeOpenID, "email"},
	}
}

// discovered is what the issuer says of itself; a failure is not kept. Log-ins that begin together ask once and wait together:
// one after the other they would wait for an issuer that is slow as often as there are log-ins.
func (o *OIDC) discovered(ctx context.Context) (*oidc.Provider, error) {
	if provider := o.provider.Load(); provider != nil {
		return provider, nil
	}
	asked := o.discovery.DoChan("", func() (any, error) {
		// The provider fetches keys later, with the client of this context: it must not end with the request.
		provider, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), o.cfg.HTTP), o.cfg.Issuer)
		if err == nil {
			o.provider.Store(provider)
		}
		return provider, err
	})
	select {
	case <-ctx.Done():
		return nil, errIssuer(context.Cause(ctx))
	case answer := <-asked:
		if answer.Err != nil {
			return nil, errIssuer(fmt.Errorf("discover the issuer: %w", answer.Err))
		}
		return o.provider.Load(), nil
	}
}
