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
// The commit finds out when that is wrong. Requests of which anything else has to be read are decided as ever, and so are all with
// transactionIds of their own while clients repeat theirs.
func (a *Acceptor) assume(ctx context.Context, tx pgx.Tx, last *pgx.Batch, requests []*queuedRequest, now time.Time) (decision, error) {
	if areGenerated(requests) || time.Now().UnixNano() > a.repeats.Load() {
		if heads := a.versions.assumed(requests); heads != nil {
			v, events := validator{facts: pgaccept.AcceptFacts{Workflows: heads}}, 0
			for _, r := range requests {
				events += len(r.Items)
			}
			if items := v.validate(requests, now); len(items) == events {
				pgaccept.QueueExpected(last, heads)
				return decision{items, requests, true}, nil
			}
		}
	}
	return a.decide(ctx, tx, last, requests, now)
}

// assumed is how the workflows of requests were last found; nil when a request depends on what became of an idempotency key or a
// tenant, too.
func (c *VersionCache) assumed(requests []*queuedRequest) map[pgaccept.EnvKey]pgaccept.WorkflowHead {
	heads := map[pgaccept.EnvKey]pgaccept.WorkflowHead{}
	for _, r := range requests {
		if r.Key != nil {
			return nil
		}
		for i := range r.Items {
			in := &r.Items[i]
			head, known := c.latest.Get(in.workflowKey())
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
