package condition_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func TestFilterOperators(t *testing.T) {
	t.Parallel()
	payload := workflowtest.Object(t, `{"n":5,"f":2.5,"s":"Hello","num":"10","b":true,"d":"2025-03-01T10:00:00Z","tags":["a","b"],
		"nums":[1,2,3],"o":{"x":{"y":1}},"null":null,"list":[{"k":"v"}]}`)
	for _, tc := range []struct {
		kind, field, op, value string
		want                   bool
		note                   string
	}{
		{"GROUP", "n", "EQUAL", "5", true, ""},
		{"GROUP", "n", "EQUAL", "5.0", true, ""},
		{"GROUP", "num", "EQUAL", "10.0", false, ""},
		{"NUMBER", "num", "EQUAL", "10.0", true, ""},
		{"GROUP", "n", "NOT_EQUAL", "abc", true, ""},
		{"NUMBER", "s", "EQUAL", "5", false, "type mismatch"},
		{"NUMBER", "s", "NOT_EQUAL", "5", false, "type mismatch"},
		{"TEXT", "s", "EQUAL", "hello", false, ""},
		{"TEXT", "s", "EQUAL", "Hello", true, ""},
		{"BOOLEAN", "b", "EQUAL", "true", true, ""},
		{"BOOLEAN", "s", "EQUAL", "true", false, "type mismatch"},
		{"GROUP", "b", "EQUAL", "true", true, ""},
		{"GROUP", "n", "LARGER", "4", true, ""},
		{"GROUP", "n", "LARGER", "5", false, ""},
		{"GROUP", "n", "LARGER_EQUAL", "5", true, ""},
		{"GROUP", "n", "SMALLER", "5.5", true, ""},
		{"GROUP", "n", "SMALLER_EQUAL", "4", false, ""},
		{"GROUP", "num", "LARGER", "9", true, ""},
		{"GROUP", "s", "LARGER", "5", false, "type mismatch"},
		{"GROUP", "n", "LARGER", "abc", false, "type mismatch"},
		{"TEXT", "s", "LARGER", "Hallo", true, ""},
		{"DATE", "d", "LARGER", "2025-03-01T10:30:00+01:00", true, ""},
		{"DATE", "d", "EQUAL", "2025-03-01T11:00:00+01:00", true, ""},
		{"DATE", "d", "SMALLER", "2025-03-02", true, ""},
		{"DATE", "s", "SMALLER", "2025-03-02", false, "type mismatch"},
		{"DATE", "d", "BETWEEN", "2025-03-01,2025-03-02", true, ""},
		{"GROUP", "n", "BETWEEN", "5,7", true, ""},
		{"GROUP", "n", "BETWEEN", "[1, 5]", true, ""},
		{"GROUP", "n", "BETWEEN", "6,7", false, ""},
		{"GROUP", "n", "NOT_BETWEEN", "6,7", true, ""},
		{"GROUP", "n", "BETWEEN", "6", false, "type mismatch"},
		{"GROUP", "s", "LIKE", "ELL", true, ""},
		{"GROUP", "s", "NOT_LIKE", "ELL", false, ""},
		{"GROUP", "tags", "LIKE", "a", false, "type mismatch"},
		{"GROUP", "tags", "ALL_IN", "a,b", true, ""},
		{"GROUP", "tags", "ALL_IN", "a,b,c", false, ""},
		{"GROUP", "tags", "ANY_IN", "c, b", true, ""},
		{"GROUP", "tags", "ANY_IN", "c", false, ""},
		{"GROUP", "s", "IN", `["Hello","x"]`, true, ""},
		{"GROUP", "nums", "IN", "3,9", true, ""},
		{"LIST", "nums", "NOT_IN", "4,9", true, ""},
		{"MULTI_LIST", "nums", "NOT_IN", "3", false, ""},
		{"GROUP", "o.x.y", "EQUAL", "1", true, ""},
		{"GROUP", "list.0.k", "EQUAL", "v", true, ""},
		{"GROUP", "o", "EQUAL", "x", false, "type mismatch"},
		{"GROUP", "nope", "EQUAL", "", false, "missing"},
		{"GROUP", "null", "EQUAL", "null", false, "missing"},
		{"GROUP", "nope", "NOT_EQUAL", "x", true, "missing"},
		{"GROUP", "nope", "LARGER", "0", false, "missing"},
		{"GROUP", "nope", "SMALLER", "0", false, "missing"},
		{"GROUP", "nope", "IN", "x", false, "missing"},
		{"GROUP", "nope", "NOT_IN", "x", true, "missing"},
		{"GROUP", "nope", "NOT_BETWEEN", "1,2", true, "missing"},
		{"GROUP", "nope", "NOT_LIKE", "x", true, "missing"},
		{"GROUP", "n", "BOGUS", "5", false, "type mismatch"},
	} {
		f := condition.StepFilter{Type: tc.kind, Value: "AND", Children: []condition.FieldFilterPart{
			{Field: tc.field, Value: tc.value, Operator: tc.op, On: "payload"},
		}}
		got, reason := f.Evaluate(condition.FilterData{Payload: payload})
		require.Equal(t, tc.want, got, "%+v\n%s", tc, reason)
		require.Equal(t, tc.note, reason.Children[0].Note, "%+v", tc)
	}
}

func TestFilterGroups(t *testing.T) {
	t.Parallel()
	data := condition.FilterData{
		Subscriber: workflowtest.Object(t, `{"data":{"tier":"gold"}}`), Actor: workflowtest.Object(t, `{"firstName":"Bob"}`),
		Tenant: workflowtest.Object(t, `{"identifier":"acme"}`), Payload: workflowtest.Object(t, `{"n":1}`),
		Step: workflowtest.Object(t, `{"first":{"read":false,"seen":true,"sent":true}}`),
	}
	yes := condition.FieldFilterPart{On: "subscriber", Field: "data.tier", Operator: "EQUAL", Value: "gold"}
	no := condition.FieldFilterPart{On: "actor", Field: "firstName", Operator: "EQUAL", Value: "Eve"}
	group := func(value string, negated bool, parts ...condition.FieldFilterPart) []condition.StepFilter {
		return []condition.StepFilter{{Type: "GROUP", Value: value, IsNegated: negated, Children: parts}}
	}
	for name, tc := range map[string]struct {
		filters []condition.StepFilter
		want    bool
	}{
		"None":        {nil, true},
		"And":         {group("AND", false, yes, no), false},
		"Or":          {group("OR", false, no, yes), true},
		"NotOr":       {group("OR", true, no, yes), false},
		"NotAnd":      {group("AND", true, yes, no), true},
		"Several":     {append(group("OR", false, yes), group("AND", false, no)...), false},
		"Tenant":      {group("AND", false, condition.FieldFilterPart{On: "tenant", Field: "identifier", Operator: "EQUAL", Value: "acme"}), true},
		"StepSeen":    {group("AND", false, condition.FieldFilterPart{On: "step", Field: "first.seen", Operator: "EQUAL", Value: "true"}), true},
		"StepUnread":  {group("AND", false, condition.FieldFilterPart{On: "step", Field: "first.unread", Operator: "EQUAL", Value: "true"}), true},
		"StepMissing": {group("AND", false, condition.FieldFilterPart{On: "step", Field: "later.read", Operator: "EQUAL", Value: "false"}), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, reason := condition.EvaluateFilters(tc.filters, data)
			require.Equal(t, tc.want, got, reason.String())
			require.Equal(t, got, reason.Result)
		})
	}
	_, reason := condition.EvaluateFilters(group("AND", false, no), data)
	require.Equal(t, "false: AND\n  false: AND\n    false: actor.firstName = \"Bob\" EQUAL \"Eve\"", reason.String())
}

// Negation always turns the result of the group.
func TestFilterNegation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		f := condition.StepFilter{
			Type:  rapid.SampledFrom([]string{"GROUP", "NUMBER", "TEXT", "DATE", "BOOLEAN", "LIST"}).Draw(rt, "type"),
			Value: rapid.SampledFrom([]string{"AND", "OR"}).Draw(rt, "value"),
		}
		for range rapid.IntRange(1, 4).Draw(rt, "n") {
			f.Children = append(f.Children, condition.FieldFilterPart{
				On: "payload", Field: rapid.SampledFrom([]string{"a", "b", "c.d"}).Draw(rt, "field"),
				Operator: rapid.SampledFrom([]string{"EQUAL", "NOT_EQUAL", "LARGER", "IN", "NOT_IN", "BETWEEN", "LIKE"}).Draw(rt, "op"),
				Value:    rapid.SampledFrom([]string{"", "1", "1,2", "x", "true", "2025-01-01"}).Draw(rt, "operand"),
			})
		}
		data := condition.FilterData{Payload: map[string]any{"a": 1.0, "b": "x"}}
		plain, _ := f.Evaluate(data)
		f.IsNegated = true
		negated, _ := f.Evaluate(data)
		require.NotEqual(rt, plain, negated)
	})
}

func TestValidateFilters(t *testing.T) {
	t.Parallel()
	p := &fault.Problems{}
	condition.ValidateFilters(p, "steps.1.filters", []condition.StepFilter{
		{Type: "X", Value: "XOR"},
		{Type: "NUMBER", Value: "AND", Children: []condition.FieldFilterPart{
			{Operator: "IS", On: "moon"},
			{Field: "n", Operator: "EQUAL", On: "payload", Value: "five"},
			{Field: "n", Operator: "BETWEEN", On: "payload", Value: "1"},
			{Field: "later.read", Operator: "EQUAL", On: "step", Value: "1"},
			{Field: "first.opened", Operator: "EQUAL", On: "step", Value: "1"},
			{Field: "first.read", Operator: "IN", On: "step", Value: "1,2"},
		}},
	}, []string{"first"})
	require.Equal(t, []string{
		"steps.1.filters.0.type", "steps.1.filters.0.value", "steps.1.filters.0.children",
		"steps.1.filters.1.children.0.field", "steps.1.filters.1.children.0.operator", "steps.1.filters.1.children.0.on",
		"steps.1.filters.1.children.0.value",
		"steps.1.filters.1.children.1.value", "steps.1.filters.1.children.2.value",
		"steps.1.filters.1.children.3.field", "steps.1.filters.1.children.4.field",
	}, workflowtest.Paths(t, p.Err()))
}
