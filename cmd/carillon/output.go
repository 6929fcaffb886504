package main

import (
	"errors"
	"os"
	"sync"
	"syscall"
)

// raw is standard output, for bytes that are no text; commands print texts to stdout.
var raw = &output{}

// output writes to standard output and keeps the first error, so that a command whose output was lost cannot end as if all were well:
// a plan without its end reads as a smaller one, and the link of an invitation is printed only once.
type output struct {
	mu     sync.Mutex
	failed error
}

func (o *output) Write(text []byte) (int, error) {
	n, err := os.Stdout.Write(text)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.failed == nil {
			o.failed = err
		}
	}
	return n, err //nolint:wrapcheck // it says what failed
}

// err is the first error, except that the reader had read enough, such as head.
func (o *output) err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if errors.Is(o.failed, syscall.EPIPE) {
		return nil
	}
	return o.failed
}
