package shape

import (
	"maps"
	"slices"

	"github.com/carillon/carillon/internal/fault"
)

// Nullable is a member that may be absent or null, which clears what is stored: for it set takes null.
func Nullable[T, V any](name string, t Type[V], description string, set func(into *T, v V, null bool)) Member[T] {
	m := member(name, t, description, func(into *T, v V) { set(into, v, false) })
	m.cleared = func(into *T) { set(into, *new(V), true) }
	inner := m.schema
	m.schema = func(d *Document) Schema {
		s := inner(d)
		s["type"] = []any{s["type"], "null"}
		return s
	}
	return m
}

// Group declares an object without a name, documented where it is used.
func Group[T any](description string, members ...Member[T]) ObjectType[T] {
	o := Object("", description, members...)
	o.schema = func(d *Document) Schema { return described(d, description, members) }
	return o
}

// Kept is an object that is kept as it was given, members that are not declared too, once those that are have been checked.
func (o ObjectType[T]) Kept() Type[map[string]any] {
	return Type[map[string]any]{
		schema: o.Open().schema, null: o.null,
		read: func(at *place, value any) (map[string]any, bool) {
			_, ok := o.read(at, value)
			object, _ := value.(map[string]any)
			return object, ok
		},
	}
}

// Open returns the object documented as one that may have members of other names.
func (o ObjectType[T]) Open() ObjectType[T] {
	inner := o.schema
	o.schema = func(d *Document) Schema {
		s := inner(d)
		d.Resolve(s)["additionalProperties"] = true
		return s
	}
	return o
}

// Map is an object of any members, each read by the same type. Null is none.
func Map[V any](of Type[V]) Type[map[string]V] {
	return Type[map[string]V]{
		schema: func(d *Document) Schema { return Schema{"type": "object", "additionalProperties": of.schema(d)} },
		read: func(at *place, value any) (map[string]V, bool) {
			object, ok := value.(map[string]any)
			if !ok {
				at.add(value, notObject)
				return nil, false
			}
			read := make(map[string]V, len(object))
			for _, name := range slices.Sorted(maps.Keys(object)) { // problems have one order
				read[name] = *new(V)
				if value := object[name]; value != nil {
					at.enter(part{name: name, index: named})
					read[name], _ = of.read(at, value)
					at.leave()
				}
			}
			return read, true
		},
		null: isRequired,
	}
}

// Any is a value of any type, which a rule reads; s documents it.
func Any(s func(*Document) Schema) Type[any] {
	return Type[any]{schema: s, read: func(_ *place, value any) (any, bool) { return value, true }, null: isRequired}
}

// Unchecked is a text that may hold what the database cannot, because the whole that it is part of is checked for that.
func Unchecked(bounds ...Bounds) Type[string] {
	t := ID(bounds...)
	t.null = notText
	return t
}

// Converted is what convert makes of a value; convert reports what is wrong with it, and ok is false for what is dropped.
func Converted[V, W any](t Type[V], convert func(p *fault.Problems, path string, value V) (w W, ok bool)) Type[W] {
	return Type[W]{schema: t.schema, null: t.null, read: func(at *place, value any) (w W, ok bool) {
		v, ok := t.read(at, value)
		if !ok {
			return w, false
		}
		return convert(at.problems, at.path(), v)
	}}
}

// Texts is a list of texts, of which nothing is read when there are more than most.
func Texts(item Type[string], most int) Type[[]string] {
	return few(item, most, "must be an array of strings")
}

// Few is a list of which nothing is read when it has more items than most.
func Few[V any](item Type[V], most int) Type[[]V] { return few(item, most, notArray) }

func few[V any](item Type[V], most int, problem string) Type[[]V] {
	t := List(item, AtMost(most))
	inner := t.read
	t.read = func(at *place, value any) ([]V, bool) {
		switch list, ok := value.([]any); {
		case !ok:
			at.add(value, "%s", problem)
		case len(list) > most:
			at.add(nil, "must not hold more than %d items", most)
		default:
			return inner(at, value)
		}
		return nil, false
	}
	return t
}

// Parse reads a decoded value that lies at path; ok is false for null and for what was reported as a problem.
func (t Type[V]) Parse(p *fault.Problems, path string, value any) (v V, ok bool) {
	return t.ParseWith(nil, p, path, value)
}

// ParseWith is Parse of a value that may name what is in lists.
func (t Type[V]) ParseWith(lists Lists, p *fault.Problems, path string, value any) (v V, ok bool) {
	if value == nil {
		return v, false
	}
	return t.read(newPlace(lists, p, path), value)
}
