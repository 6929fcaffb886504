package admission

import (
	"context"
	"math"
	"time"

	"github.com/carillon/carillon/internal/viewer"
)

// Gates are those of a server: operations that accept events wait for who writes them, and all others for the database.
// Subscriptions wait only to begin.
type Gates struct{ Accept, Work, Begin *Gate }

const (
	// beginsAtOnce leaves the database to other calls when all clients of a server come back together.
	beginsAtOnce = 16
	// beginWait is long, because clients take a subscription that is refused for ended, and do not try again.
	beginWait = 5 * time.Minute
)

// NewGates are the gates of a server on which calls wait so long.
func NewGates(wait time.Duration) Gates {
	return Gates{
		Accept: New(Config{Wait: wait, Spare: true}), Work: New(Config{Wait: wait, Work: 500 * time.Millisecond, Spare: true}),
		Begin: New(Config{Wait: beginWait, Least: beginsAtOnce, Most: beginsAtOnce, Queue: math.MaxInt}), // Seats bound how many there are
	}
}

// RequestOf is a request of a viewer. People who logged in are operators of the service: they are let in whatever waits.
func RequestOf(v viewer.Viewer) Request {
	return Request{Environment: v.EnvironmentID, Always: v.SessionID != ""}
}

// StrangersRequest is a request without a credential: a log-in, or the use of a link.
func StrangersRequest(ctx context.Context) Request {
	return Request{Environment: viewer.Network(ctx), Stranger: true}
}

// Enter waits at the gate of a call.
func (g Gates) Enter(ctx context.Context, r Request) (leave func(), err error) {
	switch {
	case r.Begins:
		return g.Begin.Enter(ctx, r)
	case r.Accepts:
		return g.Accept.Enter(ctx, r)
	}
	return g.Work.Enter(ctx, r)
}
