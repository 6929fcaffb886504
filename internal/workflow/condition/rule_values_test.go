package condition_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

// TestRuleConversions holds what values count as, which is what they count as in JavaScript but for empty lists.
func TestRuleConversions(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]bool{
		`{"!!":[null]}`: false, `{"!!":[false]}`: false, `{"!!":[0]}`: false, `{"!!":[""]}`: false, `{"!!":[[]]}`: false,
		`{"!!":[true]}`: true, `{"!!":[-1]}`: true, `{"!!":[" "]}`: true, `{"!!":[[0]]}`: true, `{"!!":[{"var":"object"}]}`: true,
		`{"!!":[]}`: false, `{"!":[]}`: true,

		`{"==":[null,null]}`: true, `{"==":[null,0]}`: false, `{"==":[null,false]}`: false, `{"==":[null,""]}`: false,
		`{"==":["",0]}`: true, `{"==":[" ",0]}`: true, `{"==":[true,1]}`: true, `{"==":[true,"1"]}`: true, `{"==":[true,"true"]}`: false,
		`{"==":["1.0",1]}`: true, `{"==":["1.0","1"]}`: false, `{"==":["x",0]}`: false, `{"==":[[1],[1]]}`: false, `{"==":[[1],1]}`: false,
		`{"!=":[null,0]}`: true, `{"==":[1]}`: false, `{"==":[]}`: true,

		`{"===":[1,1.0]}`: true, `{"===":[1,true]}`: false, `{"===":[true,true]}`: true, `{"===":[false,null]}`: false, `{"===":[null,null]}`: true,
		`{"===":["1",1]}`: false, `{"===":[[],[]]}`: false, `{"!==":[[],[]]}`: true, `{"!==":[null,false]}`: true,

		`{"<":[null,1]}`: true, `{"<":[false,true]}`: true, `{"<":["2","10"]}`: false, `{"<":["2",10]}`: true, `{"<":["x",1]}`: false,
		`{">=":["x",1]}`: false, `{">=":[null,0]}`: true, `{"<=":["b","b"]}`: true, `{">":["b","a"]}`: true, `{">":["b","b"]}`: false,
		`{"<":[1,1,2]}`: false, `{"<":[1,2,2]}`: false, `{"<=":[1,2,2]}`: true, `{"<=":[2,1,3]}`: false, `{"<":[[],1]}`: false,

		`{"in":[1,"a1b"]}`: true, `{"in":[true,"is true"]}`: true, `{"in":[null,"null"]}`: false, `{"in":[[],""]}`: false,
		`{"in":["","x"]}`: true, `{"in":[null,[null]]}`: true, `{"in":[1]}`: false, `{"in":["a",{"var":"object"}]}`: false,
	} {
		pass, reason := ruleHolds(t, rule, `{"object":{"a":1}}`)
		require.Equal(t, want, pass, "%s\n%s", rule, reason)
	}
}

// TestRuleResults holds what the operators compute beyond a plain true or false.
func TestRuleResults(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		`{"+":[]}`: `0`, `{"*":[]}`: `1`, `{"+":["1.5",1]}`: `2.5`, `{"-":[null]}`: `-0`, `{"-":["7","2"]}`: `5`, `{"%":[-5,3]}`: `-2`,
		`{"max":["3",2]}`: `3`, `{"min":[null,2]}`: `0`, `{"max":[true,0]}`: `1`,
		`{"cat":[]}`: `""`, `{"cat":["a",null,true,1]}`: `"atrue1"`, `{"cat":["l:",[1,"x"]]}`: `"l:[1,\"x\"]"`,
		`{"substr":["abc",5]}`: `""`, `{"substr":["abc",-9]}`: `"abc"`, `{"substr":["abc",0,-9]}`: `""`, `{"substr":["abc",1,99]}`: `"bc"`,
		`{"substr":["abc","x"]}`: `"abc"`, `{"substr":[12345,1,2]}`: `"23"`, `{"substr":[null,0]}`: `""`,
		`{"merge":[]}`: `[]`, `{"merge":[1,[2,[3]],null]}`: `[1,2,[3],null]`,
		`{"missing":[]}`: `[]`, `{"missing":["n","gone"]}`: `["gone"]`, `{"missing":[["gone","empty"]]}`: `["gone","empty"]`, `{"missing":[true]}`: `[true]`,
		`{"missing_some":[1,["gone","n"]]}`: `[]`, `{"missing_some":[2,["gone","n"]]}`: `["gone"]`, `{"missing_some":[0,["gone"]]}`: `[]`,
		`{"var":["gone","else"]}`: `"else"`, `{"var":["empty","else"]}`: `""`, `{"var":["list.1"]}`: `2`, `{"var":"payload.n"}`: `1`,
		`{"if":[0,"a"]}`: `null`, `{"if":["only"]}`: `"only"`, `{"and":[]}`: `null`, `{"or":[]}`: `null`, `{"or":[0,""]}`: `""`,
		`{"map":[{"var":"list"},{"+":[{"var":""},1]}]}`: `[2,3,4]`, `{"map":[{"var":"gone"},1]}`: `[]`, `{"map":[{"var":"list"}]}`: `[null,null,null]`,
		`{"filter":[{"var":"list"},{">":[{"var":""},1]}]}`: `[2,3]`, `{"filter":[{"var":"n"},true]}`: `[]`,
		`{"reduce":[{"var":"list"},{"var":"current"}]}`: `3`, `{"reduce":[{"var":"gone"},1,{"var":"n"}]}`: `1`, `{"reduce":[[],1]}`: `null`,
	} {
		_, reason := ruleHolds(t, rule, `{"n":1,"empty":"","list":[1,2,3]}`)
		require.Equal(t, "not a boolean: "+want, reason.Note, rule)
		require.False(t, reason.Result, rule)
	}
}

// TestRuleErrors holds the errors that a trace shows of a condition that could not be evaluated.
func TestRuleErrors(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		`{"matches":["a","b"]}`:         `unknown operator "matches"`,
		`{"==":[{"nope":1},1]}`:         `unknown operator "nope"`,
		`{"if":[{"nope":1},1]}`:         `unknown operator "nope"`,
		`{"and":[true,{"nope":1}]}`:     `unknown operator "nope"`,
		`{"some":[[1],{"nope":1}]}`:     `unknown operator "nope"`,
		`{"some":[{"nope":1},true]}`:    `unknown operator "nope"`,
		`{"reduce":[{"nope":1},1,0]}`:   `unknown operator "nope"`,
		`{"reduce":[[1],{"nope":1},0]}`: `unknown operator "nope"`,
		`{"reduce":[[1],1,{"nope":1}]}`: `unknown operator "nope"`,
		`{"some":[]}`:                   "needs a list",
		`{"reduce":[]}`:                 "needs a list",
		`{"var":[[1]]}`:                 "the name of a variable must be a text or a number",
		`{"missing_some":[1]}`:          "needs a number and a list",
		`{"missing_some":["x",["a"]]}`:  "needs a number and a list",
		`{"missing_some":[1,"a"]}`:      "needs a number and a list",
		`{"/":[1,0]}`:                   "not a number",
		`{"%":[1,0]}`:                   "not a number",
		`{"+":["",1]}`:                  "not a number",
		`{"*":[null,1]}`:                "not a number",
		`{"-":["x"]}`:                   "not a number",
		`{"max":[]}`:                    "not a number",
		`{"min":["x"]}`:                 "not a number",
	} {
		pass, reason := ruleHolds(t, rule, `{}`)
		require.False(t, pass, rule)
		require.Contains(t, reason.String(), want, rule)
		require.Equal(t, "error: "+want, reason.Note, rule)
	}
}

// TestDecidedOperandsAreNotEvaluated: what an operator does not need cannot make it fail.
func TestDecidedOperandsAreNotEvaluated(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{
		`{"or":[true,{"nope":1}]}`, `{"!":{"and":[false,{"nope":1}]}}`, `{"if":[true,true,{"nope":1}]}`, `{"if":[false,{"nope":1},true]}`,
		`{"none":[[],{"nope":1}]}`, `{"if":[true,true,{"nope":1},1]}`,
	} {
		pass, reason := ruleHolds(t, rule, `{}`)
		require.True(t, pass, "%s\n%s", rule, reason)
	}
}

// nested is a rule of so many objects and arrays within each other; the limit counts both.
func nested(levels int) map[string]any {
	var v any = true
	for range levels - 1 {
		v = []any{v}
	}
	return map[string]any{"!": v}
}

// TestRuleLimits holds each limit of a rule at it and one beyond, with the field named.
func TestRuleLimits(t *testing.T) {
	t.Parallel()
	texts := func(bytes int) map[string]any { return map[string]any{"==": []any{strings.Repeat("x", bytes-2), true}} }
	values := func(n int) map[string]any { return map[string]any{"and": make([]any, n-2)} }
	const large = "must not hold more than 2000 values and 65536 bytes of text"
	for name, c := range map[string]struct {
		rule map[string]any
		want string
	}{
		"Depth":       {nested(condition.MaxRuleDepth), ""},
		"TooDeep":     {nested(condition.MaxRuleDepth + 1), "must not be nested deeper than 32 levels"},
		"Values":      {values(condition.MaxRuleValues), ""},
		"TooMany":     {values(condition.MaxRuleValues + 1), large},
		"Text":        {texts(condition.MaxRuleText), ""},
		"TooMuchText": {texts(condition.MaxRuleText + 1), large},
		"LongName":    {map[string]any{strings.Repeat("k", condition.MaxRuleText+1): true}, large},
		"Nil":         {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p fault.Problems
			condition.ValidateRule(&p, "conditions.0", c.rule)
			if c.want == "" {
				require.NoError(t, p.Err())
				return
			}
			var refused *fault.Error
			require.ErrorAs(t, p.Err(), &refused)
			require.Len(t, refused.Fields, 1)
			require.Equal(t, fault.Field{Path: "conditions.0", Message: c.want}, refused.Fields[0])
			pass, reason := condition.EvaluateRule(c.rule, condition.RuleData{})
			require.False(t, pass, "what is stored beyond the limits blocks")
			require.Equal(t, "error: "+c.want, reason.Note)
		})
	}
}

// TestIterationsSeeTheItemOnly: inside an iteration a variable never falls back to the payload, and does again after it.
func TestIterationsSeeTheItemOnly(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{
		`{"!":{"some":[{"var":"people"},{"==":[{"var":"tier"},"gold"]}]}}`,
		`{"all":[{"var":"people"},{"==":[{"var":"name"},"Ann"]}]}`,
		`{"and":[{"all":[{"var":"people"},{"!!":[{"var":"name"}]}]},{"==":[{"var":"tier"},"gold"]}]}`,
		`{"===":[{"reduce":[{"var":"people"},{"var":"current.name"},"none"]},"Ann"]}`,
		`{"!":{"some":[{"var":"people"},{"!":[{"missing":["tier"]}]}]}}`,
	} {
		pass, reason := ruleHolds(t, rule, `{"tier":"gold","people":[{"name":"Ann"}]}`)
		require.True(t, pass, "%s\n%s", rule, reason)
	}
}

// TestReasonOperands holds what a trace shows of one comparison, and that absent parts are null.
func TestReasonOperands(t *testing.T) {
	t.Parallel()
	_, reason := ruleHolds(t, `{"==":[{"var":"payload.tier"},"gold"]}`, `{"tier":"iron"}`)
	require.Equal(t, new(`"iron"`), reason.LeftText())
	require.Equal(t, new(`"gold"`), reason.RightText())
	require.Equal(t, new("payload.tier"), reason.FieldOrNil())
	require.Nil(t, reason.NoteOrNil())

	_, reason = condition.EvaluateRule(workflowtest.Object(t, `{}`), condition.RuleData{})
	require.Nil(t, reason.LeftText())
	require.Nil(t, reason.RightText())
	require.Nil(t, reason.FieldOrNil())
	require.Equal(t, new("not a boolean: \"object of 0\""), reason.NoteOrNil())
	require.Equal(t, "null", condition.Compact(json.RawMessage("null")))
	require.NotEmpty(t, condition.Compact(make(chan int)), "what is no JSON is shown all the same")
}
