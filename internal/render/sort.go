package render

import (
	"slices"
	"strings"
)

// sortBy is a filter that sorts a list by its items or, with a key, by that member of them. What has no value comes last, as the
// template language documents it, and what is equal keeps its order: the library's own filters shuffle it, put what has no value first,
// and fail for lists that do not hold texts only.
func sortBy(compare func(a, b any) int) func(v, key any) []any {
	return func(v, key any) []any {
		of := func(item any) any {
			if key == nil {
				return item
			}
			return memberOf(item, key)
		}
		sorted := slices.Clone(listOf(v))
		slices.SortStableFunc(sorted, func(x, y any) int {
			a, b := of(x), of(y)
			switch {
			case a == nil && b == nil:
				return 0
			case a == nil:
				return 1
			case b == nil:
				return -1
			}
			return compare(a, b)
		})
		return sorted
	}
}

// byValue compares what has an order.
func byValue(a, b any) int {
	switch {
	case less(a, b):
		return -1
	case less(b, a):
		return 1
	}
	return 0
}

// byLetters compares values as texts, whatever the case of their letters.
func byLetters(a, b any) int {
	return strings.Compare(strings.ToLower(toText(a)), strings.ToLower(toText(b)))
}
