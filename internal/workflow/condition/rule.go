// Package condition evaluates the conditions of steps, subscriptions and preferences, with reasons: step filters and JSON
// Logic.
package condition

import (
	"errors"
	"fmt"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// Conditions of subscriptions and preferences are JSON Logic (jsonlogic.com). The evaluator is ours: the Go library
// lets {"and":[{"var":"missing"},true]} pass, so that a notification goes out although its condition does not hold; it
// reads payload values that look like rules as rules; and it has no bound, no panic safety and no reason tree.

// Bounds of one rule and one evaluation (decisions.md §16). Steps bound the time: rules that iterate over payload lists
// multiply.
const (
	MaxRuleDepth  = 32       // objects and arrays within each other
	MaxRuleValues = 2_000    // objects, arrays and what they hold
	MaxRuleText   = 64 << 10 // bytes of all texts of a rule together, and of one text made by cat
	maxRuleSteps  = 200_000
)

// RuleData is what a condition of a subscription sees: Context maps type to id, Actor is the subscriber object.
type RuleData struct {
	Payload    map[string]any
	Subscriber map[string]any
	Actor      map[string]any
	Context    map[string]any
}

// CheckRule refuses rules that are too deep or too large. Unknown operators and wrong operands are no faults here: such
// a rule is stored as it is and blocks when evaluated (decisions.md §7).
func CheckRule(rule map[string]any) error {
	nodes, bytes := 0, 0
	return measureRule(rule, 0, &nodes, &bytes)
}

// ValidateRule reports what CheckRule refuses under path.
func ValidateRule(p *fault.Problems, path string, rule map[string]any) {
	if err := CheckRule(rule); err != nil {
		p.Add(path, nil, "%s", err.Error())
	}
}

func measureRule(v any, depth int, nodes, bytes *int) error {
	*nodes++
	switch v.(type) {
	case []any, map[string]any:
		if depth++; depth > MaxRuleDepth {
			return fmt.Errorf("must not be nested deeper than %d levels", MaxRuleDepth)
		}
	}
	switch x := v.(type) {
	case string:
		*bytes += len(x)
	case []any:
		for _, item := range x {
			if err := measureRule(item, depth, nodes, bytes); err != nil {
				return err
			}
		}
	case map[string]any:
		for k, item := range x {
			*bytes += len(k)
			if err := measureRule(item, depth, nodes, bytes); err != nil {
				return err
			}
		}
	}
	if *nodes > MaxRuleValues || *bytes > MaxRuleText {
		return fmt.Errorf("must not hold more than %d values and %d bytes of text", MaxRuleValues, MaxRuleText)
	}
	return nil
}

// EvaluateRule is Budget.Evaluate for an evaluation by itself.
func EvaluateRule(rule map[string]any, data RuleData) (pass bool, reason *ReasonNode) {
	return (*Budget)(nil).Evaluate(rule, data)
}

// Evaluate evaluates a condition. Only the boolean true passes; any other value, an error and an exceeded bound block.
// A variable that the four roots do not hold is looked up in the payload.
func (b *Budget) Evaluate(rule map[string]any, data RuleData) (pass bool, reason *ReasonNode) {
	reason = &ReasonNode{Operator: "condition"}
	if err := CheckRule(rule); err != nil {
		reason.Note = "error: " + err.Error()
		return false, reason
	}
	e := ruleEval{payload: data.Payload, most: b.most()}
	root := map[string]any{
		"payload": data.Payload, "subscriber": data.Subscriber, "actor": data.Actor, "context": data.Context,
	}
	value, err := e.guarded(rule, root, reason)
	b.take(e.steps)
	if len(reason.Children) == 1 {
		reason = reason.Children[0]
	}
	pass = err == nil && value == true
	reason.Result = pass
	switch {
	case err != nil:
		reason.Note = "error: " + err.Error()
	case !pass && value != false:
		reason.Note = "not a boolean: " + Compact(Shown(value))
	}
	return pass, reason
}

var errRuleTooLong = errors.New("evaluation takes too many steps")

// ruleEval is one evaluation. payload is the fallback of variables; nil inside iterations, where data is the item.
type ruleEval struct {
	payload     map[string]any
	steps, most int
}

// guarded turns a panic into an error: a rule is a stranger's input, and one subscriber's condition must not end a
// batch.
func (e *ruleEval) guarded(rule, data any, reason *ReasonNode) (v any, err error) {
	defer func() {
		if r := recover(); r != nil {
			v, err = nil, fmt.Errorf("evaluation failed: %v", r)
		}
	}()
	return e.eval(rule, data, reason)
}

// eval computes one node. reason collects child nodes; nil inside iterations, whose items are not shown one by one.
func (e *ruleEval) eval(rule, data any, reason *ReasonNode) (any, error) {
	if e.steps++; e.steps > e.most {
		return nil, errRuleTooLong
	}
	switch x := rule.(type) {
	case []any:
		return e.evalAll(x, data, reason)
	case map[string]any:
		if len(x) != 1 { // several members: data, not an operator
			return x, nil
		}
		for op, args := range x {
			return e.apply(op, operands(args), data, reason)
		}
	}
	return rule, nil
}

func (e *ruleEval) evalAll(rules []any, data any, reason *ReasonNode) ([]any, error) {
	out := make([]any, len(rules))
	for i, r := range rules {
		v, err := e.eval(r, data, reason)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// operands reads {"op": x} as {"op": [x]}.
func operands(args any) []any {
	if list, ok := args.([]any); ok {
		return list
	}
	return []any{args}
}

func (e *ruleEval) apply(op string, args []any, data any, reason *ReasonNode) (any, error) {
	var node *ReasonNode
	if reason != nil && op != "var" {
		node = &ReasonNode{Operator: op}
		reason.Children = append(reason.Children, node)
	}
	value, err := e.dispatch(op, args, data, node)
	if node != nil {
		node.Result = value == true
		if err != nil && len(node.Children) == 0 {
			node.Note = err.Error()
		}
		if _, isBool := value.(bool); !isBool && err == nil {
			node.Note = "= " + Compact(Shown(value))
		}
		if len(args) > 0 {
			node.Field = varName(args[0])
		}
	}
	return value, err
}

// varName is the path when the operand is a variable.
func varName(arg any) string {
	object, _ := arg.(map[string]any)
	name, _ := object["var"].(string)
	return name
}

// dispatch separates the operators that decide themselves which operands to evaluate from the plain ones.
func (e *ruleEval) dispatch(op string, args []any, data any, node *ReasonNode) (any, error) {
	switch op {
	case "if", "?:":
		return e.evalIf(args, data, node)
	case "and", "or":
		return e.evalLogic(op == "or", args, data, node)
	case "map", "filter", "all", "none", "some":
		return e.evalItems(op, args, data)
	case "reduce":
		return e.evalReduce(args, data)
	}
	values, err := e.evalAll(args, data, node)
	if err != nil {
		return nil, err
	}
	if node != nil && len(values) > 0 {
		node.Left = Shown(values[0])
		if len(values) > 1 {
			node.Right = Shown(values[1])
		}
	}
	switch op {
	case "var":
		return e.variable(values, data)
	case "missing":
		return e.missing(values, data), nil
	case "missing_some":
		return e.missingSome(values, data)
	}
	plain, ok := ruleOperators[op]
	if !ok {
		return nil, fmt.Errorf("unknown operator %q", op)
	}
	if err := e.spend(values...); err != nil {
		return nil, err
	}
	value, err := plain(values)
	if err != nil {
		return nil, err
	}
	return value, e.spend(value)
}

// How much of texts and lists an operator reads or makes in one step. So steps bound the memory of an evaluation as well as its time.
const (
	bytesOfStep = 256
	bytesOfItem = 16
)

// spend counts the steps of long operands and results.
func (e *ruleEval) spend(values ...any) error {
	for _, v := range values {
		switch x := v.(type) {
		case string:
			e.steps += len(x) / bytesOfStep
		case []any:
			e.steps += len(x) * bytesOfItem / bytesOfStep
		}
	}
	if e.steps > e.most {
		return errRuleTooLong
	}
	return nil
}

func (e *ruleEval) evalIf(args []any, data any, node *ReasonNode) (any, error) {
	for len(args) > 1 {
		test, err := e.eval(args[0], data, node)
		if err != nil {
			return nil, err
		}
		if truthy(test) {
			return e.eval(args[1], data, node)
		}
		args = args[2:]
	}
	if len(args) == 1 {
		return e.eval(args[0], data, node)
	}
	return nil, nil
}

// evalLogic returns the first operand that decides, else the last one, as JavaScript does.
func (e *ruleEval) evalLogic(or bool, args []any, data any, node *ReasonNode) (v any, err error) {
	for _, a := range args {
		if v, err = e.eval(a, data, node); err != nil {
			return nil, err
		}
		if truthy(v) == or {
			break
		}
	}
	return v, nil
}

// inItem is an evaluation inside an iteration: variables belong to the item alone.
func (e *ruleEval) inItem(rule, item any) (any, error) {
	payload := e.payload
	e.payload = nil
	defer func() { e.payload = payload }()
	return e.eval(rule, item, nil)
}

func (e *ruleEval) items(args []any, data any) ([]any, any, error) {
	if len(args) == 0 {
		return nil, nil, errors.New("needs a list")
	}
	v, err := e.eval(args[0], data, nil)
	if err != nil {
		return nil, nil, err
	}
	list, _ := v.([]any)
	var rule any
	if len(args) > 1 {
		rule = args[1]
	}
	return list, rule, nil
}

func (e *ruleEval) evalItems(op string, args []any, data any) (any, error) {
	list, rule, err := e.items(args, data)
	if err != nil {
		return nil, err
	}
	mapped, kept := []any{}, []any{}
	for _, item := range list {
		v, err := e.inItem(rule, item)
		if err != nil {
			return nil, err
		}
		mapped = append(mapped, v)
		if truthy(v) {
			kept = append(kept, item)
		}
	}
	switch op {
	case "map":
		return mapped, nil
	case "filter":
		return kept, nil
	case "all":
		return len(list) > 0 && len(kept) == len(list), nil
	case "none":
		return len(kept) == 0, nil
	default:
		return len(kept) > 0, nil
	}
}

func (e *ruleEval) evalReduce(args []any, data any) (any, error) {
	list, rule, err := e.items(args, data)
	if err != nil {
		return nil, err
	}
	var sum any
	if len(args) > 2 {
		if sum, err = e.eval(args[2], data, nil); err != nil {
			return nil, err
		}
	}
	for _, item := range list {
		if sum, err = e.inItem(rule, map[string]any{"current": item, "accumulator": sum}); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

func (e *ruleEval) variable(args []any, data any) (any, error) {
	if len(args) == 0 || args[0] == nil || args[0] == "" {
		return data, nil
	}
	path, ok := jsonvalue.ScalarText(args[0])
	if !ok {
		return nil, errors.New("the name of a variable must be a text or a number")
	}
	if v := e.lookup(path, data); v != nil {
		return v, nil
	}
	if len(args) > 1 {
		return args[1], nil
	}
	return nil, nil
}

func (e *ruleEval) lookup(path string, data any) any {
	if v := jsonvalue.Lookup(data, path); v != nil || e.payload == nil {
		return v
	}
	return jsonvalue.Lookup(e.payload, path)
}

func (e *ruleEval) missing(args []any, data any) []any {
	if len(args) > 0 {
		if list, ok := args[0].([]any); ok {
			args = list
		}
	}
	out := []any{}
	for _, a := range args {
		path, ok := jsonvalue.ScalarText(a)
		if v := e.lookup(path, data); !ok || v == nil || v == "" {
			out = append(out, a)
		}
	}
	return out
}

func (e *ruleEval) missingSome(args []any, data any) (any, error) {
	if len(args) != 2 {
		return nil, errors.New("needs a number and a list")
	}
	need, okNeed := jsonvalue.Number(args[0])
	names, okNames := args[1].([]any)
	if !okNeed || !okNames {
		return nil, errors.New("needs a number and a list")
	}
	missing := e.missing(names, data)
	if float64(len(names)-len(missing)) >= need {
		return []any{}, nil
	}
	return missing, nil
}
