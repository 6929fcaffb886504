package activity_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// watching is an audience whose notifications are watched.
type watching struct {
	*notifytest.Audience
	hub *realtime.Hub
}

func newWatching(t *testing.T) *watching {
	t.Helper()
	w := &watching{hub: realtime.NewHub(realtime.Config{})}
	w.Audience = notifytest.NewAudience(t, func(cfg *usecase.Config) { cfg.Live = w.hub })
	return w
}

// decide adds a decision to a run's trace and publishes it.
func (w *watching) decide(t *testing.T, run *ent.Notification, reasons ...workflow.Reason) {
	t.Helper()
	trace := w.DB.Ent.Notification.GetX(w.Ctx, run.ID).Trace
	for _, reason := range reasons {
		trace = append(trace, workflow.TraceEntry{At: w.Now, Reason: reason})
	}
	w.DB.Ent.Notification.UpdateOneID(run.ID).SetTrace(trace).ExecX(w.Ctx)
	w.hub.Publish(realtime.Notification(w.Scope.EnvironmentID, run.ID))
}

// next returns the next notification that is told of.
func next(t *testing.T, updates <-chan *ent.Notification) *ent.Notification {
	t.Helper()
	select {
	case row, open := <-updates:
		require.True(t, open, "the watch has ended")
		return row
	case <-time.After(stall.Limit(time.Minute)):
		require.Fail(t, "nothing is told")
		return nil
	}
}

// TestNotificationWatch holds that a notification is told of when its trace has grown, to those whose filter it meets.
func TestNotificationWatch(t *testing.T) {
	t.Parallel()
	w := newWatching(t)
	u := w.MakeSubscribers(t, 2)
	first := w.MakeRun(t, w.MakeEvent(t, "t"), u[0].ID, workflow.RunPending)
	second := w.MakeRun(t, w.MakeEvent(t, "other"), u[1].ID, workflow.RunPending)
	w.decide(t, first, workflow.ReasonQueued)
	ctx, cancel := context.WithCancel(w.Ctx)
	watch := func(filter *activity.NotificationWatchFilter) <-chan *ent.Notification {
		updates, err := w.Notifications.Watch(ctx, filter)
		require.NoError(t, err)
		return updates
	}
	all, of := watch(nil), watch(&activity.NotificationWatchFilter{SubscriberID: new("u1")})
	transaction := watch(&activity.NotificationWatchFilter{TransactionID: new("t")})
	failures := watch(&activity.NotificationWatchFilter{FailuresOnly: notifytest.Yes()})
	require.Equal(t, first.ID, next(t, transaction).ID, "a transaction begins with what is there")

	w.decide(t, second, workflow.ReasonQueued)
	require.Equal(t, second.ID, next(t, all).ID)
	require.Equal(t, second.ID, next(t, of).ID)
	w.hub.Publish(realtime.Notification(w.Scope.EnvironmentID, second.ID)) // its trace is as before
	w.decide(t, first, workflow.ReasonRejected)
	require.Equal(t, first.ID, next(t, all).ID, "what has not grown is not told of again")
	require.Equal(t, first.ID, next(t, failures).ID, "a failure")
	require.Len(t, next(t, transaction).Trace, 2, "as it is now")
	cancel()
	for name, updates := range map[string]<-chan *ent.Notification{"all": all, "of": of, "transaction": transaction, "failures": failures} {
		select {
		case row, open := <-updates:
			require.False(t, open, "%s: %v", name, row)
		case <-time.After(stall.Limit(time.Minute)):
			require.Fail(t, "the watch does not end", name)
		}
	}
	require.False(t, w.hub.Followed(realtime.Notifications(w.Scope.EnvironmentID)) && w.hub.Watching() > 0)
}

// TestNotificationWatchRefusals holds what is refused before anything is watched.
func TestNotificationWatchRefusals(t *testing.T) {
	t.Parallel()
	w := newWatching(t)
	_, err := w.Notifications.Watch(t.Context(), nil)
	notifytest.RequireKind(t, fault.Unauthenticated, err)
	still := notifytest.NewAudience(t)
	_, err = still.Notifications.Watch(still.Ctx, nil)
	notifytest.RequireKind(t, fault.Unavailable, err)
	require.ErrorIs(t, err, usecase.ErrNoHub)
}
