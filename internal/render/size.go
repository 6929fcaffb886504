package render

import (
	"reflect"
	"regexp"
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
	for _, l := range lex(args) {
		of, ends := strings.CutSuffix(l.text, sizeMember)
		if l.kind != lexPath || !ends || isDeclaration(tag, l) {
			continue
		}
		b.WriteString(args[last:l.start] + "(" + of + " | " + sizeFilter + ")")
		last = l.end
	}
	return b.String() + args[last:]
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
