package cldr

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/bojanz/currency"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/number"
)

// maxDigits bounds the digits of a number; what is longer is an identifier.
const maxDigits = 40

// maxFraction is the number of decimals that are written of a number for which nothing else is asked, as ICU does.
const maxFraction = 3

// Number is a decimal number as it was given, without loss.
type Number struct{ text string } // -?digits[.digits]

// NumberOf reads a number of decoded JSON, or a text that is one. ok is false for everything else, and for a number of more than
// 40 digits.
func NumberOf(v any) (n Number, ok bool) {
	switch x := v.(type) {
	case int:
		return Number{strconv.Itoa(x)}, true
	case int64:
		return Number{strconv.FormatInt(x, 10)}, true
	case float64:
		if math.Abs(x) >= 1e21 || math.IsNaN(x) {
			return Number{}, false
		}
		return parse(strconv.FormatFloat(x, 'f', -1, 64))
	case json.Number:
		return parse(x.String())
	case string:
		return parse(strings.TrimSpace(x))
	}
	return Number{}, false
}

func parse(s string) (n Number, ok bool) {
	whole, fraction, divided := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if !isDigits(whole) || divided && !isDigits(fraction) || len(whole)+len(fraction) > maxDigits {
		return Number{}, false
	}
	return Number{s}, true
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// Minus is the number less an integer, as the offset of a plural argument asks for.
func (n Number) Minus(offset int) Number {
	if offset == 0 {
		return n
	}
	less, _ := NumberOf(n.float() - float64(offset))
	return less
}

// Equals reports whether the number is another one.
func (n Number) Equals(other Number) bool { return n.float() == other.float() }

func (n Number) float() float64 {
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		return 0 // digits only, and few of them
	}
	return f
}

// printable is the number as the formatter takes it: whole ones keep all their digits.
func (n Number) printable() any {
	if i, err := strconv.ParseInt(n.text, 10, 64); err == nil {
		return i
	}
	return n.float()
}

// Number writes a number with at most three decimals.
func (l *Locale) Number(n Number) string { return l.Decimals(n, 0, maxFraction) }

// Decimals writes a number with at least and at most so many decimals.
func (l *Locale) Decimals(n Number, least, most int) string {
	return l.printer.Sprint(number.Decimal(n.printable(), number.MinFractionDigits(least), number.MaxFractionDigits(most)))
}

// Percent writes a share, such as 0.25, as a percentage without decimals.
func (l *Locale) Percent(n Number) string {
	return l.printer.Sprint(number.Percent(n.float(), number.MaxFractionDigits(0)))
}

// ErrCurrency is a currency that is no code of ISO 4217.
var ErrCurrency = errors.New("the currency must be a code of ISO 4217, such as EUR")

// Currency writes an amount with the decimals that its currency has; code is its code of ISO 4217.
func (l *Locale) Currency(n Number, code string) (string, error) {
	code = strings.ToUpper(code)
	digits, known := currency.GetDigits(code)
	if !known {
		return "", fmt.Errorf("%w: %q", ErrCurrency, code)
	}
	amount, err := currency.NewAmount(n.text, code)
	if err != nil {
		return "", fmt.Errorf("amount of %s: %w", code, err)
	}
	return strings.Map(latin, l.amounts.Format(amount.RoundTo(digits, currency.RoundHalfEven))), nil
}

// latin is a digit, or a separator between digits, as Latin writing has it.
func latin(r rune) rune {
	switch {
	case r == '٫':
		return '.'
	case r == '٬':
		return ','
	case r > unicode.MaxASCII && unicode.Is(unicode.Nd, r):
		zero := r
		for unicode.Is(unicode.Nd, zero-1) && r-(zero-1) < 10 {
			zero--
		}
		return '0' + r - zero
	}
	return r
}

// Category is a plural category of CLDR: zero, one, two, few, many or other.
type Category string

var categories = map[plural.Form]Category{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other",
}

// IsCategory reports whether a word names a plural category.
func IsCategory(word string) bool {
	for _, c := range categories {
		if string(c) == word {
			return true
		}
	}
	return false
}

// Cardinal is the category of a number of things.
func (l *Locale) Cardinal(n Number) Category { return l.category(plural.Cardinal, n) }

// Ordinal is the category of a place in an order, such as 1st.
func (l *Locale) Ordinal(n Number) Category { return l.category(plural.Ordinal, n) }

// category goes by the number as it is written: with at most three decimals, and none at its end that is 0.
func (l *Locale) category(rules *plural.Rules, n Number) Category {
	text := strconv.FormatFloat(math.Abs(n.float()), 'f', maxFraction, 64)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	whole, fraction, _ := strings.Cut(text, ".")
	decimals := len(fraction)
	return categories[rules.MatchPlural(l.tag, lastDigits(whole), decimals, decimals, lastDigits(fraction), lastDigits(fraction))]
}

// lastDigits is what the rules look at of many digits.
func lastDigits(s string) int {
	const looked = 7
	if len(s) > looked {
		s = s[len(s)-looked:]
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0 // there are none
	}
	return n
}
