package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/graph/generated"
)

// TestLookUpsAreNullable holds that a field of Query which is given the name of a record can be null: with ! a record that
// does not exist would take everything else that the operation asked for with it.
func TestLookUpsAreNullable(t *testing.T) {
	t.Parallel()
	lookUps := 0
	for _, field := range generated.NewExecutableSchema(generated.Config{}).Schema().Query.Fields {
		if !namesRecord(field) {
			continue
		}
		lookUps++
		require.False(t, field.Type.NonNull, "%s must be nullable: its argument may name no record", field.Name)
	}
	require.Greater(t, lookUps, 80)
}

// namesRecord reports whether a field requires an identifier.
func namesRecord(field *ast.FieldDefinition) bool {
	for _, argument := range field.Arguments {
		if name := argument.Type.String(); name == "ID!" || name == "String!" && argument.DefaultValue == nil {
			return true
		}
	}
	return false
}

// TestMissLeavesItsNeighbours asks for a record that exists beside two that do not.
func TestMissLeavesItsNeighbours(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must(t, `mutation { createTopic(input: {key: "news", name: "News"}) { topic { id } } }`, nil)
	r := b.ask(t, b.key, `{
		topicByKey(key: "news") { name }
		missing: topicByKey(key: "olds") { name }
		subscriberSubscriptions(subscriberId: "unknown") { totalCount }
	}`, nil)
	require.Equal(t, "News", at(t, r.Data, "topicByKey", "name"))
	require.Contains(t, r.Data, "missing")
	require.Nil(t, r.Data["missing"])
	require.Len(t, r.Errors, 2)
	paths := map[any]any{}
	for _, e := range r.Errors {
		paths[e.Path[0]] = e.Extensions["code"]
	}
	require.Equal(t, map[any]any{"missing": "NOT_FOUND", "subscriberSubscriptions": "NOT_FOUND"}, paths)
}
