package render_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

func newEngine() *render.Engine { return render.New(render.DefaultLimits()) }

func bind(tb testing.TB, payload string) render.Bindings {
	tb.Helper()
	var p map[string]any
	require.NoError(tb, json.Unmarshal([]byte(payload), &p))
	return render.Vars{
		Payload:    p,
		Subscriber: map[string]any{"subscriberId": "u1", "firstName": "Ada", "data": map[string]any{"tier": "gold"}},
		Actor:      map[string]any{"firstName": "Bob"},
		Tenant:     map[string]any{"identifier": "acme", "name": "Acme"},
		Context:    map[string]any{"region": map[string]any{"id": "eu"}},
		Step:       map[string]any{"events": []any{map[string]any{"n": 1.0}, map[string]any{"n": 2.0}}, "total_count": 2.0},
		Steps:      map[string]any{"call": map[string]any{"response": map[string]any{"ok": true}}},
		Texts: render.Translations{
			"de":    {"hello": "Hallo", "only": "nur"},
			"de-AT": {"hello": "Servus"},
			"en":    {"hello": "Hello", "bye": "Bye"},
		}.For("de_AT", "en"),
	}.Bind()
}

func TestText(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ template, want string }{
		"Literal":         {"no template", "no template"},
		"Variable":        {"Hi {{subscriber.firstName}}", "Hi Ada"},
		"Nested":          {"{{ payload.order.items[0].name }}", "Tea"},
		"Unknown":         {"[{{ payload.nope.deeper }}{{ nothing }}]", "[]"},
		"WholeNumber":     {"{{ payload.total }}", "1000000"},
		"Fraction":        {"{{ payload.price }}", "9.95"},
		"NumberInText":    {"{{ payload.total | append: ' EUR' }}", "1000000 EUR"},
		"Object":          {"{{ payload.one }}", `{"a":1}`},
		"NotEscaped":      {"{{ payload.html }}", "<b>&</b>"},
		"If":              {"{% if payload.total > 10 %}big{% else %}small{% endif %}", "big"},
		"For":             {"{% for i in payload.order.items %}{{ i.name }},{% endfor %}", "Tea,Cup,"},
		"Range":           {"{% for i in (1..3) %}{{ i }}{% endfor %}", "123"},
		"Case":            {"{% case tenant.identifier %}{% when 'acme' %}A{% else %}B{% endcase %}", "A"},
		"Assign":          {"{% assign x = payload.order.items | size %}{{ x }}", "2"},
		"Capture":         {"{% capture x %}{{ payload.html }}{% endcapture %}{{ x }}", "<b>&</b>"},
		"Trim":            {"a {{- ' b ' -}} c", "a b c"},
		"TrimTag":         {"a  {%- if true -%}  b  {%- endif -%}  c", "abc"},
		"Raw":             {"{% raw %}{{ x | t }}{% endraw %}", "{{ x | t }}"},
		"Comment":         {"a{% comment %}{{ x | nofilter }}{% endcomment %}b", "ab"},
		"Comparison":      {"{{ payload.total == 1000000 }}", "true"},
		"Digest":          {"{{ step.total_count }}: {% for e in step.events %}{{ e.n }} {% endfor %}", "2: 1 2 "},
		"Steps":           {"{{ steps.call.response.ok }}", "true"},
		"Context":         {"{{ context.region.id }}", "eu"},
		"Translation":     {"{{ 'hello' | t }} {{ 'only' | t }} {{ 'bye' | t | upcase }} {{ 'none' | t }}", "Servus nur BYE none"},
		"Date":            {"{{ '2025-03-01T09:30:00Z' | date: '%d.%m.%Y' }}", "01.03.2025"},
		"DateNow":         {"{{ 'now' | date: '%Y' }}", "now"},
		"Truncate":        {"{{ 'höhere Töne' | truncate: 7 }}", "höhe..."},
		"Default":         {"{{ payload.nope | default: 'friend' }}", "friend"},
		"SliceBeyond":     {"[{{ 'ab' | slice: 5, 2 }}]", "[]"},
		"Capitalize":      {"{{ 'öl' | capitalize }}", "Öl"},
		"UnclosedIsText":  {"a {{ b", "a {{ b"},
		"PipeInString":    {"{{ 'a | t' }}", "a | t"},
		"VariableNamedT":  {"{% assign t = 'x' %}{{ t }}", "x"},
		"HiddenArgument":  {"[{{ _texts }}{{ _budget }}]", "[]"},
		"IndexByVariable": {"{% assign i = 1 %}{{ payload.order.items[i].name }}", "Cup"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bind(t, `{"order":{"items":[{"name":"Tea"},{"name":"Cup"}]},"total":1000000,"price":9.95,"html":"<b>&</b>","one":{"a":1}}`)
			got, err := newEngine().Text(t.Context(), tc.template, b)
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
		})
	}
}

func TestHTMLEscapes(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		"<i>{{ payload.x }}</i>":                                                 "<i>&lt;b&gt;&amp;</i>",
		"{{ payload.x | raw }}":                                                  "<b>&",
		"{{ payload.x | escape }}":                                               "&lt;b&gt;&amp;",
		"{{ payload.x | upcase }}":                                               "&lt;B&gt;&amp;",
		"{{ payload.x | raw | upcase }}":                                         "&lt;B&gt;&amp;",
		"{{ payload.lines | newline_to_br }}":                                    "&lt;a&gt;<br />\nb",
		"{% assign y = payload.x %}{{ y }}":                                      "&lt;b&gt;&amp;",
		"{% for c in payload.list %}{{ c }}{% endfor %}":                         "&lt;1&gt;&lt;2&gt;",
		"{{ payload.list | join: '<br>' }}":                                      "&lt;1&gt;&lt;br&gt;&lt;2&gt;",
		"{{ payload.x | default: 'n' }}":                                         "&lt;b&gt;&amp;",
		"{% if payload.x contains '<b>' %}<hr>{{ payload.x | size }}{% endif %}": "<hr>4",
	} {
		got, err := newEngine().HTML(t.Context(), template, bind(t, `{"x":"<b>&","lines":"<a>\nb","list":["<1>","<2>"]}`))
		require.NoError(t, err, template)
		require.Equal(t, want, got, template)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	double := "{% assign a = 'xxxxxxxxxxxxxxxx' %}" + strings.Repeat("{% assign a = a | append: a %}", 40) + "{{ a }}"
	for name, tc := range map[string]struct {
		template string
		want     error
	}{
		"EndlessLoop":    {"{% for i in (1..1000000000) %}{% endfor %}", render.ErrTooManySteps},
		"NestedLoops":    {"{% for i in (1..9999) %}{% for j in (1..9999) %}{% assign x = j %}{% endfor %}{% endfor %}", render.ErrTooManySteps},
		"BudgetOverride": {"{% assign _budget = 1 %}{% for i in (1..10) %}{% endfor %}", render.ErrTooManySteps},
		"Output":         {"{% for i in (1..90000) %}" + strings.Repeat("x", 100) + "{% endfor %}", render.ErrOutputTooLarge},
		"Deep":           {strings.Repeat("{% if true %}", 60) + strings.Repeat("{% endif %}", 60), render.ErrTooDeep},
		"Doubling":       {double, nil},
		"RangeInMemory":  {"{% assign r = (1..1000000000) %}{{ r | join }}", nil},
		"RangeFiltered":  {"{% for i in (1..1000000000) | reverse %}{% endfor %}", nil},
		"Include":        {"{% include '/etc/passwd' %}", nil},
		"UnknownFilter":  {"{{ payload.x | nofilter }}", nil},
		"UnknownTag":     {"{% shell 'ls' %}", nil},
		"OwnTick":        {"{% _tick %}", nil},
		"Unclosed":       {"{% if true %}", nil},
		"WideDate":       {"{{ '2025-01-01' | date: '%999999999d' }}", nil},
		"Replace":        {"{% assign a = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' | replace: '', payload.big %}{{ a | replace: '', payload.big }}", nil},
		"Statement":      {"{{ %assign x = 1 }}", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bind(t, `{"x":1,"big":"`+strings.Repeat("y", 100_000)+`"}`)
			start := time.Now()
			_, err := newEngine().Text(t.Context(), tc.template, b)
			require.Error(t, err)
			if tc.want != nil {
				require.ErrorIs(t, err, tc.want)
			}
			require.Less(t, time.Since(start), stall.Limit(10*time.Second))
			require.NotContains(t, err.Error(), "_out")
			require.NotContains(t, err.Error(), "goroutine")
		})
	}
}

func TestBindingsStayUnchanged(t *testing.T) {
	t.Parallel()
	e, b := newEngine(), bind(t, `{"x":"1"}`)
	_, err := e.Text(t.Context(), "{% assign payload = 'gone' %}{{ payload }}", b)
	require.NoError(t, err)
	got, err := e.Text(t.Context(), "{{ payload.x }}", b)
	require.NoError(t, err)
	require.Equal(t, "1", got)
}

func TestInApp(t *testing.T) {
	t.Parallel()
	c := &workflow.InAppControls{
		Subject: "{{ payload.s }}", Body: "B {{ payload.s }}", Redirect: "https://x/{{ payload.s }}",
		Primary: &workflow.Button{Label: "Open {{ payload.s }}", URL: "/o"},
		Data:    map[string]any{"k": []any{"{{ payload.s }}", 1.0, nil}, "plain": "p"},
	}
	got, err := newEngine().InApp(t.Context(), c, bind(t, `{"s":"v"}`))
	require.NoError(t, err)
	require.Equal(t, "v", got.Subject)
	require.Equal(t, "B v", got.Body)
	require.Equal(t, map[string]any{"k": []any{"v", 1.0, nil}, "plain": "p"}, got.Data)
	require.Equal(t, workflow.CTA{
		Type: "redirect", Data: &workflow.CTAData{URL: "https://x/v"},
		Action: &workflow.CTAAction{
			Status:  workflow.ActionPending,
			Buttons: []workflow.CTAButton{{Type: "primary", Content: "Open v", URL: "/o"}},
		},
	}, got.CTA())

	_, err = newEngine().InApp(t.Context(), &workflow.InAppControls{Body: "{{ x | nope }}"}, bind(t, `{}`))
	require.ErrorContains(t, err, `body: template line 1: undefined filter "nope"`)
}

func TestEmail(t *testing.T) {
	t.Parallel()
	e, b := newEngine(), bind(t, `{"name":"<Ada>","evil":"a\r\nBcc: x@y"}`)

	t.Run("HTMLInLayout", func(t *testing.T) {
		t.Parallel()
		got, err := e.Email(t.Context(), &workflow.EmailControls{
			Subject: "Hi {{ payload.name }} {{ payload.evil }}", HTML: "<p>Dear {{ payload.name }}</p>", Preheader: "Pre & view",
		}, "<html><body><h1>{{ subject }}</h1>{{ content }}</body></html>", b)
		require.NoError(t, err)
		require.Equal(t, "Hi <Ada> a Bcc: x@y", got.Subject)
		require.Contains(t, got.HTML, "<p>Dear &lt;Ada&gt;</p>")
		require.Contains(t, got.HTML, "<h1>Hi &lt;Ada&gt; a Bcc: x@y</h1>")
		require.Contains(t, got.HTML, `<body><div style="display:none`)
		require.Contains(t, got.Text, "Dear <Ada>")
		require.NotContains(t, got.Text, "Pre & view")
	})
	t.Run("Blocks", func(t *testing.T) {
		t.Parallel()
		got, err := e.Email(t.Context(), &workflow.EmailControls{Subject: "s", Blocks: []workflow.EmailBlock{
			{Type: "text", Content: "Hello {{ payload.name }}\nBye", Styles: &workflow.EmailBlockStyles{TextAlign: "center"}},
			{Type: "button", Content: "Go", URL: "https://x.test/?a=1&b={{ payload.name | url_encode }}"},
			{Type: "button", Content: "Bad", URL: "javascript:alert(1)"},
		}}, "", b)
		require.NoError(t, err)
		require.Contains(t, got.HTML, "text-align:center")
		require.Contains(t, got.HTML, "Hello &lt;Ada&gt;<br>Bye")
		require.Contains(t, got.HTML, `href="https://x.test/?a=1&amp;b=%3CAda%3E"`)
		require.NotContains(t, got.HTML, "javascript:")
		require.Equal(t, "Hello &lt;Ada&gt;\nBye", got.Blocks[0].Content)
		require.Contains(t, got.Text, "Hello <Ada>\nBye")
		require.Contains(t, got.Text, "https://x.test/")
	})
	t.Run("OwnText", func(t *testing.T) {
		t.Parallel()
		got, err := e.Email(t.Context(), &workflow.EmailControls{Subject: "s", HTML: "<p>x</p>", Text: "T {{ payload.name }}"}, "", b)
		require.NoError(t, err)
		require.Equal(t, "T <Ada>", got.Text)
	})
}

// One engine serves all workers at once, and its cache drops templates under them.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	limits := render.DefaultLimits()
	limits.Cache = 3
	e, b := render.New(limits), bind(t, `{"l":[1,2,3]}`)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				n := strconv.Itoa((i + j) % 7)
				got, err := e.HTML(t.Context(), n+"{% for x in payload.l %}{{ x | plus: "+n+" }},{% endfor %}", b)
				assert.NoError(t, err)
				assert.True(t, strings.HasPrefix(got, n), got)
			}
		})
	}
	wg.Wait()
}

func TestCancelledContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := newEngine().Text(ctx, "{% for i in (1..10) %}{{ i }}{% endfor %}", bind(t, `{}`))
	require.ErrorIs(t, err, context.Canceled)
}

func BenchmarkInApp(b *testing.B) {
	e, vars := newEngine(), bind(b, `{"order":{"id":"A-17","total":42.5},"item":"Tea"}`)
	for name, c := range map[string]*workflow.InAppControls{
		"Literal": {Subject: "Shipped", Body: "Your order is on its way."},
		"Short":   {Subject: "Shipped", Body: "Hi {{subscriber.firstName}}, order {{payload.order.id}} is on its way."},
		"Full": {
			Subject: "Order {{payload.order.id}}", Body: "Hi {{subscriber.firstName}}, {{payload.item}} is on its way.",
			Redirect: "https://x.test/orders/{{payload.order.id}}", Primary: &workflow.Button{Label: "Track", URL: "/t/{{payload.order.id}}"},
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.InApp(b.Context(), c, vars); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLiquid(b *testing.B) {
	e, vars := newEngine(), bind(b, `{"items":[{"n":"a"},{"n":"b"},{"n":"c"}],"total":42.5}`)
	for name, template := range map[string]string{
		"Filter": "Total: {{ payload.total | round: 1 | append: ' EUR' }}",
		"Loop":   "{% for i in payload.items %}{{ i.n | upcase }} {% endfor %}",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Text(b.Context(), template, vars); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a payload brings is opened by the subscriber's device only when it is a link.
func TestLinksFromPayloads(t *testing.T) {
	t.Parallel()
	c := &workflow.InAppControls{
		Body: "b", Avatar: "{{ payload.link }}", Redirect: "{{ payload.link }}", Primary: &workflow.Button{Label: "l", URL: "{{ payload.link }}"},
		Secondary: &workflow.Button{Label: "l", URL: "java{{ payload.rest }}"},
	}
	for link, want := range map[string]string{
		"https://shop.example/1": "https://shop.example/1", "/orders/1": "/orders/1",
		"javascript:alert(1)": "", " JAVASCRIPT:alert(1)": "", "data:text/html,x": "",
	} {
		out, err := newEngine().InApp(t.Context(), c, bind(t, `{"link":"`+link+`","rest":"script:alert(1)"}`))
		require.NoError(t, err)
		require.Equal(t, []string{want, want, want, ""}, []string{out.Avatar, out.Redirect, out.Primary.URL, out.Secondary.URL}, link)
	}
}
