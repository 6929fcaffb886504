package graph

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/internal/notify/usecase"
)

// authorizeRoots refuses a root field that the caller may not use before its resolver looks at the arguments, as REST does
// with its routes: what is wrong with a request does not concern a caller who may not send it. Use cases ask again.
func authorizeRoots(ctx context.Context, next graphql.Resolver) (any, error) {
	switch field := graphql.GetFieldContext(ctx); field.Object {
	case "Query", "Mutation", "Subscription":
		if strings.HasPrefix(field.Field.Name, "__") {
			break
		}
		if err := usecase.Authorize(ctx, field.Field.Name); err != nil {
			return nil, err //nolint:wrapcheck // classified
		}
	}
	return next(ctx)
}
