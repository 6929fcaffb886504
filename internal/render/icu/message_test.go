package icu_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render/cldr"
	"github.com/carillon/carillon/internal/render/icu"
)

// instant reads RFC 3339 as a time in UTC.
func instant(v any) (time.Time, bool) {
	s, _ := v.(string)
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

func text(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func write(t *testing.T, locale, message string, arguments map[string]any) string {
	t.Helper()
	m, err := icu.Parse(message)
	require.NoError(t, err, message)
	written, err := m.Format(icu.Values{Locale: cldr.For(locale), Arguments: arguments, Time: instant, Text: text, Limit: 10_000})
	require.NoError(t, err, message)
	return written
}

func TestFormat(t *testing.T) {
	t.Parallel()
	// party is the example of ICU's user guide.
	const party = `{gender, select,
		female {{guests, plural, offset:1
			=0 {{host} does not give a party.}
			=1 {{host} invites {guest} to her party.}
			one {{host} invites {guest} and one other person to her party.}
			other {{host} invites {guest} and # other people to her party.}}}
		other {{guests, plural, offset:1 =0 {{host} gives none.} other {{host} invites #.}}}}`
	guests := func(gender string, n any) map[string]any {
		return map[string]any{"gender": gender, "guests": n, "host": "Ann", "guest": "Bo"}
	}
	for name, c := range map[string]struct {
		locale, message string
		arguments       map[string]any
		want            string
	}{
		"Text":              {"en", "Hello", nil, "Hello"},
		"Empty":             {"en", "", nil, ""},
		"Argument":          {"en", "Hello { name }!", map[string]any{"name": "Ann"}, "Hello Ann!"},
		"MissingArgument":   {"en", "Hello {name}!", nil, "Hello {name}!"},
		"NullArgument":      {"en", "Hello {name}!", map[string]any{"name": nil}, "Hello !"},
		"NumberOfArgument":  {"de", "{n}", map[string]any{"n": 1234.5}, "1.234,5"},
		"DigitsOfText":      {"de", "{n}", map[string]any{"n": "1234"}, "1234"},
		"Exact":             {"en", party, guests("female", 0), "Ann does not give a party."},
		"ExactBeforeOffset": {"en", party, guests("female", 1), "Ann invites Bo to her party."},
		"OffsetChooses":     {"en", party, guests("female", 2), "Ann invites Bo and one other person to her party."},
		"PoundIsOffset":     {"en", party, guests("female", 12), "Ann invites Bo and 11 other people to her party."},
		"SelectOther":       {"en", party, guests("x", 3), "Ann invites 2."},
		"PluralFew":         {"pl", "{n, plural, one{# plik} few{# pliki} many{# plików} other{# pliku}}", map[string]any{"n": 22}, "22 pliki"},
		"PluralOfText":      {"en", "{n, plural, one{# file} other{# files}}", map[string]any{"n": "1"}, "1 file"},
		"PluralOfFraction":  {"pl", "{n, plural, one{# plik} few{# pliki} many{# plików} other{# pliku}}", map[string]any{"n": 1.5}, "1,5 pliku"},
		"PluralNoNumber":    {"en", "{n, plural, one{one} other{# some}}", map[string]any{"n": "many"}, "# some"},
		"PluralNoCategory":  {"ru", "{n, plural, one{a} other{b}}", map[string]any{"n": 5}, "b"},
		"ExactFraction":     {"en", "{n, plural, =1.5{half more} other{x}}", map[string]any{"n": 1.5}, "half more"},
		"Ordinal":           {"en", "{n, selectordinal, one{#st} two{#nd} few{#rd} other{#th}}", map[string]any{"n": 1003}, "1,003rd"},
		"PoundInSelect":     {"en", "{n, plural, other{{g, select, a{# a} other{# b}}}}", map[string]any{"n": 2, "g": "a"}, "2 a"},
		"PoundOutside":      {"en", "#{n}", map[string]any{"n": 2}, "#2"},
		"SelectOfNumber":    {"en", "{n, select, 3{three} other{x}}", map[string]any{"n": 3}, "three"},
		"SelectOfBool":      {"en", "{n, select, true{yes} other{no}}", map[string]any{"n": true}, "yes"},
		"SelectMissing":     {"en", "{n, select, a{A} other{O}}", nil, "O"},
		"Integer":           {"en", "{n, number, integer}", map[string]any{"n": 1234.5}, "1,234"},
		"Percent":           {"de", "{n, number, percent}", map[string]any{"n": 0.25}, "25\u00a0%"},
		"Currency":          {"de", "{n, number, ::currency/EUR}", map[string]any{"n": -3}, "-3,00\u00a0€"},
		"Decimals":          {"en", "{n, number, ::.00}", map[string]any{"n": 3}, "3.00"},
		"DecimalsAtMost":    {"en", "{n, number, ::.0##}", map[string]any{"n": 3.14159}, "3.142"},
		"NumberOfNoNumber":  {"en", "{n, number}", map[string]any{"n": "soon"}, "soon"},
		"Date":              {"fr", "le {d, date, full}", map[string]any{"d": "2026-11-04T08:05:00Z"}, "le mercredi 4 novembre 2026"},
		"DateIsMedium":      {"en", "{d, date}", map[string]any{"d": "2026-11-04T08:05:00Z"}, "Nov 4, 2026"},
		"DateSkeleton":      {"de", "{d, date, ::yMMMMd}", map[string]any{"d": "2026-11-04T08:05:00Z"}, "4. November 2026"},
		"Time":              {"de", "{d, time, short}", map[string]any{"d": "2026-11-04T08:05:00Z"}, "08:05"},
		"DateFields":        {"de", "{d, date, ::MMMd} {d, date, ::yMMMEdjm}", map[string]any{"d": "2026-11-04T08:05:00Z"}, "4. Nov. Mi., 4. Nov. 2026, 08:05"},
		"Compact":           {"en", "{n, number, ::compact-short} {n, number, ::compact-long .00}", map[string]any{"n": 1234567}, "1.2M 1.23 million"},
		"SkeletonOfWords":   {"en", "{n, number, ::currency/USD .0 sign-always group-off}", map[string]any{"n": 1234.5}, "+$1234.5"},
		"TimeSkeleton":      {"en-GB", "{d, time, ::jms}", map[string]any{"d": "2026-11-04T08:05:09Z"}, "08:05:09"},
		"DateOfNoDate":      {"de", "{d, date}", map[string]any{"d": "soon"}, "soon"},
		"TwoApostrophes":    {"en", "It''s {n}", map[string]any{"n": "on"}, "It's on"},
		"LoneApostrophe":    {"en", "It's {n}", map[string]any{"n": "on"}, "It's on"},
		"QuotedBraces":      {"en", "'{'{n}'}' and '{a''b}'", map[string]any{"n": "x"}, "{x} and {a'b}"},
		"QuotedPound":       {"en", "{n, plural, other{'#' #}}", map[string]any{"n": 2}, "# 2"},
		"QuoteToTheEnd":     {"en", "a '{b", nil, "a {b"},
		"OtherAlphabet":     {"ja", "{n, plural, other{#個の商品}}", map[string]any{"n": 3}, "3個の商品"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, write(t, c.locale, c.message, c.arguments))
		})
	}
}

func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"ab } c":                              "character 4: } closes nothing; write '}' for the sign itself",
		"{":                                   "character 2: the name of an argument must follow {; write '{' for the sign itself",
		"ü {}":                                "character 4: the name of an argument must follow {; write '{' for the sign itself",
		"{a b}":                               "character 4: after the argument a, a comma or } must follow",
		"{a.b}":                               "character 5: the name of an argument must follow {; write '{' for the sign itself",
		"{n, list}":                           `character 9: "list" is no type of an argument: number, date, time, plural, selectordinal and select are`,
		"{n, plural}":                         "character 11: the texts to choose from must follow: {n, …, other {…}}",
		"{n, plural, one{a}}":                 "character 20: the argument n has no text for other",
		"{n, plural, some{a} other{b}}":       `character 17: "some" is no plural form: zero, one, two, few, many, other and =1 are`,
		"{n, plural, =x{a} other{b}}":         `character 15: "x" is no number`,
		"{n, plural, offset:-1 other{b}}":     `character 22: the offset "-1" is no whole number from 0 to 1000`,
		"{n, plural, one{a} one{b} other{}}":  "character 23: there are two texts for one",
		"{n, plural, other b}":                "character 19: after other, its text must follow in braces",
		"{n, plural, other{b}":                "character 21: the argument n is not closed by }",
		"{n, plural, other{b":                 "character 20: a { is not closed",
		"{n, number, big}":                    `character 13: "big" is no style of a number: integer, percent, ::currency/EUR, ::compact-short and ::.00 are`,
		"{n, number, currency}":               "character 13: name the currency: ::currency/EUR",
		"{n, number, ::currency/EURO}":        `character 13: the currency must be a code of ISO 4217, such as EUR: "EURO"`,
		"{n, number, ::.00000000000}":         `character 13: "::.00000000000" is no style of a number: integer, percent, ::currency/EUR, ::compact-short and ::.00 are`,
		"{d, date, tiny}":                     `character 11: "tiny" is no style of a date or time: short, medium, long and full are`,
		"{d, time, ::yQ}":                     `character 11: "yQ" is no skeleton of a date that is supported; use years y, months M, days d, weekdays E, hours j, h or H, minutes m, seconds s and the zone z, such as yMMMd or jm`,
		"{n, number, ::}":                     `character 13: "::" is no style of a number: integer, percent, ::currency/EUR, ::compact-short and ::.00 are`,
		"{n, number, ::currency/EUR percent}": `character 13: "::currency/EUR percent" is no style of a number: integer, percent, ::currency/EUR, ::compact-short and ::.00 are`,
		"{d, date, short":                     "character 16: the argument d is not closed by }",
	} {
		_, err := icu.Parse(message)
		var syntax *icu.SyntaxError
		require.ErrorAs(t, err, &syntax, message)
		require.Equal(t, want, err.Error(), message)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	nested := func(n int) string {
		return strings.Repeat("{n, plural, other{", n) + "#" + strings.Repeat("}}", n)
	}
	_, err := icu.Parse(nested(icu.MaxDepth))
	require.NoError(t, err)
	_, err = icu.Parse(nested(icu.MaxDepth + 1))
	require.ErrorContains(t, err, "choices may be nested 6 times")
	_, err = icu.Parse(strings.Repeat("a", icu.MaxLength+1))
	require.ErrorContains(t, err, "at most 20000 bytes")

	m, err := icu.Parse("{a}{a}{a}")
	require.NoError(t, err)
	values := icu.Values{Locale: cldr.For("en"), Arguments: map[string]any{"a": "1234"}, Time: instant, Text: text, Limit: 12}
	_, err = m.Format(values)
	require.NoError(t, err)
	values.Limit = 11
	_, err = m.Format(values)
	require.ErrorIs(t, err, icu.ErrTooLarge)
}

func TestEscape(t *testing.T) {
	t.Parallel()
	m, err := icu.Parse("<b>{name}</b> {kind, select, <i>{1} other{2}}")
	require.NoError(t, err)
	written, err := m.Format(icu.Values{
		Locale: cldr.For("en"), Arguments: map[string]any{"name": "<i>", "kind": "<i>"}, Time: instant, Text: text,
		Escape: func(s string) string { return strings.ReplaceAll(s, "<", "&lt;") }, Limit: 100,
	})
	require.NoError(t, err)
	require.Equal(t, "<b>&lt;i></b> 1", written, "a value is escaped where it is written, not where it chooses")
}

func TestArguments(t *testing.T) {
	t.Parallel()
	m, err := icu.Parse("{b} {n, plural, one{{a}} other{{b} {c, date}}} {s, select, other{{a}}}")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c", "n", "s"}, m.Arguments())
}

func TestIsTyped(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]bool{
		"{n, plural, other{}}": true, "a { n ,date}": true, "{ {n,number": true, "{n}": false, "{a, b}": false, "{{ a, number }}": true,
		"{a b, date}": false, "date, {": false, "": false, `{"a": 1, "date": 2}`: false,
	} {
		require.Equal(t, want, icu.IsTyped(message), message)
	}
}

// FuzzMessage: no text panics, and what is parsed can be written within its limit.
func FuzzMessage(f *testing.F) {
	for _, s := range []string{"{n, plural, offset:1 =1{a} one{#} other{{b, date, ::yMMMd}}}", "'{'''}", "{g, select, a{x} other{{n, number, ::.0#}}}", "}", "{a", "#"} {
		f.Add(s, "de", "3")
	}
	f.Fuzz(func(t *testing.T, message, locale, value string) {
		m, err := icu.Parse(message)
		if err != nil {
			require.NotContains(t, err.Error(), "%!")
			return
		}
		arguments := map[string]any{"n": value, "g": value}
		written, err := m.Format(icu.Values{Locale: cldr.For(locale), Arguments: arguments, Time: instant, Text: text, Limit: 1000})
		if err == nil {
			require.LessOrEqual(t, len(written), 1000)
		}
		m.Arguments()
		icu.IsTyped(message)
	})
}
