package activity

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// Clocks are the use cases of environments' clocks. They can only be moved with CARILLON_CLOCK=virtual, and never in a
// production environment.
type Clocks struct{ usecase.Deps }

// Current is the clock of the viewer's environment.
func (c *Clocks) Current(ctx context.Context) (*usecase.EnvironmentClock, error) {
	v, err := usecase.Require(ctx, usecase.AnyCredential)
	if err != nil {
		return nil, err
	}
	env, err := c.Environment(ctx, v)
	if err != nil {
		return nil, err
	}
	return c.ClockOf(ctx, v, env)
}

// settleWithin and settleEvery bound how long a move waits for what it made due, and how often it looks.
const (
	settleWithin = time.Minute
	settleEvery  = 10 * time.Millisecond
)

// Set sets and stops the clock at an instant, which may be earlier: nothing fires again. With settle it waits, at most a
// minute, until everything that is due is done.
func (c *Clocks) Set(ctx context.Context, to time.Time, settle bool) (*usecase.EnvironmentClock, error) {
	return c.move(ctx, settle, func(time.Time) (*time.Time, error) { return &to, nil })
}

// Advance moves the clock forward and stops it there: by an ISO 8601 duration or to an instant, exactly one of which is
// given.
func (c *Clocks) Advance(ctx context.Context, by *string, to *time.Time, settle bool) (*usecase.EnvironmentClock, error) {
	if (by == nil) == (to == nil) {
		return nil, fault.Invalidf("by", "give exactly one of by and to")
	}
	return c.move(ctx, settle, func(now time.Time) (*time.Time, error) {
		if to != nil {
			if to.Before(now) {
				return nil, fault.Invalidf("to", "is before the clock's time, %s; use setClock to set it back", now.Format(time.RFC3339Nano))
			}
			return to, nil
		}
		period, err := calendar.ParsePeriod(*by)
		if err != nil {
			return nil, fault.Invalidf("by", "%s", err.Error())
		}
		end := period.After(now)
		return &end, nil
	})
}

// Reset lets the clock run with the real one again.
func (c *Clocks) Reset(ctx context.Context) (*usecase.EnvironmentClock, error) {
	return c.move(ctx, false, func(time.Time) (*time.Time, error) { return nil, nil })
}

// move changes the time of the clock, in one transaction that holds the environment's row, so that of two moves at the
// same time each builds on the other.
func (c *Clocks) move(ctx context.Context, settle bool, to func(now time.Time) (*time.Time, error)) (*usecase.EnvironmentClock, error) {
	clock, err := usecase.Write(ctx, c.Deps, usecase.ManageEnvironment, func(ctx context.Context, db *ent.Client) (*usecase.EnvironmentClock, error) {
		v, _ := viewer.FromContext(ctx)
		env, err := db.Environment.Query().Where(environment.ID(v.EnvironmentID)).ForUpdate().Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "Environment %s was not found.", v.EnvironmentID)
		}
		switch {
		case !c.DB.VirtualClocks:
			return nil, fault.Conflictf("CLOCK_IS_REAL", "This server runs on real time: start it with CARILLON_CLOCK=virtual to move clocks.")
		case !c.Movable(env):
			return nil, fault.Conflictf("CLOCK_IS_REAL", "Environment %s is for production: its clock cannot be moved.", env.Identifier)
		}
		now := c.Stamp()
		if env.ClockAt != nil {
			now = env.ClockAt.UTC()
		}
		at, err := to(now)
		if err != nil {
			return nil, err
		}
		change, clock := env.Update().ClearClockAt(), &usecase.EnvironmentClock{Now: c.Stamp(), Virtual: true}
		if at != nil {
			clock.Now, clock.Frozen = at.UTC().Truncate(time.Microsecond), true
			change = env.Update().SetClockAt(clock.Now)
		}
		if env, err = change.Save(ctx); err != nil {
			return nil, err
		}
		if clock.Now.Before(now) {
			if err := cutTimes(ctx, db, clock.Now); err != nil {
				return nil, err
			}
		}
		return clock, usecase.Audit(ctx, db, "move_clock", env, map[string]any{"from": now, "to": at})
	})
	if err != nil || !settle {
		return clock, err
	}
	return c.settle(ctx)
}

// cutTimes takes back what breakers and paces of the environment's integrations have set for a time that lies ahead once
// the clock is set back, and that would hold their calls until it comes again.
func cutTimes(ctx context.Context, db *ent.Client, now time.Time) error {
	if err := db.Integration.Update().Where(integration.PacedUntilGT(now)).ClearPacedUntil().Exec(ctx); err != nil {
		return err
	}
	if err := db.Integration.Update().Where(integration.BreakerProbeAtGT(now)).SetBreakerProbeAt(now).Exec(ctx); err != nil {
		return err
	}
	return db.Integration.Update().Where(integration.BreakerOpenedAtGT(now)).SetBreakerOpenedAt(now).Exec(ctx)
}

// settle waits until everything that is due is done, and reports whether it is.
func (c *Clocks) settle(ctx context.Context) (*usecase.EnvironmentClock, error) {
	ctx, cancel := context.WithTimeout(ctx, settleWithin)
	defer cancel()
	tick := time.NewTicker(settleEvery)
	defer tick.Stop()
	for {
		clock, err := c.Current(context.WithoutCancel(ctx))
		if err != nil || clock.Settled {
			return clock, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return clock, nil
		}
	}
}
