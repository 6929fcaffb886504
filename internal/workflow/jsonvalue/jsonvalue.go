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

// CompareDigits orders two numbers, or texts that are one, which are the same as doubles, f. From 2^53 on a double stands for several
// whole numbers; there their digits decide, if both are given by digits. A float64 is not: it is computed, or was rounded before.
func CompareDigits(f float64, a, b any) int {
	if math.Abs(f) < 1<<53 {
		return 0
	}
	x, isX := wholeDigits(a)
	y, isY := wholeDigits(b)
	switch c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); {
	case !isX || !isY:
		return 0
	case f < 0:
		return -c
	default:
		return c
	}
}

// wholeDigits are the digits of a whole number without its sign and what changes no value: zeros before them and behind the point.
func wholeDigits(v any) (digits string, ok bool) {
	switch n := v.(type) {
	case string:
		digits = strings.TrimSpace(n)
	case json.Number:
		digits = n.String()
	case int64:
		digits = strconv.FormatInt(n, 10)
	default:
		return "", false
	}
	if digits != "" && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	digits, fraction, _ := strings.Cut(digits, ".")
	if strings.Trim(fraction, "0") != "" || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	return strings.TrimLeft(digits, "0"), true
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
