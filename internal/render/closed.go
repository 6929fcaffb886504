package render

import (
	"fmt"
	"strings"

	"github.com/osteele/liquid/parser"
)

// checkClosed reports the first {{ or {% that is never closed. The Liquid library's scanner leaves such a sign in a text,
// or takes everything up to a later end for its arguments.
func checkClosed(source string) error {
	verbatim := ""
	for _, t := range scan(source) {
		at := -1
		switch {
		case verbatim != "":
			if t.Type == parser.TagTokenType && t.Name == verbatim {
				verbatim = ""
			}
		case t.Type == parser.TextTokenType:
			at = opening(t.Source)
		case t.Type == parser.TagTokenType && (t.Name == "raw" || t.Name == "comment"):
			verbatim = "end" + t.Name
			fallthrough
		case t.Type == parser.ObjTokenType, t.Type == parser.TagTokenType:
			if swallows(t.Args) {
				at = 0
			}
		}
		if at >= 0 {
			sign := t.Source[at : at+2]
			return fmt.Errorf("template line %d: %s is empty or not closed%s", t.SourceLoc.LineNo+strings.Count(t.Source[:at], "\n"), sign, ending[sign])
		}
	}
	if verbatim != "" {
		return fmt.Errorf("template: {%% %s %%} is not closed by {%% %s %%}", strings.TrimPrefix(verbatim, "end"), verbatim)
	}
	return nil
}

var ending = map[string]string{"{{": " by }}", "{%": " by %}"}

// opening is the position of the first sign that opens an object or a tag; -1: there is none.
func opening(text string) int {
	object, tag := strings.Index(text, "{{"), strings.Index(text, "{%")
	if object < 0 || tag >= 0 && tag < object {
		return tag
	}
	return object
}

// swallows reports whether another object or tag opens within the arguments of one, outside their strings.
func swallows(args string) bool {
	for _, l := range lex(args) {
		if l.text == "{" && l.end < len(args) && (args[l.end] == '{' || args[l.end] == '%') {
			return true
		}
	}
	return false
}
