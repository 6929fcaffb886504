package accept

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/pgaccept"
)

// repeatsLast is how long a transactionId that was used again shows that clients repeat their triggers.
const repeatsLast = time.Second

// assume is deciding without the round trip of reading: by how the workflows were last found, and as if no transactionId had been used.
// The commit finds out when that is wrong. Requests of which anything else has to be read are decided as ever.
func (a *Acceptor) assume(ctx context.Context, tx pgx.Tx, last *pgx.Batch, requests []*queuedRequest, now time.Time) (decision, error) {
	heads := a.assumed(requests)
	if heads == nil {
		return a.decide(ctx, tx, last, requests, now)
	}
	events := 0
	for _, r := range requests {
		events += len(r.Items)
	}
	v := validator{facts: pgaccept.AcceptFacts{Workflows: heads}}
	items := v.validate(requests, now)
	if len(items) < events { // an outcome without a write has nothing that verifies it
		return a.decide(ctx, tx, last, requests, now)
	}
	pgaccept.QueueExpected(last, heads)
	return decision{items, requests, true}, nil
}

// assumed is how the workflows of requests were last found; nil when a request depends on what became of an idempotency key or a
// tenant, too, or has a transactionId of its own while clients repeat theirs.
func (a *Acceptor) assumed(requests []*queuedRequest) map[pgaccept.EnvKey]pgaccept.WorkflowHead {
	if !areGenerated(requests) && a.Now().UnixNano() < a.repeats.Load() {
		return nil
	}
	heads := map[pgaccept.EnvKey]pgaccept.WorkflowHead{}
	for _, r := range requests {
		if r.Key != nil {
			return nil
		}
		for i := range r.Items {
			in := &r.Items[i]
			head, known := a.versions.latest.Get(in.workflowKey())
			if !known || in.Tenant != nil {
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
