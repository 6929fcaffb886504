package graph_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
)

// TestErrorKinds walks every kind of failure through the presenter: the caller reads the message of a classified one and
// never that of another.
func TestErrorKinds(t *testing.T) {
	t.Parallel()
	for _, kind := range fault.Kinds() {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			log := &buffer{}
			cause := errors.New("the secret cause")
			err := fmt.Errorf("load topic: %w", &fault.Error{
				Kind: kind, Message: "Words for the caller.", Cause: cause, Details: map[string]any{"schema": 1},
				Fields: []fault.Field{{Path: "to.0", Message: "is wrong", Value: "x"}, {Path: "big", Message: "is big", Value: strings.Repeat("x", 2000)}},
			})
			shown := graph.Present(t.Context(), log, err)
			require.Equal(t, kind.String(), shown.Extensions["code"])
			require.NotContains(t, shown.Message, "secret")
			if kind == fault.Internal {
				require.Contains(t, log.String(), "the secret cause")
				require.Contains(t, log.String(), shown.Extensions["errorId"])
				require.NotContains(t, shown.Message, "Words")
				return
			}
			require.Contains(t, shown.Message, "Words for the caller.")
			require.Equal(t, kind == fault.Invalid, strings.Contains(shown.Message, "to.0: is wrong"), "others say it in their own words")
			require.EqualValues(t, 1, shown.Extensions["schema"])
			fields, _ := shown.Extensions["fields"].([]map[string]any)
			require.Len(t, fields, 2)
			require.Contains(t, fields[0], "value")
			require.NotContains(t, fields[1], "value", "too large to be sent back")
			require.Equal(t, kind == fault.Unavailable, shown.Extensions["errorId"] != nil)

			rec := httptest.NewRecorder()
			graph.WriteError(rec, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", nil), err)
			require.GreaterOrEqual(t, rec.Code, 400)
			require.Less(t, rec.Code, 600)
			require.NotContains(t, rec.Body.String(), "secret")
		})
	}

	t.Run("Timeout", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(graph.ErrTimeout)
		shown := graph.Present(ctx, &buffer{}, fmt.Errorf("read a page: %w", context.Canceled))
		require.Equal(t, "TIMEOUT", shown.Extensions["code"])
	})

	t.Run("ClientLeft", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		log := &buffer{}
		shown := graph.Present(ctx, log, fmt.Errorf("read a page: %w", context.Canceled))
		require.Equal(t, "UNAVAILABLE", shown.Extensions["code"], "an alert counts INTERNAL")
		cancelled := postgres.Translate(&pgconn.PgError{Code: "57014", Message: "canceling statement due to user request"})
		require.Equal(t, "UNAVAILABLE", graph.Present(ctx, log, cancelled).Extensions["code"])
		require.Empty(t, log.String(), "clients may leave as often as they like")
		require.Equal(t, "INTERNAL", graph.Present(ctx, log, errors.New("a fault of ours")).Extensions["code"])
	})
}

// TestEverythingIsDescribed keeps the schema readable without other documents.
func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	var missing []string
	for name, definition := range generated.NewExecutableSchema(generated.Config{}).Schema().Types {
		if definition.BuiltIn {
			continue
		}
		if definition.Description == "" {
			missing = append(missing, name)
		}
		for _, value := range definition.EnumValues {
			if value.Description == "" {
				missing = append(missing, name+"."+value.Name)
			}
		}
		missing = append(missing, undescribed(name, definition.Fields)...)
	}
	require.Empty(t, missing)
}

func undescribed(typ string, fields ast.FieldList) (missing []string) {
	for _, field := range fields {
		if strings.HasPrefix(field.Name, "__") {
			continue
		}
		if field.Description == "" {
			missing = append(missing, typ+"."+field.Name)
		}
		for _, arg := range field.Arguments {
			if arg.Description == "" {
				missing = append(missing, typ+"."+field.Name+"("+arg.Name+")")
			}
		}
	}
	return missing
}
