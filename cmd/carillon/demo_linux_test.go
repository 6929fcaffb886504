package main_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/stall"
)

// TestKilledDemoLeavesNothing: the next demo removes the data directory of one that was killed.
func TestKilledDemoLeavesNothing(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), binary(t), "demo", "--limit", stall.Limit(time.Minute).String())
	cmd.Env = append(cmd.Environ(), "CARILLON_DATABASE_URL=")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for ready := false; !ready && lines.Scan(); {
		ready = strings.Contains(lines.Text(), "127.0.0.1:")
	}
	dir, serving := demoDirectory(t, cmd.Process.Pid)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool { return !running(serving) }, stall.Limit(30*time.Second), 10*time.Millisecond)
	require.DirExists(t, dir)

	stdout, stderr, code := run(t, []string{"CARILLON_DATABASE_URL="}, "demo", "--limit", stall.Limit(time.Minute).String())
	require.Zero(t, code, "%s\n%s", stdout, stderr)
	require.NoDirExists(t, dir)
}

// demoDirectory is the data directory of the Carillon that a demo has started, and that Carillon's process.
func demoDirectory(t *testing.T, demo int) (dir, serving string) {
	t.Helper()
	for _, base := range []string{"/dev/shm", os.TempDir(), "/tmp", "/var/tmp"} {
		locks, err := filepath.Glob(filepath.Join(base, "carillon-demo-*", "postgres.lock"))
		require.NoError(t, err)
		for _, lock := range locks {
			pid, _ := os.ReadFile(lock) //nolint:gosec // a file of the demo's
			serving = strings.TrimSpace(string(pid))
			status, _ := os.ReadFile("/proc/" + serving + "/status")
			if strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", demo)) {
				return filepath.Dir(lock), serving
			}
		}
	}
	t.Fatal("the demo has no data directory")
	return "", ""
}

func running(pid string) bool {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	return err == nil && !strings.Contains(string(status), "\nState:\tZ")
}
