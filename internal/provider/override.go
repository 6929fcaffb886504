package provider

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Style is how a vendor writes the keys of its request, so that overrides given in camelCase can be converted.
type Style struct {
	Case Case
	// Free are keys whose value is a map of the caller's own keys (headers, metadata, template variables): nothing below
	// them is converted.
	Free []string
	// Keep are keys that the vendor writes otherwise than the rest; what is below them is converted.
	Keep []string
}

// Case is a way to write a key of several words.
type Case uint8

// The cases. CamelCase converts nothing, because it is the form in which overrides come.
const (
	CamelCase Case = iota
	SnakeCase
	PascalCase
)

// key converts one key. Anything but a plain camelCase word is taken as the vendor's own spelling.
func (c Case) key(k string) string {
	if c == CamelCase || k == "" || !unicode.IsLower(rune(k[0])) || strings.ContainsFunc(k, notAlphanumeric) {
		return k
	}
	if c == PascalCase {
		return strings.ToUpper(k[:1]) + k[1:]
	}
	return snake(k)
}

func notAlphanumeric(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// snake separates words at each capital; a run of capitals is one word (userID → user_id).
func snake(k string) string {
	var b strings.Builder
	for i, r := range k {
		if unicode.IsUpper(r) {
			startsWord := i > 0 && (!unicode.IsUpper(rune(k[i-1])) || i+1 < len(k) && unicode.IsLower(rune(k[i+1])))
			if startsWord {
				b.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Convert rewrites the keys of v and of everything below it. Maps are copied, never changed.
func (s Style) Convert(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			name := s.Case.key(k)
			if slices.Contains(s.Keep, k) {
				name = k
			}
			if slices.Contains(s.Free, name) {
				out[name] = v[k]
				continue
			}
			out[name] = s.Convert(v[k])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = s.Convert(v[i])
		}
		return out
	default:
		return v
	}
}

// Merge lays over into base and returns base: objects merge, arrays and scalars replace, null takes the field away.
// Nothing of over is shared with the result where both have an object.
func Merge(base, over map[string]any) map[string]any {
	if base == nil {
		base = make(map[string]any, len(over))
	}
	for k, v := range over {
		if v == nil {
			delete(base, k)
			continue
		}
		object, isObject := v.(map[string]any)
		if !isObject {
			base[k] = v
			continue
		}
		base[k] = Merge(objectCopy(base[k]), object)
	}
	return base
}

// objectCopy is a copy of v when that is an object, also one of texts, nil otherwise.
func objectCopy(v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return maps.Clone(v)
	case map[string]string:
		out := make(map[string]any, len(v))
		for k, text := range v {
			out[k] = text
		}
		return out
	default:
		return nil
	}
}

// passthroughKey is the member of an override that is merged last and unchanged.
const passthroughKey = "_passthrough"

// Override gives the first text of that name in the overrides for the provider: what is nearer to the step wins.
func Override(m *Message, name string) string {
	for _, layer := range []map[string]any{m.Merge, m.Overrides} {
		if s := Text(layer[name]); s != "" {
			return s
		}
	}
	return ""
}

// Extra is what the overrides add to the vendor's request: both layers in the vendor's spelling, without the keys that
// the adapter reads itself and without the pass-through.
func Extra(m *Message, style Style, interpreted ...string) map[string]any {
	out := map[string]any{}
	for _, layer := range []map[string]any{m.Overrides, m.Merge} {
		layer = maps.Clone(layer)
		delete(layer, passthroughKey)
		for _, name := range interpreted {
			delete(layer, name)
		}
		if converted, ok := style.Convert(layer).(map[string]any); ok {
			mergeKeepingNull(out, converted)
		}
	}
	return out
}

// mergeKeepingNull merges two layers of overrides: a null of the upper one must still reach the request.
func mergeKeepingNull(base, over map[string]any) {
	for k, v := range over {
		object, isObject := v.(map[string]any)
		below, belowIsObject := base[k].(map[string]any)
		if isObject && belowIsObject {
			below = maps.Clone(below)
			mergeKeepingNull(below, object)
			base[k] = below
			continue
		}
		base[k] = v
	}
}

// passthroughs are the pass-through objects of both layers, the one that wins last.
func passthroughs(m *Message) []map[string]any {
	var out []map[string]any
	for _, layer := range []map[string]any{m.Overrides, m.Merge} {
		if p, ok := layer[passthroughKey].(map[string]any); ok {
			out = append(out, p)
		}
	}
	return out
}

// InputOverrides is for providers without a request body: both layers, then the pass-through's body and headers, as
// changes of the adapter's own input.
func InputOverrides(m *Message) map[string]any {
	out := Extra(m, Style{})
	for _, p := range passthroughs(m) {
		if body, ok := p["body"].(map[string]any); ok {
			mergeKeepingNull(out, body)
		}
		if headers, ok := p["headers"].(map[string]any); ok {
			mergeKeepingNull(out, map[string]any{"headers": headers})
		}
	}
	return out
}
