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

// CallOf is a call of a viewer. People who logged in are operators of the service: they are let in whatever waits.
func CallOf(v viewer.Viewer) Call {
	return Call{Environment: v.EnvironmentID, Always: v.SessionID != ""}
}

// StrangersCall is a call without a credential: a log-in, or the use of a link.
func StrangersCall(ctx context.Context) Call {
	return Call{Environment: viewer.Network(ctx), Stranger: true}
}

// Enter waits at the gate of a call.
func (g Gates) Enter(ctx context.Context, c Call) (leave func(), err error) {
	if c.Accepts {
		return g.Accept.Enter(ctx, c)
	}
	return g.Work.Enter(ctx, c)
}
