package condition

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// ruleOperators are the JSON Logic operators on evaluated operands. Conversions follow JavaScript, whose semantics the
// format has.
var ruleOperators = map[string]func(args []any) (any, error){
	"==":  func(a []any) (any, error) { return looseEqual(arg(a, 0), arg(a, 1)), nil },
	"!=":  func(a []any) (any, error) { return !looseEqual(arg(a, 0), arg(a, 1)), nil },
	"===": func(a []any) (any, error) { return strictEqual(arg(a, 0), arg(a, 1)), nil },
	"!==": func(a []any) (any, error) { return !strictEqual(arg(a, 0), arg(a, 1)), nil },
	"!":   func(a []any) (any, error) { return !truthy(arg(a, 0)), nil },
	"!!":  func(a []any) (any, error) { return truthy(arg(a, 0)), nil },
	">":   func(a []any) (any, error) { return less(arg(a, 1), arg(a, 0), false), nil },
	">=":  func(a []any) (any, error) { return less(arg(a, 1), arg(a, 0), true), nil },
	"<":   func(a []any) (any, error) { return lessChain(a, false), nil },
	"<=":  func(a []any) (any, error) { return lessChain(a, true), nil },
	"+": func(a []any) (any, error) {
		return fold(a, 0, parseLeading, func(x, y float64) float64 { return x + y })
	},
	"*": func(a []any) (any, error) {
		return fold(a, 1, parseLeading, func(x, y float64) float64 { return x * y })
	},
	"-":      subtract,
	"/":      func(a []any) (any, error) { return finite(toNumber(arg(a, 0)) / toNumber(arg(a, 1))) },
	"%":      func(a []any) (any, error) { return finite(math.Mod(toNumber(arg(a, 0)), toNumber(arg(a, 1)))) },
	"max":    func(a []any) (any, error) { return fold(a, math.Inf(-1), toNumber, math.Max) },
	"min":    func(a []any) (any, error) { return fold(a, math.Inf(1), toNumber, math.Min) },
	"merge":  merge,
	"in":     contains,
	"cat":    cat,
	"substr": substr,
}

func arg(args []any, i int) any {
	if i < len(args) {
		return args[i]
	}
	return nil
}

// truthy is JSON Logic's own rule: as JavaScript, but an empty list is false.
func truthy(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	case string:
		return x != ""
	case []any:
		return len(x) > 0
	}
	f, ok := jsonvalue.Number(v)
	return !ok || f != 0 && !math.IsNaN(f)
}

// toNumber converts as JavaScript's Number(); NaN when it cannot.
func toNumber(v any) float64 {
	switch x := v.(type) {
	case nil:
		return 0
	case bool:
		if x {
			return 1
		}
		return 0
	case string:
		if strings.TrimSpace(x) == "" {
			return 0
		}
	}
	if f, ok := jsonvalue.ParseNumber(v); ok {
		return f
	}
	return math.NaN()
}

// parseLeading converts as JavaScript's parseFloat, which + and * use: null and "" are no numbers.
func parseLeading(v any) float64 {
	if f, ok := jsonvalue.ParseNumber(v); ok {
		return f
	}
	return math.NaN()
}

func finite(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, errors.New("not a number")
	}
	return f, nil
}

func fold(args []any, start float64, convert func(any) float64, join func(x, y float64) float64) (any, error) {
	for _, a := range args {
		start = join(start, convert(a))
	}
	return finite(start)
}

func subtract(args []any) (any, error) {
	if len(args) == 1 {
		return finite(-toNumber(args[0]))
	}
	return finite(toNumber(arg(args, 0)) - toNumber(arg(args, 1)))
}

func strictEqual(a, b any) bool {
	if x, ok := jsonvalue.Number(a); ok {
		y, same := jsonvalue.Number(b)
		return same && x == y && jsonvalue.CompareDigits(a, b) == 0
	}
	switch x := a.(type) {
	case nil:
		return b == nil
	case bool:
		y, same := b.(bool)
		return same && x == y
	case string:
		y, same := b.(string)
		return same && x == y
	}
	return false // lists and objects are equal only to themselves
}

func looseEqual(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if !isScalar(a) || !isScalar(b) {
		return false
	}
	_, textA := a.(string)
	_, textB := b.(string)
	if textA && textB {
		return a == b
	}
	m, n := toNumber(a), toNumber(b)
	return m == n && jsonvalue.CompareDigits(a, b) == 0
}

func isScalar(v any) bool {
	_, ok := jsonvalue.ScalarText(v)
	return ok
}

func less(a, b any, orEqual bool) bool {
	x, textA := a.(string)
	y, textB := b.(string)
	if textA && textB {
		return x < y || orEqual && x == y
	}
	m, n := toNumber(a), toNumber(b)
	if m == n {
		c := jsonvalue.CompareDigits(a, b)
		return c < 0 || orEqual && c == 0
	}
	return m < n
}

// lessChain also tests between: {"<": [1, x, 10]}.
func lessChain(args []any, orEqual bool) bool {
	if len(args) > 2 {
		return less(args[0], args[1], orEqual) && less(args[1], args[2], orEqual)
	}
	return less(arg(args, 0), arg(args, 1), orEqual)
}

func merge(args []any) (any, error) {
	out := []any{}
	for _, a := range args {
		if list, ok := a.([]any); ok {
			out = append(out, list...)
		} else {
			out = append(out, a)
		}
		if len(out) > maxRuleSteps {
			return nil, errRuleTooLong
		}
	}
	return out, nil
}

func contains(args []any) (any, error) {
	switch in := arg(args, 1).(type) {
	case string:
		s, ok := jsonvalue.ScalarText(arg(args, 0))
		return ok && strings.Contains(in, s), nil
	case []any:
		for _, v := range in {
			if strictEqual(arg(args, 0), v) {
				return true, nil
			}
		}
	}
	return false, nil
}

var errRuleText = fmt.Errorf("a text must not exceed %d bytes", MaxRuleText)

// written takes what a value has at least as JSON from left, and stops when nothing is left. It is asked before the value is written:
// a list of a rule can hold one list many times, and so on at every level.
func written(v any, left int) int {
	switch x := v.(type) {
	case string:
		return left - len(x)
	case []any:
		for _, item := range x {
			if left = written(item, left-1); left < 0 {
				break
			}
		}
	case map[string]any:
		for name, member := range x {
			if left = written(member, left-len(name)-1); left < 0 {
				break
			}
		}
	}
	return left
}

func cat(args []any) (any, error) {
	var b strings.Builder
	for _, a := range args {
		s, ok := jsonvalue.ScalarText(a)
		if !ok && a != nil {
			if written(a, MaxRuleText) < 0 {
				return nil, errRuleText
			}
			s = Compact(a)
		}
		if b.Len()+len(s) > MaxRuleText {
			return nil, errRuleText
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// substr counts characters; a negative start counts from the end, a negative length leaves that many at the end.
func substr(args []any) (any, error) {
	s, _ := jsonvalue.ScalarText(arg(args, 0))
	runes := []rune(s)
	start := clamp(toNumber(arg(args, 1)), len(runes))
	rest := runes[start:]
	if len(args) < 3 {
		return string(rest), nil
	}
	return string(rest[:clamp(toNumber(args[2]), len(rest))]), nil
}

// clamp brings a position into 0..n; negative ones count from the end.
func clamp(f float64, n int) int {
	if f < 0 {
		f += float64(n)
	}
	if !(f > 0) { // NaN too
		return 0
	}
	return int(math.Min(f, float64(n)))
}
