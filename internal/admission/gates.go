package admission

import (
	"context"
	"runtime"
	"time"

	"github.com/carillon/carillon/internal/viewer"
)

// Gates are those of a server: operations that accept events wait for who writes them, log-ins for those who compare
// passwords, which takes long on purpose, and all others for the database.
type Gates struct{ Accept, Work, LogIn *Gate }

// NewGates are the gates of a server on which calls wait so long. Comparing passwords has half of the processors.
func NewGates(wait time.Duration) Gates {
	logIns := max(1, runtime.GOMAXPROCS(0)/2)
	return Gates{
		Accept: New(Config{Wait: wait}), Work: New(Config{Wait: wait, Work: 500 * time.Millisecond}),
		LogIn: New(Config{Wait: logInWait, Least: logIns, Most: logIns}),
	}
}

// logInWait is how long a person waits for others to log in.
const logInWait = 5 * time.Second

// CallOf is a call of a viewer. People who logged in are operators of the service: they are let in whatever waits.
func CallOf(v viewer.Viewer) Call {
	return Call{Environment: v.EnvironmentID, Always: v.SessionID != ""}
}

// Enter waits at the gate of a call.
func (g Gates) Enter(ctx context.Context, c Call) (leave func(), err error) {
	switch {
	case c.LogIn:
		c.Environment = viewer.Address(ctx) // addresses take turns
		return g.LogIn.Enter(ctx, c)
	case c.Accepts:
		return g.Accept.Enter(ctx, c)
	}
	return g.Work.Enter(ctx, c)
}
