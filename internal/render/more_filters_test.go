package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// TestFiltersOfOtherEngines: the filters that templates bring along from elsewhere.
func TestFiltersOfOtherEngines(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"s":"a-b-a","no":false,"none":null,"e":"","list":[3,1,2],"x":"<b>&","items":[{"n":"x","k":"a","v":1},{"n":"y","k":"b","v":false},{"n":"z","k":"a"},{"n":"w"}],
		"names":["Ann","Bob","Cid"],"title":"  Größe & Maß: Ça va?  ","cjk":"你好 world 再见","at":"https://e.org/a b?x=1&y=ü#z"}`)
	for template, want := range map[string]string{
		"{{ payload.s | replace_last: 'a', 'c' }} {{ payload.s | remove_last: 'a' }} {{ payload.s | remove_last: 'q' }}":                                              "a-b-c a-b- a-b-a",
		"{{ 'Hellö 👍' | base64_encode }} {{ 'SGVsbMO2IPCfkY0=' | base64_decode }} {{ 'SGVsbMO2IPCfkY0' | base64_decode }}":                                            "SGVsbMO2IPCfkY0= Hellö 👍 Hellö 👍",
		"{{ '8J-RjQ' | base64_decode | size }}{{ payload.none | base64_decode }}{{ payload.none | base64_encode }}":                                                   "1",
		"{{ payload.items | has: 'k', 'a' }} {{ payload.items | has: 'k', 'q' }} {{ payload.items | has: 'v' }} {{ payload.none | has: 'v' }}":                        "true false true false",
		"{{ payload.items | find_index: 'n', 'z' }}[{{ payload.items | find_index: 'n', 'q' }}]":                                                                      "2[]",
		"{% assign groups = payload.items | group_by: 'k' %}{% for g in groups %}{{ g.name }}:{{ g.items | map: 'n' | join: ',' }};{% endfor %}":                      "a:x,z;b:y;:w;",
		"{{ payload.list | push: 9 | join }} {{ payload.list | unshift: 'u' | join }} {{ payload.none | push: 1 | join }}":                                            "3 1 2 9 u 3 1 2 1",
		"{{ payload.list | pop | join }} {{ payload.list | shift | join }} {{ payload.none | pop | shift | size }} {{ payload.list | join }}":                         "3 1 1 2 0 3 1 2",
		"{{ payload.names | array_to_sentence_string }}; {{ payload.names | array_to_sentence_string: 'or' }}":                                                        "Ann, Bob, and Cid; Ann, Bob, or Cid",
		"{{ payload.names | pop | array_to_sentence_string }}; {{ payload.names | first | array_to_sentence_string }}; {{ payload.none | array_to_sentence_string }}": "Ann and Bob; Ann; ",
		"[{{ payload.title | normalize_whitespace }}] {{ payload.title | number_of_words }} {{ payload.e | number_of_words }}":                                        "[ Größe &amp; Maß: Ça va? ] 5 0",
		"{{ payload.cjk | number_of_words }} {{ payload.cjk | number_of_words: 'cjk' }} {{ 'a b' | number_of_words: 'auto' }}":                                        "3 5 2",
		"{{ payload.x | xml_escape }} {{ payload.at | uri_escape | raw }} {{ 'a b&c' | cgi_escape }}":                                                                 "&lt;b&gt;&amp; https://e.org/a%20b?x=1&y=%C3%BC#z a+b%26c",
		"{{ payload.title | slugify }} {{ payload.title | slugify: 'latin' }} {{ payload.title | slugify: 'ascii' }}":                                                 "größe-maß-ça-va grosse-mass-ca-va gr-e-ma-a-va",
		"{{ 'A.B c' | slugify: 'pretty' }} {{ 'A,B c' | slugify: 'raw' }} {{ 'A B' | slugify: 'none' }}":                                                              "a.b-c a,b-c a b",
		"{{ payload.list | slice: 9, 2 | json }}{{ payload.none | compact | json }}{{ payload.none | group_by: 'x' | json }}{{ payload.none | shift | json }}":        "[][][][]",
		"{{ payload.list | jsonify }} {{ '3.5' | to_integer }} {{ payload.e | to_integer }}":                                                                          "[3,1,2] 3.5 0",
		"{{ payload.no | default: 'd' }} {{ payload.no | default: 'd', allow_false: true }} {{ payload.no | default: 'd', allow_false: payload.no }}":                 "d false d",
		"{{ payload.e | default: 'd', allow_false: true | upcase }}{% if true %}{{ payload.none | default: 'n', allow_false: true }}{% endif %}":                      "Dn",
	} {
		got, err := newEngine().HTML(t.Context(), template, b)
		if assert.NoError(t, err, template) {
			assert.Equal(t, want, got, template)
		}
		assert.Empty(t, newEngine().Analyze(template, workflow.TemplateScope{HTML: true}), template)
		names, err := newEngine().Variables(template, true)
		require.NoError(t, err)
		assert.NotContains(t, names, "allow_false")
	}
	for template, want := range map[string]string{
		"{{ '***' | base64_decode }}": `template line 1: filter base64_decode: needs a text in base64, not "***"`,
		"{{ '%zz' | url_decode }}":    `template line 1: filter url_decode: needs a text with URL encoding, not "%zz"`,
		"{{ 'a' | slugify: 'q' }}":    `template line 1: filter slugify: knows no "q": default, raw, ascii, latin, pretty and none are its modes`,
	} {
		_, err := newEngine().Text(t.Context(), template, b)
		assert.EqualError(t, err, want, template)
	}
}

// TestOtherFiltersAreBounded by the output that a message may have.
func TestOtherFiltersAreBounded(t *testing.T) {
	t.Parallel()
	limits := render.DefaultLimits()
	limits.Output = 100
	b := bind(t, `{"s":"`+strings.Repeat("ü", 48)+`","l":["`+strings.Repeat("y", 60)+`","`+strings.Repeat("z", 39)+`"]}`)
	for _, template := range []string{
		"{% assign a = payload.s | base64_encode %}", "{% assign a = payload.s | uri_escape %}", "{% assign a = payload.s | cgi_escape %}", "{% assign a = payload.l | array_to_sentence_string %}",
		"{% assign a = payload.l | push: payload.l %}", "{% assign a = payload.l | unshift: payload.l %}", "{% assign a = payload.s | replace_last: 'ü', payload.s %}",
		"{% assign a = payload.l | jsonify %}",
	} {
		_, err := render.New(limits).Text(t.Context(), template, b)
		assert.ErrorIs(t, err, render.ErrOutputTooLarge, template)
	}
}
