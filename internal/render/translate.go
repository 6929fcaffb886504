package render

import "strings"

// Translations hold the texts of an environment: locale → key → text.
type Translations map[string]map[string]string

// Translator answers keys for one reader's locale.
type Translator struct{ chain []map[string]string }

// For makes the translator of a locale. Keys are looked up under the exact tag, then its language, then the fallback
// locale; a key that none of them has is shown as it is (semantics.md §11.20). Tags compare without case, and "_"
// counts as "-".
func (t Translations) For(locale, fallback string) *Translator {
	tr := &Translator{}
	seen := map[string]bool{}
	for _, tag := range []string{locale, language(locale), fallback, language(fallback)} {
		tag = canonicalTag(tag)
		if tag == "" || seen[tag] {
			continue
		}
		seen[tag] = true
		for name, texts := range t {
			if canonicalTag(name) == tag {
				tr.chain = append(tr.chain, texts)
			}
		}
	}
	return tr
}

func canonicalTag(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "-")) }

func language(tag string) string {
	lang, _, _ := strings.Cut(canonicalTag(tag), "-")
	return lang
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
	if t == nil {
		return "", false
	}
	for _, texts := range t.chain {
		if text, ok = texts[key]; ok {
			return text, true
		}
	}
	return "", false
}
