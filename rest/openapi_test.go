package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/rest"
)

// What is seldom there is documented as well: every credential, every weekday, block e-mails, long addresses.
func TestRareMembersAreDocumented(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	ctx := viewer.InScope(t.Context(), b.scope)
	credentials := provider.Credentials{"tlsOptions": map[string]any{"ca": "x"}}
	shown := b.promised.at("/components/schemas/Credentials/properties").(map[string]any) //nolint:forcetypeassert // an object
	require.Len(t, shown, 45)
	for name, s := range shown {
		credentials[name] = map[bool]any{true: true, false: "x"}[s.(map[string]any)["type"] == "boolean"] //nolint:forcetypeassert // a schema
	}
	sealed, err := provider.SealCredentials(keeper, fixed(0x502), credentials)
	require.NoError(t, err)
	require.NoError(t, b.db.Ent.Integration.UpdateOneID(fixed(0x502)).SetCredentials(sealed).Exec(ctx))
	w := b.ask(http.MethodDelete, "/v1/integrations/"+fixed(0x503), "")
	require.Equal(t, http.StatusOK, w.Code)
	require.NotContains(t, w.Body.String(), "tlsOptions")

	week := map[string]calendar.DaySchedule{}
	for _, day := range calendar.Weekdays() {
		week[day] = calendar.DaySchedule{IsEnabled: true}
	}
	require.NoError(t, b.db.Ent.Subscriber.UpdateOneID(fixed(0x101)).SetSchedule(&calendar.Schedule{IsEnabled: true, WeeklySchedule: week}).Exec(ctx))
	require.Equal(t, http.StatusOK, b.ask(http.MethodGet, "/v2/subscribers/u1/preferences", "").Code)

	require.NoError(t, b.db.Ent.Message.UpdateOneID(fixed(0x701)).SetSnoozedUntil(hours(9)).SetContent(&workflow.MessageContent{Blocks: []workflow.EmailBlock{
		{Type: "text", Content: "Hello"}, {Type: "button", Content: "Go", URL: "https://example.com", Styles: &workflow.EmailBlockStyles{TextAlign: "center"}},
	}}).Exec(ctx))
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, "/v1/subscribers/u1/messages/mark-as", `{"messageId":"`+fixed(0x701)+`","markAs":"seen"}`).Code)
	require.Equal(t, http.StatusRequestURITooLong, b.ask(http.MethodGet, "/v2/workflows?query="+strings.Repeat("a", 16<<10), "").Code)
}

// Every object, member, parameter and response says what it is, nothing is defined that nothing uses, and what clients hold as a
// date has no pattern of texts.
func TestDocumentIsComplete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	used, wordless := map[string]bool{}, []string{}
	var visit func(at string, v any)
	visit = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if target, ok := v["$ref"].(string); ok {
				used[target] = true
			}
			if v["format"] == "date-time" {
				require.NotContains(t, v, "pattern", at)
			}
			if pattern, ok := v["pattern"].(string); ok {
				require.NotRegexp(t, `\\x[89a-fA-F]|\\[pPu]|[^ -~]`, pattern, "%s: engines of bytes, and Ruby's, read it in other ways", at)
			}
			if properties, ok := v["properties"].(map[string]any); ok && !strings.Contains(at, "Credentials") && !strings.Contains(at, "weeklySchedule") {
				for name, member := range properties {
					if s := member.(map[string]any); s["description"] == nil && s["$ref"] == nil { //nolint:forcetypeassert // a schema
						wordless = append(wordless, at+"."+name)
					}
				}
			}
			for name, member := range v {
				visit(at+"/"+name, member)
			}
		case []any:
			for i, item := range v {
				visit(fmt.Sprint(at, "/", i), item)
			}
		}
	}
	visit("", b.promised.document)
	slices.Sort(wordless)
	require.Empty(t, wordless)
	for kind, named := range b.promised.at("/components").(map[string]any) { //nolint:forcetypeassert // an object
		for name, component := range named.(map[string]any) { //nolint:forcetypeassert // an object
			if kind != "securitySchemes" {
				require.True(t, used["#/components/"+kind+"/"+name], "%s %s is not used", kind, name)
				require.NotEmpty(t, component.(map[string]any)["description"], "%s %s", kind, name) //nolint:forcetypeassert // an object
			}
		}
	}
	n := 0
	for _, path := range b.promised.document["paths"].(map[string]any) { //nolint:forcetypeassert // an object
		for method := range path.(map[string]any) { //nolint:forcetypeassert // an object
			if method != "parameters" {
				n++
			}
		}
	}
	require.Equal(t, 14, n)
	require.Equal(t, http.StatusMethodNotAllowed, b.ask(http.MethodPost, "/openapi.json", "{}").Code)
}

// Generators of clients name the types of an operation after it: no schema has such a name. Request is left to the bodies.
func TestSchemasAreNotNamedAsOperations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	schemas := b.promised.at("/components/schemas").(map[string]any)     //nolint:forcetypeassert // an object
	for _, path := range b.promised.document["paths"].(map[string]any) { //nolint:forcetypeassert // an object
		for method, op := range path.(map[string]any) { //nolint:forcetypeassert // an object
			if method == "parameters" {
				continue
			}
			id := op.(map[string]any)["operationId"].(string) //nolint:forcetypeassert // an operation
			for _, suffix := range []string{"", "Body", "Data", "Error", "Errors", "Headers", "Options", "Params", "Response", "Responses", "Result"} {
				name := strings.ToUpper(id[:1]) + id[1:] + suffix
				require.Nil(t, schemas[name], name)
			}
		}
	}
}

// Generators of clients tell the variants of a union apart by their types in JSON, or objects by their members, not both at once.
func TestUnionsAreToldApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var kindsOf func(v any) []any
	kindsOf = func(v any) (kinds []any) {
		s := v.(map[string]any) //nolint:forcetypeassert // a schema
		if target, ok := s["$ref"].(string); ok {
			return kindsOf(b.promised.at(strings.TrimPrefix(target, "#")))
		}
		for _, choice := range []string{"anyOf", "oneOf"} {
			variants, _ := s[choice].([]any)
			for _, variant := range variants {
				kinds = append(kinds, kindsOf(variant)...)
			}
		}
		if kinds == nil {
			return []any{s["type"]}
		}
		slices.SortFunc(kinds, func(a, b any) int { return strings.Compare(a.(string), b.(string)) }) //nolint:forcetypeassert // types
		return slices.Compact(kinds)
	}
	var visit func(at string, v any)
	visit = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				if name != "anyOf" && name != "oneOf" {
					visit(at+"/"+name, member)
					continue
				}
				var kinds []any
				for i, variant := range member.([]any) { //nolint:forcetypeassert // a choice
					kinds = append(kinds, kindsOf(variant)...)
					visit(fmt.Sprint(at, "/", name, "/", i), variant)
				}
				if all := kindsOf(v); len(all) > 1 || all[0] != "object" {
					require.Len(t, all, len(kinds), "%s: %v", at, kinds)
				}
			}
		case []any:
			for i, item := range v {
				visit(fmt.Sprint(at, "/", i), item)
			}
		}
	}
	visit("", b.promised.at("/components/schemas"))
}

// TestDocumentOnFile keeps copies of the document for the tools that read it, and for the eyes of whoever changes it.
func TestDocumentOnFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/openapi.json", "/openapi-3.0.json"} {
		w := httptest.NewRecorder()
		b.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if *update {
			require.NoError(t, os.WriteFile("testdata"+path, w.Body.Bytes(), 0o600))
		}
		kept, err := os.ReadFile("testdata" + path)
		require.NoError(t, err)
		require.Equal(t, string(kept), w.Body.String(), "rewrite it with -update")
	}
}

// The document describes the server as it is configured.
func TestDocumentFollowsTheSettings(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *rest.Config) { cfg.ResponseWrapper = "data" })
	b.world(t)
	for _, target := range []string{"/v2/workflows", "/v1/channel-endpoints", "/v1/channel-endpoints/chep-1", "/v2/subscribers/u1/preferences"} {
		require.Equal(t, http.StatusOK, b.ask(http.MethodGet, target, "").Code) // asking checks
	}
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, "/v2/topics/news/subscriptions", `{"subscriptions":["u1"]}`).Code)
}

// What the document forbids in a body the server refuses, and what it refuses the document forbids.
func TestBodiesAsDescribed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	const topic, trigger = "/v2/topics/news/subscriptions", "/v1/events/trigger"
	overrides := func(o string) string { return `{"name":"welcome","to":"u1","overrides":` + o + `}` }
	for _, c := range []struct {
		method, pattern, schema string
		taken, refused          []string
	}{
		{http.MethodPost, topic, "CreateSubscriptionsRequest", []string{
			`{"subscriberIds":[" u1 "]}`, `{"subscriptions":["u1",{"identifier":"x y/é","subscriberId":"u1"}]}`,
		}, []string{
			`{"subscriberIds":["a b"]}`, `{"subscriptions":["é"]}`, `{"subscriptions":[{"identifier":"a\n","subscriberId":"u1"}]}`,
			`{"subscriptions":[{"identifier":"a","subscriberId":""}]}`,
		}},
		{http.MethodDelete, topic, "DeleteSubscriptionsRequest", []string{`{"subscriptions":["u1",{"identifier":"é"},{"subscriberId":"u1"}]}`}, []string{
			`{"subscriptions":["a b"]}`, `{"subscriptions":[{"identifier":""}]}`, `{"subscriptions":[{"subscriberId":"a,b"}]}`,
		}},
		{http.MethodPost, trigger, "TriggerRequest", []string{
			overrides(`{"sendgrid":{"a":1,"_passthrough":{"body":{},"headers":{},"query":{}}},"x":1}`),
			overrides(`{"steps":{"s":{"layoutId":null,"providers":{"x":{}}}},"channels":{"email":{"layoutId":"l"}},"providers":{"x":{"a":1}}}`),
			overrides(`{"email":{"to":["a"],"cc":[],"bcc":[],"from":"a","replaceToRecipient":true,"headers":{"X":"y"},"customData":{"a":1}}}`),
			overrides(`{"sms":{"content":"x"},"push":{"a":1},"chat":{"integrationIdentifier":"x"},"layoutIdentifier":"l","severity":"high"}`),
			overrides(`{"delay":{"amount":1,"unit":"days"},"deadline":"2027-01-31T12:00:00Z"}`),
			`{"name":"welcome","to":"u1","actor":" boss ","tenant":{"identifier":"t"}}`,
		}, []string{
			overrides(`{"steps":1}`), overrides(`{"steps":{"s":{"layoutId":1}}}`), overrides(`{"steps":{"s":{"providers":{"x":1}}}}`),
			overrides(`{"channels":{"email":{"layoutId":1}}}`), overrides(`{"providers":{"x":1}}`), overrides(`{"providers":{"x":{"_passthrough":{"body":1}}}}`),
			overrides(`{"email":{"to":"a"}}`), overrides(`{"email":{"cc":[1]}}`), overrides(`{"email":{"replaceToRecipient":"yes"}}`),
			overrides(`{"email":{"headers":{"X":1}}}`), overrides(`{"sms":{"to":1}}`), overrides(`{"push":1}`), overrides(`{"chat":{"integrationIdentifier":1}}`),
			overrides(`{"layoutIdentifier":1}`), overrides(`{"severity":"HIGH"}`), overrides(`{"delay":{"amount":0,"unit":"days"}}`),
			overrides(`{"delay":{"amount":1}}`), overrides(`{"delay":{"amount":1,"unit":"years"}}`), overrides(`{"deadline":"soon"}`),
			`{"name":"welcome","to":"u1","actor":"a b"}`, `{"name":"welcome","to":"u1","tenant":"a b"}`, `{"name":"welcome","to":"u1","tenant":{"identifier":"a b"}}`,
		}},
	} {
		for _, body := range append(slices.Clone(c.taken), c.refused...) {
			described := b.described(t, c.schema, body)
			w := b.ask(c.method, c.pattern, body)
			if slices.Contains(c.taken, body) {
				require.NoError(t, described, body)
				require.NotEqual(t, http.StatusUnprocessableEntity, w.Code, "%s: %s", body, w.Body)
				continue
			}
			require.Error(t, described, body)
			require.Equal(t, http.StatusUnprocessableEntity, w.Code, "%s: %s", body, w.Body)
		}
	}
}

// described holds a body against its schema.
func (b *bundle) described(t *testing.T, schema, body string) error {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	require.NoError(t, err)
	return b.promised.validate("/components/schemas/"+schema, instance)
}

// TestDocumentedBoundsHold reads each bound from the document and sends as much as it allows, and one more.
func TestDocumentedBoundsHold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	const topic, mark, wishes = "POST /v2/topics/news/subscriptions", "POST /v1/subscribers/u1/messages/mark-as", "PATCH /v2/subscribers/u1/preferences/bulk"
	list := func(n int, item func(i int) string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = item(i)
		}
		return strings.Join(items, ",")
	}
	named := func(prefix string) func(int) string {
		return func(i int) string { return fmt.Sprintf("%q", fmt.Sprint(prefix, i)) }
	}
	text := func(n int) string { return strings.Repeat("x", n) }
	trigger := func(members string) string { return `{"name":"welcome",` + members + `}` }
	channel := func(credentials string) string {
		return trigger(`"to":{"subscriberId":"b1","channels":[{"providerId":"fcm","credentials":{` + credentials + `}}]}`)
	}
	for place, c := range map[string]struct {
		route string
		body  func(n int) string
	}{
		"TriggerRequest/properties/to/oneOf/1/maxItems":     {"POST " + triggerPath, func(n int) string { return trigger(`"to":[` + list(n, named("r")) + `]`) }},
		"TriggerRequest/properties/transactionId/maxLength": {"POST " + triggerPath, func(n int) string { return trigger(`"to":"u1","transactionId":"` + text(n) + `"`) }},
		"TopicRecipient/properties/exclude/maxItems":        {"POST " + triggerPath, func(n int) string { return trigger(`"to":{"topicKey":"news","exclude":[` + list(n, named("e")) + `]}`) }},
		"SubscriberRecipient/properties/channels/maxItems": {"POST " + triggerPath, func(n int) string {
			return trigger(`"to":{"subscriberId":"b1","channels":[` + list(n, func(int) string { return `{"providerId":"fcm","credentials":{}}` }) + `]}`)
		}},
		"SubscriberRecipient/properties/email/maxLength": {"POST " + triggerPath, func(n int) string {
			return trigger(`"to":["u1",{"subscriberId":"b1","email":"` + text(n) + `"}]`)
		}},
		"Actor/properties/phone/maxLength": {"POST " + triggerPath + "/broadcast", func(n int) string {
			return trigger(`"payload":{},"actor":{"subscriberId":"b1","phone":"` + text(n) + `"}`)
		}},
		"ChannelSettingsInput/properties/integrationIdentifier/maxLength": {"POST " + triggerPath, func(n int) string {
			return trigger(`"to":{"subscriberId":"b1","channels":[{"providerId":"fcm","integrationIdentifier":"` + text(n) + `","credentials":{}}]}`)
		}},
		"ChannelCredentialsInput/properties/deviceTokens/maxItems":        {"POST " + triggerPath, func(n int) string { return channel(`"deviceTokens":[` + list(n, named("t")) + `]`) }},
		"ChannelCredentialsInput/properties/deviceTokens/items/maxLength": {"POST " + triggerPath, func(n int) string { return channel(`"deviceTokens":["` + text(n) + `"]`) }},
		"ChannelCredentialsInput/properties/webhookUrl/maxLength": {"POST " + triggerPath, func(n int) string {
			return channel(`"webhookUrl":"https://example.com/` + text(n-len("https://example.com/")) + `"`)
		}},
		"DelayOverride/properties/amount/maximum": {"POST " + triggerPath, func(n int) string {
			return trigger(`"to":"u1","overrides":{"delay":{"unit":"seconds","amount":` + fmt.Sprint(n) + `}}`)
		}},
		"EmailOverrides/properties/cc/maxItems": {"POST " + triggerPath, func(n int) string {
			return trigger(`"to":"u1","overrides":{"email":{"cc":[` + list(n, named("a@example.com")) + `]}}`)
		}},
		"ContextMap/maxProperties": {"POST " + triggerPath, func(n int) string {
			return trigger(`"to":"u1","context":{` + list(n, func(i int) string { return fmt.Sprintf(`"c%d":"x"`, i) }) + `}`)
		}},
		"BulkTriggerRequest/properties/events/maxItems":                {"POST " + bulkPath, func(n int) string { return `{"events":[` + list(n, func(int) string { return oneTrigger }) + `]}` }},
		"CreateSubscriptionsRequest/properties/subscriptions/maxItems": {topic, func(n int) string { return `{"subscriptions":["u1",` + list(n-1, named("n")) + `]}` }},
		"CreateSubscriptionsRequest/properties/name/maxLength":         {topic, func(n int) string { return `{"subscriptions":["u1"],"name":"` + text(n) + `"}` }},
		"CreateSubscriptionsRequest/properties/preferences/maxItems":   {topic, func(n int) string { return `{"subscriptions":["u1"],"preferences":[` + list(n, named("w")) + `]}` }},
		"GroupFilter/properties/tags/maxItems": {topic, func(n int) string {
			return `{"subscriptions":["u1"],"preferences":[{"filter":{"tags":[` + list(n, named("t")) + `]}}]}`
		}},
		"GroupFilter/properties/workflowIds/maxItems": {topic, func(n int) string {
			return `{"subscriptions":["u1"],"preferences":[{"filter":{"workflowIds":[` + list(n, named("w")) + `]}}]}`
		}},
		"UpdatePreferencesRequest/properties/preferences/maxItems": {wishes, func(n int) string {
			return `{"preferences":[` + list(n, func(int) string { return `{"workflowId":"welcome","channels":{}}` }) + `]}`
		}},
		"MarkMessagesRequest/properties/messageId/oneOf/1/maxItems": {mark, func(n int) string { return `{"markAs":"read","messageId":[` + list(n, named("m")) + `]}` }},
	} {
		most, err := strconv.Atoi(fmt.Sprint(b.promised.at("/components/schemas/" + place)))
		require.NoError(t, err, place)
		method, target, _ := strings.Cut(c.route, " ")
		w := b.ask(method, target, c.body(most))
		require.Less(t, w.Code, 300, "%s: %s", place, w.Body)
		w = b.ask(method, target, c.body(most+1))
		require.Equal(t, http.StatusUnprocessableEntity, w.Code, "%s: %s", place, w.Body)
	}
}
