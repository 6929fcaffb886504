package cldr

import "strings"

// pattern is how a number is written (TR 35, "Number Format Patterns"), such as #,##0.00 ¤.
type pattern struct {
	positive, negative affixes // negative is empty when it is the minus sign before the positive one
	ownNegative        bool
	primary, secondary int // digits of the last group and of those before it; 0: no groups
	minInteger         int
	minFraction        int
	maxFraction        int
}

// affixes are the text around the digits; signs in them are those of patterns, and quoted text is marked as literal.
type affixes struct{ prefix, suffix []affix }

type affix struct {
	sign    rune
	literal bool
}

// digitSigns are those of the part of a pattern that is replaced by the digits.
const digitSigns = "#0,."

// parsePattern reads a pattern of signs # 0 , . % ¤ - + ; and literal text. ok is false when it has no digit.
func parsePattern(text string) (p pattern, ok bool) {
	positive, rest := parseAffixes(text, &p)
	p.positive = positive
	if negative, more := strings.CutPrefix(rest, ";"); more {
		var ignored pattern // the digits of the negative part are those of the positive one
		p.negative, rest = parseAffixes(negative, &ignored)
		p.ownNegative = true
	}
	return p, rest == "" && p.minInteger+p.maxFraction > 0 || rest == "" && p.primary > 0
}

// parseAffixes reads one part of a pattern up to its end or a semicolon.
func parseAffixes(text string, p *pattern) (a affixes, rest string) {
	quoted, digits := false, ""
	into := &a.prefix
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		switch {
		case c == '\'' && i+1 < len(runes) && runes[i+1] == '\'':
			*into = append(*into, affix{'\'', true})
			i++
		case c == '\'':
			quoted = !quoted
		case quoted:
			*into = append(*into, affix{c, true})
		case c == ';':
			p.digits(digits)
			return a, string(runes[i:])
		case strings.ContainsRune(digitSigns, c) && (digits == "" || len(a.suffix) == 0):
			digits += string(c)
			into = &a.suffix
		default:
			*into = append(*into, affix{c, false})
		}
	}
	p.digits(digits)
	return a, ""
}

func (p *pattern) digits(text string) {
	integer, fraction, _ := strings.Cut(text, ".")
	p.minInteger = strings.Count(integer, "0")
	p.minFraction, p.maxFraction = strings.Count(fraction, "0"), len(strings.ReplaceAll(fraction, ",", ""))
	groups := strings.Split(integer, ",")
	if len(groups) > 1 {
		p.primary = len(groups[len(groups)-1])
		p.secondary = p.primary
		if len(groups) > 2 {
			p.secondary = len(groups[len(groups)-2])
		}
	}
}
