package cldr_test

import (
	"archive/zip"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render/cldr"
)

// dateOf tells locales apart: the long form of one day.
func dateOf(tag string) string {
	return cldr.For(tag).Date(time.Date(2026, time.March, 5, 0, 0, 0, 0, time.UTC), cldr.Long)
}

func TestForFindsTheClosestLocale(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"DE-at": "de-AT", "pt-BR": "pt", "zh-HK": "zh-Hant-HK", "zh-CN": "zh", "iw": "he", "en-US-u-nu-arab": "en", "tlh": "en", "": "en", "supplemental": "en",
		"sr-ME": "sr-Latn", "es-419": "es",
	} {
		require.Equal(t, dateOf(want), dateOf(tag), tag)
	}
	require.NotEqual(t, dateOf("sr"), dateOf("sr-Latn"))
}

func TestForIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, tag := range []string{"fr", "fr-CA", "xx", "ja"} {
				dateOf(tag)
			}
		})
	}
	all.Wait()
}

// What a region has of its own, its language keeps as it was.
func TestRegionsDoNotChangeTheirLanguage(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{"de-CH": "EUR~1.00", "de": "1,00~€", "de-AT": "€~1,00"} {
		text, err := cldr.For(tag).Currency(number(t, 1), "EUR")
		require.NoError(t, err)
		require.Equal(t, want, spaces.Replace(text), tag)
	}
}

// TestEveryLocale reads all data, and asks of each locale for all that can be formatted.
func TestEveryLocale(t *testing.T) {
	t.Parallel()
	archive, err := zip.OpenReader("data.zip")
	require.NoError(t, err)
	defer archive.Close()
	at := time.Date(2026, 3, 5, 14, 7, 9, 0, time.FixedZone("", 5*3600+1800))
	count := 0
	for _, f := range archive.File {
		in, err := f.Open()
		require.NoError(t, err)
		var locales map[string]json.RawMessage
		require.NoError(t, json.NewDecoder(in).Decode(&locales))
		for tag := range locales {
			if tag == "supplemental" {
				continue
			}
			l := cldr.For(tag)
			count++
			for kind := cldr.Decimal; kind <= cldr.CompactLong; kind++ {
				require.NotEmpty(t, l.Styled(number(t, "-1234567.5"), cldr.NumberStyle{Kind: kind, Currency: "EUR"}), tag)
			}
			for _, style := range []cldr.Style{cldr.Short, cldr.Medium, cldr.Long, cldr.Full} {
				require.NotEmpty(t, l.Date(at, style), tag)
				require.NotEmpty(t, l.Time(at, style), tag)
			}
			for _, skeleton := range []string{
				"y", "yM", "yMd", "yMEd", "yMMM", "yMMMd", "yMMMEd", "M", "Md", "MEd", "MMM", "MMMd", "MMMEd", "d", "E", "Ed",
				"h", "H", "hm", "Hm", "hms", "Hms", "ms", "j", "jm", "yMMMMEEEEdjm",
			} {
				require.NotEmpty(t, l.Skeleton(at, skeleton), "%s %s", tag, skeleton)
			}
		}
	}
	require.Greater(t, count, 700)
}

func TestStyles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		locale, number string
		style          cldr.NumberStyle
		want           string
	}{
		{"en", "0", cldr.NumberStyle{AlwaysSign: true}, "+0"},
		{"en", "-5", cldr.NumberStyle{AlwaysSign: true}, "-5"},
		{"en", "12345", cldr.NumberStyle{NoGroups: true}, "12345"},
		{"en", "9.999", cldr.NumberStyle{Fraction: true, MinFraction: 2, MaxFraction: 2}, "10.00"},
		{"es", "1234", cldr.NumberStyle{}, "1234"},
		{"es", "12345", cldr.NumberStyle{}, "12.345"},
		{"en-IN", "123456789012", cldr.NumberStyle{}, "1,23,45,67,89,012"},
		{"en", "1234", cldr.NumberStyle{Kind: cldr.CompactShort}, "1.2K"},
		{"en", "999999", cldr.NumberStyle{Kind: cldr.CompactShort}, "1M"},
		{"de", "1234", cldr.NumberStyle{Kind: cldr.CompactLong}, "1,2 Tausend"},
		{"en", "1500000000000000000", cldr.NumberStyle{Kind: cldr.CompactShort}, "1,500,000T"},
		{"en", "-0.004", cldr.NumberStyle{Fraction: true, MaxFraction: 2}, "-0"},
	} {
		require.Equal(t, c.want, spaces.Replace(cldr.For(c.locale).Styled(number(t, c.number), c.style)), "%+v", c)
	}
}

func TestCategories(t *testing.T) {
	t.Parallel()
	require.Equal(t, []cldr.Category{"one", "few", "many", "other"}, cldr.For("ru").Categories(false))
	require.Equal(t, []cldr.Category{"one", "few", "many"}, cldr.For("ru").EverydayCategories(false))
	require.Equal(t, []cldr.Category{"one", "other"}, cldr.For("fr").EverydayCategories(false), "many is for millions")
	require.Equal(t, []cldr.Category{"one", "two", "few", "other"}, cldr.For("en").Categories(true))
	require.Equal(t, cldr.Category("other"), cldr.For("en").Cardinal(number(t, "100000000000000000000001")), "no digit is forgotten")
}

func TestSkeletons(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 5, 0, 7, 9, 0, time.FixedZone("", 5*3600+1800))
	for _, c := range []struct{ locale, skeleton, want string }{
		{"en", "yMMMd", "Mar 5, 2026"},
		{"de", "dMMM", "5. März"},
		{"en", "jmz", "12:07 AM GMT+5:30"},
		{"de", "jm", "00:07"},
		{"en", "yMMdd", "03/05/2026"},
		{"en", "yyMMMd", "Mar 5, 26"},
		{"ja", "yMMMMEEEEd", "2026年3月5日木曜日"},
		{"fr", "LLLL", "mars"},
		{"en", "yMMMMdjm", "March 5, 2026 at 12:07 AM"},
		{"en", "Hmszzzz", "00:07:09 GMT+05:30"},
		{"en", "yd", "Mar 5, 2026"},
	} {
		require.Equal(t, c.want, cldr.For(c.locale).Skeleton(at, c.skeleton), "%+v", c)
	}
	west := at.In(time.FixedZone("", -3*3600))
	require.Equal(t, "15:37:09 GMT-3", cldr.For("en").Skeleton(west, "Hmsz"))
	for _, skeleton := range []string{"", "yd", "Q", "yyMyy", "hH", "z", "m", "y M", "yMMMMMM", "'y'"} {
		require.Error(t, cldr.CheckSkeleton(skeleton), skeleton)
	}
}
