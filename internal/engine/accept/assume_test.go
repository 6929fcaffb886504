package accept_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestAssumedWorkflowsAreVerified: a workflow is taken for what it was at the trigger before, until the commit finds it changed.
func TestAssumedWorkflowsAreVerified(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	ctx := viewer.SystemContext(t.Context())
	w := b.workflow(t, "changing", oneStep)
	a := b.acceptor(t)
	trigger := func() accept.Outcome {
		item := b.item("changing", "txn_"+id.New(time.Now()))
		item.Generated = true
		return acceptAll(t, a, item)[0]
	}
	change := func(c func(*ent.WorkflowUpdateOne)) {
		update := b.db.Ent.Workflow.UpdateOneID(w)
		c(update)
		update.ExecX(ctx)
	}
	version := func() string { return b.db.Ent.Event.GetX(ctx, trigger().EventID).WorkflowVersionID }
	first := version()
	require.Equal(t, first, version())

	change(func(u *ent.WorkflowUpdateOne) { u.SetActive(false) })
	for range 2 { // the second time it is known
		require.Equal(t, accept.Outcome{Status: workflow.TriggerNotActive}, trigger())
	}
	change(func(u *ent.WorkflowUpdateOne) { u.SetActive(true) })
	require.Equal(t, first, version())

	second := b.db.Ent.WorkflowVersion.Create().SetEnvironmentID(b.environment).SetWorkflowID(w).SetNumber(2).SetDefinition(&oneStep).
		SetSeverity(workflow.SeverityNone).SaveX(ctx).ID
	change(func(u *ent.WorkflowUpdateOne) { u.SetPublishedVersionID(second) })
	require.Equal(t, second, version())

	change(func(u *ent.WorkflowUpdateOne) { u.SetDeleted(true) })
	next := b.publish(t, b.environment, "changing", oneStep)
	require.Equal(t, next, b.db.Ent.Event.GetX(ctx, trigger().EventID).WorkflowID)
	b.db.Ent.Workflow.UpdateOneID(next).SetDeleted(true).ExecX(ctx)
	for range 2 {
		require.Equal(t, accept.Outcome{Status: workflow.TriggerError, Error: accept.CodeWorkflowNotFound}, trigger())
	}
	require.Equal(t, 5, b.count(t, "events"))
}

// TestRepeatedTriggerIsFoundByItsCommit: a transactionId counts as new until the commit finds it used; what came with it is stored all
// the same, and meanwhile others are looked up before.
func TestRepeatedTriggerIsFoundByItsCommit(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	a := b.acceptor(t)
	first := acceptAll(t, a, b.item("good", "t1"))
	require.NotEmpty(t, first[0].EventID)
	for n := range 3 { // assumed to be new, then read
		outcomes := acceptAll(t, a, b.item("good", "t1"), b.item("good", fmt.Sprint("n", n)), b.item("good", fmt.Sprint("n", n)))
		require.Equal(t, accept.Outcome{Status: workflow.TriggerProcessed}, outcomes[0])
		require.NotEmpty(t, outcomes[1].EventID)
		require.Equal(t, accept.Outcome{Status: workflow.TriggerProcessed}, outcomes[2])
	}
	require.Equal(t, 4, b.count(t, "events"))
	require.Equal(t, 4, b.count(t, "transaction_claims"))
}

// refusals counts the batches that Postgres refuses.
type refusals struct{ n atomic.Int64 }

func (r *refusals) TraceBatchEnd(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	if data.Err != nil {
		r.n.Add(1)
	}
}

func (*refusals) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (*refusals) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (*refusals) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (*refusals) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData)     {}

// TestRepeatedTriggersFailOneCommitASecond: while clients repeat triggers, transactionIds are read first.
func TestRepeatedTriggersFailOneCommitASecond(t *testing.T) {
	t.Parallel()
	failed := &refusals{}
	b := acceptBundleOn(t, pgtest.OpenTraced(t, pgtest.NewURL(t), failed))
	b.workflow(t, "good", oneStep)
	var clock atomic.Int64
	a := b.acceptor(t, func(cfg *accept.Config) {
		cfg.Now = func() time.Time { return b.now.Add(time.Duration(clock.Load())) }
	})
	for _, transactionID := range []string{"t1", "t2"} { // the first of a workflow is read
		acceptAll(t, a, b.item("good", transactionID))
	}
	require.Zero(t, failed.n.Load())
	for second := range 3 {
		for range 5 {
			acceptAll(t, a, b.item("good", "t1"))
			clock.Add(int64(time.Second / 10))
		}
		require.Equal(t, int64(second+1), failed.n.Load())
		clock.Add(int64(time.Second))
	}
	require.Equal(t, 2, b.count(t, "events"))
}

// TestRepeatedTriggerPlansNothingAnew: a transactionId that was used says nothing of what the plans of other events rest on.
func TestRepeatedTriggerPlansNothingAnew(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	b.publish(t, b.older, "calm", oneStep)
	a := b.acceptor(t)
	p := b.planning(a)
	p.change = func(plan *stubPlan) *stubPlan {
		plan.assumed = true
		plan.environment.Version = b.text(t, `SELECT configuration_version FROM environments WHERE id = '`+plan.environment.EnvironmentID+`'`)
		return plan
	}
	acceptAll(t, a, b.item("good", "t1"))
	acceptAll(t, a, generated(of(b.older, b.item("calm", "txn_c1")))) // the workflows are known from here on
	outcomes, errs := b.together(t, a, b.item("good", "t1"), generated(of(b.older, b.item("calm", "txn_c2"))))
	require.Equal(t, make([]error, 2), errs)
	require.Equal(t, accept.Outcome{Status: workflow.TriggerProcessed}, outcomes[0])
	require.NotEmpty(t, outcomes[1].EventID)
	require.Equal(t, 1, p.planned["txn_c2"])
	require.Empty(t, p.doubted)
}

// TestAcceptGeneratedIDs holds that transactionIds that were generated are not looked for and take no claim, and that a caller who names one
// afterwards repeats its event.
func TestAcceptGeneratedIDs(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	a := b.acceptor(t)
	b.workflow(t, "good", oneStep)
	fresh := func(transactionID string) accept.Acceptance {
		in := generated(b.item("good", transactionID))
		in.Contexts = []workflow.ContextRef{{Type: "app", ID: transactionID}}
		return in
	}
	repeated := []accept.Outcome{{Status: workflow.TriggerProcessed}}
	made := id.Batch(time.Now(), 4)
	for i := range made {
		made[i] = workflow.GeneratedPrefix + made[i]
	}
	for _, transactionID := range made[:2] { // the workflow is known from the second one on
		require.NotEmpty(t, acceptAll(t, a, fresh(transactionID))[0].EventID)
		require.Equal(t, repeated, acceptAll(t, a, b.item("good", transactionID)))
	}
	require.NotEmpty(t, acceptAll(t, a, b.item("good", made[2]))[0].EventID)
	require.Equal(t, repeated, acceptAll(t, a, b.item("good", made[2])))
	require.Equal(t, 3, b.count(t, "events"))
	require.Equal(t, 2, b.count(t, "contexts"))
	require.Equal(t, 1, b.count(t, "transaction_claims"), "of the one that was chosen")

	outcomes := acceptAll(t, a, fresh(made[3]), b.item("good", made[1]), b.item("good", "t4"))
	require.NotEmpty(t, outcomes[0].EventID)
	require.Equal(t, repeated[0], outcomes[1])
	require.NotEmpty(t, outcomes[2].EventID)
	require.Equal(t, 3, b.count(t, "contexts"))
	require.Equal(t, repeated, acceptAll(t, a, b.item("good", made[3])))
	require.Equal(t, 5, b.count(t, "events"))
}
