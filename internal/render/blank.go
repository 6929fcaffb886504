package render

import (
	"reflect"
	"slices"
	"strings"

	"github.com/osteele/liquid/values"
)

// blankFirst puts blank and empty before what they are compared with, whose own comparison knows neither.
func blankFirst(args string) string {
	lexemes := lex(args)
	var b strings.Builder
	last := 0
	for i, l := range lexemes {
		if l.kind != lexKeyword || l.text != "blank" && l.text != "empty" || i < 3 || lexemes[i-1].text != "=" {
			continue
		}
		operator := lexemes[i-2].text + "="
		if operator != "==" && operator != "!=" {
			continue
		}
		begin := operandBegin(lexemes[:i-2])
		if begin == i-2 {
			continue
		}
		b.WriteString(args[last:lexemes[begin].start] + l.text + " " + operator + " " + args[lexemes[begin].start:lexemes[i-3].end])
		last = l.end
	}
	return b.String() + args[last:]
}

// operandBegin is the position of the first lexeme of the operand that ends the lexemes.
func operandBegin(lexemes []lexeme) int {
	depth := 0
	for i, l := range slices.Backward(lexemes) {
		switch {
		case l.text == ")" || l.text == "]":
			depth++
		case depth > 0 && (l.text == "(" || l.text == "["):
			depth--
		case depth > 0:
		case l.text == "(", l.text == "=", l.kind == lexKeyword && (l.text == "and" || l.text == "or"):
			return i + 1
		}
	}
	return 0
}

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

// Interface is nil: written, they are nothing.
func (n nothing) Interface() any { return nil }

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
