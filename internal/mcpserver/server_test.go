package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/mcpserver"
)

type object = map[string]any

// call runs a tool against an API that answers every operation with data.
func call(t *testing.T, data object, tool string, arguments object) (text string, failed bool) {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(object{"data": data}) // the client reports what it cannot read
	}))
	t.Cleanup(api.Close)
	server, err := mcpserver.New(mcpserver.Config{Client: &client.Client{URL: api.URL, Key: "key"}})
	require.NoError(t, err)
	serverSide, clientSide := mcp.NewInMemoryTransports()
	serving, err := server.Connect(t.Context(), serverSide, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), clientSide, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = session.Close() // the other side may have closed first
		_ = serving.Close()
	})
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	require.NoError(t, err)
	content, isText := res.Content[0].(*mcp.TextContent)
	require.True(t, isText)
	return content.Text, res.IsError
}

// messages are n messages whose subjects have the given number of characters.
func messages(n, characters int) object {
	var nodes []any
	for range n {
		nodes = append(nodes, object{"subject": strings.Repeat("ä", characters)})
	}
	return object{"messages": object{"nodes": nodes, "pageInfo": object{"hasNextPage": false}}}
}

// TestBounds holds how long a text and how large a result may be.
func TestBounds(t *testing.T) {
	t.Parallel()
	text, failed := call(t, messages(1, 4_000), "list_messages", nil)
	require.False(t, failed, text)
	require.NotContains(t, text, "more characters")
	text, failed = call(t, messages(1, 4_007), "list_messages", nil)
	require.False(t, failed, text)
	require.Contains(t, text, "(7 more characters)")
	text, failed = call(t, messages(50, 4_000), "list_messages", nil)
	require.True(t, failed)
	require.Contains(t, text, "at most 65536 are returned")
	require.Less(t, len(text), 1_000)
}

// TestLargeRecords: a record that is read whole can be had however much it holds, and says what it leaves out.
func TestLargeRecords(t *testing.T) {
	t.Parallel()
	large := func(n int) object {
		values := object{}
		for i := range n {
			values[fmt.Sprint("key", i)] = strings.Repeat("v", 100)
		}
		return values
	}
	list := func(n int, more bool) object {
		nodes := make([]any, n)
		for i := range nodes {
			nodes[i] = object{"topic": object{"key": fmt.Sprint("topic-", i)}}
		}
		return object{"nodes": nodes, "pageInfo": object{"hasNextPage": more}}
	}
	text, failed := call(t, object{"subscriberBySubscriberId": object{
		"data": large(600), "channels": list(0, false), "endpoints": list(0, false), "preferences": list(50, true), "subscriptions": list(50, true),
	}}, "get_subscriber", object{"subscriberId": "ada"})
	require.False(t, failed, text)
	require.Contains(t, text, "more characters)")
	require.Contains(t, text, `"more":["preferences","subscriptions"]`)
	text, failed = call(t, object{"subscriberBySubscriberId": object{"data": large(50), "subscriptions": list(50, false)}}, "get_subscriber", object{"subscriberId": "ada"})
	require.False(t, failed, text)
	require.Contains(t, text, `"key49":"v`)
	require.NotContains(t, text, `"more"`)

	schema := object{"payloadSchema": large(600)}
	text, failed = call(t, object{"workflowByReference": object{"data": large(600), "draft": schema, "published": object{"definition": schema}}}, "get_workflow", object{"workflow": "w"})
	require.False(t, failed, text)
	text, failed = call(t, object{"workflowByReference": object{"data": nil, "draft": object{"payloadSchema": large(50)}, "published": nil}}, "get_workflow", object{"workflow": "w"})
	require.False(t, failed, text)
	require.Contains(t, text, `"key49":"v`)
	text, failed = call(t, object{"workflowByReference": object{"name": "w", "issues": []any{large(300), large(300)}}}, "get_workflow", object{"workflow": "w"})
	require.True(t, failed)
	require.NotContains(t, text, "first", "the tool has no such argument")
}

// TestLargeNotification: a notification with more than a result holds is explained by its first messages and its last decisions.
func TestLargeNotification(t *testing.T) {
	t.Parallel()
	const at = "2025-03-01T12:00:00Z"
	long := strings.Repeat("e", 500)
	nodes, trace := []any{}, []any{}
	for i := range 20 {
		attempts := []any{}
		for n := range 5 {
			attempts = append(attempts, object{"number": n, "outcome": "FAILED", "errorText": long})
		}
		nodes = append(nodes, object{"stepId": fmt.Sprint("step-", i), "channel": "PUSH", "status": "FAILED", "errorText": long, "attempts": object{"nodes": attempts}})
	}
	for i := range 400 {
		trace = append(trace, object{"at": at, "count": 1, "stepId": fmt.Sprint("entry-", i, "."), "reason": "RETRY", "detail": strings.Repeat("d", 100)})
	}
	text, failed := call(t, object{"notification": object{
		"id": "N", "status": "FAILED", "createdAt": at, "trace": trace, "messages": object{"nodes": nodes, "pageInfo": object{"hasNextPage": false}},
	}}, "explain_notification", object{"notificationId": "N"})
	require.False(t, failed, text)
	require.Contains(t, text, "earlier decisions are left out")
	require.NotContains(t, text, "entry-0.")
	require.Contains(t, text, "entry-399.")
	require.Contains(t, text, "step-0 ")
	require.NotContains(t, text, "step-19 ")
	require.Contains(t, text, "and more: list_messages")
}

// TestSecretTargets holds that device tokens and webhook URLs are counted, not shown.
func TestSecretTargets(t *testing.T) {
	t.Parallel()
	text, failed := call(t, object{"subscriberBySubscriberId": object{"channels": object{"nodes": []any{object{
		"providerId": "fcm", "credentials": object{"deviceTokens": []string{"geheim-1", "geheim-2"}, "webhookUrl": "https://chat.example/geheim"},
	}}}}}, "get_subscriber", object{"subscriberId": "ada"})
	require.False(t, failed, text)
	require.NotContains(t, text, "geheim")
	require.Contains(t, text, `"deviceTokens":2`)
	for _, channel := range []string{"PUSH", "CHAT"} {
		text, failed = call(t, object{"explain": object{"recipients": []any{object{"steps": []any{
			object{"channel": "EMAIL", "message": object{"to": []string{"ada@shop.example"}}},
			object{"channel": channel, "message": object{"to": []string{"geheim"}}},
			object{"channel": channel, "message": nil},
		}}}}}, "explain_trigger", object{"workflow": "w", "subscriberIds": []string{"ada"}})
		require.False(t, failed, text)
		require.NotContains(t, text, "geheim", channel)
		require.Contains(t, text, "1 targets, not shown")
		require.Contains(t, text, "ada@shop.example")
	}
}
