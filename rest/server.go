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
	"github.com/carillon/carillon/internal/viewer"
)

// Config is what the REST door stands on.
type Config struct {
	// Resolvers are GraphQL's; every route calls one of their methods.
	Resolvers *graph.Resolver
	Auth      Authenticator
	Logger    *slog.Logger
	Now       func() time.Time
	// ResponseWrapper is none or data; data wraps success bodies into {"data": …} (decisions.md §1).
	ResponseWrapper string
	// CORSOrigins may call from a browser; empty: no CORS at all.
	CORSOrigins []string
	// Observe hears of every answered request; route is its pattern, "" for an unknown path. nil: nobody does.
	Observe func(route, method string, status int, took time.Duration)
	// BodyPause is how long a caller may send nothing in the middle of a body; 0: a minute.
	BodyPause time.Duration
	// Limit is asked after authentication whether a request may pass; it may set headers. nil: no limits.
	Limit Limiter
}

// Authenticator is *auth.Authenticator.
type Authenticator interface {
	// Authenticate is the viewer of an Authorization header, or a classified error.
	Authenticate(ctx context.Context, header string) (viewer.Viewer, error)
}

// Limiter decides whether a request of a category may pass; an error of kind fault.RateLimited refuses it. cost is 1, or
// 100 for bulk trigger and broadcast (decisions.md §16).
type Limiter interface {
	Limit(header http.Header, v viewer.Viewer, category Category, cost int) error
}

// server answers requests.
type server struct {
	Config
	mux *chi.Mux
}

// New is the handler of the documented routes, and of every path that nobody else serves.
func New(cfg Config) http.Handler {
	s := &server{Config: cfg, mux: chi.NewMux()}
	s.mux.NotFound(s.answering(func(*request) (*Reply, error) {
		return nil, httpError{http.StatusNotFound, "This path does not exist."}
	}))
	for pattern, methods := range byPattern(routes()) {
		s.mux.Get(pattern, s.answering(s.dispatch(methods)))
	}
	s.mux.Get("/openapi.json", s.answering(s.openAPI(routes())))
	var h http.Handler = http.HandlerFunc(s.route)
	if len(cfg.CORSOrigins) > 0 {
		h = crossOrigin(cfg.CORSOrigins, h)
	}
	return h
}

// maxTarget bounds the request target (decisions.md §16, URL length).
const maxTarget = 16 << 10

// route finds the handler by the path as it was sent, so that an encoded slash inside a parameter stays data. All
// routes hang on GET: the method is looked at once the path is known, which keeps 404 and 405 apart for every method.
func (s *server) route(w http.ResponseWriter, r *http.Request) {
	if len(r.RequestURI) > maxTarget {
		s.answering(func(*request) (*Reply, error) {
			return nil, httpError{http.StatusRequestURITooLong, "The URL is too long."}
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
	// control reaches the connection.
	control *http.ResponseController
	route   *Route
	viewer  viewer.Viewer
	// facts are attributes of the request's log line.
	facts []slog.Attr
	in    *Input
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
		if err := s.admit(r); err != nil {
			return nil, err
		}
		var err error
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
}

// admit authenticates the caller and asks whether the request may pass.
func (s *server) admit(r *request) error {
	v, err := s.Auth.Authenticate(r.Context(), r.Header.Get("Authorization"))
	if err != nil {
		return err //nolint:wrapcheck // classified
	}
	r.viewer = v
	r.Request = r.WithContext(viewer.NewContext(r.Context(), v))
	if s.Limit == nil {
		return nil
	}
	return s.Limit.Limit(r.header, v, r.route.Category, max(r.route.Cost, 1)) //nolint:wrapcheck // classified
}
