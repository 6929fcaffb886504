package repairs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/ent/digest"
	entenvironment "github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/repairs"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestPermissions holds who may repair by hand, and who may pause.
func TestPermissions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	none := id.New(a.Now)
	permissions := notifytest.Permissions{}
	permissions.Add(viewer.GrantActivityRead, viewer.RoleViewer, map[string]notifytest.Call{
		"pauses":   func(c context.Context) error { return notifytest.Err(a.Pauses.List(c, usecase.Page{}, nil, nil)) },
		"pause":    func(c context.Context) error { return notifytest.Err(a.Pauses.Get(c, none)) },
		"progress": func(c context.Context) error { return notifytest.Err(a.Broadcasts.Progress(c, []string{none})) },
		"held":     func(c context.Context) error { return notifytest.Err(a.Pauses.Held(c, []string{none})) },
		"targets":  func(c context.Context) error { return notifytest.Err(a.Pauses.TargetNames(c, []string{none})) },
		"messageRetries": func(c context.Context) error {
			return notifytest.Err(a.Retries.List(c, usecase.Page{}, nil))
		},
		"messageRetry": func(c context.Context) error { return notifytest.Err(a.Retries.Get(c, none)) },
	})
	permissions.Add(viewer.GrantActivity, viewer.RoleEditor, map[string]notifytest.Call{
		"resendMessage": func(c context.Context) error {
			return notifytest.Err(a.Resends.Message(c, repairs.ResendMessageInput{ID: none}))
		},
		"replayNotification": func(c context.Context) error {
			return notifytest.Err(a.Replays.Notification(c, repairs.ReplayNotificationInput{ID: none}))
		},
		"recall": func(c context.Context) error {
			return notifytest.Err(a.Recalls.Recall(c, repairs.RecallInput{NotificationID: &none}))
		},
		"releaseDigest": func(c context.Context) error {
			return notifytest.Err(a.Windows.Release(c, repairs.DigestInput{ID: none}))
		},
		"dropDigest": func(c context.Context) error { return notifytest.Err(a.Windows.Drop(c, repairs.DigestInput{ID: none})) },
		"paceBroadcast": func(c context.Context) error {
			return notifytest.Err(a.Broadcasts.Pace(c, repairs.PaceBroadcastInput{Event: none}))
		},
		"retryMessages": func(c context.Context) error { return notifytest.Err(a.Retries.Begin(c, repairs.RetryMessagesInput{})) },
		"cancelMessageRetry": func(c context.Context) error {
			return notifytest.Err(a.Retries.Cancel(c, repairs.CancelMessageRetryInput{ID: none}))
		},
	})
	permissions.Add(viewer.GrantActivity, viewer.RoleAdmin, map[string]notifytest.Call{
		"pauseDelivery": func(c context.Context) error {
			return notifytest.Err(a.Pauses.Pause(c, repairs.PauseDeliveryInput{Kind: workflow.PauseEnvironment}))
		},
		"resumeDelivery": func(c context.Context) error {
			return notifytest.Err(a.Pauses.Resume(c, repairs.ResumeDeliveryInput{ID: none}))
		},
	})
	notifytest.RequirePermissions(t, a.Scope, permissions)
}

// mail makes a message of a run that has left, or failed.
func mail(t *testing.T, a *notifytest.Audience, run *ent.Notification, status workflow.MessageStatus, outcome workflow.AttemptOutcome) *ent.Message {
	t.Helper()
	m, err := a.DB.Ent.Message.Create().SetNotificationID(run.ID).SetEventID(run.EventID).SetTransactionID(run.TransactionID).SetWorkflowID(run.WorkflowID).
		SetWorkflowIdentifier("w").SetStepID("mail").SetSubscriberID(run.SubscriberID).SetChannel(workflow.ChannelEmail).SetTarget("a@x.test").
		SetStatus(status).SetAttempts(1).SetContextKeys(run.ContextKeys).SetScope(run.Scope).SetIntegrationID("i").SetProviderID("smtp").
		SetEnvelope(map[string]any{"to": []string{"a@x.test"}, "uncertain": true}).SetNillableErrorID(map[workflow.MessageStatus]*string{
		workflow.MessageError: new(string(workflow.ReasonRejected)),
	}[status]).Save(a.Ctx)
	require.NoError(t, err)
	a.DB.Ent.Attempt.Create().SetMessageID(m.ID).SetNumber(1).SetIntegrationID("i").SetProviderID("smtp").SetOutcome(outcome).ExecX(a.Ctx)
	return m
}

func audited(a *notifytest.Audience, action string) int {
	return a.DB.Ent.AuditEntry.Query().Where(auditentry.Action(action)).CountX(a.Ctx)
}

// TestResend says what becomes of a message that is sent again, in a trial and in earnest.
func TestResend(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	run := a.MakeRun(t, a.MakeEvent(t, "t"), "s", workflow.RunCompleted)
	failed := mail(t, a, run, workflow.MessageError, workflow.AttemptRejected)
	dry, err := a.Resends.Message(a.Ctx, repairs.ResendMessageInput{ID: failed.ID, DryRun: new(true)})
	require.NoError(t, err)
	require.True(t, dry.DryRun)
	require.Equal(t, workflow.MessagePending, dry.Message.Status, "as it would be")
	require.Equal(t, workflow.MessageError, a.DB.Ent.Message.GetX(a.Ctx, failed.ID).Status)
	require.Zero(t, audited(a, "resend"))

	out, err := a.Resends.Message(a.Ctx, repairs.ResendMessageInput{ID: failed.ID})
	require.NoError(t, err)
	require.Equal(t, []any{failed.ID, false, false}, []any{out.Message.ID, out.Copied, out.DuplicatePossible})
	now := a.DB.Ent.Message.GetX(a.Ctx, failed.ID)
	require.Equal(t, workflow.MessagePending, now.Status)
	require.NotNil(t, now.DueAt)
	require.EqualValues(t, 1, now.Envelope["since"], "its tries count anew")
	require.Equal(t, workflow.ReasonResent, a.DB.Ent.Notification.GetX(a.Ctx, run.ID).Trace[0].Reason)
	require.Equal(t, 1, audited(a, "resend"))
	notifytest.RequireKind(t, fault.Conflict, notifytest.Err(a.Resends.Message(a.Ctx, repairs.ResendMessageInput{ID: failed.ID})))

	second := a.MakeRun(t, a.MakeEvent(t, "t2"), "s", workflow.RunCompleted)
	sent := mail(t, a, second, workflow.MessageSent, workflow.AttemptAccepted)
	out, err = a.Resends.Message(a.Ctx, repairs.ResendMessageInput{ID: sent.ID})
	require.NoError(t, err)
	require.True(t, out.Copied && out.DuplicatePossible)
	require.Equal(t, []any{sent.ID, "a@x.test#2", workflow.MessagePending}, []any{*out.Message.ResendOf, out.Message.Target, out.Message.Status})
	require.NotContains(t, out.Message.Envelope, "uncertain")
	require.Equal(t, workflow.MessageSent, a.DB.Ent.Message.GetX(a.Ctx, sent.ID).Status, "the original stays as it is")

	bell := a.DB.Ent.Integration.Query().FirstIDX(a.Ctx)
	notifytest.RequireKind(t, fault.Invalid, notifytest.Err(a.Resends.Message(a.Ctx, repairs.ResendMessageInput{ID: sent.ID, IntegrationID: &bell})))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Resends.Message(a.OtherEnvironment(t), repairs.ResendMessageInput{ID: sent.ID})))
}

// TestReplay says with which steps, results and version a notification is replayed.
func TestReplay(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	person := a.MakeSubscribers(t, 1)[0]
	steps := func(ids ...string) *workflow.Definition {
		d := &workflow.Definition{}
		for _, stepID := range ids {
			d.Steps = append(d.Steps, workflow.Step{StepID: stepID, Type: workflow.StepInApp, Active: true, InApp: &workflow.InAppControls{Body: "x"}})
		}
		return d
	}
	w := a.MakeWorkflow(t, "orders", nil)
	version := func(number int, d *workflow.Definition) *ent.WorkflowVersion {
		return a.DB.Ent.WorkflowVersion.Create().SetWorkflowID(w.ID).SetNumber(number).SetDefinition(d).SetSeverity(workflow.SeverityNone).SaveX(a.Ctx)
	}
	then, published := version(1, steps("mail", "b", "c")), version(2, steps("mail", "new"))
	w.Update().SetPublishedVersionID(published.ID).ExecX(a.Ctx)
	of := a.MakeEvent(t, "t", func(c *ent.EventCreate) {
		c.SetWorkflowID(w.ID).SetWorkflowVersionID(then.ID).SetStatus(event.StatusFannedOut).SetPayload(map[string]any{"n": 1.0})
	})
	run := a.MakeRun(t, of, person.ID, workflow.RunCompleted)
	mail(t, a, run, workflow.MessageSent, workflow.AttemptAccepted)

	dry, err := a.Replays.Notification(a.Ctx, repairs.ReplayNotificationInput{ID: run.ID, StepID: "b", DryRun: new(true)})
	require.NoError(t, err)
	require.Equal(t, []string{"b", "c"}, dry.StepIDs)
	require.Equal(t, 1, a.DB.Ent.Notification.Query().CountX(a.Ctx), "a trial stores nothing")

	out, err := a.Replays.Notification(a.Ctx, repairs.ReplayNotificationInput{ID: run.ID, StepID: "b"})
	require.NoError(t, err)
	require.Equal(t, 1, out.VersionNumber)
	n := out.Notification
	require.Equal(t, []any{run.ID, 1, workflow.RunWaiting, then.ID}, []any{*n.ReplayOf, n.Position, n.Status, n.WorkflowVersionID})
	require.Equal(t, map[string]any{"mail": map[string]any{"sent": true}}, n.State["results"], "earlier steps count as they ended")
	require.NotNil(t, n.DueAt)
	ev := a.DB.Ent.Event.GetX(a.Ctx, n.EventID)
	require.Equal(t, map[string]any{"n": 1.0}, ev.Payload)
	require.NotEqual(t, "t", ev.TransactionID)
	require.Equal(t, 1, audited(a, "replay"))

	latest := repairs.ReplayPublished
	out, err = a.Replays.Notification(a.Ctx, repairs.ReplayNotificationInput{ID: run.ID, StepID: "new", Version: &latest})
	require.NoError(t, err)
	require.Equal(t, []any{2, published.ID}, []any{out.VersionNumber, out.Notification.WorkflowVersionID})
	require.Equal(t, []string{"stepId"}, notifytest.Paths(t, notifytest.Err(a.Replays.Notification(a.Ctx, repairs.ReplayNotificationInput{ID: run.ID, StepID: "new"}))))
	w.Update().SetActive(false).ExecX(a.Ctx)
	notifytest.RequireKind(t, fault.Conflict, notifytest.Err(a.Replays.Notification(a.Ctx, repairs.ReplayNotificationInput{ID: run.ID, StepID: "b"})))
}

// TestRecall says what of a transaction is stopped, what leaves its inbox, and what has left for good.
func TestRecall(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	person := a.MakeSubscribers(t, 1)[0]
	ev := a.MakeEvent(t, "t")
	waiting := a.MakeRun(t, ev, "other", workflow.RunWaiting)
	failed := mail(t, a, waiting, workflow.MessageError, workflow.AttemptRejected)
	done := a.MakeRun(t, ev, person.ID, workflow.RunCompleted)
	left := mail(t, a, done, workflow.MessageSent, workflow.AttemptAccepted)
	other := a.MakeRun(t, ev, "third", workflow.RunCompleted)
	deletable := mail(t, a, other, workflow.MessageSent, workflow.AttemptAccepted)
	deletable.Update().SetEnvelope(map[string]any{"receipt": map[string]any{"id": "1"}}).ExecX(a.Ctx)
	bells := a.MakeMessages(t, person, 2)
	_, err := a.DB.Pool.Exec(a.Ctx, `UPDATE messages SET notification_id = $1, event_id = $2 WHERE id = $3`, done.ID, ev.ID, bells[0])
	require.NoError(t, err)
	for _, dry := range []bool{true, false} {
		out, err := a.Recalls.Recall(a.Ctx, repairs.RecallInput{TransactionID: new("t"), DryRun: &dry})
		require.NoError(t, err)
		require.Equal(t, []any{1, 1, 1, 1, 1, true, dry}, []any{out.EventsStopped, out.StoppedCount, out.WithdrawnCount, out.RecallingCount, out.OutOfReachCount, out.Complete, out.DryRun})
		require.Equal(t, []string{left.ID}, notifytest.NodeIDs(out.OutOfReach))
		if dry {
			require.Equal(t, workflow.RunWaiting, a.DB.Ent.Notification.GetX(a.Ctx, waiting.ID).Status)
			require.NotNil(t, a.DB.Ent.Message.GetX(a.Ctx, bells[0]))
			require.Nil(t, a.DB.Ent.Message.GetX(a.Ctx, deletable.ID).DueAt)
			require.Zero(t, audited(a, "recall"))
		}
	}
	require.Equal(t, workflow.RunCancelled, a.DB.Ent.Notification.GetX(a.Ctx, waiting.ID).Status)
	notifytest.RequireKind(t, fault.Conflict, notifytest.Err(a.Resends.Message(a.Ctx, repairs.ResendMessageInput{ID: failed.ID})))
	require.NotNil(t, a.DB.Ent.Message.GetX(a.Ctx, deletable.ID).DueAt, "its provider is asked to delete it")
	_, err = a.DB.Ent.Message.Get(a.Ctx, bells[0])
	require.True(t, ent.IsNotFound(err))
	state := a.DB.Ent.InboxState.Query().OnlyX(a.Ctx)
	require.Equal(t, []int{1, 1, 1}, []int{state.Total, state.Unread, state.Unseen}, "the other message is still counted")
	require.Equal(t, 1, a.DB.Ent.InboxRemoval.Query().CountX(a.Ctx), "open inboxes hear of it")
	trace := a.DB.Ent.Notification.GetX(a.Ctx, done.ID).Trace
	require.Equal(t, workflow.ReasonRecalled, trace[len(trace)-1].Reason)
	require.Equal(t, 1, audited(a, "recall"))
	notifytest.RequireKind(t, fault.Invalid, notifytest.Err(a.Recalls.Recall(a.Ctx, repairs.RecallInput{})))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Recalls.Recall(a.Ctx, repairs.RecallInput{TransactionID: new("none")})))
}

// TestRecallInParts: a recall that is larger than one call continues where the one before ended.
func TestRecallInParts(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	ev := a.MakeEvent(t, "t")
	for _, name := range []string{"x", "y", "z"} {
		a.MakeRun(t, ev, name, workflow.RunWaiting)
	}
	var got []any
	for range 2 {
		out, err := a.Recalls.Bounded(2).Recall(a.Ctx, repairs.RecallInput{TransactionID: new("t")})
		require.NoError(t, err)
		got = append(got, out.StoppedCount, out.Complete)
	}
	require.Equal(t, []any{2, false, 1, true}, got)
}

// TestDigestWindows releases one window and drops another.
func TestDigestWindows(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	open := func(key string) (*ent.Digest, []*ent.Notification) {
		ev, more := a.MakeEvent(t, key), a.MakeEvent(t, key+"2")
		owner := a.MakeRun(t, ev, "s", workflow.RunWaiting)
		member := a.MakeRun(t, more, "s", workflow.RunMerged)
		d := a.DB.Ent.Digest.Create().SetWorkflowID("w").SetStepID("d").SetSubscriberID("s").SetDigestKey(key).SetNotificationID(owner.ID).
			SetOpenedAt(a.Now).SetClosesAt(a.Now.Add(time.Hour)).SetTotal(2).SetContextKeys(owner.ContextKeys).SetScope(owner.Scope).SaveX(a.Ctx)
		for _, n := range []*ent.Notification{owner, member} {
			n.Update().SetDigestID(d.ID).SetHeldBy("a pause that is over").ExecX(a.Ctx)
		}
		return d, []*ent.Notification{owner, member}
	}
	status := func(n *ent.Notification) workflow.RunStatus { return a.DB.Ent.Notification.GetX(a.Ctx, n.ID).Status }
	window, runs := open("a")
	for _, dry := range []bool{true, false} {
		out, err := a.Windows.Release(a.Ctx, repairs.DigestInput{ID: window.ID, DryRun: &dry})
		require.NoError(t, err)
		require.Equal(t, []any{2, dry}, []any{out.Events, out.DryRun})
		require.True(t, out.Digest.ClosesAt.Equal(a.Now))
		require.Equal(t, digest.StatusClosed, out.Digest.Status)
		require.Equal(t, !dry, a.DB.Ent.Notification.GetX(a.Ctx, runs[0].ID).DueAt.Equal(a.Now), "its run is due")
	}
	window, runs = open("b")
	for _, dry := range []bool{true, false} {
		out, err := a.Windows.Drop(a.Ctx, repairs.DigestInput{ID: window.ID, DryRun: &dry})
		require.NoError(t, err)
		require.Equal(t, []any{2, true, digest.StatusCancelled}, []any{out.Events, out.Complete, out.Digest.Status})
		require.Equal(t, !dry, status(runs[0]) == workflow.RunCancelled)
		require.Equal(t, !dry, status(runs[1]) == workflow.RunCancelled)
	}
	notifytest.RequireKind(t, fault.Conflict, notifytest.Err(a.Windows.Drop(a.Ctx, repairs.DigestInput{ID: window.ID})))
	require.Equal(t, []int{1, 1}, []int{audited(a, "release"), audited(a, "drop")})
}

// TestPauses says what can be paused, once, and what a pause says of itself.
func TestPauses(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	w := a.MakeWorkflow(t, "orders", nil)
	ev := a.MakeEvent(t, "t", func(c *ent.EventCreate) { c.SetWorkflowID(w.ID) })
	a.MakeRun(t, ev, "s", workflow.RunWaiting)
	in := repairs.PauseDeliveryInput{Kind: workflow.PauseWorkflow, Target: new("orders"), Reason: new("a mistake in the template"), DryRun: new(true)}
	out, err := a.Pauses.Pause(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, []any{1, 1, 0, true}, []any{out.Events, out.Notifications, out.Messages, out.DryRun})
	require.Zero(t, a.DB.Ent.Pause.Query().CountX(a.Ctx))
	in.DryRun = nil
	out, err = a.Pauses.Pause(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, w.ID, out.Pause.Target)
	notifytest.RequireKind(t, fault.Conflict, notifytest.Err(a.Pauses.Pause(a.Ctx, in)))
	for _, wrong := range []repairs.PauseDeliveryInput{
		{Kind: workflow.PauseChannel, Target: new("in_app")},
		{Kind: workflow.PauseChannel},
		{Kind: workflow.PauseEnvironment, Target: new("x")},
		{Kind: workflow.PauseSubscriber},
	} {
		require.Equal(t, []string{"target"}, notifytest.Paths(t, notifytest.Err(a.Pauses.Pause(a.Ctx, wrong))))
	}
	for _, more := range []repairs.PauseDeliveryInput{
		{Kind: workflow.PauseChannel, Target: new("email")}, {Kind: workflow.PauseBroadcast, Target: new("t")}, {Kind: workflow.PauseEnvironment},
	} {
		require.NoError(t, notifytest.Err(a.Pauses.Pause(a.Ctx, more)))
	}
	_, err = a.DB.Pool.Exec(a.Ctx, `UPDATE notifications SET held_by = $1, due_at = now() + interval '8765832 hours'`, out.Pause.ID)
	require.NoError(t, err)
	held, err := a.Pauses.Held(a.Ctx, []string{out.Pause.ID, id.New(a.Now)})
	require.NoError(t, err)
	require.Equal(t, map[string]int{out.Pause.ID: 1}, held)
	held, err = a.Pauses.Held(a.OtherEnvironment(t), []string{out.Pause.ID})
	require.NoError(t, err)
	require.Empty(t, held)
	resumed, err := a.Pauses.Resume(a.Ctx, repairs.ResumeDeliveryInput{ID: out.Pause.ID, PerSecond: new(7)})
	require.NoError(t, err)
	require.Equal(t, []int{7, 1}, []int{resumed.Pause.PerSecond, resumed.Held})
	require.NotNil(t, resumed.Pause.DueAt, "what it held is given back by whoever looks next")
	notifytest.RequireKind(t, fault.Conflict, notifytest.Err(a.Pauses.Resume(a.Ctx, repairs.ResumeDeliveryInput{ID: out.Pause.ID})))
	require.Equal(t, []string{"perSecond"}, notifytest.Paths(t, notifytest.Err(a.Pauses.Resume(a.Ctx, repairs.ResumeDeliveryInput{ID: out.Pause.ID, PerSecond: new(0)}))))
	lasting, err := a.Pauses.List(a.Ctx, usecase.Page{}, nil, new(true))
	require.NoError(t, err)
	require.Len(t, lasting.Nodes(), 3)
	require.Equal(t, []int{4, 1}, []int{audited(a, "pause"), audited(a, "resume")})
}

// TestPauseOfASubscriber names the subscriber who bears a subscriberId now, and counts what waits for them alone.
func TestPauseOfASubscriber(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	people, ev := a.MakeSubscribers(t, 2), a.MakeEvent(t, "t")
	for _, s := range people {
		a.MakeRun(t, ev, s.ID, workflow.RunWaiting)
	}
	in := repairs.PauseDeliveryInput{Kind: workflow.PauseSubscriber, Target: new(people[1].SubscriberID)}
	out, err := a.Pauses.Pause(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, []any{people[1].ID, 0, 1, 0}, []any{out.Pause.Target, out.Events, out.Notifications, out.Messages})
	a.DB.Ent.Subscriber.UpdateOneID(people[0].ID).SetDeleted(true).ExecX(a.Ctx)
	in.Target = new(people[0].SubscriberID)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Pauses.Pause(a.Ctx, in)))
}

// TestNamesOfPausedThings: whoever may read pauses sees what they hold by its name, as far as the thing may be read.
func TestNamesOfPausedThings(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	mailer := a.DB.Ent.Integration.Create().SetIdentifier("mailer").SetName("Mailer").SetProviderID("sendgrid").SetChannel(workflow.ChannelEmail).SaveX(a.Ctx)
	orders := a.MakeWorkflow(t, "orders", nil)
	a.MakeEvent(t, "launch")
	who := a.MakeSubscribers(t, 1)[0]
	all, ids := map[string]*string{}, []string{id.New(a.Now)}
	begin := func(kind workflow.PauseKind, target *string, name string) (pauseID string) {
		out, err := a.Pauses.Pause(a.Ctx, repairs.PauseDeliveryInput{Kind: kind, Target: target})
		require.NoError(t, err)
		ids, all[out.Pause.ID] = append(ids, out.Pause.ID), &name
		return out.Pause.ID
	}
	environment := a.DB.Ent.Environment.Query().Where(entenvironment.ID(a.Scope.EnvironmentID)).OnlyX(a.Ctx).Name
	begin(workflow.PauseEnvironment, nil, environment)
	begin(workflow.PauseBroadcast, new("launch"), "launch")
	begin(workflow.PauseChannel, new("email"), "email")
	hidden := []string{
		begin(workflow.PauseWorkflow, new("orders"), orders.Name),
		begin(workflow.PauseSubscriber, &who.SubscriberID, who.SubscriberID),
		begin(workflow.PauseIntegration, &mailer.Identifier, "Mailer"),
	}
	names, err := a.Pauses.TargetNames(a.Ctx, ids)
	require.NoError(t, err)
	require.Equal(t, all, names)
	names, err = a.Pauses.TargetNames(a.OtherEnvironment(t), ids)
	require.NoError(t, err)
	require.Empty(t, names)

	for _, one := range hidden {
		delete(all, one)
	}
	names, err = a.Pauses.TargetNames(a.As(t, viewer.Viewer{Role: viewer.RoleKey, APIKeyID: "key", Grants: viewer.GrantsOf(viewer.GrantActivityRead)}), ids)
	require.NoError(t, err)
	require.Equal(t, all, names)
}

// TestRetries says which failed messages a retry concerns.
func TestRetries(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	for i, outcome := range []workflow.AttemptOutcome{workflow.AttemptRejected, workflow.AttemptUnknown, workflow.AttemptAccepted} {
		mail(t, a, a.MakeRun(t, a.MakeEvent(t, string(rune('a'+i))), "s", workflow.RunCompleted), workflow.MessageError, outcome)
	}
	out, err := a.Retries.Begin(a.Ctx, repairs.RetryMessagesInput{DryRun: new(true)})
	require.NoError(t, err)
	require.Equal(t, []int{3, 2}, []int{out.Chosen, out.Retried}, "what a provider has accepted is left alone")
	require.Zero(t, a.DB.Ent.MessageRetry.Query().CountX(a.Ctx))
	out, err = a.Retries.Begin(a.Ctx, repairs.RetryMessagesInput{Filter: &repairs.FailedMessageFilter{TransactionID: new("a")}, PerSecond: new(5)})
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 5}, []int{out.Chosen, out.Retried, out.MessageRetry.PerSecond})
	cancelled, err := a.Retries.Cancel(a.Ctx, repairs.CancelMessageRetryInput{ID: out.MessageRetry.ID})
	require.NoError(t, err)
	require.Nil(t, cancelled.MessageRetry.DueAt)
	notifytest.RequireKind(t, fault.Conflict, notifytest.Err(a.Retries.Cancel(a.Ctx, repairs.CancelMessageRetryInput{ID: out.MessageRetry.ID})))
	require.Equal(t, []int{1, 1}, []int{audited(a, "retry"), audited(a, "cancel")})
}
