package render

import (
	"reflect"
	"strings"

	"github.com/osteele/liquid/values"
)

// nothing is what the words blank and empty are compared by. It implements the library's values, because that lets a value decide what
// it equals.
type nothing struct {
	blank bool // nil, false and blanks count as well
}

// Equal reports whether a value is empty, or blank.
func (n nothing) Equal(other values.Value) bool { return n.holds(other.Interface()) }

func (n nothing) holds(value any) bool {
	switch v := value.(type) {
	case nil:
		return n.blank
	case bool:
		return n.blank && !v
	case string, escaped, translation:
		text := toText(v)
		if n.blank {
			text = strings.TrimSpace(text)
		}
		return text == ""
	default:
		of := reflect.ValueOf(v)
		return (of.Kind() == reflect.Slice || of.Kind() == reflect.Map) && of.Len() == 0
	}
}

// Interface is the value itself, for the filter that compares.
func (n nothing) Interface() any { return n }

// Int panics with the library's error of conversion.
func (n nothing) Int() int { return values.ValueOf(nil).Int() }

// Less reports false: nothing has no order.
func (n nothing) Less(values.Value) bool { return false }

// Contains reports false.
func (n nothing) Contains(values.Value) bool { return false }

// IndexValue is nil.
func (n nothing) IndexValue(values.Value) values.Value { return values.ValueOf(nil) }

// PropertyValue is nil.
func (n nothing) PropertyValue(values.Value) values.Value { return values.ValueOf(nil) }

// Test reports false, as nil does.
func (n nothing) Test() bool { return false }

// addWords adds the words that conditions compare with.
func addWords(vars map[string]any) {
	vars["blank"], vars["empty"] = nothing{blank: true}, nothing{}
}
