package activity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// TestStepStatistics counts what became of each step, once per notification, by its last word.
func TestStepStatistics(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.Now = *pgtest.At(60)
	workflowID := id.New(*pgtest.At(0))
	n := 0
	add := func(minutes int, trace ...workflow.TraceEntry) {
		n++
		a.DB.Ent.Notification.Create().SetID(id.Floor(pgtest.At(minutes).Add(time.Duration(n) * time.Second))).SetWorkflowID(workflowID).
			SetEventID(id.New(time.Now())).SetTransactionID("t").SetWorkflowVersionID(id.New(time.Now())).SetSubscriberID(id.New(time.Now())).
			SetTrace(trace).SaveX(a.Ctx)
	}
	entry := func(step string, reason workflow.Reason) workflow.TraceEntry {
		return workflow.TraceEntry{At: *pgtest.At(0), StepID: step, Reason: reason}
	}
	add(-60, entry("mail", workflow.ReasonSent)) // before the period
	add(10, entry("wait", workflow.ReasonWaiting), entry("wait", workflow.ReasonContinued), entry("mail", workflow.ReasonQueued),
		entry("mail", workflow.ReasonRetry), entry("mail", workflow.ReasonSent), entry("", workflow.ReasonCompleted))
	add(11, entry("wait", workflow.ReasonWaiting))
	add(12, entry("mail", workflow.ReasonNoAddress))
	add(13, entry("mail", workflow.ReasonPreference))
	add(14, entry("mail", workflow.ReasonPreference))
	add(15, entry("mail", workflow.ReasonQueued), entry("mail", workflow.ReasonRejected))
	add(16)
	all, err := a.Statistics.Steps(a.Ctx, []string{workflowID, id.New(time.Now())}, 1)
	require.NoError(t, err)
	require.Len(t, all, 2)
	got := all[workflowID]
	require.Equal(t, 7, got.Notifications)
	require.False(t, got.Capped)
	require.Equal(t, []activity.StepStatistics{
		{StepID: "mail", Reached: 5, Sent: 1, Failed: 1, Skipped: 3, Skips: []activity.StepSkips{{workflow.ReasonPreference, 2}, {workflow.ReasonNoAddress, 1}}},
		{StepID: "wait", Reached: 2, Sent: 1, Skips: []activity.StepSkips{}},
	}, got.Steps)
	other, err := a.Statistics.Steps(a.OtherEnvironment(t), []string{workflowID}, 1)
	require.NoError(t, err)
	require.Zero(t, other[workflowID].Notifications, "of its own environment only")
	for _, hours := range []int{0, 745} {
		_, err := a.Statistics.Steps(a.Ctx, []string{workflowID}, hours)
		require.Equal(t, []string{"hours"}, notifytest.Paths(t, err))
	}
}
