package usecase

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/viewer"
)

// EnvironmentClock is an environment's clock.
type EnvironmentClock struct {
	Now     time.Time
	Virtual bool // it can be moved
	Frozen  bool // it was set, and is frozen until it is set again
	Settled bool // nothing that is due by it is still to be done
}

// Instant is the time of the viewer's environment. Whoever acts in it needs it, subscribers too.
func (b Deps) Instant(ctx context.Context) (time.Time, error) {
	if !b.DB.VirtualClocks {
		return b.Stamp(), nil
	}
	v, _ := viewer.FromContext(ctx)
	ctx = viewer.InScope(ctx, v.Scope)
	env, err := b.Environment(ctx, v)
	if err != nil {
		return time.Time{}, err
	}
	clock, err := b.ClockOf(ctx, v, env)
	if err != nil {
		return time.Time{}, err
	}
	return clock.Now, nil
}

// Environment is the viewer's environment.
func (b Deps) Environment(ctx context.Context, v viewer.Viewer) (*ent.Environment, error) {
	env, err := b.DB.Client(ctx).Environment.Query().Where(environment.ID(v.EnvironmentID)).Only(ctx)
	return env, postgres.Translate(NotFound(err, "Environment %s was not found.", v.EnvironmentID))
}

// Movable reports whether an environment's clock can be moved.
func (b Deps) Movable(env *ent.Environment) bool {
	return b.DB.VirtualClocks && env.Type != environment.TypeProduction
}

// ClockOf reads the clock of an environment.
func (b Deps) ClockOf(ctx context.Context, v viewer.Viewer, env *ent.Environment) (*EnvironmentClock, error) {
	clock := &EnvironmentClock{Now: b.Stamp(), Virtual: b.Movable(env), Settled: true}
	if !clock.Virtual {
		return clock, nil
	}
	state, err := pgdue.ReadClock(ctx, b.DB, v.Scope)
	if err != nil {
		return nil, err
	}
	if state.At != nil {
		clock.Now, clock.Frozen, clock.Settled = state.At.UTC(), true, !state.Busy
	}
	return clock, nil
}
