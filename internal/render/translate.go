package render

import (
	"cmp"
	"slices"
	"strings"

	xlanguage "golang.org/x/text/language"

	"github.com/carillon/carillon/internal/render/cldr"
)

// Translations hold the texts of an environment: locale → key → text.
type Translations map[string]map[string]string

// Translator answers keys for one reader's locale.
type Translator struct {
	locale string // the reader's; the fallback when its language is not known
	chain  []localeTexts
}

type localeTexts struct {
	tag   string
	texts map[string]string
}

// For makes the translator of a locale. Keys are looked up under the exact tag, then its parents, of which its language is the last, then
// the fallback locale with its own; a key that none of them has is shown as it is (semantics.md §11.20). Tags compare without case, and
// "_" counts as "-".
func (t Translations) For(locale, fallback string) *Translator {
	tr := &Translator{locale: locale}
	if !cldr.Knows(locale) {
		tr.locale = cmp.Or(fallback, locale)
	}
	seen := map[string]bool{}
	for _, tag := range slices.Concat(lineage(locale), lineage(fallback)) {
		if tag == "" || seen[tag] {
			continue
		}
		seen[tag] = true
		for name, texts := range t {
			if canonicalTag(name) == tag {
				tr.chain = append(tr.chain, localeTexts{tag, texts})
			}
		}
	}
	return tr
}

// norwegian are the two tags of the language that is written in most of Norway.
var norwegian = map[string]string{"nb": "no", "no": "nb"}

// lineage are the tags under which texts for a locale may be, the closest first: its own; it with its script, and without its script or its
// region where that says the same, as zh-Hant-TW, zh-TW and zh-Hant do; its parents in CLDR, such as es-419 of es-MX; its language.
func lineage(locale string) []string {
	tags := []string{canonicalTag(locale)}
	if t, err := xlanguage.Parse(locale); err == nil && t != xlanguage.Und {
		base, _ := t.Base()
		script, _ := t.Script()
		region, _ := t.Region()
		short := base.String() + "-" + region.String()
		tags = append(tags, canonicalTag(base.String()+"-"+script.String()+"-"+region.String()))
		if own, _ := xlanguage.Make(short).Script(); own == script {
			tags = append(tags, canonicalTag(short))
		}
		tags = append(tags, canonicalTag(base.String()+"-"+script.String()))
		for ; t != xlanguage.Und; t = t.Parent() {
			tags = append(tags, canonicalTag(t.String()))
		}
	}
	return append(tags, language(locale), norwegian[language(locale)])
}

func canonicalTag(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "-")) }

func language(tag string) string {
	lang, _, _ := strings.Cut(canonicalTag(tag), "-")
	return lang
}

// Locale is the locale by which the reader's numbers and dates are written; English without one.
func (t *Translator) Locale() string {
	if t == nil || t.locale == "" {
		return "en"
	}
	return t.locale
}

// Text is the translation of key, or key itself.
func (t *Translator) Text(key string) string {
	if text, ok := t.Lookup(key); ok {
		return text
	}
	return key
}

// Lookup is the translation of key; ok is false when no locale of the chain has it.
func (t *Translator) Lookup(key string) (text string, ok bool) {
	text, _, ok = t.lookup(key)
	return text, ok
}

// lookup also gives the locale by which the text is written: the reader's where the text is in the reader's language, else its own.
func (t *Translator) lookup(key string) (text, locale string, ok bool) {
	if t == nil {
		return "", "", false
	}
	for _, l := range t.chain {
		if text, ok = l.texts[key]; !ok {
			continue
		}
		if language(l.tag) == language(t.locale) {
			return text, t.locale, true
		}
		return text, l.tag, true
	}
	return "", "", false
}
