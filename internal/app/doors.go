package app

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/rest"
)

// doors is every address of one server.
func (a *App) doors(draining *atomic.Bool) http.Handler {
	mux := http.NewServeMux()
	a.health(mux, draining)
	graphQL := graph.NewHandler(graph.Config{Services: a.services, Authenticator: a.auth, Logger: a.log})
	mux.Handle("/graphql", graphQL)
	mux.Handle("/graphql/", graphQL)
	mux.Handle("/", rest.New(rest.Config{
		Resolvers: &graph.Resolver{Services: a.services}, Auth: a.auth, Logger: a.log, Now: time.Now,
		ResponseWrapper: a.cfg.ResponseWrapper, CORSOrigins: a.cfg.CORSOrigins,
	}))
	return otelhttp.NewHandler(mux, "request", otelhttp.WithFilter(func(r *http.Request) bool { return !operational[r.URL.Path] }))
}

// operational are the addresses that machines ask every few seconds; they make no traces.
var operational = map[string]bool{"/healthz": true, "/readyz": true, "/metrics": true}

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
