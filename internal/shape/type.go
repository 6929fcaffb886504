package shape

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/fault"
)

// Type reads a JSON value as a V and documents it. Its zero value is of no use: the functions of this package make types.
type Type[V any] struct {
	schema func(*Document) Schema
	read   func(at *place, value any) (v V, ok bool) // of a value that is not null; what is not ok was reported
	null   string                                    // the problem of a value that is missing: a null among the items of a list
	raw    bool                                      // whether the members of an event hand over their JSON
}

// Described is anything that the OpenAPI document can describe.
type Described interface {
	// Schema returns the schema; d takes the named ones on the way.
	Schema(d *Document) Schema
}

// Schema returns the schema of the type.
func (t Type[V]) Schema(d *Document) Schema { return t.schema(d) }

// Describe returns the type under a description of its own.
func (t Type[V]) Describe(text string) Type[V] {
	inner := t.schema
	t.schema = func(d *Document) Schema { return inner(d).Describe(text) }
	return t
}

// Deprecated returns the type marked as deprecated.
func (t Type[V]) Deprecated() Type[V] {
	inner := t.schema
	t.schema = func(d *Document) Schema {
		s := inner(d)
		s["deprecated"] = true
		return s
	}
	return t
}

// As returns the type documented by a schema of its own, such as one that a response defines.
func (t Type[V]) As(s func(*Document) Schema) Type[V] {
	t.schema = s
	return t
}

// Missing returns the type with the problem of a value that is missing.
func (t Type[V]) Missing(problem string) Type[V] {
	t.null = problem
	return t
}

// Where returns the type with a rule that values must meet, and its problem. The value is read all the same.
func (t Type[V]) Where(valid func(V) bool, problem string) Type[V] {
	inner := t.read
	t.read = func(at *place, value any) (V, bool) {
		v, ok := inner(at, value)
		if ok && !valid(v) {
			at.add(value, "%s", problem)
		}
		return v, ok
	}
	return t
}

// Check returns the type with a rule that reports a problem of a value at its path. The value is read all the same.
func (t Type[V]) Check(rule func(p *fault.Problems, path string, value V)) Type[V] {
	inner := t.read
	t.read = func(at *place, value any) (V, bool) {
		v, ok := inner(at, value)
		if ok {
			rule(at.problems, at.path(), v)
		}
		return v, ok
	}
	return t
}

const isRequired = "is required"

// plain is a type whose values JSON knows.
func plain[V any](problem string, s func() Schema) Type[V] {
	return Type[V]{
		schema: func(*Document) Schema { return s() },
		read: func(at *place, value any) (v V, ok bool) {
			if v, ok = value.(V); !ok {
				at.add(value, "%s", problem)
			}
			return v, ok
		},
		null: isRequired,
	}
}

const notText = "must be a string"

// Text is a text that the database can hold.
func Text(bounds ...Bounds) Type[string] {
	t := plain[string](notText, func() Schema { return Schema{"type": "string"}.bound("minLength", "maxLength", bounds) })
	inner := t.read
	t.read = func(at *place, value any) (string, bool) {
		text, ok := inner(at, value)
		if ok && !Storable(text) {
			at.add(nil, "must not hold the character U+0000")
			return "", false
		}
		return text, ok
	}
	return t
}

// Storable reports whether the database can hold a text, and therefore whether anything can be named so.
func Storable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// ID is the internal id of a record. A text that is no id names nothing, whatever it holds.
func ID(bounds ...Bounds) Type[string] {
	return plain[string](notText, func() Schema { return Schema{"type": "string"}.bound("minLength", "maxLength", bounds) })
}

// Parsed is a text that parse accepts, read as what parse makes of it; problem is that of whatever is no such text, or is
// missing. t documents it.
func Parsed(t Type[string], problem string, parse func(string) (string, bool)) Type[string] {
	return Type[string]{schema: t.schema, null: problem, read: func(at *place, value any) (string, bool) {
		if text, ok := value.(string); ok {
			if read, ok := parse(text); ok {
				return read, true
			}
		}
		at.add(value, "%s", problem)
		return "", false
	}}
}

// Matching is a text of a pattern, which a rule or the use case checks.
func Matching(pattern string, bounds ...Bounds) Type[string] {
	return Text().As(func(*Document) Schema {
		return Schema{"type": "string", "pattern": pattern}.bound("minLength", "maxLength", bounds)
	})
}

// Enum is one of some texts.
func Enum[V ~string](values ...V) Type[V] {
	return Type[V]{
		schema: func(*Document) Schema { return Schema{"type": "string", "enum": values} },
		read: func(at *place, value any) (V, bool) {
			text, ok := Text().read(at, value)
			if ok && !slices.Contains(values, V(text)) {
				at.add(text, "must be %s", either(values))
			}
			return V(text), ok && slices.Contains(values, V(text))
		},
		null: isRequired,
	}
}

func joined[V ~string](values []V) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return strings.Join(texts, ", ")
}

func either[V ~string](values []V) string {
	last := len(values) - 1
	return joined(values[:last]) + " or " + string(values[last])
}

// Flag is true or false.
func Flag() Type[bool] {
	return plain[bool]("must be a boolean", func() Schema { return Schema{"type": "boolean"} })
}

// Free is an object that is kept as it is.
func Free() Type[map[string]any] {
	return plain[map[string]any](notObject, func() Schema { return Schema{"type": "object", "additionalProperties": true} })
}

const (
	notObject = "must be an object"
	notArray  = "must be an array"
)

// List is a list of items. An item that cannot be read becomes the zero value, so that the others keep their positions.
func List[V any](item Type[V], bounds ...Bounds) Type[[]V] {
	return Type[[]V]{
		schema: func(d *Document) Schema { return ArrayOf(item.schema(d)).bound("minItems", "maxItems", bounds) },
		read: func(at *place, value any) ([]V, bool) {
			items, ok := value.([]any)
			if !ok {
				at.add(value, notArray)
				return nil, false
			}
			list := make([]V, len(items))
			for i, value := range items {
				at.enter(part{index: i})
				if value != nil {
					list[i], _ = item.read(at, value)
				} else {
					at.add(nil, "%s", item.null)
				}
				at.leave()
			}
			return list, true
		},
		null: isRequired,
	}
}

// OneOrMany is one text, or a list of several. An empty text is an empty list: it names nothing, unlike a list that has one
// among its items.
func OneOrMany(one Type[string], many Type[[]string]) Type[[]string] {
	return Type[[]string]{
		schema: func(d *Document) Schema { return Schema{"oneOf": []Schema{one.schema(d), many.schema(d)}} },
		read: func(at *place, value any) ([]string, bool) {
			switch value.(type) {
			case string:
				text, ok := one.read(at, value)
				if text == "" {
					return []string{}, ok
				}
				return []string{text}, ok
			case []any:
				return many.read(at, value)
			}
			at.add(value, "must be a string or an array of strings")
			return nil, false
		},
		null: isRequired,
	}
}
