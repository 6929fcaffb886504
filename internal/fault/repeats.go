package fault

import (
	"errors"
	"sync"
	"time"
)

// Repeats tells a fault that has been logged already, such as a database that is away, from a new one. Every loop meets it again with each
// try, and a log with a line for each would show nothing else. The zero value is ready.
type Repeats struct {
	mu   sync.Mutex
	said map[string]time.Time // by the cause
	left int
}

const (
	sayEvery   = 10 * time.Second // while a fault lasts
	mostCauses = 16               // within sayEvery
)

// Say reports whether err is to be logged at now, and how many were not since the last time. Errors of one cause are one fault, whatever was
// tried: the first is logged, and one every ten seconds.
func (r *Repeats) Say(err error, now time.Time) (left int, ok bool) {
	cause := innermost(err).Error()
	r.mu.Lock()
	defer r.mu.Unlock()
	for other, at := range r.said {
		if now.Sub(at) >= sayEvery {
			delete(r.said, other)
		}
	}
	if _, said := r.said[cause]; said || len(r.said) >= mostCauses {
		r.left++
		return 0, false
	}
	if r.said == nil {
		r.said = map[string]time.Time{}
	}
	r.said[cause] = now
	left, r.left = r.left, 0
	return left, true
}

// innermost is what err wraps last, without what was tried and where.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if several, ok := err.(interface{ Unwrap() []error }); ok && len(several.Unwrap()) > 0 {
			next = several.Unwrap()[0]
		}
		if next == nil {
			return err
		}
		err = next
	}
}
