package state

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/carillon/carillon/internal/provider"
)

// Callbacks sends requests to addresses of the operator's: those of custom steps and those that pass replies on.
type Callbacks struct {
	key    func(environmentID string) string // nil: no request is signed
	deps   provider.Deps
	Places Places // for those that pass replies on
}

func newCallbacks(cfg *Config) *Callbacks {
	return &Callbacks{key: cfg.CallbackKey, deps: cfg.Deps, Places: make(Places, cfg.ConcurrentAttempts)}
}

// Places are those for requests that are under way at once: its capacity says how many, and each that is taken holds a value.
type Places chan struct{}

// Take takes up to n of the places that are free now, and returns how many. Each is to be given back.
func (p Places) Take(n int) (taken int) {
	for ; taken < n; taken++ {
		select {
		case p <- struct{}{}:
		default:
			return taken
		}
	}
	return taken
}

// Give gives n places back.
func (p Places) Give(n int) {
	for range n {
		<-p
	}
}

// Sign returns what signs a request. By its id the receiver recognises a repetition.
func (c *Callbacks) Sign(environmentID, requestID string, attempt int) func([]byte) http.Header {
	secret := ""
	if c.key != nil {
		secret = c.key(environmentID)
	}
	return func(body []byte) http.Header {
		return provider.WebhookCall{
			Prefix: cmp.Or(c.deps.Prefix, "svc"), Secret: secret, ID: requestID, Attempt: attempt, Now: time.Now(),
		}.Sign(body)
	}
}

// Do sends a request; a panic is an error.
func (c *Callbacks) Do(ctx context.Context, request *provider.Request) (answer *provider.Answer, err error) {
	err = RecoverPanic(func() (err error) {
		answer, err = c.deps.Client().Do(ctx, request)
		return err
	})
	return answer, err
}
