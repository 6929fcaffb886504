package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
)

func TestValuesDecideNoServer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ template, value, want string }{
		{"https://api.example.com{{ payload.x }}", "/orders/1", "https://api.example.com/orders/1"},
		{"https://api.example.com{{ payload.x }}", "?order=1", "https://api.example.com?order=1"},
		{"https://api.example.com{{ payload.x }}", "", "https://api.example.com"},
		{"https://api.example.com{{ payload.x }}", ".evil.test/", ""},
		{"https://api.example.com{{ payload.x }}", "@evil.test/", ""},
		{"https://api.example.com{{ payload.x }}", ":8443/", ""},
		{"https://api.example.com{{ payload.x }}", `\@evil.test/`, ""},
		{"https://api.example.com{{ payload.x }}", "\ufdd1/\ufdd0.evil.test", "https://api.example.com/.evil.test"},
		{"https://api.example.com{{ payload.x }}", "\ufdd1.evil.test/", ""},
		{"https://api.example.com{{ payload.x | downcase }}/orders", ".EVIL.test", ""},
		{"https://api.example.com{% if true %}{{ payload.x }}{% endif %}", "@evil.test", ""},
		{"https://api.example.com{% capture y %}{{ payload.x }}{% endcapture %}{{ y }}", "@evil.test", ""},
		{"https://api.example.com{{ payload.x | raw }}", ":8443/", "https://api.example.com:8443/"},
		{"https://api.example.com/{{ payload.x }}", "@evil.test", "https://api.example.com/@evil.test"},
		{"https://api.example.com/?u={{ payload.x | url_encode }}", "a b", "https://api.example.com/?u=a+b"},
		{"https://{{ payload.x }}/orders", "shop.example:8443", "https://shop.example:8443/orders"},
		{"https://{{ payload.x }}.example.com/", "tenant-1", "https://tenant-1.example.com/"},
		{"https://{{ payload.x }}.example.com/", "evil.test/", ""},
		{"https://{{ payload.x }}.example.com/", "evil.test#", ""},
		{"https://eu-{{ payload.x }}.example.com/", "a@evil.test/", ""},
		{"https://api.{{ payload.x }}/", "example.com", "https://api.example.com/"},
		{"https://api.{{ payload.x }}/", "example.com@evil.test", ""},
		{"https://api.example.com:{{ payload.x }}/", "8443", "https://api.example.com:8443/"},
		{"https://api.example.com:{{ payload.x }}/", "1@evil.test", ""},
		{"{{ payload.x }}", "https://api.example.com/orders", "https://api.example.com/orders"},
		{" {{ payload.x }}/orders", "https://api.example.com", "https://api.example.com/orders"},
		{"{{ payload.x }}://api.example.com/", "http", "http://api.example.com/"},
		{"{{ payload.x }}://api.example.com/", "https://evil.test/?", ""},
		{"{{ payload.x }}.example.com/", "https://evil.test/", ""},
		{"{{ payload.x }}.example.com/", "https://eu", "https://eu.example.com/"},
		{"{{ payload.x }}:8443/", "https://api.example.com", "https://api.example.com:8443/"},
		{"{{ env.base }}{{ payload.x }}", "/orders", "https://api.example.com/orders"},
		{"{{ env.base }}{{ payload.x }}", ".evil.test/", ""},
		{"{{ env.base }}{{ payload.x }}", "@evil.test/", ""},
	} {
		view := render.Vars{Payload: map[string]any{"x": c.value}, Env: map[string]any{"base": "https://api.example.com"}}
		got, err := render.New(render.DefaultLimits()).URL(t.Context(), c.template, view.Bind())
		require.Equal(t, c.want, got, "%s with %q", c.template, c.value)
		if c.want == "" {
			require.ErrorIs(t, err, render.ErrValueOfHost, "%s with %q", c.template, c.value)
		}
	}
}
