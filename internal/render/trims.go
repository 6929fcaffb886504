package render

import (
	"strings"
	"unicode"

	"github.com/osteele/liquid/parser"
)

// trims are the whitespace marks of {{- and -}}.
func trims(source string) (open, end string) {
	if source[2] == '-' {
		open = "-"
	}
	if source[len(source)-3] == '-' {
		end = "-"
	}
	return open, end
}

// trimTexts takes the blanks beside whitespace marks out of the texts among the tokens of a template; what is in raw stays. The library
// trims while it renders, and so also what is written later, such as the blanks of a value. lost are the ends of lines that each text
// lost, by its position.
func trimTexts(tokens []parser.Token) (lost []string) {
	lost = make([]string, len(tokens))
	inside := "" // the end of raw or comment
	for i, t := range tokens {
		begins := inside == ""
		switch {
		case t.Type == parser.TagTokenType && begins && (t.Name == "raw" || t.Name == "comment"):
			inside = "end" + t.Name
		case t.Type == parser.TagTokenType && t.Name == inside:
			inside = ""
		}
		if t.Type == parser.TextTokenType {
			continue
		}
		open, end := trims(t.Source)
		if open != "" && begins && i > 0 && tokens[i-1].Type == parser.TextTokenType {
			trimText(&tokens[i-1], &lost[i-1], strings.TrimRightFunc)
		}
		if end != "" && inside == "" && i+1 < len(tokens) && tokens[i+1].Type == parser.TextTokenType {
			trimText(&tokens[i+1], &lost[i+1], strings.TrimLeftFunc)
		}
	}
	return lost
}

func trimText(t *parser.Token, lost *string, trim func(string, func(rune) bool) string) {
	before := lines(t.Source)
	t.Source = trim(t.Source, unicode.IsSpace)
	*lost += before[len(lines(t.Source)):]
}
