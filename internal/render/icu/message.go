// Package icu reads and writes messages as ICU's MessageFormat defines them
// (https://unicode-org.github.io/icu/userguide/format_parse/messages/): arguments in braces, their plural forms, choices, numbers,
// amounts, dates and times by locale. The parser is Carillon's own, because the ones that there are for Go bound neither depth nor
// length and report no position; what they would format comes from package cldr.
package icu

import (
	"slices"

	"github.com/carillon/carillon/internal/render/cldr"
)

// Bounds of one message.
const (
	MaxLength = 20_000 // bytes
	MaxDepth  = 6      // choices within choices
)

// Message is a parsed text. It is safe for concurrent use.
type Message struct{ parts []part }

// part is a piece of a message: exactly one of text, number sign and argument.
type part struct {
	text     string
	pound    bool // #: the number of the plural around it
	argument *argument
}

type kind uint8

const (
	plain kind = iota // as it is, numbers by locale
	number
	date
	clock
	plural
	ordinal
	choice // select
)

// kinds are the words for the kinds of an argument.
var kinds = map[string]kind{
	"number": number, "date": date, "time": clock, "plural": plural, "selectordinal": ordinal, "select": choice,
}

type argument struct {
	name     string
	kind     kind
	numbers  cldr.NumberStyle // of number
	style    cldr.Style       // of date and clock
	skeleton string           // of date and clock, instead of a style
	offset   int              // of plural
	cases    []option         // of plural, ordinal and choice
}

// option is one of the texts to choose from.
type option struct {
	exact    cldr.Number // of "=2"
	isExact  bool
	selector string
	message  Message
}

// Arguments are the names of the arguments that a message uses, sorted.
func (m *Message) Arguments() []string {
	names := m.names(nil)
	slices.Sort(names)
	return slices.Compact(names)
}

func (m *Message) names(names []string) []string {
	for _, p := range m.parts {
		if p.argument == nil {
			continue
		}
		names = append(names, p.argument.name)
		for i := range p.argument.cases {
			names = p.argument.cases[i].message.names(names)
		}
	}
	return names
}
