package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// relate is the filter of the operators that compare. It looks at the time, because an expression may have hundreds of them.
func relate(a any, operator string, b any, limit *budget) (bool, error) {
	if err := limit.check(); err != nil {
		return false, err
	}
	switch operator {
	case "==":
		return equal(a, b), nil
	case "!=", "<>":
		return !equal(a, b), nil
	case "<":
		return less(a, b), nil
	case ">":
		return less(b, a), nil
	case "<=":
		return less(a, b) || ordered(a, b) && equalInOrder(a, b), nil
	case ">=":
		return less(b, a) || ordered(a, b) && equalInOrder(a, b), nil
	default:
		return contains(a, b), nil
	}
}

// equal reports whether two values are the same: a text is no number, and blank and empty are what they name.
func equal(a, b any) bool {
	if n, is := a.(nothing); is {
		return n.holds(b)
	}
	if n, is := b.(nothing); is {
		return n.holds(a)
	}
	switch x := a.(type) {
	case nil, bool:
		return a == b
	case []any:
		y, isList := b.([]any)
		if !isList || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, isObject := b.(map[string]any)
		if !isObject || len(x) != len(y) {
			return false
		}
		for name, member := range x {
			other, has := y[name]
			if !has || !equal(member, other) {
				return false
			}
		}
		return true
	}
	if isText(a) || isText(b) {
		return sameText(a, b)
	}
	order, ok := orderOfNumbers(a, b)
	return ok && order == 0
}

// less reports whether a comes before b: numbers by their value, texts by their letters, and a number and a text that is one by
// their value. Other pairs have no order.
func less(a, b any) bool {
	if isText(a) && isText(b) {
		return toText(a) < toText(b)
	}
	x, isBool := a.(bool)
	y, isBoolToo := b.(bool)
	if isBool && isBoolToo {
		return !x && y
	}
	order, ok := orderOfNumbers(a, b)
	return ok && order < 0
}

// ordered reports whether less has an order of two values.
func ordered(a, b any) bool {
	_, areNumbers := orderOfNumbers(a, b)
	_, isBool := a.(bool)
	return areNumbers || isBool || isText(a) && isText(b)
}

// equalInOrder reports whether neither of two values that have an order is before the other.
func equalInOrder(a, b any) bool {
	if order, ok := orderOfNumbers(a, b); ok {
		return order == 0
	}
	return equal(a, b)
}

// orderOfNumbers compares two values that are numbers, or of which one is a text that is a number.
func orderOfNumbers(a, b any) (order int, ok bool) {
	if isText(a) && isText(b) {
		return 0, false
	}
	a, b = unmarked(a), unmarked(b)
	x, isX := jsonvalue.ParseNumber(a)
	y, isY := jsonvalue.ParseNumber(b)
	if !isX || !isY {
		return 0, false
	}
	return cmp.Or(cmp.Compare(x, y), jsonvalue.CompareDigits(a, b)), true
}

// unmarked is a text without its marks.
func unmarked(v any) any {
	if isText(v) {
		return toText(v)
	}
	return v
}

// contains reports whether a text has a part, a list an item or an object a member.
func contains(v, part any) bool {
	switch in := v.(type) {
	case string, escaped, translation:
		return part != nil && strings.Contains(toText(in), toText(part))
	case map[string]any:
		_, has := in[toText(part)]
		return has && part != nil
	case []any:
		return slices.ContainsFunc(in, func(item any) bool { return equal(item, part) })
	}
	return false
}
