// Package typegen writes types for the payloads of triggers, in Go, TypeScript and Python, from the JSON Schemas of workflows.
//
// A type says what a program may send. What a schema asks beyond that (patterns, ranges, lengths, conditions) stays with the
// server; where a schema says nothing that a type can hold, any value may be sent.
package typegen

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Trigger is what can be triggered: a workflow, and the schema of its payload (nil: any object).
type Trigger struct {
	Identifier string
	Name       string // for people
	Schema     map[string]any
}

// Generate writes the types of triggers in a language: go (package names the package), ts or py.
func Generate(language, pkg string, triggers []Trigger) ([]byte, error) {
	triggers = slices.SortedFunc(slices.Values(triggers), func(a, b Trigger) int { return cmp.Compare(a.Identifier, b.Identifier) })
	switch language {
	case "go":
		return writeGo(pkg, triggers)
	case "ts":
		return writeTypeScript(triggers), nil
	case "py":
		return writePython(triggers), nil
	}
	return nil, fmt.Errorf("write types: %q is none of go, ts and py", language)
}

type kind int

const (
	kindAny kind = iota
	kindString
	kindNumber
	kindInteger
	kindBoolean
	kindNull
	kindEnum
	kindArray
	kindObject
	kindUnion
	kindRef
)

// shape is what a type can say of a schema.
type shape struct {
	kind     kind
	doc      string
	values   []any    // of an enum
	item     *shape   // of an array; of an object's other members, nil: any value
	closed   bool     // an object has no other members
	members  []member // of an object, by name
	options  []*shape // of a union
	ref      string   // name of a definition
	nullable bool
}

type member struct {
	name     string
	shape    *shape
	required bool
}

// reader turns schemas into shapes. Definitions are shapes of their own, which may contain themselves.
type reader struct {
	root        map[string]any
	definitions map[string]*shape
}

func read(schema map[string]any) (*shape, map[string]*shape) {
	if schema == nil {
		return &shape{kind: kindObject}, nil
	}
	r := &reader{root: schema, definitions: map[string]*shape{}}
	s := r.shape(schema)
	if s.kind != kindObject && s.kind != kindRef {
		s = &shape{kind: kindObject, doc: s.doc} // a payload is always an object
	}
	for _, name := range slices.Sorted(maps.Keys(r.definitions)) { // what is unwound first ends the circle
		r.unwind(name)
	}
	return s, r.definitions
}

// unwind lets a definition that is nothing but itself, perhaps by way of others, be anything.
func (r *reader) unwind(name string) {
	seen := map[string]bool{}
	for at := name; r.definitions[at].kind == kindRef; at = r.definitions[at].ref {
		if seen[at] {
			r.definitions[name] = &shape{}
			return
		}
		seen[at] = true
	}
}

func (r *reader) shape(raw any) *shape {
	schema, ok := raw.(map[string]any)
	if !ok {
		return &shape{} // true, or nothing
	}
	doc, _ := schema["description"].(string)
	if doc == "" {
		doc, _ = schema["title"].(string)
	}
	s := r.undescribed(schema)
	if doc != "" && s.doc == "" {
		described := *s
		described.doc = doc
		return &described
	}
	return s
}

func (r *reader) undescribed(schema map[string]any) *shape {
	if to, ok := schema["$ref"].(string); ok {
		return r.reference(to)
	}
	if value, ok := schema["const"]; ok {
		return enum([]any{value})
	}
	if values, ok := schema["enum"].([]any); ok && len(values) > 0 {
		return enum(values)
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		if options, ok := schema[word].([]any); ok && len(options) > 0 && schema["properties"] == nil {
			return r.union(options)
		}
	}
	if parts, ok := schema["allOf"].([]any); ok && len(parts) > 0 {
		return r.all(schema, parts)
	}
	switch typ := schema["type"].(type) {
	case string:
		return r.typed(typ, schema)
	case []any:
		options := make([]any, 0, len(typ))
		for _, one := range typ {
			single := maps.Clone(schema)
			single["type"] = one
			delete(single, "description")
			options = append(options, single)
		}
		return r.union(options)
	}
	if schema["properties"] != nil || schema["additionalProperties"] != nil {
		return r.object(schema)
	}
	return &shape{}
}

func (r *reader) typed(typ string, schema map[string]any) *shape {
	switch typ {
	case "string":
		return &shape{kind: kindString}
	case "number":
		return &shape{kind: kindNumber}
	case "integer":
		return &shape{kind: kindInteger}
	case "boolean":
		return &shape{kind: kindBoolean}
	case "null":
		return &shape{kind: kindNull}
	case "array":
		return &shape{kind: kindArray, item: r.shape(schema["items"])}
	case "object":
		return r.object(schema)
	}
	return &shape{}
}

func (r *reader) object(schema map[string]any) *shape {
	s := &shape{kind: kindObject}
	switch others := schema["additionalProperties"].(type) {
	case bool:
		s.closed = !others
	case map[string]any:
		s.item = r.shape(others)
	}
	required, _ := schema["required"].([]any)
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		_, filled := asObject(properties[name])["default"] // the server fills it in
		s.members = append(s.members, member{name, r.shape(properties[name]), slices.Contains(required, any(name)) && !filled})
	}
	return s
}

func asObject(v any) map[string]any {
	object, _ := v.(map[string]any)
	return object
}

// all merges the objects that a value has to be at once; of anything else a type says nothing.
func (r *reader) all(schema map[string]any, parts []any) *shape {
	own := maps.Clone(schema)
	delete(own, "allOf")
	merged := r.undescribed(own)
	if merged.kind == kindAny {
		merged = &shape{kind: kindObject}
	}
	for _, part := range parts {
		s := r.shape(part)
		if s.kind == kindRef {
			s = r.definitions[s.ref]
		}
		if s == nil || s.kind != kindObject || merged.kind != kindObject {
			return &shape{}
		}
		for _, m := range s.members {
			at := slices.IndexFunc(merged.members, func(known member) bool { return known.name == m.name })
			if at < 0 {
				merged.members = append(merged.members, m)
				continue
			}
			merged.members[at].required = merged.members[at].required || m.required
		}
		merged.closed = merged.closed || s.closed
	}
	slices.SortFunc(merged.members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	return merged
}

// union is one of several shapes; null among them makes it nullable.
func (r *reader) union(options []any) *shape {
	s := &shape{kind: kindUnion}
	for _, option := range options {
		one := r.shape(option)
		if one.kind == kindNull {
			s.nullable = true
			continue
		}
		s.options = append(s.options, one)
	}
	switch len(s.options) {
	case 0:
		return &shape{kind: kindNull}
	case 1:
		only := *s.options[0]
		only.nullable = only.nullable || s.nullable
		return &only
	}
	return s
}

func enum(values []any) *shape {
	s := &shape{kind: kindEnum}
	for _, v := range values {
		switch v.(type) {
		case nil:
			s.nullable = true
		case string, bool, float64, int, int64, fmt.Stringer:
			s.values = append(s.values, v)
		default:
			return &shape{} // objects and lists as values
		}
	}
	if len(s.values) == 0 {
		return &shape{kind: kindNull}
	}
	return s
}

// reference follows pointers within the schema itself; what lies elsewhere may be anything.
func (r *reader) reference(to string) *shape {
	path, local := strings.CutPrefix(to, "#/")
	if !local {
		return &shape{}
	}
	var target any = r.root
	name := ""
	for part := range strings.SplitSeq(path, "/") {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		target = asObject(target)[name]
	}
	if target == nil {
		return &shape{}
	}
	if r.definitions[name] == nil {
		r.definitions[name] = &shape{} // so that a definition within itself ends
		*r.definitions[name] = *r.shape(target)
	}
	return &shape{kind: kindRef, ref: name}
}

// words is a text in the letters of a type's name: order-shipped becomes OrderShipped.
func words(text string) string {
	var b strings.Builder
	upper := true
	for _, c := range text {
		switch {
		case c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c):
			upper = true
			continue
		case b.Len() == 0 && unicode.IsDigit(c):
			b.WriteByte('N')
		case upper:
			c = unicode.ToUpper(c)
		}
		b.WriteRune(c)
		upper = false
	}
	if b.Len() == 0 {
		return "X"
	}
	return b.String()
}

// names gives every type a name of its own.
type names map[string]bool

func (n names) take(wanted string) string {
	name := wanted
	for i := 2; n[name]; i++ {
		name = fmt.Sprint(wanted, i)
	}
	n[name] = true
	return name
}
