package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const filtered = `{
	"s":"Grüße, Welt","lines":"a\nb","tags":"<p>Hi <b>Ada</b></p><script>x()</script><!-- no --><style>p{}</style>","ws":"  a b \n","words":"one two  three four",
	"n":7,"neg":-7.5,"big":1e21,"huge":123456789012,"yes":true,"none":null,"list":[3,1,2,3,1],"texts":["b","a","C"],"nested":[["a"],["a"],{"k":1},{"k":1},null],
	"people":[{"name":"Bo","age":3},{"name":"Ada","age":1},{"name":"Cy"}],"o":{"k":"<v>"},"empty":"","none_list":[]}`

// TestFilters: each filter as the template language documents it, also over texts that are not ASCII, over numbers and nothing.
func TestFilters(t *testing.T) {
	t.Parallel()
	b := bind(t, filtered)
	for template, want := range map[string]string{
		"{{ payload.s | upcase }}":                              "GRÜßE, WELT",
		"{{ payload.s | downcase }}":                            "grüße, welt",
		"{{ payload.s | size }}":                                "11",
		"{{ payload.s | append: '!' | prepend: '>' }}":          ">Grüße, Welt!",
		"{{ payload.n | append: payload.none | append: 1.50 }}": "71.5",
		"{{ payload.s | replace: 'ü', 'ue' }}":                  "Grueße, Welt",
		"{{ 'aaa' | replace: 'a', 'b' }}":                       "bbb",
		"{{ 'aaa' | replace_first: 'a', 'b' }}":                 "baa",
		"{{ 'aaa' | remove_first: 'a' }}":                       "aa",
		"{{ 'abab' | remove: 'a' }}":                            "bb",
		"{{ payload.n | replace: 7, 8 }}":                       "8",
		"{{ payload.ws | strip }}":                              "a b",
		"[{{ payload.ws | lstrip | rstrip }}]":                  "[a b]",
		"{{ payload.lines | strip_newlines }}":                  "ab",
		"{{ payload.lines | newline_to_br }}":                   "a<br />\nb",
		"{{ payload.tags | strip_html }}":                       "Hi Ada",
		"{{ payload.o.k | escape }}":                            "&lt;v&gt;",
		"{{ '&lt;' | escape_once }}":                            "&lt;",
		"{{ '&lt;' | escape }}":                                 "&amp;lt;",
		"{{ payload.o.k | raw }}":                               "<v>",
		"{{ payload.s | url_encode }}":                          "Gr%C3%BC%C3%9Fe%2C+Welt",
		"{{ 'a%20b' | url_decode }}":                            "a b",

		"{{ payload.s | truncate: 5 }}":              "Gr...",
		"{{ payload.s | truncate: 11 }}":             "Grüße, Welt",
		"{{ payload.s | truncate: 7, '…' }}":         "Grüße,…",
		"{{ payload.s | truncate: 3, 'longer' }}":    "longer",
		"{{ payload.s | truncate: 5, '' }}":          "Grüße",
		"{{ payload.words | truncatewords: 2 }}":     "one two...",
		"{{ payload.words | truncatewords: 4 }}":     "one two  three four",
		"{{ payload.words | truncatewords: 1, '' }}": "one",
		"{{ payload.words | truncatewords: -1 }}":    "one...",
		"{{ payload.s | slice: 2 }}":                 "ü",
		"{{ payload.s | slice: 2, 3 }}":              "üße",
		"{{ payload.s | slice: -4, 2 }}":             "We",
		"{{ payload.s | slice: 9, 99 }}":             "lt",
		"[{{ payload.s | slice: -99, 2 }}]":          "[]",
		"[{{ payload.s | slice: 2, -1 }}]":           "[]",
		"{{ 'ärger IST' | capitalize }}":             "Ärger ist",
		"[{{ payload.empty | capitalize }}]":         "[]",

		"{{ payload.list | join: '-' }}":                                "3-1-2-3-1",
		"{{ payload.list | join }}":                                     "3 1 2 3 1",
		"{{ payload.list }}":                                            "31231",
		"{{ payload.list | uniq | join: ',' }}":                         "3,1,2",
		"{{ payload.nested | uniq | json }}":                            `[["a"],{"k":1},null]`,
		"{{ payload.list | concat: payload.texts | size }}":             "8",
		"{{ payload.list | sort | join: ',' }}":                         "1,1,2,3,3",
		"{{ payload.list | reverse | first }}":                          "1",
		"{{ payload.list | last }}":                                     "1",
		"{{ payload.people | map: 'name' | join: ',' }}":                "Bo,Ada,Cy",
		"{{ payload.people | sort: 'name' | map: 'name' | join: ',' }}": "Ada,Bo,Cy",
		"{{ payload.nested | compact | size }}":                         "4",
		"{{ 'a,b' | split: ',' | join: '+' }}":                          "a+b",
		"[{{ payload.none_list | join: ',' }}]":                         "[]",

		"{{ payload.neg | abs }}":              "7.5",
		"{{ payload.neg | ceil }}":             "-7",
		"{{ payload.neg | floor }}":            "-8",
		"{{ 2.567 | round: 2 }}":               "2.57",
		"{{ payload.n | plus: 1 | times: 2 }}": "16",
		"{{ payload.n | minus: 10 }}":          "-3",
		"{{ payload.n | divided_by: 2.0 }}":    "3.5",
		"{{ payload.n | modulo: 4 }}":          "3",
		"{{ payload.huge }}":                   "123456789012",
		"{{ payload.big }}":                    "1e+21",
		"{{ payload.yes }}":                    "true",
		"[{{ payload.none }}]":                 "[]",
		"{{ payload.none | default: 'd' }}":    "d",
		"{{ payload.empty | default: 'd' }}":   "d",
		"{{ payload.n | default: 'd' }}":       "7",

		"{{ payload.o | json }}":                                      `{"k":"<v>"}`,
		"{{ payload.o | json: 2 }}":                                   "{\n  \"k\": \"<v>\"\n}",
		"{{ payload.texts | inspect }}":                               `["b","a","C"]`,
		"{{ payload.none | json }}":                                   "null",
		"{{ payload.none | type }}{{ payload.yes | type }}":           "nullboolean",
		"{{ payload.s | type }} {{ payload.list | type }}":            "string array",
		"{{ payload.o | type }} {{ payload.n | type }}":               "object number",
		"{{ '2025-03-01' | date: '%d.%m.%y' }}":                       "01.03.25",
		"{{ '2025-03-01T09:30' | date: '%H:%M' }}":                    "09:30",
		"{{ '2025-03-01 09:30:15' | date: '%S' }}":                    "15",
		"{{ '2025-03-01T09:30:00.5+02:00' | date: '%H:%M %z' }}":      "09:30 +0200",
		"{{ '2025-03-01' | date }}":                                   "Sat, Mar 01, 25",
		"{{ 'March 1, 2025' | date: '%Y-%m-%d' }}":                    "2025-03-01",
		"{{ 'soon' | date: '%Y' }} {{ payload.n | date: '%Y' }}":      "soon 1970",
		"{{ 'today' | date: '%Y' }}":                                  "today",
		"{{ '2025-03-01' | date: '%99d' | size }}":                    "99",
		"{{ 'hello' | t }} {{ payload.none | t }}{{ 'missing' | t }}": "Servus missing",
	} {
		got, err := newEngine().Text(t.Context(), template, b)
		require.NoError(t, err, template)
		assert.Equal(t, want, got, template)
	}
}

// TestFiltersKeepHTMLSafe: what a filter returns is escaped again in HTML, unless it is HTML that a filter made of escaped text.
func TestFiltersKeepHTMLSafe(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"x":"<b>","l":["<1>","<2>"],"lines":"<a>\n<b>","o":{"k":"<v>"}}`)
	for template, want := range map[string]string{
		"{{ payload.x | escape_once }}":                                                         "&lt;b&gt;",
		"{{ '&lt;' | escape_once }}":                                                            "&lt;",
		"{{ payload.x | escape | escape }}":                                                     "&lt;b&gt;",
		"{{ payload.x | escape | append: '<i>' }}":                                              "&lt;b&gt;&lt;i&gt;",
		"{{ payload.x | raw | prepend: payload.x }}":                                            "&lt;b&gt;<b>",
		"[{{ ' <b> ' | raw | strip }}{{ ' <b> ' | raw | lstrip }}{{ ' <b> ' | raw | rstrip }}]": "[<b><b>  <b>]",
		"{{ payload.x | append: '<i>' }}":                                                       "&lt;b&gt;&lt;i&gt;",
		"{{ payload.o | json | raw }}":                                                          `{"k":"\u003cv\u003e"}`,
		"{{ payload.x | raw | newline_to_br }}":                                                 "<b>",
		"{{ payload.lines | newline_to_br | raw }}":                                             "&lt;a&gt;<br />\n&lt;b&gt;",
		"{{ payload.x | strip_html }}":                                                          "",
		"{{ payload.l | join: ' & ' }}":                                                         "&lt;1&gt; &amp; &lt;2&gt;",
		"{{ payload.o | json }}":                                                                `{&#34;k&#34;:&#34;\u003cv\u003e&#34;}`,
		"{{ payload.x | replace: '<', '&' }}":                                                   "&amp;b&gt;",
		"{{ payload.x | slice: 0, 2 }}":                                                         "&lt;b",
		"{{ payload.x | capitalize | truncate: 2, '<' }}":                                       "&lt;&lt;",
		"{{ payload.nope | default: '<d>' }}":                                                   "&lt;d&gt;",
		"{{ '<t>' | t }}":                                                                       "&lt;t&gt;",
		`<a title="{{ payload.q | default: '"' }}">`:                                            `<a title="&#34;">`,
	} {
		got, err := newEngine().HTML(t.Context(), template, b)
		require.NoError(t, err, template)
		assert.Equal(t, want, got, template)
	}
}

// TestVariablesOfMarkup: what a template captured or said to be HTML is written as it is, and is a text to tags and filters.
func TestVariablesOfMarkup(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"x":"<b>","n":5,"m":{"<b>":"found"},"l":["<b>"]}`)
	captured, raw := "{% capture z %}{{ payload.x }}<i>{% endcapture %}", "{% assign z = payload.x | raw %}"
	for template, want := range map[string]string{
		captured + "{{ z }}": "&lt;b&gt;<i>",
		captured + "{% assign y = z %}{{ y }}{{ z | raw }}":                               "&lt;b&gt;<i>&lt;b&gt;<i>",
		captured + "{% capture y %}{{ z }}{{ payload.x }}{% endcapture %}{{ y }}":         "&lt;b&gt;<i>&lt;b&gt;",
		captured + "{{ z | append: payload.x }}":                                          "&lt;b&gt;<i>&lt;b&gt;",
		captured + "{{ z | upcase }}":                                                     "&amp;LT;B&amp;GT;&lt;I&gt;",
		captured + "{{ z.size }} {{ z | size }} {{ z[0] }}":                               "12 12 ",
		captured + "{% if z contains '<i>' and z != payload.x and z > '&' %}y{% endif %}": "y",
		raw + "{{ z.size }} {{ payload.m[z] }}":                                           "3 found",
		raw + "{% if z == payload.x and payload.x == z and payload.l contains z %}y{% endif %}{% case z %}{% when '<b>' %}y{% endcase %}": "yy",

		"{% capture z %}{{ payload.n | times: 2 }}{% endcapture %}{{ z | plus: 1 }}": "11",
		"{% capture z %}2024-01-02{% endcapture %}{{ z | date: '%d.%m.%Y' }}":        "02.01.2024",
		"{% capture z %}{{ payload.x | slice: 1 }}{% endcapture %}{{ payload[z] }}":  "",
		"{% capture z %}{% endcapture %}[{{ z | default: '<d>' }}]":                  "[&lt;d&gt;]",
	} {
		got, err := newEngine().HTML(t.Context(), template, b)
		require.NoError(t, err, template)
		assert.Equal(t, want, got, template)
	}
	_, err := newEngine().HTML(t.Context(), raw+"{% for i in (1..z) %}x{% endfor %}", b)
	require.ErrorContains(t, err, "template line 1: ")
}

// TestNumbersAsTexts: filters of texts take numbers, lists and nothing as they are written.
func TestNumbersAsTexts(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"id":1234567,"price":0.00001,"list":[1234567,"a"],"none":null,"lines":"a\r\nb\nc"}`)
	for template, want := range map[string]string{
		"{{ payload.id | url_encode }} {{ payload.id | url_decode }}":                    "1234567 1234567",
		"{{ payload.price | url_encode }}[{{ payload.none | url_encode }}]":              "0.00001[]",
		"{{ payload.id | strip_newlines }}{{ payload.list | strip_newlines }}":           "12345671234567a",
		"{{ payload.lines | strip_newlines }}":                                           "abc",
		"{{ payload.id | split: '' | join: ' ' }}":                                       "1 2 3 4 5 6 7",
		"{{ payload.id | split: 4 | join: ' ' }} {{ payload.none | split: ',' | size }}": "123 567 0",
		"{{ ' a  b ' | split: ' ' | join: '|' }} {{ 'a,,b,,' | split: ',' | size }}":     "|a|b 3",
	} {
		got, err := newEngine().Text(t.Context(), template, b)
		require.NoError(t, err, template)
		assert.Equal(t, want, got, template)
	}
}

// TestArgumentsThatAreNotSet count as left out.
func TestArgumentsThatAreNotSet(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"list":[3,1],"s":"hello world","none":null,"n":2.567,"eight":8}`)
	for template, want := range map[string]string{
		"{{ payload.list | join: payload.none }}":            "3 1",
		"{{ payload.list | join: '' }}":                      "31",
		"{{ payload.s | truncate: 8, payload.none }}":        "hello...",
		"{{ payload.s | truncate: payload.eight, '' }}":      "hello wo",
		"{{ payload.s | truncate: '8', '' }}":                "hello wo",
		"{{ payload.s | truncate: payload.nope }}":           "hello world",
		"{{ payload.s | truncatewords: 1, payload.none }}":   "hello...",
		"{{ payload.s | truncatewords: payload.nope }}":      "hello world",
		"{{ payload.s | slice: 1, payload.none }}":           "e",
		"{{ payload.s | slice: payload.none }}":              "h",
		"{{ payload.n | round: payload.none }}":              "3",
		"{{ payload.n | round: '1' }}":                       "2.6",
		"{{ '2025-03-01' | date: payload.none }}":            "Sat, Mar 01, 25",
		"{{ payload.s | truncate: 99999999999999999999.0 }}": "hello world",
	} {
		got, err := newEngine().Text(t.Context(), template, b)
		require.NoError(t, err, template)
		assert.Equal(t, want, got, template)
	}
	for _, template := range []string{"{{ payload.s | truncate: 'x' }}", "{{ payload.s | truncatewords: 'x' }}", "{{ payload.s | slice: 0, 'x' }}", "{{ 1 | round: 'x' }}"} {
		_, err := newEngine().Text(t.Context(), template, b)
		require.ErrorContains(t, err, "needs a number, not", template)
	}
}

// TestMisusedFilters name the template's line and the filter, and neither Go's types nor the prepared source.
func TestMisusedFilters(t *testing.T) {
	t.Parallel()
	for _, template := range []string{
		"one\n{{ payload.l | divided_by: 0 }}", "one\n{{ 1 | divided_by: 0 }}",
		"one\n{{ '2025-01-01' | date: '%100d' }}", "one\n{{ '2025-01-01' | date: '%-0999d' }}",
	} {
		_, err := newEngine().Text(t.Context(), template, bind(t, `{"l":[1]}`))
		require.ErrorContains(t, err, "template line 2: ", template)
		require.NotContains(t, err.Error(), "_out")
		require.NotContains(t, err.Error(), "render.")
	}
}
