package main_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/secret"
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
		same, _, code := run(t, nil, append([]string{"help"}, strings.Fields(command)...)...)
		require.Zero(t, code, command)
		require.Equal(t, out, same)
	}
	all, _, code := run(t, nil, "help")
	require.Zero(t, code)
	require.Contains(t, all, "Usage: carillon <command>")
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

// TestMisspeltSettingsAreReported: a name that is almost a setting's, and no other that begins like ours.
func TestMisspeltSettingsAreReported(t *testing.T) {
	t.Parallel()
	env := []string{
		"CARILLON_RATE_LIMIT=true", "CARILON_LOG_LEVEL=debug", "CARILLON_RECORD_RETENTON=24h",
		"CARILLON_VERSION=1.2.3", "CARILLON_PORT=tcp://10.0.0.1:80", "CARILLON_HELP=x", "CARILLON_URL=http://127.0.0.1:1", "CARILLON_RATE_TRIGGER=600",
		"CARILLON_DATABASE_URL=postgres://127.0.0.1:1/none", "CARILLON_SECRET_KEY=" + secret.Generate(),
	}
	_, stderr, code := run(t, env, "doctor")
	require.Equal(t, 1, code)
	for variable, setting := range map[string]string{
		"CARILLON_RATE_LIMIT": "CARILLON_RATE_LIMITS", "CARILON_LOG_LEVEL": "CARILLON_LOG_LEVEL", "CARILLON_RECORD_RETENTON": "CARILLON_RECORD_RETENTION",
	} {
		require.Contains(t, stderr, `"variable":"`+variable+`","setting":"`+setting+`"`)
	}
	require.Equal(t, 3, strings.Count(stderr, "no setting has its name"), stderr)
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
