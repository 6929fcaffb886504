package graph_test

import (
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
		made := b.must(t, `mutation($in: CreateWorkflowInput!) { createWorkflow(input: $in) { issues { stepId key issueType variableName } } }`, map[string]any{"in": in})
		return made["createWorkflow"].(map[string]any)["issues"].([]any)
	}
	b.must(t, `mutation { createTranslation(input: {locale: "en", content: {greeting: "Hello"}}) { id } }`, nil)
	b.must(t, `mutation { createTranslation(input: {locale: "de", content: {greeting: "Hallo", only: "nur"}}) { id } }`, nil)
	require.Empty(t, save("{{ 'greeting' | t }} {{ payload.x }}"))
	require.Equal(t, []any{map[string]any{"stepId": "text", "key": "body", "issueType": "MISSING_VALUE", "variableName": "only"}}, save("{{ 'only' | t }}"))
	require.Equal(t, []any{
		map[string]any{"stepId": "text", "key": "body", "issueType": "ILLEGAL_VARIABLE_IN_CONTROL_VALUE", "variableName": "subscriber.nickname"},
	}, save("{{ subscriber.nickname }}"))
}
