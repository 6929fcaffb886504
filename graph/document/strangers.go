package document

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/internal/viewer"
)

// publicFields are the operations that need no credential, or bring it as an argument: those with which one is gained.
var publicFields = map[string]bool{
	"logIn": true, "requestPasswordReset": true, "resetPassword": true, "invitationOffer": true, "acceptInvitation": true,
}

// public reports whether a document is one of those operations, once, and nothing else.
func public(doc *ast.QueryDocument) bool {
	if len(doc.Operations) != 1 || len(doc.Fragments) > 0 {
		return false
	}
	op := doc.Operations[0]
	if op.Operation == ast.Subscription || len(op.SelectionSet) != 1 {
		return false
	}
	field, ok := op.SelectionSet[0].(*ast.Field)
	return ok && publicFields[field.Name]
}

// strangers keeps those who show no credential from filling the cache of persisted queries.
type strangers struct{}

// ExtensionName names it among gqlgen's extensions.
func (strangers) ExtensionName() string { return "Strangers" }

// Validate has nothing to check.
func (strangers) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters takes the wish to keep the text out of a request.
func (strangers) MutateOperationParameters(ctx context.Context, request *graphql.RawParams) *gqlerror.Error {
	if _, known := viewer.FromContext(ctx); !known && request.Query != "" {
		delete(request.Extensions, "persistedQuery")
	}
	return nil
}
