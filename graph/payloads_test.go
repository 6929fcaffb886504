package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/graph/generated"
)

// TestMutationsAnswerPayloads holds the one shape of mutations (decisions.md §1): doThing answers a DoThingPayload of its own,
// which is never null; what it names by a record's type is never a list under a singular; a deletion answers what is gone by its
// global id, and as it was.
func TestMutationsAnswerPayloads(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	for _, m := range schema.Mutation.Fields {
		payload := m.Type.NamedType
		require.True(t, m.Type.NonNull, m.Name)
		require.Truef(t, strings.EqualFold(payload, m.Name+"Payload"), "%s answers %s", m.Name, payload)
		fields := schema.Types[payload].Fields
		for _, f := range fields {
			list := f.Type.Elem != nil
			if record, isRecord := recordOf(schema, f.Type); isRecord && strings.HasPrefix(strings.ToLower(f.Name), strings.ToLower(record.Name)) {
				require.Equal(t, list, strings.HasSuffix(f.Name, "s"), "%s.%s", payload, f.Name)
			}
		}
		if noun, deletes := strings.CutPrefix(m.Name, "delete"); deletes {
			name := "deletedId"
			if strings.HasSuffix(noun, "s") {
				name = "deletedIds"
			}
			require.NotNil(t, fields.ForName(name), "%s has no %s", payload, name)
			require.Equal(t, "ID", fields.ForName(name).Type.Name(), payload)
		}
	}
	for _, typ := range schema.Types {
		if strings.HasSuffix(typ.Name, "Payload") {
			require.NotNil(t, answering(schema, typ.Name), "no mutation answers %s", typ.Name)
		}
	}
}

// recordOf is the type of a field when it is one with a global id.
func recordOf(schema *ast.Schema, t *ast.Type) (*ast.Definition, bool) {
	typ := schema.Types[t.Name()]
	return typ, slices.Contains(typ.Interfaces, "Node")
}

// answering is the mutation that answers a payload.
func answering(schema *ast.Schema, payload string) *ast.FieldDefinition {
	for _, m := range schema.Mutation.Fields {
		if m.Type.Name() == payload {
			return m
		}
	}
	return nil
}
