package accept

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/workflow"
)

// Bounds of one commit, so that its latency and memory stay small whatever has queued.
const (
	maxGroupEvents = 400
	maxGroupBytes  = maxGroupEvents * leastEventBytes
	// leastEventBytes is what an event counts at least towards maxGroupBytes, so that this one bound holds both.
	leastEventBytes = 40 << 10
)

// writer commits calls: again and again together those that queued while its last commit ran.
type writer struct {
	calls postgres.Gather[*request, struct{}] // what became of a call is set in it
	watch watchdog
}

func (a *Acceptor) newWriter(commits int) *writer {
	w := &writer{watch: watchdog{now: a.Now}}
	w.calls.Workers, w.calls.Most, w.calls.Weight = commits, maxGroupBytes, (*request).weight
	w.calls.Ask = func(ctx context.Context, calls []*request) ([]struct{}, error) {
		defer w.watch.begin()()
		defer a.pressure.begin(len(calls))()
		a.flush(ctx, calls)
		return make([]struct{}, len(calls)), nil
	}
	return w
}

func (c *request) weight() int { return max(c.size, leastEventBytes*len(c.Items)) }

// write returns when a call is committed or has failed, or ctx has ended.
func (w *writer) write(ctx context.Context, c *request) error {
	defer w.watch.enter()()
	_, err := w.calls.Get(ctx, c)
	if err != nil && ctx.Err() != nil {
		return fault.Unavailablef(context.Cause(ctx), "The request ended before its event was stored.")
	}
	return err //nolint:wrapcheck // classified, or a panic
}

// pressure reports whether callers queue for the writers.
type pressure struct {
	groups atomic.Int64 // large commits under way
	until  atomic.Int64
}

const (
	// backpressureRequests is how many requests of one commit show that callers queue.
	backpressureRequests = 16
	// backpressureLasts is how long such a commit counts after its end.
	backpressureLasts = 20 * time.Millisecond
)

// begin takes down the calls of a commit that begins; the function it returns is for its end.
func (p *pressure) begin(calls int) func() {
	if calls < backpressureRequests {
		return func() {}
	}
	p.groups.Add(1)
	return func() {
		p.until.Store(time.Now().Add(backpressureLasts).UnixNano())
		p.groups.Add(-1)
	}
}

func (p *pressure) high() bool { return p.groups.Load() > 0 || time.Now().UnixNano() < p.until.Load() }

// Backpressure reports whether callers queue to be accepted. Fan-out then gives way for a moment (see Config.Backpressure): a caller
// waits for its reply, a message does not.
func (a *Acceptor) Backpressure() bool { return a.pressure.high() }

// flush decides and commits calls, and sets what became of them.
func (a *Acceptor) flush(ctx context.Context, calls []*request) {
	err := postgres.Retry(ctx, func(ctx context.Context) error {
		err := a.commitGroup(ctx, calls)
		if pgaccept.KeyLost(err) { // to one who is found now
			err = a.commitGroup(ctx, calls)
		}
		return err
	})
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) && forgetPlans(calls) {
		a.Logger.WarnContext(ctx, "events are stored before they are planned", slog.Int("calls", len(calls)), slog.Any("error", err))
		err = postgres.Retry(ctx, func(ctx context.Context) error { return a.commitGroup(ctx, calls) })
	}
	switch {
	case err == nil:
	case len(calls) == 1 && len(calls[0].Items) == 1, fault.KindOf(postgres.Translate(err)) == fault.Unavailable:
		fail(calls, postgres.Translate(err))
	default: // one of them is bad, and must not fail its neighbours
		a.Logger.WarnContext(ctx, "a group of events was refused, writing them one by one", slog.Int("calls", len(calls)), slog.Any("error", err))
		for _, c := range calls {
			if err := a.commitEach(ctx, c); err != nil {
				c.err = postgres.Translate(err)
			}
		}
	}
}

func fail(calls []*request, err error) {
	for _, c := range calls {
		c.err = err
	}
}

// decide reads the present state and settles every outcome that needs no write. Calls whose idempotency key is another's
// are settled by that, and calls that were prepared by other versions than are published now go back; live are the rest.
func (a *Acceptor) decide(ctx context.Context, tx pgx.Tx, calls []*request, now time.Time) (items []item, live []*request, err error) {
	first, q := keyOwners(calls), acceptQuery(calls, now.Add(-a.Retention))
	for _, c := range first {
		q.Keys = append(q.Keys, c.Key.Claim)
	}
	facts, err := pgaccept.ReadAcceptFacts(ctx, tx, q)
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // says what it did
	}
	live = slices.DeleteFunc(resolveKeys(calls, first, facts.Keys), func(c *request) bool { return c.isStale(facts.Workflows) })
	j := validator{facts: facts, created: map[pgaccept.EnvKey]bool{}}
	return j.validate(live, now), live, nil
}

// isStale reports whether an item of the call was prepared by another version than its workflow has now.
func (c *request) isStale(heads map[pgaccept.EnvKey]pgaccept.WorkflowHead) bool {
	c.stale = nil
	for i := range c.Items {
		key := c.Items[i].workflowKey()
		published := heads[key].VersionID
		if by := c.prepared[i].version; published == "" || by != nil && by.id == published {
			continue
		}
		if c.stale == nil {
			c.stale = map[pgaccept.EnvKey]string{}
		}
		c.stale[key] = published
	}
	return c.stale != nil
}

// keyOwners are the calls that may have the idempotency key they want: of several that want one the first.
func keyOwners(calls []*request) (first []*request) {
	seen := map[[2]string]bool{}
	for _, c := range calls {
		if c.Key == nil {
			continue
		}
		if name := [2]string{c.Key.Claim.OrganizationID, c.Key.Claim.Key}; !seen[name] {
			seen[name] = true
			first = append(first, c)
		}
	}
	return first
}

// resolveKeys sets what became of the keys of calls, states being those of first, and returns the calls that remain to be decided.
func resolveKeys(calls, first []*request, states []pgaccept.KeyState) (live []*request) {
	for _, c := range calls {
		c.key, c.err = pgaccept.KeyState{}, nil
	}
	for i, c := range first {
		c.key = states[i]
	}
	for _, c := range calls {
		if c.Key != nil && !c.key.Taken && !c.key.Off {
			c.err = ErrKeyInUse
			continue
		}
		live = append(live, c)
	}
	return live
}

// acceptQuery gathers what the outcomes of the calls depend on, each key once.
func acceptQuery(calls []*request, usedSince time.Time) pgaccept.AcceptQuery {
	q := pgaccept.AcceptQuery{UsedSince: usedSince}
	seen := map[pgaccept.EnvKey]bool{}
	for _, c := range calls {
		for i := range c.Items {
			in := &c.Items[i]
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

// commitGroup commits all calls in one transaction, and publishes what was stored with their events.
func (a *Acceptor) commitGroup(ctx context.Context, calls []*request) error {
	now := a.Now()
	var publish func(context.Context)
	err := a.inTx(ctx, func(tx pgx.Tx, last *pgx.Batch) ([]pgaccept.AcceptedEvent, error) {
		publish = nil
		items, live, err := a.decide(ctx, tx, calls, now)
		if err != nil {
			return nil, err
		}
		first := dedupe(items)
		events := make([]pgaccept.AcceptedEvent, len(first))
		for i, it := range first {
			events[i] = it.event
		}
		var written map[string]bool
		if areNew(first) {
			written = a.storeNew(last, events, now)
		} else if written, err = a.store(ctx, tx, events, now); err != nil {
			return nil, err
		}
		setOutcomes(items, written)
		if plans := plansOf(first, written); len(plans) > 0 {
			publish = a.planning.planner.Store(last, plans)
		}
		return Written(events, written), queueReplies(last, live)
	})
	if err == nil && publish != nil {
		a.publishing.Go(func() { publish(context.WithoutCancel(ctx)) })
	}
	return err
}

// commitEach commits one call with a savepoint around each event, so that a bad one fails alone.
func (a *Acceptor) commitEach(ctx context.Context, c *request) error {
	now := a.Now()
	return a.inTx(ctx, func(tx pgx.Tx, last *pgx.Batch) ([]pgaccept.AcceptedEvent, error) {
		items, live, err := a.decide(ctx, tx, []*request{c}, now)
		if err != nil {
			return nil, err
		}
		var events []pgaccept.AcceptedEvent
		for _, it := range items {
			written, err := a.writeWithSavepoint(ctx, tx, it.event, now)
			if err != nil {
				c.outcomes[it.index] = Outcome{Err: postgres.Translate(err)}
				continue
			}
			setOutcomes([]item{it}, written)
			events = append(events, Written([]pgaccept.AcceptedEvent{it.event}, written)...)
		}
		return events, queueReplies(last, live)
	})
}

// writeWithSavepoint stores an event; an error leaves the transaction as it was.
func (a *Acceptor) writeWithSavepoint(ctx context.Context, tx pgx.Tx, e pgaccept.AcceptedEvent, now time.Time) (map[string]bool, error) {
	if _, err := tx.Exec(ctx, "SAVEPOINT alone"); err != nil {
		return nil, fmt.Errorf("set a savepoint: %w", err)
	}
	written, err := a.store(ctx, tx, []pgaccept.AcceptedEvent{e}, now)
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

func (a *Acceptor) store(ctx context.Context, tx pgx.Tx, events []pgaccept.AcceptedEvent, now time.Time) (map[string]bool, error) {
	if len(events) == 0 {
		return nil, nil
	}
	return pgaccept.WriteEvents(ctx, tx, events, a.times(now))
}

// storeNew is store for events that are all written for sure, in the round trip of the commit.
func (a *Acceptor) storeNew(last *pgx.Batch, events []pgaccept.AcceptedEvent, now time.Time) map[string]bool {
	written := make(map[string]bool, len(events))
	if len(events) > 0 {
		pgaccept.QueueNewEvents(last, events, a.times(now))
	}
	for i := range events {
		written[events[i].ID] = true
	}
	return written
}

func (a *Acceptor) times(now time.Time) pgaccept.AcceptTimes {
	return pgaccept.AcceptTimes{Now: now, DueAt: now.Add(Grace), UsedSince: now.Add(-a.Retention), Virtual: a.DB.VirtualClocks}
}

// areNew reports whether all transactionIds of items are ours, so that none was used before.
func areNew(items []item) bool {
	return !slices.ContainsFunc(items, func(it item) bool { return !it.call.Items[it.index].Generated })
}

// dedupe leaves out the later uses of a transactionId, which are settled as between two requests, and sorts by it, so
// that locks are taken in one order everywhere.
func dedupe(items []item) []item {
	first := slices.Clone(items)
	key := func(it item) pgaccept.EnvKey {
		return pgaccept.EnvKey{EnvironmentID: it.event.EnvironmentID, Key: it.event.TransactionID}
	}
	slices.SortStableFunc(first, func(x, y item) int { return key(x).Compare(key(y)) })
	return slices.CompactFunc(first, func(x, y item) bool { return key(x) == key(y) })
}

// setOutcomes answers events that went to the database: those not written found their transactionId used.
func setOutcomes(items []item, written map[string]bool) {
	for _, it := range items {
		outcome := Outcome{Status: workflow.TriggerProcessed}
		if written[it.event.ID] {
			outcome.EventID = it.event.ID
		}
		it.call.outcomes[it.index] = outcome
	}
}

// HandOver gives committed events that wait for their fan-out to the workers of this process, each to its lane, in the order of acceptance.
func HandOver(to *queue.Queue, events []pgaccept.AcceptedEvent) {
	events = slices.Clone(events)
	slices.SortFunc(events, func(x, y pgaccept.AcceptedEvent) int { return cmp.Compare(x.ID, y.ID) })
	lanes := map[string][]string{}
	for i := range events {
		if events[i].Planned == nil {
			lanes[events[i].Lane] = append(lanes[events[i].Lane], events[i].ID)
		}
	}
	for lane, ids := range lanes {
		to.Events.Put(event.Lane(lane), ids...)
	}
}

// Written returns those of events that were written.
func Written(events []pgaccept.AcceptedEvent, written map[string]bool) []pgaccept.AcceptedEvent {
	return slices.DeleteFunc(slices.Clone(events), func(e pgaccept.AcceptedEvent) bool { return !written[e.ID] })
}

// queueReplies stores the replies of the calls that hold an idempotency key.
func queueReplies(last *pgx.Batch, calls []*request) error {
	var replies []pgaccept.KeyedReply
	for _, c := range calls {
		if !c.key.Taken {
			continue
		}
		reply, err := c.Key.Reply(c.outcomes)
		if err != nil {
			return fmt.Errorf("make a reply: %w", err)
		}
		if reply != nil {
			replies = append(replies, pgaccept.KeyedReply{KeyClaim: c.Key.Claim, KeyReply: *reply})
		}
	}
	pgaccept.QueueKeyedReplies(last, replies)
	return nil
}
