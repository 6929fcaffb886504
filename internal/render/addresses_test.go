package render_test

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
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
		{"{% capture y %}https://api.example.com{{ payload.x }}{% endcapture %}{{ y }}", "@evil.test", ""},
		{"{% capture y %}https://api.example.com{% endcapture %}{{ y | append: payload.x }}", ".evil.test", ""},
		{"{% capture y %}https://api.example.com/{{ payload.x }}{% endcapture %}{{ y }}/?of={{ y | url_encode }}", "a", "https://api.example.com/a/?of=https%3A%2F%2Fapi.example.com%2Fa"},
		{"{% capture y %}{{ payload.x }}{% endcapture %}https://api.example.com/{% if y == 'a' %}same{% endif %}{{ y | size }}", "a", "https://api.example.com/same1"},
		{"{% capture y %}{{ payload.x }}{% endcapture %}{% capture z %}1{% endcapture %}https://api.example.com/{{ y | plus: z }}", "2", "https://api.example.com/3"},
		{"{% capture y %}https://{{ env.host }}{% endcapture %}{{ y }}/orders", "", "https://shop.example/orders"},
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
		view := render.Vars{Payload: map[string]any{"x": c.value}, Env: map[string]any{"base": "https://api.example.com", "host": "shop.example"}}
		got, err := render.New(render.DefaultLimits()).URL(t.Context(), c.template, view.Bind())
		require.Equal(t, c.want, got, "%s with %q", c.template, c.value)
		if c.want == "" {
			require.ErrorIs(t, err, render.ErrValueOfHost, "%s with %q", c.template, c.value)
		}
	}
}

// TestLinksLeadWhereTheTemplateSays: a value continues no name of a server in links of messages either.
func TestLinksLeadWhereTheTemplateSays(t *testing.T) {
	t.Parallel()
	const template = " https://shop.example{{ payload.path }}"
	c := &workflow.InAppControls{
		Body: "b", Avatar: template, Redirect: template, Primary: &workflow.Button{Label: "l", URL: "https://{{ payload.host }}/orders"},
	}
	blocks := []workflow.EmailBlock{{Type: "button", Content: "Open", URL: template}, {Type: "image", URL: template}}
	for path, want := range map[string]string{"/orders/1": "https://shop.example/orders/1", "@evil.test/": "", ".evil.test/": ""} {
		vars := bind(t, `{"path":"`+path+`","host":"shop.example"}`)
		out, err := newEngine().InApp(t.Context(), c, vars)
		require.NoError(t, err)
		require.Equal(t, []string{want, want, "https://shop.example/orders"}, []string{out.Avatar, out.Redirect, out.Primary.URL}, path)
		mail, err := newEngine().Email(t.Context(), &workflow.EmailControls{Subject: "s", Blocks: blocks}, "", vars)
		require.NoError(t, err)
		require.NotContains(t, mail.HTML, "evil.test")
		require.Contains(t, mail.HTML, `href="`+cmp.Or(want, "#")+`"`)
		require.Contains(t, mail.HTML, `src="`+cmp.Or(want, "#")+`"`)
	}
}
