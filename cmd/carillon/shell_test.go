package main_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
)

// TestCompletion asks the program what a shell asks: names of commands, of their parts, and flags.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"carillon ser": "serve", "carillon keys ": "create", "carillon serve --database-u": "--database-url",
	} {
		c := exec.CommandContext(t.Context(), binary(t))
		c.Env = append(c.Environ(), "COMP_LINE="+line)
		out, err := c.Output()
		require.NoError(t, err, line)
		require.Contains(t, strings.Fields(string(out)), want, line)
	}
	out, _, code := run(t, nil, "completion", "bash", "-c")
	require.Zero(t, code)
	require.Contains(t, out, "complete -o default")
}

// TestManualPage: commands and settings that help shows are in the page, hidden ones are not.
func TestManualPage(t *testing.T) {
	t.Parallel()
	out, _, code := run(t, nil, "man")
	require.Zero(t, code)
	page := strings.ReplaceAll(out, `\-`, "-")
	require.True(t, strings.HasPrefix(page, ".TH CARILLON 1 "))
	for _, word := range []string{"serve", "worker", "migrate", "--database-url", "--secret-key"} {
		require.Contains(t, page, word)
	}
	require.NotContains(t, page, "bench-floor")
}

// TestReady asks a process that serves, and an address where none does.
func TestReady(t *testing.T) {
	t.Parallel()
	p := serve(t, child.Config{DataDir: dataDir(t), Key: newKey()})
	out, log, code := run(t, []string{"CARILLON_ADDR=" + p.Addr}, "ready")
	require.Zero(t, code, log)
	require.Empty(t, out+log)
	_, log, code = run(t, []string{"CARILLON_ADDR=127.0.0.1:1"}, "ready")
	require.Equal(t, 1, code)
	require.Contains(t, log, "nothing listens at http://127.0.0.1:1/readyz")
}
