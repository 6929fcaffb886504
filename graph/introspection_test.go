package graph_test

import (
	"fmt"
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
