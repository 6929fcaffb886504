package accept

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
)

// repeatsLast is how long a transactionId that was used again shows that clients repeat their triggers.
const repeatsLast = time.Second

// assume is deciding without the round trip of reading: by how the workflows were last found, and as if no transactionId had been used.
// The commit finds out when that is wrong. Requests of which anything else has to be read are decided as ever.
func (a *Acceptor) assume(ctx context.Context, tx pgx.Tx, requests []*queuedRequest, now time.Time) (decision, error) {
	heads := a.assumed(requests)
	if heads == nil {
		return a.decide(ctx, tx, requests, now)
	}
	events := 0
	for _, r := range requests {
		events += len(r.Items)
	}
	v := validator{facts: pgaccept.AcceptFacts{Workflows: heads}}
	items := v.validate(requests, now)
	if len(items) < events { // an outcome without a write has nothing that verifies it
		return a.decide(ctx, tx, requests, now)
	}
	d := decision{items: items, rest: requests, fresh: true}
	for key, head := range heads {
		d.versions = append(d.versions, pgaccept.EnvironmentVersion{EnvironmentID: key.EnvironmentID, Version: head.Configuration})
	}
	return d, nil
}

// assumed is how the workflows of requests were last found; nil when a request depends on what became of an idempotency key or a
// tenant, too, has a transactionId of its own while clients repeat theirs or that may be one that was generated, or when not all of an environment was found, and planned, by
// one configuration: a commit that verified two would fail for ever.
func (a *Acceptor) assumed(requests []*queuedRequest) map[pgaccept.EnvKey]pgaccept.WorkflowHead {
	if !areGenerated(requests) && a.Now().UnixNano() < a.repeats.Load() {
		return nil
	}
	heads, configurations := map[pgaccept.EnvKey]pgaccept.WorkflowHead{}, map[string]string{}
	agrees := func(environmentID, version string) bool { // with what was seen of the environment before
		if _, seen := configurations[environmentID]; !seen {
			configurations[environmentID] = version
		}
		return configurations[environmentID] == version
	}
	for _, r := range requests {
		if r.Key != nil {
			return nil
		}
		for i := range r.Items {
			in := &r.Items[i]
			head, known := a.versions.latest.Get(in.workflowKey())
			if !known || in.Tenant != nil || in.mayRepeatGenerated() || !agrees(in.EnvironmentID, head.Configuration) {
				return nil
			}
			if plan := r.prepared[i].plan; plan != nil && plan.Profiles() == 0 && !agrees(in.EnvironmentID, plan.Environment().Version) {
				return nil
			}
			heads[in.workflowKey()] = head
		}
		if r.isStale(heads) {
			return nil
		}
	}
	return heads
}

// confirm returns why a request may not be carried out. It may have to be planned again: what its key was assumed to be does not
// allow it, and may be wrong.
func (a *Acceptor) confirm(ctx context.Context, r *queuedRequest) (again bool, err error) {
	if r.Credential == nil {
		return false, nil
	}
	r.assumedKey = r.Credential.Check().Assumed()
	if err = r.Credential.Confirm(ctx); err != nil && r.assumedKey != nil {
		r.Credential.Reset()
		a.doubt([]*queuedRequest{r})
		return true, nil
	}
	return false, err //nolint:wrapcheck // the request's own
}

// giveBack returns the requests without those that rest on what was known and not read: these have not happened, and go back to be
// planned by what is read.
func (a *Acceptor) giveBack(requests []*queuedRequest) (others []*queuedRequest) {
	var assumed []*queuedRequest
	for _, r := range requests {
		if !r.isAssumed() {
			others = append(others, r)
			continue
		}
		r.stale, r.err = true, nil
		assumed = append(assumed, r)
	}
	a.doubt(assumed)
	return others
}

// doubt lets what requests depend on be read: one of the things that were known of their environments was wrong, the commit does not say
// which.
func (a *Acceptor) doubt(requests []*queuedRequest) {
	environments := map[string]bool{}
	for _, r := range requests {
		for i := range r.Items {
			environments[r.Items[i].EnvironmentID] = true
		}
	}
	for environmentID := range environments {
		a.planning.planner.Doubt(environmentID)
	}
}

// isAssumed reports whether a plan of the request, or its key, rests on what was known and not read.
func (r *queuedRequest) isAssumed() bool {
	return r.assumedKey != nil || slices.ContainsFunc(r.prepared, func(p prepared) bool { return p.plan != nil && p.plan.Assumed() })
}

// expect adds to a check what the requests rest on and was not read, and that environments have these versions.
func (a *Acceptor) expect(check *bulk.Check, requests []*queuedRequest, versions []pgaccept.EnvironmentVersion) {
	var plans []Plan
	for _, r := range requests {
		if key := r.assumedKey; key != nil {
			versions = append(versions, pgaccept.EnvironmentVersion{EnvironmentID: key.EnvironmentID, Version: key.Configuration})
		}
		for i := range r.prepared {
			if plan := r.prepared[i].plan; plan != nil {
				plans = append(plans, plan)
				if plan.Assumed() {
					versions = append(versions, plan.Environment())
				}
			}
		}
	}
	slices.SortFunc(versions, pgaccept.EnvironmentVersion.Compare)
	pgaccept.ExpectVersions(check, slices.Compact(versions))
	if len(plans) > 0 {
		a.planning.planner.Expect(check, plans)
	}
}
