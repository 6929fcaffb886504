package document

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/stall"
)

// TestFewQuestionsAboutTheSchemaWait: while one is answered some wait, and the rest is refused at once. All of them have a turn of those that
// calls take, so that many which wait would keep all other calls out.
func TestFewQuestionsAboutTheSchemaWait(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { echo: String }`})
	i := newIntrospection(schema)
	answering := make(chan struct{})
	question := func(n int) (ask func() *graphql.Response) {
		text := fmt.Sprintf("query q%d { __schema { types { name } } }", n) // no two are kept together
		parsed, problems := gqlparser.LoadQuery(schema, text)               //nolint:staticcheck // of a test's own schema
		require.Empty(t, problems)
		ctx := graphql.WithOperationContext(t.Context(), &graphql.OperationContext{RawQuery: text, Doc: parsed, Operation: parsed.Operations[0]})
		return func() *graphql.Response {
			return i.InterceptResponse(ctx, func(context.Context) *graphql.Response {
				<-answering
				return &graphql.Response{Data: json.RawMessage(`{}`)}
			})
		}
	}
	answers := make(chan *graphql.Response, maxInLine)
	for n := range maxInLine {
		ask := question(n)
		go func() { answers <- ask() }()
	}
	require.Eventually(t, func() bool { return len(i.line) == maxInLine }, stall.Limit(time.Minute), time.Millisecond)
	refused := question(maxInLine)()
	require.Len(t, refused.Errors, 1)
	require.Equal(t, fault.RateLimited.String(), refused.Errors[0].Extensions["code"])
	close(answering)
	for range maxInLine {
		require.Empty(t, (<-answers).Errors)
	}
	require.Empty(t, question(maxInLine)().Errors)
}
