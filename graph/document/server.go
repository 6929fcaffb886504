package document

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
)

// Config says which operations a server runs.
type Config struct {
	Limits Limits // with their defaults
	// Secretive keeps the schema to itself: no introspection, no names in the errors of wrong queries.
	Secretive bool
	// Allowed are the only operations that credentials other than log-ins may run, by the SHA-256 of their text in hex; nil:
	// all of them.
	Allowed map[string]string
}

// Use has a server bound, read and measure the document of every operation before the operation runs. In this order: what comes
// later sees only what passed before.
func Use(server *handler.Server, schema *ast.Schema, cfg Config) {
	server.SetParserTokenLimit(cfg.Limits.Document.Tokens)
	texts := &reader{limits: cfg.Limits, secretive: cfg.Secretive, kept: newCache()}
	server.SetQueryCache(texts)
	server.Use(strangers{})
	if cfg.Secretive {
		server.SetDisableSuggestion(true)
		server.Use(secretive{})
	} else {
		server.Use(extension.Introspection{})
		server.Use(newIntrospection(schema))
	}
	if cfg.Allowed != nil {
		server.Use(allowList(cfg.Allowed))
	}
	server.Use(extension.AutomaticPersistedQuery{Cache: persisted{lru.New[string](1000)}})
	server.Use(texts)
	server.Use(cfg.Limits)
	server.Use(oneStream{})
}

// persisted keeps the texts of persisted queries by their hash.
type persisted struct{ graphql.Cache[string] }

// Add keeps a text unless it is large.
func (c persisted) Add(ctx context.Context, hash, text string) {
	if len(text) <= maxKeptText {
		c.Cache.Add(ctx, hash, text)
	}
}
