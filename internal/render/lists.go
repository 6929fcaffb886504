package render

import (
	"slices"

	"github.com/osteele/liquid/values"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// The filters of lists by a member of their items, as Liquid documents them. Without a value, or with one that is not set, a member
// counts that is there and not false.

func where(list []any, key, value any) []any {
	return slices.DeleteFunc(slices.Clone(list), func(item any) bool { return !holds(item, key, value) })
}

func reject(list []any, key, value any) []any {
	return slices.DeleteFunc(slices.Clone(list), func(item any) bool { return holds(item, key, value) })
}

func find(list []any, key, value any) any {
	if i := slices.IndexFunc(list, func(item any) bool { return holds(item, key, value) }); i >= 0 {
		return list[i]
	}
	return nil
}

// holds reports whether the member of an item has a value.
func holds(item, key, value any) bool {
	member := memberOf(item, key)
	if value == nil {
		return member != nil && member != false
	}
	return sameText(member, value) || values.Equal(member, value)
}

// memberOf is a member of an object, nil of anything else.
func memberOf(item, key any) any {
	members, _ := item.(map[string]any)
	return members[toText(key)]
}

// sameText compares texts, of which some are marked as escaped.
func sameText(a, b any) bool { return isText(a) && isText(b) && toText(a) == toText(b) }

func isText(v any) bool {
	switch v.(type) {
	case string, escaped, translation:
		return true
	}
	return false
}

// sum adds the items of a list, or a member of them; what is no number counts nothing.
func sum(list []any, key any) float64 {
	total := 0.0
	for _, item := range list {
		if key != nil {
			item = memberOf(item, key)
		}
		if n, ok := jsonvalue.ParseNumber(item); ok {
			total += n
		}
	}
	return total
}
