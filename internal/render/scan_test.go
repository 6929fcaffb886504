package render_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// TestScan: what authors write beyond objects of one line and block tags.
func TestScan(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"s":"Ann","n":7,"list":["b","a"],"lines":"x\ny"}`)
	for template, want := range map[string]string{
		"{{ payload.list\n | sort\n | join: ', ' }}":                             "a, b",
		"{{\n  payload.s\n}}":                                                    "Ann",
		"a {{- payload.s -}} b {{- payload.s }} c":                               "aAnnbAnn c",
		"a {{-\n payload.s\r\n | upcase -}} b":                                   "aANNb",
		"{{ payload.s | append: 'x\ny' }}":                                       "Annx\ny",
		`{{ payload.lines | replace: "\n", "<br>" }}`:                            "x<br>y",
		`{{ payload.lines | split: '\n' | join: '\t' }}`:                         "x\ty",
		`{{ 'a\\b' }}{% assign x = 'a\nb' %}{{ x }}`:                             "a\\ba\nb",
		`{% if payload.lines == "x\ny" %}yes{% endif %}`:                         "yes",
		`{% render "s", x: 'a\nb' %}`:                                            "a\nb",
		"{% # a comment %}x {%- # {{ payload.s }} ' -%} y":                       "xy",
		"{%#%}{%\n# two\n# lines %}{% # raw %}x":                                 "x",
		"{% echo payload.s %} {%- echo payload.s | upcase -%} {% echo %}":        "AnnANN",
		"{% raw %}{% # x %}{% liquid\necho 1 %}{{ a\n}}{% echo 2 %}{% endraw %}": "{% # x %}{% liquid\necho 1 %}{{ a\n}}{% echo 2 %}",
		"{% comment %}{{ a {% endcomment %}{{ payload.s }}":                      "Ann",
		"{% liquid %}{% liquid\n\n%}x":                                           "x",
		"a {%- liquid\n# {{ it's }}\nassign x = payload.n\n\nif x == 7\n  echo 'seven'\nelse\n  echo x\nendif\nfor i in payload.list\n\techo i | upcase\nendfor -%} b": "asevenBAb",
		"{% liquid\ncase payload.n\nwhen 7\necho 1\nendcase\ncomment\nno tag\nendcomment\ncapture x\necho payload.s\nendcapture\necho x %}":                            "1Ann",
	} {
		vars := render.Vars{Payload: map[string]any{"s": "Ann"}, Snippets: map[string]string{"s": "{{ x }}"}}
		with := b
		if strings.Contains(template, "render") {
			with = vars.Bind()
		}
		got, err := newEngine().Text(t.Context(), template, with)
		if assert.NoError(t, err, template) {
			assert.Equal(t, want, got, template)
		}
		assert.NoError(t, newEngine().Check(template, true), template)
		assert.Empty(t, newEngine().Analyze(template, workflow.TemplateScope{}), template)
	}
}

// TestLinesOfFaults are those of the template, whatever lies before.
func TestLinesOfFaults(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		"{{\n 'a'\n | upcase\n}}\n{% nope %}":                          `template line 5: undefined tag "nope" in {% nope %}`,
		"{%\n\n if true\n%}\n{% endif %}{% nope %}":                    `template line 5: undefined tag "nope" in {% nope %}`,
		"{% # a\n# b\n%}\n{% comment %}\n\n{% endcomment %}{% nope %}": `template line 6: undefined tag "nope" in {% nope %}`,
		"{% liquid\n assign x = 1\n\n # c\n nope x\n echo x %}":        `template line 5: undefined tag "nope" in {% nope x %}`,
		"{% liquid\n assign x = 1\n\n%}\n{% nope %}":                   `template line 5: undefined tag "nope" in {% nope %}`,
	} {
		assert.EqualError(t, newEngine().Check(template, false), want, template)
	}
}

// TestScanListsVariables: the variables of a template include those of its comments never, those of the tag liquid always.
func TestScanListsVariables(t *testing.T) {
	t.Parallel()
	got, err := newEngine().Variables("{% # payload.no %}{% liquid\nassign x = payload.a\necho payload.b | append: payload.c %}{{ payload.d\n| append: payload.e }}", false)
	require.NoError(t, err)
	require.Equal(t, []string{"payload.a", "payload.b", "payload.c", "payload.d", "payload.e"}, got)
	source := "{% # 'no' | t %}\n{% liquid\n\n  echo 'yes' | t\n  render 'footer', a: 1\n%}\n{{\n'more'\n| t }}"
	require.Equal(t, []render.KeyUse{{Key: "yes", Line: 4}, {Key: "more", Line: 8}}, render.KeysOf(source))
	require.Equal(t, []string{"footer"}, render.SnippetsOf(source))
}

// TestScanIsLinear: a stranger's text of a megabyte is scanned at once.
func TestScanIsLinear(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"{{ ", "{% ", "{{{", "{% a ", "{{\n", "{% raw %}", "{% # ", "{{ a }", "{% liquid\n", "{{ a\n{{ b }}"} {
		begin := time.Now()
		_ = newEngine().Check(strings.Repeat(part, (1<<20)/len(part)), true)
		assert.Less(t, time.Since(begin), 20*time.Second, part)
	}
}
