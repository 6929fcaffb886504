package accept

import (
	"context"
	"errors"
	"log/slog"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
)

// flush decides and commits requests, and sets what became of them.
func (a *Acceptor) flush(ctx context.Context, requests []*queuedRequest) {
	commit := func(decide deciding) error {
		return postgres.Retry(ctx, func(ctx context.Context) error {
			err := a.tryGroup(ctx, requests, decide)
			for n := 0; n < 2 && pgaccept.Overtaken(err); n++ { // by a change or another request, which is found now
				if !pgaccept.Repeated(err) {
					requests = a.giveBack(requests)
				}
				err = a.tryGroup(ctx, requests, a.decide)
			}
			return err
		})
	}
	err := commit(a.assume)
	if postgres.IsLocked(err) {
		if groups := byEnvironment(requests); len(groups) > 1 { // what one environment waits for holds up no other
			for _, own := range groups {
				a.flush(ctx, own)
			}
			return
		}
		a.leaveToFanOut(requests)
	}
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) && forgetPlans(requests) {
		if err = commit(a.decide); err == nil { // otherwise it was not the plans, and the requests tell
			a.Logger.WarnContext(ctx, "events are stored before they are planned", slog.Int("requests", len(requests)), slog.Any("error", refused))
		}
	}
	switch {
	case err == nil:
	case len(requests) == 1 && len(requests[0].Items) == 1, isAway(err):
		fail(requests, postgres.Translate(err))
	default: // one of them is bad, and must not fail its neighbours
		if requests = a.giveBack(requests); len(requests) == 0 { // they come again
			return
		}
		a.Logger.WarnContext(ctx, "a group of events was refused, writing them one by one", slog.Int("requests", len(requests)), slog.Any("error", err))
		for _, r := range requests {
			if err := state.RecoverPanic(func() error { return a.commitEach(ctx, r) }); err != nil {
				r.err = postgres.Translate(err)
			}
		}
	}
}

// tryGroup is commitGroup, where a panic is an error as well: that of one of the requests, which must not fail its neighbours.
func (a *Acceptor) tryGroup(ctx context.Context, requests []*queuedRequest, decide deciding) error {
	return state.RecoverPanic(func() error { return a.commitGroup(ctx, requests, decide) })
}

// isAway reports whether err is the database's, and no request's.
func isAway(err error) bool {
	return fault.KindOf(postgres.Translate(err)) == fault.Unavailable && !postgres.IsMove(err) && !postgres.IsLocked(err)
}

func fail(requests []*queuedRequest, err error) {
	for _, r := range requests {
		r.err = err
	}
}

// How long a commit waits for a row that another transaction holds: a transactionId, a tenant, what a plan changes. Others wait for the
// commit, and the other transaction may be stuck.
const (
	lockWait = "500ms"
	// lockWaitAlone is that of one event, after its group has waited in vain.
	lockWaitAlone = "50ms"
)

// byEnvironment parts requests by their environments.
func byEnvironment(requests []*queuedRequest) (groups [][]*queuedRequest) {
	at := map[string]int{}
	for _, r := range requests {
		environmentID := r.environment()
		k, seen := at[environmentID]
		if !seen {
			k = len(groups)
			at[environmentID], groups = k, append(groups, nil)
		}
		groups[k] = append(groups[k], r)
	}
	return groups
}

// leaveToFanOut lets the planner leave the events of the requests' environment to the fan-out for a while.
func (a *Acceptor) leaveToFanOut(requests []*queuedRequest) {
	if a.planning != nil {
		a.planning.planner.Held(requests[0].Items[0].EnvironmentID)
	}
}
