package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// messageTexts are translations in two languages.
var messageTexts = render.Translations{
	"en": {
		"cart":  "{count, plural, =0 {Your cart is empty} one {# item} other {# items}}, {name}",
		"plain": "Use {braces} freely",
		"bold":  "<b>{name}</b>",
		"due":   "Due {when, date, long} at {when, time, short}: {total, number, ::currency/EUR}",
		"open":  "{count, plural, one {#",
		"only":  "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}",
	},
	"ru": {"cart": "{count, plural, one {# товар} few {# товара} many {# товаров} other {# товара}}, {name}"},
	"de": {"due": "Fällig am {when, date, long} um {when, time, short}: {total, number, ::currency/EUR}"},
}

func localized(locale string) render.Bindings {
	return render.Vars{
		Subscriber: map[string]any{"firstName": "Ann & Bo", "timezone": "Europe/Berlin"},
		Payload:    map[string]any{"n": 3.0, "total": 1234.5, "when": "2026-11-04T23:30:00Z", "day": "2026-11-04", "empty": nil},
		Texts:      messageTexts.For(locale, "en"),
	}.Bind()
}

func TestTranslationsWithArguments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ locale, source, text, html string }{
		"Plural":             {"en", `{{ "cart" | t: count: payload.n, name: subscriber.firstName }}`, "3 items, Ann & Bo", "3 items, Ann &amp; Bo"},
		"PluralRussian":      {"ru", `{{ "cart" | t: count: payload.n, name: "A" }}`, "3 товара, A", "3 товара, A"},
		"RegionOfLanguage":   {"ru-UA", `{{ "cart" | t: count: 25, name: "A" }}`, "25 товаров, A", "25 товаров, A"},
		"FallbackIsEnglish":  {"fr", `{{ "cart" | t: count: 0, name: "A" }}`, "Your cart is empty, A", "Your cart is empty, A"},
		"FallbackFormats":    {"fr", `{{ "cart" | t: count: 1234, name: "A" }}`, "1,234 items, A", "1,234 items, A"},
		"Ordinal":            {"en", `{{ "only" | t: n: 22 }}`, "22nd", "22nd"},
		"ZoneOfTheReader":    {"de", `{{ "due" | t: when: payload.when, total: payload.total }}`, "Fällig am 5. November 2026 um 00:30: 1.234,50\u00a0€", "Fällig am 5. November 2026 um 00:30: 1.234,50\u00a0€"},
		"WithoutArguments":   {"en", `{{ "plain" | t }}`, "Use {braces} freely", "Use {braces} freely"},
		"MissingArgument":    {"en", `{{ "plain" | t: other: 1 }}`, "Use {braces} freely", "Use {braces} freely"},
		"NotWellFormed":      {"en", `{{ "open" | t: count: 1 }}`, "{count, plural, one {#", "{count, plural, one {#"},
		"UnknownKey":         {"en", `{{ "none" | t: count: 1 }}`, "none", "none"},
		"MarkupIsEscaped":    {"en", `{{ "bold" | t: name: "<i>" }}`, "<b><i></b>", "&lt;b&gt;&lt;i&gt;&lt;/b&gt;"},
		"RawEscapesValues":   {"en", `{{ "bold" | t: name: "<i>" | raw }}`, "<b><i></b>", "<b>&lt;i&gt;</b>"},
		"FurtherFilter":      {"en", `{{ "cart" | t: count: 1, name: "a" | upcase | append: "!" }}`, "1 ITEM, A!", "1 ITEM, A!"},
		"KeywordAsName":      {"en", `{{ "plain" | t: limit: 1, empty: 2 }}`, "Use {braces} freely", "Use {braces} freely"},
		"Assigned":           {"en", `{% assign x = "cart" | t: count: 2, name: "B" %}{{ x }}`, "2 items, B", "2 items, B"},
		"Number":             {"de", `{{ payload.total | number }} {{ payload.total | number: 2 }} {{ 0.25 | percent }}`, "1.234,5 1.234,50 25\u00a0%", "1.234,5 1.234,50 25\u00a0%"},
		"Currency":           {"en", `{{ payload.total | currency: "EUR" }} {{ 5 | currency: "jpy" }}`, "€1,234.50 ¥5", "€1,234.50 ¥5"},
		"Dates":              {"en-GB", `{{ payload.when | local_date }}, {{ payload.when | local_date: "full" }}, {{ payload.when | local_time: "short" }}`, "5 Nov 2026, Thursday, 5 November 2026, 00:30", "5 Nov 2026, Thursday, 5 November 2026, 00:30"},
		"DayIsTheReaders":    {"en-GB", `{{ payload.day | local_date }}`, "4 Nov 2026", "4 Nov 2026"},
		"Epoch":              {"en-GB", `{{ 1762300000 | local_date }} {{ 1762300000000 | local_date }}`, "5 Nov 2025 5 Nov 2025", "5 Nov 2025 5 Nov 2025"},
		"NoNumber":           {"en", `{{ "x" | number }}{{ payload.empty | currency: "EUR" }}{{ "today" | local_date }}`, "xtoday", "xtoday"},
		"LocaleWithoutTexts": {"de", `{{ 1.5 | number }}`, "1,5", "1,5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := render.New(render.DefaultLimits())
			text, err := e.Text(t.Context(), c.source, localized(c.locale))
			require.NoError(t, err)
			require.Equal(t, c.text, text)
			markup, err := e.HTML(t.Context(), c.source, localized(c.locale))
			require.NoError(t, err)
			require.Equal(t, c.html, markup)
			require.NoError(t, e.Check(c.source, true))
		})
	}
}

func TestTranslationArgumentsAreRefused(t *testing.T) {
	t.Parallel()
	e := render.New(render.DefaultLimits())
	for name, source := range map[string]string{
		"WithoutName":  `{{ "cart" | t: payload.n }}`,
		"SecondHasNot": `{{ "cart" | t: count: 1, payload.n }}`,
		"Path":         `{{ "cart" | t: payload.n: 1 }}`,
		"WithoutValue": `{{ "cart" | t: count: }}`,
		"InRender":     `{% render "x", title: "cart" | t: count: 1 %}`,
	} {
		require.Error(t, e.Check(source, false), name)
	}
	_, err := e.Text(t.Context(), `{{ 5 | currency: "EURO" }}`, localized("en"))
	require.ErrorContains(t, err, "ISO 4217")
	_, err = e.Text(t.Context(), `{{ payload.day | local_date: "tiny" }}`, localized("en"))
	require.ErrorContains(t, err, "short, medium, long and full")
}

func TestAnalyzeTranslationArguments(t *testing.T) {
	t.Parallel()
	e := render.New(render.DefaultLimits())
	scope := workflow.TemplateScope{Translation: messageTexts.For("en", "en").Lookup, Texts: messageTexts.TextsOf}
	for source, message := range map[string]string{
		`{{ "cart" | t: count: payload.n, name: "x" }}`: "",
		`{{ "plain" | t }}`:                             "",
		`{{ "cart" | t: count: payload.n }}`:            "The translation of cart for en needs the argument name",
		`{{ "cart" | t }}`:                              "The translation of cart for en needs the argument count",
		`{{ "open" | t: count: 1 }}`:                    "The translation of open for en takes no arguments: character 23: a { is not closed.",
		`{{ "due" | t: when: payload.when }}`:           "The translation of due for de needs the argument total",
		`{{ "cart" | t: count: nowhere.n, name: "x" }}`: "There is no variable nowhere.n.",
	} {
		faults := e.Analyze(source, scope)
		if message == "" {
			require.Empty(t, faults, source)
			continue
		}
		require.NotEmpty(t, faults, source)
		require.Contains(t, faults[0].Message, message, source)
	}
	names, err := e.Variables(`{{ "cart" | t: count: payload.n, name: subscriber.firstName }}`, false)
	require.NoError(t, err)
	require.Equal(t, []string{"payload.n", "subscriber.firstName"}, names)
	require.Equal(t, []render.KeyUse{{Key: "cart", Line: 1}}, render.KeysOf(`{{ "cart" | t: count: 1 }}`))
}

func TestTextsOfAndDoubts(t *testing.T) {
	t.Parallel()
	require.Equal(t, map[string]string{"en": messageTexts["en"]["due"], "de": messageTexts["de"]["due"]}, messageTexts.TextsOf("due"))
	require.Empty(t, messageTexts.TextsOf("none"))
	require.Empty(t, messageTexts.Doubts(), "a text that is not well-formed is refused elsewhere")
	texts := render.Translations{"pl": {"a": "{n, plural, one {#} other {#}}", "b": "{n}"}, "en": {"a": "{n, plural, one {#} other {#}}"}}
	require.Equal(t, []render.Doubt{{Locale: "pl", Key: "a", Reason: "the argument n has no text for few, many, so that the one for other is written"}}, texts.Doubts())
}
