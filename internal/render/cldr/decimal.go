package cldr

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// maxDigits bounds the digits of a number; what is longer is an identifier.
const maxDigits = 40

// maxFraction is the number of decimals that are written of a number for which nothing else is asked, as ICU does.
const maxFraction = 3

// Number is a decimal number as it was given, without loss.
type Number struct {
	negative bool
	integer  string // digits without leading zeros; "" is 0
	fraction string // digits
}

// NumberOf reads a number of decoded JSON, or a text that is one. ok is false for everything else, and for a number of more than
// 40 digits.
func NumberOf(v any) (n Number, ok bool) {
	switch x := v.(type) {
	case int:
		return parse(strconv.Itoa(x))
	case int64:
		return parse(strconv.FormatInt(x, 10))
	case float64:
		if math.Abs(x) < 1e21 {
			text := strconv.FormatFloat(x, 'f', -1, 64)
			return parse(text[:min(len(text), maxDigits)]) // what is cut is far below what is written
		}
	case json.Number:
		return parse(x.String())
	case string:
		return parse(strings.TrimSpace(x))
	}
	return n, false
}

func parse(s string) (n Number, ok bool) {
	rest, negative := strings.CutPrefix(s, "-")
	integer, fraction, divided := strings.Cut(rest, ".")
	if !isDigits(integer) || divided && !isDigits(fraction) || len(integer)+len(fraction) > maxDigits {
		return n, false
	}
	return Number{negative, strings.TrimLeft(integer, "0"), fraction}, true
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// scaled is n times a power of ten.
func (n Number) scaled(power int) Number {
	digits, at := n.integer+n.fraction, len(n.integer)+power
	if at < 0 {
		digits, at = strings.Repeat("0", -at)+digits, 0
	} else if at > len(digits) {
		digits += strings.Repeat("0", at-len(digits))
	}
	n.integer, n.fraction = strings.TrimLeft(digits[:at], "0"), digits[at:]
	return n
}

func (n Number) isZero() bool { return n.integer == "" && strings.Trim(n.fraction, "0") == "" }

// Equals reports whether the number is another one.
func (n Number) Equals(m Number) bool {
	if n.isZero() || m.isZero() {
		return n.isZero() == m.isZero()
	}
	return n.negative == m.negative && n.integer == m.integer && strings.TrimRight(n.fraction, "0") == strings.TrimRight(m.fraction, "0")
}

// Minus is the number less a small whole one that is not negative, as the offset of a plural argument asks for. Of a number of more
// than 15 digits on a side of its point nothing is taken.
func (n Number) Minus(offset int) Number {
	if offset == 0 || len(n.integer) > 15 || len(n.fraction) > 15 {
		return n
	}
	scale := int64(1)
	for range n.fraction {
		scale *= 10
	}
	if len(n.integer)+len(n.fraction) > 17 {
		return n
	}
	value, _ := strconv.ParseInt("0"+n.integer+n.fraction, 10, 64)
	if n.negative {
		value = -value
	}
	value -= int64(offset) * scale
	out := Number{negative: value < 0}
	if value < 0 {
		value = -value
	}
	digits := strconv.FormatInt(value, 10)
	if missing := len(n.fraction) + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	at := len(digits) - len(n.fraction)
	out.integer, out.fraction = strings.TrimLeft(digits[:at], "0"), digits[at:]
	return out
}

// rounded has no more fraction digits than most: a half goes to the even digit, as in ICU. When digits are cut, zeros that are last
// go with them.
func (n Number) rounded(most int) Number {
	if len(n.fraction) <= most {
		return n
	}
	digits, cut := []byte("0"+n.integer+n.fraction[:most]), n.fraction[most:]
	last := digits[len(digits)-1] - '0'
	up := cut[0] > '5' || cut[0] == '5' && (strings.Trim(cut[1:], "0") != "" || last%2 == 1)
	for i := len(digits) - 1; up; i-- {
		if digits[i] == '9' {
			digits[i] = '0'
			continue
		}
		digits[i]++
		up = false
	}
	at := len(digits) - most
	n.integer, n.fraction = strings.TrimLeft(string(digits[:at]), "0"), strings.TrimRight(string(digits[at:]), "0")
	return n
}
