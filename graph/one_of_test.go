package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRecipientIsOneOf: clients see from the schema that a recipient has exactly one of its fields, and what has more or fewer is
// refused before anything is done.
func TestRecipientIsOneOf(t *testing.T) {
	t.Parallel()
	b := setup(t)
	kind := b.must(t, `{ __type(name: "RecipientInput") { isOneOf inputFields { name } } other: __type(name: "TopicRecipientInput") { isOneOf } }`, nil)
	require.Equal(t, true, at(t, kind, "__type", "isOneOf"))
	require.Equal(t, false, at(t, kind, "other", "isOneOf"))

	const trigger = `mutation($to: [RecipientInput!]!) { triggerEvent(input: {name: "flow", to: $to}) { result { status } } }`
	for name, to := range map[string]any{
		"Two":  map[string]any{"subscriberId": "ada", "topic": map[string]any{"topicKey": "news"}},
		"None": map[string]any{},
		"Null": map[string]any{"subscriberId": nil},
	} {
		r := b.ask(t, b.key, trigger, map[string]any{"to": []any{to}})
		require.Len(t, r.Errors, 1, name)
		require.Equal(t, "Validation Error: to.0: must hold exactly one of subscriberId, subscriber, topic and audience", r.Errors[0].Message, name)
	}
	for name, to := range map[string]string{"Two": `{subscriberId: "ada", topic: {topicKey: "news"}}`, "None": `{}`, "Null": `{subscriberId: null}`} {
		r := b.ask(t, b.key, `mutation { triggerEvent(input: {name: "flow", to: [`+to+`]}) { result { status } } }`, nil)
		require.NotEmpty(t, r.Errors, name)
		require.Equal(t, "GRAPHQL_VALIDATION_FAILED", r.Errors[0].Extensions["code"], name)
	}
	require.EqualValues(t, 0, at(t, b.must(t, `{ events { totalCount } }`, nil), "events", "totalCount"))
	b.must(t, `mutation { triggerEvent(input: {name: "flow", to: [{subscriberId: "ada"}]}) { result { status } } }`, nil)
}
