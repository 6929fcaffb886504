package workflow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

func TestProviderPrefix(t *testing.T) {
	t.Parallel()
	for inside, outside := range map[string]string{
		"svc": "acme", "svc-email": "acme-email", "svc-sms": "acme-sms", "svc-slack": "acme-slack", "ses": "ses", "slack": "slack",
	} {
		require.Equal(t, outside, workflow.ProviderIDOut("acme", inside))
		require.Equal(t, inside, workflow.ProviderIDIn("acme", outside))
		require.Equal(t, inside, workflow.ProviderIDIn("acme", inside), "svc is always read")
		require.Equal(t, inside, workflow.ProviderIDOut("", inside))
	}
	require.Equal(t, "acme-fax", workflow.ProviderIDIn("acme", "acme-fax"))
	require.Equal(t, "acme-cloud-v1", workflow.OriginOut("acme", workflow.OriginCloudV1))
	require.Equal(t, "svc-cloud", workflow.OriginOut("", workflow.OriginCloud))
	require.Equal(t, "external", workflow.OriginOut("acme", workflow.OriginExternal))
}
