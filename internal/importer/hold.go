package importer

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// ErrHeld says that another run works with a state.
var ErrHeld = errors.New("another import or export is at work here")

// Hold takes the directory of a state for this run, until it is released or the process ends, however it ends: two at once would note
// over each other what they have done, and write to the same places of one file. File systems without locks do without.
func Hold(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("make the directory of the state: %w", err)
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open the directory of the state: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		_ = f.Close()
		return nil, fmt.Errorf("%w, and keeps its state in %s; let it end, or stop it", ErrHeld, dir)
	}
	return func() { _ = f.Close() }, nil
}
