// Package rest is the compatibility door: the documented routes. It decodes, calls a resolver method of graph, and
// encodes; the rules live below. What every route shares (order of checks, media types, limits, error bodies) is here,
// as api.md and decisions.md §3 and §14 have it.
package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// Config is what the REST server needs.
type Config struct {
	// Resolvers are GraphQL's; every route calls one of their methods, or the use case behind it where that takes an
	// idempotency key.
	Resolvers *graph.Resolver
	Auth      Authenticator
	Logger    *slog.Logger
	Now       func() time.Time
	// ResponseWrapper is none or data; data wraps success bodies into {"data": …} (decisions.md §1).
	ResponseWrapper string
	// CORSOrigins may call from a browser; empty: no CORS at all.
	CORSOrigins []string
	// Observe is called for every answered request; route is its pattern, "" for an unknown path. nil: it is not called.
	Observe func(route, method string, status int, took time.Duration)
	// Limit is asked after authentication whether a request may pass; it may set headers. nil: no limits.
	Limit admission.Limiter
	// Gates let operations begin in turn; the zero value lets all begin at once.
	Gates admission.Gates
}

// Authenticator is *auth.Authenticator.
type Authenticator interface {
	// Authenticate is the viewer of an Authorization header, or a classified error.
	Authenticate(ctx context.Context, header string) (viewer.Viewer, error)
	// Assume is the assumption that a header still names the viewer that it named before; nil when it may not be made.
	Assume(header string, before viewer.Viewer) *auth.Assumption
}

// server answers requests.
type server struct {
	Config
	mux     *chi.Mux
	callers *callers
}

// New is the handler of the documented routes, and of every path that no other handler serves.
func New(cfg Config) http.Handler {
	s := &server{Config: cfg, mux: chi.NewMux(), callers: newCallers()}
	s.mux.NotFound(s.answering(func(*request) (*Reply, error) {
		return nil, httpError{http.StatusNotFound, "This path does not exist."}
	}))
	for pattern, methods := range byPattern(routes()) {
		s.mux.Get(pattern, s.answering(s.dispatch(methods)))
	}
	s.serveDocument(routes())
	var h http.Handler = http.HandlerFunc(s.route)
	if len(cfg.CORSOrigins) > 0 {
		h = crossOrigin(cfg.CORSOrigins, h)
	}
	return h
}

// maxTarget bounds the request target (decisions.md §16, URL length).
const maxTarget = 16 << 10

// expectationMessage is the answer to any other expectation. Over HTTP/1 net/http refuses most of these before a handler
// hears of them, see Listen.
const expectationMessage = "Only the expectation 100-continue is met."

// route finds the handler by the path as it was sent, so that an encoded slash inside a parameter stays data. All
// routes hang on GET: the method is looked at once the path is known, which keeps 404 and 405 apart for every method.
func (s *server) route(w http.ResponseWriter, r *http.Request) {
	if len(r.RequestURI) > maxTarget {
		s.answering(func(*request) (*Reply, error) {
			return nil, httpError{http.StatusRequestURITooLong, "The URL is too long."}
		})(w, r)
		return
	}
	if expectation := r.Header.Get("Expect"); expectation != "" && !strings.EqualFold(expectation, "100-continue") {
		s.answering(func(*request) (*Reply, error) {
			return nil, httpError{http.StatusExpectationFailed, expectationMessage}
		})(w, r)
		return
	}
	routing := chi.NewRouteContext()
	routing.RouteMethod = http.MethodGet
	routing.RoutePath = r.URL.EscapedPath()
	if len(routing.RoutePath) > 1 {
		routing.RoutePath = strings.TrimSuffix(routing.RoutePath, "/")
	}
	s.mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, routing)))
}

// request is one request on its way to an operation.
type request struct {
	*http.Request
	server *server
	header http.Header // of the response
	route  *Route
	viewer viewer.Viewer
	// facts are attributes of the request's log line.
	facts   []slog.Attr
	body    []byte // unpacked, and why it could not be read
	bodyErr error
	in      *Input
	// assumed is the viewer until the credential is confirmed; nil: the viewer was looked up.
	assumed *auth.Assumption
}

// param is a path parameter, percent-decoded once.
func (r *request) param(name string) string {
	raw := r.PathValue(name)
	if value, err := url.PathUnescape(raw); err == nil {
		return value
	}
	return raw
}

// dispatch runs the checks in their order (decisions.md §3) and then the operation.
func (s *server) dispatch(methods map[string]*Route) func(*request) (*Reply, error) {
	allowed := allowHeader(methods)
	return func(r *request) (*Reply, error) {
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		r.route = methods[method]
		if r.route == nil {
			r.header.Set("Allow", allowed)
			return nil, httpError{http.StatusMethodNotAllowed, "Method " + r.Method + " is not allowed here."}
		}
		leave, err := s.enter(r)
		if err != nil {
			return nil, err
		}
		defer leave()
		operate := func() (*Reply, error) { return s.operate(r) }
		if r.assumed != nil {
			return s.confirmed(r, operate)
		}
		return operate()
	}
}

// operate reads what the request says and runs the operation.
func (s *server) operate(r *request) (reply *Reply, err error) {
	if r.in, err = readInput(r); err != nil {
		return nil, err
	}
	if r.route.accepts() {
		if err := r.in.checkEventSizes(); err != nil {
			return nil, err
		}
	}
	if key := idempotencyKey(r); key != "" {
		return s.underKey(r, key)
	}
	return r.route.run(s, r.Context(), r.in)
}

// admit authenticates the caller and asks whether it may use the route and whether the request may pass.
func (s *server) admit(r *request) error {
	header := r.Header.Get("Authorization")
	v, err := s.Auth.Authenticate(r.Context(), header)
	if err != nil {
		s.callers.forget(header)
		return err //nolint:wrapcheck // classified
	}
	s.callers.set(header, v)
	r.Request = r.WithContext(viewer.NewContext(r.Context(), v))
	return s.permit(r, v)
}

// permit asks whether a viewer may use the route and whether the request may pass.
func (s *server) permit(r *request, v viewer.Viewer) error {
	r.viewer = v
	// Before idempotency: a key without the scope must not be given the reply that another key's request left.
	if err := usecase.Authorize(r.Context(), r.route.Method+" "+r.route.Pattern); err != nil {
		return err //nolint:wrapcheck // classified
	}
	if s.Limit == nil {
		return nil
	}
	return s.Limit.Limit(r.Context(), r.header, v, r.route.Category, max(r.route.Cost, 1)) //nolint:wrapcheck // classified
}
