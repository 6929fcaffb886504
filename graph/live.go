package graph

import (
	"context"
	"errors"
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
	"github.com/carillon/carillon/internal/viewer"
)

// live carries subscriptions: over WebSocket (graphql-transport-ws), and as server-sent events. A connection lives as long as
// its credential does.
type live struct {
	entrance entrance
	logger   *slog.Logger
	auth     *auth.Authenticator
	origins  []string
	closing  <-chan struct{} // ends streams of events, which a stop would wait for; WebSockets it does not
	maxBody  int64
	timeout  time.Duration // of what is no subscription
	begin    time.Duration // in which a WebSocket shows its credential
	reading  time.Duration // in which the other end reads what it is sent
	guard    *guard
	seats    *admission.Seats
}

const (
	// pingEvery finds connections whose other end is gone.
	pingEvery = 30 * time.Second
	// reauthEvery is how often an open connection's credential is judged anew, beside each change of keys and tokens.
	reauthEvery = time.Minute
)

// transports come before the one for queries, which takes everything.
func (l live) transports() []graphql.Transport {
	return []graphql.Transport{
		webSocket{l},
		eventStream{l},
	}
}

// originAllowed lets programs in, pages of this server, and pages of the origins that may call it.
func (l live) originAllowed(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(l.origins, "*") || slices.Contains(l.origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == r.Host
}

var errCredential = errors.New("the credential has ended")

// admit puts the viewer into ctx, and ends ctx when the credential does.
func (l live) admit(ctx context.Context, header string) (context.Context, error) {
	before := l.guard.changes()
	v, err := l.auth.AuthenticateAny(ctx, header)
	if err != nil {
		return ctx, err
	}
	intake.Own(ctx, v.EnvironmentID)
	ctx, end := context.WithCancelCause(viewer.NewContext(ctx, v))
	p := &pass{header, func() { end(errCredential) }}
	missed := l.guard.add(v.EnvironmentID, p, before)
	context.AfterFunc(ctx, func() { l.guard.remove(v.EnvironmentID, p) })
	if missed {
		l.guard.judge([]*pass{p}) // it may have ended while it was judged
	}
	return ctx, nil
}

// isLive tells requests whose credential live judges: a WebSocket's comes later, and a stream's lasts.
func isLive(r *http.Request) bool {
	return websocket.IsWebSocketUpgrade(r) || eventStream{}.Supports(r)
}
