package render

import (
	"errors"
	"strings"
)

// maxTextArguments bounds the arguments of one use of the filter t.
const maxTextArguments = 20

var (
	errTextArguments = errors.New("the arguments of t have names: {{ 'cart.items' | t: count: payload.count }}")
	errTextInRender  = errors.New("assign a translation with arguments to a variable first, and pass this to render")
)

// isArgument reports whether the lexeme at a position names an argument, of the tag render or of the filters t and default.
func (x found) isArgument(i int) bool {
	if x.tag == renderTag {
		return isArgumentName(x.lexemes, i)
	}
	return isTextArgument(x.lexemes, i) || isAllowFalse(x.lexemes, i)
}

// isAllowFalse reports whether the lexeme at a position names the second argument of the filter default.
func isAllowFalse(lexemes []lexeme, i int) bool {
	if lexemes[i].text != "allow_false" || i < 3 || i+1 >= len(lexemes) || lexemes[i-1].text != "," || lexemes[i+1].text != ":" {
		return false
	}
	for j := i - 1; j >= 0; j-- {
		if lexemes[j].kind == lexFilter {
			return lexemes[j].text == "default"
		}
	}
	return false
}

// isTextArgument reports whether the lexeme at a position names an argument of the filter t: after the filter's colon or a comma,
// and before a colon.
func isTextArgument(lexemes []lexeme, i int) bool {
	named := lexemes[i].kind == lexPath || lexemes[i].kind == lexKeyword
	if !named || i < 2 || i+1 >= len(lexemes) || lexemes[i+1].text != ":" {
		return false
	}
	if before := lexemes[i-1].text; before != ":" && before != "," {
		return false
	}
	for j := i - 1; j >= 0; j-- {
		if lexemes[j].kind == lexFilter {
			return lexemes[j].text == textFilter
		}
	}
	return false
}

// textArguments are the names of the arguments of the filter t that follows a key.
func textArguments(rest []lexeme) (names []string) {
	for i := range rest {
		if i > 1 && rest[i].text == "|" {
			return names
		}
		if isTextArgument(rest, i) {
			names = append(names, rest[i].text)
		}
	}
	return names
}

// checkTextArguments refuses arguments of the filter t, which begins the lexemes, that have no name or too many.
func checkTextArguments(tag string, lexemes []lexeme) error {
	if lexemes[0].text != textFilter {
		return nil
	}
	if tag == renderTag {
		return errTextInRender
	}
	count := 0
	for i := range lexemes {
		if i > 0 && (lexemes[i].text == "|" || lexemes[i].text == ")") {
			break
		}
		begins := i > 0 && (lexemes[i-1].text == "," || i == 2)
		if !begins {
			continue
		}
		count++
		if !isTextArgument(lexemes, i) || strings.ContainsAny(lexemes[i].text, ".[-?'") || count > maxTextArguments {
			return errTextArguments
		}
	}
	return nil
}
