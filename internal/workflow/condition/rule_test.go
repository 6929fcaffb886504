package condition_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func ruleHolds(tb testing.TB, rule string, payload string) (bool, *condition.ReasonNode) {
	tb.Helper()
	return condition.EvaluateRule(workflowtest.Object(tb, rule), condition.RuleData{Payload: workflowtest.Object(tb, payload)})
}

func TestRuleOperators(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{
		`{"==":[1,1]}`, `{"==":[1,"1"]}`, `{"==":[0,false]}`, `{"!=":[1,2]}`, `{"!==":[1,"1"]}`, `{"===":["a","a"]}`,
		`{"!":[[]]}`, `{"!":0}`, `{"!!":["0"]}`, `{"!":[""]}`, `{"!":[{"var":"nope"}]}`,
		`{">":[2,1]}`, `{">":["11",2]}`, `{"<":["a","b"]}`, `{"<":[1,2,3]}`, `{"<=":[1,1,3]}`, `{"!":{"<":[1,1,3]}}`,
		`{"!":{">":["foo",2]}}`, `{">=":[2,2]}`,
		`{"===":[{"+":[1,"2",3]},6]}`, `{"===":[{"-":[5,2]},3]}`, `{"===":[{"-":5},-5]}`, `{"===":[{"*":[2,3,4]},24]}`,
		`{"===":[{"/":[4,2]},2]}`, `{"===":[{"%":[101,2]},1]}`, `{"===":[{"max":[1,3,2]},3]}`, `{"===":[{"min":[1,3,2]},1]}`,
		`{"===":[{"+":"3.14"},3.14]}`,
		`{"===":[{"if":[false,"a",false,"b","c"]},"c"]}`, `{"===":[{"if":[true,"a"]},"a"]}`, `{"===":[{"if":[]},null]}`,
		`{"===":[{"?:":[false,1,2]},2]}`,
		`{"===":[{"and":[1,0,3]},0]}`, `{"===":[{"and":[1,3]},3]}`, `{"===":[{"or":[0,"",2]},2]}`,
		`{"===":[{"cat":["I love"," ",1.5]},"I love 1.5"]}`, `{"===":[{"substr":["jsonlogic",4]},"logic"]}`,
		`{"===":[{"substr":["jsonlogic",-5]},"logic"]}`, `{"===":[{"substr":["jsonlogic",1,3]},"son"]}`,
		`{"===":[{"substr":["jsonlogic",4,-2]},"log"]}`, `{"===":[{"substr":["äöü",1,1]},"ö"]}`,
		`{"in":["Spring","Springfield"]}`, `{"in":[2,[1,2]]}`, `{"!":{"in":["2",[1,2]]}}`, `{"!":{"in":[1,null]}}`,
		`{"===":[{"var":"a.b.1"},"y"]}`, `{"===":[{"var":["nope",26]},26]}`, `{"===":[{"var":"payload.a.c"},1]}`,
		`{"!":{"missing":["a","n"]}}`, `{"===":[{"var":{"cat":["n",""]}},1]}`,
		`{"===":[{"reduce":[{"missing":["n","x","y"]},{"+":[{"var":"accumulator"},1]},0]},2]}`,
		`{"!":{"missing_some":[1,["n","x"]]}}`, `{"!!":{"missing_some":[2,["n","x"]]}}`,
		`{"===":[{"reduce":[{"var":"nums"},{"+":[{"var":"current"},{"var":"accumulator"}]},0]},6]}`,
		`{"in":[6,{"map":[{"var":"nums"},{"*":[{"var":""},2]}]}]}`,
		`{"===":[{"reduce":[{"filter":[{"var":"nums"},{">":[{"var":""},1]}]},{"+":[{"var":"current"},{"var":"accumulator"}]},0]},5]}`,
		`{"all":[{"var":"nums"},{">":[{"var":""},0]}]}`, `{"!":{"all":[[],true]}}`, `{"none":[{"var":"nums"},{">":[{"var":""},3]}]}`,
		`{"some":[{"var":"people"},{"==":[{"var":"age"},30]}]}`, `{"none":[[],true]}`, `{"!":{"some":[[],true]}}`,
		`{"in":[3,{"merge":[[1,2],3]}]}`,
	} {
		pass, reason := ruleHolds(t, rule, `{"n":1,"a":{"b":["x","y"],"c":1},"nums":[1,2,3],"people":[{"age":30}]}`)
		require.True(t, pass, "%s\n%s", rule, reason)
	}
}

func TestRuleBlocks(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{
		"MissingInAnd":     `{"and":[{"var":"payload.vip"},true]}`,
		"NumberResult":     `{"+":[1,1]}`,
		"TextResult":       `{"var":"payload.s"}`,
		"Null":             `{"var":"nope"}`,
		"EmptyRule":        `{}`,
		"TwoOperators":     `{"==":[1,1],"!=":[1,2]}`,
		"UnknownOperator":  `{"method":["x","toString"]}`,
		"Log":              `{"log":true}`,
		"DivisionByZero":   `{">":[{"/":[1,0]},0]}`,
		"PathThroughText":  `{"==":[{"var":"payload.s.s"},"x"]}`,
		"NegativePosition": `{"==":[{"var":"payload.list.-1"},2]}`,
		"ItemHidesPayload": `{"some":[{"var":"payload.list"},{"==":[{"var":"s"},"x"]}]}`,
		"TruthyNumber":     `{"or":[0,1]}`,
		"BadMissingSome":   `{"missing_some":["x"]}`,
		"BadVariable":      `{"var":[["a"]]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pass, reason := ruleHolds(t, rule, `{"s":"x","list":[1,2]}`)
			require.False(t, pass, reason.String())
			require.False(t, reason.Result)
		})
	}
}

// A payload is data even where it looks like a rule.
func TestRuleDoesNotRunData(t *testing.T) {
	t.Parallel()
	pass, _ := ruleHolds(t, `{"var":"payload.x"}`, `{"x":{"==":[1,1]}}`)
	require.False(t, pass)
	pass, _ = ruleHolds(t, `{"if":[{"var":"payload.x"},{"var":"payload.x"},false]}`, `{"x":{"!":[false]}}`)
	require.False(t, pass)
}

func TestRuleRoots(t *testing.T) {
	t.Parallel()
	data := condition.RuleData{
		Payload: workflowtest.Object(t, `{"tier":"gold","subscriber":"shadow"}`), Subscriber: workflowtest.Object(t, `{"locale":"de"}`),
		Actor: workflowtest.Object(t, `{"subscriberId":"a"}`), Context: map[string]any{"region": "eu"},
	}
	for _, rule := range []string{
		`{"==":[{"var":"tier"},"gold"]}`, `{"==":[{"var":"payload.tier"},"gold"]}`, `{"==":[{"var":"subscriber.locale"},"de"]}`,
		`{"==":[{"var":"actor.subscriberId"},"a"]}`, `{"==":[{"var":"context.region"},"eu"]}`,
	} {
		pass, reason := condition.EvaluateRule(workflowtest.Object(t, rule), data)
		require.True(t, pass, "%s\n%s", rule, reason)
	}
}

func TestRuleReason(t *testing.T) {
	t.Parallel()
	_, reason := ruleHolds(t, `{"and":[{">":[{"var":"total"},10]},{"in":[{"var":"tier"},["gold"]]}]}`, `{"total":20,"tier":"iron"}`)
	require.Equal(t, "false: and\n  true: total = 20 > 10\n  false: tier = \"iron\" in [\"gold\"]", reason.String())
	_, err := json.Marshal(reason)
	require.NoError(t, err)
}

func TestRuleBounds(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"!":`, 40) + "true" + strings.Repeat("}", 40)
	require.Error(t, condition.CheckRule(workflowtest.Object(t, deep)))
	wide := `{"and":[` + strings.TrimSuffix(strings.Repeat("true,", 3000), ",") + `]}`
	require.Error(t, condition.CheckRule(workflowtest.Object(t, wide)))
	require.Error(t, condition.CheckRule(map[string]any{"==": []any{strings.Repeat("x", 70_000), 1}}))

	list := make([]any, 5000)
	loop := workflowtest.Object(t, `{"some":[{"var":"payload.l"},{"some":[[1,2,3,4,5,6,7,8,9,10],{"some":[[1,2,3,4,5,6,7,8,9,10],{"==":[1,2]}]}]}]}`)
	pass, reason := condition.EvaluateRule(loop, condition.RuleData{Payload: map[string]any{"l": list}})
	require.False(t, pass)
	require.Contains(t, reason.String(), "too many steps")

	double := workflowtest.Object(t, `{"!!":{"reduce":[{"var":"payload.l"},{"cat":[{"var":"accumulator"},{"var":"accumulator"}]},"xxxxxxxx"]}}`)
	pass, reason = condition.EvaluateRule(double, condition.RuleData{Payload: map[string]any{"l": list}})
	require.False(t, pass)
	require.Contains(t, reason.String(), "must not exceed")
}

// FuzzRule: no rule panics or hangs, and the reason always agrees with the result.
func FuzzRule(f *testing.F) {
	for _, s := range []string{
		`{"and":[{">":[{"var":"n"},1]},{"in":["a",{"var":"payload.l"}]}]}`, `{"reduce":[[1,2],{"+":[{"var":"current"},{"var":"accumulator"}]},0]}`,
		`{"substr":["x",-9,99999999999]}`, `{"var":{"var":{"var":""}}}`, `{"missing":[[["a"]]]}`, `{"if":[1,{},2]}`, `{"merge":{"merge":1}}`,
		`{"max":[]}`, `{"%":[1,0]}`, `{"cat":{"a":1}}`, `{"all":1}`, `{"missing_some":[1e99,["a"]]}`,
	} {
		f.Add(s)
	}
	payload := map[string]any{"n": 2.0, "l": []any{"a", nil, map[string]any{"var": "n"}}, "s": "x"}
	f.Fuzz(func(t *testing.T, raw string) {
		var rule map[string]any
		if json.Unmarshal([]byte(raw), &rule) != nil {
			t.Skip()
		}
		pass, reason := condition.EvaluateRule(rule, condition.RuleData{Payload: payload})
		require.Equal(t, pass, reason.Result)
		require.NotContains(t, reason.Note, "evaluation failed")
		_ = reason.String()
	})
}
