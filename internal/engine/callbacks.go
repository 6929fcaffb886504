package engine

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/carillon/carillon/internal/provider"
)

// callbacks makes the requests to addresses of the operator's: those of custom steps and those about replies.
type callbacks struct {
	key    func(environmentID string) string // nil: no request is signed
	deps   provider.Deps
	tokens chan struct{} // one per request under way
}

func newCallbacks(cfg *Config) *callbacks {
	return &callbacks{key: cfg.CallbackKey, deps: cfg.Deps, tokens: make(chan struct{}, cfg.Calls)}
}

// sign returns what signs a request. Its key lets the address tell a repetition.
func (c *callbacks) sign(environmentID, callID string, attempt int) func([]byte) http.Header {
	secret := ""
	if c.key != nil {
		secret = c.key(environmentID)
	}
	return func(body []byte) http.Header {
		return provider.WebhookCall{
			Prefix: cmp.Or(c.deps.Prefix, "svc"), Secret: secret, ID: callID, Attempt: attempt, Now: time.Now(),
		}.Sign(body)
	}
}

// do makes a request; a panic is an error.
func (c *callbacks) do(ctx context.Context, request *provider.Request) (answer *provider.Answer, err error) {
	err = recoverPanic(func() (err error) {
		answer, err = c.deps.Client().Do(ctx, request)
		return err
	})
	return answer, err
}
