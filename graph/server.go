package graph

import (
	"context"
	_ "embed"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/graph/transport"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/realtime"
)

// Config is what the GraphQL server needs.
type Config struct {
	Services      *notify.Services
	Authenticator *auth.Authenticator
	Logger        *slog.Logger
	Limits        Limits
	Limiter       admission.Limiter // nil: no rate limits
	Gates         admission.Gates   // the zero value lets all operations begin at once
	Live          *realtime.Hub     // nil: subscriptions are refused
	Seats         *admission.Seats  // of live connections; nil: without bound
	Closing       <-chan struct{}   // closed when the server stops: streams of events end
	Origins       []string          // whose pages may open WebSockets beside this server's own; "*": all
	// Secretive keeps the schema to itself: no introspection, no published file, no names in the errors of wrong queries.
	Secretive bool
	// Allowed are the only operations that credentials other than log-ins may run, by the SHA-256 of their text in hex; nil:
	// all of them.
	Allowed map[string]string
}

// Published is the whole schema with its descriptions, as it is served.
//
//go:embed schema.graphql
var Published []byte

// NewHandler serves /graphql (POST, GET, and GraphiQL for browsers), /graphql/schema.graphql and /graphql/assets/.
func NewHandler(cfg Config) http.Handler {
	limits := cfg.Limits.withDefaults()
	schema := generated.NewExecutableSchema(generated.Config{Resolvers: &Resolver{Services: cfg.Services}})
	server := handler.New(schema)
	for _, carrier := range transport.New(transport.Config{
		Logger: cfg.Logger, Authenticator: cfg.Authenticator, Limiter: cfg.Limiter, Gates: cfg.Gates, Live: cfg.Live, Seats: cfg.Seats,
		Closing: cfg.Closing, Origins: cfg.Origins, Urgent: cfg.Services.Triggers.Urgent,
		BodyBytes: limits.BodyBytes, Timeout: limits.Timeout, InitTimeout: limits.InitTimeout, ReadTimeout: limits.ReadTimeout,
	}) {
		server.AddTransport(carrier)
	}
	present := presenter{cfg.Logger}
	server.SetErrorPresenter(present.present)
	server.SetRecoverFunc(recovered)
	server.SetParserTokenLimit(limits.Document.Tokens)
	texts := &documents{limits: limits, secretive: cfg.Secretive, kept: newDocumentCache()}
	server.SetQueryCache(texts)
	server.Use(strangers{})
	if cfg.Secretive {
		server.SetDisableSuggestion(true)
		server.Use(secretive{})
	} else {
		server.Use(extension.Introspection{})
		server.Use(newIntrospection(schema.Schema()))
	}
	if cfg.Allowed != nil {
		server.Use(allowList(cfg.Allowed))
	}
	server.Use(extension.AutomaticPersistedQuery{Cache: persisted{lru.New[string](1000)}})
	server.Use(texts)
	server.Use(limits)
	server.Use(oneStream{})
	server.AroundFields(authorizeRoots)
	server.AroundOperations(withLoaders(cfg.Services))
	server.AroundResponses(logOperations(cfg.Logger))
	server.AroundResponses(freshLoaders(cfg.Services))

	operations := cfg.Authenticator.Middleware(transport.WriteError)(server)
	mux := http.NewServeMux()
	mux.HandleFunc("/graphql", func(w http.ResponseWriter, r *http.Request) {
		if wantsPage(r) {
			servePage(w, r)
			return
		}
		if transport.IsLive(r) {
			server.ServeHTTP(w, r) // checks the credential itself
			return
		}
		if r.Header.Get("Authorization") == "" {
			server.ServeHTTP(w, r) // may come in, and nothing else
			return
		}
		operations.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /graphql/assets/{name}", serveAsset)
	if !cfg.Secretive {
		mux.HandleFunc("GET /graphql/schema.graphql", servePublished)
	}
	return mux
}

func servePublished(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(Published) // a client that left needs no answer
}

// persisted keeps the texts of persisted queries by their hash.
type persisted struct{ graphql.Cache[string] }

// Add keeps a text unless it is large.
func (c persisted) Add(ctx context.Context, hash, text string) {
	if len(text) <= maxKeptText {
		c.Cache.Add(ctx, hash, text)
	}
}

// logOperations writes one line per query or mutation, refused ones included.
func logOperations(logger *slog.Logger) graphql.ResponseMiddleware {
	return func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		response := next(ctx)
		if response == nil || !graphql.HasOperationContext(ctx) {
			return response
		}
		op := graphql.GetOperationContext(ctx)
		attrs := []slog.Attr{
			slog.String("operation", op.OperationName),
			slog.Duration("duration", graphql.Now().Sub(op.Stats.OperationStart)),
			slog.Int("errors", len(response.Errors)),
		}
		if op.Operation != nil {
			if op.Operation.Operation == ast.Subscription {
				return response
			}
			attrs = append(attrs, slog.String("kind", string(op.Operation.Operation)), slog.String("fields", rootFields(op.Operation)))
		}
		logger.LogAttrs(ctx, slog.LevelInfo, "graphql operation", attrs...)
		return response
	}
}

// rootFields distinguishes nameless operations in the log.
func rootFields(op *ast.OperationDefinition) string {
	var names []string
	for _, selection := range op.SelectionSet {
		if field, ok := selection.(*ast.Field); ok && !slices.Contains(names, field.Name) && len(names) < 5 {
			names = append(names, field.Name)
		}
	}
	return strings.Join(names, ",")
}
