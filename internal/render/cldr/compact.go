package cldr

import (
	"strconv"
	"strings"
)

// compact writes a number with its power of ten as a word or letter. As in ICU, the integer part is kept whole, and two digits at
// least.
func (l *Locale) compact(n Number, s NumberStyle) string {
	patterns := l.data.CompactShort
	if s.Kind == CompactLong {
		patterns = l.data.CompactLong
	}
	power := len(n.integer) - 1
	chosen, shown, reached := l.compactForm(patterns, n, power, s)
	if reached > power { // rounding made 999,999 a million
		power = reached
		chosen, shown, _ = l.compactForm(patterns, n, power, s)
	}
	written := l.pattern("decimal")
	written.minInteger = 1
	if chosen != nil {
		if text, there := patterns[compactKey(power, string(l.Cardinal(shown)))]; there {
			of, _ := parsePattern(text)
			chosen = &of
		}
		written.positive, written.negative, written.ownNegative = chosen.positive, chosen.negative, chosen.ownNegative
	}
	if !s.Fraction {
		s.Fraction, s.MinFraction, s.MaxFraction = true, 0, len(shown.fraction)
	}
	return l.write(shown, written, s)
}

const maxPower = 14 // of CLDR's compact patterns

func compactKey(power int, category string) string {
	return strconv.Itoa(min(power, maxPower)) + "-" + category
}

// compactForm returns the pattern of a power of ten, nil when the number is written whole, and the number to write with the power
// of ten that it has after rounding.
func (l *Locale) compactForm(patterns map[string]string, n Number, power int, s NumberStyle) (p *pattern, shown Number, reached int) {
	text := patterns[compactKey(power, "other")]
	of, ok := parsePattern(text)
	if power < 3 || !ok || strings.Trim(text, "0") == "" {
		shown = shortened(n, s)
		return nil, shown, len(shown.integer) - 1
	}
	divided := min(power, maxPower) - of.minInteger + 1
	shown = shortened(n.scaled(-divided), s)
	return &of, shown, len(shown.integer) - 1 + divided
}

// shortened keeps as many decimals as the style asks for, otherwise two digits, and all of an integer part that has more.
func shortened(n Number, s NumberStyle) Number {
	if s.Fraction {
		return n.rounded(s.MaxFraction)
	}
	if len(n.integer) > 1 {
		return n.rounded(0)
	}
	if n.integer != "" {
		return n.rounded(1)
	}
	zeros := len(n.fraction) - len(strings.TrimLeft(n.fraction, "0"))
	return n.rounded(zeros + 2)
}
