package condition

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// The kinds of a StepFilter (api.md, StepFilter). NUMBER, DATE, BOOLEAN and TEXT fix how the comparisons of the group
// read their operands; the others let the field's own JSON type decide.
const (
	FilterBoolean   = "BOOLEAN"
	FilterText      = "TEXT"
	FilterDate      = "DATE"
	FilterNumber    = "NUMBER"
	FilterStatement = "STATEMENT"
	FilterList      = "LIST"
	FilterMultiList = "MULTI_LIST"
	FilterGroup     = "GROUP"
)

// The operators of a FieldFilterPart (api.md, FieldFilterPart; their meaning: semantics.md §2.3, §11.8).
const (
	OpLarger       = "LARGER"
	OpSmaller      = "SMALLER"
	OpLargerEqual  = "LARGER_EQUAL"
	OpSmallerEqual = "SMALLER_EQUAL"
	OpEqual        = "EQUAL"
	OpNotEqual     = "NOT_EQUAL"
	OpAllIn        = "ALL_IN"
	OpAnyIn        = "ANY_IN"
	OpNotIn        = "NOT_IN"
	OpBetween      = "BETWEEN"
	OpNotBetween   = "NOT_BETWEEN"
	OpLike         = "LIKE"
	OpNotLike      = "NOT_LIKE"
	OpIn           = "IN"
)

// The things a comparison can look at.
const (
	OnSubscriber = "subscriber"
	OnPayload    = "payload"
	OnActor      = "actor"
	OnTenant     = "tenant"
	OnStep       = "step"
)

var (
	filterTypes     = []string{FilterBoolean, FilterText, FilterDate, FilterNumber, FilterStatement, FilterList, FilterMultiList, FilterGroup}
	filterOperators = []string{
		OpLarger, OpSmaller, OpLargerEqual, OpSmallerEqual, OpEqual, OpNotEqual, OpAllIn, OpAnyIn, OpNotIn,
		OpBetween, OpNotBetween, OpLike, OpNotLike, OpIn,
	}
	filterSubjects = []string{OnSubscriber, OnPayload, OnActor, OnTenant, OnStep}
	stepStates     = []string{"read", "seen", "unread", "unseen", "sent", "failed", "skipped"}
)

// FilterData is what conditions see, as decoded JSON. Step maps a stepId to its state: an object of the booleans read,
// seen, sent, failed and skipped; steps not reached yet are absent.
type FilterData struct {
	Subscriber map[string]any
	Payload    map[string]any
	Actor      map[string]any
	Tenant     map[string]any
	Step       map[string]any
}

// EvaluateFilters evaluates all filters of a step, which are combined with AND (semantics.md §11.9). No filter is true.
func EvaluateFilters(filters []StepFilter, data FilterData) (bool, *ReasonNode) {
	root := &ReasonNode{Result: true, Operator: "AND"}
	for i := range filters {
		ok, node := filters[i].Evaluate(data)
		root.Result = root.Result && ok
		root.Children = append(root.Children, node)
	}
	return root.Result, root
}

// Evaluate evaluates one group. Every comparison is made, so that the reason tree shows all operands.
func (f *StepFilter) Evaluate(data FilterData) (bool, *ReasonNode) {
	or := f.Value == "OR"
	root := &ReasonNode{Result: !or || len(f.Children) == 0, Operator: "AND"}
	if or {
		root.Operator = "OR"
	}
	for i := range f.Children {
		node := f.Children[i].evaluate(f.Type, data)
		if or {
			root.Result = root.Result || node.Result
		} else {
			root.Result = root.Result && node.Result
		}
		root.Children = append(root.Children, node)
	}
	if f.IsNegated {
		root = &ReasonNode{Result: !root.Result, Operator: "NOT", Children: []*ReasonNode{root}}
	}
	return root.Result, root
}

func (p *FieldFilterPart) evaluate(kind string, data FilterData) *ReasonNode {
	left := p.read(data)
	node := &ReasonNode{Operator: p.Operator, Field: jsonvalue.Join(p.On, p.Field), Left: Shown(left), Right: Shown(p.Value)}
	if left == nil {
		node.Note = "missing"
		node.Result = strings.HasPrefix(p.Operator, "NOT_")
		return node
	}
	ok, match := compare(kind, p.Operator, left, p.Value)
	node.Result = ok
	if !match {
		node.Note = "type mismatch"
	}
	return node
}

func (p *FieldFilterPart) read(data FilterData) any {
	switch p.On {
	case OnSubscriber:
		return jsonvalue.Lookup(data.Subscriber, p.Field)
	case OnActor:
		return jsonvalue.Lookup(data.Actor, p.Field)
	case OnTenant:
		return jsonvalue.Lookup(data.Tenant, p.Field)
	case OnStep:
		return readStep(data.Step, p.Field)
	default:
		return jsonvalue.Lookup(data.Payload, p.Field)
	}
}

// readStep reads "<stepId>.<state>"; unread and unseen are the opposites of read and seen. Below "<stepId>.response" lies
// the answer to a custom step.
func readStep(steps map[string]any, field string) any {
	if stepID, path, answered := cutResponse(field); answered {
		return jsonvalue.Lookup(steps[stepID], "response"+path)
	}
	dot := strings.LastIndexByte(field, '.')
	if dot < 0 {
		return nil
	}
	state := steps[field[:dot]]
	if plain, ok := strings.CutPrefix(field[dot+1:], "un"); ok {
		if v, isBool := jsonvalue.Lookup(state, plain).(bool); isBool {
			return !v
		}
		return nil
	}
	return jsonvalue.Lookup(state, field[dot+1:])
}

// cutResponse divides "<stepId>.response.<path>"; path begins with a dot or is empty.
func cutResponse(field string) (stepID, path string, ok bool) {
	stepID, path, ok = strings.Cut(field, ".response")
	return stepID, path, ok && (path == "" || path[0] == '.')
}

// compare applies an operator to a field that is there. match is false when the operands cannot be compared, which makes
// the comparison false, negated or not (semantics.md §2.3).
func compare(kind, op string, left any, value string) (result, match bool) {
	switch op {
	case OpEqual, OpNotEqual:
		equal, ok := equalOperands(kind, left, value)
		if !ok {
			return false, false
		}
		return equal == (op == OpEqual), true
	case OpLarger, OpSmaller, OpLargerEqual, OpSmallerEqual:
		c, ok := order(kind, left, value)
		return ok && ordered(op, c), ok
	case OpBetween, OpNotBetween:
		in, ok := between(kind, left, value)
		return ok && in == (op == OpBetween), ok
	case OpLike, OpNotLike:
		s, ok := jsonvalue.ScalarText(left)
		if !ok {
			return false, false
		}
		return strings.Contains(strings.ToLower(s), strings.ToLower(value)) == (op == OpLike), true
	case OpAllIn, OpAnyIn, OpIn, OpNotIn:
		return memberOf(kind, op, left, value), true
	}
	return false, false
}

func ordered(op string, c int) bool {
	switch op {
	case OpLarger:
		return c > 0
	case OpSmaller:
		return c < 0
	case OpLargerEqual:
		return c >= 0
	default:
		return c <= 0
	}
}

func equalOperands(kind string, left any, value string) (equal, ok bool) {
	switch kind {
	case FilterNumber, FilterDate:
		c, ok := order(kind, left, value)
		return c == 0, ok
	case FilterBoolean:
		s, ok := jsonvalue.ScalarText(left)
		if !ok || !isBoolText(s) || !isBoolText(value) {
			return false, false
		}
		return strings.EqualFold(s, value), true
	}
	return sameScalar(left, value)
}

func isBoolText(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }

// sameScalar is exact equality by the field's own JSON type: 5 equals "5.0", "5" does not.
func sameScalar(left any, value string) (equal, ok bool) {
	if f, isNumber := jsonvalue.Number(left); isNumber {
		v, parsed := jsonvalue.ParseNumber(value)
		return parsed && f == v && jsonvalue.CompareDigits(left, value) == 0, true
	}
	s, ok := jsonvalue.ScalarText(left)
	return s == value, ok
}

// order compares left with value: below, at or above zero.
func order(kind string, left any, value string) (c int, ok bool) {
	if kind == FilterDate {
		a, okA := instant(left)
		b, okB := instant(value)
		return a.Compare(b), okA && okB
	}
	a, okA := jsonvalue.ParseNumber(left)
	b, okB := jsonvalue.ParseNumber(value)
	if okA && okB {
		return cmp.Or(cmp.Compare(a, b), jsonvalue.CompareDigits(left, value)), true
	}
	if s, isText := left.(string); kind == FilterText && isText {
		return strings.Compare(s, value), true
	}
	return 0, false
}

func between(kind string, left any, value string) (in, ok bool) {
	bounds := wantedValues(value)
	if len(bounds) != 2 {
		return false, false
	}
	low, okLow := order(kind, left, bounds[0])
	high, okHigh := order(kind, left, bounds[1])
	return low >= 0 && high <= 0, okLow && okHigh
}

// memberOf treats a scalar field as a list of one.
func memberOf(kind, op string, left any, value string) bool {
	have, isList := left.([]any)
	if !isList {
		have = []any{left}
	}
	in := func(want string) bool {
		return slices.ContainsFunc(have, func(v any) bool {
			equal, ok := equalOperands(kind, v, want)
			return ok && equal
		})
	}
	wanted := wantedValues(value)
	switch op {
	case OpAllIn:
		return !slices.ContainsFunc(wanted, func(w string) bool { return !in(w) })
	case OpNotIn:
		return !slices.ContainsFunc(wanted, in)
	default:
		return slices.ContainsFunc(wanted, in)
	}
}

// wantedValues reads a list in a text: a JSON array, else comma-separated (semantics.md §11.8).
func wantedValues(value string) []string {
	var list []any
	if strings.HasPrefix(strings.TrimSpace(value), "[") && jsonnum.Unmarshal([]byte(value), &list) == nil {
		out := make([]string, 0, len(list))
		for _, v := range list {
			if s, ok := jsonvalue.ScalarText(v); ok {
				out = append(out, s)
			} else {
				out = append(out, Compact(v))
			}
		}
		return out
	}
	parts := strings.Split(value, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// instantLayouts are how a date-time may be written; the first two name its offset.
var instantLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", time.DateOnly,
}

// instant reads a date-time; without a zone it is UTC. Numbers are no dates: seconds and milliseconds look alike.
func instant(v any) (time.Time, bool) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, false
	}
	return ParseInstant(s, time.UTC)
}

// ParseInstant reads an ISO 8601 date-time or date; without an offset it is by the clock of loc.
func ParseInstant(s string, loc *time.Location) (time.Time, bool) {
	s = strings.TrimSpace(s)
	for _, layout := range instantLayouts {
		t, err := time.Parse(layout, s)
		switch {
		case err != nil:
			continue
		case strings.HasSuffix(layout, "Z07:00"):
			return t, true
		}
		return calendar.WallClocks(t, loc)[0], true
	}
	return time.Time{}, false
}

// Bounds of conditions, far above what an author writes by hand.
const (
	MaxFilters        = 50
	MaxFilterChildren = 100
)

// ValidateFilters reports every fault of conditions under path, such as steps.2.filters. stepIDs are the steps that a
// condition may look at: those before the one it belongs to.
func ValidateFilters(p *fault.Problems, path string, filters []StepFilter, stepIDs []string) {
	if len(filters) > MaxFilters {
		p.Add(path, nil, "must not hold more than %d items", MaxFilters)
		return
	}
	for i := range filters {
		validateFilter(p, jsonvalue.JoinIndex(path, i), &filters[i], stepIDs)
	}
}

func validateFilter(p *fault.Problems, path string, f *StepFilter, stepIDs []string) {
	if !slices.Contains(filterTypes, f.Type) {
		p.Add(jsonvalue.Join(path, "type"), f.Type, "must be one of %s", strings.Join(filterTypes, ", "))
	}
	if f.Value != "AND" && f.Value != "OR" {
		p.Add(jsonvalue.Join(path, "value"), f.Value, "must be AND or OR")
	}
	if len(f.Children) == 0 || len(f.Children) > MaxFilterChildren {
		p.Add(jsonvalue.Join(path, "children"), nil, "must hold 1 to %d items", MaxFilterChildren)
		return
	}
	for i := range f.Children {
		validatePart(p, jsonvalue.JoinIndex(jsonvalue.Join(path, "children"), i), f.Type, &f.Children[i], stepIDs)
	}
}

func validatePart(p *fault.Problems, path, kind string, c *FieldFilterPart, stepIDs []string) {
	if strings.TrimSpace(c.Field) == "" {
		p.Add(jsonvalue.Join(path, "field"), nil, "is required")
	}
	if !slices.Contains(filterOperators, c.Operator) {
		p.Add(jsonvalue.Join(path, "operator"), c.Operator, "must be one of %s", strings.Join(filterOperators, ", "))
	}
	if !slices.Contains(filterSubjects, c.On) {
		p.Add(jsonvalue.Join(path, "on"), c.On, "must be one of %s", strings.Join(filterSubjects, ", "))
	}
	if c.On == OnStep {
		validateStepField(p, jsonvalue.Join(path, "field"), c.Field, stepIDs)
	}
	validateOperand(p, jsonvalue.Join(path, "value"), kind, c)
}

func validateStepField(p *fault.Problems, path, field string, stepIDs []string) {
	dot := strings.LastIndexByte(field, '.')
	if stepID, _, answer := cutResponse(field); answer {
		dot = len(stepID)
	} else if dot < 0 || !slices.Contains(stepStates, field[dot+1:]) {
		p.Add(path, field, "must be <stepId>.<state>, the state one of %s", strings.Join(stepStates, ", "))
		return
	}
	if !slices.Contains(stepIDs, field[:dot]) {
		p.Add(path, field, "no earlier step is named %s", field[:dot])
	}
}

// validateOperand refuses values that could never compare, so that the author hears of it at once.
func validateOperand(p *fault.Problems, path, kind string, c *FieldFilterPart) {
	operands := []string{c.Value}
	switch c.Operator {
	case OpBetween, OpNotBetween:
		if operands = wantedValues(c.Value); len(operands) != 2 {
			p.Add(path, c.Value, "must hold two bounds")
			return
		}
	case OpAllIn, OpAnyIn, OpIn, OpNotIn:
		operands = wantedValues(c.Value)
	case OpLike, OpNotLike:
		return
	}
	for _, v := range operands {
		_, isNumber := jsonvalue.ParseNumber(v)
		_, isDate := instant(v)
		switch {
		case kind == FilterNumber && !isNumber:
			p.Add(path, c.Value, "must be a number")
		case kind == FilterDate && !isDate:
			p.Add(path, c.Value, "must be an ISO 8601 date")
		case kind == FilterBoolean && !isBoolText(v):
			p.Add(path, c.Value, "must be true or false")
		}
	}
}

// StepFilter is a group of comparisons (api.md, StepFilter).
type StepFilter struct {
	IsNegated bool              `json:"isNegated"`
	Type      string            `json:"type"`  // BOOLEAN, TEXT, DATE, NUMBER, STATEMENT, LIST, MULTI_LIST or GROUP
	Value     string            `json:"value"` // AND or OR
	Children  []FieldFilterPart `json:"children"`
}

// FieldFilterPart is one comparison (api.md, FieldFilterPart). On is subscriber or payload in the document; actor,
// tenant and step (Field is then "<stepId>.<read|seen|sent|failed|skipped>") go beyond it.
type FieldFilterPart struct {
	Field    string `json:"field"`
	Value    string `json:"value"`
	Operator string `json:"operator"`
	On       string `json:"on"`
}

// FilterTypes are the documented types of a StepFilter.
func FilterTypes() []string { return slices.Clone(filterTypes) }

// FilterOperators are the documented operators of a comparison.
func FilterOperators() []string { return slices.Clone(filterOperators) }
