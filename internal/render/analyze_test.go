package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

func TestAnalyze(t *testing.T) {
	t.Parallel()
	scope := workflow.TemplateScope{
		Steps: []string{"wait"},
		PayloadSchema: map[string]any{"type": "object", "properties": map[string]any{
			"order": map[string]any{"type": "object", "properties": map[string]any{
				"items": map[string]any{"type": "array", "items": map[string]any{
					"properties": map[string]any{"name": map[string]any{"type": "string"}},
				}},
			}},
			"free": map[string]any{"type": "object"},
			"open": map[string]any{"properties": map[string]any{"a": map[string]any{}}, "additionalProperties": true},
		}},
	}
	e := newEngine()
	for _, ok := range []string{
		"plain", "{{ payload.order.items.size | plus: '3' | truncate: \"5\" }}", "{% assign i = 0 %}{{ payload.order.items[i].name }}{{ payload.order.items[i].x[i].y | upcase }}", "{{ payload.order.items[0].name }}", "{{ payload.order.items.size }}", "{{ payload.free.any.thing }}",
		"{{ payload.open.b }}", "{{ subscriber.data.tier | upcase }}", "{{ steps.wait.total_count }}", "{{ step.events.first }}",
		"{% for i in payload.order.items %}{{ i.whatever }} {{ forloop.index }}{% endfor %}",
		"{% assign x = payload.free %}{{ x.y }}", "{% capture c %}a{% endcapture %}{{ c }}", "{{ 'k' | t }}",
		"{{ 'a' | truncate: 5, '…' }}", "{{ context.region.id }}", "{% raw %}{{ nope }}{% endraw %}", "{{ payload.free | default: nil }}",
	} {
		require.Empty(t, e.Analyze(ok, scope), ok)
	}
	for template, want := range map[string]workflow.TemplateFault{
		"{{ payload.nope }}":             {Type: workflow.IssueIllegalVariable, Variable: "payload.nope"},
		"{{ payload.order.items[0].x }}": {Type: workflow.IssueIllegalVariable, Variable: "payload.order.items.0.x"},
		"{{ name }}":                     {Type: workflow.IssueIllegalVariable, Variable: "name"},
		"{{ subscriber.nickname }}":      {Type: workflow.IssueIllegalVariable, Variable: "subscriber.nickname"},
		"{{ steps.later.x }}":            {Type: workflow.IssueIllegalVariable, Variable: "steps.later.x"},
		"{% if nope %}{% endif %}":       {Type: workflow.IssueIllegalVariable, Variable: "nope"},
		"{{ payload.free | nope }}":      {Type: workflow.IssueInvalidFilterArg, Variable: "payload.free"},
		"{{ payload.free | append }}":    {Type: workflow.IssueInvalidFilterArg, Variable: "payload.free"},
		"{{ payload.free | upcase: 1 }}": {Type: workflow.IssueInvalidFilterArg, Variable: "payload.free"},
		"{{ payload.free | plus: 'x' }}": {Type: workflow.IssueInvalidFilterArg, Variable: "payload.free"},
		"{{ 'a' | truncate: 'x' }}":      {Type: workflow.IssueInvalidFilterArg},
		"{% if true %}":                  {Type: workflow.IssueIllegalVariable},
		"{{ payload. }}":                 {Type: workflow.IssueIllegalVariable},
	} {
		got := e.Analyze(template, scope)
		require.Len(t, got, 1, template)
		require.NotEmpty(t, got[0].Message)
		got[0].Message = ""
		require.Equal(t, want, got[0], template)
	}
	require.Empty(t, e.AnalyzeLayout("<html>{{ subject }}{{ content }}{{ preheader }}</html>"))
	require.Len(t, e.AnalyzeLayout("{{ contents }}"), 1)
}

func TestVariables(t *testing.T) {
	t.Parallel()
	got, err := newEngine().Variables("{{ payload.a }}{% for x in payload.b %}{{ x.c | append: subscriber.email }}{% endfor %}", false)
	require.NoError(t, err)
	require.Equal(t, []string{"payload.a", "payload.b", "subscriber.email", "x.c"}, got)
	_, err = newEngine().Variables("{% if %}", false)
	require.Error(t, err)
}

func TestAnalyzeTranslations(t *testing.T) {
	t.Parallel()
	scope := workflow.TemplateScope{Translation: func(key string) (string, bool) { return "", key == "known" }}
	for _, ok := range []string{"{{ 'known' | t }}", "{{ payload.key | t }}", "{{ 'un' | append: 'kempt' | t }}", "{{ 'unknown' }}"} {
		require.Empty(t, newEngine().Analyze(ok, scope), ok)
	}
	for _, bad := range []string{"{{ 'unknown' | t }}", `{% assign x = "unknown" | t %}`} {
		got := newEngine().Analyze(bad, scope)
		require.Len(t, got, 1, bad)
		require.Equal(t, []string{workflow.IssueMissingValue, "unknown"}, []string{got[0].Type, got[0].Variable})
	}
}
