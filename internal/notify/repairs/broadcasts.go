package repairs

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/pause"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgcount"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/workflow"
)

// Broadcasts are the use cases of events with many recipients: how far they have come, and at which pace they are fanned out.
type Broadcasts struct{ usecase.Deps }

// EventProgress is how far an event with many recipients has come.
type EventProgress struct {
	Planned       int  // subscribers and subscriptions that are to be looked at, at most pgfanout.PlannedLimit
	PlannedCapped bool // there are as many as that, or more
	Examined      int  // of them, that were looked at
	Notified      int  // notifications made
	Sent          int  // messages
	Failed        int  // messages, and channel steps whose content could not be made
	Skipped       int  // steps
	PerSecond     *int // notifications that are made per second; nil: as many as possible
	Pause         *ent.Pause
}

// Progress is how far the named events have come; those that are not streamed have none.
func (b *Broadcasts) Progress(ctx context.Context, ids []string) (map[string]*EventProgress, error) {
	return usecase.Read(ctx, b.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (map[string]*EventProgress, error) {
		events, err := db.Event.Query().Where(event.IDIn(ids...)).
			Select(event.FieldID, event.FieldEnvironmentID, event.FieldKind, event.FieldCheckpoint, event.FieldNotified, event.FieldPerSecond).All(ctx)
		if err != nil {
			return nil, err
		}
		v, err := usecase.Require(ctx, usecase.ReadActivity)
		if err != nil {
			return nil, err
		}
		counts, err := pgcount.Of(ctx, b.Reader(ctx), v.Scope, ids)
		if err != nil {
			return nil, err
		}
		pauses, err := db.Pause.Query().Where(pause.KindEQ(workflow.PauseBroadcast), pause.TargetIn(ids...), pause.ResumedAtIsNil()).All(ctx)
		if err != nil {
			return nil, err
		}
		progress := make(map[string]*EventProgress, len(events))
		for _, ev := range events {
			if started, _ := ev.Checkpoint["started"].(bool); !started && ev.Kind != event.KindBroadcast {
				continue
			}
			c := counts[ev.ID]
			p := &EventProgress{
				Planned: number(ev.Checkpoint["planned"]), Examined: number(ev.Checkpoint["examined"]), Notified: ev.Notified,
				Sent: c.Sent, Failed: c.Failed, Skipped: c.Skipped, PerSecond: ev.PerSecond,
			}
			p.PlannedCapped = p.Planned >= pgfanout.PlannedLimit
			progress[ev.ID] = p
		}
		for _, lasting := range pauses {
			if p := progress[lasting.Target]; p != nil {
				p.Pause = lasting
			}
		}
		return progress, nil
	})
}

// number is a number of a stored object.
func number(stored any) int {
	n, _ := stored.(float64)
	return int(n)
}

// PaceBroadcastInput says how fast an event is fanned out.
type PaceBroadcastInput struct {
	Event     string // global or internal id, or the transactionId
	PerSecond *int   // nil: as fast as possible
	DryRun    *bool
}

// PaceBroadcastPayload is the event with its pace.
type PaceBroadcastPayload struct {
	Event  *ent.Event
	DryRun bool
}

// Pace sets how many notifications the fan-out of an event makes per second from the next page on.
func (b *Broadcasts) Pace(ctx context.Context, in PaceBroadcastInput) (*PaceBroadcastPayload, error) {
	if err := usecase.CheckPace(in.PerSecond); err != nil {
		return nil, err
	}
	return try(ctx, b.Deps, usecase.RepairDelivery, isDry(in.DryRun), func(ctx context.Context, db *ent.Client) (*PaceBroadcastPayload, error) {
		id, err := namedEvent(ctx, db, "event", in.Event)
		if err != nil {
			return nil, err
		}
		// The worker that fans the event out holds its row for the time of a page.
		found, err := db.Event.Query().Where(event.ID(id)).ForUpdate().Only(ctx)
		switch {
		case err != nil:
			return nil, usecase.NotFound(err, "Event %s was not found.", in.Event)
		case found.Status != event.StatusAccepted:
			return nil, fault.Conflictf("FANNED_OUT", "The event is not being fanned out; its status is %s.", found.Status)
		}
		change := found.Update()
		if in.PerSecond == nil {
			change.ClearPerSecond()
		} else {
			change.SetPerSecond(*in.PerSecond)
		}
		changed, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return &PaceBroadcastPayload{changed, isDry(in.DryRun)}, usecase.Audit(ctx, db, "pace", changed, map[string]any{"perSecond": in.PerSecond})
	})
}

// namedEvent is the id of an event that is named by its id or its transactionId.
func namedEvent(ctx context.Context, db *ent.Client, field, name string) (string, error) {
	if name == "" {
		return "", fault.Invalidf(field, "is required")
	}
	if id, err := usecase.RecordID("Event", name); err == nil {
		if known, err := db.Event.Query().Where(event.ID(id)).Exist(ctx); err != nil || known {
			return id, err
		}
	}
	found, err := db.Event.Query().Where(event.TransactionID(name)).Order(event.ByID()).Limit(2).IDs(ctx)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", fault.NotFoundf("Event %s was not found.", name)
	case len(found) > 1:
		return "", fault.Invalidf(field, "names several events; give the id of one")
	}
	return found[0], nil
}
