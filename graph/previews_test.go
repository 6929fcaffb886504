package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPreviewStep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must(t, `mutation { createLayout(input: {name: "Frame", content: "<main>{{ content }}</main>", isDefault: true}) { layout { id } } }`, nil)
	b.must(t, `mutation { createSubscriber(input: {subscriberId: "ada", firstName: "Ada", locale: "de"}) { subscriber { id } } }`, nil)
	b.must(t, `mutation($en: StringMap!, $de: StringMap!) {
		en: createTranslation(input: {locale: "en", content: $en}) { translation { id } } de: createTranslation(input: {locale: "de", content: $de}) { translation { id } } }`,
		map[string]any{"en": map[string]any{"hi": "Hello"}, "de": map[string]any{"hi": "Guten Tag"}})
	preview := func(input string) map[string]any {
		t.Helper()
		return b.must(t, `{ previewStep(input: `+input+`) { subject from replyTo content { text html } cta { data { url } action { buttons { type content url } } } data error } }`, nil)["previewStep"].(map[string]any)
	}
	for name, c := range map[string]struct{ input, want string }{
		"in-app": {
			`{step: {type: IN_APP, inApp: {subject: "S {{ payload.n }}", body: "B {{ subscriber.firstName }}", redirect: "/orders/{{ payload.n }}", primaryAction: {label: "Open", url: "/o"}}}, payload: {n: 3}}`,
			`{"subject": "S 3", "content": {"text": "B Jane"}, "cta": {"data": {"url": "/orders/3"}, "action": {"buttons": [{"type": "PRIMARY", "content": "Open", "url": "/o"}]}}, "error": null}`,
		},
		"mail in the default layout": {
			`{step: {type: EMAIL, email: {subject: "S", html: "<p>{{ 'hi' | t }} {{ subscriber.firstName }}</p>", from: "a@example.org"}}, subscriberId: "ada"}`,
			`{"subject": "S", "from": "a@example.org", "content": {"html": "<main><p>Guten Tag Ada</p></main>", "text": "Guten Tag Ada"}, "error": null}`,
		},
		"blocks without a layout": {
			`{step: {type: EMAIL, email: {subject: "S", noLayout: true, blocks: [{type: TEXT, content: "{{ payload.n }}"}, {type: BUTTON, content: "Go", url: "javascript:alert(1)"}]}}, payload: {n: "<b>"}}`,
			`{"content": {"text": "<b>\nGo <#>"}, "error": null}`,
		},
		"a layout that is not saved": {
			`{step: {type: EMAIL, email: {subject: "S", html: "<p>x</p>"}}, layout: "<section>{{ content }}{{ subject }}</section>"}`,
			`{"content": {"html": "<section><p>x</p>S</section>"}, "error": null}`,
		},
		"SMS":  {`{step: {type: SMS, sms: {body: "{{ 'hi' | t }}"}}}`, `{"subject": null, "content": {"text": "Hello"}, "error": null}`},
		"chat": {`{step: {type: CHAT, chat: {body: "x"}}}`, `{"content": {"text": "x"}}`},
		"push": {`{step: {type: PUSH, push: {subject: "T", body: "B", data: {a: "{{ payload.n }}"}}}, payload: {n: 3}}`, `{"subject": "T", "content": {"text": "B"}, "data": {"a": "3"}}`},
	} {
		subset(t, object(t, c.want), preview(c.input), name)
	}
	broken := preview(`{step: {type: SMS, sms: {body: "{% if payload.n %}x"}}}`)
	require.NotEmpty(t, broken["error"])
	require.Nil(t, broken["content"])

	for _, c := range []struct{ input, code, says string }{
		{`{step: {type: DELAY, delay: {type: REGULAR}}}`, "VALIDATION", "step"},
		{`{step: {type: EMAIL, email: {subject: "S", layoutId: "nowhere"}}}`, "NOT_FOUND", "layout"},
		{`{step: {type: SMS, sms: {body: "x"}}, subscriberId: "nobody"}`, "NOT_FOUND", "ubscriber"},
	} {
		r := b.ask(t, b.key, `{ previewStep(input: `+c.input+`) { error } }`, nil)
		require.Equal(t, c.code, r.code(), c.input)
		require.Contains(t, r.Errors[0].Message, c.says)
	}
	require.Empty(t, b.must(t, `{ messages { nodes { id } } }`, nil)["messages"].(map[string]any)["nodes"], "nothing is written")
}
