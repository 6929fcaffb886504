package embedded

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReleasedWhileAProgramStarts: a data directory that was given back is free at once, also while a program that this process
// starts still holds a copy of the file of the lock.
func TestReleasedWhileAProgramStarts(t *testing.T) {
	t.Parallel()
	at := layout{root: t.TempDir()}
	at.lock = filepath.Join(at.root, "postgres.lock")
	first, err := acquire(at)
	require.NoError(t, err)
	held, err := syscall.Dup(int(first.Fd())) // as between fork and exec
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Close(held) })
	_, err = acquire(at)
	require.ErrorIs(t, err, ErrLocked)
	release(first)
	again, err := acquire(at)
	require.NoError(t, err)
	release(again)
	require.FileExists(t, at.lock)
	_, err = acquire(layout{root: at.root, lock: filepath.Join(at.root, "none", "lock")})
	require.ErrorIs(t, err, os.ErrNotExist)
}
