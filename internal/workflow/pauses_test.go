package workflow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

// TestPausesHoldWhatTheyName: each kind holds what it names, and what that consists of.
func TestPausesHoldWhatTheyName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pause               workflow.Pause
		event, run, message bool
	}{
		{workflow.Pause{Kind: workflow.PauseEnvironment}, true, true, true},
		{workflow.Pause{Kind: workflow.PauseWorkflow, Target: "w"}, true, true, true},
		{workflow.Pause{Kind: workflow.PauseBroadcast, Target: "e"}, true, true, true},
		{workflow.Pause{Kind: workflow.PauseSubscriber, Target: "s"}, false, true, true},
		{workflow.Pause{Kind: workflow.PauseIntegration, Target: "i"}, false, false, true},
		{workflow.Pause{Kind: workflow.PauseChannel, Target: "sms"}, false, false, true},
		{workflow.Pause{Kind: workflow.PauseWorkflow, Target: "e"}, false, false, false},
		{workflow.Pause{Kind: workflow.PauseSubscriber, Target: "w"}, false, false, false},
		{workflow.Pause{Kind: workflow.PauseChannel, Target: "email"}, false, false, false},
	} {
		all := workflow.Pauses{{Kind: workflow.PauseIntegration, Target: "another"}, c.pause}
		require.Equal(t, []bool{c.event, c.run, c.message}, []bool{
			all.Event("w", "e") != nil, all.Run("w", "e", "s") != nil, all.Message("w", "e", "s", "i", workflow.ChannelSMS) != nil,
		}, c.pause)
	}
}
