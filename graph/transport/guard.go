package transport

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/realtime"
)

// guard checks the credentials of open connections again: when keys or tokens of their environment change, and every
// reauthEvery. It keeps one goroutine for each environment that has any.
type guard struct {
	auth *auth.Authenticator
	hub  *realtime.Hub // nil: every reauthEvery only

	mu     sync.Mutex
	passes map[string]map[*pass]struct{} // by environment
	heard  int                           // changes of keys and tokens so far
}

// pass is the credential of one open connection.
type pass struct {
	header string
	end    func()
}

const (
	// concurrentChecks is how many credentials are checked at once.
	concurrentChecks = 8
	// checkTimeout bounds the check of one; when the database is away, credentials stay valid.
	checkTimeout = 10 * time.Second
)

func newGuard(authenticator *auth.Authenticator, hub *realtime.Hub) *guard {
	return &guard{auth: authenticator, hub: hub, passes: map[string]map[*pass]struct{}{}}
}

// changes counts what was heard so far.
func (g *guard) changes() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.heard
}

// add begins to guard a credential. missed reports whether it may have changed since that many changes were heard.
func (g *guard) add(environmentID string, p *pass, since int) (missed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	missed = g.heard != since
	if g.passes[environmentID] == nil {
		g.passes[environmentID] = map[*pass]struct{}{}
		var watch *realtime.Watch
		if g.hub != nil {
			watch = g.hub.Watch(realtime.Access(environmentID))
		}
		go g.keep(environmentID, watch)
		missed = true
	}
	g.passes[environmentID][p] = struct{}{}
	return missed
}

func (g *guard) remove(environmentID string, p *pass) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.passes[environmentID], p)
}

// keep guards an environment until it has no connections left.
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
		}
		present := g.present(environmentID)
		if present == nil {
			return
		}
		g.check(present)
	}
}

// present returns the credentials that have to be checked; nil when there are no connections left.
func (g *guard) present(environmentID string) []*pass {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.heard++
	if len(g.passes[environmentID]) == 0 {
		delete(g.passes, environmentID)
		return nil
	}
	return slices.Collect(maps.Keys(g.passes[environmentID]))
}

func (g *guard) check(present []*pass) {
	var checks sync.WaitGroup
	for part := range slices.Chunk(present, (len(present)+concurrentChecks-1)/concurrentChecks) {
		checks.Go(func() {
			for _, p := range part {
				ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
				v, err := g.auth.AuthenticateAny(ctx, p.header)
				cancel()
				if err != nil && fault.KindOf(err) != fault.Unavailable || v.Enrolling {
					p.end()
				}
			}
		})
	}
	checks.Wait()
}
