package run

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// recent are names that were added in the last while, at most so many of them. Unlike an expirable list it has no clock of its own that ticks
// when there is nothing to do.
type recent struct {
	until *lru.Cache[string, time.Time]
	lasts time.Duration
}

func newRecent(most int, lasts time.Duration) recent {
	until, _ := lru.New[string, time.Time](most) // fails for a size below 1 only
	return recent{until, lasts}
}

func (r recent) add(name string) { r.until.Add(name, time.Now().Add(r.lasts)) }

func (r recent) has(name string) bool {
	until, ok := r.until.Peek(name)
	return ok && time.Now().Before(until)
}
