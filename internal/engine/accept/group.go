package accept

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/workflow"
)

// Bounds of one commit, so that its latency and memory stay small whatever has queued.
const (
	maxGroupEvents = 400
	maxGroupBytes  = maxGroupEvents * leastEventBytes
	// leastEventBytes is what an event counts at least towards maxGroupBytes, so that this one bound holds both.
	leastEventBytes = 40 << 10
	// profileBytes is what a profile counts that is stored with an event: a row is written for it, about a quarter of what an event takes.
	profileBytes = leastEventBytes / 4
)

// writer commits requests: again and again together those that queued while its last commit ran.
type writer struct {
	requests postgres.Gather[*queuedRequest, struct{}] // what became of a request is set in it
	watch    watchdog
}

func (a *Acceptor) newWriter(commits int) *writer {
	w := &writer{watch: watchdog{now: a.Now}}
	w.requests.Workers, w.requests.Most, w.requests.Weight, w.requests.Direct = commits, maxGroupBytes, (*queuedRequest).weight, true
	w.requests.Share = (*queuedRequest).environment
	w.requests.Ask = func(ctx context.Context, requests []*queuedRequest) ([]struct{}, error) {
		end := w.watch.begin()
		defer func() { end(ctx.Err() == nil) }()
		defer a.pressure.begin(len(requests))()
		began := time.Now()
		a.flush(ctx, requests)
		a.tellUnplanned(requests)
		a.Observe("events", len(requests), time.Since(began))
		return make([]struct{}, len(requests)), nil
	}
	return w
}

func (r *queuedRequest) weight() int { return max(r.size, leastEventBytes*len(r.Items)) }

func (r *queuedRequest) environment() string { return r.Items[0].EnvironmentID } // of all items

// write returns when a request is committed or has failed, or ctx has ended.
func (w *writer) write(ctx context.Context, r *queuedRequest) error {
	defer w.watch.enter()()
	_, err := w.requests.Get(ctx, r)
	if err != nil && ctx.Err() != nil {
		return fault.Unavailablef(context.Cause(ctx), "The request ended before its event was stored.")
	}
	return err //nolint:wrapcheck // classified, or a panic
}

// pressure reports whether clients queue for the writers.
type pressure struct {
	groups atomic.Int64 // large commits under way
	until  atomic.Int64
}

const (
	// backpressureRequests is how many requests of one commit show that clients queue.
	backpressureRequests = 16
	// backpressureLasts is how long such a commit counts after its end.
	backpressureLasts = 20 * time.Millisecond
)

// begin counts the requests of a commit that begins; the returned function is for its end.
func (p *pressure) begin(requests int) func() {
	if requests < backpressureRequests {
		return func() {}
	}
	p.groups.Add(1)
	return func() {
		p.until.Store(time.Now().Add(backpressureLasts).UnixNano())
		p.groups.Add(-1)
	}
}

func (p *pressure) high() bool { return p.groups.Load() > 0 || time.Now().UnixNano() < p.until.Load() }

// Backpressure reports whether clients queue to be accepted. Fan-out then gives way for a moment (see Config.Backpressure): a client
// waits for its reply, a message does not.
func (a *Acceptor) Backpressure() bool { return a.pressure.high() }

// decision is what becomes of requests without a write, and what is to be written. A request whose idempotency key is another's ends
// by that, and one that was prepared by another version than is published now goes back to be prepared anew.
type decision struct {
	items []item           // the events to write
	rest  []*queuedRequest // whose outcomes are set, or are those of their events
	// fresh says that no transactionId of the events was used before; else the transaction does nothing (pgaccept.Overtaken).
	fresh bool
	// versions are those of environments that the transaction verifies.
	versions []pgaccept.EnvironmentVersion
}

// deciding decides requests in the transaction tx.
type deciding func(ctx context.Context, tx pgx.Tx, requests []*queuedRequest, now time.Time) (decision, error)

// decide is deciding by the present state, which it reads.
func (a *Acceptor) decide(ctx context.Context, tx pgx.Tx, requests []*queuedRequest, now time.Time) (d decision, err error) {
	owners, q := keyOwners(requests), acceptQuery(requests, now.Add(-a.Retention))
	for _, r := range owners {
		q.Keys = append(q.Keys, r.Key.Claim)
	}
	facts, err := pgaccept.ReadAcceptFacts(ctx, tx, q)
	if err != nil {
		return d, err //nolint:wrapcheck // says what it did
	}
	a.versions.renew(q.Workflows, facts.Workflows)
	if len(facts.Used) > 0 {
		a.repeats.Store(now.Add(repeatsLast).UnixNano())
	}
	d.rest = slices.DeleteFunc(resolveKeys(requests, owners, facts.Keys), func(r *queuedRequest) bool { return r.isStale(facts.Workflows) })
	v := validator{facts: facts, created: map[pgaccept.EnvKey]bool{}}
	d.items = v.validate(d.rest, now)
	d.fresh = areGenerated(d.rest)
	return d, nil
}

// isStale reports whether an item of the request was prepared by another version than its workflow has now.
func (r *queuedRequest) isStale(heads map[pgaccept.EnvKey]pgaccept.WorkflowHead) bool {
	r.stale = false
	for i := range r.Items {
		published := heads[r.Items[i].workflowKey()].VersionID
		if by := r.prepared[i].version; published != "" && (by == nil || by.id != published) {
			r.stale = true
		}
	}
	return r.stale
}

// keyOwners are the requests that may have the idempotency key they want: of several that want one the first.
func keyOwners(requests []*queuedRequest) (owners []*queuedRequest) {
	seen := map[[2]string]bool{}
	for _, r := range requests {
		if r.Key == nil {
			continue
		}
		if name := r.Key.name(); !seen[name] {
			seen[name] = true
			owners = append(owners, r)
		}
	}
	return owners
}

// resolveKeys sets what became of the keys of requests, states being those of owners, and returns the requests that remain to be decided.
// A request that is no owner finds what the owner does; a key that the owner takes is in use for it.
func resolveKeys(requests, owners []*queuedRequest, states []pgaccept.KeyState) (remaining []*queuedRequest) {
	found := map[[2]string]pgaccept.KeyState{}
	for i, r := range owners {
		found[r.Key.name()] = states[i]
	}
	for _, r := range requests {
		r.key, r.err = pgaccept.KeyState{}, nil
		if r.Key != nil {
			name := r.Key.name()
			r.key = found[name]
			if r.key.Taken {
				found[name] = pgaccept.KeyState{}
			}
			if !r.key.Taken && !r.key.Off {
				r.err = ErrKeyInUse
				continue
			}
		}
		remaining = append(remaining, r)
	}
	return remaining
}

// acceptQuery gathers what the outcomes of the requests depend on, each key once.
func acceptQuery(requests []*queuedRequest, usedSince time.Time) pgaccept.AcceptQuery {
	q := pgaccept.AcceptQuery{UsedSince: usedSince}
	seen := map[pgaccept.EnvKey]bool{}
	for _, r := range requests {
		for i := range r.Items {
			in := &r.Items[i]
			if key := in.workflowKey(); !seen[key] {
				seen[key] = true
				q.Workflows = append(q.Workflows, key)
			}
			if !in.Generated {
				q.Transactions = append(q.Transactions, in.claimKey())
			}
			if in.Tenant != nil {
				q.Tenants = append(q.Tenants, pgaccept.TenantUse{EnvironmentID: in.EnvironmentID, Tenant: in.Tenant.Identifier, Workflow: in.Workflow})
			}
		}
	}
	return q
}

// commitGroup commits all requests in one transaction, and publishes what was stored with their events.
func (a *Acceptor) commitGroup(ctx context.Context, requests []*queuedRequest, decide deciding) error {
	if len(requests) == 0 {
		return nil
	}
	now := a.Now()
	var p publication
	err := a.inTx(ctx, func(tx pgx.Tx, last *pgx.Batch) ([]pgaccept.AcceptedEvent, error) {
		p = publication{}
		d, err := decide(ctx, tx, requests, now)
		if err != nil {
			return nil, err
		}
		check := &bulk.Check{}
		check.Set("lock_timeout", lockWait)
		a.expect(check, requests, d.versions)
		check.Queue(last)
		first := dedupe(d.items)
		events := make([]pgaccept.AcceptedEvent, len(first))
		for i, it := range first {
			events[i] = it.event
		}
		var written map[string]bool
		if d.fresh {
			written = a.storeNew(last, events, now)
		} else if written, err = a.store(ctx, tx, events, a.times(now, lockWait)); err != nil {
			return nil, err
		}
		setOutcomes(d.items, written)
		own := Written(events, written)
		if plans := plansOf(first, written); len(plans) > 0 {
			p = publication{a.planning.planner.Store(last, plans), own[0].ID, time.Now().Add(a.planning.planner.Kept() / 2)}
		}
		return own, queueReplies(last, d.rest)
	})
	a.publish(ctx, p, err)
	return err
}

// commitEach commits one request with a savepoint around each event, so that a bad one fails alone. The events are fanned out afterwards.
func (a *Acceptor) commitEach(ctx context.Context, r *queuedRequest) error {
	now := a.Now()
	at := a.times(now, lockWaitAlone)
	forgetPlans([]*queuedRequest{r})
	return a.inTx(ctx, func(tx pgx.Tx, last *pgx.Batch) ([]pgaccept.AcceptedEvent, error) {
		d, err := a.decide(ctx, tx, []*queuedRequest{r}, now)
		if err != nil {
			return nil, err
		}
		var events []pgaccept.AcceptedEvent
		for _, it := range d.items {
			written, err := a.writeWithSavepoint(ctx, tx, it.event, at)
			if err != nil {
				r.outcomes[it.index] = Outcome{Err: postgres.Translate(err)}
				continue
			}
			setOutcomes([]item{it}, written)
			events = append(events, Written([]pgaccept.AcceptedEvent{it.event}, written)...)
		}
		return events, queueReplies(last, d.rest)
	})
}

// writeWithSavepoint stores an event; an error leaves the transaction as it was.
func (a *Acceptor) writeWithSavepoint(ctx context.Context, tx pgx.Tx, e pgaccept.AcceptedEvent, at pgaccept.AcceptTimes) (map[string]bool, error) {
	if _, err := tx.Exec(ctx, "SAVEPOINT alone"); err != nil {
		return nil, fmt.Errorf("set a savepoint: %w", err)
	}
	written, err := a.store(ctx, tx, []pgaccept.AcceptedEvent{e}, at)
	if err != nil {
		if _, undone := tx.Exec(ctx, "ROLLBACK TO SAVEPOINT alone"); undone != nil {
			return nil, fmt.Errorf("undo an event: %w", errors.Join(err, undone))
		}
	}
	return written, err
}

// inTx runs fn in a transaction, and hands over the events that it wrote once they are committed.
func (a *Acceptor) inTx(ctx context.Context, fn func(tx pgx.Tx, last *pgx.Batch) ([]pgaccept.AcceptedEvent, error)) error {
	var events []pgaccept.AcceptedEvent
	err := a.DB.Batch(ctx, func(b *postgres.Batch) (err error) {
		last := &pgx.Batch{}
		if events, err = fn(b.Pgx, last); err != nil {
			return err
		}
		return b.End(ctx, last)
	})
	if err != nil {
		return fmt.Errorf("accept: %w", err)
	}
	HandOver(a.Queue, events)
	a.recent.add(a.Now(), events)
	return nil
}

func (a *Acceptor) store(ctx context.Context, tx pgx.Tx, events []pgaccept.AcceptedEvent, at pgaccept.AcceptTimes) (map[string]bool, error) {
	if len(events) == 0 {
		return nil, nil
	}
	return pgaccept.WriteEvents(ctx, tx, events, at)
}

// storeNew is store for events that are all written for sure, in the round trip of the commit.
func (a *Acceptor) storeNew(last *pgx.Batch, events []pgaccept.AcceptedEvent, now time.Time) map[string]bool {
	written := make(map[string]bool, len(events))
	if len(events) > 0 {
		pgaccept.QueueNewEvents(last, events, a.times(now, lockWait))
	}
	for i := range events {
		written[events[i].ID] = true
	}
	return written
}

func (a *Acceptor) times(now time.Time, lockWait string) pgaccept.AcceptTimes {
	return pgaccept.AcceptTimes{LockWait: lockWait, Now: now, DueAt: now.Add(Grace), UsedSince: now.Add(-a.Retention), Virtual: a.DB.VirtualClocks}
}

// areGenerated reports whether all transactionIds of requests are ours, so that none was used before.
func areGenerated(requests []*queuedRequest) bool {
	return !slices.ContainsFunc(requests, func(r *queuedRequest) bool {
		return slices.ContainsFunc(r.Items, func(in Acceptance) bool { return !in.Generated })
	})
}

// dedupe leaves out the later uses of a transactionId, which are settled as between two requests, and sorts by it, so
// that locks are taken in one order everywhere.
func dedupe(items []item) []*item {
	first := make([]*item, len(items))
	for i := range items {
		first[i] = &items[i]
	}
	compare := func(x, y *item) int {
		return cmp.Or(cmp.Compare(x.event.EnvironmentID, y.event.EnvironmentID), cmp.Compare(x.event.TransactionID, y.event.TransactionID))
	}
	slices.SortStableFunc(first, compare)
	return slices.CompactFunc(first, func(x, y *item) bool { return compare(x, y) == 0 })
}

// setOutcomes answers events that went to the database: those not written found their transactionId used.
func setOutcomes(items []item, written map[string]bool) {
	for _, it := range items {
		outcome := Outcome{Status: workflow.TriggerProcessed}
		if written[it.event.ID] {
			outcome.EventID = it.event.ID
		}
		it.request.outcomes[it.index] = outcome
	}
}

// HandOver gives committed events that wait for their fan-out to the workers of this process, each to its lane, in the order of acceptance.
func HandOver(to *queue.Queue, events []pgaccept.AcceptedEvent) {
	lanes := map[[2]string][]string{}
	for i := range events {
		if e := &events[i]; e.Planned == nil {
			of := [2]string{e.Lane, e.EnvironmentID}
			lanes[of] = append(lanes[of], e.ID)
		}
	}
	for of, ids := range lanes {
		slices.Sort(ids)
		to.Events.Put(event.Lane(of[0]), of[1], ids...)
	}
}

// Written returns those of events that were written.
func Written(events []pgaccept.AcceptedEvent, written map[string]bool) []pgaccept.AcceptedEvent {
	if !slices.ContainsFunc(events, func(e pgaccept.AcceptedEvent) bool { return !written[e.ID] }) { // nearly always
		return events
	}
	return slices.DeleteFunc(slices.Clone(events), func(e pgaccept.AcceptedEvent) bool { return !written[e.ID] })
}

// queueReplies stores the replies of the requests that hold an idempotency key.
func queueReplies(last *pgx.Batch, requests []*queuedRequest) error {
	var replies []pgaccept.KeyedReply
	for _, r := range requests {
		if !r.key.Taken {
			continue
		}
		reply, err := r.Key.Reply(r.outcomes)
		if err != nil {
			return fmt.Errorf("make a reply: %w", err)
		}
		if reply != nil {
			replies = append(replies, pgaccept.KeyedReply{KeyClaim: r.Key.Claim, KeyReply: *reply})
		}
	}
	pgaccept.QueueKeyedReplies(last, replies)
	return nil
}
