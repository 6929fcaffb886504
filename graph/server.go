package graph

import (
	"cmp"
	"context"
	_ "embed"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/graph/transport"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/telemetry"
)

// Config is what the GraphQL server needs.
type Config struct {
	Services      *notify.Services
	Authenticator *auth.Authenticator
	Logger        *slog.Logger
	Limits        document.Limits
	Limiter       admission.Limiter // nil: no rate limits
	Gates         admission.Gates   // the zero value lets all operations begin at once
	Live          *realtime.Hub     // nil: subscriptions are refused
	Seats         *admission.Seats  // of live connections; nil: without bound
	Closing       <-chan struct{}   // closed when the server stops: live connections end
	Origins       []string          // whose pages may open WebSockets beside this server's own; "*": all
	// Observe is told of each query and mutation by its first root field, with the code of its first error; nil: nothing is.
	Observe func(kind, field, code string, took time.Duration)
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
	limits := cfg.Limits.WithDefaults()
	schema := generated.NewExecutableSchema(generated.Config{Schema: withoutDefer(), Resolvers: &Resolver{Services: cfg.Services}})
	server := handler.New(schema)
	for _, carrier := range transport.New(transport.Config{
		Logger: cfg.Logger, Authenticator: cfg.Authenticator, Limiter: cfg.Limiter, Gates: cfg.Gates, Live: cfg.Live, Seats: cfg.Seats,
		Closing: cfg.Closing, Origins: cfg.Origins, Urgent: cfg.Services.Triggers.Urgent, Once: cfg.Services.Idempotency.Once,
		BodyBytes: limits.BodyBytes, Timeout: limits.Timeout, InitTimeout: limits.InitTimeout, ReadTimeout: limits.ReadTimeout,
	}) {
		server.AddTransport(carrier)
	}
	present := presenter{cfg.Logger}
	server.SetErrorPresenter(present.present)
	server.SetRecoverFunc(recovered)
	document.Use(server, schema.Schema(), document.Config{Limits: limits, Secretive: cfg.Secretive, Allowed: cfg.Allowed})
	server.AroundFields(authorizeRoots)
	server.AroundOperations(withLoaders(cfg.Services))
	server.AroundRootFields(loadersOfMutations(cfg.Services))
	server.AroundOperations(withReadLimit(limits.ReadBytes))
	server.AroundResponses(logOperations(cfg.Logger, cfg.Observe))
	server.AroundResponses(freshLoaders(cfg.Services))

	operations := cfg.Authenticator.Middleware(transport.WriteError)(server)
	mux := http.NewServeMux()
	mux.HandleFunc("/graphql", func(w http.ResponseWriter, r *http.Request) {
		if wantsPage(r) {
			servePage(w, r)
			return
		}
		r = telemetry.WithRequestID(w, r)
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

// withoutDefer is the schema without the directive @defer, which gqlparser declares in every schema. The transports send one
// response for each operation, so that what was deferred would never arrive, and be null where the schema allows no null.
func withoutDefer() *ast.Schema {
	schema := *generated.NewExecutableSchema(generated.Config{}).Schema()
	schema.Directives = maps.Clone(schema.Directives)
	delete(schema.Directives, "defer")
	return &schema
}

// withReadLimit bounds what a query or mutation reads. A subscription reads as long as it lasts.
func withReadLimit(bytes int64) graphql.OperationMiddleware {
	return func(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
		if graphql.GetOperationContext(ctx).Operation.Operation != ast.Subscription {
			ctx = postgres.WithReadLimit(ctx, bytes)
		}
		return next(ctx)
	}
}

func servePublished(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(sentFiles.Choose(w.Header(), r, "schema.graphql", Published)) // a client that left needs no answer
}

// logOperations writes one line per query or mutation, refused ones included, and lets observe count them.
func logOperations(logger *slog.Logger, observe func(kind, field, code string, took time.Duration)) graphql.ResponseMiddleware {
	return func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		response := next(ctx)
		if response == nil || !graphql.HasOperationContext(ctx) {
			return response
		}
		op := graphql.GetOperationContext(ctx)
		if observe != nil && (op.Operation == nil || op.Operation.Operation != ast.Subscription) {
			kind, field := operationName(op.Operation)
			observe(kind, field, errorCode(response), graphql.Now().Sub(op.Stats.OperationStart))
		}
		attrs := []slog.Attr{
			slog.String("operation", op.OperationName),
			telemetry.DurationMs(graphql.Now().Sub(op.Stats.OperationStart)),
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

// operationName names a valid operation by its kind and its first root field, of which there are no more than the schema has:
// the names that clients give their operations are without bound.
func operationName(op *ast.OperationDefinition) (kind, field string) {
	if op == nil {
		return "none", ""
	}
	for set := op.SelectionSet; len(set) > 0; {
		switch first := set[0].(type) {
		case *ast.Field:
			return string(op.Operation), first.Name
		case *ast.FragmentSpread:
			set = first.Definition.SelectionSet
		case *ast.InlineFragment:
			set = first.SelectionSet
		}
	}
	return string(op.Operation), ""
}

// errorCode is the code of the first error of an answer; "" without one.
func errorCode(response *graphql.Response) string {
	if len(response.Errors) == 0 {
		return ""
	}
	code, _ := response.Errors[0].Extensions["code"].(string)
	return cmp.Or(code, "none")
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
