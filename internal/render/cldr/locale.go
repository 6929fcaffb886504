// Package cldr writes numbers, amounts of money, dates and times as the readers of a locale write them, and picks the plural
// form that a number takes in their language, by the data of the Unicode CLDR.
//
// It puts three libraries together, because none has all of it right: golang.org/x/text has plural forms and grouping of digits
// (Indian ones too) but neither dates nor the place of a currency's sign; bojanz/currency has amounts, whose signs others misplace
// for negative ones; bep/golocales has dates and times. Digits are Latin in every locale, which all of these can write.
package cldr

import (
	"strings"

	"github.com/bep/golocales"
	"github.com/bojanz/currency"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Locale writes values for the readers of one locale. It is safe for concurrent use.
type Locale struct {
	tag     language.Tag
	printer *message.Printer
	amounts *currency.Formatter
	times   golocales.Translator
}

// maxLocales bounds the locales that are kept; their tags come from subscribers.
const maxLocales = 256

var locales = func() *lru.Cache[string, *Locale] {
	cache, err := lru.New[string, *Locale](maxLocales)
	if err != nil {
		panic(err) // the size is not positive
	}
	return cache
}()

// For is the locale of a BCP 47 tag; "_" counts as "-". What a region has no data for comes from its language, and English stands
// in for a language that is not known.
func For(tag string) *Locale {
	if l, known := locales.Get(tag); known {
		return l
	}
	l := newLocale(tag)
	locales.Add(strings.Clone(tag), l)
	return l
}

func newLocale(tag string) *Locale {
	parsed, err := language.Parse(strings.ReplaceAll(tag, "_", "-"))
	if err != nil || parsed == language.Und {
		parsed = language.English
	}
	base, script, region := parsed.Raw()
	plain, err := language.Compose(base, script, region) // without extensions, which could ask for other digits or calendars
	if err != nil {
		plain = language.English
	}
	latin, err := written(plain).SetTypeForKey("nu", "latn")
	if err != nil {
		latin = plain
	}
	return &Locale{
		tag: plain, printer: message.NewPrinter(latin),
		amounts: currency.NewFormatter(currency.NewLocale(plain.String())),
		times:   timesFor(plain),
	}
}

// written is the tag under which the formatter of numbers has Norwegian, which most people write in Bokmål.
func written(tag language.Tag) language.Tag {
	if base, _ := tag.Base(); base.String() == "no" {
		return language.Make("nb")
	}
	return tag
}

// timesFor finds the dates of a tag, of its parents, else of English.
func timesFor(tag language.Tag) golocales.Translator {
	for t := canonical(tag); t != language.Und; t = t.Parent() {
		if found := golocales.New(t.String()); found != nil {
			return found
		}
	}
	if base, _ := tag.Base(); golocales.New(base.String()) != nil {
		return golocales.New(base.String())
	}
	return golocales.New("en")
}

// canonical gives Chinese its script, which tells its two ways of writing apart where a tag has a region only.
func canonical(tag language.Tag) language.Tag {
	base, script, region := tag.Raw()
	if base.String() != "zh" || script.String() != "Zzzz" {
		return tag
	}
	if likely, _ := tag.Script(); likely.String() == "Hant" {
		script = likely
	}
	if composed, err := language.Compose(base, script, region); err == nil {
		return composed
	}
	return tag
}
