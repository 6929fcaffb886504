package rest_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/workflow"
)

// The selections name GraphQL's fields as the documented API does.
const (
	summaryFields        = `id identifier name critical tags data severity`
	topicFields          = `_id: internalId key name`
	subscriberFields     = `_id: internalId subscriberId avatar firstName lastName email`
	fullSubscriberFields = subscriberFields + ` phone locale timezone data isOnline lastOnlineAt deleted createdAt updatedAt
		channels(first: 100) {nodes{providerId integrationIdentifier
			credentials{webhookUrl channel deviceTokens alertUid title imageUrl state externalUrl}}}`
	channelFields      = `email sms in_app: inApp chat push`
	listedSubscription = `_id: internalId identifier topic{` + topicFields + ` createdAt updatedAt} subscriber{` + subscriberFields + `} contextKeys createdAt`
	fullSubscription   = `_id: internalId identifier name topic{` + topicFields + `} subscriber{` + subscriberFields + `} contextKeys createdAt updatedAt
		preferences{subscription{identifier} workflow{` + summaryFields + `} enabled condition}`
	deletedSubscription = `_id: internalId identifier topic{` + topicFields + `} subscriber{` + subscriberFields + `} contextKeys createdAt updatedAt`
	results             = ` meta{totalCount successful failed} errors{subscriberId code message}`
	pageFields          = ` totalCount totalCountCapped pageInfo{hasNextPage hasPreviousPage}`
	messageFields       = `_id: internalId _templateId: workflowId _notificationId: notificationId _subscriberId: subscriberId subscriber{` + fullSubscriberFields + `}
		templateIdentifier: workflowIdentifier createdAt deliveredAt lastSeenDate: lastSeenAt lastReadDate: lastReadAt transactionId subject
		channel read seen snoozedUntil email phone directWebhookUrl providerId deviceTokens title _feedId: feedId status errorId errorText
		payload overrides contextKeys cta{type data{url} action{status buttons{type content resultContent} result{type payload}}} content{text}`
	integrationFields = `_id: internalId _environmentId: environmentId name identifier providerId channel active deleted primary
		credentials{apiKey from senderName secure accountSid token} configurations{inboundWebhookEnabled inboundWebhookSigningKey}`
	endpointFields = `identifier channel providerId integrationIdentifier connectionIdentifier subscriberId contextKeys type createdAt updatedAt
		endpoint{... on SlackChannelTarget{channelId} ... on SlackUserTarget{userId} ... on WebhookTarget{url channel} ... on PhoneTarget{phoneNumber}
		... on MSTeamsChannelTarget{teamId channelId} ... on MSTeamsUserTarget{userId}}`
	workflowFields = `_id: internalId workflowId: identifier slug name tags status origin createdAt updatedAt lastPublishedAt lastTriggeredAt
		updatedBy{_id: internalId firstName lastName externalId} lastPublishedBy{_id: internalId firstName lastName externalId}`
	triggered = `acknowledged status error transactionId`
)

// madeIdentifier is a subscription identifier of the longest topic key and subscriberId.
var madeIdentifier = "tk=" + strings.Repeat("k", 255) + ":si=" + strings.Repeat("s", 255)

// sameCases is one case in the words of both doors. The GraphQL operation has one field, aliased it.
var sameCases = []struct{ rest, body, graphQL string }{
	{
		"POST /v2/topics/news/subscriptions",
		`{"name":"New","context":{"app":"web"},"preferences":["welcome",{"filter":{"tags":["ops"]},"enabled":false}],
			"subscriptions":["u2","nobody",{"identifier":"tk=news:si=u2","subscriberId":"u1"},{"identifier":"own","subscriberId":"u1","name":"N"}]}`,
		`mutation { it: createSubscriptions(input: {topicKey: "news", name: "New", context: {app: "web"},
			preferences: [{workflowId: "welcome"}, {filter: {tags: ["ops"]}, enabled: false}], subscriptions: [{subscriberId: "u2"},
			{subscriberId: "nobody"}, {identifier: "tk=news:si=u2", subscriberId: "u1"}, {identifier: "own", subscriberId: "u1", name: "N"}]})
			{ data: subscriptions{` + fullSubscription + `}` + results + `} }`,
	},
	{
		"POST /v2/topics/fresh/subscriptions", `{"subscriptions":["nobody"]}`,
		`mutation { it: createSubscriptions(input: {topicKey: "fresh", subscriptions: [{subscriberId: "nobody"}]}) { data: subscriptions{` + fullSubscription + `}` + results + `} }`,
	},
	{
		"POST /v2/topics/not%20ok/subscriptions", `{"subscriptions":["u1"]}`,
		`mutation { it: createSubscriptions(input: {topicKey: "not ok", subscriptions: [{subscriberId: "u1"}]}) { meta{totalCount} } }`,
	},
	{
		"POST /v2/topics/news/subscriptions", `{"subscriptions":[{"identifier":"","subscriberId":"bad id"}],"context":{"a":"b c"},"preferences":[{}]}`,
		`mutation { it: createSubscriptions(input: {topicKey: "news", subscriptions: [{identifier: "", subscriberId: "bad id"}], context: {a: "b c"}, preferences: [{}]}) { meta{totalCount} } }`,
	},
	{
		"PATCH /v2/topics/news/subscriptions/own", `{"name":"Other","preferences":[{"workflowId":"broken","condition":{"==":[1,1]}}]}`,
		`mutation { it: updateSubscription(input: {topicKey: "news", identifier: "own", name: "Other", preferences: [{workflowId: "broken", condition: {_eq: 0}}]}) {subscription {` + fullSubscription + `}} }`,
	},
	{
		"PATCH /v2/topics/news/subscriptions/nobody", `{}`,
		`mutation { it: updateSubscription(input: {topicKey: "news", identifier: "nobody"}) { subscription { identifier } } }`,
	},
	{
		"DELETE /v2/topics/news/subscriptions", `{"subscriptions":["u2",{"identifier":"own"},{"identifier":"own","subscriberId":"u2"},{}]}`,
		`mutation { it: deleteSubscriptions(input: {topicKey: "news", subscriptions: [{subscriberId: "u2"}, {identifier: "own"}, {identifier: "own", subscriberId: "u2"}, {}]})
			{ data: subscriptions{` + deletedSubscription + `}` + results + `} }`,
	},
	{
		"DELETE /v2/topics/news/subscriptions", `{"subscriptions":["nobody"]}`,
		`mutation { it: deleteSubscriptions(input: {topicKey: "news", subscriptions: [{subscriberId: "nobody"}]}) { data: subscriptions{` + deletedSubscription + `}` + results + `} }`,
	},
	{
		"DELETE /v2/topics/nowhere/subscriptions", `{}`,
		`mutation { it: deleteSubscriptions(input: {topicKey: "nowhere"}) { meta{totalCount} } }`,
	},
	{
		"PATCH /v2/subscribers/u1/preferences/bulk", `{"context":{"app":"web"},"preferences":[{"workflowId":"welcome","channels":{"email":false}},{"workflowId":"off","channels":{}}]}`,
		`mutation { it: updatePreferences(input: {subscriberId: "u1", context: {app: "web"}, preferences: [{workflowId: "welcome", channels: {email: false}}, {workflowId: "off", channels: {}}]})
			{ preferences { level enabled channels{` + channelFields + `} workflow{` + summaryFields + `} } } }`,
	},
	{
		"PATCH /v2/subscribers/u1/preferences/bulk", `{"preferences":[{"workflowId":"alarm","channels":{}}]}`,
		`mutation { it: updatePreferences(input: {subscriberId: "u1", preferences: [{workflowId: "alarm", channels: {}}]}) { preferences { level } } }`,
	},
	{
		"PATCH /v2/subscribers/u1/preferences/bulk", `{"preferences":[{"workflowId":"nowhere","channels":{}}]}`,
		`mutation { it: updatePreferences(input: {subscriberId: "u1", preferences: [{workflowId: "nowhere", channels: {}}]}) { preferences { level } } }`,
	},
	{
		"PATCH /v2/subscribers/u1/preferences/bulk", `{"preferences":[]}`,
		`mutation { it: updatePreferences(input: {subscriberId: "u1", preferences: []}) { preferences { level } } }`,
	},
	{
		"GET /v2/subscribers/u1/preferences?criticality=all&contextKeys=app:web", ``,
		`{ it: subscriberPreferences(subscriberId: "u1", criticality: ALL, contextKeys: ["app:web"]) { global{enabled channels{` + channelFields + `}}
			workflows{enabled channels{` + channelFields + `} overrides{channel source} workflow{slug identifier name updatedAt} updatedAt} } }`,
	},
	{
		"GET /v2/subscribers/nobody/preferences", ``,
		`{ it: subscriberPreferences(subscriberId: "nobody") { global{enabled} } }`,
	},
	{
		"POST /v1/subscribers/u1/messages/mark-as", `{"messageId":["` + fixed(0x702) + `","nonsense","` + fixed(0x701) + `"],"markAs":"read"}`,
		`mutation { it: markMessages(input: {subscriberId: "u1", messageIds: ["` + fixed(0x702) + `", "nonsense", "` + fixed(0x701) + `"], markAs: READ}) {messages {` + messageFields + `}} }`,
	},
	{
		"POST /v1/subscribers/u1/messages/mark-as", `{"messageId":[],"markAs":"read"}`,
		`mutation { it: markMessages(input: {subscriberId: "u1", messageIds: [], markAs: READ}) { messages { read } } }`,
	},
	{
		"GET /v1/channel-endpoints?limit=2&after=" + fixed(0x605) + "&includeCursor=true&orderBy=updatedAt&orderDirection=ASC", ``,
		`{ it: channelEndpoints(first: 2, after: "` + fixed(0x605) + `", includeCursor: true, orderBy: {field: UPDATED_AT, direction: ASC}) { data: nodes{` + endpointFields + `}` + pageFields + `} }`,
	},
	{
		"GET /v1/channel-endpoints?before=" + fixed(0x601) + "&channel=chat&providerId=slack&contextKeys=", ``,
		`{ it: channelEndpoints(before: "` + fixed(0x601) + `", filter: {channel: CHAT, providerId: "slack", contextKeys: []}) { data: nodes{` + endpointFields + `}` + pageFields + `} }`,
	},
	{
		"GET /v1/channel-endpoints?providerId=nobody", ``,
		`{ it: channelEndpoints(filter: {providerId: "nobody"}) { totalCount } }`,
	},
	{
		"GET /v1/channel-endpoints?after=x", ``,
		`{ it: channelEndpoints(after: "x") { totalCount } }`,
	},
	{
		"GET /v1/channel-endpoints?before=%00", ``,
		`{ it: channelEndpoints(before: "\u0000") { totalCount } }`,
	},
	{
		"GET /v2/subscribers/u1/subscriptions?limit=1&key=news", ``,
		`{ it: subscriberSubscriptions(subscriberId: "u1", first: 1, filter: {topicKey: "news"}) { data: nodes{` + listedSubscription + `}` + pageFields + `} }`,
	},
	{
		"GET /v2/subscribers/gone/subscriptions", ``,
		`{ it: subscriberSubscriptions(subscriberId: "gone") { totalCount } }`,
	},
	{
		"GET /v2/workflows?limit=2&offset=1&orderBy=name&orderDirection=ASC&status=ACTIVE,ERROR", ``,
		`{ it: workflowsByOffset(limit: 2, offset: 1, orderBy: {field: NAME, direction: ASC}, filter: {statusIn: [ACTIVE, ERROR]}) { workflows{` + workflowFields + `} totalCount } }`,
	},
	{
		"GET /v2/workflows?limit=0&offset=-1", ``,
		`{ it: workflowsByOffset(limit: 0, offset: -1) { totalCount } }`,
	},
	{
		"POST /v1/events/trigger", `{"name":"order-shipped","to":["u1","bad id",{"topicKey":"news"}],"transactionId":"a","payload":{"n":1},"actor":{"subscriberId":"u2"},"context":{"app":"web"}}`,
		`mutation { it: triggerEvent(input: {name: "order-shipped", to: [{subscriberId: "u1"}, {subscriberId: "bad id"}, {topic: {topicKey: "news"}}], transactionId: "a", payload: {n: 1},
			actor: {subscriberId: "u2"}, context: [{type: "app", id: "web"}]}) {result {` + triggered + `}} }`,
	},
	{
		"POST /v1/events/trigger", `{"name":"order-shipped","to":42,"transactionId":"z"}`,
		`mutation { it: triggerEvent(input: {name: "order-shipped", to: [{subscriberId: ""}], transactionId: "z"}) {result {` + triggered + `}} }`,
	},
	{
		"POST /v1/events/trigger", `{"name":"order-shipped","to":{"topicKey":"` + strings.Repeat("k", 256) + `"},"transactionId":"y"}`,
		`mutation { it: triggerEvent(input: {name: "order-shipped", to: [{topic: {topicKey: "` + strings.Repeat("k", 256) + `"}}], transactionId: "y"}) {result {` + triggered + `}} }`,
	},
	{
		"POST /v2/topics/news/subscriptions", `{"subscriptions":[{"identifier":"` + madeIdentifier + `","subscriberId":"u1"}]}`,
		`mutation { it: createSubscriptions(input: {topicKey: "news", subscriptions: [{identifier: "` + madeIdentifier + `", subscriberId: "u1"}]})
			{ data: subscriptions{` + fullSubscription + `}` + results + `} }`,
	},
	{
		"PATCH /v2/topics/news/subscriptions/" + madeIdentifier, `{"name":"Long"}`,
		`mutation { it: updateSubscription(input: {topicKey: "news", identifier: "` + madeIdentifier + `", name: "Long"}) {subscription {` + fullSubscription + `}} }`,
	},
	{
		"DELETE /v2/topics/news/subscriptions", `{"subscriptions":[{"identifier":"` + madeIdentifier + `"}]}`,
		`mutation { it: deleteSubscriptions(input: {topicKey: "news", subscriptions: [{identifier: "` + madeIdentifier + `"}]}) { data: subscriptions{` + deletedSubscription + `}` + results + `} }`,
	},
	{
		"POST /v1/events/trigger/broadcast", `{"name":"order-shipped","payload":{},"transactionId":"b","tenant":"nowhere"}`,
		`mutation { it: broadcastEvent(input: {name: "order-shipped", payload: {}, transactionId: "b", tenantIdentifier: "nowhere"}) {result {` + triggered + `}} }`,
	},
	{
		"POST /v1/events/trigger/broadcast", `{"name":"order-shipped","payload":{"a":"b"},"transactionId":"b"}`,
		`mutation { it: broadcastEvent(input: {name: "order-shipped", payload: {a: "b"}, transactionId: "b"}) {result {` + triggered + `}} }`,
	},
	{
		"POST /v1/events/trigger/bulk", `{"events":[{"name":"order-shipped","to":"u1","transactionId":"c"},{"name":"nowhere","to":"u1","transactionId":"d"},{"name":"off","to":[],"transactionId":"e"},{"name":"bad name","to":"u1"}]}`,
		`mutation { it: bulkTriggerEvents(events: [{name: "order-shipped", to: [{subscriberId: "u1"}], transactionId: "c"}, {name: "nowhere", to: [{subscriberId: "u1"}], transactionId: "d"},
			{name: "off", to: [], transactionId: "e"}, {name: "bad name", to: [{subscriberId: "u1"}]}]) {results {` + triggered + `}} }`,
	},
	{
		"DELETE /v1/integrations/" + fixed(0x501), ``,
		`mutation { it: deleteIntegration(id: "` + fixed(0x501) + `") {integrations {` + integrationFields + `}} }`,
	},
	{
		"DELETE /v1/integrations/" + fixed(0x501), ``,
		`mutation { it: deleteIntegration(id: "` + fixed(0x501) + `") { integrations { name } } }`,
	},
}

// TestSameThroughBothDoors asks each case of the documented API and of GraphQL, on equal databases: answers, failures
// and what is stored afterwards are the same.
func TestSameThroughBothDoors(t *testing.T) {
	t.Parallel()
	documented, other := setup(t), setup(t)
	for _, b := range []*bundle{documented, other} {
		b.world(t)
		b.workflow(t, "order-shipped", steps(true), true)
	}
	for _, c := range sameCases {
		method, target, _ := strings.Cut(c.rest, " ")
		w := documented.ask(method, target, c.body)
		answer := decoded(t, w)
		want, _ := answer.(map[string]any)
		it, failures := other.graphQL(t, c.graphQL)
		switch {
		case w.Code < 400 || want["type"] == "ALL_ITEMS_FAILED":
			require.Empty(t, failures, c.graphQL)
			require.Equal(t, documented.common(withMaskedHooks(documentedAnswer(answer))), other.common(withNodes(it)), c.rest)
		default:
			require.Len(t, failures, 1, c.graphQL)
			require.Equal(t, documentedFailure(want), failures[0], c.rest)
		}
	}
	for _, query := range []string{
		`SELECT identifier || coalesce(name, '-') || context_keys::text FROM subscriptions ORDER BY 1`,
		`SELECT s.identifier || w.identifier || p.position || p.enabled FROM subscription_preferences p JOIN subscriptions s ON s.id = p.subscription_id JOIN workflows w ON w.id = p.workflow_id ORDER BY 1`,
		`SELECT scope || workflow_id || coalesce(enabled::text, '-') || channels::text FROM preferences ORDER BY 1`,
		`SELECT key || coalesce(name, '-') FROM topics ORDER BY 1`,
		`SELECT type || identifier FROM contexts ORDER BY 1`,
		`SELECT id || read || seen || coalesce(last_read_at::text, '-') FROM messages ORDER BY 1`,
		`SELECT scope || total || unread || unseen FROM inbox_states ORDER BY 1`,
		`SELECT id || active || "primary" || deleted FROM integrations ORDER BY 1`,
		`SELECT transaction_id || lane || payload::text || coalesce(recipients::text, '-') || coalesce(actor::text, '-') || context_keys::text FROM events ORDER BY 1`,
	} {
		require.Equal(t, documented.lines(t, query), other.lines(t, query), query)
	}
}

// withNodes is an answer of GraphQL with the lists of its connections in their place, oldest first as the documented routes
// have them.
func withNodes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if nodes, is := v["nodes"].([]any); is && len(v) == 1 {
			slices.Reverse(nodes)
			return withNodes(nodes)
		}
		for name, member := range v {
			v[name] = withNodes(member)
		}
	case []any:
		for i := range v {
			v[i] = withNodes(v[i])
		}
	}
	return v
}

// withMaskedHooks is a documented answer in which webhooks are named as GraphQL names them, which may not show what opens them.
func withMaskedHooks(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = withMaskedHooks(member)
		}
		if hook, ok := v["directWebhookUrl"].(string); ok {
			v["directWebhookUrl"] = workflow.MaskedURL(hook)
		}
		if endpoint, ok := v["endpoint"].(map[string]any); ok && endpoint["url"] != nil {
			endpoint["url"] = workflow.MaskedURL(endpoint["url"].(string)) //nolint:forcetypeassert // documented
		}
	case []any:
		for i, item := range v {
			v[i] = withMaskedHooks(item)
		}
	}
	return v
}

// graphQL asks GraphQL as the environment's key and gives the field it and the failures.
func (b *bundle) graphQL(t *testing.T, query string) (it any, failures []map[string]any) {
	t.Helper()
	// JSON Logic's operators are no names, so the one condition above is written in words.
	query = strings.ReplaceAll(query, `{_eq: 0}`, `$condition`)
	variables := map[string]any{}
	if strings.Contains(query, "$condition") {
		query = strings.Replace(query, "mutation {", "mutation ($condition: JSON) {", 1)
		variables["condition"] = map[string]any{"==": []any{1, 1}}
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	silent := slog.New(slog.DiscardHandler)
	door := graph.NewHandler(graph.Config{
		Services: b.services, Authenticator: auth.New(auth.Config{DB: b.db, Now: timeNow, Logger: silent}), Logger: silent,
	})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Authorization", "ApiKey "+b.key)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	door.ServeHTTP(w, r)
	var reply struct {
		Data   map[string]any
		Errors []struct {
			Message    string
			Extensions struct {
				Code   string
				Fields []struct{ Path, Message string }
			}
		}
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &reply), "%s", w.Body)
	for _, e := range reply.Errors {
		failure := map[string]any{"code": e.Extensions.Code, "message": e.Message}
		for _, f := range e.Extensions.Fields {
			failure[f.Path], failure["message"] = f.Message, "Validation Error"
		}
		failures = append(failures, failure)
	}
	return unwrapped(reply.Data["it"]), failures
}

// unwrapped is the one member of a mutation's payload: what the documented route answers.
func unwrapped(v any) any {
	payload, isObject := v.(map[string]any)
	if !isObject || len(payload) != 1 {
		return v
	}
	for name, member := range payload {
		if name != "nodes" { // a page
			v = member
		}
	}
	return v
}

// documentedAnswer is an answer of the documented API in the shape in which the selections ask GraphQL.
func documentedAnswer(v any) any {
	body, isObject := v.(map[string]any)
	if !isObject {
		return v
	}
	if _, isPage := body["totalCountCapped"]; isPage {
		body["pageInfo"] = map[string]any{"hasNextPage": body["next"] != nil, "hasPreviousPage": body["previous"] != nil}
	}
	for _, own := range []string{"next", "previous", "statusCode", "timestamp", "path", "type", "message"} {
		delete(body, own)
	}
	return body
}

func documentedFailure(body map[string]any) map[string]any {
	failure := map[string]any{"code": body["type"], "message": body["message"]}
	switch body["statusCode"] {
	case 404.0:
		failure["code"] = "NOT_FOUND"
	case 422.0:
		failure["code"] = "VALIDATION"
	}
	if fields, ok := body["errors"].(map[string]any); ok {
		for path, f := range fields {
			failure[path] = f.(map[string]any)["messages"].([]any)[0] //nolint:forcetypeassert // documented so
		}
	}
	return failure
}

var madeHere = regexp.MustCompile(`^[1-9a-f][0-9a-f]{23}$|_wf_\w{12,}$`)

// common is what both doors show: GraphQL writes null where the documented API leaves out, its enumerations are upper
// case, and some members have only one of them. Ids that this run made differ from database to database.
func (b *bundle) common(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			switch name {
			case "schedule", "steps", "stepTypeOverviews", "isTranslationEnabled", "_organizationId", "_environmentId", "_messageTemplateId", "conditions", "__v", "_integrationId":
				continue
			case "content":
				if text, ok := member.(string); ok {
					member = map[string]any{"text": text}
				}
			case "origin": // of which REST alone shows the configured prefix
				member = strings.NewReplacer("svc-", "", "_", "-").Replace(member.(string)) //nolint:forcetypeassert // an enumeration of both
			case "subscription":
				name, member = "subscriptionId", member.(map[string]any)["identifier"] //nolint:forcetypeassert // selected so
			}
			if shown := b.common(member); shown != nil {
				out[name] = shown
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case []any:
		var out []any
		for _, item := range v {
			out = append(out, b.common(item))
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case string:
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil {
			if at.Year() != frozen.Year() {
				return "now"
			}
			return at.UTC().Truncate(time.Millisecond)
		}
		if madeHere.MatchString(v) {
			return "id"
		}
		if v == "" {
			return nil
		}
		return strings.ToLower(v)
	}
	return v
}

func (b *bundle) lines(t *testing.T, query string) []string {
	t.Helper()
	rows, err := b.db.Pool.Query(t.Context(), query)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.NotEmpty(t, lines, query)
	return lines
}
