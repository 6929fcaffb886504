package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

// messages are the texts of the faults of a template.
func messages(template string, scope workflow.TemplateScope) (texts []string) {
	for _, f := range newEngine().Analyze(template, scope) {
		texts = append(texts, f.Message)
	}
	return texts
}

// TestAnalyzeSnippets: a snippet sees its arguments and env, is analyzed once for each set of arguments, and names itself in
// its faults; the variables of the template around it are not its own.
func TestAnalyzeSnippets(t *testing.T) {
	t.Parallel()
	const noVariable = "Snippet who: There is no variable "
	const sees = ": it sees its arguments and env only."
	for _, c := range []struct {
		name, template string
		snippets       map[string]string
		want           []string
	}{
		{"Argument", `{% render "who", name: payload.a %}`, map[string]string{"who": "{{ name.first }}{{ env.SITE }}"}, nil},
		{"NoArgument", `{% render "who" %}`, map[string]string{"who": "{{ name }}"}, []string{noVariable + "name" + sees}},
		{"OuterLocal", `{% assign name = 'x' %}{% render "who" %}`, map[string]string{"who": "{{ name }}"}, []string{noVariable + "name" + sees}},
		{"OuterRoot", `{% render "who" %}`, map[string]string{"who": "{{ subscriber.email }}"}, []string{noVariable + "subscriber.email" + sees}},
		{"OwnLocal", `{% render "who" %}`, map[string]string{"who": "{% for i in env.LIST %}{{ i }}{{ forloop.index }}{% endfor %}"}, nil},
		{"SnippetLocal", `{% render "who" %}{{ inner }}`, map[string]string{"who": "{% assign inner = 1 %}"}, []string{"There is no variable inner."}},
		{
			"EachSetOfArguments", `{% render "who", b: 1, name: 'a' %}{% render "who", name: 'a' %}{% render "who", b: 1 %}`,
			map[string]string{"who": "{{ name }}{{ b }}"},
			[]string{noVariable + "b" + sees, noVariable + "name" + sees},
		},
		{
			"Within", `{% render "outer" %}`,
			map[string]string{"outer": `{% render "who", name: 1 %}{{ x }}`, "who": "{{ name }}{{ y }}"},
			[]string{"Snippet outer: There is no variable x" + sees, noVariable + "y" + sees},
		},
		{"Itself", `{% render "who" %}`, map[string]string{"who": `{% render "who" %}{{ x }}`}, []string{noVariable + "x" + sees}},
		{"FaultsOfArguments", `{% render "who", name: nope %}`, map[string]string{"who": "{{ name }}"}, []string{"There is no variable nope."}},
		{"NotAsked", `{% render "who" %}`, nil, nil},
	} {
		require.Equal(t, c.want, messages(c.template, workflow.TemplateScope{Snippets: c.snippets, Strict: true}), c.name)
	}
}

// TestAnalyzeEnvironment: a template names variables that the environment has, and secret ones only where they may be used.
func TestAnalyzeEnvironment(t *testing.T) {
	t.Parallel()
	scope := workflow.TemplateScope{Variables: map[string]bool{"SITE": false, "TOKEN": true}}
	require.Empty(t, messages("{{ env.SITE }}", scope))
	require.Equal(t, []string{"The environment has no variable NOPE."}, messages("{{ env.NOPE }}", scope))
	require.Equal(t, []string{"Name a variable of the environment: env.NAME."}, messages("{{ env }}", scope))
	require.Len(t, messages("{{ env.TOKEN }}", scope), 1)
	faults := newEngine().Analyze("{{ env.TOKEN }}{{ env.NOPE }}", scope)
	require.Equal(t, []bool{true, false}, []bool{faults[0].Secret, faults[1].Secret})
	scope.Snippets = map[string]string{"key": "{{ env.TOKEN }}{{ argument }}"}
	require.Equal(t, []string{"Snippet key: The variable TOKEN is secret: only credentials of integrations and headers of HTTP steps can use it."},
		messages(`{% render "key" %}`, scope), "an argument may be left out")
	scope.Secrets = true
	require.Empty(t, messages(`{% render "key" %}`, scope))
	require.Empty(t, messages("{{ env.TOKEN }}", scope))
	require.Empty(t, messages("{{ env.ANY }}", workflow.TemplateScope{}), "they are not known")
}

// TestAnalyzeOpenSchemas: a schema that can allow more than its properties refuses no name; one that cannot does.
func TestAnalyzeOpenSchemas(t *testing.T) {
	t.Parallel()
	for key, c := range map[string]struct {
		value any
		open  bool
	}{
		"$ref": {"#/$defs/a", true}, "$dynamicRef": {"#a", true}, "allOf": {[]any{}, true}, "anyOf": {[]any{}, true}, "oneOf": {[]any{}, true},
		"if": {map[string]any{}, true}, "patternProperties": {map[string]any{}, true}, "dependentSchemas": {map[string]any{}, true},
		"additionalProperties": {map[string]any{"type": "string"}, true}, "title": {"Order", false}, "required": {[]any{"a"}, false},
	} {
		scope := workflow.TemplateScope{PayloadSchema: map[string]any{"properties": map[string]any{"a": map[string]any{}}, key: c.value}}
		require.Empty(t, messages("{{ payload.a }}{{ payload.a.any }}", scope), key)
		require.Equal(t, c.open, len(messages("{{ payload.nope }}", scope)) == 0, key)
	}
	closed := workflow.TemplateScope{PayloadSchema: map[string]any{"properties": map[string]any{}, "additionalProperties": false}}
	require.Equal(t, []string{"The payload schema has no payload.nope."}, messages("{{ payload.nope }}", closed))
	require.Empty(t, messages("{{ payload }}{{ payload.size }}", closed))
	require.Empty(t, messages("{{ payload.any }}", workflow.TemplateScope{PayloadSchema: map[string]any{"type": "object"}}), "it names no properties")
}

// TestAnalyzeFilterArguments: each filter takes as many arguments as it has, in a chain each its own, and numbers where it
// counts.
func TestAnalyzeFilterArguments(t *testing.T) {
	t.Parallel()
	for template, want := range map[string][]string{
		"{{ 'a' | replace: 'a', 'b' }}":                nil,
		"{{ 'a' | replace: 'a' }}":                     {"The filter replace takes 2 argument(s), not 1."},
		"{{ 'a' | replace: 'a', 'b', 'c' }}":           {"The filter replace takes 2 argument(s), not 3."},
		"{{ 'a' | upcase: 1 }}":                        {"The filter upcase takes no argument, not 1."},
		"{{ 'a' | slice }}":                            {"The filter slice takes 1 to 2 arguments, not 0."},
		"{{ 'a' | slice: 0, 1 | append: 'b' | size }}": nil,
		"{{ 'a' | slice: 0, 'b' }}":                    {"The filter slice needs a number, not 'b'."},
		"{{ 'a' | truncate: 3, 4 }}":                   nil,
		"{{ 'a' | truncatewords: 'x', '…' }}":          {"The filter truncatewords needs a number, not 'x'."},
		"{{ 'a' | append }}{{ 'b' | append }}":         {"The filter append takes 1 argument(s), not 0."},
		"{{ nope }}{{ nope }}{{ nope | upcase }}":      {"There is no variable nope."},
		"{{ nope }}{{ none }}":                         {"There is no variable nope.", "There is no variable none."},
	} {
		require.Equal(t, want, messages(template, workflow.TemplateScope{}), template)
	}
}
