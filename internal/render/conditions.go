package render

import "strings"

// groupFromRight brackets conditions that have both and and or: they hold from right to left, so that a or b and c is a or (b and c)
// and a and b or c is a and (b or c). The library goes from left to right.
func groupFromRight(args string) string {
	lexemes := lex(args)
	var behind []int // operators
	kinds := map[string]bool{}
	depth := 0
	for _, l := range lexemes {
		switch {
		case l.text == "(":
			depth++
		case l.text == ")":
			depth--
		case depth == 0 && l.kind == lexKeyword && (l.text == "and" || l.text == "or"):
			behind = append(behind, l.end)
			kinds[l.text] = true
		}
	}
	if len(kinds) < 2 {
		return args
	}
	var b strings.Builder
	last := 0
	for _, end := range behind[:len(behind)-1] {
		b.WriteString(args[last:end] + " (")
		last = end
	}
	return b.String() + args[last:] + strings.Repeat(")", len(behind)-1)
}
