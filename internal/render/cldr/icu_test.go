package cldr_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render/cldr"
)

// formatted is what ICU made of numbers and instants in one locale; testdata/icu.mjs wrote it.
type formatted struct {
	Decimal, Percent, EUR, USD, JPY, CHF, Short, Long map[string]string
	Dates, Times, Skeletons                           map[string]map[string]string
	Cardinal, Ordinal                                 map[string]cldr.Category
}

// TestAgreesWithICU compares with what ICU, on the same data, writes in 60 locales.
func TestAgreesWithICU(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/icu.json")
	require.NoError(t, err)
	var golden struct{ Locales map[string]formatted }
	require.NoError(t, json.Unmarshal(raw, &golden))
	require.Greater(t, len(golden.Locales), 50)
	for tag, want := range golden.Locales {
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			l := cldr.For(tag)
			for name, c := range map[string]struct {
				want  map[string]string
				style cldr.NumberStyle
			}{
				"decimal": {want.Decimal, cldr.NumberStyle{}},
				"percent": {want.Percent, cldr.NumberStyle{Kind: cldr.Percent, Power: 2}},
				"EUR":     {want.EUR, cldr.NumberStyle{Kind: cldr.Currency, Currency: "EUR"}},
				"USD":     {want.USD, cldr.NumberStyle{Kind: cldr.Currency, Currency: "USD"}},
				"JPY":     {want.JPY, cldr.NumberStyle{Kind: cldr.Currency, Currency: "JPY"}},
				"CHF":     {want.CHF, cldr.NumberStyle{Kind: cldr.Currency, Currency: "CHF"}},
				"short":   {want.Short, cldr.NumberStyle{Kind: cldr.CompactShort}},
				"long":    {want.Long, cldr.NumberStyle{Kind: cldr.CompactLong}},
			} {
				for text, want := range c.want {
					assert.Equal(t, want, l.Styled(number(t, text), c.style), "%s %s", name, text)
				}
			}
			for text, category := range want.Cardinal {
				assert.Equal(t, category, l.Cardinal(number(t, text)), "cardinal %s", text)
			}
			for text, category := range want.Ordinal {
				assert.Equal(t, category, l.Ordinal(number(t, text)), "ordinal %s", text)
			}
			compareDates(t, l, want)
		})
	}
}

func compareDates(t *testing.T, l *cldr.Locale, want formatted) {
	t.Helper()
	for _, c := range []struct {
		want  map[string]map[string]string
		write func(t time.Time, name string) string
	}{
		{want.Dates, func(t time.Time, name string) string { return l.Date(t, cldr.Style(name)) }},
		{want.Times, func(t time.Time, name string) string { return l.Time(t, cldr.Style(name)) }},
		{want.Skeletons, l.Skeleton},
	} {
		for name, instants := range c.want {
			for text, want := range instants {
				at, err := time.Parse(time.RFC3339, text)
				require.NoError(t, err)
				assert.Equal(t, want, c.write(at, name), "%s %s", text, name)
			}
		}
	}
}
