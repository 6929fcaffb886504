package render

import (
	"encoding/hex"
	"regexp"
	"strings"
)

// stringFilter decodes a text of a template that the library cannot read.
const stringFilter = "_string"

// escapes are the signs that a text of a template can name.
var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`)

// literal is a text of a template, with its quotes, as the library can read it: it knows neither escapes nor, in objects, ends of lines.
func literal(quoted string) string {
	if !strings.ContainsAny(quoted, "\\\n\r") || len(quoted) < 2 {
		return quoted
	}
	text := escapes.Replace(quoted[1 : len(quoted)-1])
	if text == quoted[1:len(quoted)-1] && !strings.ContainsAny(text, "\n\r") {
		return quoted
	}
	return "('" + hex.EncodeToString([]byte(text)) + "' | " + stringFilter + ")"
}

func decodeLiteral(encoded string) (string, error) {
	text, err := hex.DecodeString(encoded)
	return string(text), err //nolint:wrapcheck // literal has encoded it
}

// literalMarks are what literal makes.
var literalMarks = regexp.MustCompile(`\('([0-9a-f]*)' \| ` + stringFilter + `\)`)

// plainLiterals undoes literal in a message.
func plainLiterals(s string) string {
	return literalMarks.ReplaceAllStringFunc(s, func(mark string) string {
		text, err := decodeLiteral(literalMarks.FindStringSubmatch(mark)[1])
		if err != nil {
			return mark
		}
		return `'` + strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(text) + `'`
	})
}
