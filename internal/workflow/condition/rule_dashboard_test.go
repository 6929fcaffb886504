package condition

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDashboardOffersTheOperators: the dashboard completes the operators that there are, and marks others.
func TestDashboardOffersTheOperators(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../dashboard/web/src/code/rule-operators.json")
	require.NoError(t, err)
	var offered []string
	require.NoError(t, json.Unmarshal(raw, &offered))
	for _, op := range offered {
		_, err := (&ruleEval{most: maxRuleSteps}).dispatch(op, []any{[]any{}}, nil, nil)
		if err != nil {
			require.NotContains(t, err.Error(), "unknown operator", op)
		}
	}
	require.Subset(t, offered, slices.Collect(maps.Keys(ruleOperators)))
}
