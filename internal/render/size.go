package render

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	sizeFilter = "_size" // the member size
	sizeMember = ".size"
)

// sizeArguments hands the member size to a filter. The library's own counts the bytes of a text, and its filter size the characters.
func sizeArguments(tag, args string) string {
	if !strings.Contains(args, sizeMember) || tag == renderTag || tag == "capture" {
		return args
	}
	var b strings.Builder
	last := 0
	lexemes := lex(args)
	for i, l := range lexemes {
		of, ends := strings.CutSuffix(l.text, sizeMember)
		if !ends || isDeclaration(tag, l) {
			continue
		}
		begin := l.start
		switch {
		case l.kind == lexSymbol && l.text[0] == '.': // of an item that a variable names
			if begin = itemBegin(lexemes[:i]); begin < last {
				continue
			}
			of = args[begin:l.start] + of
		case l.kind != lexPath:
			continue
		}
		b.WriteString(args[last:begin] + "(" + of + " | " + sizeFilter + ")")
		last = l.end
	}
	return b.String() + args[last:]
}

// itemBegin is where the value begins whose last part is an index in brackets, which ends the lexemes; -1 if there is none.
func itemBegin(lexemes []lexeme) int {
	depth := 0
	for i, l := range slices.Backward(lexemes) {
		switch l.text {
		case "]":
			depth++
		case "[":
			depth--
		}
		if depth == 0 && l.kind == lexPath {
			return l.start
		}
		if depth == 0 && l.text != "[" && (l.kind != lexSymbol || l.text[0] != '.') || i == 0 {
			break
		}
	}
	return -1
}

// sizeMarks are what sizeArguments makes.
var sizeMarks = regexp.MustCompile(`\(([^()| ]+) \| ` + sizeFilter + `\)`)

// sizeOf is the member size of a value: of an object its own, if it has one.
func sizeOf(v any) any {
	switch x := v.(type) {
	case nil:
		return nil
	case string, escaped, translation:
		return utf8.RuneCountInString(toText(x))
	case map[string]any:
		if own, has := x["size"]; has {
			return own
		}
		return len(x)
	}
	if of := reflect.ValueOf(v); of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
		return of.Len()
	}
	return nil
}

// sizeFilterOf is the filter size, which counts 0 for what has no size.
func sizeFilterOf(v any) any {
	switch x := v.(type) {
	case []any:
		return len(x)
	case string, escaped, translation:
		return utf8.RuneCountInString(toText(x))
	}
	return 0
}
