package repairs

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/pause"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/workflow"
)

// Pauses are the use cases of pausing deliveries and resuming them.
type Pauses struct{ usecase.Deps }

// PauseKind is what a pause holds.
type PauseKind = workflow.PauseKind

// PauseDeliveryInput names what is paused.
type PauseDeliveryInput struct {
	Kind   PauseKind
	Target *string // workflow: id, slug or identifier; subscriber: subscriberId; integration: id or identifier; broadcast: id or transactionId; channel: its name; environment: nil
	Reason *string
	DryRun *bool
}

// PauseDeliveryPayload is a pause with what was open under it when it began; each count stops at CountLimit.
type PauseDeliveryPayload struct {
	Pause         *ent.Pause
	Events        int
	Notifications int
	Messages      int
	DryRun        bool
}

const (
	// CountLimit is where counts of what a repair concerns stop.
	CountLimit = 10_000
	// DefaultPerSecond is how much is given back or retried per second unless another pace is asked for.
	DefaultPerSecond = 50
	maxPerSecond     = 1000
	maxText          = 1000 // bytes of a reason, or of a text of a filter
	maxRetries       = 20   // of an environment that run
)

// PauseConnection is a page of pauses.
type PauseConnection = usecase.Connection[ent.Pause]

// PauseEdge is one pause of a page.
type PauseEdge = usecase.Edge[ent.Pause]

// Pause begins a pause: what becomes due from now on is held.
func (p *Pauses) Pause(ctx context.Context, in PauseDeliveryInput) (*PauseDeliveryPayload, error) {
	if in.Reason != nil && len(*in.Reason) > maxText {
		return nil, fault.Invalidf("reason", "must have at most %d bytes", maxText)
	}
	return try(ctx, p.Deps, usecase.ManageEnvironment, isDry(in.DryRun), func(ctx context.Context, db *ent.Client) (*PauseDeliveryPayload, error) {
		target, err := pauseTarget(ctx, db, in)
		if err != nil {
			return nil, err
		}
		made, err := begin(ctx, db, in, target)
		if err != nil {
			return nil, err
		}
		tx, scope := usecase.TxScope(ctx)
		out := &PauseDeliveryPayload{Pause: made, DryRun: isDry(in.DryRun)}
		out.Events, out.Notifications, out.Messages, err = pgrepair.CountUnder(ctx, tx, scope, workflow.Pause{Kind: in.Kind, Target: target}, CountLimit)
		if err != nil {
			return nil, err
		}
		return out, usecase.Audit(ctx, db, "pause", made, map[string]any{"kind": in.Kind, "target": target})
	})
}

// begin begins a pause of what is not paused yet.
func begin(ctx context.Context, db *ent.Client, in PauseDeliveryInput, target string) (*ent.Pause, error) {
	tx, scope := usecase.TxScope(ctx)
	wanted := pgdue.NewPause{ID: id.New(time.Now()), EnvironmentID: scope.EnvironmentID, Kind: in.Kind, Target: target}
	if in.Reason != nil {
		wanted.Reason = *in.Reason
	}
	lasting, err := pgdue.Begin(ctx, tx, []pgdue.NewPause{wanted}, usecase.RecordTime())
	if err != nil {
		return nil, err
	}
	switch lasting[wanted.ID] {
	case wanted.ID:
		return db.Pause.Get(ctx, wanted.ID) //nolint:wrapcheck // written a moment ago
	case "":
		return nil, fault.Conflictf("TOO_MANY_PAUSES", "At most %d pauses of an environment last at once.", pgdue.MaxPauses)
	}
	return nil, fault.Conflictf("ALREADY_EXISTS", "It is paused already.")
}

// pauseTarget is what a pause stores of its target.
func pauseTarget(ctx context.Context, db *ent.Client, in PauseDeliveryInput) (string, error) {
	if in.Kind == workflow.PauseEnvironment {
		if in.Target != nil {
			return "", fault.Invalidf("target", "must be left out: the whole environment is paused")
		}
		return "", nil
	}
	if in.Target == nil || *in.Target == "" {
		return "", fault.Invalidf("target", "is required")
	}
	switch target := *in.Target; in.Kind {
	case workflow.PauseWorkflow:
		workflowID, err := usecase.NamedWorkflow(ctx, db, target)
		if err == nil && workflowID == "" {
			err = fault.NotFoundf("Workflow %s was not found.", target)
		}
		return workflowID, err
	case workflow.PauseIntegration:
		named := integration.Identifier(target)
		if recordID, err := usecase.RecordID("Integration", target); err == nil {
			named = integration.Or(named, integration.ID(recordID))
		}
		found, err := db.Integration.Query().Where(named, integration.Deleted(false)).First(ctx)
		if err != nil {
			return "", usecase.NotFound(err, "Integration %s was not found.", target)
		}
		if found.Channel == workflow.ChannelInApp {
			return "", fault.Invalidf("target", "in-app messages are stored by their step; pause the workflow")
		}
		return found.ID, nil
	case workflow.PauseBroadcast:
		return namedEvent(ctx, db, "target", target)
	case workflow.PauseSubscriber:
		return usecase.LivingSubscriberID(ctx, db, target)
	default:
		switch c := workflow.Channel(target); c {
		case workflow.ChannelEmail, workflow.ChannelSMS, workflow.ChannelPush, workflow.ChannelChat:
			return target, nil
		}
		return "", fault.Invalidf("target", "must be email, sms, push or chat; in-app messages are stored by their step")
	}
}

// ResumeDeliveryInput names a pause that ends.
type ResumeDeliveryInput struct {
	ID        string // global or internal id
	PerSecond *int   // that are given back; nil: DefaultPerSecond
	DryRun    *bool
}

// ResumeDeliveryPayload is a pause that has ended, with what it held then.
type ResumeDeliveryPayload struct {
	Pause  *ent.Pause
	Held   int // at most CountLimit of each kind
	DryRun bool
}

// Resume ends a pause: nothing more is held, and what was is given back in the order of its due times, at a pace.
func (p *Pauses) Resume(ctx context.Context, in ResumeDeliveryInput) (*ResumeDeliveryPayload, error) {
	recordID, err := usecase.RecordID("Pause", in.ID)
	if err != nil {
		return nil, err
	}
	rate, err := perSecond(in.PerSecond)
	if err != nil {
		return nil, err
	}
	return try(ctx, p.Deps, usecase.ManageEnvironment, isDry(in.DryRun), func(ctx context.Context, db *ent.Client) (*ResumeDeliveryPayload, error) {
		found, err := db.Pause.Query().Where(pause.ID(recordID)).ForUpdate().Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "Pause %s was not found.", in.ID)
		}
		if found.ResumedAt != nil {
			return nil, fault.Conflictf("RESUMED", "The pause has ended already.")
		}
		tx, _ := usecase.TxScope(ctx)
		out := &ResumeDeliveryPayload{DryRun: isDry(in.DryRun)}
		held, err := pgdue.HeldBy(ctx, tx, []string{found.ID}, CountLimit)
		if err != nil {
			return nil, err
		}
		out.Held = held[found.ID]
		now := usecase.RecordTime()
		if out.Pause, err = found.Update().SetResumedAt(now).SetPerSecond(rate).SetDueAt(now).Save(ctx); err != nil {
			return nil, err
		}
		return out, usecase.Audit(ctx, db, "resume", found, map[string]any{"held": out.Held, "perSecond": rate})
	})
}

func perSecond(given *int) (int, error) {
	switch {
	case given == nil:
		return DefaultPerSecond, nil
	case *given < 1 || *given > maxPerSecond:
		return 0, fault.Invalidf("perSecond", "must be from 1 to %d", maxPerSecond)
	}
	return *given, nil
}

// List is a page of pauses.
func (p *Pauses) List(ctx context.Context, page usecase.Page, order *usecase.Order, lasting *bool) (*PauseConnection, error) {
	return usecase.Read(ctx, p.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*PauseConnection, error) {
		q := db.Pause.Query()
		if lasting != nil && *lasting {
			q.Where(pause.ResumedAtIsNil())
		} else if lasting != nil {
			q.Where(pause.ResumedAtNotNil())
		}
		return usecase.Paginate(ctx, q, nil, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one pause by its global or internal id.
func (p *Pauses) Get(ctx context.Context, globalID string) (*ent.Pause, error) {
	recordID, err := usecase.RecordID("Pause", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, p.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.Pause, error) {
		found, err := db.Pause.Query().Where(pause.ID(recordID)).Only(ctx)
		return found, usecase.NotFound(err, "Pause %s was not found.", globalID)
	})
}

// Held is how many rows each of the named pauses holds now, at most CountLimit of each kind.
func (p *Pauses) Held(ctx context.Context, ids []string) (map[string]int, error) {
	return usecase.Read(ctx, p.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (map[string]int, error) {
		own, err := db.Pause.Query().Where(pause.IDIn(ids...)).IDs(ctx)
		if err != nil {
			return nil, err
		}
		return pgdue.HeldBy(ctx, p.Reader(ctx), own, CountLimit)
	})
}

// DueOrNil is a due time as doors show it: none while a pause holds the row.
func DueOrNil(dueAt *time.Time) *time.Time {
	if pgdue.IsHeld(dueAt) {
		return nil
	}
	return dueAt
}

// DueOfMessage is when a message is attempted next. One that is sent under a lease has been due since it was made.
func DueOfMessage(m *ent.Message) *time.Time {
	if m.DueAt == nil && m.LeaseID != nil {
		return &m.CreatedAt
	}
	return DueOrNil(m.DueAt)
}

// HeldByOrNil is the pause that holds a row with a due time, as doors show it: a row keeps the name of the last one.
func HeldByOrNil(dueAt *time.Time, pauseID *string) *string {
	if pgdue.IsHeld(dueAt) {
		return pauseID
	}
	return nil
}
