package render

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

const (
	itemsFilter = "_items"    // what a loop goes through
	wholeFilter = "_whole"    // the columns of a table, and the ends of a range
	rangeFilter = "_range"    // the list of a range
	continueKey = "_continue" // where loops ended, by loopKey
)

// loopArguments rewrites the expression of a loop so that the library gets what the loop goes through ready-made. Its own modifiers
// refuse the numbers of payloads, which are no Go integers, and take the items of a reversed list from its end; and it skips the else of
// a loop through nothing, and goes through objects in a random order.
func loopArguments(args string) string {
	lexemes := lex(args)
	in := slices.IndexFunc(lexemes, func(l lexeme) bool { return l.kind == lexKeyword && l.text == "in" })
	if in < 0 {
		return args // the library says what is wrong
	}
	parts := map[string]string{"offset": "nil", "limit": "nil"}
	part, from, reversed := "", lexemes[in].end, "false"
	take := func(to int) { parts[part] = strings.TrimSpace(args[from:to]) }
	for i, l := range lexemes[in+1:] {
		if l.kind != lexKeyword || i == 0 {
			continue
		}
		colon := in + 2 + i
		switch l.text {
		case "limit", "offset", "cols":
			if colon >= len(lexemes) || lexemes[colon].text != ":" {
				return args
			}
			take(l.start)
			part, from = l.text, lexemes[colon].end
		case "reversed":
			take(l.start)
			part, from, reversed = "reversed", l.end, "true"
		}
	}
	take(len(args))
	if parts["reversed"] != "" || parts[""] == "" || parts["limit"] == "" || parts["offset"] == "" {
		return args
	}
	over := args[:lexemes[in].end] + " " + wholeRange(parts[""])
	if parts["offset"] == "continue" {
		parts["offset"] = continueKey + "['" + loopKey(over) + "']"
	}
	rewritten := over + " | " + itemsFilter + ": " + operand(parts["offset"]) + ", " + operand(parts["limit"]) + ", " + reversed
	if cols, has := parts["cols"]; has {
		rewritten += " cols: (" + cols + " | " + wholeFilter + ")"
	}
	return rewritten
}

// operand is an expression as a filter takes it.
func operand(expression string) string {
	if expression == "nil" {
		return expression
	}
	return "(" + expression + ")"
}

// wholeRange makes the ends of a range whole numbers for the library.
func wholeRange(source string) string {
	lexemes := lex(source)
	depth := 0
	for i, l := range lexemes {
		switch {
		case l.text == "(":
			depth++
		case l.text == ")":
			depth--
		case l.kind == lexRange && depth == 1 && lexemes[0].text == "(" && lexemes[len(lexemes)-1].text == ")" && i > 1 && i < len(lexemes)-2:
			begin, end := source[1:l.start], source[l.end:lexemes[len(lexemes)-1].start]
			return "((" + begin + " | " + wholeFilter + ")..(" + end + " | " + wholeFilter + "))"
		}
	}
	return source
}

// sequence is what the library goes through item by item.
type sequence interface {
	Len() int
	Index(i int) any
}

// span is a part of a sequence, forward or backward.
type span struct {
	of           sequence
	from, length int
	backward     bool
}

// Len is the number of items.
func (s span) Len() int { return s.length }

// Index is an item.
func (s span) Index(i int) any {
	if s.backward {
		i = s.length - 1 - i
	}
	return s.of.Index(s.from + i)
}

type items reflect.Value

func (l items) Len() int        { return reflect.Value(l).Len() }
func (l items) Index(i int) any { return reflect.Value(l).Index(i).Interface() }

// loopItems is what a loop goes through: of v the items from an offset on, so many as the limit says, in reverse if it is backward.
func loopItems(v, offset, limit any, backward bool) (any, error) {
	of := sequenceOf(v)
	from, err := loopNumber("offset", offset, 0)
	if err != nil {
		return nil, err
	}
	length := max(of.Len(), 0)
	from = min(max(from, 0), length)
	most, err := loopNumber("limit", limit, length)
	if err != nil {
		return nil, err
	}
	if most < 0 {
		most = length
	}
	return span{of, from, min(most, length-from), backward}, nil
}

// sequenceOf reads a value as a loop does: objects as pairs in the order of their names, a text as one item, what has no items as none.
func sequenceOf(v any) sequence {
	switch x := v.(type) {
	case nil:
		return items(reflect.ValueOf([]any{}))
	case sequence:
		return x
	case map[string]any:
		pairs := make([]any, 0, len(x))
		for _, name := range slices.Sorted(maps.Keys(x)) {
			pairs = append(pairs, []any{name, x[name]})
		}
		return items(reflect.ValueOf(pairs))
	case string, escaped, translation:
		if toText(x) != "" {
			return items(reflect.ValueOf([]any{x}))
		}
	}
	if of := reflect.ValueOf(v); of.Kind() == reflect.Slice || of.Kind() == reflect.Array {
		return items(of)
	}
	return items(reflect.ValueOf([]any{}))
}

func loopNumber(name string, v any, otherwise int) (int, error) {
	if v == nil {
		return otherwise, nil
	}
	n, ok := whole(v).(int)
	if !ok {
		return 0, fmt.Errorf("the %s of a loop must be a whole number, not %s", name, toText(v))
	}
	return n, nil
}

// rangeLists makes lists of ranges that are not what a loop goes through.
func rangeLists(args string) string {
	lexemes := lex(args)
	at := slices.IndexFunc(lexemes, func(l lexeme) bool { return l.kind == lexRange })
	if at < 0 {
		return args
	}
	begin, end := operandBegin(lexemes[:at])-1, operandEnd(lexemes, at+1)+1
	if begin < 0 || end >= len(lexemes) || begin == at-1 || end == at+1 || lexemes[begin].text != "(" || lexemes[end].text != ")" {
		return args // the library says what is wrong
	}
	return args[:lexemes[begin].end] + "(" + args[lexemes[begin].end:lexemes[at].start] + ") | " + rangeFilter + ": (" + rangeLists(args[lexemes[at].end:lexemes[end].start]) +
		"), " + budgetKey + rangeLists(args[lexemes[end].start:])
}

// rangeList is a range as a list, which takes memory for each number.
func rangeList(begin, end any, limit *budget) (any, error) {
	if err := limit.check(); err != nil {
		return nil, err
	}
	from, err := wholeNumber(begin)
	if err != nil {
		return nil, err
	}
	to, err := wholeNumber(end)
	if err != nil {
		return nil, err
	}
	if to-from >= maxList {
		return nil, ErrOutputTooLarge
	}
	list := make([]any, max(to-from+1, 0))
	for i := range list {
		list[i] = from + i
	}
	return list, nil
}

var errWhole = errors.New("the ends of a range and the columns of a table must be whole numbers")

// wholeNumber is the filter of what must be one, such as the end of a range. What is not set and a blank text count 0, as in arithmetic.
func wholeNumber(v any) (int, error) {
	if unset(v) {
		return 0, nil
	}
	if n, ok := whole(v).(int); ok {
		return n, nil
	}
	return 0, errWhole
}

// whole is a number without a fraction, or a text that is one, as the library knows it; anything else remains what it is.
func whole(v any) any {
	switch x := v.(type) {
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return int(x)
		}
	case int64:
		return int(x)
	case string:
		if n, err := strconv.Atoi(strings.TrimSpace(x)); err == nil {
			return n
		}
	}
	return v
}
