package engine

import (
	"context"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/postgres"
)

// virtualWakeInterval makes a clock that was moved be noticed at once.
const virtualWakeInterval = 20 * time.Millisecond

// virtualClock tells the time of environments whose clock stands: the instant that their work has come to, as it was
// read in the transaction that took the work. Until that work is done no other process goes beyond it, so what is
// remembered holds for as long as anybody needs it. All other environments have the time of Clock.
type virtualClock struct {
	Clock
	mu sync.RWMutex
	at map[string]time.Time
}

// Now is the environment's time; that of "" is the time of Clock.
func (c *virtualClock) Now(environmentID string) time.Time {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if at, stands := c.at[environmentID]; stands {
		return at
	}
	return c.Clock.Now(environmentID)
}

// stands reports whether the environment's clock stood when it was read last.
func (e *Engine) stands(environmentID string) bool {
	c, virtual := e.Clock.(*virtualClock)
	if !virtual {
		return false
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, stands := c.at[environmentID]
	return stands
}

// setVirtualTimes remembers what the clocks of environments were just read to have come to.
func (e *Engine) setVirtualTimes(environments map[string]*postgres.EnvironmentRow) {
	c, virtual := e.Clock.(*virtualClock)
	if !virtual {
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

// moment is by which clock due rows are judged now.
func (e *Engine) moment() postgres.Moment {
	return postgres.Moment{Now: e.Clock.Now(""), Virtual: e.DB.VirtualClocks}
}

// readClocks learns how far the clocks of environments have come.
func (e *Engine) readClocks(ctx context.Context, q postgres.Querier, environments []string) error {
	if !e.DB.VirtualClocks {
		return nil
	}
	world, err := postgres.LoadSnapshot(ctx, q, postgres.SnapshotQuery{Environments: environments, Virtual: true})
	if err == nil {
		e.setVirtualTimes(world.Environments)
	}
	return err
}

// timeIn is the time of an environment, read anew.
func (e *Engine) timeIn(ctx context.Context, environmentID string) (time.Time, error) {
	err := e.readClocks(ctx, e.DB.Pool, []string{environmentID})
	return e.Clock.Now(environmentID).UTC().Truncate(time.Microsecond), err
}
