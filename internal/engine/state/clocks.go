package state

import (
	"context"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrun"
)

// virtualWakeInterval makes a clock that was moved be noticed at once. The loops together look two hundred times per second
// with it, which is a small part of a core.
const virtualWakeInterval = 50 * time.Millisecond

// Clocks returns the time of environments. Those whose clock is frozen have the instant that their work has come to, as it
// was read in the transaction that took the work. Until that work is done no other process goes beyond it, so the instant
// is right for as long as it is needed. All others have the time of real.
type Clocks struct {
	db   *postgres.DB
	real Clock
	mu   sync.RWMutex
	at   map[string]time.Time // of frozen clocks
}

// Now is the environment's time; that of "" is the real time.
func (c *Clocks) Now(environmentID string) time.Time {
	if at, frozen := c.FrozenAt(environmentID); frozen {
		return at
	}
	return c.real.Now(environmentID)
}

// FrozenAt returns the instant of a clock that was frozen when it was read last.
func (c *Clocks) FrozenAt(environmentID string) (at time.Time, frozen bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	at, frozen = c.at[environmentID]
	return at, frozen
}

// Set keeps what the clocks of environments were just read to have come to.
func (c *Clocks) Set(environments map[string]*pgrun.EnvironmentRow) {
	if !c.db.VirtualClocks {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == nil {
		c.at = map[string]time.Time{}
	}
	for environmentID, env := range environments {
		if env.FrozenAt == nil {
			delete(c.at, environmentID)
		} else {
			c.at[environmentID] = *env.FrozenAt
		}
	}
}

// Moment is by which clock due rows are compared now.
func (c *Clocks) Moment() pgdue.Moment {
	return pgdue.Moment{Now: c.Now(""), Virtual: c.db.VirtualClocks}
}

// Read loads how far the clocks of environments have come.
func (c *Clocks) Read(ctx context.Context, q postgres.Querier, environments []string) error {
	if !c.db.VirtualClocks {
		return nil
	}
	snapshot, err := pgrun.LoadSnapshot(ctx, q, pgrun.SnapshotQuery{Environments: environments, Virtual: true})
	if err == nil {
		c.Set(snapshot.Environments)
	}
	return err
}

// ReadNow loads the time of an environment.
func (c *Clocks) ReadNow(ctx context.Context, environmentID string) (time.Time, error) {
	err := c.Read(ctx, c.db.Pool, []string{environmentID})
	return c.Now(environmentID).UTC().Truncate(time.Microsecond), err
}
