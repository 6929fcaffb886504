package render

import "strings"

type lexKind uint8

const (
	lexPath    lexKind = iota // variable with its members, such as payload.items[0].name
	lexFilter                 // name of a filter
	lexString                 // quoted text
	lexNumber                 // number
	lexKeyword                // and, or, contains, in, true, false, nil …
	lexRange                  // ..
	lexSymbol                 // any other sign
)

// lexeme is one part of an expression.
type lexeme struct {
	kind       lexKind
	text       string
	start, end int
}

var keywords = map[string]bool{
	"and": true, "or": true, "not": true, "contains": true, "in": true, "true": true, "false": true, "nil": true,
	"null": true, "empty": true, "blank": true, "reversed": true, "limit": true, "offset": true, "cols": true,
	"continue": true,
}

// lex splits the expression of an object or tag. It never fails: what it does not know is a symbol.
func lex(s string) []lexeme {
	var out []lexeme
	for i := 0; i < len(s); {
		c := s[i]
		start := i
		kind := lexSymbol
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case c == '"' || c == '\'':
			kind = lexString
			i = quoteEnd(s, i)
		case isDigit(c) || c == '-' && i+1 < len(s) && isDigit(s[i+1]):
			kind = lexNumber
			i = numberEnd(s, i+1)
		case isLetter(c):
			i, kind = word(s, i, out)
		case c == '.' && i > 0 && s[i-1] == ']' && i+1 < len(s) && isLetter(s[i+1]): // a member of an item
			i = pathEnd(s, i)
		case c == '.' && i+1 < len(s) && s[i+1] == '.':
			kind = lexRange
			i += 2
		default:
			i++
		}
		out = append(out, lexeme{kind, s[start:i], start, i})
	}
	return out
}

// word reads a name: a filter after a pipe, a keyword, else a path with its members.
func word(s string, i int, before []lexeme) (end int, kind lexKind) {
	end = nameEnd(s, i)
	if n := len(before); n > 0 && before[n-1].text == "|" {
		return end, lexFilter
	}
	if keywords[s[i:end]] {
		return end, lexKeyword
	}
	return pathEnd(s, end), lexPath
}

// pathEnd follows .member, [0] and ["member"]; an index that is itself a variable ends the path.
func pathEnd(s string, i int) int {
	for i < len(s) {
		switch {
		case s[i] == '.' && i+1 < len(s) && isLetter(s[i+1]):
			i = nameEnd(s, i+1)
		case s[i] == '[':
			end := strings.IndexByte(s[i:], ']')
			if end < 0 || !isConstant(strings.TrimSpace(s[i+1:i+end])) {
				return i
			}
			i += end + 1
		default:
			return i
		}
	}
	return i
}

func isConstant(s string) bool {
	if s == "" {
		return false
	}
	return s[0] == '"' || s[0] == '\'' || strings.Trim(s, "-0123456789") == ""
}

// members splits a path into its names; positions are digits.
func members(path string) []string {
	path = strings.NewReplacer("[", ".", "]", "", `"`, "", "'", "", " ", "", "?", "").Replace(path)
	return strings.Split(path, ".")
}

func quoteEnd(s string, i int) int {
	if end := strings.IndexByte(s[i+1:], s[i]); end >= 0 {
		return i + end + 2
	}
	return len(s)
}

func numberEnd(s string, i int) int {
	for i < len(s) && (isDigit(s[i]) || s[i] == '.' && i+1 < len(s) && isDigit(s[i+1])) {
		i++
	}
	return i
}

func nameEnd(s string, i int) int {
	for i < len(s) && (isLetter(s[i]) || isDigit(s[i]) || s[i] == '-' || s[i] == '?') {
		i++
	}
	return i
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
