package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryCredentialHasAField keeps the typed credentials in step with the providers of this server.
func TestEveryCredentialHasAField(t *testing.T) {
	t.Parallel()
	b := setup(t)
	answer := b.must(t, `{
		__type(name: "IntegrationCredentialsInput") { inputFields { name } }
		providers { id name channel endpoints capabilities { attachments idempotencyKey receipts }
			credentials { name label kind required requiredIf secret options default } }
		provider(id: "svc-email") { name }
	}`, nil)
	known := map[string]bool{}
	for _, field := range at(t, answer, "__type", "inputFields").([]any) {
		known[at(t, field, "name").(string)] = true
	}
	for _, p := range at(t, answer, "providers").([]any) {
		credentials, _ := at(t, p, "credentials").([]any)
		for _, c := range credentials {
			require.True(t, known[at(t, c, "name").(string)], "%v of %v", at(t, c, "name"), at(t, p, "id"))
		}
	}
}

func TestIntegrationsOverGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const marker = "MARKER-77aa"
	made := at(t, b.must(t, `mutation($in: CreateIntegrationInput!) { createIntegration(input: $in) {
		integration {
			id identifier providerId channel active primary deleted deletedAt conditions { children { field } }
			credentials { host port from senderName password secretKey secure apiKey } configurations { inboundWebhookEnabled inboundWebhookSigningKey }
		}
	} }`, map[string]any{"in": map[string]any{
		"providerId": "nodemailer", "name": "Mail", "credentials": map[string]any{
			"host": "mail.example.com", "port": "25", "from": "a@example.com", "senderName": "A", "user": "u", "password": marker, "secure": false,
			"tlsOptions": map[string]any{"ca": marker},
		},
		"configurations": map[string]any{"inboundWebhookEnabled": true, "inboundWebhookSigningKey": marker},
		"conditions":     []any{map[string]any{"children": []any{map[string]any{"field": "plan", "value": "pro", "operator": "EQUAL", "on": "TENANT"}}}},
	}}), "createIntegration", "integration")
	subset(t, object(t, `{"identifier": "mail", "providerId": "nodemailer", "channel": "EMAIL", "active": true, "primary": true, "deleted": false,
		"credentials": {"host": "mail.example.com", "port": "25", "password": "********", "secure": false, "secretKey": null, "apiKey": null},
		"configurations": {"inboundWebhookEnabled": true, "inboundWebhookSigningKey": "********"},
		"conditions": [{"children": [{"field": "plan"}]}]}`), made, "made")

	id := map[string]any{"id": at(t, made, "id")}
	found := b.must(t, `query($id: ID!) { node(id: $id) { id ... on Integration { credentials { password } } } integration(id: $id) { name }
		integrationByIdentifier(identifier: "mail") { name } integrations(filter: {channelIn: [EMAIL], providerIdIn: ["nodemailer"]}) { nodes { name } } }`, id)
	require.Equal(t, "********", at(t, found, "node", "credentials", "password"))
	changed := at(t, b.must(t, `mutation($id: ID!) { updateIntegration(input: {id: $id, credentials: {password: "********", user: null, senderName: "Desk"}}) {
		integration {
			credentials { user senderName password }
		}
	} setPrimaryIntegration(id: $id) { integration { primary } } }`, id), "updateIntegration", "integration")
	subset(t, object(t, `{"credentials": {"user": null, "senderName": "Desk", "password": "********"}}`), changed, "changed")
	refused := b.ask(t, b.key, `mutation($id: ID!) { updateIntegration(input: {id: $id, credentials: {host: null}}) { integration { id } } }`, id)
	require.Equal(t, "VALIDATION", refused.code())

	left := at(t, b.must(t, `mutation($id: ID!) { deleteIntegration(id: $id) { integrations { identifier primary } } }`, id), "deleteIntegration", "integrations")
	subset(t, map[string]any{"left": object(t, `{"x": [{"identifier": "svc"}, {"identifier": "svc-email", "primary": true}, {"identifier": "svc-sms"}, {"identifier": "svc-slack"}]}`)["x"]},
		map[string]any{"left": left}, "left")
	require.NotContains(t, b.log.String(), marker)
}

func TestChannelEndpointsOverGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must(t, `mutation { createSubscriber(input: {subscriberId: "ann"}) { subscriber { id } } }`, nil)
	made := b.must(t, `mutation {
		createConnectedWorkspace(input: {identifier: "team", integration: "svc-slack", subscriberId: "ann", workspaceId: "T1", accessToken: "xoxb-1"}) {
			connectedWorkspace {
				id identifier subscriberId workspaceId hasAccessToken contextKeys
			}
}
		createChannelEndpoint(input: {identifier: "dm", subscriberId: "ann", integration: "svc-slack", connection: "team", contextKeys: ["region:eu"],
			endpoint: {slackUser: {userId: "U1"}}}) {
			channelEndpoint {
				id identifier channel providerId integrationIdentifier connectionIdentifier subscriberId contextKeys type endpoint { ... on SlackUserTarget { userId } ... on WebhookTarget { url } }
			}
}
	}`, nil)
	subset(t, object(t, `{"createConnectedWorkspace": {"connectedWorkspace": {"identifier": "team", "hasAccessToken": true, "contextKeys": []}},
		"createChannelEndpoint": {"channelEndpoint": {"identifier": "dm", "channel": "CHAT", "providerId": "svc-slack", "integrationIdentifier": "svc-slack",
			"connectionIdentifier": "team", "subscriberId": "ann", "contextKeys": ["region:eu"], "type": "SLACK_USER", "endpoint": {"userId": "U1"}}}}`), made, "made")
	ids := map[string]any{"c": at(t, made, "createConnectedWorkspace", "connectedWorkspace", "id"), "e": at(t, made, "createChannelEndpoint", "channelEndpoint", "id")}
	found := b.must(t, `query($c: ID!, $e: ID!) {
		connectedWorkspace(id: $c) { id } connectedWorkspaceByIdentifier(identifier: "team") { id } a: node(id: $c) { id } b: node(id: $e) { id }
		connectedWorkspaces(filter: {integrationIdentifier: "svc-slack", subscriberId: "ann"}) { totalCount }
		channelEndpoint(id: $e) { id } channelEndpointByIdentifier(identifier: "dm") { id }
		channelEndpoints(filter: {subscriberId: "ann", channel: CHAT, providerId: "svc-slack", contextKeys: ["region:eu"]}, orderBy: {field: UPDATED_AT}) { totalCount }
	}`, ids)
	require.EqualValues(t, 1, at(t, found, "connectedWorkspaces", "totalCount"))
	require.EqualValues(t, 1, at(t, found, "channelEndpoints", "totalCount"))
	changed := b.must(t, `mutation($c: ID!, $e: ID!) {
		updateConnectedWorkspace(input: {id: $c, workspaceName: "Team", accessToken: null}) { connectedWorkspace { workspaceName hasAccessToken } }
		updateChannelEndpoint(input: {id: $e, endpoint: {slackUser: {userId: "U2"}}, connection: null}) { channelEndpoint { endpoint { ... on SlackUserTarget { userId } } connectionIdentifier } }
		deleteChannelEndpoint(id: $e) { deletedId } deleteConnectedWorkspace(id: $c) { deletedId }
	}`, ids)
	subset(t, object(t, `{"updateConnectedWorkspace": {"connectedWorkspace": {"workspaceName": "Team", "hasAccessToken": false}},
		"updateChannelEndpoint": {"channelEndpoint": {"endpoint": {"userId": "U2"}, "connectionIdentifier": null}}}`), changed, "changed")
}

func TestCaughtMessagesOverGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(t)
	listed := b.must(t, `{ caughtMessages(filter: {channelIn: [EMAIL], providerIdIn: ["svc-email"]}) { totalCount nodes { id subject body html details } } }`, nil)
	require.EqualValues(t, 0, at(t, listed, "caughtMessages", "totalCount"))
	cleared := b.must(t, `mutation { clearCaughtMessages { deletedCount } }`, nil)
	require.EqualValues(t, 0, at(t, cleared, "clearCaughtMessages", "deletedCount"))
	require.Equal(t, "NOT_FOUND", b.ask(t, b.key, `{ caughtMessage(id: "65f1a2b3c4d5e6f708192a3b") { id } }`, nil).code())
}
