package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
)

// TestMigrateTellsWhatIsPending looks at an empty database, twice, then at a migrated one.
func TestMigrateTellsWhatIsPending(t *testing.T) {
	t.Parallel()
	steps, err := postgres.Migrations()
	require.NoError(t, err)
	env := []string{"CARILLON_DATABASE_URL=" + pgtest.EmptyURL(t), "CARILLON_SECRET_KEY=" + secret.Generate()}
	for range 2 {
		stdout, stderr, code := run(t, env, "migrate", "--status")
		require.Equal(t, 2, code, stderr)
		require.Equal(t, len(steps), strings.Count(stdout, "pending"))
	}
	stdout, stderr, code := run(t, env, "migrate", "--plan")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, `CREATE TABLE "messages"`)
	require.Contains(t, stdout, "-- warning: CREATE INDEX", "of a later file")

	_, stderr, code = run(t, env, "migrate")
	require.Zero(t, code, stderr)
	stdout, stderr, code = run(t, env, "migrate", "--status")
	require.Zero(t, code, stderr)
	require.NotContains(t, stdout, "pending")
	require.Equal(t, len(steps), strings.Count(stdout, "Z  20"), "each with the time it was applied")
	stdout, stderr, code = run(t, env, "migrate", "--plan")
	require.Zero(t, code, stderr)
	require.Empty(t, stdout)
	_, _, code = run(t, env, "migrate", "--plan", "--status")
	require.Equal(t, 2, code, "one or the other")
}
