package cldr

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NumberKind is how a number is meant.
type NumberKind uint8

// The kinds.
const (
	Decimal NumberKind = iota
	Percent
	Currency
	CompactShort // 1.2K
	CompactLong  // 1.2 thousand
)

// NumberStyle is how a number is shown. The zero value is a decimal number with as many digits as it has, at most three of them
// behind the point.
type NumberStyle struct {
	Kind        NumberKind
	Currency    string // ISO 4217 code
	Fraction    bool   // MinFraction and MaxFraction hold
	MinFraction int
	MaxFraction int
	Power       int // the number is multiplied by ten to this power
	NoGroups    bool
	AlwaysSign  bool
}

// Number writes a number with at most three decimals.
func (l *Locale) Number(n Number) string { return l.Styled(n, NumberStyle{}) }

// Decimals writes a number with at least and at most so many decimals.
func (l *Locale) Decimals(n Number, least, most int) string {
	return l.Styled(n, NumberStyle{Fraction: true, MinFraction: least, MaxFraction: most})
}

// Percent writes a share, such as 0.25, as a percentage without decimals.
func (l *Locale) Percent(n Number) string { return l.Styled(n, NumberStyle{Kind: Percent, Power: 2}) }

// ErrCurrency is a currency that is no code of ISO 4217.
var ErrCurrency = errors.New("the currency must be a code of ISO 4217, such as EUR")

// Currency writes an amount with the decimals that its currency has; code is its code of ISO 4217.
func (l *Locale) Currency(n Number, code string) (string, error) {
	code = strings.ToUpper(code)
	if _, is := known().shared.Fractions[code]; !is {
		return "", fmt.Errorf("%w: %q", ErrCurrency, code)
	}
	return l.Styled(n, NumberStyle{Kind: Currency, Currency: code}), nil
}

// Styled writes a number in a style.
func (l *Locale) Styled(n Number, s NumberStyle) string {
	n = n.scaled(s.Power)
	if s.Kind == CompactShort || s.Kind == CompactLong {
		return l.compact(n, s)
	}
	return l.write(n, l.pattern(map[NumberKind]string{Decimal: "decimal", Percent: "percent", Currency: "currency"}[s.Kind]), s)
}

func (l *Locale) pattern(name string) pattern {
	p, _ := parsePattern(l.data.Patterns[name])
	return p
}

// write rounds a number and writes it as a pattern says.
func (l *Locale) write(n Number, p pattern, s NumberStyle) string {
	least, most := p.minFraction, p.maxFraction
	switch {
	case s.Fraction:
		least, most = s.MinFraction, s.MaxFraction
	case s.Kind == Currency:
		if digits, own := known().shared.Fractions[s.Currency]; own {
			least, most = digits, digits
		}
	}
	n = n.rounded(most)
	for len(n.fraction) < least {
		n.fraction += "0"
	}
	for len(n.fraction) > least && strings.HasSuffix(n.fraction, "0") {
		n.fraction = n.fraction[:len(n.fraction)-1]
	}
	digits := l.digits(n, &p, s)
	around := p.positive
	if n.negative && p.ownNegative {
		around = p.negative
	}
	sign := ""
	if n.negative && !p.ownNegative {
		sign = l.data.Symbols["minus"]
	} else if s.AlwaysSign && !n.negative {
		sign = l.data.Symbols["plus"]
	}
	prefix, suffix := l.affix(around.prefix, s), l.affix(around.suffix, s)
	if s.Kind == Currency { // a code needs a space that a sign such as $ does not
		if last, _ := utf8.DecodeLastRuneInString(prefix); isCurrency(around.prefix, len(around.prefix)-1) && needsSpace(last) {
			prefix += "\u00a0"
		}
		if first, _ := utf8.DecodeRuneInString(suffix); isCurrency(around.suffix, 0) && needsSpace(first) {
			suffix = "\u00a0" + suffix
		}
	}
	return sign + prefix + digits + suffix
}

func isCurrency(of []affix, i int) bool {
	return i >= 0 && i < len(of) && of[i] == affix{sign: '¤'}
}

// needsSpace is CLDR's [[:^S:]&[:^Z:]], less the marks of direction.
func needsSpace(r rune) bool {
	return r != utf8.RuneError && !unicode.IsSymbol(r) && !unicode.Is(unicode.Z, r) && !unicode.Is(unicode.Cf, r)
}

func (l *Locale) affix(of []affix, s NumberStyle) string {
	var b strings.Builder
	for i := 0; i < len(of); i++ {
		a := of[i]
		switch {
		case a.literal:
			b.WriteRune(a.sign)
		case a.sign == '¤':
			iso := false
			for ; i+1 < len(of) && of[i+1].sign == '¤'; i++ {
				iso = true
			}
			if iso {
				b.WriteString(s.Currency)
			} else {
				b.WriteString(l.symbol(s.Currency))
			}
		case a.sign == '%':
			b.WriteString(l.data.Symbols["percent"])
		case a.sign == '-':
			b.WriteString(l.data.Symbols["minus"])
		case a.sign == '+':
			b.WriteString(l.data.Symbols["plus"])
		default:
			b.WriteRune(a.sign)
		}
	}
	return b.String()
}

func (l *Locale) symbol(code string) string {
	if symbol := l.data.Currencies[code]; symbol != "" {
		return symbol
	}
	return code
}

// digits writes the digits of a number in groups.
func (l *Locale) digits(n Number, p *pattern, s NumberStyle) string {
	group, point := l.data.Symbols["group"], l.data.Symbols["decimal"]
	if s.Kind == Currency {
		if own := l.data.Symbols["currencyGroup"]; own != "" {
			group = own
		}
		if own := l.data.Symbols["currencyDecimal"]; own != "" {
			point = own
		}
	}
	integer := n.integer
	if missing := p.minInteger - len(integer); missing > 0 && s.Kind < CompactShort {
		integer = strings.Repeat("0", missing) + integer
	} else if integer == "" && (n.fraction == "" || s.Kind >= CompactShort) {
		integer = "0"
	}
	least := l.data.Grouping
	if s.Kind >= CompactShort {
		least = max(least, 2)
	}
	grouped := p.primary > 0 && !s.NoGroups && len(integer) >= p.primary+least
	var b strings.Builder
	for i := range len(integer) {
		if left := len(integer) - i; i > 0 && grouped && left >= p.primary && (left-p.primary)%p.secondary == 0 {
			b.WriteString(group)
		}
		b.WriteByte(integer[i])
	}
	if n.fraction != "" {
		b.WriteString(point + n.fraction)
	}
	return b.String()
}
