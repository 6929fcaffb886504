package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWorkflowIssues(t *testing.T) {
	t.Parallel()
	b := setup(t)
	save := func(body string) []any {
		in := map[string]any{"name": "w " + body, "definition": map[string]any{"steps": []any{map[string]any{
			"type": "SMS", "stepId": "text", "sms": map[string]any{"body": body},
		}}}}
		made := b.must(t, `mutation($in: CreateWorkflowInput!) { createWorkflow(input: $in) { workflow { issues { stepId key issueType variableName } } } }`, map[string]any{"in": in})
		return at(t, made, "createWorkflow", "workflow", "issues").([]any)
	}
	b.must(t, `mutation { createTranslation(input: {locale: "en", content: {greeting: "Hello"}}) { translation { id } } }`, nil)
	b.must(t, `mutation { createTranslation(input: {locale: "de", content: {greeting: "Hallo", only: "nur"}}) { translation { id } } }`, nil)
	require.Empty(t, save("{{ 'greeting' | t }} {{ payload.x }}"))
	require.Equal(t, []any{map[string]any{"stepId": "text", "key": "body", "issueType": "MISSING_VALUE", "variableName": "only"}}, save("{{ 'only' | t }}"))
	require.Equal(t, []any{
		map[string]any{"stepId": "text", "key": "body", "issueType": "ILLEGAL_VARIABLE_IN_CONTROL_VALUE", "variableName": "subscriber.nickname"},
	}, save("{{ subscriber.nickname }}"))
}

func TestMissingTranslations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must(t, `mutation {
		en: createTranslation(input: {locale: "en", content: {a: "A"}}) { translation { id } } de: createTranslation(input: {locale: "de", content: {b: "B"}}) { translation { id } }
		createSnippet(input: {name: "Footer", content: "{{ 'b' | t }}"}) { snippet { id } }
	}`, nil)
	page := "nodes { key locales usages { kind name path line } } pageInfo { hasNextPage } totalCount"
	first := b.must(t, `{ missingTranslations(first: 1) { edges { cursor } `+page+` } }`, nil)
	subset(t, object(t, `{"missingTranslations": {"nodes": [{"key": "a", "locales": ["de"], "usages": []}], "pageInfo": {"hasNextPage": true}, "totalCount": 2}}`), first, "first")
	edge := at(t, first, "missingTranslations", "edges").([]any)[0]
	rest := b.must(t, `query($after: String) { missingTranslations(first: 1, after: $after) { `+page+` } }`, map[string]any{"after": at(t, edge, "cursor")})
	subset(t, object(t, `{"missingTranslations": {"nodes": [{"key": "b", "locales": ["en"], "usages": [
		{"kind": "SNIPPET", "name": "footer", "path": "content", "line": 1}]}], "pageInfo": {"hasNextPage": false}}}`), rest, "rest")
	used := b.must(t, `{ missingTranslations(filter: {used: true, localeIn: ["de"]}) { totalCount totalCountCapped } }`, nil)
	require.Equal(t, map[string]any{"totalCount": 0.0, "totalCountCapped": false}, used["missingTranslations"])
	refused := b.ask(t, b.key, `{ `+many(10, `a#:missingTranslations(first: 1) { nodes { key } }`)+` }`, nil)
	require.Equal(t, "COMPLEXITY_LIMIT_EXCEEDED", refused.code(), "each reads all templates")
}

// TestWorkflowsRefuseWhatIsNeverMeant: every templated place refuses an object that is not closed, and a throttle lets at
// least one run through.
func TestWorkflowsRefuseWhatIsNeverMeant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	refused := func(t *testing.T, step map[string]any) (paths []string) {
		t.Helper()
		in := map[string]any{"name": "w", "definition": map[string]any{"steps": []any{step}}}
		r := b.ask(t, b.key, `mutation($in: CreateWorkflowInput!) { createWorkflow(input: $in) { workflow { id } } }`, map[string]any{"in": in})
		require.NotEmpty(t, r.Errors, "%v", step)
		fields, _ := r.Errors[0].Extensions["fields"].([]any)
		for _, f := range fields {
			paths = append(paths, at(t, f, "path").(string))
		}
		return paths
	}
	const open, tag = "Hi {{ payload.name", "Hi {% if payload.name"
	in := func(path string) []string { return []string{"definition.steps.0." + path} }
	filter := []any{map[string]any{"type": "TEXT", "value": "AND", "children": []any{map[string]any{"on": "PAYLOAD", "field": "a", "operator": "EQUAL", "value": "1"}}}}
	for path, step := range map[string]map[string]any{
		"inApp.body":    {"type": "IN_APP", "inApp": map[string]any{"body": open}},
		"inApp.subject": {"type": "IN_APP", "inApp": map[string]any{"body": "x", "subject": tag}},
		"inApp.primaryAction.url": {"type": "IN_APP", "inApp": map[string]any{
			"body": "x", "primaryAction": map[string]any{"label": "Go", "url": "https://a/{{ payload.id"},
		}},
		"inApp.data.deep.text":   {"type": "IN_APP", "inApp": map[string]any{"body": "x", "data": map[string]any{"deep": map[string]any{"text": open}}}},
		"email.subject":          {"type": "EMAIL", "email": map[string]any{"subject": open, "html": "x"}},
		"email.html":             {"type": "EMAIL", "email": map[string]any{"subject": "x", "html": tag}},
		"email.preheader":        {"type": "EMAIL", "email": map[string]any{"subject": "x", "html": "x", "preheader": open}},
		"email.blocks.0.content": {"type": "EMAIL", "email": map[string]any{"subject": "x", "blocks": []any{map[string]any{"type": "TEXT", "content": open}}}},
		"sms.body":               {"type": "SMS", "sms": map[string]any{"body": open}},
		"chat.body":              {"type": "CHAT", "chat": map[string]any{"body": open}},
		"push.subject":           {"type": "PUSH", "push": map[string]any{"subject": open, "body": "x"}},
		"custom.url":             {"type": "CUSTOM", "custom": map[string]any{"url": "https://a.example/{{ payload.id"}},
		"custom.headers.X-A":     {"type": "CUSTOM", "custom": map[string]any{"url": "https://a.example/", "headers": map[string]any{"X-A": open}}},
		"custom.body":            {"type": "CUSTOM", "custom": map[string]any{"url": "https://a.example/", "body": `{"a": "{{ payload.id"}`}},
		"trigger.payload.a":      {"type": "TRIGGER", "trigger": map[string]any{"workflow": "other", "payload": map[string]any{"a": open}}},
		"variants.0.sms.body":    {"type": "SMS", "sms": map[string]any{"body": "x"}, "variants": []any{map[string]any{"name": "v", "filters": filter, "sms": map[string]any{"body": open}}}},
		"throttle.threshold":     {"type": "THROTTLE", "throttle": map[string]any{"threshold": 0, "amount": 1, "unit": "HOURS"}},
		"throttle.threshold ":    {"type": "THROTTLE", "throttle": map[string]any{"threshold": -3, "amount": 1, "unit": "HOURS"}},
	} {
		require.Equal(t, in(strings.TrimSpace(path)), refused(t, step), path)
	}
	refused(t, map[string]any{"type": "THROTTLE", "throttle": map[string]any{"threshold": 1.5, "amount": 1, "unit": "HOURS"}})

	r := b.ask(t, b.key, `mutation($content: String!) { createLayout(input: {name: "l", content: $content}) { layout { id } } }`, map[string]any{"content": "<p>{{ content"})
	require.Equal(t, "VALIDATION", r.code())
	made := b.must(t, `mutation { createWorkflow(input: {name: "calm", definition: {steps: [{type: THROTTLE, throttle: {amount: 1, unit: HOURS}}]}}) {
	workflow {
		draft { steps { throttle { threshold } } }
	}
} }`, nil)
	step := at(t, made, "createWorkflow", "workflow", "draft", "steps").([]any)[0]
	require.Equal(t, 1.0, at(t, step, "throttle", "threshold"))
}
