package graph

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/gorilla/websocket"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// live carries subscriptions: over WebSocket (graphql-transport-ws), and as server-sent events. A connection lives as long as
// its credential does.
type live struct {
	logger  *slog.Logger
	auth    *auth.Authenticator
	hub     *realtime.Hub // nil: credentials are judged anew every reauthEvery only
	origins []string
	closing <-chan struct{} // ends streams of events, which a stop would wait for; WebSockets it does not
	maxBody int64
}

const (
	// initTimeout bounds the wait for a WebSocket's credential.
	initTimeout = 10 * time.Second
	// pingEvery finds connections whose other end is gone.
	pingEvery = 30 * time.Second
	// reauthEvery is how often an open connection's credential is judged anew, beside each change of keys and tokens.
	reauthEvery = time.Minute
)

// transports come before the one for queries, which takes everything.
func (l live) transports() []graphql.Transport {
	return []graphql.Transport{
		webSocket{transport.Websocket{
			Upgrader: websocket.Upgrader{
				CheckOrigin: l.originAllowed, ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10, WriteBufferPool: &sync.Pool{},
				Subprotocols: []string{"graphql-transport-ws"},
			},
			InitFunc: l.open, InitTimeout: initTimeout, PingPongInterval: pingEvery,
		}, l.logger},
		eventStream{transport.SSE{KeepAlivePingInterval: pingEvery}, l},
	}
}

// webSocket is gqlgen's, on a goroutine of its own: what the HTTP server keeps for a request, buffers and a deep stack, is
// given back once the connection is a WebSocket.
type webSocket struct {
	transport.Websocket
	logger *slog.Logger
}

// Do serves one connection. It returns when the request is answered, or is no request any more.
func (t webSocket) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	opened := &hijackable{ResponseWriter: w, hijacked: make(chan struct{})}
	refused := make(chan struct{})
	ctx := context.WithoutCancel(r.Context())
	go func() {
		defer func() {
			if p := recover(); p != nil {
				t.logger.ErrorContext(ctx, "a WebSocket panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			}
			close(refused)
		}()
		t.Websocket.Do(opened, r.WithContext(ctx), exec)
	}()
	select {
	case <-opened.hijacked:
	case <-refused:
	}
}

// hijackable tells when a request's connection was taken over.
type hijackable struct {
	http.ResponseWriter
	hijacked chan struct{}
}

// Hijack takes the connection over.
func (h *hijackable) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	defer close(h.hijacked)
	return http.NewResponseController(h.ResponseWriter).Hijack()
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

// open judges the credential that a WebSocket begins with: in its connection_init as Authorization, else in its request.
func (l live) open(ctx context.Context, init transport.InitPayload) (context.Context, *transport.InitPayload, error) {
	header := init.Authorization()
	if header == "" {
		header, _ = ctx.Value(headerKey{}).(string)
	}
	err := aside(func() (err error) {
		ctx, err = l.admit(ctx, header)
		return err
	})
	return ctx, nil, err
}

// aside runs f on a goroutine of its own: stacks that grew while a connection began would stay large as long as it lasts.
func aside(f func() error) error {
	var err error
	var panicked any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		err = f()
	}()
	<-done
	if panicked != nil {
		panic(panicked) // where somebody recovers
	}
	return err
}

type headerKey struct{}

var errCredential = errors.New("the credential has ended")

// admit puts the viewer into ctx, and ends ctx when the credential does.
func (l live) admit(ctx context.Context, header string) (context.Context, error) {
	v, err := l.auth.AuthenticateAny(ctx, header)
	if err != nil {
		return ctx, err
	}
	ctx, end := context.WithCancelCause(viewer.NewContext(ctx, v))
	var changes <-chan struct{}
	closeWatch := func() {}
	if l.hub != nil {
		watch := l.hub.Watch(realtime.Access(v.EnvironmentID))
		changes, closeWatch = watch.C, watch.Close
	}
	go func() {
		defer closeWatch()
		again := time.NewTicker(reauthEvery)
		defer again.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-changes:
			case <-again.C:
			}
			if _, err := l.auth.AuthenticateAny(ctx, header); err != nil && fault.KindOf(err) != fault.Unavailable && ctx.Err() == nil {
				end(errCredential)
				return
			}
		}
	}()
	return ctx, nil
}

// eventStream is gqlgen's server-sent events with our access rules.
type eventStream struct {
	transport.SSE
	live live
}

// Do serves one subscription.
func (s eventStream) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	ctx, err := s.live.admit(r.Context(), r.Header.Get("Authorization"))
	if err != nil {
		writeError(w, r, err)
		return
	}
	// Judged here first: the library would answer a bad body in another shape, and log it.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.live.maxBody))
	if err != nil || decode(body, &graphql.RawParams{}) != nil {
		writeError(w, r, fault.BadRequestf("MALFORMED_BODY", "The body is not a JSON object with query, operationName and variables, or it is too long."))
		return
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	go func() {
		select {
		case <-s.live.closing:
			end()
		case <-ctx.Done():
		}
	}()
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.SSE.Do(w, r, exec)
}

// isLive tells requests whose credential live judges: a WebSocket's comes later, and a stream's lasts.
func isLive(r *http.Request) bool {
	return websocket.IsWebSocketUpgrade(r) || transport.SSE{}.Supports(r)
}

// withHeader keeps the request's credential for a WebSocket that sends none in its connection_init.
func withHeader(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), headerKey{}, r.Header.Get("Authorization"))))
	})
}

// freshLoaders gives every event of a subscription its own loaders: what they keep is as old as the event.
func freshLoaders(s *notify.Services) graphql.ResponseMiddleware {
	return func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		if graphql.HasOperationContext(ctx) {
			if op := graphql.GetOperationContext(ctx).Operation; op != nil && op.Operation == ast.Subscription {
				ctx = withFreshLoaders(ctx, s)
			}
		}
		return next(ctx)
	}
}
