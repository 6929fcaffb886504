package main_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// assistant is a session with carillon mcp.
type assistant struct{ session *mcp.ClientSession }

func newAssistant(t *testing.T, url, key string, args ...string) *assistant {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), binary(t), append([]string{"mcp", "--url", url, "--key", key}, args...)...)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, session.Close()) })
	return &assistant{session}
}

// call runs a tool and returns its text and its object.
func (a *assistant) call(t *testing.T, tool string, arguments object) (string, object) {
	t.Helper()
	res := a.result(t, tool, arguments)
	text := textOf(res)
	require.False(t, res.IsError, "%s: %s", tool, text)
	structured, ok := res.StructuredContent.(map[string]any)
	require.True(t, ok, tool)
	return text, structured
}

// fails runs a tool that answers with an error and returns it.
func (a *assistant) fails(t *testing.T, tool string, arguments object) string {
	t.Helper()
	res, err := a.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err.Error()
	}
	require.True(t, res.IsError, "%s: %s", tool, textOf(res))
	return textOf(res)
}

func (a *assistant) result(t *testing.T, tool string, arguments object) *mcp.CallToolResult {
	t.Helper()
	res, err := a.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	require.NoError(t, err, tool)
	return res
}

func textOf(res *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

func (a *assistant) tools(t *testing.T) map[string]*mcp.Tool {
	t.Helper()
	list, err := a.session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	tools := map[string]*mcp.Tool{}
	for _, tool := range list.Tools {
		require.NotEmpty(t, tool.Description, tool.Name)
		tools[tool.Name] = tool
	}
	return tools
}

// TestMCP calls every tool of carillon mcp against a running server.
func TestMCP(t *testing.T) {
	t.Parallel()
	key := newKey()
	p := serveMigrated(t, key)
	api := &client.Client{URL: p.URL(), Key: key}
	graphQL(t, api, `mutation { createSubscriber(input: {subscriberId: "ada", firstName: "Ada", lastName: "Lovelace", email: "ada@shop.example"}) { subscriber { id } } }`, nil, nil)
	graphQL(t, api, `mutation { createWorkflow(input: {identifier: "texted", name: "Texted",
		definition: {steps: [{stepId: "text", type: SMS, sms: {body: "x"}}]}}) { workflow { id } } }`, nil, nil)

	a := newAssistant(t, p.URL(), key, "--write")
	for name, tool := range a.tools(t) {
		writes := name == "trigger_event" || name == "save_workflow_draft"
		require.Equal(t, !writes, tool.Annotations.ReadOnlyHint, name)
	}
	_, sent := a.call(t, "trigger_event", object{"workflow": "texted", "subscriberIds": []string{"ada"}})
	require.Equal(t, "PROCESSED", sent["status"])
	transactionID := sent["transactionId"]
	require.NotEmpty(t, transactionID)
	_, again := a.call(t, "trigger_event", object{"workflow": "texted", "subscriberIds": []string{"ada"}, "transactionId": transactionID})
	require.Equal(t, transactionID, again["transactionId"])
	var notifications []any
	require.NoError(t, client.Until(t.Context(), 50*time.Millisecond, func(context.Context) (bool, error) {
		_, list := a.call(t, "list_notifications", object{"subscriberId": "ada", "statusIn": []string{"COMPLETED"}})
		notifications, _ = list["items"].([]any)
		return len(notifications) > 0, nil
	}))
	require.Len(t, notifications, 1, "the second trigger had no effect")

	text, explained := a.call(t, "explain_notification", object{"transactionId": transactionID, "subscriberId": "ada"})
	require.Contains(t, text, "text: NO_ADDRESS", "a subscriber without a number")
	require.Contains(t, text, "is COMPLETED, workflow texted, subscriber ada")
	same, _ := a.call(t, "explain_notification", object{"notificationId": explained["id"]})
	require.Equal(t, text, same)
	beforehand, _ := a.call(t, "explain_trigger", object{"workflow": "texted", "subscriberIds": []string{"ada"}})
	require.Contains(t, beforehand, "NO_ADDRESS")

	for tool, arguments := range map[string]object{
		"find_subscriber": {"nameContains": "lovel"}, "get_subscriber": {"subscriberId": "ada"}, "list_messages": {"channelIn": []string{"SMS"}},
		"list_workflows": {"query": "texted"}, "get_workflow": {"workflow": "texted"}, "list_integrations": {}, "search_docs": {"query": "idempotency"},
		"read_doc_section": {"document": "mcp", "section": "2"}, "get_statistics": {},
	} {
		_, data := a.call(t, tool, arguments)
		require.NotEmpty(t, data, tool)
	}
	found, _ := a.call(t, "find_subscriber", object{"email": "ada@shop.example"})
	require.Contains(t, found, `"ada"`)
	statistics, _ := a.call(t, "get_statistics", object{"workflow": "texted"})
	require.Contains(t, statistics, `"COMPLETED"`)

	_, draft := a.call(t, "save_workflow_draft", object{"identifier": "drafted", "name": "Drafted", "definition": object{"steps": []object{{"type": "IN_APP", "inApp": object{"body": "x"}}}}})
	require.Equal(t, 0., draft["publishedNumber"])
	_, draft = a.call(t, "save_workflow_draft", object{"identifier": "texted", "definition": object{"steps": []object{{"type": "IN_APP", "inApp": object{"body": "y"}}}}})
	require.Equal(t, 1., draft["publishedNumber"], "what is published stays")
	a.pages(t)
	a.resources(t)
	a.badArguments(t)
	reads(t, api, p.URL())
}

// pages follows a cursor.
func (a *assistant) pages(t *testing.T) {
	t.Helper()
	seen := map[any]bool{}
	arguments := object{"first": 1}
	for {
		_, list := a.call(t, "list_workflows", arguments)
		items, _ := list["items"].([]any)
		require.Len(t, items, 1)
		seen[items[0].(map[string]any)["identifier"]] = true //nolint:forcetypeassert // a record
		if list["nextCursor"] == nil {
			break
		}
		arguments["after"] = list["nextCursor"]
	}
	require.Contains(t, seen, "drafted")
	require.Contains(t, seen, "texted")
}

func (a *assistant) resources(t *testing.T) {
	t.Helper()
	list, err := a.session.ListResources(t.Context(), nil)
	require.NoError(t, err)
	require.NotEmpty(t, list.Resources)
	for _, r := range list.Resources {
		read, err := a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		require.NoError(t, err)
		require.Len(t, read.Contents[0].Text, int(r.Size), r.URI)
	}
}

// badArguments names the field that is wrong, and what to do.
func (a *assistant) badArguments(t *testing.T) {
	t.Helper()
	for _, c := range []struct {
		tool      string
		arguments object
		says      string
	}{
		{"get_subscriber", object{}, "subscriberId"},
		{"get_subscriber", object{"subscriberId": "unknown"}, "find_subscriber"},
		{"list_messages", object{"first": 51}, "first"},
		{"list_messages", object{"chanelIn": []string{"SMS"}}, "chanelIn"},
		{"list_messages", object{"channelIn": []string{"FAX"}}, "channelIn"},
		{"list_messages", object{"createdAfter": "yesterday"}, "createdAfter"},
		{"explain_notification", object{"transactionId": "x"}, "subscriberId"},
		{"explain_trigger", object{"workflow": "texted"}, "subscriberIds"},
		{"save_workflow_draft", object{"identifier": "new", "definition": object{"steps": []object{}}}, "name"},
		{"save_workflow_draft", object{"identifier": "texted", "definition": object{"steps": []object{{"type": "IN_APP", "inApp": object{"body": "{{ open"}}}}}, "steps.0.inApp.body"},
		{"read_doc_section", object{"document": "semantics", "section": "none"}, "search_docs"},
	} {
		require.Contains(t, a.fails(t, c.tool, c.arguments), c.says, "%s %v", c.tool, c.arguments)
	}
}

// reads holds that a key to read only cannot trigger, that writing is off unless asked for, and that no secret is returned.
func reads(t *testing.T, api *client.Client, url string) {
	t.Helper()
	graphQL(t, api, `mutation { createIntegration(input: {providerId: "nodemailer", identifier: "relay", name: "Relay",
		credentials: {host: "mail.example", port: "25", password: "geheim", from: "a@shop.example"}}) { integration { id } } }`, nil, nil)
	var made struct{ CreateAPIKey struct{ Key string } }
	graphQL(t, api, `mutation { createApiKey(input: {name: "reader", scopes: [ACTIVITY_READ, CONTENT_READ, INTEGRATIONS_READ]}) { key } }`, nil, &made)
	key := made.CreateAPIKey.Key
	require.NotContains(t, newAssistant(t, url, key).tools(t), "trigger_event")
	a := newAssistant(t, url, key, "--write")
	refusal := a.fails(t, "trigger_event", object{"workflow": "texted", "subscriberIds": []string{"ada"}})
	require.Contains(t, refusal, "FORBIDDEN")
	require.Contains(t, refusal, "lacks the scope")
	require.Contains(t, a.fails(t, "save_workflow_draft", object{"identifier": "texted", "definition": object{"steps": []object{}}}), "FORBIDDEN")
	_, integrations := a.call(t, "list_integrations", nil)
	raw, err := json.Marshal(integrations)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"relay"`)
	require.NotContains(t, string(raw), "geheim")
	require.Contains(t, newAssistant(t, url, newKey()).fails(t, "list_workflows", nil), "CARILLON_API_KEY")
	require.Contains(t, newAssistant(t, "http://127.0.0.1:1", key).fails(t, "list_workflows", nil), "CARILLON_URL")
}
