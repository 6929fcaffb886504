package icu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/render/cldr"
)

// Doubts are what is likely wrong with the plural forms of a message in a locale: forms that no number of the locale has, and forms
// of everyday numbers for which the message has no text, so that the one for other is written.
func (m *Message) Doubts(l *cldr.Locale) (doubts []string) {
	for _, p := range m.parts {
		if p.argument == nil {
			continue
		}
		doubts = append(doubts, p.argument.doubts(l)...)
		for i := range p.argument.cases {
			doubts = append(doubts, p.argument.cases[i].message.Doubts(l)...)
		}
	}
	return doubts
}

func (a *argument) doubts(l *cldr.Locale) (doubts []string) {
	if a.kind != plural && a.kind != ordinal {
		return nil
	}
	has := func(form cldr.Category) bool {
		return slices.ContainsFunc(a.cases, func(o option) bool { return !o.isExact && o.selector == string(form) })
	}
	forms := l.Categories(a.kind == ordinal)
	for _, o := range a.cases {
		if !o.isExact && !slices.Contains(forms, cldr.Category(o.selector)) {
			doubts = append(doubts, fmt.Sprintf("no number takes the form %s of the argument %s; the language has %s", o.selector, a.name, list(forms)))
		}
	}
	lacking := slices.DeleteFunc(l.EverydayCategories(a.kind == ordinal), has)
	if len(lacking) > 0 {
		doubts = append(doubts, fmt.Sprintf("the argument %s has no text for %s, so that the one for other is written", a.name, list(lacking)))
	}
	return doubts
}

func list(forms []cldr.Category) string {
	words := make([]string, len(forms))
	for i, form := range forms {
		words[i] = string(form)
	}
	return strings.Join(words, ", ")
}
