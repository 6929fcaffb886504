// Package transport carries GraphQL operations: over HTTP, over WebSocket (graphql-transport-ws) and as server-sent events.
// Every operation passes the rate limits and the queue of those that wait, and every refusal has one shape. It knows
// operations and credentials, and neither the schema nor the resolvers.
package transport

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/gorilla/websocket"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// Config is what the transports need.
type Config struct {
	Logger        *slog.Logger
	Authenticator *auth.Authenticator
	Limiter       admission.Limiter // nil: no rate limits
	Gates         admission.Gates   // the zero value lets all operations begin at once
	Live          *realtime.Hub     // announces changes of keys and tokens; nil: credentials are checked by the clock alone
	Seats         *admission.Seats  // of live connections; nil: without bound
	Closing       <-chan struct{}   // closed when the server stops: ends streams of events, which a stop would wait for, and WebSockets
	Origins       []string          // whose pages may open WebSockets beside this server's own; "*": all
	// Urgent reports whether the events of a workflow are known to be urgent.
	Urgent func(environmentID, workflow string) bool
	// Once runs mutations under idempotency keys; nil: these do not count.
	Once Once

	BodyBytes   int64         // of a request
	Timeout     time.Duration // of an operation that is no subscription
	InitTimeout time.Duration // in which a WebSocket shows its credential
	ReadTimeout time.Duration // in which the other end reads what it is sent
}

// New returns the transports in the order in which they are asked whether a request is theirs; the last takes everything.
func New(cfg Config) []graphql.Transport {
	enter := entrance{cfg.Limiter, cfg.Gates, cfg.Urgent}
	l := live{
		logger: cfg.Logger, auth: cfg.Authenticator, origins: cfg.Origins,
		entrance: enter, maxBody: cfg.BodyBytes, timeout: cfg.Timeout, begin: cfg.InitTimeout, reading: cfg.ReadTimeout,
		guard: newGuard(cfg.Authenticator, cfg.Live, cfg.Closing), stopping: until(cfg.Closing), seats: cfg.Seats,
	}
	return []graphql.Transport{webSocket{l}, eventStream{l}, httpTransport{enter, cfg.BodyBytes, cfg.Timeout, eventStream{l}, cfg.Once}}
}

// live carries subscriptions: over WebSocket (graphql-transport-ws), and as server-sent events. A connection lives as long as
// its credential does.
type live struct {
	entrance entrance
	logger   *slog.Logger
	auth     *auth.Authenticator
	origins  []string
	maxBody  int64
	timeout  time.Duration
	begin    time.Duration
	reading  time.Duration
	guard    *guard
	stopping context.Context //nolint:containedctx // ends when the server stops
	seats    *admission.Seats
}

// until is a context that ends when a channel is closed; nil: it does not.
func until(closing <-chan struct{}) context.Context {
	if closing == nil {
		return context.Background()
	}
	ctx, end := context.WithCancel(context.Background())
	go func() {
		<-closing
		end()
	}()
	return ctx
}

const (
	// pingEvery finds connections whose other end is gone.
	pingEvery = 30 * time.Second
	// reauthEvery is how often an open connection's credential is checked again, beside each change of keys and tokens.
	reauthEvery = time.Minute
)

// originAllowed lets programs in, pages of this server, and pages of the origins that may call it.
func (l live) originAllowed(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(l.origins, "*") || slices.Contains(l.origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == r.Host
}

// admit puts the viewer into ctx, and ends ctx when the credential does.
func (l live) admit(ctx context.Context, header string) (context.Context, error) {
	before := l.guard.current()
	v, err := l.auth.AuthenticateAny(ctx, header)
	if err != nil {
		return ctx, err
	}
	intake.Own(ctx, v.EnvironmentID)
	ctx, end := context.WithCancelCause(viewer.NewContext(ctx, v))
	s := &session{header, v, end}
	missed := l.guard.add(v.EnvironmentID, s, before)
	context.AfterFunc(ctx, func() { l.guard.remove(v.EnvironmentID, s) })
	if missed {
		l.guard.check([]*session{s}) // it may have ended while it was checked
	}
	return ctx, nil
}

// IsLive reports whether a request is one whose credential live checks: a WebSocket's comes later, and a stream's lasts.
func IsLive(r *http.Request) bool {
	return websocket.IsWebSocketUpgrade(r) || eventStream{}.Supports(r)
}
