package workflow_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

func TestChannelCredentialsMerge(t *testing.T) {
	t.Parallel()
	stored := workflow.ChannelCredentials{WebhookURL: "https://a.example", Title: "kept", DeviceTokens: []string{"1", "2"}}

	merged := stored.Merge(workflow.ChannelCredentials{WebhookURL: "https://b.example", DeviceTokens: []string{"2", "3"}})

	require.Equal(t, workflow.ChannelCredentials{
		WebhookURL: "https://b.example", Title: "kept", DeviceTokens: []string{"1", "2", "3"},
	}, merged)
	require.Equal(t, []string{"1", "2"}, stored.DeviceTokens, "the stored value is not touched")
	require.Equal(t, []string{"1", "3"}, merged.Without([]string{"2", "9"}).DeviceTokens)
}

func TestChannelCredentialsMergeKeepsTheNewestTokens(t *testing.T) {
	t.Parallel()
	var tokens []string
	for i := range workflow.MaxDeviceTokens {
		tokens = append(tokens, strconv.Itoa(i))
	}
	merged := workflow.ChannelCredentials{DeviceTokens: tokens}.Merge(workflow.ChannelCredentials{DeviceTokens: []string{"new"}})
	require.Len(t, merged.DeviceTokens, workflow.MaxDeviceTokens)
	require.Equal(t, "1", merged.DeviceTokens[0])
	require.Equal(t, "new", merged.DeviceTokens[workflow.MaxDeviceTokens-1])
}

func TestRegisteredFollowsTheTokens(t *testing.T) {
	t.Parallel()
	before, now := time.Unix(1, 0), time.Unix(2, 0)
	r := workflow.Registered{"old": before, "again": before, "gone": before}
	require.Equal(t, workflow.Registered{"old": before, "again": now, "new": now},
		r.With([]string{"unknown", "old", "again", "new"}, []string{"again", "new"}, now))
	require.Empty(t, r.With(nil, nil, time.Time{}))
}
