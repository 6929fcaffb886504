package cldr_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render/cldr"
)

func number(t *testing.T, v any) cldr.Number {
	t.Helper()
	n, ok := cldr.NumberOf(v)
	require.True(t, ok, "%v is a number", v)
	return n
}

// spaces makes the no-break spaces of CLDR visible.
var spaces = strings.NewReplacer("\u00a0", "~", "\u202f", "_", "\u200e", "<", "\u200f", ">", "\u061c", "^")

func TestNumbers(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string][3]string{ // 1234567.5, -1234, 12.5 %
		"en":    {"1,234,567.5", "-1,234", "12%"},
		"en-IN": {"12,34,567.5", "-1,234", "12%"},
		"de":    {"1.234.567,5", "-1.234", "12~%"},
		"de-CH": {"1'234'567.5", "-1'234", "12%"},
		"fr":    {"1_234_567,5", "-1_234", "12~%"},
		"ru":    {"1~234~567,5", "-1~234", "12~%"},
		"tr":    {"1.234.567,5", "-1.234", "%12"},
		"ar":    {"1,234,567.5", "<-1,234", "12<%<"}, // Latin digits in every locale
		"hi":    {"12,34,567.5", "-1,234", "12%"},
		"no":    {"1~234~567,5", "−1~234", "12~%"},
	} {
		l := cldr.For(tag)
		require.Equal(t, want[0], spaces.Replace(l.Number(number(t, 1234567.5))), tag)
		require.Equal(t, want[1], spaces.Replace(l.Number(number(t, -1234))), tag)
		require.Equal(t, want[2], spaces.Replace(l.Percent(number(t, 0.125))), tag)
	}
}

func TestDecimals(t *testing.T) {
	t.Parallel()
	l := cldr.For("en")
	require.Equal(t, "1.235", l.Number(number(t, 1.23456)))
	require.Equal(t, "0", l.Number(number(t, 0)))
	require.Equal(t, "2.50", l.Decimals(number(t, 2.5), 2, 2))
	require.Equal(t, "9,007,199,254,740,993", l.Number(number(t, json.Number("9007199254740993"))), "no digit of a whole number is lost")
}

func TestNumberOf(t *testing.T) {
	t.Parallel()
	for _, v := range []any{1, int64(2), 1.5, json.Number("3.0"), " 4.25 ", "-0"} {
		number(t, v)
	}
	for _, v := range []any{nil, true, "", "x", "1,5", "1e3", "--1", "1.", ".5", "+1", "٣", 1e21, math.NaN(), math.Inf(-1), strings.Repeat("9", 41), []any{1}, map[string]any{}} {
		_, ok := cldr.NumberOf(v)
		require.False(t, ok, "%v", v)
	}
}

func TestCurrency(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string][3]string{ // -1234.5 EUR, 1234 JPY, 0.005 KWD
		"en":    {"-€1,234.50", "¥1,234", "KWD~0.005"},
		"en-GB": {"-€1,234.50", "JP¥1,234", "KWD~0.005"},
		"de":    {"-1.234,50~€", "1.234~¥", "0,005~KWD"},
		"de-AT": {"-€~1.234,50", "¥~1.234", "KWD~0,005"},
		"fr":    {"-1_234,50~€", "1_234~JPY", "0,005~KWD"},
		"es":    {"-1234,50~€", "1234~JPY", "0,005~KWD"}, // four digits are not grouped in Spanish
		"nl":    {"€~-1.234,50", "JP¥~1.234", "KWD~0,005"},
		"ja":    {"-€1,234.50", "￥1,234", "KWD~0.005"},
		"ar-EG": {"><-1,234.50~€", ">1,234~JP¥", ">0.005~د.ك.>"},
	} {
		l := cldr.For(tag)
		for i, amount := range []struct {
			value any
			code  string
		}{{-1234.5, "EUR"}, {"1234", "jpy"}, {0.005, "KWD"}} {
			text, err := l.Currency(number(t, amount.value), amount.code)
			require.NoError(t, err)
			require.Equal(t, want[i], spaces.Replace(text), tag)
		}
	}
	_, err := cldr.For("en").Currency(number(t, 1), "EURO")
	require.ErrorIs(t, err, cldr.ErrCurrency)
	text, err := cldr.For("en").Currency(number(t, 2.345), "EUR")
	require.NoError(t, err)
	require.Equal(t, "€2.34", text, "half a cent goes to the even one")
}

func TestDatesAndTimes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.November, 4, 0, 5, 9, 0, time.FixedZone("CET", 3600))
	for tag, want := range map[string][5]string{
		"en":      {"11/4/26", "Nov 4, 2026", "November 4, 2026", "Wednesday, November 4, 2026", "12:05 AM"},
		"en-GB":   {"04/11/2026", "4 Nov 2026", "4 November 2026", "Wednesday, 4 November 2026", "00:05"},
		"de":      {"04.11.26", "04.11.2026", "4. November 2026", "Mittwoch, 4. November 2026", "00:05"},
		"fr-CA":   {"2026-11-04", "4 nov. 2026", "4 novembre 2026", "mercredi 4 novembre 2026", "00 h 05"},
		"es":      {"4/11/26", "4 nov 2026", "4 de noviembre de 2026", "miércoles, 4 de noviembre de 2026", "0:05"},
		"pl":      {"4.11.2026", "4 lis 2026", "4 listopada 2026", "środa, 4 listopada 2026", "00:05"},
		"ja":      {"2026/11/04", "2026/11/04", "2026年11月4日", "2026年11月4日水曜日", "0:05"},
		"zh-TW":   {"2026/11/4", "2026年11月4日", "2026年11月4日", "2026年11月4日 星期三", "凌晨12:05"},
		"zh":      {"2026/11/4", "2026年11月4日", "2026年11月4日", "2026年11月4日星期三", "00:05"},
		"de-XX":   {"04.11.26", "04.11.2026", "4. November 2026", "Mittwoch, 4. November 2026", "00:05"},
		"pt_BR":   {"04/11/2026", "4 de nov. de 2026", "4 de novembro de 2026", "quarta-feira, 4 de novembro de 2026", "00:05"},
		"xx":      {"11/4/26", "Nov 4, 2026", "November 4, 2026", "Wednesday, November 4, 2026", "12:05 AM"},
		"no tag!": {"11/4/26", "Nov 4, 2026", "November 4, 2026", "Wednesday, November 4, 2026", "12:05 AM"},
	} {
		l := cldr.For(tag)
		got := [5]string{l.Date(at, cldr.Short), l.Date(at, cldr.Medium), l.Date(at, cldr.Long), l.Date(at, cldr.Full), spaces.Replace(l.Time(at, cldr.Short))}
		require.Equal(t, want, got, tag)
	}
	require.Equal(t, "00:05:09", cldr.For("de").Time(at, cldr.Medium))
	require.Equal(t, "00:05:09 CET", cldr.For("de").Time(at, cldr.Long))
	require.Equal(t, "凌晨12:05:09 [CET]", cldr.For("zh-TW").Time(at, cldr.Full))
	for _, name := range []string{"", "short", "medium", "long", "full"} {
		_, known := cldr.StyleOf(name)
		require.True(t, known, name)
	}
	_, known := cldr.StyleOf("tiny")
	require.False(t, known)
}

func TestCardinals(t *testing.T) {
	t.Parallel()
	// By the charts of CLDR, https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html.
	for tag, want := range map[string]map[cldr.Category][]any{
		"en":    {"one": {1, "1.0"}, "other": {0, 2, 1.5, 1000000}},
		"de":    {"one": {1, -1}, "other": {0, 0.5, 2}},
		"fr":    {"one": {0, 1, 1.5}, "other": {2, 100}},
		"pt":    {"one": {0, 1, 0.5, 1.5}, "other": {2, 11}},
		"pt-PT": {"one": {1}, "other": {0, 0.5, 1.5, 2}},
		"ru":    {"one": {1, 21, 1001}, "few": {2, 3, 4, 22}, "many": {0, 5, 11, 12, 14, 25, 100}, "other": {1.5}},
		"pl":    {"one": {1}, "few": {2, 4, 22}, "many": {0, 5, 12, 21, 1001}, "other": {1.5}},
		"ar":    {"zero": {0}, "one": {1}, "two": {2}, "few": {3, 10, 103}, "many": {11, 99, 111}, "other": {100, 102, 1.5}},
		"lv":    {"zero": {0, 11, 30}, "one": {1, 21}, "other": {2, 22}},
		"cy":    {"zero": {0}, "one": {1}, "two": {2}, "few": {3}, "many": {6}, "other": {4, 7}},
		"ja":    {"other": {0, 1, 2, 1.5}},
	} {
		for category, values := range want {
			for _, v := range values {
				require.Equal(t, category, cldr.For(tag).Cardinal(number(t, v)), "%s %v", tag, v)
			}
		}
	}
}

func TestOrdinals(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]map[cldr.Category][]any{
		"en": {"one": {1, 21, 101}, "two": {2, 22}, "few": {3, 103}, "other": {4, 11, 12, 13, 111}},
		"fr": {"one": {1}, "other": {2, 21}},
		"it": {"many": {8, 11, 80, 800}, "other": {1, 2}},
		"de": {"other": {1, 2, 3}},
	} {
		for category, values := range want {
			for _, v := range values {
				require.Equal(t, category, cldr.For(tag).Ordinal(number(t, v)), "%s %v", tag, v)
			}
		}
	}
}

func TestNumberArithmetic(t *testing.T) {
	t.Parallel()
	require.True(t, number(t, 5).Minus(2).Equals(number(t, "3.0")))
	require.True(t, number(t, 1.5).Minus(0).Equals(number(t, 1.5)))
	require.False(t, number(t, 1).Equals(number(t, 2)))
	require.True(t, cldr.IsCategory("few"))
	require.False(t, cldr.IsCategory("some"))
}
