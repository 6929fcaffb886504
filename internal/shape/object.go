package shape

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/carillon/carillon/internal/fault"
)

// Member is a member of objects that are read as a T.
type Member[T any] struct {
	name     string
	required bool                   // by the document
	missing  string                 // the problem when it is absent; "" when it may be
	alone    func(*Document) Schema // of a key in the place of its object
	kind     string                 // "" when it is not the kind of the object
	raw      bool                   // whether it takes the JSON of an event's member
	skipped  func(*T) bool
	cleared  func(*T) // by null; nil: null is absent
	schema   func(*Document) Schema
	read     func(into *T, at *place, value any) (ok bool)
}

func member[T, V any](name string, t Type[V], description string, set func(*T, V)) Member[T] {
	return Member[T]{
		name: name, schema: t.Describe(description).schema, raw: t.raw,
		read: func(into *T, at *place, value any) bool {
			v, ok := t.read(at, value)
			if ok {
				set(into, v)
			}
			return ok
		},
	}
}

// Optional is a member that may be absent; null is absent. set takes what was read. A type that is documented by reference
// has its description there.
func Optional[T, V any](name string, t Type[V], description string, set func(*T, V)) Member[T] {
	return member(name, t, description, set)
}

// Required is a member that must be there.
func Required[T, V any](name string, t Type[V], description string, set func(*T, V)) Member[T] {
	m := member(name, t, description, set)
	m.required, m.missing = true, t.null
	return m
}

// Expected is a member that must be there, and whose absence the use case refuses with an error of its own.
func Expected[T, V any](name string, t Type[V], description string, set func(*T, V)) Member[T] {
	m := member(name, t, description, set)
	m.required = true
	return m
}

// Unless returns the member as one that is not read once the members before it made something true.
func (m Member[T]) Unless(skipped func(*T) bool) Member[T] {
	m.skipped = skipped
	return m
}

// ObjectType is the type of an object whose members are read into a T; members that are not declared are ignored.
type ObjectType[T any] struct {
	Type[T]
	members []Member[T]
}

// Object declares an object under its name in the document.
func Object[T any](name, description string, members ...Member[T]) ObjectType[T] {
	return ObjectType[T]{members: members, Type: Type[T]{
		schema: func(d *Document) Schema {
			return d.Named(name, func() Schema { return described(d, description, members) })
		},
		read: func(at *place, value any) (v T, ok bool) {
			object, ok := value.(map[string]any)
			if !ok {
				at.add(value, notObject)
				return v, false
			}
			readMembers(&v, at, object, members)
			return v, true
		},
		null: isRequired,
	}}
}

func described[T any](d *Document, description string, members []Member[T]) Schema {
	properties, required := Schema{}, []string{}
	for _, m := range members {
		properties[m.name] = m.schema(d)
		if m.required {
			required = append(required, m.name)
		}
	}
	return Record(description, properties, required...)
}

func readMembers[T any](into *T, at *place, object map[string]any, members []Member[T]) {
	left := len(object)
	for i := range members {
		m := &members[i]
		if left == 0 && m.missing == "" {
			continue // most members are absent
		}
		value, given := object[m.name]
		if given {
			left--
		}
		m.take(into, at, value, given)
	}
}

// take reads a member of an object; value is nil when it is null or absent.
func (m *Member[T]) take(into *T, at *place, value any, given bool) {
	switch {
	case m.skipped != nil && m.skipped(into):
	case given && value == nil && m.cleared != nil:
		m.cleared(into)
	case value != nil && m.read != nil:
		at.enter(part{name: m.name, index: named})
		m.read(into, at, value)
		at.leave()
	case value == nil && m.missing != "":
		at.enter(part{name: m.name, index: named})
		at.add(nil, "%s", m.missing)
		at.leave()
	}
}

// Read reads a body, which is a JSON object, and then asks the use case for its own problems; all are reported together.
func (o ObjectType[T]) Read(body []byte, check func(*T, *fault.Problems)) (T, error) {
	var p fault.Problems
	var members map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()          // what is stored is what was sent
	_ = decoder.Decode(&members) // the caller made sure that it is an object
	v, _ := o.read(newPlace(nil, &p, ""), members)
	check(&v, &p)
	return v, p.Err()
}

// TextOrObject is a text, or an object.
func TextOrObject[V any](text Type[string], of func(string) V, object ObjectType[V]) Type[V] {
	const problem = "must be a string or an object"
	return Type[V]{
		schema: func(d *Document) Schema { return Schema{"oneOf": []Schema{text.schema(d), object.schema(d)}} },
		read: func(at *place, value any) (v V, ok bool) {
			switch value := value.(type) {
			case string:
				given, ok := text.read(at, value)
				if !ok {
					return v, false
				}
				return of(given), true
			case map[string]any:
				return object.read(at, value)
			}
			at.add(value, problem)
			return v, false
		},
		null: problem,
	}
}

// OneOf declares an object of one of several kinds, which are read into the same value. Which of their members go together is for
// the use case to say, so that none is required here. It has a name of its own, because generators of clients that tell variants
// apart by their JSON type, and objects by their members, do not do both in one union.
func OneOf[T any](name, description string, objects ...ObjectType[T]) ObjectType[T] {
	o := Object(name, description, union(objects)...)
	o.schema = func(d *Document) Schema {
		variants := make([]Schema, len(objects))
		for i, object := range objects {
			variants[i] = object.schema(d)
		}
		return d.oneOf(name, description, variants)
	}
	return o
}

// union returns the members of several objects, each name once and none refused when it is absent.
func union[T any](objects []ObjectType[T]) (all []Member[T]) {
	for _, o := range objects {
		for _, m := range o.members {
			if !slices.ContainsFunc(all, func(known Member[T]) bool { return known.name == m.name }) {
				m.missing = ""
				all = append(all, m)
			}
		}
	}
	return all
}

// Named is a type under its name in the document.
func Named[V any](name string, t Type[V]) Type[V] {
	inner := t.schema
	t.schema = func(d *Document) Schema { return d.Named(name, func() Schema { return inner(d) }) }
	return t
}
