// Package jsonvalue reads values of decoded JSON: by path, as numbers and as text.
package jsonvalue

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Lookup reads a dotted path out of decoded JSON: object members by name, list items by position. A missing member, a
// null on the way and a wrong kind of value all read as nil.
func Lookup(data any, path string) any {
	if path == "" {
		return data
	}
	for part := range strings.SplitSeq(path, ".") {
		switch v := data.(type) {
		case map[string]any:
			data = v[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			data = v[i]
		default:
			return nil
		}
	}
	return data
}

// LookupPayload reads a path relative to the payload; a leading "payload." is accepted (semantics.md §11.17).
func LookupPayload(payload map[string]any, path string) any {
	if v := Lookup(payload, path); v != nil {
		return v
	}
	if rest, ok := strings.CutPrefix(path, "payload."); ok {
		return Lookup(payload, rest)
	}
	return nil
}

// MergeDeep lays over on top of base: objects merge, everything else (arrays too) replaces. Neither input changes; the
// result may share parts with both.
func MergeDeep(base, over map[string]any) map[string]any {
	if len(base) == 0 {
		return over
	}
	if len(over) == 0 {
		return base
	}
	out := make(map[string]any, len(base)+len(over))
	maps.Copy(out, base)
	for k, v := range over {
		below, isObject := out[k].(map[string]any)
		above, overObject := v.(map[string]any)
		if isObject && overObject {
			v = MergeDeep(below, above)
		}
		out[k] = v
	}
	return out
}

// Number reads any Go or JSON number.
func Number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case float32:
		return float64(n), true
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	}
	return 0, false
}

// ParseNumber reads a number, or a text that is exactly one.
func ParseNumber(v any) (float64, bool) {
	if s, ok := v.(string); ok {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	return Number(v)
}

// CompareDigits orders two numbers, or texts that are one, which are the same as doubles. Numbers of more than fifteen digits
// share a double with others; there the digits decide, if both are given by digits. A float64 is not: it is computed, or was rounded before.
func CompareDigits(a, b any) int {
	x, isX := digitsOf(a)
	y, isY := digitsOf(b)
	if !isX || !isY {
		return 0
	}
	if x.sign != y.sign {
		return cmp.Compare(x.sign, y.sign)
	}
	return x.sign * cmp.Or(cmp.Compare(len(x.whole), len(y.whole)), strings.Compare(x.whole, y.whole), strings.Compare(x.fraction, y.fraction))
}

// decimal is a number by its digits, without zeros that change no value.
type decimal struct {
	sign            int // 0 of zero
	whole, fraction string
}

func digitsOf(v any) (d decimal, ok bool) {
	var text string
	switch n := v.(type) {
	case string:
		text = strings.TrimSpace(n)
	case json.Number:
		text = n.String()
	case int64:
		text = strconv.FormatInt(n, 10)
	case int:
		text = strconv.Itoa(n)
	default:
		return d, false
	}
	d.sign = 1
	if text != "" && (text[0] == '-' || text[0] == '+') {
		if text[0] == '-' {
			d.sign = -1
		}
		text = text[1:]
	}
	d.whole, d.fraction, _ = strings.Cut(text, ".")
	if strings.Trim(d.whole, "0123456789") != "" || strings.Trim(d.fraction, "0123456789") != "" {
		return decimal{}, false
	}
	d.whole, d.fraction = strings.TrimLeft(d.whole, "0"), strings.TrimRight(d.fraction, "0")
	if d.whole == "" && d.fraction == "" {
		d.sign = 0
	}
	return d, true
}

// ScalarText is the canonical text of a scalar; ok is false for objects, lists and null.
func ScalarText(v any) (string, bool) {
	switch s := v.(type) {
	case string:
		return s, true
	case bool:
		return strconv.FormatBool(s), true
	case json.Number:
		return s.String(), true
	case int64:
		return strconv.FormatInt(s, 10), true
	}
	if f, ok := Number(v); ok {
		return strconv.FormatFloat(f, 'f', -1, 64), true
	}
	return "", false
}

// WholeNumber reads a JSON number without fraction that fits an int.
func WholeNumber(v any) (int, bool) {
	f, ok := Number(v)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int(f), true
}

// Join joins a path; an empty part adds nothing.
func Join(prefix string, parts ...string) string {
	for _, p := range parts {
		switch {
		case p == "":
		case prefix == "":
			prefix = p
		default:
			prefix += "." + p
		}
	}
	return prefix
}

// JoinIndex joins a path and a position.
func JoinIndex(prefix string, i int) string { return Join(prefix, strconv.Itoa(i)) }

// OrNil points to v; nil for the zero value.
func OrNil[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// SortedKeys gives problems a stable order.
func SortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
