package main_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLostOutput: a command fails when what it printed did not arrive, whatever it found.
func TestLostOutput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "topics.yaml"), []byte("news:\n  name: News\n"), 0o600))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"data": {"configurationPlan": {"changes": [{"kind": "TOPIC", "name": "news", "action": "CREATE", "fields": []}], "fingerprint": "f", "issues": []}}}`))
	}))
	t.Cleanup(server.Close)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = full.Close() })
	for _, c := range []struct {
		code int
		args []string
	}{
		{0, []string{"lint", dir}},
		{2, []string{"plan", "--url", server.URL, "--key", "k", dir}},
		{0, []string{"version"}},
	} {
		_, stderr, code := run(t, nil, c.args...)
		require.Equal(t, c.code, code, "%v: %s", c.args, stderr)
		cmd := exec.CommandContext(t.Context(), binary(t), c.args...)
		var log bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &log
		require.Error(t, cmd.Run(), c.args)
		require.Equal(t, 1, cmd.ProcessState.ExitCode(), c.args)
		require.Equal(t, "carillon: cannot write /dev/stdout: no space left on device\n", log.String(), c.args)
	}
}
