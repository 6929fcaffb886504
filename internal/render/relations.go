package render

import (
	"slices"
	"strings"
)

const (
	relationFilter = "_is"  // compares
	notFilter      = "_not" // the operator not
)

// relations hands the operators that compare, and contains, to a filter. The library's own compare no objects and no numbers with texts
// that are one, take numbers that no double holds for texts, know neither blank nor empty, look in texts for Go's notation of numbers,
// and lack <> and not.
func relations(args string) string {
	lexemes := lex(args)
	var b strings.Builder
	last := 0
	for i := 0; i < len(lexemes); i++ {
		operator, behind := operatorAt(lexemes, i)
		if operator == "" || i == 0 || behind >= len(lexemes) {
			continue
		}
		begin, end := operandBegin(lexemes[:i]), operandEnd(lexemes, behind)
		if begin == i || end < behind || lexemes[begin].start < last {
			continue
		}
		b.WriteString(args[last:lexemes[begin].start] + "(" + args[lexemes[begin].start:lexemes[i-1].end] + " | " + relationFilter + ": '" + operator + "', (" +
			relations(args[lexemes[behind].start:lexemes[end].end]) + "), " + budgetKey + ")")
		last = lexemes[end].end
		i = end
	}
	return negations(b.String() + args[last:])
}

// operatorAt is the operator that begins at a lexeme, and the position of what follows it.
func operatorAt(lexemes []lexeme, i int) (operator string, behind int) {
	l := lexemes[i]
	if l.kind == lexKeyword && l.text == "contains" {
		return l.text, i + 1
	}
	if l.kind != lexSymbol || i > 0 && lexemes[i-1].kind == lexSymbol && lexemes[i-1].end == l.start && isOperator(lexemes[i-1].text+l.text) {
		return "", i
	}
	if i+1 < len(lexemes) && lexemes[i+1].start == l.end && isOperator(l.text+lexemes[i+1].text) {
		return l.text + lexemes[i+1].text, i + 2
	}
	if isOperator(l.text) {
		return l.text, i + 1
	}
	return "", i
}

func isOperator(text string) bool {
	switch text {
	case "==", "!=", "<>", "<", ">", "<=", ">=":
		return true
	}
	return false
}

// operandBegin is the position of the first lexeme of the operand that ends the lexemes.
func operandBegin(lexemes []lexeme) int {
	depth := 0
	for i, l := range slices.Backward(lexemes) {
		switch {
		case l.text == ")" || l.text == "]":
			depth++
		case depth > 0 && (l.text == "(" || l.text == "["):
			depth--
		case depth > 0:
		case l.text == "(", l.text == "=", l.kind == lexKeyword && (l.text == "and" || l.text == "or" || l.text == "not"):
			return i + 1
		}
	}
	return 0
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

// negations hands the operator not to a filter: it holds up to the next and or or.
func negations(args string) string {
	if !strings.Contains(args, "not") {
		return args
	}
	lexemes := lex(args)
	closing := make([]int, len(lexemes)) // negations that end with each lexeme
	var b strings.Builder
	last := 0
	for i, l := range lexemes {
		if l.kind == lexKeyword && l.text == "not" && i < len(lexemes)-1 {
			if end := operandEnd(lexemes, i+1); end > i {
				closing[end]++
				b.WriteString(args[last:l.start] + "((")
				last = l.end
			}
		}
		if closing[i] > 0 {
			b.WriteString(args[last:l.end] + strings.Repeat(") | "+notFilter+")", closing[i]))
			last = l.end
		}
	}
	return b.String() + args[last:]
}

// holdsTruth reports whether a value counts as true in conditions.
func holdsTruth(v any) bool { return v != nil && v != false }
