package icu

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/render/cldr"
)

// maxDecimals bounds those of a skeleton.
const maxDecimals = 10

// numberStyleOf reads the style of a number: a name, or a skeleton of words such as ::currency/EUR.
func numberStyleOf(style string) (s cldr.NumberStyle, err error) {
	switch style {
	case "":
		return s, nil
	case "integer":
		return cldr.NumberStyle{Fraction: true}, nil
	case "percent":
		return cldr.NumberStyle{Kind: cldr.Percent, Power: 2}, nil
	case "currency":
		return s, errors.New("name the currency: ::currency/EUR")
	}
	skeleton, is := strings.CutPrefix(style, "::")
	words := strings.Fields(skeleton)
	known := is && len(words) > 0
	for _, word := range words {
		if code, money := strings.CutPrefix(word, "currency/"); money {
			if _, err := cldr.For("en").Currency(cldr.Number{}, code); err != nil {
				return s, err //nolint:wrapcheck // names the code
			}
			s.Kind, s.Currency = cldr.Currency, strings.ToUpper(code)
			continue
		}
		known = known && skeletonWord(&s, word)
	}
	if !known || s.Currency != "" && s.Kind != cldr.Currency {
		return s, fmt.Errorf("%q is no style of a number: integer, percent, ::currency/EUR, ::compact-short and ::.00 are", style)
	}
	return s, nil
}

// skeletonWord reads a word of a skeleton. A percentage is of a share here, as under the name percent.
func skeletonWord(s *cldr.NumberStyle, word string) (known bool) {
	switch word {
	case "percent":
		s.Kind, s.Power = cldr.Percent, 2
	case "compact-short", "K":
		s.Kind = cldr.CompactShort
	case "compact-long", "KK":
		s.Kind = cldr.CompactLong
	case "integer", "precision-integer", ".":
		s.Fraction, s.MinFraction, s.MaxFraction = true, 0, 0
	case "group-off", ",_":
		s.NoGroups = true
	case "sign-always", "+!":
		s.AlwaysSign = true
	default:
		digits, point := strings.CutPrefix(word, ".")
		optional := strings.TrimLeft(digits, "0")
		if !point || strings.Trim(optional, "#") != "" || len(digits) > maxDecimals {
			return false
		}
		s.Fraction, s.MinFraction, s.MaxFraction = true, len(digits)-len(optional), len(digits)
	}
	return true
}

// Values are what a message is written with.
type Values struct {
	Locale    *cldr.Locale
	Arguments map[string]any
	Time      func(v any) (t time.Time, ok bool) // reads a time, in the reader's zone
	Text      func(v any) string                 // how any other value reads
	Escape    func(text string) string           // of what Text gives, before it is written; nil leaves it
	Limit     int                                // bytes of the written message
}

// ErrTooLarge is a message that exceeds its limit when it is written.
var ErrTooLarge = errors.New("the message is too large")

// Format writes a message. A value of another type than its argument's is written as it is; an argument without value as its name
// in braces, which shows what is missing.
func (m *Message) Format(v Values) (string, error) {
	w := writer{Values: v}
	err := w.message(m, nil)
	return w.b.String(), err
}

type writer struct {
	Values
	b strings.Builder
}

func (w *writer) message(m *Message, pound *cldr.Number) error {
	for _, p := range m.parts {
		switch {
		case p.argument != nil:
			if err := w.argument(p.argument, pound); err != nil {
				return err
			}
		case p.pound && pound != nil:
			w.b.WriteString(w.Locale.Number(*pound))
		case p.pound:
			w.b.WriteByte('#')
		default:
			w.b.WriteString(p.text)
		}
		if w.b.Len() > w.Limit {
			return ErrTooLarge
		}
	}
	return nil
}

func (w *writer) argument(a *argument, pound *cldr.Number) error {
	value, given := w.Arguments[a.name]
	switch a.kind {
	case plural, ordinal:
		return w.plural(a, value)
	case choice:
		return w.message(a.named(w.Text(value)), pound)
	}
	if !given {
		w.b.WriteString("{" + a.name + "}")
		return nil
	}
	w.b.WriteString(w.value(a, value))
	return nil
}

func (w *writer) value(a *argument, value any) string {
	switch a.kind {
	case date, clock:
		if t, ok := w.Time(value); ok {
			return a.written(w.Locale, t)
		}
	case number:
		if n, ok := cldr.NumberOf(value); ok {
			return w.Locale.Styled(n, a.numbers)
		}
	default:
		if _, isText := value.(string); isText {
			break
		}
		if n, ok := cldr.NumberOf(value); ok {
			return w.Locale.Number(n)
		}
	}
	if w.Escape != nil {
		return w.Escape(w.Text(value))
	}
	return w.Text(value)
}

// written is a date or time in the argument's style.
func (a *argument) written(l *cldr.Locale, t time.Time) string {
	switch {
	case a.skeleton != "":
		return l.Skeleton(t, a.skeleton)
	case a.kind == date:
		return l.Date(t, a.style)
	default:
		return l.Time(t, a.style)
	}
}

// plural chooses by the number itself first, then by the plural form of the number less the offset.
func (w *writer) plural(a *argument, value any) error {
	n, ok := cldr.NumberOf(value)
	if !ok {
		return w.message(a.named("other"), nil)
	}
	for i := range a.cases {
		if o := &a.cases[i]; o.isExact && o.exact.Equals(n) {
			rest := n.Minus(a.offset)
			return w.message(&o.message, &rest)
		}
	}
	rest := n.Minus(a.offset)
	form := w.Locale.Cardinal
	if a.kind == ordinal {
		form = w.Locale.Ordinal
	}
	return w.message(a.named(string(form(rest))), &rest)
}

// named is the text for a selector, or the one for other.
func (a *argument) named(selector string) *Message {
	var other *Message
	for i := range a.cases {
		switch o := &a.cases[i]; {
		case o.isExact:
		case o.selector == selector:
			return &o.message
		case o.selector == "other":
			other = &o.message
		}
	}
	return other
}
