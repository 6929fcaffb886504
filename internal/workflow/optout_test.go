package workflow_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

func TestOptOutSurvivesItsLink(t *testing.T) {
	t.Parallel()
	for _, keys := range [][]string{{}, {"region:eu", "tenant:acme ü"}} {
		o := workflow.OptOut{
			EnvironmentID: strings.Repeat("0a", 12), SubscriberID: strings.Repeat("1b", 12), WorkflowID: strings.Repeat("2c", 12),
			MessageID: strings.Repeat("3d", 12), ContextKeys: keys,
		}
		back, ok := workflow.ParseOptOut(o.Text())
		require.True(t, ok)
		require.ElementsMatch(t, keys, back.ContextKeys)
		back.ContextKeys = keys
		require.Equal(t, o, back)
	}
	for _, text := range []string{"", "AAAA", "not base64"} {
		_, ok := workflow.ParseOptOut(text)
		require.False(t, ok, text)
	}
}
