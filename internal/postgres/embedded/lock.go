package embedded

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// ErrLocked says that another process runs the server of this data directory.
var ErrLocked = errors.New("the data directory is in use")

// acquire takes the data directory for this process, until it is released or the process ends, however it ends.
func acquire(at layout) (*os.File, error) {
	f, err := os.OpenFile(at.lock, os.O_RDWR|os.O_CREATE, 0o644) // it holds a process id
	if err != nil {
		return nil, fmt.Errorf("lock the data directory: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock the data directory %s: %w", at.root, err)
		}
		holder, _ := io.ReadAll(f)
		return nil, fmt.Errorf("%w: process %s runs the embedded database in %s; stop it, or set CARILLON_DATA_DIR to another directory",
			ErrLocked, strings.TrimSpace(string(holder)), at.root)
	}
	if err := errors.Join(f.Truncate(0), writeAt(f, strconv.Itoa(os.Getpid())+"\n")); err != nil {
		release(f)
		return nil, fmt.Errorf("lock the data directory: %w", err)
	}
	return f, nil
}

// release gives the data directory back. Closing the file alone would not do: a program that this process is about to start
// holds a copy of every open file for a moment, between its fork and its exec, and the lock with it.
func release(f *os.File) {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // of all copies
	_ = f.Close()
}

func writeAt(f *os.File, text string) error {
	_, err := f.WriteAt([]byte(text), 0)
	return err
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	return nil
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}
