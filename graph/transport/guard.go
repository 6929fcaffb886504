package transport

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// guard checks the credentials of open connections again: when keys or tokens of their environment change, and every
// reauthEvery. A connection ends with its credential, and when that no longer has the rights with which the connection began.
// It ends with the server, too. A guard keeps one goroutine for each environment that has any.
type guard struct {
	auth    *auth.Authenticator
	hub     *realtime.Hub   // nil: every reauthEvery only
	closing <-chan struct{} // closed when the server stops; nil: it does not

	mu         sync.Mutex
	sessions   map[string]map[*session]struct{} // by environment
	generation int                              // grows with each change of keys and tokens
}

// session is the credential of one open connection.
type session struct {
	header string
	viewer viewer.Viewer // as which the connection's operations run
	end    context.CancelCauseFunc
}

var (
	errCredential = errors.New("the credential has ended, or has other rights")
	errStopping   = errors.New("the server stops")
)

const (
	// concurrentChecks is how many credentials are checked at once.
	concurrentChecks = 8
	// checkTimeout bounds the check of one; when the database is away, credentials stay valid.
	checkTimeout = 10 * time.Second
)

func newGuard(authenticator *auth.Authenticator, hub *realtime.Hub, closing <-chan struct{}) *guard {
	return &guard{auth: authenticator, hub: hub, closing: closing, sessions: map[string]map[*session]struct{}{}}
}

// current returns the generation of keys and tokens.
func (g *guard) current() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.generation
}

// add begins to guard a credential that was valid in generation since. missed reports whether it may have changed after that.
func (g *guard) add(environmentID string, s *session, since int) (missed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	missed = g.generation != since
	if g.sessions[environmentID] == nil {
		g.sessions[environmentID] = map[*session]struct{}{}
		var watch *realtime.Watch
		if g.hub != nil {
			watch = g.hub.Watch(realtime.Access(environmentID))
		}
		go g.keep(environmentID, watch)
		missed = true
	}
	g.sessions[environmentID][s] = struct{}{}
	return missed
}

func (g *guard) remove(environmentID string, s *session) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sessions[environmentID], s)
}

// keep guards an environment until it has no connections left, or the server stops.
func (g *guard) keep(environmentID string, watch *realtime.Watch) {
	var changes <-chan struct{}
	if watch != nil {
		changes = watch.C
		defer watch.Close()
	}
	again := time.NewTicker(reauthEvery)
	defer again.Stop()
	for {
		select {
		case <-changes:
		case <-again.C:
		case <-g.closing:
			g.endAll(environmentID)
			return
		}
		present := g.present(environmentID)
		if present == nil {
			return
		}
		g.check(present)
	}
}

// present returns the credentials that have to be checked; nil when there are no connections left.
func (g *guard) present(environmentID string) []*session {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.generation++
	if len(g.sessions[environmentID]) == 0 {
		delete(g.sessions, environmentID)
		return nil
	}
	return slices.Collect(maps.Keys(g.sessions[environmentID]))
}

// endAll ends the connections of an environment, since the server stops. One that is added later ends by a goroutine of its own.
func (g *guard) endAll(environmentID string) {
	g.mu.Lock()
	ending := g.sessions[environmentID]
	delete(g.sessions, environmentID)
	g.mu.Unlock()
	for s := range ending {
		s.end(errStopping)
	}
}

func (g *guard) check(present []*session) {
	var checks sync.WaitGroup
	for part := range slices.Chunk(present, (len(present)+concurrentChecks-1)/concurrentChecks) {
		checks.Go(func() {
			for _, s := range part {
				ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
				v, err := g.auth.AuthenticateAny(ctx, s.header)
				cancel()
				if err != nil && fault.KindOf(err) != fault.Unavailable || err == nil && !v.SameRights(s.viewer) {
					s.end(errCredential)
				}
			}
		})
	}
	checks.Wait()
}
