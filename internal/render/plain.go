package render

import (
	"strings"

	"github.com/osteele/liquid/parser"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// segment is a piece of a plain template: fixed text, or the path of a variable.
type segment struct {
	text string
	path string // dotted; "" for fixed text
}

// plainSegments recognises templates that are nothing but text and plain variables, which most are. Reading the values
// directly costs a tenth of what the Liquid library's evaluation does. ok is false for everything else.
func plainSegments(source string) (segments []segment, ok bool) {
	if strings.Contains(source, "{%") {
		return nil, false
	}
	for _, t := range scan(source) {
		switch t.Type {
		case parser.TextTokenType:
			segments = append(segments, segment{text: t.Source})
		case parser.ObjTokenType:
			path, plain := plainPath(t.Args)
			if open, end := trims(t.Source); !plain || open != "" || end != "" {
				return nil, false
			}
			segments = append(segments, segment{path: path})
		default:
			return nil, false
		}
	}
	return segments, true
}

// plainPath is the dotted form of an expression that only reads members. Liquid gives size, first, last and indexes meanings
// of their own, so they go the long way.
func plainPath(args string) (path string, ok bool) {
	lexemes := lex(args)
	if len(lexemes) != 1 || lexemes[0].kind != lexPath || strings.ContainsAny(args, "?-[") {
		return "", false
	}
	names := members(args)
	for _, n := range names {
		if n == "" || n == "size" || n == "first" || n == "last" {
			return "", false
		}
	}
	return strings.Join(names, "."), true
}

func renderPlain(segments []segment, m mode, vars map[string]any, limit int) (string, error) {
	var b strings.Builder
	for _, s := range segments {
		text := s.text
		if s.path != "" {
			text = plainValue(s.path, m, vars)
		}
		if b.Len()+len(text) > limit {
			return "", ErrOutputTooLarge
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

func plainValue(path string, m mode, vars map[string]any) string {
	v := jsonvalue.Lookup(vars, path)
	if safe, ok := v.(escaped); ok {
		return string(safe)
	}
	return m.escape(toText(v))
}
