package render

import (
	"strings"

	"github.com/osteele/liquid/values"
)

// escaped is text that is written as it is, because it is HTML already or what it does is meant. It implements the library's values:
// the library asserts that everything of the kind string has the type string, and panics otherwise.
type escaped string

// Interface is the text, for filters and the output.
func (e escaped) Interface() any { return e }

// Int panics with the library's error of conversion, as any text does.
func (e escaped) Int() int { return e.text().Int() }

// Equal reports whether a value is the same text.
func (e escaped) Equal(other values.Value) bool { return e.text().Equal(other) }

// Less reports whether the text comes before another one.
func (e escaped) Less(other values.Value) bool { return e.text().Less(other) }

// Contains reports whether another value's text is a part of this one.
func (e escaped) Contains(part values.Value) bool {
	return strings.Contains(e.plain(), toText(part.Interface()))
}

// IndexValue is nothing: a text has no items.
func (e escaped) IndexValue(at values.Value) values.Value { return e.text().IndexValue(at) }

// PropertyValue is the size of the text; where a template names the member, the filter of sizeArguments counts before.
func (e escaped) PropertyValue(name values.Value) values.Value { return e.text().PropertyValue(name) }

// Test says that a text is true, an empty one too.
func (e escaped) Test() bool { return true }

func (e escaped) text() values.Value { return values.ValueOf(e.plain()) }

// plain is the text as filters see it: in an address it may hold the marks of values.
func (e escaped) plain() string {
	if strings.Contains(string(e), valueBegins) {
		return withoutMarks.Replace(string(e))
	}
	return string(e)
}
