package main_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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

// TestHelp: the settings are shown for what reads them, and not for what asks a running service.
func TestHelp(t *testing.T) {
	t.Parallel()
	for command, settings := range map[string]bool{
		"serve": true, "keys create": true, "types": true, "promote": false, "promote plan": false, "repair pause": false, "plan": false,
	} {
		out, _, code := run(t, nil, append(strings.Fields(command), "--help")...)
		require.Zero(t, code, command)
		require.Contains(t, out, "--help", command)
		require.Equal(t, settings, strings.Contains(out, "--database-url"), command)
	}
	for _, flag := range []string{"--url", "--key", "--part"} {
		out, _, _ := run(t, nil, "promote", "plan", "--help")
		require.Contains(t, out, flag)
	}
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
	p := serveMigrated(t, newKey())
	out, log, code := run(t, []string{"CARILLON_ADDR=" + p.Addr}, "ready")
	require.Zero(t, code, log)
	require.Empty(t, out+log)
	_, log, code = run(t, []string{"CARILLON_ADDR=127.0.0.1:1"}, "ready")
	require.Equal(t, 1, code)
	require.Contains(t, log, "nothing listens at http://127.0.0.1:1/readyz")
}
