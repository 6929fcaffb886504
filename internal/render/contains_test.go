package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContains: texts hold numbers as they are written, lists hold items, objects hold members.
func TestContains(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"id":1234567,"s":"order 1234567","list":[1234567,"a",{"k":1},[1],null],"o":{"a":1},"other":{"k":1},"none":null,"m":{"x y":"abc"}}`)
	for condition, want := range map[string]bool{
		"payload.s contains payload.id":                                      true,
		"payload.s contains 'order'":                                         true,
		"payload.s contains payload.none":                                    false,
		"payload.list contains payload.id":                                   true,
		"payload.list contains 'a' and payload.s contains 'x'":               false,
		"payload.s contains 'x' or payload.list contains 'a'":                true,
		"payload.list contains payload.other":                                true,
		"payload.list contains payload.o":                                    false,
		"payload.o contains 'a'":                                             true,
		"payload.o contains payload.none":                                    false,
		"payload.nope contains 'a'":                                          false,
		"payload.m['x y'] contains 'b'":                                      true,
		"payload.m[key] contains payload.m['x y']":                           true,
		"(payload.s contains 'x') or (payload.s contains payload.id)":        true,
		"payload.s contains ' contains ' or 'a contains b' contains ' and '": false,
		"payload.s contains 'order' and payload.none == blank":               true,
	} {
		got, err := newEngine().Text(t.Context(), "{% assign key = 'x y' %}{% if "+condition+" %}true{% else %}false{% endif %} {{ "+condition+" }}", b)
		require.NoError(t, err, condition)
		require.Equal(t, map[bool]string{true: "true true", false: "false false"}[want], got, condition)
	}
	got, err := newEngine().HTML(t.Context(), "{% capture z %}<b>{{ payload.id }}{% endcapture %}{% if z contains payload.id and z contains '<b>' %}y{% endif %}", b)
	require.NoError(t, err)
	require.Equal(t, "y", got)
	for _, bad := range []string{"{% if contains 'x' %}{% endif %}", "{% if payload.s contains %}{% endif %}", "{% if payload.s contains and true %}{% endif %}"} {
		_, err := newEngine().Text(t.Context(), bad, b)
		require.ErrorContains(t, err, "template line 1: ", bad)
	}
}
