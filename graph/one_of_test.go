package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTargetIsOneOf: the member that is given says the type of a channel endpoint, which an update cannot change.
func TestTargetIsOneOf(t *testing.T) {
	t.Parallel()
	b := setup(t)
	kinds := b.must(t, `{ a: __type(name: "ChannelEndpointTargetInput") { isOneOf } b: __type(name: "RemoveSecondFactorInput") { isOneOf }
		c: __type(name: "ReplaceRecoveryCodesInput") { isOneOf } }`, nil)
	for _, name := range []string{"a", "b", "c"} {
		require.Equal(t, true, at(t, kinds, name, "isOneOf"), name)
	}
	b.must(t, `mutation { createSubscriber(input: {subscriberId: "ann"}) { subscriber { id } } }`, nil)
	const create = `mutation($to: ChannelEndpointTargetInput!) { createChannelEndpoint(input: {identifier: "e", subscriberId: "ann", integration: "svc-slack", endpoint: $to}) {
		channelEndpoint { id type } } }`
	for name, to := range map[string]any{
		"Two": map[string]any{"phone": map[string]any{"phoneNumber": "+4915112345678"}, "slackUser": map[string]any{"userId": "U"}}, "None": map[string]any{},
	} {
		r := b.ask(t, b.key, create, map[string]any{"to": to})
		require.Len(t, r.Errors, 1, name)
		require.Contains(t, r.Errors[0].Message, "endpoint: must hold exactly one of slackChannel,", name)
	}
	made := b.must(t, create, map[string]any{"to": map[string]any{"msTeamsChannel": map[string]any{"teamId": "T", "channelId": "C"}}})
	require.Equal(t, "MS_TEAMS_CHANNEL", at(t, made, "createChannelEndpoint", "channelEndpoint", "type"))
	r := b.ask(t, b.key, `mutation($id: ID!) { updateChannelEndpoint(input: {id: $id, endpoint: {slackUser: {userId: "U"}}}) { channelEndpoint { id } } }`,
		map[string]any{"id": at(t, made, "createChannelEndpoint", "channelEndpoint", "id")})
	require.Len(t, r.Errors, 1)
	require.Contains(t, r.Errors[0].Message, "must be a target of type ms_teams_channel")
}

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
