package condition_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

// TestRulesTakeLittleMemory evaluates rules of a few hundred characters that hold one list or text many times. Readers may set such a
// rule for their own subscriptions. Without bounds each of them takes more memory than there is.
func TestRulesTakeLittleMemory(t *testing.T) {
	t.Parallel()
	times := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	const accumulator, item = `{"var":"accumulator"}`, `{"var":""}`
	nested := `{"reduce":[[` + times(60, "1") + `],[` + times(10, accumulator) + `],1]}` // ten times itself, sixty times: 10^60 numbers
	doubled := func(value string, n int) string {
		return `{"reduce":[[` + times(n, "1") + `],{"merge":[` + accumulator + `,` + accumulator + `]},[` + value + `]]}`
	}
	text := `"` + strings.Repeat("x", 30_000) + `"`
	for rule, want := range map[string]string{
		`{"!!":[` + nested + `]}`:                "true",
		`{"==":[` + nested + `,` + nested + `]}`: "list of 10",
		nested:                                   "not a boolean",
		`{"!!":[{"cat":[` + nested + `]}]}`:      "must not exceed",
		`{"!!":[{"cat":[{"cat":"x"},` + doubled(text, 3) + `]}]}`:                                        "must not exceed",
		`{"!!":[{"map":[` + doubled(text, 15) + `,{"cat":[` + item + `,` + item + `]}]}]}`:               "too many steps",
		`{"!!":[{"map":[` + doubled(text, 15) + `,{"substr":[` + item + `,1]}]}]}`:                       "too many steps",
		`{"!!":[{"map":[` + doubled(doubled("1", 15), 15) + `,{"merge":[` + item + `,` + item + `]}]}]}`: "too many steps",
	} {
		_, reason := condition.EvaluateRule(workflowtest.Object(t, rule), condition.RuleData{})
		require.Contains(t, reason.String(), want, rule[:min(len(rule), 300)])
		require.Less(t, len(reason.String()), 5_000)
	}
}

// TestBudgetOfAPage: an expensive condition blocks at most the other conditions of its own recipient and expensive ones of later
// recipients, and a page of them takes a fraction of what they would take by themselves.
func TestBudgetOfAPage(t *testing.T) {
	t.Parallel()
	long := make([]any, 100_000)
	data := condition.RuleData{Payload: map[string]any{"list": long, "tier": "gold"}}
	endless := workflowtest.Object(t, `{"all":[{"var":"list"},{"==":[1,1]}]}`)
	lookup := workflowtest.Object(t, `{"!":{"in":["x",{"var":"list"}]}}`)           // some 6,000 steps
	twice := workflowtest.Object(t, `{"and":[{"all":[{"var":"list"},true]},true]}`) // some 100,000
	cheap := workflowtest.Object(t, `{"and":[{"==":[{"var":"tier"},"gold"]},{"!=":[{"var":"payload.tier"},"silver"]}]}`)
	passes := func(b *condition.Budget, rule map[string]any) bool {
		pass, _ := b.Evaluate(rule, data)
		return pass
	}
	budget := &condition.Budget{}
	budget.Next()
	require.True(t, passes(budget, twice))
	require.True(t, passes(budget, cheap))
	require.False(t, passes(budget, twice), "the recipient's own share")
	require.False(t, passes(budget, cheap), "the recipient has taken all its steps")
	for range 10 {
		budget.Next()
		require.False(t, passes(budget, endless))
	}
	budget.Next()
	require.False(t, passes(budget, twice), "the page has taken its steps")
	for range 3 {
		budget.Next()
		require.True(t, passes(budget, lookup))
		require.True(t, passes(budget, cheap))
	}
	fresh := &condition.Budget{}
	fresh.Next()
	require.True(t, passes(fresh, twice))
	require.True(t, passes(nil, twice))
}

// TestRulesReadLongLists: what payloads hold is far from the bounds.
func TestRulesReadLongLists(t *testing.T) {
	t.Parallel()
	ids := make([]any, 50_000)
	for i := range ids {
		ids[i] = fmt.Sprintf("user-%d", i)
	}
	pass, reason := condition.EvaluateRule(workflowtest.Object(t, `{"in":["user-49999",{"var":"ids"}]}`), condition.RuleData{Payload: map[string]any{"ids": ids}})
	require.True(t, pass, reason)
}
