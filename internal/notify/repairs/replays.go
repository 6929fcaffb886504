package repairs

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/ent/workflowversion"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// Replays are the use cases of replaying notifications.
type Replays struct{ usecase.Deps }

// ReplayVersion is the version of a workflow that a replay follows.
type ReplayVersion string

// The versions.
const (
	ReplayOriginal  ReplayVersion = "original"  // the one that the notification followed last
	ReplayPublished ReplayVersion = "published" // the one that triggers use now
)

// ReplayNotificationInput names a notification and the step from which it is replayed.
type ReplayNotificationInput struct {
	ID      string // global or internal id
	StepID  string
	Version *ReplayVersion // nil: ReplayOriginal
	DryRun  *bool
}

// ReplayNotificationPayload is the notification that replays another.
type ReplayNotificationPayload struct {
	Notification  *ent.Notification
	VersionNumber int
	StepIDs       []string // that it comes to, in their order
	DryRun        bool
}

// Notification replays a notification from a step on: a new notification of a new event with the same payload, whose earlier
// steps count as they ended.
func (r *Replays) Notification(ctx context.Context, in ReplayNotificationInput) (*ReplayNotificationPayload, error) {
	runID, err := usecase.RecordID("Notification", in.ID)
	if err != nil {
		return nil, err
	}
	at, err := r.Instant(ctx)
	if err != nil {
		return nil, err
	}
	return try(ctx, r.Deps, usecase.RepairDelivery, isDry(in.DryRun), func(ctx context.Context, db *ent.Client) (*ReplayNotificationPayload, error) {
		of, err := db.Notification.Query().Where(notification.ID(runID)).Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "Notification %s was not found.", in.ID)
		}
		version, err := replayed(ctx, db, of, in.Version)
		if err != nil {
			return nil, err
		}
		position := slices.IndexFunc(version.Definition.Steps, func(s workflow.Step) bool { return s.StepID == in.StepID })
		if position < 0 {
			return nil, fault.Invalidf("stepId", "version %d of the workflow has no step %q", version.Number, in.StepID)
		}
		state, err := stateBefore(ctx, of, version.Definition.Steps[:position])
		if err != nil {
			return nil, err
		}
		tx, scope := usecase.TxScope(ctx)
		replay := &pgrepair.Replay{
			Of: of.ID, EventID: r.NewID(), NotificationID: r.NewID(), ClaimID: r.NewID(), VersionID: version.ID, Position: position, State: state, At: at,
			Trace: workflow.TraceEntry{At: at, StepID: in.StepID, Reason: workflow.ReasonReplayed, Detail: "replays notification " + of.ID + " from this step on"},
		}
		root, _, _ := strings.Cut(of.TransactionID, replayMark)
		replay.TransactionID = root + replayMark + replay.EventID
		if err := pgrepair.StartReplay(ctx, tx, scope, replay); err != nil {
			return nil, err
		}
		out := &ReplayNotificationPayload{VersionNumber: version.Number, DryRun: isDry(in.DryRun)}
		for _, s := range version.Definition.Steps[position:] {
			out.StepIDs = append(out.StepIDs, s.StepID)
		}
		if out.Notification, err = db.Notification.Get(ctx, replay.NotificationID); err != nil {
			return nil, err
		}
		r.Publish(ctx, realtime.Notification(scope.EnvironmentID, replay.NotificationID))
		return out, usecase.Audit(ctx, db, "replay", of, map[string]any{"notification": replay.NotificationID, "stepId": in.StepID, "version": version.Number})
	})
}

const (
	codeNotReplayable = "NOT_REPLAYABLE"
	replayMark        = "#replay-" // in the transactionId of a replay, before the id of its event
)

// replayed is the version that a replay follows. A replay that would end at once is refused.
func replayed(ctx context.Context, db *ent.Client, of *ent.Notification, which *ReplayVersion) (*ent.WorkflowVersion, error) {
	w, err := db.Workflow.Get(ctx, of.WorkflowID)
	switch {
	case ent.IsNotFound(err) || err == nil && (w.Deleted || !w.Active):
		return nil, fault.Conflictf(codeNotReplayable, "The workflow is deleted or switched off.")
	case err != nil:
		return nil, err
	}
	there, err := db.Subscriber.Query().Where(subscriber.ID(of.SubscriberID), subscriber.Deleted(false)).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if !there {
		return nil, fault.Conflictf(codeNotReplayable, "The subscriber is deleted.")
	}
	versionID := of.WorkflowVersionID
	latest := which != nil && *which == ReplayPublished
	if latest && w.PublishedVersionID != nil {
		versionID = *w.PublishedVersionID
	}
	version, err := db.WorkflowVersion.Query().Where(workflowversion.ID(versionID)).Only(ctx)
	if err != nil {
		return nil, usecase.NotFound(err, "The version of the workflow is no longer kept.")
	}
	if !latest && version.Definition.Versioning == workflow.VersionLatest && w.PublishedVersionID != nil && *w.PublishedVersionID != versionID {
		return nil, fault.Invalidf("version", "runs of this workflow continue with its published version; ask for that")
	}
	return version, nil
}

// stateBefore is the state of a run that has passed some steps, with what became of these in another run.
func stateBefore(ctx context.Context, of *ent.Notification, passed []workflow.Step) ([]byte, error) {
	tx, scope := usecase.TxScope(ctx)
	outcomes, err := pgmessage.LoadStepOutcomes(ctx, tx, []string{scope.EnvironmentID}, []string{of.ID})
	if err != nil {
		return nil, err
	}
	windows, err := pgrepair.Windows(ctx, tx, scope, of.ID)
	if err != nil {
		return nil, err
	}
	results := map[string]plan.StepResult{}
	if kept, there := of.State["results"].(map[string]any); there {
		if text, err := json.Marshal(kept); err == nil {
			_ = json.Unmarshal(text, &results) // what cannot be read is left out
		}
	}
	for _, o := range outcomes {
		results[o.StepID] = plan.StepResult{Sent: o.Sent, Failed: o.Failed, Seen: o.Seen, Read: o.Read}
	}
	has := func(stepID string) bool {
		return slices.ContainsFunc(passed, func(s workflow.Step) bool { return s.StepID == stepID })
	}
	for stepID, result := range results {
		if result.Pending = false; has(stepID) {
			results[stepID] = result
		} else {
			delete(results, stepID)
		}
	}
	state := map[string]any{"results": results}
	windows = slices.DeleteFunc(windows, func(w pgrepair.Window) bool { return !has(w.StepID) })
	if last := len(windows) - 1; last >= 0 {
		state["digest"], state["earlier"] = windows[last], windows[:last]
	}
	text, err := json.Marshal(state)
	if err != nil {
		return nil, fmt.Errorf("state of a replay: %w", err)
	}
	return text, nil
}
