package provider

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
)

// AccessToken is what an authorization server gave, or what an adapter signed itself.
type AccessToken struct {
	Value   string
	Expires time.Time // when to stop using it, which is before the vendor stops taking it
}

// Tokens keeps the access tokens used last until they expire. Callers that need one at the same time share one fetch.
type Tokens struct {
	kept   *lru.Cache[string, AccessToken]
	flight singleflight.Group
	change sync.Mutex // makes comparing a token and removing it one step
}

// maxTokens bounds the tokens that a process keeps.
const maxTokens = 10_000

// NewTokens returns an empty Tokens.
func NewTokens() *Tokens { return newTokens(maxTokens) }

func newTokens(size int) *Tokens {
	kept, _ := lru.New[string, AccessToken](size) // fails for a size below 1 only
	return &Tokens{kept: kept}
}

const (
	// tokenMargin is how long before its end a token is renewed: a request with it may still have to wait.
	tokenMargin = 5 * time.Minute
	// tokenLife is assumed where a server does not say how long its token lives.
	tokenLife = 10 * time.Minute
	// tokenFetch bounds one fetch, which several callers may wait for.
	tokenFetch = 30 * time.Second
)

// Grant is how one integration comes by its access token. It is safe for concurrent use.
type Grant struct {
	// Fetch gets a new token.
	Fetch func(ctx context.Context) (AccessToken, error)
	// Refused reports whether a vendor did not accept the token; nil: status 401.
	Refused func(*Answer) bool

	tokens *Tokens
	client *Client
	key    string
}

// NewGrant names a grant by everything that its token depends on; of that only a hash is kept.
func (d Deps) NewGrant(client *Client, identity ...string) *Grant {
	h := sha256.New()
	for _, part := range identity {
		h.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	tokens := d.Tokens
	if tokens == nil {
		tokens = newTokens(1) // the adapter's own
	}
	return &Grant{tokens: tokens, client: client, key: hex.EncodeToString(h.Sum(nil))}
}

// Do makes the call that build describes for a token. When the vendor does not take the token, a new one is fetched and
// the call is made once more: such an answer means that nothing happened.
func (g *Grant) Do(ctx context.Context, build func(token string) *Request) (*Answer, error) {
	token, err := g.token(ctx)
	if err != nil {
		return nil, err
	}
	ans, err := g.client.Do(ctx, build(token))
	if err != nil || !g.refused(ans) {
		return ans, err
	}
	g.tokens.forget(g.key, token)
	if token, err = g.token(ctx); err != nil {
		return nil, err
	}
	return g.client.Do(ctx, build(token))
}

// Token is the kept access token, or a new one, for vendors that are not called by HTTP.
func (g *Grant) Token(ctx context.Context) (string, error) { return g.token(ctx) }

// Forget drops a token that the vendor did not take.
func (g *Grant) Forget(token string) { g.tokens.forget(g.key, token) }

func (g *Grant) refused(ans *Answer) bool {
	if g.Refused != nil {
		return g.Refused(ans)
	}
	return ans.Status == http.StatusUnauthorized
}

// token is the kept one, or a new one. The fetch is not bound to the caller that happened to come first, so that its
// end does not fail the others.
func (g *Grant) token(ctx context.Context) (string, error) {
	if t, ok := g.tokens.get(g.key, g.client.now()); ok {
		return t, nil
	}
	fetched := g.tokens.flight.DoChan(g.key, func() (any, error) {
		if t, ok := g.tokens.get(g.key, g.client.now()); ok {
			return t, nil
		}
		own, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), tokenFetch, errTimeout)
		defer cancel()
		t, err := g.Fetch(own)
		if err != nil {
			return "", err
		}
		g.tokens.put(g.key, t)
		return t.Value, nil
	})
	select {
	case r := <-fetched:
		token, _ := r.Val.(string)
		return token, r.Err
	case <-ctx.Done():
		return "", Failf(Transient, "no access token within the time limit")
	}
}

func (t *Tokens) get(key string, now time.Time) (string, bool) {
	kept, ok := t.kept.Get(key)
	return kept.Value, ok && now.Before(kept.Expires)
}

func (t *Tokens) put(key string, token AccessToken) {
	t.change.Lock()
	defer t.change.Unlock()
	t.kept.Add(key, token)
}

// forget drops the token unless it was replaced already.
func (t *Tokens) forget(key, value string) {
	t.change.Lock()
	defer t.change.Unlock()
	if kept, _ := t.kept.Peek(key); kept.Value == value {
		t.kept.Remove(key)
	}
}

// FetchToken asks an authorization server (RFC 6749 §5). A refusal is the integration's fault, whatever form it has.
// x/oauth2 is not used for it: it takes the time from the process, refuses lives with a fraction, and its JWT grant loses the
// cause of a failure, by which we classify (TestOAuthLibrary).
func (c *Client) FetchToken(ctx context.Context, r *Request) (AccessToken, error) {
	asked := c.now()
	ans, err := c.Do(ctx, r)
	if err != nil {
		return AccessToken{}, BeforeSending(err)
	}
	token := ans.At("access_token")
	if !ans.OK() || token == "" {
		failure := ans.Failure(ans.At("error"), ans.At("error_description", "error"))
		if failure.Class == Permanent {
			failure.Class = Fault
		}
		return AccessToken{}, failure
	}
	life := tokenLife
	if secs, err := strconv.ParseFloat(ans.At("expires_in"), 64); err == nil {
		life = seconds(secs)
	}
	return AccessToken{Value: token, Expires: asked.Add(max(life-tokenMargin, life/2))}, nil
}

// BeforeSending is the failure of a call that only prepares the message: nothing can have gone out, so that an outcome
// in doubt is worth another attempt.
func BeforeSending(err error) error {
	e := AsError(err)
	if e == nil || e.Class != Unknown {
		return err
	}
	tidy := *e
	tidy.Class = Transient
	return &tidy
}
