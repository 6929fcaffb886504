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

// TestEnvironmentHoldsSettings: a variable named like a flag of a command means something else, unless the help says that it is read.
func TestEnvironmentHoldsSettings(t *testing.T) {
	t.Parallel()
	env := []string{"CARILLON_VERSION=1.2.3", "CARILLON_YES=perhaps", "CARILLON_URL=http://127.0.0.1:1", "CARILLON_API_KEY=k"}
	_, stderr, code := run(t, env, "repair", "replay", "notification", "step")
	require.Equal(t, 1, code, stderr)
	require.Contains(t, stderr, "nothing listens at http://127.0.0.1:1")
	_, stderr, code = run(t, []string{"CARILLON_URL=http://127.0.0.1:1"}, "demo", "--key", "k")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "--url and --key belong together", "the address that the guide exports is not meant")
	_, stderr, code = run(t, []string{"CARILLON_LOG_LEVEL=loud"}, "version")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "--log-level")
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
