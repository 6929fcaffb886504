package deliver

import (
	"sync"
	"time"
)

// outage tells when the database answers claims again that it has not answered for a while. Leases have ended meanwhile, although their
// processes may be there: these get a moment to record what they were sending, or to extend it, before others take it up. A process that
// begins cannot know whether there was one, and begins with such a moment.
type outage struct {
	mu    sync.Mutex
	since time.Time // when the first of the claims without an answer began; zero: the last one was answered
	until time.Time // when the moment ends
}

// failed hears of a claim without an answer.
func (o *outage) failed(began time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = began
	}
}

// answered hears of a claim that is answered now, and reports whether an outage of at least span has ended within the last span.
func (o *outage) answered(began, now time.Time, span time.Duration) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = began
	}
	if now.Sub(o.since) >= span {
		o.until = now.Add(span)
	}
	o.since = time.Time{}
	return now.Before(o.until)
}
