package shape

import (
	"fmt"
	"slices"
)

// Key is the member that an object is known by; it must be there.
func Key[T, V any](name string, t Type[V], description string, set func(*T, V)) Member[T] {
	m := Required(name, t, description, set)
	m.alone = t.schema
	return m
}

// Tag is a member that only says which kind of object it is part of, and may be left out.
func Tag[T any](name, kind, description string) Member[T] {
	return Member[T]{name: name, kind: kind, schema: Enum(kind).Describe(description).schema}
}

// key returns the member that the object is known by.
func (o ObjectType[T]) key() Member[T] {
	return o.members[slices.IndexFunc(o.members, func(m Member[T]) bool { return m.alone != nil })]
}

// Then returns the object with what is done once its members were read.
func (o ObjectType[T]) Then(do func(*T)) ObjectType[T] {
	inner := o.read
	o.read = func(at *place, value any) (T, bool) {
		v, ok := inner(at, value)
		do(&v)
		return v, ok
	}
	return o
}

// KeyOr is an object, or its key alone; problem is that of a value of another type.
func KeyOr[T any](o ObjectType[T], problem string) Type[T] {
	key := o.key()
	return Type[T]{
		schema: func(d *Document) Schema { return Schema{"oneOf": []Schema{key.alone(d), o.schema(d)}} },
		read: func(at *place, value any) (v T, ok bool) {
			switch value := value.(type) {
			case string:
				ok = key.read(&v, at, value)
				return v, ok
			case map[string]any:
				return o.read(at, value)
			}
			at.add(value, "%s", problem)
			return v, false
		},
		null: problem,
	}
}

// FormList declares one item or a list of them, each of one of some forms, or the key of the first form alone. An item that is
// of no form, or whose key is not valid, is dropped; what else is wrong with one is refused.
type FormList[T any] struct {
	Name, Text         string // of an item in the document
	Object, ObjectText string // of an item that is an object
	Items              string // what they are called in problems
	ListText           string
	Most               int
	Forms              []Form[T]
	Drop               func(into *T, path, reason string)
}

// Form is an object among the items of a FormList.
type Form[T any] struct {
	key, kindName, kind string
	keySchema, schema   func(*Document) Schema
	read                func(into *T, at *place, key any, object map[string]any) (valid bool)
}

// FormOf declares a form; add takes what was read.
func FormOf[T, V any](o ObjectType[V], add func(*T, V)) Form[T] {
	key := o.key()
	others := slices.DeleteFunc(slices.Clone(o.members), func(m Member[V]) bool { return m.alone != nil })
	f := Form[T]{key: key.name, keySchema: key.alone, schema: o.schema}
	for _, m := range others {
		if m.kind != "" {
			f.kindName, f.kind = m.name, m.kind
		}
	}
	f.read = func(into *T, at *place, id any, object map[string]any) bool {
		var v V
		if !readQuietly(key, &v, at, id) {
			return false
		}
		readMembers(&v, at, object, others)
		add(into, v)
		return true
	}
	return f
}

// readQuietly reads a member without reporting its problems.
func readQuietly[T any](m Member[T], into *T, at *place, value any) bool {
	reported := at.problems
	at.problems = &at.quiet
	defer func() { at.problems = reported }()
	return value != nil && m.read(into, at, value)
}

// Type returns the type of the items.
func (l FormList[T]) Type() Type[T] {
	item := Type[T]{schema: func(d *Document) Schema {
		objects := make([]Schema, len(l.Forms))
		for i, f := range l.Forms {
			objects[i] = f.schema(d)
		}
		return d.oneOf(l.Name, l.Text, []Schema{l.Forms[0].keySchema(d), d.oneOf(l.Object, l.ObjectText, objects)})
	}}
	return Type[T]{
		schema: func(d *Document) Schema {
			list := List(item, Between(0, l.Most)).Describe(l.ListText)
			return Schema{"oneOf": []Schema{item.schema(d), list.schema(d)}}
		},
		read: func(at *place, value any) (v T, ok bool) {
			list, several := value.([]any)
			switch {
			case !several:
				l.readItem(&v, at, value)
			case len(list) > l.Most:
				at.add(nil, "must not hold more than %d %s", l.Most, l.Items)
				return v, false
			}
			for i, value := range list {
				at.enter(part{index: i})
				l.readItem(&v, at, value)
				at.leave()
			}
			return v, true
		},
		null: isRequired,
	}
}

// readItem reads an item, or drops it.
func (l FormList[T]) readItem(into *T, at *place, value any) {
	if reason := l.parseItem(into, at, value); reason != "" {
		l.Drop(into, at.path(), reason)
	}
}

// parseItem reads an item, and returns the reason why it is dropped.
func (l FormList[T]) parseItem(into *T, at *place, value any) (reason string) {
	form := l.Forms[0]
	var id any
	var object map[string]any
	switch value := value.(type) {
	case string:
		id = value
	case map[string]any:
		if kind := value[form.kindName]; kind != nil && !slices.ContainsFunc(l.Forms, func(f Form[T]) bool { return kind == f.kind }) {
			return l.kinds()
		}
		form = l.formOf(value)
		id, object = value[form.key], value
	default:
		return "must be a string or an object"
	}
	if !form.read(into, at, id, object) {
		return "no valid " + form.key
	}
	return ""
}

// formOf returns the last form whose key an object has, or the first.
func (l FormList[T]) formOf(object map[string]any) Form[T] {
	for _, f := range slices.Backward(l.Forms) {
		if object[f.key] != nil {
			return f
		}
	}
	return l.Forms[0]
}

func (l FormList[T]) kinds() string {
	var kinds []string
	for _, f := range slices.Backward(l.Forms) {
		kinds = append(kinds, f.kind)
	}
	return fmt.Sprintf("%s must be %s", l.Forms[0].kindName, either(kinds))
}
