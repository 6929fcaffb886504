package render

import (
	"fmt"
	"maps"
	"slices"

	"github.com/carillon/carillon/internal/render/cldr"
	"github.com/carillon/carillon/internal/render/icu"
)

// TextsOf are the texts of a key by locale.
func (t Translations) TextsOf(key string) map[string]string {
	texts := map[string]string{}
	for locale, of := range t {
		if text, has := of[key]; has {
			texts[locale] = text
		}
	}
	return texts
}

// Doubt is what is likely wrong with the plural forms of a text.
type Doubt struct{ Locale, Key, Reason string }

func (d Doubt) String() string {
	return fmt.Sprintf("the text of %s for the locale %s: %s", d.Key, d.Locale, d.Reason)
}

// Doubts are those about all texts with a typed argument, by locale and key.
func (t Translations) Doubts() (doubts []Doubt) {
	for _, locale := range slices.Sorted(maps.Keys(t)) {
		for _, key := range slices.Sorted(maps.Keys(t[locale])) {
			text := t[locale][key]
			if !icu.IsTyped(text) {
				continue
			}
			m, err := icu.Parse(text)
			if err != nil {
				continue // refused when it is saved
			}
			for _, reason := range m.Doubts(cldr.For(locale)) {
				doubts = append(doubts, Doubt{locale, key, reason})
			}
		}
	}
	return doubts
}
