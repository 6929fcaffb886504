package admission

import (
	"context"
	"time"

	"github.com/carillon/carillon/internal/viewer"
)

// Gates are those of a server: operations that accept events wait for who writes them, and all others for the database.
type Gates struct{ Accept, Work *Gate }

// NewGates are the gates of a server on which calls wait so long.
func NewGates(wait time.Duration) Gates {
	return Gates{Accept: New(Config{Wait: wait}), Work: New(Config{Wait: wait, Work: 500 * time.Millisecond})}
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
	if r.Accepts {
		return g.Accept.Enter(ctx, r)
	}
	return g.Work.Enter(ctx, r)
}
