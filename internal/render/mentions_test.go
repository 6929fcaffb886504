package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// TestMassMentions: in a chat text, a value notifies no one but those whom the template mentions, unless its author says so by raw.
func TestMassMentions(t *testing.T) {
	t.Parallel()
	e := newEngine()
	for _, c := range []struct{ template, value, want string }{
		{"{{ payload.x }}", "<!channel> hi", "<\u200b!channel> hi"},
		{"{{ payload.x }}", "<!HERE><!everyone|all>", "<\u200b!HERE><\u200b!everyone|all>"},
		{"{{ payload.x }}", "<!subteam^S1>", "<\u200b!subteam^S1>"},
		{"{{ payload.x }}", "@all @here, (@Channel) @everyone", "@\u200ball @\u200bhere, (@\u200bChannel) @\u200beveryone"},
		{"{{ payload.x }}", "@**all** @_**topic**", "@\u200b**all** @\u200b_**topic**"},
		{"{{ payload.x }}", "_@all_ __@here__: @channel_. (_@all)", "_@\u200ball_ __@\u200bhere__: @\u200bchannel_. (_@\u200ball)"},
		{"{{ payload.x }}", "&#64;all &#X0040;here &commat;channel", "&\u200b#64;all &\u200b#X0040;here &\u200bcommat;channel"},
		{"{{ payload.x }}", "@&#97;ll @her&#x65; @cha&#110;nel", "@&\u200b#97;ll @her&\u200b#x65; @cha&\u200b#110;nel"},
		{"{{ payload.x }}", "@*support team* (@*S*)", "@\u200b*support team* (@\u200b*S*)"},
		{"{{ payload.x | upcase }}", "@here", "@\u200bHERE"},
		{"{{ payload.x | append: ' ' | prepend: 'to ' }}", "@all", "to @\u200ball "},
		{"{% assign y = payload.x %}{% if y %}{{ y }}{% endif %}", "@all", "@\u200ball"},
		{`{% render "quote", text: payload.x %}`, "<!here>", "> <\u200b!here>"},
		{`{{ "greeting" | t: name: payload.x }}`, "@all", "Hi <\u200b!here>, @\u200ball"},

		{"@{{ payload.x }} wrote", "channel", "@\u200bchannel wrote"},
		{"{{ payload.x }}{{ payload.y }}", "<!chan", "<\u200b!channel>"},
		{"<{{ payload.x }}", "!channel>", "<\u200b!channel>"},
		{"{{ payload.x }}nel", "@chan", "@\u200bchannel"},
		{"@**{{ payload.x }}**", "All", "@\u200b**All**"},
		{"{{ payload.x }}{% for part in payload.z %}{{ part }}{% endfor %}", "@", "@\u200bhere"},
		{"{% capture y %}@{{ payload.x }}{% endcapture %}{{ y }}, {{ y | size }}", "all", "@\u200ball, 5"},
		{`@{% render "plain", text: payload.x %}`, "all", "@\u200ball"},
		{`{{ "mention" | t: name: payload.x | raw }}`, "all", "@\u200ball"},
		{"@{{ payload.x | raw }}", "all", "@all"},
		{"@al{{ payload.x }}", "lan", "@allan"},
		{"_@{{ payload.x }}_", "all", "_@\u200ball_"},
		{"@{{ payload.x }}", "&#97;ll", "@&\u200b#97;ll"},
		{"&#{{ payload.x }}all", "64;", "&\u200b#64;all"},
		{"@{{ payload.x }}", "*support*", "@\u200b*support*"},
		{"@*{{ payload.x }}*, @*ops*", "support", "@*support*, @*ops*"},
		{"{{ payload.x }}@all{{ payload.x }}, {{ payload.x }}", " ", " @all ,  "},
		{"{{ payload.x }}", "a\ufdd0b", "ab"},

		{"<!channel> {{ payload.x }}", "@ada, ada@all.example", "<!channel> @ada, ada@all.example"},
		{"{{ payload.x }}", "@allan <https://shop.example> <3 a<b|c", "@allan <https://shop.example> <3 a<b|c"},

		{"{{ payload.x }}", "<@U1> <@!12> <@&34> <#C5>", "<\u200b@U1> <\u200b@!12> <\u200b@&34> <\u200b#C5>"},
		{"{{ payload.x }}", "<!date^1^{date}^https://evil.test|then>", "<\u200b!date^1^{date}^https://evil.test|then>"},
		{"{{ payload.x }}", "<https://evil.test|https://shop.example>", "<\u200bhttps://evil.test|https://shop.example>"},
		{"{{ payload.x | upcase }}", "<mailto:a@evil.test|b@shop.example>", "<\u200bMAILTO:A@EVIL.TEST|B@SHOP.EXAMPLE>"},
		{"<@{{ payload.x }}> <#{{ payload.x }}|orders>", "U1", "<@U1> <#U1|orders>"},
		{"<{{ payload.x }}>", "@U1", "<\u200b@U1>"},
		{"<@U1> <https://shop.example/{{ payload.x }}|Order {{ payload.x }}>", "12", "<@U1> <https://shop.example/12|Order 12>"},
		{"<{{ payload.x }}|Open>", "https://shop.example", "<https://shop.example|Open>"},
		{"<{{ payload.x }}>", "https://evil.test|https://shop.example", "<\u200bhttps://evil.test|https://shop.example>"},
		{"<{{ payload.x }}|Open>", "https://evil.test|https://shop.example", "<\u200bhttps://evil.test|https://shop.example|Open>"},
		{"{{ payload.x }}{{ payload.w }}", "<https://evil.test", "<\u200bhttps://evil.test|shop>"},
		{"<https://shop.example|{{ payload.x }}>", "a> <https://evil.test|b", "<https://shop.example|a> <\u200bhttps://evil.test|b>"},
		{"{{ payload.x }}", "a\ufdd0<@U1>", "a<\u200b@U1>"},
		{"{{ payload.x }}", `{"type": "message"}`, "\u200b" + `{"type": "message"}`},
		{" {{ payload.x }}", " {}", "  \u200b{}"},
		{`{"text": {{ payload.x | json }}}`, "<@U1>", `{"text": "<` + "\u200b" + `@U1>"}`},
		{`{{ payload.card | json }}`, "", `{"text":"<` + "\u200b" + `@U1>"}`},
		{`{{ payload.x | raw }}`, `{"text": "<@U1>"}`, `{"text": "<@U1>"}`},
		{"{{ payload.x }}", "ada_@all.example a_@here @all_users @**Ada** @** it&#39;s &amp; &#128512;", "ada_@all.example a_@here @all_users @**Ada** @** it&#39;s &amp; &#128512;"},
		{"{{ payload.x | raw }}", "<!channel> @all", "<!channel> @all"},
		{`{% render "loud", text: payload.x %}`, "@all", "@all"},
		{`{{ "greeting" | t: name: payload.x | raw }}`, "@all", "Hi <!here>, @\u200ball"},
	} {
		b := render.Vars{
			Payload: map[string]any{"x": c.value, "y": "nel>", "w": "|shop>", "card": map[string]any{"text": "<@U1>"}, "z": []any{"he", "re"}}, Snippets: map[string]string{"quote": "> {{ text }}", "loud": "{{ text | raw }}", "plain": "{{ text }}"},
			Texts: render.Translations{"en": {"greeting": "Hi <!here>, {name}", "mention": "@{name}"}}.For("en", "en"),
		}.Bind()
		got, err := e.Chat(t.Context(), &workflow.TextControls{Body: c.template}, b)
		require.NoError(t, err, c.template)
		assert.Equal(t, c.want, got, "%s with %s", c.template, c.value)
		plain, err := e.SMS(t.Context(), &workflow.TextControls{Body: "{{ payload.x }}"}, b)
		require.NoError(t, err)
		assert.Equal(t, c.value, plain)
	}
}
