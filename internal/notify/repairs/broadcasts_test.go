package repairs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/repairs"
	"github.com/carillon/carillon/internal/workflow"
)

// TestPace sets the pace of a broadcast that is being made, and takes it away.
func TestPace(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	wide := a.MakeEvent(t, "wide", func(c *ent.EventCreate) { c.SetKind(event.KindBroadcast).SetStatus(event.StatusAccepted) })
	pace := func(name string, perSecond *int) error {
		return notifytest.Err(a.Broadcasts.Pace(a.Ctx, repairs.PaceBroadcastInput{Event: name, PerSecond: perSecond}))
	}
	stored := func() *int { return a.DB.Ent.Event.GetX(a.Ctx, wide.ID).PerSecond }
	dry, err := a.Broadcasts.Pace(a.Ctx, repairs.PaceBroadcastInput{Event: wide.ID, PerSecond: new(5), DryRun: new(true)})
	require.NoError(t, err)
	require.Equal(t, []any{true, 5}, []any{dry.DryRun, *dry.Event.PerSecond})
	require.Nil(t, stored())
	require.NoError(t, pace(wide.ID, new(5)))
	require.Equal(t, 5, *stored())
	require.NoError(t, pace(wide.TransactionID, nil))
	require.Nil(t, stored())
	require.Equal(t, 2, audited(a, "pace"))
	for _, n := range []int{0, -1, 10_001} {
		notifytest.RequireKind(t, fault.Invalid, pace(wide.ID, new(n)))
	}
	notifytest.RequireKind(t, fault.NotFound, pace("none", nil))
	notifytest.RequireKind(t, fault.Invalid, pace("", nil))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Broadcasts.Pace(a.OtherEnvironment(t), repairs.PaceBroadcastInput{Event: wide.ID})))
	a.DB.Ent.Event.UpdateOneID(wide.ID).SetStatus(event.StatusFannedOut).ExecX(a.Ctx)
	notifytest.RequireKind(t, fault.Conflict, pace(wide.ID, new(5)))
}

// TestProgress puts together what an event's row, its counts and its pause say.
func TestProgress(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	wide := a.MakeEvent(t, "wide", func(c *ent.EventCreate) {
		c.SetKind(event.KindBroadcast).SetStatus(event.StatusAccepted).SetNotified(7).SetPerSecond(3).
			SetCheckpoint(map[string]any{"started": true, "planned": 50_000, "examined": 9})
	})
	direct := a.MakeEvent(t, "direct")
	for shard := range 2 {
		a.DB.Ent.EventCount.Create().SetEventID(wide.ID).SetShard(shard).SetSent(2).SetFailed(1).SetSkipped(shard).ExecX(a.Ctx)
	}
	p, err := a.Pauses.Pause(a.Ctx, repairs.PauseDeliveryInput{Kind: workflow.PauseBroadcast, Target: &wide.ID})
	require.NoError(t, err)
	ids := []string{wide.ID, direct.ID}
	progress, err := a.Broadcasts.Progress(a.Ctx, ids)
	require.NoError(t, err)
	require.Len(t, progress, 1, "one with few recipients has none")
	got := progress[wide.ID]
	require.Equal(t, p.Pause.ID, got.Pause.ID)
	got.Pause = nil
	require.Equal(t, &repairs.EventProgress{Planned: 50_000, PlannedCapped: true, Examined: 9, Notified: 7, Sent: 4, Failed: 2, Skipped: 1, PerSecond: new(3)}, got)
	progress, err = a.Broadcasts.Progress(a.OtherEnvironment(t), ids)
	require.NoError(t, err)
	require.Empty(t, progress)
}

// TestNamesLikeIDs: the names that callers give may look like ids, as those of other databases do.
func TestNamesLikeIDs(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	name := id.New(a.Now)
	a.DB.Ent.Integration.Create().SetIdentifier(name).SetName("Mailer").SetProviderID("sendgrid").SetChannel(workflow.ChannelEmail).SaveX(a.Ctx)
	a.MakeEvent(t, name, func(c *ent.EventCreate) { c.SetKind(event.KindBroadcast).SetStatus(event.StatusAccepted) })
	require.NoError(t, notifytest.Err(a.Broadcasts.Pace(a.Ctx, repairs.PaceBroadcastInput{Event: name, PerSecond: new(5)})))
	for _, kind := range []workflow.PauseKind{workflow.PauseBroadcast, workflow.PauseIntegration} {
		require.NoError(t, notifytest.Err(a.Pauses.Pause(a.Ctx, repairs.PauseDeliveryInput{Kind: kind, Target: &name})))
	}
}
