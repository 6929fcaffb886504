package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWhitespaceMarks: a mark takes the blanks of the text beside it, and nothing else.
func TestWhitespaceMarks(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"ws":"  w  ","yes":true,"list":[1,2],"n":7}`)
	for template, want := range map[string]string{
		"a {{- payload.ws -}} b":                                                       "a  w  b",
		"{{ payload.n -}}{{ payload.ws }}":                                             "7  w  ",
		"a {{- payload.n -}}{%- comment %} x {% endcomment %} b":                       "a7 b",
		"a {% comment -%} x {%- endcomment -%} b":                                      "a b",
		"a {%- if payload.yes -%} b {%- endif -%} c":                                   "abc",
		"a {%- if payload.no -%} b {%- endif %} c":                                     "a c",
		"{% if payload.yes -%}{% assign x = 1 %} b{% endif %}":                         " b",
		"{% for i in payload.list -%} {{ i }} {%- endfor %}.":                          "12.",
		"{% for i in payload.list %}{%- if i == 2 %} x{% endif %} {% endfor %}.":       "  x .",
		"a \n\n {%- assign x = 1 -%} \n\n b":                                           "ab",
		"\u00a0{{- payload.n -}}\u00a0":                                                "7",
		" {%- raw -%} {{ a }} {%- endraw -%} b":                                        " {{ a }} b",
		"{%- capture x -%} v {%- endcapture -%} [{{ x }}]":                             "[v]",
		"x {%- case payload.n -%} y {%- when 7 -%} z {%- else -%} u {%- endcase -%} v": "xzv",
		"  {{- 'a' }}  {{ 'b' -}}  ":                                                   "a  b",
	} {
		got, err := newEngine().Text(t.Context(), template, b)
		require.NoError(t, err, template)
		assert.Equal(t, want, got, template)
	}
	for template, line := range map[string]string{
		"\n\n{{- 1 -}}\n\n{{ 'x' | plus: 1 }}":                                  "line 5",
		"\n\n{%- if true -%}\n\n{{- 'x' | plus: 1 }}{% endif %}":                "line 5",
		"{% raw -%}\n{% endraw -%}\n\n{{ 'x' | plus: 1 }}":                      "line 4",
		"{%- comment -%}\n\n{%- endcomment -%}\n {{- 'x' | plus: 1 }}":          "line 4",
		"{%- case 1 -%}\n\n{%- when 1 -%}\n\n{{- 'x' | plus: 1 }}{% endcase %}": "line 5",
		"{% # a -%}\n\n b\n{{- 'x' | plus: 1 }}":                                "line 4",
	} {
		_, err := newEngine().Text(t.Context(), template, b)
		assert.EqualError(t, err, "template "+line+`: filter plus: needs a number, not "x"`, template)
	}
}
