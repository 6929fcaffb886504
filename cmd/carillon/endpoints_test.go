package main_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// endpointCase is one kind of chat target: what it needs, and the calls that reach it, in order.
type endpointCase struct {
	provider, kind string
	credentials    object
	connection     object // nil: none
	endpoint       object
	overrides      object
	calls          []call // auth is a part of the request
	bodies         []string
}

const botService = "POST smba.trafficmanager.net/teams/v3/conversations"

var teamsBot = object{"clientId": "bot-1", "secretKey": "bot-secret", "tenantId": "home"}

// teamsToken is how the bot gets its token, which later messages of the same bot share.
var teamsToken = call{"POST login.microsoftonline.com/home/oauth2/v2.0/token", "client_secret=bot-secret"}

var endpointCases = map[string]endpointCase{
	"SlackChannel": {
		provider: "slack", kind: "slackChannel", connection: object{"accessToken": "xoxb-channel"}, endpoint: object{"channelId": "C1"},
		calls:  []call{{"POST slack.com/api/chat.postMessage", "Authorization: Bearer xoxb-channel"}},
		bodies: []string{`{"channel":"C1","text":"Hello"}`},
	},
	"SlackUser": {
		provider: "slack", kind: "slackUser", connection: object{"accessToken": "xoxb-user"}, endpoint: object{"userId": "U1"},
		overrides: object{"slack": object{"unfurl_links": false}},
		calls:     []call{{"POST slack.com/api/chat.postMessage", "Authorization: Bearer xoxb-user"}},
		bodies:    []string{`{"channel":"U1","text":"Hello","unfurl_links":false}`},
	},
	"DemoSlack": {
		provider: "svc-slack", kind: "slackChannel", connection: object{"accessToken": "xoxb-demo"}, endpoint: object{"channelId": "C2"},
		calls:  []call{{"POST slack.com/api/chat.postMessage", "Authorization: Bearer xoxb-demo"}},
		bodies: []string{`{"channel":"C2","text":"Hello"}`},
	},
	"TeamsChannel": {
		provider: "msteams", kind: "msTeamsChannel", credentials: teamsBot, connection: object{"workspaceId": "customer", "accessToken": "app-only"},
		endpoint: object{"teamId": "team-1", "channelId": "19:x@thread.tacv2"},
		calls:    []call{teamsToken, {botService + "/19:x@thread.tacv2/activities", "Authorization: Bearer token"}},
		bodies: []string{"", `{"type":"message","text":"Hello","channelData":{"tenant":{"id":"customer"},"team":{"id":"team-1"},
			"channel":{"id":"19:x@thread.tacv2"}}}`},
	},
	"TeamsUser": {
		provider: "msteams", kind: "msTeamsUser", credentials: teamsBot, connection: object{"workspaceId": "customer", "accessToken": "app-only"},
		endpoint: object{"userId": "29:user"},
		calls:    []call{teamsToken, {botService, "Authorization: Bearer token"}, {botService + "/1/activities", "Authorization: Bearer token"}},
		bodies: []string{
			"", `{"isGroup":false,"bot":{"id":"bot-1"},"members":[{"id":"29:user"}],"channelData":{"tenant":{"id":"customer"}}}`,
			`{"type":"message","text":"Hello"}`,
		},
	},
	"Phone": {
		provider: "whatsapp-business", kind: "phone", credentials: object{"apiToken": "wa-token", "phoneNumberIdentification": "106"},
		endpoint: object{"phoneNumber": "+4930901820"},
		calls:    []call{{"POST graph.facebook.com/v22.0/106/messages", "Authorization: Bearer wa-token"}},
		bodies: []string{`{"messaging_product":"whatsapp","recipient_type":"individual","to":"+4930901820","type":"text",
			"text":{"body":"Hello","preview_url":false}}`},
	},
	"Webhook": {
		provider: "mattermost", kind: "webhook", endpoint: object{"url": "https://chat.vendor.example/hooks/1", "channel": "town-square"},
		calls:  []call{{"POST chat.vendor.example/hooks/1", ""}},
		bodies: []string{`{"channel":"town-square","text":"Hello"}`},
	},
	"Redirected": {
		provider: "mattermost", kind: "webhook", endpoint: object{"url": "https://chat.vendor.example/hooks/2"},
		overrides: object{"providers": object{"mattermost": object{
			"Redirected": object{"endpoint": object{"url": "https://chat.vendor.example/elsewhere", "channel": "here"}}, "iconEmoji": ":bell:",
		}}},
		calls:  []call{{"POST chat.vendor.example/elsewhere", ""}},
		bodies: []string{`{"channel":"here","text":"Hello","icon_emoji":":bell:"}`},
	},
	"RedirectOfTheWrongKind": {
		provider: "slack", kind: "slackChannel", connection: object{"accessToken": "xoxb-kind"}, endpoint: object{"channelId": "C3"},
		overrides: object{"providers": object{"slack": object{"RedirectOfTheWrongKind": object{"endpoint": object{"url": "https://x.example"}}}}},
		calls:     []call{{"POST slack.com/api/chat.postMessage", "Authorization: Bearer xoxb-kind"}},
		bodies:    []string{`{"channel":"C3","text":"Hello"}`},
	},
}

// TestEveryKindOfEndpointIsReached: chat endpoints of every type, through their connections, from a trigger to the vendor.
func TestEveryKindOfEndpointIsReached(t *testing.T) {
	t.Parallel()
	proxy := newInterceptor(t, vendorAnswer)
	key := newKey()
	p := serveMigrated(t, key, "HTTPS_PROXY="+proxy.URL, "HTTP_PROXY="+proxy.URL, "NO_PROXY=", "SSL_CERT_FILE="+proxy.CertFile)
	c := &client.Client{URL: p.URL(), Key: key}
	graphQL(t, c, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
		"identifier": "chat", "name": "chat", "definition": object{"steps": []object{{"stepId": "step", "type": "CHAT", "chat": object{"body": "Hello"}}}},
	}}, nil)
	v := &vendors{client: c, proxy: proxy}
	for name, e := range endpointCases { // one after the other: the interceptor keeps one list
		t.Run(name, func(t *testing.T) { v.reach(t, name, &e) })
	}
}

// reach makes the endpoint in a context of its own, so that a trigger elsewhere does not reach it.
func (v *vendors) reach(t *testing.T, name string, e *endpointCase) {
	t.Helper()
	c := v.client
	graphQL(t, c, `mutation($input: CreateSubscriberInput!) { createSubscriber(input: $input) { subscriber { id } } }`, object{"input": object{"subscriberId": name}}, nil)
	credentials := e.credentials
	if credentials == nil {
		credentials = object{}
	}
	var made struct {
		CreateIntegration struct{ Integration struct{ ID string } }
	}
	graphQL(t, c, `mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { id } } }`, object{"input": object{
		"providerId": e.provider, "identifier": "own-" + name, "credentials": credentials,
	}}, &made)
	defer graphQL(t, c, `mutation($id: ID!) { deleteIntegration(id: $id) { deletedId } }`, object{"id": made.CreateIntegration.Integration.ID}, nil)
	contexts := []string{"shop:" + name}
	endpoint := object{
		"identifier": name, "subscriberId": name, "integration": "own-" + name, "endpoint": object{e.kind: e.endpoint}, "contextKeys": contexts,
	}
	if e.connection != nil {
		connection := object{"identifier": "connection-" + name, "integration": "own-" + name, "subscriberId": name, "contextKeys": contexts}
		maps.Copy(connection, e.connection)
		graphQL(t, c, `mutation($input: CreateConnectedWorkspaceInput!) { createConnectedWorkspace(input: $input) { connectedWorkspace { id } } }`, object{"input": connection}, nil)
		endpoint["connection"] = "connection-" + name
	}
	graphQL(t, c, `mutation($input: CreateChannelEndpointInput!) { createChannelEndpoint(input: $input) { channelEndpoint { id } } }`, object{"input": endpoint}, nil)
	v.proxy.take()
	trigger := object{"name": "chat", "to": name, "payload": object{}, "context": object{"shop": name}}
	if e.overrides != nil {
		trigger["overrides"] = e.overrides
	}
	_, err := c.Do(t.Context(), http.MethodPost, "/v1/events/trigger", trigger, nil)
	require.NoError(t, err)
	v.requireSent(t, &vendorProvider{ID: e.provider}, name)
	requests := v.proxy.take()
	want, bodies := e.calls, e.bodies
	if len(want) > 0 && want[0] == teamsToken && !requests[0].is(teamsToken) { // the bot's token is shared by its integrations
		want, bodies = want[1:], bodies[1:]
	}
	require.Len(t, requests, len(want))
	for i := range want {
		require.True(t, requests[i].is(want[i]), "want %s in: %s", want[i], requests[i])
		if bodies[i] != "" {
			require.JSONEq(t, bodies[i], string(requests[i].Body))
		}
	}

	delete(trigger, "context")
	_, err = c.Do(t.Context(), http.MethodPost, "/v1/events/trigger", trigger, nil)
	require.NoError(t, err)
	v.requireSkipped(t, name)
	require.Empty(t, v.proxy.take(), "the endpoint belongs to another context")
}

// requireSkipped: the run without a context has ended, and there is still only the one message.
func (v *vendors) requireSkipped(t *testing.T, who string) {
	t.Helper()
	until(t, patience, who, func(ctx context.Context) (bool, error) {
		var out struct {
			Notifications struct{ Nodes []struct{ Status string } }
			Messages      struct{ Nodes []struct{ ID string } }
		}
		err := v.client.GraphQL(ctx, `query($who: String!) {
			notifications(first: 5, filter: {subscriberId: $who, contextKeys: [], statusIn: [COMPLETED]}) { nodes { status } }
			messages(first: 5, filter: {subscriberId: $who}) { nodes { id } }
		}`, object{"who": who}, &out)
		if len(out.Messages.Nodes) > 1 {
			err = errors.New("there is a second message")
		}
		return len(out.Notifications.Nodes) == 1, err
	})
}
