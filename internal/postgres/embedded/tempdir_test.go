package embedded_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/embedded"
)

// TestAbandonedDirectories: of the directories of a pattern, those go whose process was killed, with the server that it left.
func TestAbandonedDirectories(t *testing.T) {
	t.Parallel()
	pattern := "carillon-" + rand.Text() + "-*"
	made := func() string {
		dir, err := embedded.TempDir(pattern, embedded.RAMDisk()...)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
		return dir
	}
	begun, abandoned, foreign := made(), made(), made()
	require.NoError(t, os.WriteFile(filepath.Join(foreign, "postgres.lock"), []byte("1\n"), 0o600))
	stays := []string{begun} // its process has not come to its lock
	if os.Getuid() == 0 {
		require.NoError(t, os.Lchown(foreign, 1, 1))
		stays = append(stays, foreign)
	}
	parent, postmaster := startParent(t, abandoned)
	embedded.RemoveAbandoned(t.Context(), pattern)
	require.NoError(t, syscall.Kill(postmaster, 0), "its process lives")
	require.DirExists(t, filepath.Join(abandoned, "postgres"))

	require.NoError(t, parent.Process.Kill())
	require.Error(t, parent.Wait())
	embedded.RemoveAbandoned(t.Context(), pattern)
	require.NoDirExists(t, abandoned)
	for _, dir := range stays {
		require.DirExists(t, dir)
	}
}
