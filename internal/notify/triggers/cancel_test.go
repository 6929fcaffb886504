package triggers_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/workflow"
)

// ids returns the ids of notifications.
func ids(runs []*ent.Notification) []string { return notifytest.NodeIDs(runs) }

// TestCancelTransaction holds what of a transaction is stopped, what is too late, and that both are said.
func TestCancelTransaction(t *testing.T) {
	t.Parallel()
	counted := map[string]int{}
	a := notifytest.NewAudience(t, func(cfg *usecase.Config) { cfg.CountRuns = func(status string, n int) { counted[status] += n } })
	fannedOut := a.MakeEvent(t, "t", func(c *ent.EventCreate) { c.SetStatus(event.StatusFannedOut) })
	fresh := a.MakeEvent(t, "t")
	other := a.MakeEvent(t, "other")
	waiting := a.MakeRun(t, fannedOut, "u0", workflow.RunWaiting)
	done := a.MakeRun(t, fannedOut, "u1", workflow.RunCompleted)
	second := a.MakeRun(t, fresh, "u0", workflow.RunWaiting)
	kept := a.MakeRun(t, other, "u0", workflow.RunWaiting)

	result, err := a.Cancellations.Transaction(a.Ctx, "t")
	require.NoError(t, err)
	require.Equal(t, 1, result.EventsStopped, "of the other all recipients had been found")
	require.Equal(t, []string{waiting.ID, second.ID}, ids(result.Stopped))
	require.Equal(t, []string{done.ID}, ids(result.TooLate))
	require.Equal(t, workflow.RunCancelled, result.Stopped[0].Status, "as they are now")
	require.Nil(t, result.Stopped[0].DueAt)
	require.Equal(t, workflow.ReasonCancelled, result.Stopped[0].Trace[0].Reason)
	require.Equal(t, 2, result.StoppedCount)
	require.Equal(t, 1, result.TooLateCount)
	require.True(t, result.Complete)
	require.Equal(t, map[string]int{"cancelled": 2}, counted)
	require.Equal(t, workflow.RunWaiting, a.DB.Ent.Notification.GetX(a.Ctx, kept.ID).Status, "another transaction")
	require.Equal(t, event.StatusCancelled, a.DB.Ent.Event.GetX(a.Ctx, fresh.ID).Status)
	require.Equal(t, event.StatusFannedOut, a.DB.Ent.Event.GetX(a.Ctx, fannedOut.ID).Status)
	audited := a.DB.Ent.AuditEntry.Query().Where(auditentry.Action("cancel")).AllX(a.Ctx)
	require.Len(t, audited, 2, "one entry per event")
	require.Equal(t, map[string]any{"transactionId": "t"}, audited[0].Changes)

	again, err := a.Cancellations.Transaction(a.Ctx, "t")
	require.NoError(t, err)
	require.Equal(t, &triggers.CancelResult{TooLate: again.TooLate, TooLateCount: 3, Complete: true}, again, "the second time is too late")
	require.Equal(t, 2, counted["cancelled"])

	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Cancellations.Transaction(a.Ctx, "none")))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Cancellations.Transaction(a.OtherEnvironment(t), "other")))
	require.Equal(t, workflow.RunWaiting, a.DB.Ent.Notification.GetX(a.Ctx, kept.ID).Status, "another environment stops nothing")
}

// TestCancelManyRuns holds that more runs than share a transaction are all cancelled and counted, and the first listed.
func TestCancelManyRuns(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	e := a.MakeEvent(t, "t")
	const runs = triggers.MaxCancelled + 7
	creates := make([]*ent.NotificationCreate, runs)
	for i, runID := range id.Batch(a.Now, runs) {
		creates[i] = a.DB.Ent.Notification.Create().SetID(runID).SetEventID(e.ID).SetTransactionID("t").SetWorkflowID("w").SetWorkflowVersionID("v").
			SetSubscriberID(fmt.Sprint(i)).SetStatus(workflow.RunWaiting).SetDueAt(a.Now).SetTrace([]workflow.TraceEntry{}).
			SetContextKeys(e.ContextKeys).SetScope(e.Scope)
	}
	a.DB.Ent.Notification.CreateBulk(creates...).ExecX(a.Ctx)
	result, err := a.Cancellations.Transaction(a.Ctx, "t")
	require.NoError(t, err)
	require.Equal(t, runs, result.StoppedCount)
	require.Len(t, result.Stopped, triggers.MaxCancelled)
	require.IsIncreasing(t, ids(result.Stopped))
	require.True(t, result.Complete)
	result, err = a.Cancellations.Transaction(a.Ctx, "t")
	require.NoError(t, err)
	require.Equal(t, runs, result.TooLateCount)
	require.Len(t, result.TooLate, triggers.MaxCancelled)
}

// TestCancelNotification holds that one run is stopped, named by either of its ids.
func TestCancelNotification(t *testing.T) {
	t.Parallel()
	hub := realtime.NewHub(realtime.Config{})
	a := notifytest.NewAudience(t, func(cfg *usecase.Config) { cfg.Live = hub })
	e := a.MakeEvent(t, "t")
	first, second, done := a.MakeRun(t, e, "u0", workflow.RunWaiting), a.MakeRun(t, e, "u1", workflow.RunWaiting), a.MakeRun(t, e, "u2", workflow.RunCompleted)
	follow := hub.Follow(realtime.Notifications(a.Scope.EnvironmentID))
	defer follow.Close()

	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Cancellations.Notification(a.OtherEnvironment(t), first.ID)))
	result, err := a.Cancellations.Notification(a.Ctx, first.GlobalID())
	require.NoError(t, err)
	require.Equal(t, []string{first.ID}, ids(result.Stopped))
	require.True(t, result.Complete)
	require.Zero(t, result.EventsStopped, "its event is not stopped")
	require.Equal(t, workflow.RunWaiting, a.DB.Ent.Notification.GetX(a.Ctx, second.ID).Status, "and so do the other runs")
	changed, _ := follow.Take()
	require.Equal(t, []string{first.ID}, changed, "those who follow it hear of it")

	result, err = a.Cancellations.Notification(a.Ctx, done.ID)
	require.NoError(t, err)
	require.Equal(t, []string{done.ID}, ids(result.TooLate))
	require.Zero(t, result.StoppedCount)
	changed, _ = follow.Take()
	require.Empty(t, changed)
	audited := a.DB.Ent.AuditEntry.Query().Where(auditentry.Action("cancel")).Order(auditentry.ByID()).AllX(a.Ctx)
	require.Len(t, audited, 2)
	require.Equal(t, map[string]any{"stopped": true}, audited[0].Changes)
	require.Equal(t, map[string]any{"stopped": false}, audited[1].Changes)

	for _, unknown := range []string{"", "none", id.New(a.Now), id.Global("Event", e.ID), e.ID} {
		notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Cancellations.Notification(a.Ctx, unknown)))
	}
}

// TestCancelByTheEnvironmentsClock holds that a cancellation happens at the environment's time.
func TestCancelByTheEnvironmentsClock(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.DB.VirtualClocks = true
	later := a.Now.AddDate(1, 0, 0)
	_, err := a.Clocks.Set(a.Ctx, later, false)
	require.NoError(t, err)
	run := a.MakeRun(t, a.MakeEvent(t, "t"), "u0", workflow.RunWaiting)
	result, err := a.Cancellations.Notification(a.Ctx, run.ID)
	require.NoError(t, err)
	require.Equal(t, later, result.Stopped[0].FinishedAt.UTC())
	require.Equal(t, later, result.Stopped[0].Trace[0].At.UTC())
}

// TestCancelRollsBack holds that an event is not left half cancelled when its caller has gone.
func TestCancelRollsBack(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	run := a.MakeRun(t, a.MakeEvent(t, "t"), "u0", workflow.RunWaiting)
	gone, cancel := context.WithCancel(a.Ctx)
	cancel()
	require.Error(t, notifytest.Err(a.Cancellations.Transaction(gone, "t")))
	require.Equal(t, workflow.RunWaiting, a.DB.Ent.Notification.GetX(a.Ctx, run.ID).Status)
	require.Zero(t, a.DB.Ent.AuditEntry.Query().Where(auditentry.Action("cancel")).CountX(a.Ctx))
}
