package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
)

// TestBlank: what is blank and what is empty, on either side of a comparison.
func TestBlank(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"text":"x","e":"","ws":" \n","none":null,"no":false,"yes":true,"zero":0,"list":[],"o":{},"full":[""],"m":{"a b":""}}`)
	for value, want := range map[string]string{ // blank, empty
		"payload.text": "--", "payload.e": "be", "payload.ws": "b-", "payload.none": "b-", "payload.nope": "b-", "payload.nope.deeper": "b-",
		"payload.no": "b-", "payload.yes": "--", "payload.zero": "--", "payload.list": "be", "payload.o": "be", "payload.full": "--",
		"payload.full[0]": "be", `payload.m["a b"]`: "be", "payload.m[key]": "be", "''": "be", "' and '": "--", "captured": "b-",
	} {
		var template strings.Builder
		template.WriteString("{% assign key = 'a b' %}{% capture captured %} {% endcapture %}")
		for _, word := range []string{"blank", "empty"} {
			template.WriteString("{% if " + value + " == " + word + " %}" + word[:1] + "{% else %}-{% endif %}" +
				"{% if " + word + " == " + value + " %}" + word[:1] + "{% else %}-{% endif %}" +
				"{% unless " + value + "!=" + word + " %}" + word[:1] + "{% else %}-{% endunless %}" +
				"{% if payload.yes and " + value + " == " + word + " or payload.no %}" + word[:1] + "{% else %}-{% endif %}")
		}
		got, err := newEngine().HTML(t.Context(), template.String(), b)
		require.NoError(t, err, value)
		require.Equal(t, strings.Repeat(want[:1], 4)+strings.Repeat(want[1:], 4), got, value)
	}
	for template, want := range map[string]string{
		"{% assign x = payload.e == blank %}{{ x }} {{ payload.text != empty }}":          "true true",
		"{{ blank }}{{ empty }}{{ payload.none | default: blank }}":                       "",
		`{% render "s", x: payload.e %}{% render "s", x: 1 %}`:                            "BF",
		"{% if payload.text == 'y' or payload.e == blank and payload.text %}y{% endif %}": "y",
	} {
		vars := render.Vars{Payload: map[string]any{"text": "x", "e": ""}, Snippets: map[string]string{"s": "{% if x == blank %}B{% else %}F{% endif %}"}}
		got, err := newEngine().Text(t.Context(), template, vars.Bind())
		require.NoError(t, err, template)
		require.Equal(t, want, got, template)
	}
}
