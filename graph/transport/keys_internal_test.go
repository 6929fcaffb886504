package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/viewer"
)

// TestWhoseRepetitions names the viewers whose idempotency keys count, and what distinguishes them.
func TestWhoseRepetitions(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]viewer.Viewer{
		"k":        {APIKeyID: "k", UserID: "u"},
		"person u": {SessionID: "s", UserID: "u"},
	} {
		require.Equal(t, want, credential(v))
	}
	require.Empty(t, credential(viewer.Viewer{SubscriberID: "s"}))
	require.Empty(t, credential(viewer.Viewer{OrganizationKeyID: "o"}))
	require.Empty(t, credential(viewer.Viewer{SessionID: "s", UserID: "u", Enrolling: true}), "the second factor is set up without one")
}
