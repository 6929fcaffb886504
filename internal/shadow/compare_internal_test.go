package shadow

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDifferences compares answers as migrate.md §5 says.
func TestDifferences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		old, here string
		want      []Difference
	}{
		"the same": {`{"a":1,"b":["x",{"c":null}]}`, `{"b":["x",{}],"a":1}`, nil},
		"values that are each side's own": {
			`{"_id":"1","id":"1","slug":"a","createdAt":"2025","updatedAt":"2025","transactionId":"t","error":["no such"],"message":"No"}`,
			`{"_id":"2","id":"2","slug":"b","createdAt":"2026","updatedAt":"2026","transactionId":"u","error":["none"],"message":"Not found"}`, nil,
		},
		"one of them is left out":              {`{"id":"1"}`, `{}`, []Difference{{Kind: "missing", Path: "id", Old: `"1"`}}},
		"a member that begins with _":          {`{"_id":"1"}`, `{}`, nil},
		"cursors, which pages have or not":     {`{"next":"x","previous":null}`, `{"next":null,"previous":"y"}`, nil},
		"workflows, which shadow triggers not": {`{"lastTriggeredAt":"2026"}`, `{"lastTriggeredAt":null}`, nil},
		"null is left out":                     {`{"a":null}`, `{}`, nil},
		"missing":                              {`{"a":{"b":"x"}}`, `{"a":{}}`, []Difference{{Kind: "missing", Path: "a.b", Old: `"x"`}}},
		"extra":                                {`{}`, `{"a":false}`, []Difference{{Kind: "extra", Path: "a", Here: `false`}}},
		"value":                                {`{"a":{"b":1}}`, `{"a":{"b":2}}`, []Difference{{Kind: "value", Path: "a.b", Old: `1`, Here: `2`}}},
		"type":                                 {`{"a":[1]}`, `{"a":{"b":1}}`, []Difference{{Kind: "type", Path: "a", Old: `[1]`, Here: `{"b":1}`}}},
		"a number and its text":                {`{"a":1}`, `{"a":"1"}`, []Difference{{Kind: "type", Path: "a", Old: `1`, Here: `"1"`}}},
		"items in another order, with other ids": {
			`[{"_id":"1","identifier":"a","on":true},{"_id":"2","identifier":"b","on":true}]`,
			`[{"_id":"9","identifier":"b","on":true},{"_id":"8","identifier":"a","on":true}]`, nil,
		},
		"an item that differs, by what names it": {
			`[{"subscriberId":"ann","on":true},{"subscriberId":"bob","on":true}]`, `[{"subscriberId":"bob","on":false},{"subscriberId":"ann","on":true}]`,
			[]Difference{{Kind: "value", Path: "[].on", Old: `true`, Here: `false`}},
		},
		"items by the workflow that they are of": {
			`[{"workflow":{"identifier":"a","name":"A"}},{"workflow":{"identifier":"b","name":"B"}}]`,
			`[{"workflow":{"identifier":"b","name":"B"}},{"workflow":{"identifier":"a","name":"A"}}]`, nil,
		},
		"an item that is missing, and one too many": {
			`[{"key":"a"}]`, `[{"key":"b"}]`,
			[]Difference{{Kind: "missing", Path: "[]", Old: `{"key":"a"}`}, {Kind: "extra", Path: "[]", Here: `{"key":"b"}`}},
		},
		"items without names, by place": {`["x","y"]`, `["x","z","w"]`, []Difference{
			{Kind: "value", Path: "[]", Old: `"y"`, Here: `"z"`}, {Kind: "extra", Path: "[]", Here: `"w"`},
		}},
		"an event that is refused here, with the reason": {
			`{"status":"processed","error":null}`, `{"status":"error","error":["workflow_not_found"]}`,
			[]Difference{
				{Kind: "extra", Path: "error", Here: `["workflow_not_found"]`},
				{Kind: "value", Path: "status", Old: `"processed"`, Here: `"error"`, Reason: `["workflow_not_found"]`},
			},
		},
		"an event that is refused there": {
			`{"status":"error","error":["no workflow"]}`, `{"status":"processed"}`,
			[]Difference{
				{Kind: "missing", Path: "error", Old: `["no workflow"]`},
				{Kind: "value", Path: "status", Old: `"error"`, Here: `"processed"`, Reason: `["no workflow"]`},
			},
		},
		"an event that is not active here": {`{"status":"processed"}`, `{"status":"trigger_not_active"}`, []Difference{
			{Kind: "value", Path: "status", Old: `"processed"`, Here: `"trigger_not_active"`},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var old, here any
			require.NoError(t, json.Unmarshal([]byte(c.old), &old))
			require.NoError(t, json.Unmarshal([]byte(c.here), &here))
			require.Equal(t, c.want, differences("", old, here))
		})
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"POST /v1/events/trigger":                         "/v1/events/trigger",
		"POST /v1/events/trigger/":                        "/v1/events/trigger",
		"GET /v2/subscribers/a%2Fb/preferences":           "/v2/subscribers/{subscriberId}/preferences",
		"PATCH /v2/subscribers/a/preferences/bulk":        "/v2/subscribers/{subscriberId}/preferences/bulk",
		"GET /v1/events/trigger":                          "",
		"DELETE /v1/integrations/1":                       "",
		"POST /v1/messages/mark":                          "",
		"GET /v2/subscribers/a/preferences/more/than/one": "",
	} {
		method, path, _ := strings.Cut(asked, " ")
		got := ""
		if r := routeOf(&call{method: method, path: path}); r != nil {
			got = r.pattern
		}
		require.Equal(t, want, got, asked)
	}
}

// TestMemory: what all calls keep is bounded, and is free again afterwards.
func TestMemory(t *testing.T) {
	t.Parallel()
	m := &memory{most: 10}
	one, other := &capture{most: 8, memory: m}, &capture{most: 8, memory: m}
	one.add([]byte("123456"))
	other.add([]byte("1234"))
	require.False(t, other.crowdedOut())
	other.add([]byte("5"))
	require.True(t, other.crowdedOut(), "both together are too large")
	require.EqualValues(t, 6, m.used.Load(), "what was kept of it is free")
	one.add([]byte("789"))
	_, err := one.content()
	require.ErrorContains(t, err, "larger than 8 bytes")
	require.Zero(t, m.used.Load())

	late := &capture{most: 8, memory: m}
	late.add([]byte("1"))
	late.release()
	late.add([]byte("2")) // a request may be read after its answer is there
	require.Zero(t, m.used.Load())
}
