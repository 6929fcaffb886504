package rest_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// both asks the documented route and GraphQL, with the JSON of the body and of the variable $input, and returns what is wrong
// with which field for each; the status of a trigger that was accepted stands under "".
func (b *bundle) both(t *testing.T, route, body, mutation, input string) (documented, other map[string]string) {
	t.Helper()
	method, target, _ := strings.Cut(route, " ")
	w := b.ask(method, target, body)
	require.Contains(t, []int{http.StatusOK, http.StatusCreated, http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge}, w.Code, "%.300s", w.Body)
	documented, other = map[string]string{}, map[string]string{}
	answer, _ := decoded(t, w).(map[string]any)
	if fields, ok := answer["errors"].(map[string]any); ok {
		for path, f := range fields {
			documented[path] = fmt.Sprint(f.(map[string]any)["messages"].([]any)[0]) //nolint:forcetypeassert // documented so
		}
	} else {
		documented[""] = fmt.Sprintf("%v%v", answer["status"], answer["message"])
	}
	text, err := json.Marshal(mutation)
	require.NoError(t, err)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(`{"query":`+string(text)+`,"variables":{"input":`+input+`}}`))
	r.Header.Set("Authorization", "ApiKey "+b.key)
	r.Header.Set("Content-Type", "application/json")
	silent := slog.New(slog.DiscardHandler)
	reply := httptest.NewRecorder()
	graph.NewHandler(graph.Config{
		Services: b.services, Authenticator: auth.New(auth.Config{DB: b.db, Now: timeNow, Logger: silent}), Logger: silent,
	}).ServeHTTP(reply, r)
	var it struct {
		Data   map[string]any
		Errors []struct {
			Message    string
			Extensions struct {
				Code   string
				Fields []struct{ Path, Message string }
			}
		}
	}
	require.NoError(t, json.Unmarshal(reply.Body.Bytes(), &it), "%.300s", reply.Body)
	for _, e := range it.Errors {
		for _, f := range e.Extensions.Fields {
			other[f.Path] = f.Message
		}
		if len(e.Extensions.Fields) == 0 {
			other[""] = "<nil>" + e.Message
		}
	}
	if result, ok := unwrapped(it.Data["it"]).(map[string]any); ok {
		other[""] = strings.ToLower(fmt.Sprintf("%v%v", result["status"], result["message"]))
	}
	return documented, other
}

// nested is an array within arrays, so many of them.
func nested(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

// places is a number with so many digits after the point.
func places(n int) string { return "0." + strings.Repeat("0", n-1) + "1" }

// documentedPath is where the documented form has what the inputs of this test have at a path.
var documentedPath = strings.NewReplacer(".subscriber.", ".", ".topic.", ".", "context.0.", "context.a.", "tenantIdentifier", "tenant")

// TestEdgesOfEvents sends what lies at the bounds of an event, or beyond them, through both doors: the answers are the same,
// and a refusal names the field.
func TestEdgesOfEvents(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	const (
		accepted = "processed<nil>"
		nul      = "must not hold the character U+0000"
		number   = "must not hold a number out of the range of a double"
		deep     = "must not be nested deeper than 512 levels"
		id       = `must be 1 to 255 letters, digits, '-', '_' or '.'`
		part     = "must be 1 to 100 letters, digits, - or _"
	)
	one := map[string]string{}
	for i, c := range []struct {
		members, typed string // of the event; typed is what GraphQL calls them, the same when empty
		want           map[string]string
	}{
		{`"payload":{"a":"\u0000"}`, "", map[string]string{"payload": nul}},
		{`"payload":{"\u0000":1}`, "", map[string]string{"payload": nul}},
		{`"payload":{"a":[{"b":["x\u0000y"]}]}`, "", map[string]string{"payload": nul}},
		{`"payload":{"a":"\\u0000"}`, "", one},
		{`"payload":{"a":` + nested(shape.MaxDepth-1) + `}`, "", one},
		{`"payload":{"a":` + nested(shape.MaxDepth) + `}`, "", map[string]string{"payload": deep}},
		{`"payload":{"a":1e400}`, "", map[string]string{"payload": number}},
		{`"payload":{"a":-1e400}`, "", map[string]string{"payload": number}},
		{`"payload":{"a":1e308,"b":12345678901234567890123}`, "", one},
		{`"payload":{"a":` + places(16_383) + `}`, "", one},
		{`"payload":{"a":` + places(16_384) + `}`, "", map[string]string{"payload": number}},
		{`"payload":{"a":` + places(15_383) + `e-1000,"b":0e131071}`, "", one},
		{`"payload":{"a":` + places(15_384) + `e-1000}`, "", map[string]string{"payload": number}},
		{`"payload":{"a":0e131072}`, "", map[string]string{"payload": number}},
		{`"payload":{"a":"\ud800","\udfff":"x"}`, "", one},
		{`"payload":{"a":1},"payload":{"a":"\u0000"}`, "", map[string]string{"payload": nul}},
		{`"payload":{"a":"\u0000"},"payload":{"a":1}`, "", one},
		{`"transactionId":"a\u0000"`, "", map[string]string{"transactionId": "must be a text of 1 to 255 characters without U+0000"}},
		{`"transactionId":"` + strings.Repeat("é", workflow.MaxIdentifier) + `"`, "", one},
		{`"transactionId":"` + strings.Repeat("é", workflow.MaxIdentifier+1) + `"`, "", map[string]string{"transactionId": "must be a text of 1 to 255 characters without U+0000"}},
		{`"name":"a\u0000"`, "", map[string]string{"name": id}},
		{`"overrides":{"fcm":{"a":"\u0000"}}`, "", map[string]string{"overrides": nul}},
		{`"overrides":{"x":{"\u0000":1}}`, "", map[string]string{"overrides": nul}},
		{`"overrides":{"x":{"a":1e400}}`, "", map[string]string{"overrides": number}},
		{`"overrides":{"x":` + nested(shape.MaxDepth) + `}`, "", map[string]string{"overrides": deep}},
		{`"overrides":{"delay":{"amount":1000000,"unit":"seconds"}}`, "", one},
		{`"overrides":{"delay":{"amount":1000001,"unit":"seconds"}}`, "", map[string]string{"overrides.delay.amount": "must be a whole number from 1 to 1000000"}},
		{`"to":{"subscriberId":"n","firstName":"\u0000"}`, `"to":[{"subscriber":{"subscriberId":"n","firstName":"\u0000"}}]`, map[string]string{"to.0.firstName": nul}},
		{`"to":["u",{"subscriberId":"n","data":{"a":"\u0000"}}]`, `"to":[{"subscriberId":"u"},{"subscriber":{"subscriberId":"n","data":{"a":"\u0000"}}}]`, map[string]string{"to.1.data": nul}},
		{`"to":["u",{"subscriberId":"n","data":{"a":` + nested(shape.MaxDepth) + `}}]`, `"to":[{"subscriberId":"u"},{"subscriber":{"subscriberId":"n","data":{"a":` + nested(shape.MaxDepth) + `}}}]`, map[string]string{"to.1.data": deep}},
		{`"to":["u",{"subscriberId":"n","data":{"a":` + places(16_384) + `}}]`, `"to":[{"subscriberId":"u"},{"subscriber":{"subscriberId":"n","data":{"a":` + places(16_384) + `}}}]`, map[string]string{"to.1.data": number}},
		{`"to":["u",{"subscriberId":"n","email":"` + strings.Repeat("é", 512) + `"}]`, `"to":[{"subscriberId":"u"},{"subscriber":{"subscriberId":"n","email":"` + strings.Repeat("é", 512) + `"}}]`, one},
		{`"to":["u",{"subscriberId":"n","email":"` + strings.Repeat("é", 513) + `"}]`, `"to":[{"subscriberId":"u"},{"subscriber":{"subscriberId":"n","email":"` + strings.Repeat("é", 513) + `"}}]`, map[string]string{"to.1.email": "must not be longer than 512 characters"}},
		{`"actor":{"subscriberId":"n","phone":"` + strings.Repeat("1", 2800) + `"}`, "", map[string]string{"actor.phone": "must not be longer than 512 characters"}},
		{`"to":["\u0000",{"topicKey":"t","exclude":["\u0000"]}]`, `"to":[{"subscriberId":"\u0000"},{"topic":{"topicKey":"t","exclude":["\u0000"]}}]`, map[string]string{"to.1.exclude": nul}},
		{`"to":["\u0000","u"]`, `"to":[{"subscriberId":"\u0000"},{"subscriberId":"u"}]`, one},
		{`"to":["\u0000"]`, `"to":[{"subscriberId":"\u0000"}]`, map[string]string{"": "invalid_recipients<nil>"}},
		{`"to":{"topicKey":"\u0000"}`, `"to":[{"topic":{"topicKey":"\u0000"}}]`, one},
		{`"actor":{"subscriberId":"n","lastName":"\u0000","data":{"\u0000":1}}`, "", map[string]string{"actor.lastName": nul, "actor.data": nul}},
		{`"actor":{"subscriberId":"\u0000"}`, "", map[string]string{"actor.subscriberId": "must be a subscriberId"}},
		{`"tenant":{"identifier":"n","name":"\u0000","data":{"a":"\u0000"}}`, "", map[string]string{"tenant.name": nul, "tenant.data": nul}},
		{`"tenant":"\u0000"`, `"tenantIdentifier":"\u0000"`, map[string]string{"tenant": "must be a tenant identifier"}},
		{`"context":{"a":{"id":"\u0000"}}`, `"context":[{"type":"a","id":"\u0000"}]`, map[string]string{"context.a.id": part}},
		{`"context":{"a":{"id":"b","data":{"c":"\u0000"}}}`, `"context":[{"type":"a","id":"b","data":{"c":"\u0000"}}]`, map[string]string{"context.a.data": nul}},
		{`"context":{"a":{"id":"b","data":{"c":1e400}}}`, `"context":[{"type":"a","id":"b","data":{"c":1e400}}]`, map[string]string{"context.a.data": number}},
	} {
		typed := c.typed
		if typed == "" {
			typed = c.members
		}
		frame := func(members, recipient, door string) string {
			rest := []string{}
			for name, value := range map[string]string{"name": `"order-shipped"`, "to": recipient, "transactionId": fmt.Sprintf(`"%s-%d"`, door, i)} {
				if !strings.HasPrefix(members, `"`+name+`":`) {
					rest = append(rest, `"`+name+`":`+value)
				}
			}
			return "{" + strings.Join(append(rest, members), ",") + "}"
		}
		documented, other := b.both(t, "POST "+triggerPath, frame(c.members, `"u1"`, "rest"),
			`mutation($input: TriggerEventInput!) { it: triggerEvent(input: $input) { result { status } } }`, frame(typed, `[{"subscriberId":"u1"}]`, "graph"))
		want := c.want
		if len(want) == 0 {
			want = map[string]string{"": accepted}
		}
		for path, message := range maps.Clone(other) { // each door has the path of its own input
			delete(other, path)
			other[documentedPath.Replace(path)] = message
		}
		if strings.HasPrefix(c.members, `"to":{`) { // GraphQL has lists only
			require.Equal(t, want, other, c.members)
			want = map[string]string{}
			for path, message := range c.want {
				want[strings.Replace(path, "to.0", "to", 1)] = message
			}
			if len(want) == 0 {
				want[""] = accepted
			}
		} else {
			require.Equal(t, want, other, "%.200s", typed)
		}
		require.Equal(t, want, documented, "%.200s", c.members)
	}
}

// TestEdgesOfConditions stores conditions at their bounds and beyond through both doors.
func TestEdgesOfConditions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	logic := func(levels int) string { // an object and an array for each operator
		return strings.Repeat(`{"!":[`, levels/2) + `true` + strings.Repeat(`]}`, levels/2)
	}
	values := func(n int) string { return `{"or":[` + strings.TrimSuffix(strings.Repeat("1,", n-2), ",") + `]}` }
	text := func(bytes int) string { return `{"<":["` + strings.Repeat("<", bytes-len(`{"<":["",1]}`)) + `",1]}` }
	const size = "must not hold more than 2000 values and 65536 bytes of text"
	for name, c := range map[string]struct{ condition, want string }{
		"Deep":          {logic(condition.MaxRuleDepth), ""},
		"TooDeep":       {logic(condition.MaxRuleDepth + 2), "must not be nested deeper than 32 levels"},
		"Empty inside":  {strings.Replace(logic(condition.MaxRuleDepth), "true", "[]", 1), "must not be nested deeper than 32 levels"},
		"Values":        {values(condition.MaxRuleValues), ""},
		"TooManyValues": {values(condition.MaxRuleValues + 1), size},
		"Text":          {text(usecase.MaxDataBytes), ""},
		"TooMuchText":   {text(usecase.MaxDataBytes + 1), "must not exceed 65536 bytes of JSON"},
		"NUL":           {`{"==":["\u0000",1]}`, "must not hold the character U+0000"},
		"NULKey":        {`{"\u0000":[1]}`, "must not hold the character U+0000"},
		"Number":        {`{"==":[1e400,1]}`, "must not hold a number out of the range of a double"},
		"Places":        {`{"==":[` + places(16_383) + `,1]}`, ""},
		"TooManyPlaces": {`{"==":[` + places(16_384) + `,1]}`, "must not hold a number out of the range of a double"},
		"Text instead":  {`"true"`, "must be an object"},
	} {
		preferences := `"preferences":[{"workflowId":"welcome","condition":` + c.condition + `}]`
		documented, other := b.both(t, "PATCH /v2/topics/news/subscriptions/second", `{`+preferences+`}`,
			`mutation($input: UpdateSubscriptionInput!) { it: updateSubscription(input: $input) { subscription { name } } }`, `{"topicKey":"news","identifier":"second",`+preferences+`}`)
		want := map[string]string{"preferences.0.condition": c.want}
		if c.want == "" {
			want = map[string]string{"": "<nil><nil>"}
		}
		require.Equal(t, want, documented, name)
		require.Equal(t, want, other, name)
	}
}

// TestEdgesOfAttachments sends files at their bound, and a byte beyond it, through both doors: they count decoded.
func TestEdgesOfAttachments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	for _, over := range []int{0, 1} {
		file := base64.StdEncoding.EncodeToString(make([]byte, triggers.MaxAttachmentBytes+over))
		payload := `"payload":{"attachments":[{"name":"a","mime":"text/plain","file":"` + file + `"}]}`
		documented, other := b.both(t, "POST "+triggerPath, `{"name":"order-shipped","to":"u1",`+payload+`}`,
			`mutation($input: TriggerEventInput!) { it: triggerEvent(input: $input) { result { status } } }`, `{"name":"order-shipped","to":[{"subscriberId":"u1"}],`+payload+`}`)
		want := map[string]string{"": []string{"processed<nil>", "<nil>The event has 20971521 bytes of attachments, at most 20971520 are allowed."}[over]}
		require.Equal(t, want, documented)
		require.Equal(t, want, other)
	}
}

// TestBodiesThatCannotBeRead sends what is no JSON object in UTF-8, and what is nested beyond reading, to every route that
// has a body.
func TestBodiesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	for _, route := range []string{
		"POST " + triggerPath, "POST " + triggerPath + "/broadcast", "POST " + bulkPath, "POST /v2/topics/news/subscriptions", "DELETE /v2/topics/news/subscriptions",
		"PATCH /v2/topics/news/subscriptions/second", "PATCH /v2/subscribers/u1/preferences/bulk", "POST /v1/subscribers/u1/messages/mark-as",
	} {
		method, target, _ := strings.Cut(route, " ")
		for name, body := range map[string]string{
			"BOM": "\xef\xbb\xbf{}", "Comma": `{"a":1,}`, "Two": `{}{}`, "List": `[]`, "Null": `null`, "Text": `"x"`, "Cut": `{"a":`,
			"NaN": `{"a":NaN}`, "Control": "{\"a\":\"\n\"}", "UTF8": "{\"a\":\"\xff\"}", "UTF16": "{\x00}\x00", "Blank": "{}\u00a0",
		} {
			w := b.ask(method, target, body)
			require.Equal(t, http.StatusBadRequest, w.Code, "%s %s: %s", route, name, w.Body)
			require.Contains(t, w.Body.String(), `"type":"MALFORMED_BODY"`, "%s %s", route, name)
		}
		for _, empty := range []string{"", " \r\n\t"} {
			require.Equal(t, b.ask(method, target, "{}").Code, b.ask(method, target, empty).Code, route)
		}
		w := b.ask(method, target, `{"x":`+nested(10_000)+`}`)
		require.Equal(t, http.StatusUnprocessableEntity, w.Code, route)
		require.Contains(t, w.Body.String(), `"general":{"messages":["must not be nested deeper than 10000 levels"]}`, route)
	}
}

// TestNULInNames sends U+0000 in every part of a request that names something.
func TestNULInNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	const message = `"messages":["must be UTF-8 without the character U+0000"]`
	for question, want := range map[string]struct {
		status int
		body   string
	}{
		"GET /v1/channel-endpoints/%00":                                                {404, `"statusCode":404`},
		"GET /v2/subscribers/%00/subscriptions":                                        {404, `"statusCode":404`},
		"GET /v2/subscribers/%00/preferences":                                          {404, `"statusCode":404`},
		"DELETE /v1/integrations/%00":                                                  {404, `"statusCode":404`},
		"PATCH /v2/topics/%00/subscriptions/x {}":                                      {404, `"statusCode":404`},
		"PATCH /v2/topics/news/subscriptions/%00 {}":                                   {404, `"statusCode":404`},
		`POST /v2/topics/%00/subscriptions {"subscriptions":["u1"]}`:                   {400, `"type":"INVALID_TOPIC_KEY"`},
		`DELETE /v2/topics/%00/subscriptions {"subscriptions":["u1"]}`:                 {404, `"statusCode":404`},
		`PATCH /v2/subscribers/%00/preferences/bulk {"preferences":[]}`:                {404, `"statusCode":404`},
		`POST /v1/subscribers/%00/messages/mark-as {"messageId":"x","markAs":"read"}`:  {404, `"statusCode":404`},
		"GET /v1/channel-endpoints?subscriberId=%00":                                   {422, `"subscriberId":{` + message},
		"GET /v1/channel-endpoints?integrationIdentifier=%00":                          {422, `"integrationIdentifier":{` + message},
		"GET /v1/channel-endpoints?connectionIdentifier=%00":                           {422, `"connectionIdentifier":{` + message},
		"GET /v1/channel-endpoints?channel=%00":                                        {422, `"channel":{` + message},
		"GET /v1/channel-endpoints?after=%00":                                          {400, `"type":"INVALID_CURSOR"`},
		"GET /v1/channel-endpoints?orderBy=%00":                                        {422, `"orderBy":{` + message},
		"GET /v2/subscribers/u1/subscriptions?key=%00":                                 {422, `"key":{` + message},
		"GET /v2/subscribers/u1/preferences?criticality=%00":                           {422, `"criticality":{` + message},
		"GET /v2/workflows?query=%00":                                                  {422, `"query":{` + message},
		"GET /v2/workflows?tags=a&tags=%00":                                            {422, `"tags":{` + message},
		"GET /v2/workflows?status=%00":                                                 {422, `"status":{"messages":["must be one of`},
		"GET /v2/workflows?limit=%00":                                                  {422, `"limit":{` + message},
		"GET /v2/workflows?%00=x":                                                      {200, `"workflows":[`},
		`POST /v2/topics/news/subscriptions {"subscriptions":["\u0000"]}`:              {422, `"subscriptions.0":{`},
		`POST /v2/topics/news/subscriptions {"subscriptions":["u1"],"name":"\u0000"}`:  {422, `"name":{"messages":["must not hold the character U+0000"]`},
		`PATCH /v2/topics/news/subscriptions/second {"name":"\u0000"}`:                 {422, `"name":{"messages":["must not hold the character U+0000"]`},
		`PATCH /v2/topics/news/subscriptions/second {"preferences":["\u0000"]}`:        {422, `"preferences.0":{"messages":["must not hold the character U+0000"]`},
		`POST /v1/subscribers/u1/messages/mark-as {"messageId":"x","markAs":"\u0000"}`: {422, `"markAs":{`},
	} {
		parts := append(strings.SplitN(question, " ", 3), "")
		w := b.ask(parts[0], parts[1], parts[2])
		require.Equal(t, want.status, w.Code, "%s: %s", question, w.Body)
		require.Contains(t, w.Body.String(), want.body, question)
	}
}

// TestShownValues repeats an offending value, whatever is wrong with it, unless it is long or a reader could not decode it. What
// leads to a subscriber is not repeated: replies are kept under idempotency keys.
func TestShownValues(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	const hook = `"channels":[{"providerId":"slack","credentials":{"webhookUrl":"ftp://secret"}}]`
	for question, want := range map[string]string{
		`POST /v1/events/trigger {"name":1e400,"to":"u1","transactionId":7}`: `{"name":{"messages":["must be a string"]},
			"transactionId":{"messages":["must be a text of 1 to 255 characters without U+0000"],"value":7}}`,
		`POST /v1/events/trigger {"name":"order-shipped","to":"u1","context":{},"payload":{"a":"\u0000","b":1.50}}`: `{
			"context":{"messages":["must hold 1 to 5 contexts"],"value":{}},
			"payload":{"messages":["must not hold the character U+0000"],"value":{"a":"\u0000","b":1.50}}}`,
		`POST /v1/events/trigger {"name":"order-shipped","to":"u1","context":{"a b":{"id":5}}}`: `{
			"context.a b":{"messages":["the context type must be 1 to 100 letters, digits, - or _"],"value":{"id":5}}}`,
		`POST /v1/events/trigger {"name":"order-shipped","to":["u1",{"subscriberId":"u2","firstName":"a\u0000",` + hook + `}]}`: `{
			"to.1.channels.0.credentials.webhookUrl":{"messages":["must be an http or https URL without user name and password"]},
			"to.1.firstName":{"messages":["must not hold the character U+0000"],"value":"a\u0000"}}`,
		`POST /v1/events/trigger {"name":"order-shipped","to":[` + strings.Repeat(`"u",`, 100) +
			`{"subscriberId":"u1","channels":[{"providerId":"fcm","credentials":{"deviceTokens":["secret"]}}]}]}`: `{
			"to":{"messages":["must not hold more than 100 recipients"]}}`,
		`POST /v1/events/trigger {"name":"order-shipped","to":"u1","overrides":{"slack":{"webhookUrl":"https://secret","a":"\u0000"}}}`: `{
			"overrides":{"messages":["must not hold the character U+0000"]}}`,
		`POST /v1/events/trigger/bulk {"events":[]}`:  `{"events":{"messages":["events must hold at least one item"],"value":[]}}`,
		`POST /v1/events/trigger/bulk {"events":"x"}`: `{"events":{"messages":["events must be an array"],"value":"x"}}`,
		`POST /v1/events/trigger/bulk {}`:             `{"events":{"messages":["events must hold at least one item"]}}`,
		`POST /v2/topics/news/subscriptions {"subscriptions":[],"preferences":[{"condition":{}}]}`: `{
			"preferences.0":{"messages":["must hold either workflowId or filter"],"value":{"condition":{}}},
			"subscriptions":{"messages":["must hold 1 to 100 items"],"value":[]}}`,
		`POST /v2/topics/news/subscriptions {"subscriptions":["` + strings.Repeat("x", 2000) + `\u0000"]}`: `{
			"subscriptions.0":{"messages":["must not hold the character U+0000"]}}`,
	} {
		parts := strings.SplitN(question, " ", 3)
		w := b.ask(parts[0], parts[1], parts[2])
		require.Equal(t, http.StatusUnprocessableEntity, w.Code, question)
		var answer struct{ Errors json.RawMessage }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
		require.JSONEq(t, want, string(answer.Errors), question)
	}
}
