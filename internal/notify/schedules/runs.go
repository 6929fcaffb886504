package schedules

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgschedule"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// transactionPrefix begins the transactionId of every event that a schedule makes. The id of the schedule and the instant of the
// run follow, so that a run that is tried twice makes one event, and events lead back to their schedule.
const (
	transactionPrefix = "schedule_"
	transactionTime   = "20060102T150405.000000Z"
)

func transactionID(schedule string, at time.Time) string {
	return transactionPrefix + schedule + "_" + at.UTC().Format(transactionTime)
}

// ScheduleOf is the internal id of the schedule that made an event with a transactionId; "" when none did.
func ScheduleOf(transactionID string) string {
	rest, found := strings.CutPrefix(transactionID, transactionPrefix)
	schedule, _, whole := strings.Cut(rest, "_")
	if !found || !whole || !id.Valid(schedule) {
		return ""
	}
	return schedule
}

// Run triggers what a schedule triggers, for a run whose time has come. A repeated call for the same run has no effect. Whatever is
// wrong with the event is the result of the run; the error is one after which the run is to be tried again.
func (s *Schedules) Run(ctx context.Context, run state.ScheduleRun) (pgschedule.Result, error) {
	ctx = viewer.InScope(ctx, run.Scope)
	found, err := usecase.Read(ctx, s.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) (*ent.TriggerSchedule, error) {
		return db.TriggerSchedule.Get(ctx, run.ScheduleID)
	})
	if err != nil {
		return pgschedule.Result{}, err
	}
	id := transactionID(found.ID, run.At)
	triggered, err := s.trigger(ctx, found, id, run.Zones)
	if err != nil && !final(err) {
		return pgschedule.Result{}, err
	}
	result := resultOf(triggered, err)
	if result.Status == workflow.TriggerProcessed && result.EventID == "" {
		result.EventID, err = s.earlier(ctx, id)
		return result, err
	}
	return result, nil
}

// earlier is the event that an earlier try of a run has made; "" when it is not kept any more.
func (s *Schedules) earlier(ctx context.Context, transactionID string) (string, error) {
	return usecase.Read(ctx, s.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) (string, error) {
		made, err := db.Event.Query().Where(event.TransactionID(transactionID)).FirstID(ctx)
		if ent.IsNotFound(err) {
			return "", nil
		}
		return made, err
	})
}

// final reports whether an error is one of the event, which would be the same at the next try.
func final(err error) bool {
	var f *fault.Error
	if !errors.As(err, &f) {
		return false
	}
	return slices.Contains([]fault.Kind{fault.Invalid, fault.BadRequest, fault.Forbidden, fault.NotFound, fault.Conflict, fault.TooLarge}, f.Kind)
}

func resultOf(r *triggers.TriggerResult, err error) pgschedule.Result {
	switch {
	case err != nil:
		return pgschedule.Result{Status: workflow.TriggerError, Error: err.Error()}
	case r == nil:
		return pgschedule.Result{}
	}
	result := pgschedule.Result{Status: r.Status, Error: strings.Join(r.Error, " ")}
	if r.EventID != nil {
		result.EventID = *r.EventID
	}
	return result
}

// trigger accepts the event of a run, for those recipients whose own zone is one of some; nil: for all. The result is nil when
// there are none.
func (s *Schedules) trigger(ctx context.Context, of *ent.TriggerSchedule, transactionID string, zones []string) (*triggers.TriggerResult, error) {
	c, err := s.contentOf(of)
	if err != nil {
		return nil, err
	}
	if c.workflow, err = usecase.Read(ctx, s.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) (string, error) {
		return s.workflow(ctx, db, of.WorkflowID)
	}); err != nil {
		return nil, err
	}
	if zones != nil {
		if c.to, err = s.recipientsIn(ctx, c.to, zones); err != nil || len(c.to) == 0 {
			return nil, err
		}
	}
	in, kind := c.event()
	in.TransactionID = &transactionID
	if zones != nil {
		in.Narrow(zones)
	}
	if kind == event.KindBroadcast {
		return s.triggers.Broadcast(ctx, in)
	}
	return s.triggers.Trigger(ctx, in)
}

// recipientsIn are the recipients of a schedule for zones: of the subscribers it names those whose zone is among them, and
// audiences, which the event narrows.
func (s *Schedules) recipientsIn(ctx context.Context, to []workflow.ScheduleRecipient, zones []string) ([]workflow.ScheduleRecipient, error) {
	if to == nil {
		everybody := triggers.Everybody
		return []workflow.ScheduleRecipient{{Audience: &everybody}}, nil
	}
	var named []string
	for _, r := range to {
		if r.SubscriberID != nil {
			named = append(named, *r.SubscriberID)
		}
	}
	known, err := usecase.Read(ctx, s.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) (map[string]string, error) {
		rows, err := db.Subscriber.Query().Where(subscriber.SubscriberIDIn(named...), subscriber.Deleted(false), subscriber.TimezoneNotNil()).All(ctx)
		zoneOf := make(map[string]string, len(rows))
		for _, row := range rows {
			zoneOf[row.SubscriberID] = *row.Timezone
		}
		return zoneOf, err
	})
	if err != nil {
		return nil, err
	}
	kept := []workflow.ScheduleRecipient{}
	for _, r := range to {
		if r.SubscriberID == nil || slices.Contains(zones, known[*r.SubscriberID]) {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

// RunTriggerSchedulePayload is a run by hand.
type RunTriggerSchedulePayload struct {
	TriggerSchedule *ent.TriggerSchedule
	Result          *triggers.TriggerResult
}

// RunNow triggers now what a schedule triggers, for all its recipients. Its next run stays as it is.
func (s *Schedules) RunNow(ctx context.Context, globalID string) (*RunTriggerSchedulePayload, error) {
	found, err := s.get(ctx, usecase.TriggerEvents, globalID)
	if err != nil {
		return nil, err
	}
	now := s.Stamp()
	result, err := s.trigger(ctx, found, transactionID(found.ID, now), nil)
	if err != nil {
		return nil, err
	}
	r := resultOf(result, nil)
	return usecase.Write(ctx, s.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) (*RunTriggerSchedulePayload, error) {
		at, err := s.Instant(ctx)
		if err != nil {
			return nil, err
		}
		change := db.TriggerSchedule.UpdateOneID(found.ID).SetLastRunAt(at).SetLastStatus(r.Status)
		setOrClear(r.Error != "", r.Error, change.Mutation().SetLastError, change.Mutation().ClearLastError)
		if r.EventID != "" {
			change.SetLastEventID(r.EventID)
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return &RunTriggerSchedulePayload{updated, result}, usecase.Audit(ctx, db, "run", updated, map[string]any{"status": r.Status})
	})
}
