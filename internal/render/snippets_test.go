package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

func withSnippets(snippets map[string]string) render.Bindings {
	return render.Vars{
		Payload:  map[string]any{"name": "<Ada>", "items": []any{"a", "b"}},
		Snippets: snippets,
		Env:      map[string]any{"SHOP": "a&b"},
		Texts:    render.Translations{"de": {"hello": "Hallo"}}.For("de", "en"),
	}.Bind()
}

func TestSnippets(t *testing.T) {
	t.Parallel()
	e := newEngine()
	b := withSnippets(map[string]string{
		"plain": "fixed", "greet": "Hi {{ name }}", "isolated": "[{{ payload.name }}{{ x }}]", "key": "{{ 'hello' | t }}",
		"shop": "{{ env.SHOP }}", "shops": "{% render 'shop' %}", "list": "{% for i in list %}{{ i }}{{ sep }}{% endfor %}", "outer": "<{% render 'greet', name: who %}>", "assigns": "{% assign x = 'in' %}",
	})
	for name, tc := range map[string]struct{ template, text, html string }{
		"Literal":        {`{% render "plain" %}`, "fixed", "fixed"},
		"Argument":       {`{% render "greet", name: payload.name %}!`, "Hi <Ada>!", "Hi &lt;Ada&gt;!"},
		"Filter":         {`{% render 'greet', name: payload.name | upcase %}`, "Hi <ADA>", "Hi &lt;ADA&gt;"},
		"FilterArgument": {`{% render 'list', list: payload.items | reverse, sep: payload.none | default: "," %}`, "b,a,", "b,a,"},
		"TextWithComma":  {`{% render 'greet', name: "a, b: c" %}`, "Hi a, b: c", "Hi a, b: c"},
		"Isolated":       {`{% assign x = 1 %}{% render "isolated" %}`, "[]", "[]"},
		"NoWayOut":       {`{% assign x = 'out' %}{% render "assigns" %}{{ x }}`, "out", "out"},
		"Nested":         {`{% render "outer", who: "B" %}`, "<Hi B>", "<Hi B>"},
		"Translated":     {`{%- render "key" -%}`, "Hallo", "Hallo"},
		"InLoop":         {`{% for i in payload.items %}{% render "greet", name: i %}{% endfor %}`, "Hi aHi b", "Hi aHi b"},
		"InCapture":      {`{% capture c %}{% render "greet", name: "C" %}{% endcapture %}{{ c }}`, "Hi C", "Hi C"},
		"KeywordName":    {`{% render "greet", limit: 1, name: 2 %}`, "Hi 2", "Hi 2"},
		"Environment":    {`{% assign env = 1 %}{% render "shops" %}`, "a&b", "a&amp;b"},
		"EnvAsArgument":  {`{% render "shop", env: payload %}`, "", ""},
		"Hidden":         {`{{ _snippets }}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, e.Check(tc.template, true))
			text, err := e.Text(t.Context(), tc.template, b)
			require.NoError(t, err)
			assert.Equal(t, tc.text, text)
			html, err := e.HTML(t.Context(), tc.template, b)
			require.NoError(t, err)
			assert.Equal(t, tc.html, html)
		})
	}
}

func TestSnippetFaults(t *testing.T) {
	t.Parallel()
	e := newEngine()
	b := withSnippets(map[string]string{
		"bad": "line\n{{ 1 | divided_by: 0 }}", "self": `{% render "self" %}`, "open": "{% if %}",
		"loop": "{% for i in (1..90000) %}{% endfor %}", "big": strings.Repeat("x", 200_000),
	})
	for template, want := range map[string]string{
		`{% render "gone" %}`:                          `snippet "gone": there is no such snippet`,
		`{% render "bad" %}`:                           `snippet "bad": template line 2`,
		`{% render "self" %}`:                          "nested too deeply",
		`{% render "open" %}`:                          `snippet "open"`,
		`{% render "loop" %}{% render "loop" %}`:       render.ErrTooManySteps.Error(),
		strings.Repeat(`{% render "big" %}`, 6):        render.ErrOutputTooLarge.Error(),
		`{% assign _snippets = 1 %}{% render "big" %}`: "there is no such snippet",
	} {
		_, err := e.Text(t.Context(), template, b)
		require.ErrorContains(t, err, want, template)
	}
	for _, template := range []string{
		`{% render %}`, `{% render name %}`, `{% render "" %}`, `{% render "a" b: 1 %}`, `{% render "a", b %}`, `{% render "a", b: %}`,
		`{% render "a", b.c: 1 %}`, `{% render "a", _texts: 1 %}`, `{% render "a" | t %}`, `{% render "a", b: 1 | nofilter: %}`,
	} {
		require.Error(t, e.Check(template, false), template)
	}
}

// Snippets that double their content at each level are held by the bound of the output, not by that of the levels alone.
func TestSnippetsOfSnippetsAreBounded(t *testing.T) {
	t.Parallel()
	snippets := map[string]string{"s0": strings.Repeat("x", 1000)}
	for i := 1; i < workflow.MaxSnippetDepth; i++ {
		snippets[fmt.Sprintf("s%d", i)] = strings.Repeat(fmt.Sprintf(`{%% render "s%d" %%}`, i-1), 20)
	}
	limits := render.DefaultLimits()
	limits.Time = stall.Limit(time.Minute) // a busy machine is not to reach the bound of time first
	_, err := render.New(limits).Text(t.Context(), fmt.Sprintf(`{%% render "s%d" %%}`, workflow.MaxSnippetDepth-1), withSnippets(snippets))
	require.ErrorIs(t, err, render.ErrOutputTooLarge)
}

func TestSnippetsOf(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"a", "b"}, render.SnippetsOf(`{% render "b" %}{% if x %}{%- render 'a', y: 1 -%}{% endif %}{% render "b" %}`))
	assert.Empty(t, render.SnippetsOf(`{% raw %}{% render "b" %}{% endraw %}{% comment %}{% render "c" %}{% endcomment %} render "d"`))
}

func TestAnalyzeSeesArguments(t *testing.T) {
	t.Parallel()
	faults := newEngine().Analyze(`{% render "a", name: payload.x, other: nothing | upcase, third: subscriber.firstName %}`, workflow.TemplateScope{})
	require.Len(t, faults, 1)
	assert.Equal(t, "nothing", faults[0].Variable)
}
