package render

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

func truncate(v, length, ellipsis any) (string, error) {
	s, dots := toText(v), textOr(ellipsis, "...")
	n, err := numberOr(length, 50)
	if err != nil || utf8.RuneCountInString(s) <= n {
		return s, err
	}
	keep := max(n-utf8.RuneCountInString(dots), 0)
	return string([]rune(s)[:keep]) + dots, nil
}

// textOr is an argument of a filter as a text, or what counts where it is left out or nil: a variable that is not set. The library
// hands such a variable to a function of a text as "<nil>".
func textOr(argument any, otherwise string) string {
	if argument == nil {
		return otherwise
	}
	return toText(argument)
}

// numberOr is textOr for whole numbers.
func numberOr(argument any, otherwise int) (int, error) {
	if argument == nil {
		return otherwise, nil
	}
	n, ok := jsonvalue.ParseNumber(argument)
	if !ok {
		return 0, fmt.Errorf("needs a number, not %s", described(argument))
	}
	return int(min(max(n, math.MinInt32), math.MaxInt32)), nil
}

func truncateWords(v, length, ellipsis any) (string, error) {
	s := toText(v)
	words := strings.Fields(s)
	n, err := numberOr(length, 15)
	if n = max(n, 1); err == nil && len(words) > n {
		return strings.Join(words[:n], " ") + textOr(ellipsis, "..."), nil
	}
	return s, err
}

// slice is a part of a list, or of a text.
func slice(v, start, length any) (any, error) {
	from, err := numberOr(start, 0)
	if err != nil {
		return nil, err
	}
	count, err := numberOr(length, 1)
	if err != nil {
		return nil, err
	}
	if list, isList := v.([]any); isList {
		return part(list, from, count), nil
	}
	return string(part([]rune(toText(v)), from, count)), nil
}

// part are so many items from a position on, which counts from the end where it is negative.
func part[T any](of []T, from, count int) []T {
	if from < 0 {
		from += len(of)
	}
	if from < 0 || from >= len(of) {
		return nil
	}
	return of[from : from+min(max(count, 0), len(of)-from)]
}

// defaultTo is another value for what is not set, false or empty.
func defaultTo(v, otherwise any) any {
	if v == false || (nothing{}).holds(v) || v == nil {
		return otherwise
	}
	return v
}

// capitalize makes the first letter of a text a capital one, and all others small.
func capitalize(v any) string {
	s := toText(v)
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + strings.ToLower(s[size:])
}
