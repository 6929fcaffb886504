package rest_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// state is a text that changes when anything changes that the documented routes can write, events apart.
func (b *bundle) state(tb testing.TB) (state string) {
	tb.Helper()
	require.NoError(tb, b.db.Pool.QueryRow(tb.Context(), `SELECT md5(string_agg(t, '|' ORDER BY t)) FROM (
		SELECT topics::text t FROM topics UNION ALL SELECT contexts::text FROM contexts UNION ALL SELECT subscriptions::text FROM subscriptions
		UNION ALL SELECT subscription_preferences::text FROM subscription_preferences UNION ALL SELECT preferences::text FROM preferences
		UNION ALL SELECT messages::text FROM messages UNION ALL SELECT integrations::text FROM integrations
		UNION ALL SELECT subscribers::text FROM subscribers) all_of_it`).Scan(&state))
	return state
}

// holds asks and fails unless the answer is one of the documented ones: JSON, no 5xx, and nothing changed by a 4xx. What
// refuses every item keeps the topic that it made (decisions.md §7).
func (b *bundle) holds(t *testing.T, method, target, body string) {
	t.Helper()
	before := b.state(t)
	w := b.ask(method, target, body)
	if w.Code >= 500 || w.Code < 200 || w.Code >= 300 && w.Code < 400 {
		t.Fatalf("%d for %s %q %q: %s", w.Code, method, target, body, w.Body)
	}
	if !json.Valid(w.Body.Bytes()) || w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
		t.Fatalf("not JSON for %s %q %q: %s", method, target, body, w.Body)
	}
	if w.Code >= 400 && !strings.Contains(w.Body.String(), "ALL_ITEMS_FAILED") && b.state(t) != before {
		t.Fatalf("%d changed something: %s %q %q", w.Code, method, target, body)
	}
}

// FuzzBodies sends any body to every route that takes one and is not of events.
func FuzzBodies(f *testing.F) {
	b := setup(f)
	b.world(f)
	for _, seed := range []string{
		`{"subscriptions":["u1",{"identifier":"x","subscriberId":"u1","name":"n"},"nobody"],"name":"N","context":{"a":"b","c":{"id":"d","data":{"e":1e3}}},
			"preferences":["welcome",{"workflowId":"alarm","condition":{"==":[{"var":"a"},1]},"enabled":false},{"filter":{"tags":["sale"],"workflowIds":["off"]}}]}`,
		`{"subscriptions":[{"identifier":"second"},{"subscriberId":"u2"},{},"u1"]}`, `{"subscriberIds":["u1","nobody"]}`, `{"name":"x","preferences":[]}`,
		`{"preferences":[{"workflowId":"welcome","channels":{"email":false,"push":null}}],"context":{"app":"web"}}`,
		`{"messageId":["` + fixed(0x701) + `","x"],"markAs":"read"}`, `{"messageId":"` + fixed(0x702) + `","markAs":"unseen"}`,
		`{"preferences":[{"workflowId":"\u0000","channels":{}}]}`, `{"subscriptions":["\ud800"],"context":{"a":{"id":"b","data":{"c":1e400000}}}}`,
		`{"preferences":[{"workflowId":"welcome","condition":{"and":` + strings.Repeat(`[`, 600) + strings.Repeat(`]`, 600) + `}}]}`,
		`{}`, ``, `null`, `[]`, "{\"a\":\"\xff\"}", `{"name":{"a":[]},"markAs":[],"messageId":{}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, route := range []string{
			"POST /v2/topics/news/subscriptions", "PATCH /v2/topics/news/subscriptions/second", "DELETE /v2/topics/news/subscriptions",
			"PATCH /v2/subscribers/u1/preferences/bulk", "POST /v1/subscribers/u1/messages/mark-as",
		} {
			method, path, _ := strings.Cut(route, " ")
			b.holds(t, method, path, string(body))
		}
	})
}

// FuzzQueries sends any query string to every list.
func FuzzQueries(f *testing.F) {
	b := setup(f)
	b.world(f)
	for _, seed := range []string{
		"limit=2&after=" + fixed(0x601) + "&orderBy=updatedAt&orderDirection=ASC&includeCursor=true", "before=" + fixed(0x303) + "&limit=1", "after=x", "limit=-1&limit=1e3",
		"contextKeys=app:web,region:eu&contextKeys[]=a:b&contextKeys%5B0%5D=c:d", "channel=chat&providerId=slack&subscriberId=u1", "tags=on,board&status=ACTIVE,ERROR&query=%25_&offset=1",
		"criticality=all", "key=news", "query=%00&key=%ff", "limit=99999999999999999999&offset=99999999999999999999", ";&=&&&a", "%zz=%zz", "limit[]=1&offset[9]=2",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		for _, path := range []string{"/v1/channel-endpoints", "/v2/subscribers/u1/subscriptions", "/v2/subscribers/u1/preferences", "/v2/workflows"} {
			if _, err := url.ParseRequestURI(path + "?" + query); err == nil && !strings.ContainsAny(query, " #\r\n\t\x7f") && isPrintable(query) {
				b.holds(t, "GET", path+"?"+query, "")
			}
		}
	})
}

// isPrintable reports whether a request line can hold the text.
func isPrintable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// FuzzPaths puts any text into the place of every path parameter.
func FuzzPaths(f *testing.F) {
	b := setup(f)
	b.world(f)
	for _, seed := range []string{"u1", "news", "tk=news:si=u1", "a/b+c", "..", ".", "", " ", "\x00", "\xff", "%2F", "%252F", fixed(0x501), "é", strings.Repeat("a", 300), "a@b.example"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := url.PathEscape(text)
		for _, question := range []struct{ method, target, body string }{
			{"GET", "/v1/channel-endpoints/" + p, ""},
			{"GET", "/v2/subscribers/" + p + "/subscriptions", ""},
			{"GET", "/v2/subscribers/" + p + "/preferences", ""},
			{"PATCH", "/v2/topics/" + p + "/subscriptions/" + p, `{"name":"x"}`},
			{"DELETE", "/v2/topics/" + p + "/subscriptions", `{"subscriptions":["nobody"]}`},
			{"POST", "/v2/topics/" + p + "/subscriptions", `{"subscriptions":["nobody"]}`},
			{"PATCH", "/v2/subscribers/" + p + "/preferences/bulk", `{"preferences":[]}`},
			{"POST", "/v1/subscribers/" + p + "/messages/mark-as", `{"messageId":"x","markAs":"read"}`},
			{"DELETE", "/v1/integrations/x" + p, ""},
		} {
			b.holds(t, question.method, question.target, question.body)
		}
	})
}
