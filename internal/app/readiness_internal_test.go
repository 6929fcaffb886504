package app

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestReadinessSaysWhy(t *testing.T) {
	t.Parallel()
	status, text := readiness(0, false)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "ready", text)
	status, text = readiness(12*time.Second, true)
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, text, "writer has not moved for 12 s")
}
