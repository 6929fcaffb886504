package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
)

// TestParentsOfALocale: texts of the closest locale are used, which is one of the same script before another one of the language.
func TestParentsOfALocale(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		locale string
		has    []string
		want   string
	}{
		{"zh-TW", []string{"zh", "zh-Hant", "en"}, "zh-Hant"},
		{"zh-HK", []string{"zh-Hans", "zh-Hant", "zh-TW"}, "zh-Hant"},
		{"zh-Hant-TW", []string{"zh", "zh_TW", "en"}, "zh_TW"},
		{"zh-TW", []string{"zh", "zh-Hant-TW"}, "zh-Hant-TW"},
		{"zh-CN", []string{"zh-Hans", "zh-Hant", "en"}, "zh-Hans"},
		{"zh", []string{"zh-Hans", "en"}, "zh-Hans"},
		{"zh-TW", []string{"zh", "en"}, "zh"},
		{"sr-Latn-RS", []string{"sr", "sr-RS", "sr-Latn"}, "sr-Latn"},
		{"sr-Latn-RS", []string{"sr-RS", "en"}, "en"},
		{"sr-RS", []string{"sr-Latn", "sr-Cyrl"}, "sr-Cyrl"},
		{"es-MX", []string{"es", "es-419"}, "es-419"},
		{"es-ES", []string{"es", "es-419"}, "es"},
		{"en-AU", []string{"en", "en-001"}, "en-001"},
		{"pt-AO", []string{"pt", "pt-PT"}, "pt-PT"},
		{"pt-BR", []string{"pt", "pt-PT"}, "pt"},
		{"pt-PT", []string{"pt-BR", "en"}, "en"},
		{"nb-NO", []string{"no", "en"}, "no"},
		{"no", []string{"nb", "en"}, "nb"},
		{"nn", []string{"nb", "en"}, "en"},
		{"iw", []string{"he", "en"}, "he"},
		{"de-DE-u-co-phonebk", []string{"de-DE", "de"}, "de-DE"},
		{"de_CH.UTF-8", []string{"de", "en"}, "de"},
		{"fr", []string{"en-GB", "en-001", "de"}, "en-GB"},
		{"no tag!", []string{"en", "de"}, "en"},
		{"", []string{"en-001", "en-GB"}, "en-GB"},
	} {
		texts := render.Translations{}
		for _, locale := range c.has {
			texts[locale] = map[string]string{"key": locale}
		}
		assert.Equal(t, c.want, texts.For(c.locale, "en-GB").Text("key"), "%s of %v", c.locale, c.has)
	}
}

// TestFormatsOfAnUnknownLocale: who has a locale of no language reads numbers and dates as the environment's default has them, whose
// texts they get.
func TestFormatsOfAnUnknownLocale(t *testing.T) {
	t.Parallel()
	texts := render.Translations{"de": {"sum": "Summe {n, number, ::.00}"}, "pirate": {"ahoy": "Arr {n}"}}
	for locale, want := range map[string]string{
		"german": "Summe 1.234,50 1.234,5", "no tag!": "Summe 1.234,50 1.234,5", "xx-YY": "Summe 1.234,50 1.234,5", "": "Summe 1.234,50 1.234,5",
		"fr": "Summe 1.234,50 1\u202f234,5", "en": "Summe 1.234,50 1,234.5", "de_CH": "Summe 1'234.50 1'234.5",
	} {
		vars := render.Vars{Payload: map[string]any{"n": 1234.5}, Texts: texts.For(locale, "de")}.Bind()
		got, err := newEngine().Text(t.Context(), `{{ "sum" | t: n: payload.n }} {{ payload.n | number }}`, vars)
		require.NoError(t, err)
		assert.Equal(t, want, got, locale)
	}
	vars := render.Vars{Payload: map[string]any{"n": 3.0}, Texts: texts.For("pirate", "de")}.Bind()
	got, err := newEngine().Text(t.Context(), `{{ "ahoy" | t: n: payload.n }}`, vars)
	require.NoError(t, err)
	require.Equal(t, "Arr 3", got, "texts of a name that is no language are used")
}
