package accept_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/id"
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
