package workflow_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func TestProviderPrefixInRequests(t *testing.T) {
	t.Parallel()
	const overrides = `{"acme-email":{"a":1},"providers":{"acme-sms":{}},"steps":{"s":{"layoutId":null,"providers":{"acme":{}}},"x":5},"email":{}}`
	in := workflowtest.Decode(t, overrides)
	got, err := json.Marshal(workflow.CanonicalOverrides("acme", in))
	require.NoError(t, err)
	require.JSONEq(t, `{"svc-email":{"a":1},"providers":{"svc-sms":{}},"steps":{"s":{"layoutId":null,"providers":{"svc":{}}},"x":5},"email":{}}`, string(got))
	require.Equal(t, workflowtest.Decode(t, overrides), in)
	require.Equal(t, 5.0, workflow.CanonicalOverrides("acme", 5.0))
}
