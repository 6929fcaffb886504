package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
)

func TestCheckRefusesWhatIsNotClosed(t *testing.T) {
	t.Parallel()
	e := newEngine()
	for _, source := range []string{
		"Hi {{ payload.name", "Hi {{", "{{}}", "{{ a }} and {{ b", "{{ a {{ b }}", "{{ a {% if b %}x{% endif %} {{ c }}",
		"{{ a } text", "{{ 'a }} b",
		"{% if a", "{% if a %}x", "{%", "{% assign a = 1 {{ b }} {% assign c = 2 %}", "{% if a %}x{% endif {{ x }} {% assign b = 1 %}",
		"{% raw %}{{ a }}", "{% comment %} x", "{% comment {% endcomment %}", "{% raw %}{{ a{% endraw %} {{ b", "{{ a }}{% else %",
	} {
		for _, html := range []bool{false, true} {
			require.Error(t, e.Check(source, html), source)
		}
	}
	require.EqualError(t, e.Check("one\ntwo {{ payload.name\nthree", false), "template line 2: {{ is empty or not closed by }}")
	require.EqualError(t, e.Check("one\n\n{% if payload.name", true), "template line 3: {% is empty or not closed by %}")
	require.EqualError(t, e.Check("a {% raw %} b", true), "template: {% raw %} is not closed by {% endraw %}")

	for _, source := range []string{
		"plain", "a }} b %} c", "{ a }", "{{ a }}", "{{-a-}}", "{{\n a \n}}", "{{ a\n| upcase }}", "{{ '{{' }}", `{% assign x = "{%" %}{{ x }}`,
		"{% if a\n  and b %}x{% endif %}", "{% raw %}{{ a{% endraw %}",
		"{% comment %} {{ open {% endcomment %}x", `{"a": {"b": {"c": "{{ payload.x }}"}}}`, "{ {{ a }} }", "{{ a | default: '}' }}",
		"<style>a{b:c}@media x{a{b:c}}</style>{{ a }}",
	} {
		require.NoError(t, e.Check(source, false), source)
	}

	// What was published before continues being rendered as it was.
	text, err := e.Text(t.Context(), "Hi {{ payload.name", render.Vars{}.Bind())
	require.NoError(t, err)
	require.Equal(t, "Hi {{ payload.name", text)
}

// TestErrorsOfTemplatesAreTheAuthors names what the author wrote, and the line once.
func TestErrorsOfTemplatesAreTheAuthors(t *testing.T) {
	t.Parallel()
	e := newEngine()
	for source, want := range map[string]string{
		"{% for x %}{% endfor %}":                          `template line 1: syntax error in {% for x %}`,
		"a\n{% assign = 5 %}":                              `template line 2: syntax error in {% assign = 5 %}`,
		"{{ payload.a | plus: }}":                          `template line 1: syntax error in {{ payload.a | plus: }}`,
		"\n{{ 'x' == payload.a | |\n t }}":                 `template line 2: syntax error in {{ 'x' == payload.a | | t }}`,
		"{% if a contains 'b' == and c.size %}{% endif %}": `template line 1: syntax error in {% if a contains 'b' == and c.size %}`,
		"{% nope %}":                                       `template line 1: undefined tag "nope" in {% nope %}`,
		"{% if x %}":                                       `template line 1: unterminated "if" block in {% if x %}`,
		"{% endif %}":                                      `template line 1: endif not inside a block in {% endif %}`,
	} {
		require.EqualError(t, e.Check(source, false), want, source)
	}
}
