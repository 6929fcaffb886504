package embedded

import (
	"os"
	"strings"
	"sync"
)

// maxLog bounds the server's log file; one older file of that size is kept beside it.
const maxLog = 8 << 20

// boundedLog writes the server's output to a file that cannot fill the disk, and remembers its end for error messages.
// A log that cannot be written never stops the server.
type boundedLog struct {
	path string

	mu   sync.Mutex
	file *os.File
	size int64
	last []byte
}

// Write appends p. It always reports success: a failing log must not end the copy that keeps the server's pipe empty.
func (l *boundedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = append(l.last, p...)
	l.last = l.last[max(0, len(l.last)-4096):]
	if l.file == nil || l.size > maxLog {
		l.open()
	}
	if l.file != nil {
		n, _ := l.file.Write(p)
		l.size += int64(n)
	}
	return len(p), nil
}

func (l *boundedLog) open() {
	if l.file != nil {
		_ = l.file.Close()
		l.file = nil
	}
	if info, err := os.Stat(l.path); err == nil && info.Size() > maxLog {
		_ = os.Rename(l.path, l.path+".1")
	}
	l.size = 0
	if f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		l.file = f
		if info, err := f.Stat(); err == nil {
			l.size = info.Size()
		}
	}
}

func (l *boundedLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		_ = l.file.Close()
		l.file = nil
	}
}

func (l *boundedLog) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.TrimSpace(string(l.last))
}
