package mcpserver_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/mcpserver"
)

// operation is what a tool asked the API.
type operation struct {
	Query     string
	Variables object
}

// api answers operations one after another, the last answer again and again, and keeps what it was asked.
type api struct {
	mu      sync.Mutex
	answers []object
	asked   []operation
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var op operation
	_ = json.NewDecoder(r.Body).Decode(&op) // an operation that cannot be read has no query, which the tests see
	answer := a.answers[min(len(a.asked), len(a.answers)-1)]
	a.asked = append(a.asked, op)
	_ = json.NewEncoder(w).Encode(answer)
}

// refusal is an answer with one error.
func refusal(code, message string) object {
	return object{"data": nil, "errors": []object{{"message": message, "extensions": object{"code": code}}}}
}

// connected is a client's session with a server whose API gives the answers; "" as the URL: the fake's own.
func connected(t *testing.T, url string, write bool, answers ...object) (*mcp.ClientSession, *api) {
	t.Helper()
	fake := &api{answers: answers}
	if url == "" {
		listening := httptest.NewServer(fake)
		t.Cleanup(listening.Close)
		url = listening.URL
	}
	server, err := mcpserver.New(mcpserver.Config{Client: &client.Client{URL: url, Key: "key"}, Write: write})
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
	return session, fake
}

// used runs a tool and returns its text; failed reports that it is an error's.
func used(t *testing.T, session *mcp.ClientSession, tool string, arguments object) (text string, failed bool) {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err.Error(), true
	}
	content, isText := res.Content[0].(*mcp.TextContent)
	require.True(t, isText)
	return content.Text, res.IsError
}

// TestListsAskForWhatIsGiven: the arguments of a list are the API's filter, except the page; what is left out is not sent.
func TestListsAskForWhatIsGiven(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool, field string
		arguments   object
		want        object
	}{
		{"list_workflows", "workflows", nil, object{"first": 10.0, "filter": object{}}},
		{"list_workflows", "workflows", object{"query": "a", "active": false, "first": 50, "after": "c"}, object{"first": 50.0, "after": "c", "filter": object{"query": "a", "active": false}}},
		{"list_workflows", "workflows", object{"query": nil, "active": nil, "first": nil, "after": nil}, object{"first": 10.0, "filter": object{}}},
		{"list_messages", "messages", object{"subscriberId": nil, "channelIn": nil, "read": true}, object{"first": 10.0, "filter": object{"read": true}}},
		{"list_integrations", "integrations", object{"channelIn": []string{"SMS"}}, object{"first": 10.0, "filter": object{"channelIn": []any{"SMS"}}}},
		{"list_messages", "messages", object{"read": false, "statusIn": []string{"SENT"}}, object{"first": 10.0, "filter": object{"read": false, "statusIn": []any{"SENT"}}}},
		{"list_notifications", "notifications", object{"createdAfter": "2025-03-01T12:00:00Z"}, object{"first": 10.0, "filter": object{"createdAfter": "2025-03-01T12:00:00Z"}}},
		{"find_subscriber", "subscribers", object{"subscriberId": "ada", "email": "a@x.org"}, object{"first": 10.0, "filter": object{"subscriberIdIn": []any{"ada"}, "email": "a@x.org"}}},
	} {
		session, fake := connected(t, "", false, object{"data": object{c.field: object{
			"nodes": []any{object{"id": "1"}}, "pageInfo": object{"hasNextPage": c.arguments == nil, "endCursor": "next"},
		}}})
		text, failed := used(t, session, c.tool, c.arguments)
		require.False(t, failed, text)
		require.Equal(t, c.want, fake.asked[0].Variables, c.tool)
		if c.arguments == nil {
			require.JSONEq(t, `{"items": [{"id": "1"}], "nextCursor": "next"}`, text)
		} else {
			require.JSONEq(t, `{"items": [{"id": "1"}]}`, text, "the last page has no cursor")
		}
	}
}

// TestArgumentsOutOfBounds: what a schema forbids is refused before the API is asked.
func TestArgumentsOutOfBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool      string
		arguments object
		says      string
	}{
		{"list_messages", object{"first": 0}, "first"},
		{"list_messages", object{"first": 51}, "first"},
		{"explain_trigger", object{"workflow": "w", "subscriberIds": []string{"a"}, "first": 51}, "first"},
		{"list_messages", object{"channelIn": []string{"sms"}}, "channelIn"},
		{"list_messages", object{"statusIn": []string{"LOST"}}, "statusIn"},
		{"list_notifications", object{"statusIn": []string{"SENT"}}, "statusIn"},
		{"list_workflows", object{"name": "x"}, "name"},
		{"get_workflow", nil, "workflow"},
		{"get_statistics", object{"hours": 0}, "hours"},
		{"get_statistics", object{"hours": -1}, "hours"},
		{"get_statistics", object{"hours": 745}, "hours"},
		{"explain_notification", nil, "notificationId: is missing"},
		{"explain_notification", object{"subscriberId": "ada"}, "notificationId: is missing"},
		{"explain_trigger", object{"workflow": "w"}, "subscriberIds: is missing"},
		{"trigger_event", object{"workflow": "w"}, "subscriberIds: is missing"},
		{"read_doc_section", object{"document": "none", "section": "1"}, "the documents are"},
		{"read_doc_section", object{"document": "mcp", "section": "none"}, "search_docs"},
	} {
		session, fake := connected(t, "", true, object{"data": object{}})
		text, failed := used(t, session, c.tool, c.arguments)
		require.True(t, failed, "%s %v: %s", c.tool, c.arguments, text)
		require.Contains(t, text, c.says, c.tool)
		require.Empty(t, fake.asked, c.tool)
	}
}

// TestErrorsSayWhatToDo: a refusal of the API is handed on with advice for its code, and so is a server that does not answer.
func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for code, says := range map[string]string{
		"UNAUTHENTICATED": "CARILLON_API_KEY", "FORBIDDEN": "lacks the scope", "NOT_FOUND": "find_subscriber", "RATE_LIMITED": "Wait",
		"TIMEOUT": "shorter period", "COMPLEXITY_LIMIT_EXCEEDED": "smaller `first`",
	} {
		session, _ := connected(t, "", false, refusal(code, "It is refused."))
		text, failed := used(t, session, "list_workflows", nil)
		require.True(t, failed)
		require.Contains(t, text, "It is refused.", code)
		require.Contains(t, text, says, code)
	}
	session, _ := connected(t, "", false, refusal("OWN", "It is refused."))
	text, failed := used(t, session, "list_workflows", nil)
	require.True(t, failed)
	require.Contains(t, text, "It is refused.")
	session, _ = connected(t, "http://127.0.0.1:1", false, object{})
	text, failed = used(t, session, "list_workflows", nil)
	require.True(t, failed)
	require.Contains(t, text, "CARILLON_URL")
}

// TestWritingIsAskedFor: without it no tool is offered that changes anything, and no tool that only reads sends a mutation.
func TestWritingIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, write := range []bool{false, true} {
		session, _ := connected(t, "", write, object{})
		list, err := session.ListTools(t.Context(), nil)
		require.NoError(t, err)
		var changing []string
		for _, tool := range list.Tools {
			if !tool.Annotations.ReadOnlyHint {
				changing = append(changing, tool.Name)
				require.True(t, *tool.Annotations.DestructiveHint, tool.Name)
				require.Equal(t, tool.Name != "trigger_event", tool.Annotations.IdempotentHint, "%s: a client may repeat what is idempotent", tool.Name)
			}
		}
		require.Equal(t, write, len(changing) > 0)
		if write {
			require.ElementsMatch(t, []string{"trigger_event", "save_workflow_draft"}, changing)
		}
	}
	session, fake := connected(t, "", true, object{"data": object{"explain": object{"status": "PROCESSED"}}})
	text, failed := used(t, session, "explain_trigger", object{"workflow": "w", "topicKeys": []string{"news"}, "payload": object{"a": 1}})
	require.False(t, failed, text)
	require.True(t, strings.HasPrefix(fake.asked[0].Query, "query"), fake.asked[0].Query)
	require.Equal(t, object{"name": "w", "to": []any{object{"topic": object{"topicKey": "news"}}}, "payload": object{"a": 1.0}}, fake.asked[0].Variables["in"])
}

// TestTriggersCanBeRepeated: every trigger has a transactionId, and one that failed says with which it is repeated.
func TestTriggersCanBeRepeated(t *testing.T) {
	t.Parallel()
	session, fake := connected(t, "", true, refusal("TIMEOUT", "Too slow."))
	arguments := object{"workflow": "w", "subscriberIds": []string{"ada"}}
	text, failed := used(t, session, "trigger_event", arguments)
	require.True(t, failed)
	in, _ := fake.asked[0].Variables["in"].(object)
	made, _ := in["transactionId"].(string)
	require.NotEmpty(t, made)
	require.Contains(t, text, "transactionId "+made)
	_, _ = used(t, session, "trigger_event", arguments)
	in, _ = fake.asked[1].Variables["in"].(object)
	require.NotEqual(t, made, in["transactionId"], "another trigger is another event")
	arguments["transactionId"] = "own"
	_, _ = used(t, session, "trigger_event", arguments)
	in, _ = fake.asked[2].Variables["in"].(object)
	require.Equal(t, "own", in["transactionId"])
}

// TestDraftsAreNotPublished: a workflow that is known is updated, one that is not is created, and neither is published; any
// other refusal changes nothing.
func TestDraftsAreNotPublished(t *testing.T) {
	t.Parallel()
	saved := object{"data": object{"saved": object{"workflow": object{"id": "1"}}}}
	draft := object{"identifier": "w", "definition": object{"steps": []any{}}}
	named := object{"identifier": "w", "name": "W", "definition": object{"steps": []any{}}}
	for _, c := range []struct {
		name      string
		found     object
		arguments object
		want      object // input of the mutation; nil: there is none
	}{
		{"Known", object{"data": object{"workflowByIdentifier": object{"id": "1"}}}, draft, object{"id": "1", "publish": false, "definition": draft["definition"]}},
		{"New", refusal("NOT_FOUND", "None."), named, object{"identifier": "w", "name": "W", "publish": false, "definition": draft["definition"]}},
		{"NewWithoutName", refusal("NOT_FOUND", "None."), draft, nil},
		{"Forbidden", refusal("FORBIDDEN", "No."), named, nil},
	} {
		session, fake := connected(t, "", true, c.found, saved)
		text, failed := used(t, session, "save_workflow_draft", c.arguments)
		require.Equal(t, c.want == nil, failed, "%s: %s", c.name, text)
		if c.want == nil {
			require.Len(t, fake.asked, 1, c.name)
			continue
		}
		require.Equal(t, c.want, fake.asked[1].Variables["in"], c.name)
		require.Equal(t, c.name == "New", strings.Contains(fake.asked[1].Query, "createWorkflow"), c.name)
	}
}

// TestStatisticsPeriod: statistics are those of the last hours, 24 when none are given.
func TestStatisticsPeriod(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		arguments object
		hours     float64
	}{{nil, 24}, {object{"hours": 1}, 1}, {object{"hours": 744}, 744}} {
		session, fake := connected(t, "", false, object{"data": object{"deliveryStatistics": object{}}})
		text, failed := used(t, session, "get_statistics", c.arguments)
		require.False(t, failed, text)
		var ends [2]time.Time
		for i, name := range []string{"from", "to"} {
			given, _ := fake.asked[0].Variables[name].(string)
			var err error
			ends[i], err = time.Parse(time.RFC3339Nano, given)
			require.NoError(t, err)
		}
		require.Equal(t, c.hours, ends[1].Sub(ends[0]).Hours(), "the longest period is not too long when it arrives")
		require.InDelta(t, 0, time.Since(ends[1]).Hours(), 0.1)
		arguments := object{"workflow": "w"}
		if c.arguments != nil {
			arguments["hours"] = c.arguments["hours"]
		}
		text, failed = used(t, session, "get_statistics", arguments)
		require.False(t, failed, text)
		require.Equal(t, object{"reference": "w", "hours": c.hours}, fake.asked[1].Variables)
	}
}

// TestExplainedNotification: the text has the reason of every decision and the outcome of every attempt.
func TestExplainedNotification(t *testing.T) {
	t.Parallel()
	const at = "2025-03-01T12:00:00Z"
	notification := object{
		"id": "N", "status": "WAITING", "transactionId": "txn", "createdAt": at, "dueAt": "2025-03-01T13:00:00Z",
		"workflow": object{"identifier": "welcome"}, "subscriber": object{"subscriberId": "ada"},
		"trace": []any{
			object{"at": at, "count": 1, "stepId": "mail", "channel": "EMAIL", "reason": "SCHEDULE", "reasons": []string{"SCHEDULE", "PREFERENCE"}, "until": "2025-03-01T13:00:00Z"},
			object{"at": at, "count": 3, "reason": "RETRY", "detail": "it was busy", "attempt": 2, "integration": object{"identifier": "relay"}},
		},
		"messages": object{"pageInfo": object{"hasNextPage": true}, "nodes": []any{object{
			"stepId": "mail", "channel": "EMAIL", "status": "FAILED", "email": "ada@x.org", "errorText": "no such mailbox", "integration": object{"identifier": "relay"},
			"attempts": object{"nodes": []any{object{"number": 1, "outcome": "REJECTED", "finishedAt": at, "httpStatus": 550, "class": "PERMANENT", "duplicatePossible": true}}},
			"receipts": object{"nodes": []any{object{"kind": "BOUNCED", "recipient": "ada@x.org", "detail": "hard"}}},
		}}},
	}
	session, fake := connected(t, "", false, object{"data": object{"notification": notification}})
	text, failed := used(t, session, "explain_notification", object{"notificationId": "N"})
	require.False(t, failed, text)
	require.Equal(t, object{"id": "N"}, fake.asked[0].Variables)
	require.Equal(t, `Notification N is WAITING, workflow welcome, subscriber ada, transactionId txn, created 2025-03-01T12:00:00Z, continues 2025-03-01T13:00:00Z

Trace:
  2025-03-01T12:00:00Z mail: SCHEDULE, PREFERENCE, channel EMAIL, until 2025-03-01T13:00:00Z
  2025-03-01T12:00:00Z run: RETRY, integration relay, attempt 2, 3 times: it was busy

Messages:
  mail EMAIL: FAILED through relay to ada@x.org, no such mailbox
    attempt 1 REJECTED at 2025-03-01T12:00:00Z, status 550, PERMANENT, may have arrived twice
    receipt BOUNCED of ada@x.org hard
  and more: list_messages with the notificationId
`, text)

	session, fake = connected(t, "", false, object{"data": object{"notifications": object{"nodes": []any{}}}})
	text, failed = used(t, session, "explain_notification", object{"transactionId": "txn", "subscriberId": "ada"})
	require.True(t, failed)
	require.Contains(t, text, "subscriber ada has no notification of it")
	require.Equal(t, object{"filter": object{"transactionId": "txn", "subscriberId": "ada"}}, fake.asked[0].Variables)
}
