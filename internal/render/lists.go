package render

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// listOf is a value as the filters of lists take it: what is no list is one of itself, and what is not set is an empty one.
func listOf(v any) []any {
	switch list := v.(type) {
	case nil, nothing:
		return []any{}
	case []any:
		return list
	}
	return []any{v}
}

func reversed(v any) []any {
	list := slices.Clone(listOf(v))
	slices.Reverse(list)
	return list
}

func compact(v any) []any {
	return slices.DeleteFunc(slices.Clone(listOf(v)), func(item any) bool { return item == nil })
}

func mapTo(v, key any) []any {
	list := slices.Clone(listOf(v))
	for i, item := range list {
		list[i] = memberOf(item, key)
	}
	return list
}

// first is the first item of a list, or the first character of a text.
func first(v any) any {
	switch x := v.(type) {
	case []any:
		if len(x) > 0 {
			return x[0]
		}
	case string, escaped, translation:
		text := toText(x)
		_, size := utf8.DecodeRuneInString(text)
		return text[:size]
	}
	return nil
}

// last is first from the other end.
func last(v any) any {
	switch x := v.(type) {
	case []any:
		if len(x) > 0 {
			return x[len(x)-1]
		}
	case string, escaped, translation:
		text := toText(x)
		_, size := utf8.DecodeLastRuneInString(text)
		return text[len(text)-size:]
	}
	return nil
}

// The filters of lists by a member of their items, as Liquid documents them. Without a value, or with one that is not set, a member
// counts that is there and not false.

func where(v, key, value any) []any {
	return slices.DeleteFunc(slices.Clone(listOf(v)), func(item any) bool { return !holds(item, key, value) })
}

func reject(v, key, value any) []any {
	return slices.DeleteFunc(slices.Clone(listOf(v)), func(item any) bool { return holds(item, key, value) })
}

func find(v, key, value any) any {
	if i := indexOf(v, key, value); i >= 0 {
		return listOf(v)[i]
	}
	return nil
}

// has reports whether a list has an item whose member has a value.
func has(v, key, value any) bool { return indexOf(v, key, value) >= 0 }

// findIndex is the position of the first such item, from 0; nothing without one.
func findIndex(v, key, value any) any {
	if i := indexOf(v, key, value); i >= 0 {
		return i
	}
	return nil
}

func indexOf(v, key, value any) int {
	return slices.IndexFunc(listOf(v), func(item any) bool { return holds(item, key, value) })
}

// groupBy makes a list of objects, with the name and the items of each group, in the order in which the groups begin.
func groupBy(v, key any) any {
	groups := []any{}
	at := map[string]int{}
	for _, item := range listOf(v) {
		name := memberOf(item, key)
		id, err := json.Marshal(unmarked(name))
		if err != nil {
			continue
		}
		i, known := at[string(id)]
		if !known {
			i = len(groups)
			at[string(id)] = i
			groups = append(groups, map[string]any{"name": name, "items": []any{}})
		}
		group, _ := groups[i].(map[string]any)
		items, _ := group["items"].([]any)
		group["items"] = append(items, item)
	}
	return groups
}

func (f filterSet) push(v, item any) ([]any, error) { return f.concat(v, []any{item}) }

func (f filterSet) unshift(v, item any) ([]any, error) { return f.concat([]any{item}, v) }

// pop is a list without its last item.
func pop(v any) []any { return slices.Clone(part(listOf(v), 0, len(listOf(v))-1)) }

// shift is a list without its first item.
func shift(v any) []any { return slices.Clone(part(listOf(v), 1, len(listOf(v)))) }

// sentence is a list as a part of a sentence: a, b, and c.
func (f filterSet) sentence(v, connector any) (any, error) {
	list, last := listOf(v), " "+textOr(connector, "and")+" "
	switch len(list) {
	case 0, 1, 2:
		return f.joinList(list, last)
	}
	begin, err := f.joinList(list[:len(list)-1], ", ")
	if err != nil {
		return nil, err
	}
	return f.bounded(toText(begin) + "," + last + toText(list[len(list)-1]))
}

// holds reports whether the member of an item has a value.
func holds(item, key, value any) bool {
	member := memberOf(item, key)
	if value == nil {
		return member != nil && member != false
	}
	return equal(member, value)
}

// memberOf is a member of an item by its name or dotted path, with size, first and last as elsewhere in templates.
func memberOf(item, key any) any {
	path := toText(key)
	if members, isObject := item.(map[string]any); isObject {
		if member, has := members[path]; has {
			return member
		}
	}
	for name := range strings.SplitSeq(path, ".") {
		members, isObject := item.(map[string]any)
		member, has := members[name]
		list, isList := item.([]any)
		switch at, err := strconv.Atoi(name); {
		case isObject && has:
			item = member
		case name == "size":
			item = sizeOf(item)
		case isList && name == "first":
			item = first(list)
		case isList && name == "last":
			item = last(list)
		case isList && err == nil && at >= 0 && at < len(list):
			item = list[at]
		default:
			return nil
		}
	}
	return item
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
func sum(v, key any) float64 {
	total := 0.0
	for _, item := range listOf(v) {
		if key != nil {
			item = memberOf(item, key)
		}
		if n, ok := jsonvalue.ParseNumber(item); ok {
			total += n
		}
	}
	return total
}
