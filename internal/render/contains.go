package render

import (
	"reflect"
	"slices"
	"strings"

	"github.com/osteele/liquid/values"
)

const containsFilter = "_contains" // the operator contains

// containsArguments hands the operator contains to a filter. The library's own looks in texts for Go's notation of numbers, which has an
// exponent from a million on in payloads, and fails for objects in lists.
func containsArguments(args string) string {
	lexemes := lex(args)
	var b strings.Builder
	last := 0
	for i, l := range lexemes {
		if l.kind != lexKeyword || l.text != "contains" || i == 0 || i == len(lexemes)-1 {
			continue
		}
		begin, end := operandBegin(lexemes[:i]), operandEnd(lexemes, i+1)
		if begin == i || end == i || lexemes[begin].start < last {
			continue
		}
		b.WriteString(args[last:lexemes[begin].start] + "(" + args[lexemes[begin].start:lexemes[i-1].end] + " | " + containsFilter + ": (" +
			args[lexemes[i+1].start:lexemes[end].end] + "))")
		last = lexemes[end].end
	}
	return b.String() + args[last:]
}

// operandEnd is the position of the last lexeme of the operand that begins at one.
func operandEnd(lexemes []lexeme, begin int) int {
	depth := 0
	for i := begin; i < len(lexemes); i++ {
		switch l := lexemes[i]; {
		case l.text == "(" || l.text == "[":
			depth++
		case depth > 0 && (l.text == ")" || l.text == "]"):
			depth--
		case depth > 0:
		case l.text == ")", l.text == "|", l.kind == lexKeyword && (l.text == "and" || l.text == "or"):
			return i - 1
		}
	}
	return len(lexemes) - 1
}

// contains reports whether a text has a part, a list an item or an object a member.
func contains(v, part any) bool {
	switch in := v.(type) {
	case string, escaped, translation:
		return part != nil && strings.Contains(toText(in), toText(part))
	case map[string]any:
		_, has := in[toText(part)]
		return has && part != nil
	case []any:
		return slices.ContainsFunc(in, func(item any) bool {
			if _, isObject := item.(map[string]any); isObject {
				return reflect.DeepEqual(item, part)
			}
			if _, isObject := part.(map[string]any); isObject {
				return false
			}
			return values.Equal(item, part)
		})
	}
	return false
}
