package icu

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/render/cldr"
)

// numberFormat is how a number is written.
type numberFormat struct {
	percent     bool
	currency    string // code; "" writes no amount
	least, most int    // decimals
}

var plainNumber = numberFormat{most: 3}

// numberFormatOf reads the style of a number: a name, or a skeleton of one word.
func numberFormatOf(style string) (numberFormat, error) {
	skeleton, is := strings.CutPrefix(style, "::")
	code, money := strings.CutPrefix(skeleton, "currency/")
	switch {
	case style == "":
		return plainNumber, nil
	case style == "integer" || is && (skeleton == "integer" || skeleton == "precision-integer" || skeleton == "."):
		return numberFormat{}, nil
	case style == "percent" || is && skeleton == "percent":
		return numberFormat{percent: true}, nil
	case style == "currency":
		return numberFormat{}, errors.New("name the currency: ::currency/EUR")
	case is && money:
		if _, err := cldr.For("en").Currency(cldr.Number{}, code); errors.Is(err, cldr.ErrCurrency) {
			return numberFormat{}, err //nolint:wrapcheck // names the code
		}
		return numberFormat{currency: code}, nil
	case is && strings.HasPrefix(skeleton, "."):
		zeros := len(skeleton) - 1 - len(strings.TrimLeft(skeleton[1:], "0"))
		all := len(skeleton) - 1
		if strings.Trim(skeleton[1+zeros:], "#") == "" && all <= 10 {
			return numberFormat{least: zeros, most: all}, nil
		}
	}
	return numberFormat{}, fmt.Errorf("%q is no style of a number: integer, percent, ::currency/EUR and ::.00 are", style)
}

func (f numberFormat) write(l *cldr.Locale, n cldr.Number) string {
	switch {
	case f.percent:
		return l.Percent(n)
	case f.currency != "":
		text, err := l.Currency(n, f.currency)
		if err != nil {
			return l.Decimals(n, f.least, f.most) + " " + f.currency // checked when the message was parsed
		}
		return text
	}
	return l.Decimals(n, f.least, f.most)
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
	case date:
		if t, ok := w.Time(value); ok {
			return w.Locale.Date(t, a.style)
		}
	case clock:
		if t, ok := w.Time(value); ok {
			return w.Locale.Time(t, a.style)
		}
	case number:
		if n, ok := cldr.NumberOf(value); ok {
			return a.numbers.write(w.Locale, n)
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
