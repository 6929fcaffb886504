package state

import (
	"math/rand/v2"
	"time"
)

const deferMost = 5 * time.Minute

// Deferral is for how long work is deferred that has waited for some time, because the server that it calls is slow. It grows with that, so
// that much work for a server which hangs for long is seldom looked at.
func Deferral(waited, least time.Duration) time.Duration {
	pause := min(max(waited/4, least), deferMost)
	return pause + rand.N(pause/2) //nolint:gosec // spreads load, guards nothing
}
