package condition_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

// compared is the outcome of one comparison with a payload's member v: yes, no, or mismatch for operands that do not
// compare.
func compared(tb testing.TB, kind, v, op, value string) string {
	tb.Helper()
	f := condition.StepFilter{Type: kind, Value: "AND", Children: []condition.FieldFilterPart{{On: "payload", Field: "v", Operator: op, Value: value}}}
	pass, reason := f.Evaluate(condition.FilterData{Payload: workflowtest.Object(tb, `{"v":`+v+`}`)})
	switch note := reason.Children[0].Note; {
	case note == "" && pass:
		return "yes"
	case note == "":
		return "no"
	case pass:
		return note + ", passed"
	default:
		return note
	}
}

// TestFilterCoercion: the group's type fixes how both operands are read (semantics.md §2.3); a value that cannot be read so
// fails the comparison, negated or not.
func TestFilterCoercion(t *testing.T) {
	t.Parallel()
	const mismatch = "type mismatch"
	for _, c := range []struct{ kind, v, op, value, want string }{
		// The field's own JSON type decides in a plain group.
		{"GROUP", `5`, "EQUAL", "5.00", "yes"},
		{"GROUP", `5`, "EQUAL", " 5 ", "yes"},
		{"GROUP", `"5"`, "EQUAL", "5.0", "no"},
		{"GROUP", `"5"`, "EQUAL", "5", "yes"},
		{"GROUP", `5`, "EQUAL", "", "no"},
		{"GROUP", `0`, "EQUAL", "", "no"},
		{"GROUP", `""`, "EQUAL", "", "yes"},
		{"GROUP", `""`, "NOT_EQUAL", "", "no"},
		{"GROUP", `false`, "EQUAL", "false", "yes"},
		{"GROUP", `false`, "EQUAL", "FALSE", "no"},
		{"GROUP", `false`, "EQUAL", "0", "no"},
		{"GROUP", `null`, "EQUAL", "", "missing"},
		{"GROUP", `null`, "NOT_EQUAL", "", "missing, passed"},
		{"GROUP", `{}`, "NOT_EQUAL", "x", mismatch},
		{"GROUP", `[1]`, "EQUAL", "1", mismatch},
		{"GROUP", `1e3`, "EQUAL", "1000", "yes"},
		{"GROUP", `"é"`, "EQUAL", "é", "yes"},

		// NUMBER reads texts as numbers, on both sides.
		{"NUMBER", `"1e3"`, "EQUAL", "1000", "yes"},
		{"NUMBER", `" 7 "`, "EQUAL", "7.0", "yes"},
		{"NUMBER", `7`, "NOT_EQUAL", "7.0", "no"},
		{"NUMBER", `true`, "EQUAL", "1", mismatch},
		{"NUMBER", `""`, "EQUAL", "0", mismatch},
		{"NUMBER", `"NaN"`, "NOT_EQUAL", "1", mismatch},
		{"NUMBER", `"9"`, "SMALLER", "10", "yes"},
		{"NUMBER", `-1`, "LARGER_EQUAL", "-1.0", "yes"},
		{"NUMBER", `"a"`, "NOT_BETWEEN", "1,2", mismatch},
		{"NUMBER", `["1","2.0"]`, "ALL_IN", "1.0,2", "yes"},
		{"NUMBER", `["x",2]`, "ANY_IN", "2", "yes"},

		// TEXT compares texts by their bytes, but two numbers still as numbers.
		{"TEXT", `"b"`, "LARGER", "a", "yes"},
		{"TEXT", `"B"`, "LARGER", "a", "no"},
		{"TEXT", `"10"`, "LARGER", "9", "yes"},
		{"TEXT", `"10a"`, "LARGER", "9", "no"},
		{"TEXT", `5`, "LARGER", "a", mismatch},
		{"TEXT", `"m"`, "BETWEEN", "a,z", "yes"},
		{"TEXT", `"m"`, "NOT_BETWEEN", "n,z", "yes"},

		// BOOLEAN takes true and false in any case, as texts too, and nothing else.
		{"BOOLEAN", `"TRUE"`, "EQUAL", "true", "yes"},
		{"BOOLEAN", `false`, "NOT_EQUAL", "True", "yes"},
		{"BOOLEAN", `1`, "EQUAL", "true", mismatch},
		{"BOOLEAN", `true`, "EQUAL", "yes", mismatch},
		{"BOOLEAN", `"false"`, "IN", "true,FALSE", "yes"},
		{"BOOLEAN", `true`, "LARGER", "false", mismatch},

		// DATE compares instants; without an offset they are UTC.
		{"DATE", `"2025-06-01"`, "EQUAL", "2025-06-01T00:00:00Z", "yes"},
		{"DATE", `"2025-06-01T02:00+02:00"`, "EQUAL", "2025-06-01", "yes"},
		{"DATE", `"2025-06-01 10:00:00"`, "EQUAL", "2025-06-01T10:00", "yes"},
		{"DATE", `" 2025-06-01 "`, "SMALLER", "2025-06-01T00:00:00.001Z", "yes"},
		{"DATE", `1748736000`, "LARGER", "2020-01-01", mismatch},
		{"DATE", `"2025-02-30"`, "LARGER", "2020-01-01", mismatch},
		{"DATE", `"2025-06-01"`, "NOT_EQUAL", "soon", mismatch},
		{"DATE", `"2025-06-15"`, "BETWEEN", `["2025-06-01","2025-06-30"]`, "yes"},
		{"DATE", `["2025-06-01","x"]`, "ANY_IN", "2025-06-01T00:00Z", "yes"},

		// Bounds belong to the range; a range the wrong way round holds nothing.
		{"GROUP", `1`, "BETWEEN", "1,3", "yes"},
		{"GROUP", `3`, "BETWEEN", "1, 3", "yes"},
		{"GROUP", `2`, "BETWEEN", "3,1", "no"},
		{"GROUP", `2`, "NOT_BETWEEN", "3,1", "yes"},
		{"GROUP", `2`, "BETWEEN", "1,2,3", mismatch},
		{"GROUP", `2`, "NOT_BETWEEN", "1", mismatch},
		{"GROUP", `2`, "NOT_BETWEEN", "1,x", mismatch},

		// LIKE looks for a part, without regard to case, in any scalar.
		{"GROUP", `1250`, "LIKE", "25", "yes"},
		{"GROUP", `true`, "LIKE", "RU", "yes"},
		{"GROUP", `"Größe"`, "LIKE", "GRÖ", "yes"},
		{"GROUP", `"a%c"`, "LIKE", "%", "yes"},
		{"GROUP", `"abc"`, "LIKE", "%", "no"},
		{"GROUP", `"abc"`, "LIKE", "", "yes"},
		{"GROUP", `{"a":1}`, "NOT_LIKE", "a", mismatch},
	} {
		require.Equal(t, c.want, compared(t, c.kind, c.v, c.op, c.value), "%s %s %s %s", c.kind, c.v, c.op, c.value)
	}
}

// TestFilterLists: how a list is written in a value, and how scalars and lists meet.
func TestFilterLists(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ v, op, value, want string }{
		{`"a"`, "IN", " a , b ", "yes"},
		{`"a,b"`, "IN", "a,b", "no"},
		{`"a,b"`, "IN", `["a,b"]`, "yes"},
		{`"a"`, "IN", ` ["a"]`, "yes"},
		{`"[a"`, "IN", "[a,b", "yes"}, // no JSON: separated by commas
		{`""`, "IN", "", "yes"},
		{`"x"`, "IN", "", "no"},
		{`2`, "IN", `[1, 2.0]`, "yes"},
		{`true`, "IN", `[true]`, "yes"},
		{`[]`, "ALL_IN", "a", "no"},
		{`[]`, "NOT_IN", "a", "yes"},
		{`["a","b","c"]`, "ALL_IN", "c,a", "yes"},
		{`["a"]`, "ALL_IN", "a,b", "no"},
		{`"a"`, "ALL_IN", "a", "yes"},
		{`["a"]`, "ALL_IN", "[]", "yes"},
		{`["a"]`, "ANY_IN", "[]", "no"},
		{`["a"]`, "NOT_IN", "[]", "yes"},
		{`["a",{"b":1}]`, "ANY_IN", `[{"b":1}]`, "no"},
		{`["a",["b"]]`, "NOT_IN", "b", "yes"},
	} {
		require.Equal(t, c.want, compared(t, "GROUP", c.v, c.op, c.value), "%s %s %s", c.v, c.op, c.value)
	}
}

// TestFilterSteps reads the outcomes and answers of earlier steps.
func TestFilterSteps(t *testing.T) {
	t.Parallel()
	data := condition.FilterData{Step: workflowtest.Object(t, `{
		"mail":{"read":false,"seen":true,"sent":true,"failed":false,"skipped":false},
		"look.up":{"sent":true,"response":{"status":"paid","items":[{"id":7}],"responses":1}},
		"window":{"total_count":3}}`)}
	for _, c := range []struct {
		field, value string
		want         bool
	}{
		{"mail.sent", "true", true},
		{"mail.unread", "true", true},
		{"mail.unseen", "true", false},
		{"mail.unseen", "false", true},
		{"mail.failed", "false", true},
		{"look.up.sent", "true", true}, // the name of a step may hold a dot
		{"look.up.response.status", "paid", true},
		{"look.up.response.items.0.id", "7", true},
		{"look.up.response.missing", "", false},
		{"look.up.responses", "1", false}, // not the answer
		{"window.total_count", "3", true},
		{"window.unread", "true", false}, // never sent, so neither read nor unread
		{"later.sent", "false", false},
		{"mail", "true", false},
	} {
		f := condition.StepFilter{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{{On: "step", Field: c.field, Operator: "EQUAL", Value: c.value}}}
		pass, reason := f.Evaluate(data)
		require.Equal(t, c.want, pass, "%+v\n%s", c, reason)
	}
}

// Every comparison is made, so that the reason shows all operands even when the first has decided.
func TestFilterReasonShowsEveryComparison(t *testing.T) {
	t.Parallel()
	part := func(field, value string) condition.FieldFilterPart {
		return condition.FieldFilterPart{On: "payload", Field: field, Operator: "EQUAL", Value: value}
	}
	for name, c := range map[string]struct {
		filter condition.StepFilter
		want   string
	}{
		"And": {
			condition.StepFilter{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{part("a", "2"), part("b", "x")}},
			"false: AND\n  false: AND\n    false: payload.a = 1 EQUAL \"2\"\n    true: payload.b = \"x\" EQUAL \"x\"",
		},
		"NotOr": {
			condition.StepFilter{IsNegated: true, Type: "GROUP", Value: "OR", Children: []condition.FieldFilterPart{part("a", "1"), part("b", "y")}},
			"false: AND\n  false: NOT\n    true: OR\n      true: payload.a = 1 EQUAL \"1\"\n      false: payload.b = \"x\" EQUAL \"y\"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, reason := condition.EvaluateFilters([]condition.StepFilter{c.filter}, condition.FilterData{Payload: map[string]any{"a": 1.0, "b": "x"}})
			require.Equal(t, c.want, reason.String())
		})
	}
}

// TestValidateOperands: a value that could never compare is refused when the workflow is written.
func TestValidateOperands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, op, value, says string }{
		{"NUMBER", "EQUAL", "five", "must be a number"},
		{"NUMBER", "IN", "1,x", "must be a number"},
		{"NUMBER", "BETWEEN", "1,x", "must be a number"},
		{"NUMBER", "BETWEEN", "1", "must hold two bounds"},
		{"NUMBER", "LIKE", "any text", ""},
		{"NUMBER", "IN", "[1, 2.5]", ""},
		{"DATE", "LARGER", "yesterday", "must be an ISO 8601 date"},
		{"DATE", "LARGER", "2025-13-01", "must be an ISO 8601 date"},
		{"DATE", "NOT_BETWEEN", "2025-01-01,2025-01-02T10:00Z", ""},
		{"BOOLEAN", "EQUAL", "1", "must be true or false"},
		{"BOOLEAN", "NOT_EQUAL", "True", ""},
		{"TEXT", "EQUAL", "", ""},
		{"GROUP", "NOT_BETWEEN", "a,b,c", "must hold two bounds"},
	} {
		p := &fault.Problems{}
		condition.ValidateFilters(p, "filters", []condition.StepFilter{{Type: c.kind, Value: "OR", Children: []condition.FieldFilterPart{
			{Field: "a", On: "payload", Operator: c.op, Value: c.value},
		}}}, nil)
		if c.says == "" {
			require.NoError(t, p.Err(), "%+v", c)
			continue
		}
		require.Equal(t, []string{"filters.0.children.0.value"}, workflowtest.Paths(t, p.Err()), "%+v", c)
		require.ErrorContains(t, p.Err(), c.says, "%+v", c)
	}
}

func TestValidateStepFields(t *testing.T) {
	t.Parallel()
	for field, says := range map[string]string{
		"mail.read": "", "mail.unseen": "", "mail.response": "", "mail.response.a.b": "",
		"later.read":         "no earlier step is named later",
		"later.response.a":   "no earlier step is named later",
		"mail":               "must be <stepId>.<state>",
		"mail.opened":        "must be <stepId>.<state>",
		"mail.responses":     "must be <stepId>.<state>",
		".read":              "no earlier step is named",
		"mail.response.read": "",
	} {
		p := &fault.Problems{}
		condition.ValidateFilters(p, "filters", []condition.StepFilter{{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{
			{Field: field, On: "step", Operator: "LIKE", Value: "x"},
		}}}, []string{"mail"})
		if says == "" {
			require.NoError(t, p.Err(), field)
			continue
		}
		require.Equal(t, []string{"filters.0.children.0.field"}, workflowtest.Paths(t, p.Err()), field)
		require.ErrorContains(t, p.Err(), says, field)
	}
}

func TestFilterBounds(t *testing.T) {
	t.Parallel()
	part := condition.FieldFilterPart{Field: "a", On: "payload", Operator: "EQUAL", Value: "1"}
	filters := func(groups, children int) (list []condition.StepFilter) {
		for range groups {
			list = append(list, condition.StepFilter{Type: "GROUP", Value: "AND", Children: make([]condition.FieldFilterPart, children)})
			for i := range children {
				list[len(list)-1].Children[i] = part
			}
		}
		return list
	}
	check := func(groups, children int) []string {
		p := &fault.Problems{}
		condition.ValidateFilters(p, "steps.0.filters", filters(groups, children), nil)
		return workflowtest.Paths(t, p.Err())
	}
	require.Empty(t, check(condition.MaxFilters, 1))
	require.Equal(t, []string{"steps.0.filters"}, check(condition.MaxFilters+1, 1))
	require.Empty(t, check(1, condition.MaxFilterChildren))
	require.Equal(t, []string{"steps.0.filters.0.children"}, check(1, condition.MaxFilterChildren+1))
	require.Equal(t, []string{"steps.0.filters.0.children"}, check(1, 0))
}

// TestParseInstant: without an offset an instant is by the clock of its zone, on both sides of a change of clocks.
func TestParseInstant(t *testing.T) {
	t.Parallel()
	berlin := workflowtest.Zone(t, "Europe/Berlin")
	for text, want := range map[string]string{
		"2025-01-15T09:00":          "2025-01-15T08:00:00Z",
		"2025-07-15T09:00":          "2025-07-15T07:00:00Z",
		"2025-07-15":                "2025-07-14T22:00:00Z",
		"2025-07-15 09:00:30":       "2025-07-15T07:00:30Z",
		"2025-07-15T09:00Z":         "2025-07-15T09:00:00Z",
		"2025-07-15T09:00:00-05:00": "2025-07-15T14:00:00Z",
		"2025-10-26T02:30":          "2025-10-26T00:30:00Z", // happens twice: the first
		" 2025-07-15T09:00:00.5 ":   "2025-07-15T07:00:00.5Z",
	} {
		at, ok := condition.ParseInstant(text, berlin)
		require.True(t, ok, text)
		require.Equal(t, want, at.UTC().Format(time.RFC3339Nano), text)
	}
	for _, text := range []string{"", "now", "15.07.2025", "2025-07-15T25:00", "1752570000", "2025-7-1", "2025-07-15T09"} {
		_, ok := condition.ParseInstant(text, berlin)
		require.False(t, ok, text)
	}
}

// The trace keeps the operands, so they are cut.
func TestReasonsAreShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 5_000)
	list := make([]any, 5_000)
	for i := range list {
		list[i] = fmt.Sprint(i)
	}
	for name, v := range map[string]any{"Text": long, "List": list, "Object": map[string]any{"k": long}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := condition.StepFilter{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{{On: "payload", Field: "v", Operator: "IN", Value: long}}}
			_, reason := f.Evaluate(condition.FilterData{Payload: map[string]any{"v": v}})
			require.Less(t, len(reason.String()), 2_000)
			require.True(t, strings.ToValidUTF8(reason.String(), "?") == reason.String(), "cut between characters")
		})
	}
}
