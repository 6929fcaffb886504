package app

import (
	"net/http"
	"strings"
	"time"

	"github.com/felixge/httpsnoop"
	"github.com/rs/cors"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/dashboard"
	"github.com/carillon/carillon/internal/docs"
	"github.com/carillon/carillon/internal/home"
	"github.com/carillon/carillon/internal/inboxclient"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/telemetry"
	"github.com/carillon/carillon/rest"
)

// doors is every address of one server. What is not ours or GraphQL's belongs to the documented API, which never
// redirects; http.ServeMux would, for an unclean path.
func (a *App) doors() http.Handler {
	operations := http.NewServeMux()
	a.health(operations, false)
	limiter, gates := a.limits(), admission.NewGates(a.cfg.QueueTime)
	graphQL := a.observed("/graphql", a.shared(dashboard.Credential(refusals(graph.NewHandler(graph.Config{
		Services: a.services, Authenticator: a.auth, Logger: a.log,
		Live: a.live.hub, Closing: a.live.closing, Origins: a.cfg.CORSOrigins,
		Secretive: a.cfg.Introspection == "off", Allowed: a.allowed, Limiter: limiter, Gates: gates,
		Seats: a.seats, Observe: a.metrics.Operation,
	})))))
	inbox := a.observed(inboxclient.Prefix, refusals(inboxclient.New()))
	page := a.observed(dashboard.Prefix, refusals(dashboard.New(dashboard.Config{
		Gates:    gates,
		Sessions: a.services.Sessions, Auth: a.auth, Logger: a.log, Secure: strings.HasPrefix(a.cfg.PublicURL, "https://"),
		PublicURL: a.cfg.PublicURL, OIDC: auth.NewOIDC(auth.OIDCConfig{
			Issuer: a.cfg.OIDCIssuer, ClientID: a.cfg.OIDCClientID, ClientSecret: a.cfg.OIDCClientSecret,
		}),
	})))
	documented := rest.New(rest.Config{
		Limit: limiter, Gates: gates,
		Resolvers: &graph.Resolver{Services: a.services}, Auth: a.auth, Logger: a.log, Now: time.Now,
		ResponseWrapper: a.cfg.ResponseWrapper, CORSOrigins: a.cfg.CORSOrigins, Observe: a.metrics.Request,
	})
	inbound := a.observed("/v1/inbound", a.inbound())
	images := a.observed("/images/{key}", a.images(gates))
	documents := a.observed(docs.Prefix, refusals(docs.New()))
	start := a.observed("/", home.New(a.homeLinks()...))
	doors := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case operational[r.URL.Path] && a.cfg.OperationsAddr == "":
			operations.ServeHTTP(w, r)
		case home.Wants(r):
			start.ServeHTTP(w, r)
		case r.URL.Path == "/graphql" || strings.HasPrefix(r.URL.Path, "/graphql/"):
			graphQL.ServeHTTP(w, r)
		case r.URL.Path == dashboard.Prefix || strings.HasPrefix(r.URL.Path, dashboard.Prefix+"/"):
			page.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, inboxclient.Prefix):
			inbox.ServeHTTP(w, r)
		case r.URL.Path == docs.Prefix || strings.HasPrefix(r.URL.Path, docs.Prefix+"/"):
			documents.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, authoring.ImagesPath):
			images.ServeHTTP(w, r)
		case isInbound(r.URL.Path):
			inbound.ServeHTTP(w, r)
		default:
			documented.ServeHTTP(w, r)
		}
	})
	trusted, _ := egress.ParseAllow(a.cfg.TrustedProxies) // checked with the configuration
	addressed := auth.ClientAddress(trusted)(a.intake.Handler(doors))
	return telemetry.Requests(addressed, func(r *http.Request) bool {
		return !operational[r.URL.Path] && !isInbound(r.URL.Path) // inbound addresses are secrets, and traces show them
	})
}

// shared lets pages of other origins ask GraphQL with a token of theirs; cookies stay with this server's own pages. Any header may
// come along, as on the documented routes: clients add their name, and tracing adds traceparent.
func (a *App) shared(next http.Handler) http.Handler {
	if len(a.cfg.CORSOrigins) == 0 {
		return next
	}
	return cors.New(cors.Options{
		AllowedOrigins: a.cfg.CORSOrigins, AllowedMethods: []string{http.MethodGet, http.MethodPost},
		AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{
			intake.HeaderKey, intake.HeaderReplay, "X-Request-Id", "Retry-After", admission.HeaderLimit, admission.HeaderRemaining, admission.HeaderReset, admission.HeaderPolicy,
		},
		MaxAge: 3600,
	}).Handler(next)
}

// limits are the rate limits; nil without any.
func (a *App) limits() admission.Limiter {
	if !a.cfg.RateLimits {
		return nil
	}
	return admission.NewLimits(map[admission.Category]int{
		admission.CategoryTrigger: a.cfg.RateTrigger, admission.CategoryConfiguration: a.cfg.RateConfig, admission.CategoryGlobal: a.cfg.RateGlobal,
	}, time.Now, a.db.DB)
}

// observed counts the requests of a handler under one route. A database that does not answer a caller who has left is no failure.
func (a *App) observed(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := httpsnoop.CaptureMetrics(next, w, r)
		status := seen.Code
		if status == http.StatusServiceUnavailable && r.Context().Err() != nil {
			status = telemetry.StatusLeft
		}
		a.metrics.Request(route, r.Method, status, seen.Duration)
	})
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // a client that left needs no answer
}
