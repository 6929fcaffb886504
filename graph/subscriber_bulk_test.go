package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph/transport"
)

const (
	upsertAll = `mutation ($list: [UpsertSubscriberInput!]!) { upsertSubscribers(subscribers: $list) {
		subscribers { subscriberId firstName data subscriptions(first: 1) { nodes { id } } } rejected { index subscriberId problems { path message } } } }`
	deleteAll = `mutation ($ids: [String!]!) { deleteSubscribers(subscriberIds: $ids) { subscribers { subscriberId } unknown } }`
	importAll = `mutation ($input: ImportSubscribersInput!) { importSubscribers(input: $input) {
		stored rejectedCount rejected { line problems { path message } } nextLine } }`
)

func list(values ...any) []any { return values }

func TestBulkSubscribersThroughGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.must(t, upsertAll, map[string]any{"list": list(
		map[string]any{"subscriberId": "ben", "firstName": "Ben", "data": map[string]any{"plan": "pro"}},
		map[string]any{"subscriberId": "ann", "firstName": "Anna"},
		map[string]any{"subscriberId": "no id", "email": "x"},
		map[string]any{"subscriberId": "ann", "firstName": "Ann"},
	)})
	stored := at(t, made, "upsertSubscribers", "subscribers").([]any)
	require.Len(t, stored, 2)
	require.Equal(t, "Ann", at(t, stored[0], "firstName"))
	require.Equal(t, map[string]any{"plan": "pro"}, at(t, stored[1], "data"))
	rejected := at(t, made, "upsertSubscribers", "rejected").([]any)
	require.Len(t, rejected, 1)
	require.Equal(t, 2.0, at(t, rejected[0], "index"))
	require.Equal(t, "no id", at(t, rejected[0], "subscriberId"))
	var paths []any
	for _, problem := range at(t, rejected[0], "problems").([]any) {
		paths = append(paths, at(t, problem, "path"))
	}
	require.Equal(t, list("subscriberId", "email"), paths)

	cleared := b.must(t, upsertAll, map[string]any{"list": list(map[string]any{"subscriberId": "ben", "firstName": nil})})
	require.Nil(t, at(t, at(t, cleared, "upsertSubscribers", "subscribers").([]any)[0], "firstName"))

	imported := b.must(t, importAll, map[string]any{"input": map[string]any{
		"format": "NDJSON", "text": "{\"subscriberId\": \"cid\", \"locale\": \"de\"}\n\n{\"subscriberId\": 7}\n{\"subscriberId\": \"dora\"}\n",
	}})
	require.Equal(t, 2.0, at(t, imported, "importSubscribers", "stored"))
	require.Equal(t, 1.0, at(t, imported, "importSubscribers", "rejectedCount"))
	require.Equal(t, 3.0, at(t, at(t, imported, "importSubscribers", "rejected").([]any)[0], "line"))
	require.Nil(t, at(t, imported, "importSubscribers", "nextLine"))

	gone := b.must(t, deleteAll, map[string]any{"ids": list("cid", "missing", "ann", "ann")})
	require.Equal(t, list(map[string]any{"subscriberId": "ann"}, map[string]any{"subscriberId": "cid"}), at(t, gone, "deleteSubscribers", "subscribers"))
	require.Equal(t, list("missing"), at(t, gone, "deleteSubscribers", "unknown"))
	left := b.must(t, `{ subscribers(first: 9) { nodes { subscriberId } } }`, nil)
	require.ElementsMatch(t, list(map[string]any{"subscriberId": "ben"}, map[string]any{"subscriberId": "dora"}), at(t, left, "subscribers", "nodes"))
}

func TestBulkSubscribersAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var many []any
	for i := range 501 {
		many = append(many, map[string]any{"subscriberId": fmt.Sprint("s", i)})
	}
	for name, c := range map[string]struct {
		query     string
		variables map[string]any
		names     string
	}{
		"too many":        {upsertAll, map[string]any{"list": many}, "subscribers"},
		"none":            {deleteAll, map[string]any{"ids": list()}, "subscriberIds"},
		"no columns":      {importAll, map[string]any{"input": map[string]any{"format": "CSV", "text": ""}}, "text"},
		"no column of it": {importAll, map[string]any{"input": map[string]any{"format": "CSV", "text": "email,shoeSize\n"}}, "text"},
	} {
		refused := b.ask(t, b.key, c.query, c.variables)
		require.Equal(t, "VALIDATION", refused.code(), name)
		require.Contains(t, fmt.Sprint(refused.Errors[0].Extensions), c.names, name)
	}
	require.Empty(t, at(t, b.must(t, `{ subscribers(first: 9) { nodes { id } } }`, nil), "subscribers", "nodes"))

	one := `importSubscribers(input: {format: CSV, text: "subscriberId\n"}) { stored }`
	two := b.ask(t, b.key, "mutation { a: "+one+" b: "+one+" }", nil)
	require.Equal(t, transport.CodeComplexityLimit, two.code())
	require.Contains(t, two.Errors[0].Message, "do less at once")
	b.must(t, "mutation { "+one+" }", nil)
	var eleven strings.Builder
	for i := range 11 {
		fmt.Fprintf(&eleven, "d%d: deleteSubscribers(subscriberIds: [\"x\"]) { unknown } ", i)
	}
	refused := b.ask(t, b.key, "mutation { "+eleven.String()+"}", nil)
	require.Equal(t, transport.CodeComplexityLimit, refused.code())
}

// A call is measured by the subscribers that it is given: what a few of them may ask for is refused of hundreds.
func TestBulkSubscribersAreMeasuredAsGiven(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const channels = `{ subscribers { subscriberId channels(first: 100) { nodes { id } } } }`
	const upsert, remove = `mutation ($list: [UpsertSubscriberInput!]!) { upsertSubscribers(subscribers: $list) ` + channels + ` }`,
		`mutation ($ids: [String!]!) { deleteSubscribers(subscriberIds: $ids) ` + channels + ` }`
	var many, ids []any
	for i := range 500 {
		ids = append(ids, fmt.Sprint("s", i))
		many = append(many, map[string]any{"subscriberId": ids[i]})
	}
	require.Len(t, at(t, b.must(t, upsert, map[string]any{"list": many[:10]}), "upsertSubscribers", "subscribers"), 10)
	require.Len(t, at(t, b.must(t, remove, map[string]any{"ids": ids[:9]}), "deleteSubscribers", "subscribers"), 9)
	b.must(t, `mutation { deleteSubscribers(subscriberIds: "s9") `+channels+` }`, nil)
	for query, variables := range map[string]map[string]any{upsert: {"list": many}, remove: {"ids": ids}} {
		refused := b.ask(t, b.key, query, variables)
		require.Equal(t, transport.CodeComplexityLimit, refused.code(), query)
	}
}
