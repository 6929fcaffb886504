package pgtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/stall"
)

func TestNewIsMigratedAndAlone(t *testing.T) {
	t.Parallel()
	one, other := pgtest.New(t), pgtest.New(t)
	status, err := one.Status(t.Context())
	require.NoError(t, err)
	require.NoError(t, status.Err())

	_, err = one.Pool.Exec(t.Context(), `CREATE TABLE mine (n int)`)
	require.NoError(t, err)
	_, err = other.Pool.Exec(t.Context(), `SELECT n FROM mine`)
	require.ErrorContains(t, err, "does not exist")
}

func TestEmptyHasNoSchema(t *testing.T) {
	t.Parallel()
	status, err := pgtest.Open(t, pgtest.EmptyURL(t)).Status(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, status.Pending)
}

// TestServerEndsWithTheTests runs this binary once more, lets it be killed, and looks for what it left.
func TestServerEndsWithTheTests(t *testing.T) {
	t.Parallel()
	const told = "CARILLON_PGTEST_TELL"
	if file := os.Getenv(told); file != "" {
		require.NoError(t, os.WriteFile(file, []byte(pgtest.DataDir(t)), 0o600))
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGKILL))
	}
	file := filepath.Join(t.TempDir(), "dir")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestServerEndsWithTheTests$")
	cmd.Env = append(os.Environ(), told+"="+file, "CARILLON_TEST_DATABASE_URL=")
	require.Error(t, cmd.Run())
	dir, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotEmpty(t, dir)
	require.Eventually(t, func() bool { _, err := os.Stat(string(dir)); return os.IsNotExist(err) }, stall.Limit(2*time.Minute), 20*time.Millisecond)
}

func BenchmarkNew(b *testing.B) {
	pgtest.NewURL(b)
	for b.Loop() {
		pgtest.NewURL(b)
	}
}
