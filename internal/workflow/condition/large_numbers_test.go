package condition_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// TestLargeNumbersInFilters: whole numbers that are the same as doubles differ (semantics.md §11.8).
func TestLargeNumbersInFilters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, v, op, value string
		want               bool
	}{
		{"GROUP", `1234567890123456700`, "EQUAL", "1234567890123456789", false},
		{"GROUP", `1234567890123456800`, "EQUAL", "1234567890123456789", false}, // as a double prints it
		{"GROUP", `1234567890123456789`, "EQUAL", "1234567890123456789", true},
		{"GROUP", `1234567890123456789`, "EQUAL", " 1234567890123456789.0 ", true},
		{"GROUP", `12345678901234567890`, "EQUAL", "12345678901234567891", false},
		{"GROUP", `9007199254740992`, "EQUAL", "9007199254740993", false},
		{"GROUP", `9007199254740992`, "EQUAL", "9.007199254740992e15", true},
		{"TEXT", `1234567890123456700`, "EQUAL", "1234567890123456789", false},
		{"TEXT", `1234567890123456700`, "NOT_EQUAL", "1234567890123456789", true},
		{"NUMBER", `1234567890123456700`, "NOT_EQUAL", "1234567890123456789", true},
		{"NUMBER", `"1234567890123456700"`, "EQUAL", "1234567890123456789", false},
		{"NUMBER", `1234567890123456700`, "SMALLER", "1234567890123456789", true},
		{"NUMBER", `1234567890123456700`, "LARGER_EQUAL", "1234567890123456789", false},
		{"NUMBER", `-1234567890123456700`, "LARGER", "-1234567890123456789", true},
		{"NUMBER", `1234567890123456788`, "BETWEEN", "1234567890123456789,1234567890123456790", false},
		{"NUMBER", `1234567890123456789`, "BETWEEN", "1234567890123456789,1234567890123456790", true},
		{"GROUP", `1234567890123456700`, "ANY_IN", "5,1234567890123456789", false},
		{"GROUP", `1234567890123456700`, "ANY_IN", "[5, 1234567890123456789]", false},
		{"GROUP", `1234567890123456789`, "IN", "[5, 1234567890123456789]", true},
		{"GROUP", `[1234567890123456700]`, "NOT_IN", "1234567890123456789", true},
		{"GROUP", `[1234567890123456700, 1234567890123456789]`, "ALL_IN", "1234567890123456789", true},
		{"GROUP", `1`, "EQUAL", "1e0", true},
	} {
		f := condition.StepFilter{Type: c.kind, Value: "AND", Children: []condition.FieldFilterPart{{On: "payload", Field: "v", Operator: c.op, Value: c.value}}}
		pass, reason := f.Evaluate(condition.FilterData{Payload: stored(t, `{"v":`+c.v+`}`)})
		require.Equal(t, c.want, pass, "%s\n%s", c.kind, reason)
	}
}

func TestLargeNumbersInRules(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]bool{
		`{"==":[{"var":"id"},1234567890123456789]}`: false, `{"==":[{"var":"id"},1234567890123456700]}`: true,
		`{"==":[{"var":"id"},"1234567890123456789"]}`: false, `{"==":[{"var":"id"},"1234567890123456700"]}`: true,
		`{"!=":[{"var":"id"},1234567890123456789]}`: true, `{"===":[{"var":"id"},1234567890123456789]}`: false,
		`{"!==":[{"var":"id"},1234567890123456789]}`: true, `{"in":[{"var":"id"},[1234567890123456789]]}`: false,
		`{"<":[{"var":"id"},1234567890123456789]}`: true, `{">=":[{"var":"id"},1234567890123456789]}`: false,
		`{">":[{"var":"id"},1234567890123456789]}`: false, `{"<=":[1234567890123456699,{"var":"id"},1234567890123456701]}`: true,
		`{"<":[1234567890123456699,{"var":"id"},1234567890123456700]}`: false,
		`{"==":[{"*":[1073741824,1073741824]},1152921504606846976]}`:   true, // what is computed is a double
		`{"==":[1,"1.0"]}`: true, `{"==":[1,1e0]}`: true, `{"===":[1,1.0]}`: true, `{"<":["x",1234567890123456789]}`: false,
	} {
		pass, reason := condition.EvaluateRule(stored(t, rule), condition.RuleData{Payload: stored(t, `{"id":1234567890123456700}`)})
		require.Equal(t, want, pass, "%s\n%s", rule, reason)
	}
}

// stored is an object as it is read from the database.
func stored(t *testing.T, raw string) (object map[string]any) {
	t.Helper()
	require.NoError(t, jsonnum.Unmarshal([]byte(raw), &object))
	return object
}
