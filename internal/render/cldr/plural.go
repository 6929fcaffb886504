package cldr

import (
	"slices"
	"strconv"
	"strings"
)

// Category is a plural category of CLDR: zero, one, two, few, many or other.
type Category string

const other Category = "other"

// categories are all of them, in CLDR's order.
var categories = []Category{"zero", "one", "two", "few", "many", other}

// IsCategory reports whether a word names a plural category.
func IsCategory(word string) bool { return slices.Contains(categories, Category(word)) }

// rule is the condition of one category: alternatives of relations that must all hold.
type rule struct {
	category Category
	any      [][]relation
}

// relation is operand [% modulus] = ranges, or != when negated.
type relation struct {
	operand byte // n, i, v, w, f, t, e or c, as TR 35 names them
	modulus int64
	negated bool
	ranges  [][2]int64
}

// rulesOf are the rules of a locale, of its language otherwise; pt-PT has rules of its own.
func rulesOf(all map[string]map[string]string, tag string) []rule {
	texts, there := all[tag]
	if !there {
		lang, _, _ := strings.Cut(tag, "-")
		texts = all[lang]
	}
	var rules []rule
	for _, category := range categories {
		if text, there := texts[string(category)]; there && category != other {
			rules = append(rules, rule{category, parseRule(text)})
		}
	}
	return rules
}

// parseRule reads a condition of CLDR's own data, such as "v = 0 and i % 10 = 2..4 and i % 100 != 12..14".
func parseRule(text string) (alternatives [][]relation) {
	for alternative := range strings.SplitSeq(text, " or ") {
		var all []relation
		for condition := range strings.SplitSeq(alternative, " and ") {
			words := strings.Fields(condition)
			r := relation{operand: words[0][0]}
			if words[1] == "%" {
				r.modulus, _ = strconv.ParseInt(words[2], 10, 64)
				words = words[2:]
			}
			r.negated = words[1] == "!="
			for part := range strings.SplitSeq(words[2], ",") {
				from, to, isRange := strings.Cut(part, "..")
				low, _ := strconv.ParseInt(from, 10, 64)
				high := low
				if isRange {
					high, _ = strconv.ParseInt(to, 10, 64)
				}
				r.ranges = append(r.ranges, [2]int64{low, high})
			}
			all = append(all, r)
		}
		alternatives = append(alternatives, all)
	}
	return alternatives
}

// Cardinal is the category of a number of things.
func (l *Locale) Cardinal(n Number) Category { return categoryOf(l.cardinal, n) }

// Ordinal is the category of a place in an order, such as 1st.
func (l *Locale) Ordinal(n Number) Category { return categoryOf(l.ordinal, n) }

// categoryOf goes by the number as it is written: with at most three decimals, and none at its end that is 0.
func categoryOf(rules []rule, n Number) Category {
	n = n.rounded(maxFraction)
	n.fraction = strings.TrimRight(n.fraction, "0")
	for _, r := range rules {
		if slices.ContainsFunc(r.any, func(all []relation) bool {
			return !slices.ContainsFunc(all, func(one relation) bool { return !one.holds(n) })
		}) {
			return r.category
		}
	}
	return other
}

func (l *Locale) rules(ordinal bool) []rule {
	if ordinal {
		return l.ordinal
	}
	return l.cardinal
}

// Categories are those that numbers of the locale have, other last.
func (l *Locale) Categories(ordinal bool) []Category {
	var of []Category
	for _, r := range l.rules(ordinal) {
		of = append(of, r.category)
	}
	return append(of, other)
}

// EverydayCategories are those of whole numbers up to 200, which every text that counts meets.
func (l *Locale) EverydayCategories(ordinal bool) []Category {
	met := map[Category]bool{}
	for n := range 201 {
		met[categoryOf(l.rules(ordinal), Number{integer: strconv.Itoa(n)})] = true
	}
	return slices.DeleteFunc(slices.Clone(categories), func(category Category) bool { return !met[category] })
}

func (r relation) holds(n Number) bool {
	within := false
	if value, whole := n.operand(r.operand); whole {
		if r.modulus > 0 {
			value %= r.modulus
		}
		within = slices.ContainsFunc(r.ranges, func(of [2]int64) bool { return of[0] <= value && value <= of[1] })
	}
	return within != r.negated
}

// operand is a plural operand (TR 35, "Plural Operand Meanings") without its sign. Of long numbers the last digits are taken: no
// rule looks at more. whole is false for n with fraction digits, which meets no relation.
func (n Number) operand(name byte) (value int64, whole bool) {
	visible := strings.TrimRight(n.fraction, "0")
	switch name {
	case 'n':
		return tail(n.integer), visible == ""
	case 'i':
		return tail(n.integer), true
	case 'v':
		return int64(len(n.fraction)), true
	case 'w':
		return int64(len(visible)), true
	case 'f':
		return tail(n.fraction), true
	case 't':
		return tail(visible), true
	default: // e and c: no compact notation
		return 0, true
	}
}

// tail is the number of the last digits. A longer number keeps a digit in front, so that it is not taken for a small one.
func tail(digits string) int64 {
	const most = 15
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > most {
		digits = "1" + digits[len(digits)-most:]
	}
	value, _ := strconv.ParseInt(digits, 10, 64)
	return value
}
