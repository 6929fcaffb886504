package render

import (
	"slices"
	"strings"
)

// KeyUse is a place where a template passes a key to the filter t.
type KeyUse struct {
	Key  string
	Line int // from 1
}

// KeysOf lists the keys of translations that a template uses. A key that is made of variables or by other filters is not known
// before rendering, and is left out.
func KeysOf(source string) []KeyUse {
	if isLiteral(source) || !strings.Contains(source, "|") {
		return nil
	}
	var uses []KeyUse
	for _, x := range expressionsOf(source) {
		for i, l := range x.lexemes {
			if key, used := x.keyAt(i); used {
				uses = append(uses, KeyUse{key, x.line + strings.Count(x.args[:l.start], "\n")})
			}
		}
	}
	return uses
}

// keyAt is the key that the lexeme at a position is, when it is a text that goes to the filter t as it is.
func (x found) keyAt(i int) (key string, used bool) {
	l := x.lexemes
	if l[i].kind != lexString || len(l[i].text) < 3 || i+2 >= len(l) || l[i+2].kind != lexFilter || l[i+2].text != textFilter {
		return "", false
	}
	if i > 0 && (l[i-1].text == ":" || l[i-1].text == ",") {
		if i < 2 || !x.isArgument(i-2) {
			return "", false // an argument of a filter, whose result goes to t
		}
	}
	return l[i].text[1 : len(l[i].text)-1], true
}

// MissingKey is a key of translations that locales lack.
type MissingKey struct {
	Key     string
	Locales []string // sorted
}

// Missing lists the keys that a locale has or that templates use, and that another locale or the fallback lacks, in their
// order. A locale also has what its language has: de-AT the texts of de. The texts of the fallback are another language and do
// not count. used are the keys that templates use.
func (t Translations) Missing(fallback string, used []string) []MissingKey {
	readers := map[string]*Translator{}
	keys := slices.Clone(used)
	has := false
	for locale, texts := range t {
		readers[locale] = t.For(locale, "")
		has = has || canonicalTag(locale) == canonicalTag(fallback)
		for key := range texts {
			keys = append(keys, key)
		}
	}
	if !has {
		readers[fallback] = t.For(fallback, "")
	}
	slices.Sort(keys)
	var missing []MissingKey
	for _, key := range slices.Compact(keys) {
		var lacking []string
		for locale, reader := range readers {
			if _, known := reader.Lookup(key); !known {
				lacking = append(lacking, locale)
			}
		}
		if len(lacking) > 0 {
			slices.Sort(lacking)
			missing = append(missing, MissingKey{key, lacking})
		}
	}
	return missing
}
