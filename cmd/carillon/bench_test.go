package main_test

import (
	"bufio"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestBenchFloor: the floor that bench starts says where it listens.
func TestBenchFloor(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), binary(t), "bench-floor")
	cmd.Env = append(cmd.Environ(), "CARILLON_BENCH_DSN="+pgtest.NewURL(t))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer func() { _ = cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	require.Regexp(t, `^http://127\.0\.0\.1:\d+$`, lines.Text())
}
