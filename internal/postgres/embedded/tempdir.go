package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// temporary is where TempDir makes directories when none is preferred.
func temporary() []string { return []string{os.TempDir(), "/tmp", "/var/tmp"} }

// TempDir makes a new temporary data directory that the database's user can reach, wherever TMPDIR points: in one of the
// preferred places, else in the usual ones. The caller removes it; see RemoveAbandoned.
func TempDir(pattern string, preferred ...string) (string, error) {
	var refused error
	for _, base := range append(preferred, temporary()...) {
		dir, err := os.MkdirTemp(base, pattern)
		if err == nil {
			err = os.Chmod(dir, 0o711) // the database's user passes through
		}
		if err != nil {
			refused = errors.Join(refused, err)
			continue
		}
		who, err := chooseAccount(filepath.Join(dir, "postgres"))
		if err != nil {
			return "", errors.Join(err, os.Remove(dir))
		}
		if blocker := who.blocked(dir); who.switched && blocker != "" {
			refused = errors.Join(refused, os.Remove(dir), &UnreachableError{Path: dir, Blocker: blocker, Account: who.name, Setting: "TMPDIR"})
			continue
		}
		return dir, nil
	}
	return "", fmt.Errorf("no temporary directory for a database: %w", refused)
}

// RemoveAbandoned removes the data directories of this user that TempDir made from the same pattern, whose processes were killed before
// they could, and ends the servers that they left. What cannot be removed stays.
func RemoveAbandoned(ctx context.Context, pattern string) {
	for _, base := range slices.Concat(inMemory, temporary()) {
		dirs, _ := filepath.Glob(filepath.Join(base, pattern)) // it fails for a bad pattern only
		for _, dir := range dirs {
			_ = removeAbandoned(ctx, dir)
		}
	}
}

func removeAbandoned(ctx context.Context, dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err //nolint:wrapcheck // it names the directory
	}
	stat, known := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !known || int(stat.Uid) != os.Getuid() {
		return nil // others can take such a name where everybody may write
	}
	at, err := newLayout(dir)
	if err != nil {
		return err
	}
	// Until its process has the lock, the file is missing or empty.
	if holder, err := os.ReadFile(at.lock); err != nil || len(holder) == 0 {
		return err //nolint:wrapcheck // it names the file
	}
	lock, err := acquire(at)
	if err != nil {
		return err
	}
	defer release(lock)
	if err := stopOrphans(ctx, at.cluster, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	at.removeSocket()
	return os.RemoveAll(dir) //nolint:wrapcheck // it names the file
}
