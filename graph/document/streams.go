package document

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/graph/transport"
)

// oneStream refuses a subscription that names no stream, or several: the rules that queries are checked by overlook fields that
// are left out by a directive, and the same field under two names.
type oneStream struct{}

// ExtensionName names it among gqlgen's extensions.
func (oneStream) ExtensionName() string { return "OneStream" }

// Validate has nothing to check.
func (oneStream) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext counts what is left of the selection once its directives and variables are looked at.
func (oneStream) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if op.Operation.Operation != ast.Subscription {
		return nil
	}
	if fields := graphql.CollectFields(op, op.Operation.SelectionSet, []string{"Subscription"}); len(fields) != 1 {
		return transport.Refuse(errcode.ValidationFailed, nil, "A subscription is to one stream; this names %d.", len(fields))
	}
	return nil
}
