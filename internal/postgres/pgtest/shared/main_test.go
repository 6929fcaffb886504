package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestAnnounce holds the address of a server of one name at the same place in each run, so that results of tests are kept, and leaves
// that place to the server that has it.
func TestAnnounce(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	announced := func(name, dsn string) (file string) {
		t.Helper()
		file, err := announce(t.Context(), name, dsn)
		require.NoError(t, err)
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, dsn, string(content))
		return file
	}

	dsn := pgtest.EmptyURL(t)
	first := announced("tests", "postgres://127.0.0.1:1/gone")
	require.NotEqual(t, first, announced("more", dsn), "a server of another name")
	require.Equal(t, first, announced("tests", dsn), "the first server does not answer any more")
	require.NotEqual(t, first, announced("tests", dsn), "the second does")
}
