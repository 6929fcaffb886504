// Package shape declares the bodies and the query strings of requests. What is declared once is read into a Go value,
// reports its problems under their dotted paths in the form of decisions.md §14, and describes itself in the OpenAPI
// document. The bounds of lists and texts are rules of the use cases, which every door shares: a shape documents them from
// the constants that the use cases check, and a test sends what lies at them and beyond.
package shape

import "strings"

// Schema is a JSON Schema, or any other object of the OpenAPI document.
type Schema map[string]any

// Document holds the schemas of the OpenAPI document that have names.
type Document struct {
	Schemas map[string]Schema
	// Enums are closed lists that only the running server knows, by name.
	Enums map[string][]string
}

// Named returns a schema by reference; the first use of a name defines it.
func (d *Document) Named(name string, define func() Schema) Schema {
	if _, there := d.Schemas[name]; !there {
		d.Schemas[name] = nil // so that it may refer to itself
		d.Schemas[name] = define()
	}
	return Ref(name)
}

// oneOf returns a choice by reference.
func (d *Document) oneOf(name, description string, variants []Schema) Schema {
	return d.Named(name, func() Schema { return Schema{"oneOf": variants}.Describe(description) })
}

// Resolve returns what a schema refers to, or the schema itself.
func (d *Document) Resolve(s Schema) Schema {
	if ref, ok := s["$ref"].(string); ok {
		return d.Schemas[strings.TrimPrefix(ref, refPrefix)]
	}
	return s
}

const refPrefix = "#/components/schemas/"

// Ref returns the reference to a schema of the document.
func Ref(name string) Schema { return Schema{"$ref": refPrefix + name} }

// Describe sets what a schema means, unless text is empty.
func (s Schema) Describe(text string) Schema {
	if text != "" {
		s["description"] = text
	}
	return s
}

// Record returns the schema of an object with properties.
func Record(description string, properties Schema, required ...string) Schema {
	s := Schema{"type": "object", "description": description, "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// ArrayOf returns the schema of a list.
func ArrayOf(items Schema) Schema { return Schema{"type": "array", "items": items} }

// Bounds are how long a text or a list may be, or how large a number.
type Bounds struct{ least, most *int }

// AtLeast bounds from below.
func AtLeast(least int) Bounds { return Bounds{least: &least} }

// AtMost bounds from above.
func AtMost(most int) Bounds { return Bounds{most: &most} }

// Between bounds from both sides.
func Between(least, most int) Bounds { return Bounds{&least, &most} }

// bound writes bounds under the words that JSON Schema has for a kind of value.
func (s Schema) bound(least, most string, bounds []Bounds) Schema {
	for _, b := range bounds {
		if b.least != nil {
			s[least] = *b.least
		}
		if b.most != nil {
			s[most] = *b.most
		}
	}
	return s
}
