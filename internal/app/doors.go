package app

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/felixge/httpsnoop"
	"github.com/rs/cors"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/dashboard"
	"github.com/carillon/carillon/internal/inboxclient"
	"github.com/carillon/carillon/rest"
)

// doors is every address of one server. What is not ours or GraphQL's belongs to the documented API, which never
// redirects; http.ServeMux would, for an unclean path.
func (a *App) doors(draining *atomic.Bool) http.Handler {
	operations := http.NewServeMux()
	a.health(operations, draining)
	graphQL := a.observed("/graphql", a.shared(dashboard.Credential(graph.NewHandler(graph.Config{
		Services: a.services, Authenticator: a.auth, Logger: a.log,
		Live: a.live.hub, Closing: a.live.closing, Origins: a.cfg.CORSOrigins,
		Secretive: a.cfg.Introspection == "off", Allowed: a.allowed,
	}))))
	inbox := a.observed(inboxclient.Prefix, inboxclient.New())
	page := a.observed(dashboard.Prefix, dashboard.New(dashboard.Config{
		Sessions: a.services.Sessions, Auth: a.auth, Logger: a.log, Secure: strings.HasPrefix(a.cfg.PublicURL, "https://"),
		PublicURL: a.cfg.PublicURL, OIDC: auth.NewOIDC(auth.OIDCConfig{
			Issuer: a.cfg.OIDCIssuer, ClientID: a.cfg.OIDCClientID, ClientSecret: a.cfg.OIDCClientSecret,
		}),
	}))
	documented := rest.New(rest.Config{
		Limit:     a.limits(),
		Resolvers: &graph.Resolver{Services: a.services}, Auth: a.auth, Logger: a.log, Now: time.Now,
		ResponseWrapper: a.cfg.ResponseWrapper, CORSOrigins: a.cfg.CORSOrigins, Observe: a.metrics.Request,
	})
	inbound := a.observed("/v1/inbound", a.inbound())
	doors := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case operational[r.URL.Path]:
			operations.ServeHTTP(w, r)
		case r.URL.Path == "/graphql" || strings.HasPrefix(r.URL.Path, "/graphql/"):
			graphQL.ServeHTTP(w, r)
		case r.URL.Path == dashboard.Prefix || strings.HasPrefix(r.URL.Path, dashboard.Prefix+"/"):
			page.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, inboxclient.Prefix):
			inbox.ServeHTTP(w, r)
		case isInbound(r.URL.Path):
			inbound.ServeHTTP(w, r)
		default:
			documented.ServeHTTP(w, r)
		}
	})
	return otelhttp.NewHandler(doors, "request", otelhttp.WithFilter(func(r *http.Request) bool {
		return !operational[r.URL.Path] && !isInbound(r.URL.Path) // inbound addresses are secrets, and traces show them
	}))
}

// shared lets pages of other origins ask GraphQL with a token of theirs; cookies stay with this server's own pages.
func (a *App) shared(next http.Handler) http.Handler {
	if len(a.cfg.CORSOrigins) == 0 {
		return next
	}
	return cors.New(cors.Options{
		AllowedOrigins: a.cfg.CORSOrigins, AllowedMethods: []string{http.MethodGet, http.MethodPost},
		AllowedHeaders: []string{"Authorization", "Content-Type", "Accept"}, MaxAge: 3600,
	}).Handler(next)
}

// limits are the rate limits; nil without any.
func (a *App) limits() rest.Limiter {
	if !a.cfg.RateLimits {
		return nil
	}
	return rest.NewLimits(map[rest.Category]int{
		rest.CategoryTrigger: a.cfg.RateTrigger, rest.CategoryConfiguration: a.cfg.RateConfig, rest.CategoryGlobal: a.cfg.RateGlobal,
	}, time.Now)
}

// operational are the addresses that machines ask every few seconds; they make no traces.
var operational = map[string]bool{"/healthz": true, "/readyz": true, "/metrics": true}

// observed counts the requests of a handler under one route.
func (a *App) observed(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := httpsnoop.CaptureMetrics(next, w, r)
		a.metrics.Request(route, r.Method, seen.Code, seen.Duration)
	})
}

// health adds what an operator's machines ask: whether the process lives, whether it can serve, and its figures.
func (a *App) health(mux *http.ServeMux, draining *atomic.Bool) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
		defer cancel()
		switch {
		case draining.Load():
			answer(w, http.StatusServiceUnavailable, "stopping")
		case a.db.Ping(ctx) != nil:
			answer(w, http.StatusServiceUnavailable, "the database does not answer")
		default:
			answer(w, http.StatusOK, "ready")
		}
	})
	mux.Handle("GET /metrics", a.metrics.Handler())
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // a client that left needs no answer
}
