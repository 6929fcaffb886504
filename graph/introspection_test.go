package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/internal/stall"
)

// TestFragmentsThatDouble: whoever looks for questions about the schema follows each fragment once. Following each mention would
// take 2⁶⁰ steps.
func TestFragmentsThatDouble(t *testing.T) {
	t.Parallel()
	open := setup(t)
	var query strings.Builder
	query.WriteString("{ ...f0 }")
	for i := range 60 {
		fmt.Fprintf(&query, " fragment f%d on Query { ...f%d ...f%d }", i, i+1, i+1)
	}
	query.WriteString(" fragment f60 on Query { __typename }")
	for name, b := range map[string]*bundle{
		"open": open, "secretive": open.door(t, func(cfg *graph.Config) { cfg.Secretive = true }),
	} {
		answers := make(chan reply, 1)
		go func() { answers <- b.ask(t, b.key, query.String(), nil) }()
		select {
		case r := <-answers:
			require.Equal(t, "COMPLEXITY_LIMIT_EXCEEDED", r.code(), name)
		case <-time.After(stall.Limit(time.Minute)):
			require.Fail(t, "the operation takes time without end", name)
		}
	}
}

// TestOnlyTheSchemaIsKept: an answer that holds anything else belongs to who asked, however the fields are grouped.
func TestOnlyTheSchemaIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.owner(t)
	env := at(t, b.mustWith(t, owner, `mutation { createEnvironment(input: {identifier: "live"}) { environment { id } } }`, nil), "createEnvironment", "environment", "id")
	other := at(t, b.mustWith(t, owner, createKey, map[string]any{"name": "live key", "env": env}), "createApiKey", "key").(string)
	const query = `{ ...about currentEnvironment { id } } fragment about on Query { a: __type(name: "Topic") { name } b: __type(name: "Node") { name } }`
	b.must(t, query, nil)
	r := b.ask(t, other, query, nil)
	require.Empty(t, r.Errors)
	require.Equal(t, env, at(t, r.Data, "currentEnvironment", "id"), "its own, not that of who asked before")
}

// TestDirectivesAreThosePublished: what introspection offers beside the published schema, clients would use in vain.
func TestDirectivesAreThosePublished(t *testing.T) {
	t.Parallel()
	var names []string
	for _, directive := range at(t, setup(t).must(t, `{ __schema { directives { name } } }`, nil), "__schema", "directives").([]any) {
		names = append(names, at(t, directive, "name").(string))
	}
	require.ElementsMatch(t, []string{"deprecated", "include", "oneOf", "skip", "specifiedBy"}, names)
}

// TestTypesHaveWhatTheirKindHas: the lists of other kinds are null, not empty (GraphQL specification, Schema Introspection).
func TestTypesHaveWhatTheirKindHas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lists := map[string][]string{
		"fields": {"OBJECT", "INTERFACE"}, "interfaces": {"OBJECT", "INTERFACE"}, "possibleTypes": {"INTERFACE", "UNION"},
		"enumValues": {"ENUM"}, "inputFields": {"INPUT_OBJECT"}, "isOneOf": {"INPUT_OBJECT"},
	}
	const has = `{ kind fields { name type { kind fields { name } ofType { kind fields { name } } } } interfaces { name } possibleTypes { name }
		enumValues { name } inputFields { name } isOneOf }`
	types := at(t, b.must(t, `{ __schema { types `+has+` } }`, nil), "__schema", "types").([]any)
	for _, name := range []string{"Topic", "String"} {
		types = append(types, at(t, b.must(t, `{ __type(name: "`+name+`") `+has+` }`, nil), "__type"))
	}
	met := map[string]bool{}
	for _, of := range types {
		kind := at(t, of, "kind").(string)
		met[kind] = true
		for list, kinds := range lists {
			require.Equal(t, slices.Contains(kinds, kind), at(t, of, list) != nil, "%s of %s", list, kind)
		}
		fields, _ := at(t, of, "fields").([]any)
		for _, field := range fields {
			wrapped := at(t, field, "type")
			require.Equal(t, slices.Contains(lists["fields"], at(t, wrapped, "kind").(string)), at(t, wrapped, "fields") != nil)
		}
	}
	require.Len(t, met, 6)
}
