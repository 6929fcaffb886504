package accept_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// stubPlan is a plan that changes nothing of its event.
type stubPlan struct {
	transactionID string
	environment   pgaccept.EnvironmentVersion
	assumed       bool
	profiles      int
}

func (p *stubPlan) Apply(*pgaccept.AcceptedEvent)            {}
func (p *stubPlan) Assumed() bool                            { return p.assumed }
func (p *stubPlan) Environment() pgaccept.EnvironmentVersion { return p.environment }
func (p *stubPlan) Profiles() int                            { return p.profiles }

// stubPlanner plans every event, and notes what it is asked and told.
type stubPlanner struct {
	// change makes a plan another one, nil none; store queues what is stored with an event. Both may be nil.
	change func(*stubPlan) *stubPlan
	store  func(q *pgx.Batch, transactionID string)

	mu        sync.Mutex
	planned   map[string]int // by transactionId
	stored    map[string]int
	doubted   []string // environments
	held      []string
	unplanned []string // ids of events
}

// planning has an acceptor plan with a stubPlanner.
func (b *acceptBundle) planning(a *accept.Acceptor) *stubPlanner {
	p := &stubPlanner{planned: map[string]int{}, stored: map[string]int{}}
	a.PlanWith(p)
	return p
}

func (p *stubPlanner) Plan(_ context.Context, events []accept.Proposal) []accept.Plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	plans := make([]accept.Plan, len(events))
	for i := range events {
		e := &events[i]
		p.planned[e.TransactionID]++
		plan := &stubPlan{transactionID: e.TransactionID, environment: pgaccept.EnvironmentVersion{EnvironmentID: e.EnvironmentID}}
		if p.change != nil {
			plan = p.change(plan)
		}
		if plan != nil {
			plans[i] = plan
		}
	}
	return plans
}

func (p *stubPlanner) Recall(context.Context, []accept.Proposal) ([]accept.Plan, bool) {
	return nil, false
}

func (p *stubPlanner) Leave(events []accept.Proposal) []accept.Plan {
	return make([]accept.Plan, len(events))
}

func (p *stubPlanner) Expect(*bulk.Check, []accept.Plan) {}

func (p *stubPlanner) Doubt(environmentID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doubted = append(p.doubted, environmentID)
}

func (p *stubPlanner) Held(environmentID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = append(p.held, environmentID)
}

func (p *stubPlanner) Unplanned(_, eventID string, _, _ []byte, _ bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unplanned = append(p.unplanned, eventID)
}

func (p *stubPlanner) Store(q *pgx.Batch, plans []accept.Plan) func(context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, plan := range plans {
		transactionID := plan.(*stubPlan).transactionID //nolint:forcetypeassert // it made no others
		p.stored[transactionID]++
		if p.store != nil {
			p.store(q, transactionID)
		}
	}
	return nil
}

func (p *stubPlanner) Kept() time.Duration { return time.Minute }

// together offers each of the items in a request of its own, so that they share a commit: the one that queued while the writer was held up.
func (b *acceptBundle) together(t *testing.T, a *accept.Acceptor, items ...accept.Acceptance) (outcomes []accept.Outcome, errs []error) {
	t.Helper()
	halted := newHalt()
	var offers sync.WaitGroup
	offers.Go(func() {
		_, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", "the first one")}, Key: halted.key(t, b, "k")})
		if err != nil {
			t.Error(err)
		}
	})
	<-halted.entered
	before := a.Pending()
	outcomes, errs = make([]accept.Outcome, len(items)), make([]error, len(items))
	for i, item := range items {
		offers.Go(func() {
			made, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{item}})
			if errs[i] = err; err == nil {
				outcomes[i], errs[i] = made[0], made[0].Err
			}
		})
	}
	require.Eventually(t, func() bool { return a.Pending() == before+int64(len(items)) }, stall.Limit(time.Minute), time.Millisecond)
	close(halted.release)
	offers.Wait()
	return outcomes, errs
}

// generated is an item whose transactionId is ours.
func generated(in accept.Acceptance) accept.Acceptance {
	in.Generated = true
	return in
}

// of is the item in another environment.
func of(environmentID string, in accept.Acceptance) accept.Acceptance {
	in.EnvironmentID = environmentID
	return in
}

// TestCallerLeaves: the planner hears of an event that was stored without a plan although its caller left during the commit.
func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	a := b.acceptor(t)
	p := b.planning(a)
	acceptAll(t, a, b.item("good", "t1")) // the workflow is known from here on
	p.change = func(*stubPlan) *stubPlan { return nil }
	ctx, leave := context.WithCancel(t.Context())
	first, second := newHalt(), newHalt()
	var offers sync.WaitGroup
	offer := func(ctx context.Context, transactionID string, key *accept.Key) {
		offers.Go(func() {
			_, _ = a.Accept(ctx, accept.Request{Items: []accept.Acceptance{b.item("good", transactionID)}, Key: key})
		})
	}
	offer(t.Context(), "first", first.key(t, b, "first"))
	<-first.entered
	before := a.Pending()
	offer(ctx, "left", second.key(t, b, "left")) // waits for the first one, so that a worker commits it
	require.Eventually(t, func() bool { return a.Pending() == before+1 }, stall.Limit(time.Minute), time.Millisecond)
	close(first.release)
	<-second.entered
	leave()
	require.Eventually(t, func() bool { return a.Pending() == 1 }, stall.Limit(time.Minute), time.Millisecond, "the commit is left")
	close(second.release)
	offers.Wait()
	require.NoError(t, a.Stop(t.Context()))
	require.Contains(t, p.unplanned, b.text(t, `SELECT id FROM events WHERE transaction_id = 'left'`))
}

// TestManyProfilesAreHeavy: a row is written for each profile, so a request that brings many does not share its commit with light ones.
func TestManyProfilesAreHeavy(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	for profiles, light := range map[int]bool{1: true, 200: false} {
		a := b.acceptor(t)
		p := b.planning(a)
		p.change = func(plan *stubPlan) *stubPlan {
			plan.profiles = profiles
			return plan
		}
		pending := make(chan int64, 1)
		p.store = func(*pgx.Batch, string) { pending <- a.Pending() }
		acceptAll(t, a, generated(b.item("good", fmt.Sprint(profiles))))
		require.Len(t, pending, 1, "it was planned")
		require.Equal(t, light, <-pending > 0, profiles)
	}
}

// TestPlansThatNeverHold: an event whose plans the commit finds wrong again and again is left to its fan-out.
func TestPlansThatNeverHold(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	a := b.acceptor(t)
	p := b.planning(a)
	p.change = func(plan *stubPlan) *stubPlan {
		plan.environment.Version, plan.assumed = "another", true
		return plan
	}
	outcome := acceptAll(t, a, generated(b.item("good", "t1")))[0]
	require.Equal(t, workflow.TriggerProcessed, outcome.Status)
	require.Equal(t, 3, p.planned["t1"]) // in the first of four rounds the workflow is not known
	require.Equal(t, []string{outcome.EventID}, p.unplanned)
}
