package accept

import (
	"context"
	"runtime"

	"github.com/carillon/carillon/internal/admission"
)

// CheckWriters is what the watchdog does every second.
func (a *Acceptor) CheckWriters(ctx context.Context) { a.checkWriters(ctx) }

// Pending is how many requests wait for the writer of light ones, and how many commits of it are under way.
func (a *Acceptor) Pending() int64 { return a.light.watch.pending.Load() }

// HoldCostly takes all turns of payloads that take long to check, until leave.
func (a *Acceptor) HoldCostly(ctx context.Context) (leave func(), err error) {
	var held []func()
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		one, err := a.versions.costly.Enter(ctx, admission.Request{})
		if err != nil {
			return nil, err //nolint:wrapcheck // of a test
		}
		held = append(held, one)
	}
	return func() {
		for _, one := range held {
			one()
		}
	}, nil
}
