package graph_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

const createWorkflow = `mutation($in: CreateWorkflowInput!) { createWorkflow(input: $in) {
	workflow {
		id internalId identifier slug name status publishedNumber tags origin lastTriggeredAt
		issues { stepId group key issueType message }
		draft { ...definition } published { number definition { ...definition } }
		updatedBy { email } lastPublishedBy { email } lastPublishedAt
		versions(first: 5) { totalCount nodes { number } }
	}
} }` + definitionFragment

const definitionFragment = `
fragment filters on StepFilter { isNegated type value children { field value operator on } }
fragment definition on WorkflowDefinition {
	conditions { ...filters } payloadSchema validatePayload strictVariables preferences { email sms inApp chat push }
	critical severity versioning drain holdUntilOpen tags data translations
	steps {
		id stepId slug name type active shouldStopOnFail unknownOutcome allowDuplicate deadlineSeconds
		filters { ...filters }
		inApp { subject body avatar redirect primaryAction { label url } secondaryAction { label url } feedId data }
		email { subject html text preheader senderName from replyTo layoutId noLayout
			blocks { type content url styles { textAlign } } }
		sms { body } chat { body } push { subject body data }
		digest { type amount unit digestKey backoff backoffAmount backoffUnit updateMode extendToSchedule
			timed { atTime weekDays monthDays ordinal ordinalValue monthlyType } }
		delay { type amount unit delayPath past extendToSchedule }
		throttle { threshold amount unit throttleKey windowPath invalid }
		trigger { workflow payload }
		custom { url method headers body timeoutSeconds }
		replyCallback { active url }
		variants { id name filters { ...filters } inApp { body } email { subject html } sms { body } chat { body } push { subject body } }
	}
}`

// object reads a literal, so that expected answers stand as JSON.
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var o map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &o))
	return o
}

// subset compares the fields of want, at every depth; further fields of have do not count.
func subset(t *testing.T, want, have any, path string) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		h, ok := have.(map[string]any)
		require.True(t, ok, "%s: %v is no object", path, have)
		for name, value := range w {
			subset(t, value, h[name], path+"."+name)
		}
	case []any:
		h, ok := have.([]any)
		require.True(t, ok && len(h) == len(w), "%s: want %v, have %v", path, want, have)
		for i := range w {
			subset(t, w[i], h[i], path)
		}
	default:
		require.Equal(t, want, have, path)
	}
}

const allSteps = `{"steps": [
	{"type": "IN_APP", "stepId": "bell", "name": "Ring the bell", "inApp": {"subject": "S", "body": "B", "redirect": "https://a.example",
		"primaryAction": {"label": "Yes", "url": "https://a.example/y"}, "data": {"k": "v"}},
		"filters": [{"children": [{"field": "total", "value": "10", "operator": "LARGER_EQUAL", "on": "PAYLOAD"}]}],
		"variants": [{"name": "Loud", "filters": [{"value": "OR", "isNegated": true, "type": "BOOLEAN",
			"children": [{"field": "vip", "value": "true", "operator": "EQUAL", "on": "SUBSCRIBER"}]}], "inApp": {"body": "LOUD"}}]},
	{"type": "EMAIL", "shouldStopOnFail": true, "email": {"subject": "S", "blocks": [
		{"type": "TEXT", "content": "C", "styles": {"textAlign": "CENTER"}}, {"type": "BUTTON", "content": "Go", "url": "https://a.example"}]}},
	{"type": "SMS", "active": false, "unknownOutcome": "STOP", "sms": {"body": "B"}},
	{"type": "CHAT", "chat": {"body": "B"}},
	{"type": "PUSH", "deadlineSeconds": 60, "push": {"subject": "S", "body": "B"}},
	{"type": "DIGEST", "digest": {"type": "TIMED", "amount": 1, "unit": "MONTHS", "digestKey": "order.id",
		"timed": {"atTime": "09:30", "monthlyType": "ON", "ordinal": "LAST", "ordinalValue": "FRIDAY"}}},
	{"type": "DIGEST", "stepId": "weekly", "digest": {"type": "TIMED", "amount": 2, "unit": "WEEKS", "timed": {"atTime": "10:00", "weekDays": ["MONDAY", "SUNDAY"]}}},
	{"type": "DELAY", "delay": {"type": "SCHEDULED", "delayPath": "sendAt", "past": "SKIP"}},
	{"type": "THROTTLE", "throttle": {"threshold": 3, "amount": 1, "unit": "HOURS", "invalid": "PASS"}},
	{"type": "TRIGGER", "trigger": {"workflow": "other", "payload": {"a": "{{payload.a}}"}}},
	{"type": "CUSTOM", "custom": {"url": "https://a.example", "method": "PUT", "headers": {"X-A": "b"}, "timeoutSeconds": 5}}
], "critical": true, "severity": "HIGH", "versioning": "LATEST", "drain": true, "holdUntilOpen": true, "tags": ["orders"],
	"data": {"d": 1}, "payloadSchema": {"type": "object"}, "validatePayload": true, "strictVariables": true, "translations": true,
	"preferences": {"sms": false},
	"conditions": [{"children": [{"field": "plan", "value": "pro", "operator": "EQUAL", "on": "TENANT"}]}]}`

func TestWorkflowDefinitionsAreTypedThroughout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	given := object(t, allSteps)
	made := at(t, b.must(t, createWorkflow, map[string]any{
		"in": map[string]any{"name": "Everything", "definition": given, "publish": false},
	}), "createWorkflow", "workflow")
	subset(t, given, at(t, made, "draft"), "draft")
	require.Nil(t, at(t, made, "published"))

	// What came out goes in again and changes nothing, record identifiers included.
	again := at(t, b.must(t, `mutation($in: UpdateWorkflowInput!) { updateWorkflow(input: $in) { workflow { draft { ...definition } } } }`+definitionFragment,
		map[string]any{"in": map[string]any{"id": at(t, made, "id"), "definition": sendable(at(t, made, "draft"))}}), "updateWorkflow", "workflow")
	require.Equal(t, at(t, made, "draft"), at(t, again, "draft"))

	published := at(t, b.must(t, `mutation($id: ID!) { publishWorkflow(id: $id) { workflow { published { number definition { ...definition } } } } }`+definitionFragment,
		map[string]any{"id": "everything"}), "publishWorkflow", "workflow")
	require.Equal(t, at(t, made, "draft"), at(t, published, "published", "definition"), "every step type can be published")
}

// sendable leaves out what is only shown, and nulls.
func sendable(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			if name != "slug" && member != nil {
				out[name] = sendable(member)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = sendable(item)
		}
		return out
	}
	return value
}

func TestWorkflowLifeOverGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := at(t, b.must(t, createWorkflow, map[string]any{"in": map[string]any{
		"name": "Order shipped", "definition": map[string]any{"steps": []any{map[string]any{"type": "SMS", "sms": map[string]any{"body": "Hi"}}}},
	}}), "createWorkflow", "workflow")
	subset(t, object(t, `{"identifier": "order-shipped", "status": "ACTIVE", "publishedNumber": 1, "origin": "CLOUD",
		"issues": [], "lastTriggeredAt": null, "published": {"number": 1}, "versions": {"totalCount": 1, "nodes": [{"number": 1}]}}`), made, "made")

	variables := map[string]any{"slug": at(t, made, "slug"), "id": at(t, made, "id")}
	found := b.must(t, `query($id: ID!, $slug: String!) {
		node(id: $id) { ... on Workflow { name } } workflow(id: $id) { name }
		workflowByIdentifier(identifier: "order-shipped") { name } workflowByReference(reference: $slug) { name }
		workflowVersionByNumber(workflow: $slug, number: 1) { number definition { steps { sms { body } } } }
		workflows(filter: {query: "SHIP", statusIn: [ACTIVE], tagsAny: null}, orderBy: {field: LAST_TRIGGERED_AT}) { totalCount nodes { name } }
	}`, variables)
	for _, field := range []string{"node", "workflow", "workflowByIdentifier", "workflowByReference"} {
		require.Equal(t, "Order shipped", at(t, found, field, "name"))
	}
	subset(t, object(t, `{"totalCount": 1, "nodes": [{"name": "Order shipped"}]}`), at(t, found, "workflows"), "workflows")

	changed := b.must(t, `mutation($id: ID!) {
		setWorkflowActive(id: $id, active: false) { workflow { status } }
		updateWorkflow(input: {id: $id, name: "Sent", publish: true}) { workflow { name publishedNumber } }
		duplicateWorkflow(id: $id, name: "Copy") { workflow { identifier published { number } } }
		deleteWorkflow(id: $id) { workflow { deleted } }
	}`, variables)
	subset(t, object(t, `{"setWorkflowActive": {"workflow": {"status": "INACTIVE"}}, "updateWorkflow": {"workflow": {"name": "Sent", "publishedNumber": 2}},
		"duplicateWorkflow": {"workflow": {"identifier": "copy", "published": null}}, "deleteWorkflow": {"workflow": {"deleted": true}}}`), changed, "changed")

	broken := b.ask(t, b.key, createWorkflow, map[string]any{"in": map[string]any{
		"name": "Broken", "definition": map[string]any{"steps": []any{map[string]any{"type": "DELAY", "delay": map[string]any{"type": "REGULAR"}}}},
	}})
	require.Equal(t, "VALIDATION", broken.code())
}

func TestWorkflowSurroundingsOverGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.must(t, `mutation {
		createLayout(input: {name: "Main", content: "<p>{{content}}</p>", isDefault: true}) { layout { id identifier isDefault } }
		createNotificationGroup(input: {name: "Orders"}) { notificationGroup { id identifier parentId } }
		createTranslation(input: {locale: "de", content: {hello: "Hallo"}}) { translation { id locale content } }
	}`, nil)
	subset(t, object(t, `{"createLayout": {"layout": {"identifier": "main", "isDefault": true}}, "createNotificationGroup": {"notificationGroup": {"identifier": "orders", "parentId": null}},
		"createTranslation": {"translation": {"locale": "de", "content": {"hello": "Hallo"}}}}`), made, "made")
	ids := map[string]any{
		"l": at(t, made, "createLayout", "layout", "id"), "g": at(t, made, "createNotificationGroup", "notificationGroup", "id"), "t": at(t, made, "createTranslation", "translation", "id"),
	}
	found := b.must(t, `query($l: ID!, $g: ID!, $t: ID!) {
		layout(id: $l) { name } layoutByIdentifier(identifier: "main") { name } layouts(filter: {isDefault: true}) { nodes { name } }
		notificationGroup(id: $g) { name } notificationGroupByIdentifier(identifier: "orders") { name } notificationGroups(orderBy: {field: NAME}) { nodes { name } }
		translation(id: $t) { locale } translationByLocale(locale: "de") { locale } translations { nodes { locale } }
		a: node(id: $l) { id } b: node(id: $g) { id } c: node(id: $t) { id }
	}`, ids)
	subset(t, object(t, `{"layouts": {"nodes": [{"name": "Main"}]}, "notificationGroups": {"nodes": [{"name": "Orders"}]}, "translations": {"nodes": [{"locale": "de"}]}}`), found, "found")
	changed := b.must(t, `mutation($l: ID!, $g: ID!, $t: ID!) {
		updateLayout(input: {id: $l, content: "x", isDefault: false}) { layout { content isDefault } }
		updateNotificationGroup(input: {id: $g, name: "Sales", parent: null}) { notificationGroup { name } }
		updateTranslation(input: {id: $t, content: {bye: "Tschüs"}}) { translation { content } }
		deleteLayout(id: $l) { deletedId } deleteNotificationGroup(id: $g) { deletedId } deleteTranslation(id: $t) { deletedId }
	}`, ids)
	subset(t, object(t, `{"updateLayout": {"layout": {"content": "x", "isDefault": false}}, "updateNotificationGroup": {"notificationGroup": {"name": "Sales"}},
		"updateTranslation": {"translation": {"content": {"bye": "Tschüs"}}}}`), changed, "changed")
}
