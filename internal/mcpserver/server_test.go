package mcpserver_test

import (
	"encoding/json"
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
