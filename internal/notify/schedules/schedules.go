// Package schedules owns the use cases of schedules: triggers that happen at a time, or again and again by a rule
// (decisions.md §19).
package schedules

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/triggerschedule"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgschedule"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// MaxSchedules is how many schedules an environment may have.
const MaxSchedules = 500

// maxRuns is how many runs or events of a schedule are shown at most, and fewRuns how many unless more are asked for.
const (
	maxRuns = 100
	fewRuns = 10
)

// Services are the use cases of this package.
type Services struct{ Schedules *Schedules }

// New builds the use cases.
func New(b usecase.Deps, triggers *triggers.Triggers, urls *audience.WebhookURLs) Services {
	return Services{&Schedules{b, triggers, urls}}
}

// Schedules are the use cases of schedules.
type Schedules struct {
	usecase.Deps
	triggers *triggers.Triggers
	urls     *audience.WebhookURLs // of overrides, which are stored sealed
}

// TriggerScheduleConnection is a page of schedules.
type TriggerScheduleConnection = usecase.Connection[ent.TriggerSchedule]

// TriggerScheduleEdge is one schedule of a page.
type TriggerScheduleEdge = usecase.Edge[ent.TriggerSchedule]

// List is a page of schedules.
func (s *Schedules) List(ctx context.Context, page usecase.Page, order *usecase.Order) (*TriggerScheduleConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*TriggerScheduleConnection, error) {
		return usecase.Paginate(ctx, db.TriggerSchedule.Query(), nil, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one schedule by its global or internal id.
func (s *Schedules) Get(ctx context.Context, globalID string) (*ent.TriggerSchedule, error) {
	return s.get(ctx, usecase.ReadActivity, globalID)
}

func (s *Schedules) get(ctx context.Context, need usecase.Need, globalID string) (*ent.TriggerSchedule, error) {
	recordID, err := usecase.RecordID("TriggerSchedule", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, need, func(ctx context.Context, db *ent.Client) (*ent.TriggerSchedule, error) {
		found, err := db.TriggerSchedule.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Trigger schedule %s was not found.", globalID)
	})
}

// Create makes a schedule.
func (s *Schedules) Create(ctx context.Context, in CreateTriggerScheduleInput) (*ent.TriggerSchedule, error) {
	return usecase.Write(ctx, s.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) (*ent.TriggerSchedule, error) {
		full := fault.BadRequestf("TOO_MANY_TRIGGER_SCHEDULES", "An environment has at most %d schedules.", MaxSchedules)
		if err := usecase.CheckRoom(ctx, triggerschedule.Table, MaxSchedules, db.TriggerSchedule.Query().Count, full); err != nil {
			return nil, err
		}
		found, err := usecase.WorkflowRef(ctx, db, in.Workflow)
		if err != nil {
			return nil, err
		}
		c := in.content()
		c.workflow = found.Identifier
		create := db.TriggerSchedule.Create().SetWorkflowID(found.ID)
		if err := s.store(ctx, c, create.Mutation()); err != nil {
			return nil, err
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, err
		}
		return created, usecase.Audit(ctx, db, "create", created, c.changes())
	})
}

// Update changes a schedule. Its runs count from now on.
func (s *Schedules) Update(ctx context.Context, in UpdateTriggerScheduleInput) (*ent.TriggerSchedule, error) {
	return usecase.Write(ctx, s.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) (*ent.TriggerSchedule, error) {
		named, err := s.get(ctx, usecase.TriggerEvents, in.ID)
		if err != nil {
			return nil, err
		}
		found, err := db.TriggerSchedule.Query().Where(triggerschedule.ID(named.ID)).ForUpdate().Only(ctx) // a run that is under way ends first
		if err != nil {
			return nil, err
		}
		c, err := s.contentOf(found)
		if err != nil {
			return nil, err
		}
		in.change(&c)
		if c.workflow, err = s.workflow(ctx, db, found.WorkflowID); err != nil {
			return nil, err
		}
		change := found.Update()
		if err := s.store(ctx, c, change.Mutation()); err != nil {
			return nil, err
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, c.changes())
	})
}

// workflow is the trigger identifier of a workflow.
func (s *Schedules) workflow(ctx context.Context, db *ent.Client, id string) (string, error) {
	found, err := usecase.WorkflowRef(ctx, db, id)
	if err != nil {
		return "", err
	}
	return found.Identifier, nil
}

// store checks what a schedule is to be, and sets it with the first run from now on.
func (s *Schedules) store(ctx context.Context, c content, m *ent.TriggerScheduleMutation) error {
	plan, err := s.check(ctx, &c)
	if err != nil {
		return err
	}
	now, err := s.Instant(ctx)
	if err != nil {
		return err
	}
	zones, err := s.zones(ctx, &c)
	if err != nil {
		return err
	}
	v, _ := viewer.FromContext(ctx)
	if c.overrides, err = s.urls.SealOverrides(v.EnvironmentID, c.overrides); err != nil {
		return err
	}
	c.set(m)
	m.SetDoneUntil(now)
	next, ok := plan.Next(now, zones...)
	switch {
	case !c.enabled:
		m.ClearDueAt()
	case ok:
		m.SetDueAt(next)
	case c.rule == nil:
		return fault.Invalidf("startsAt", "lies in the past, or is a day without a run")
	default:
		return fault.Invalidf("rrule", "has no run from now on")
	}
	return nil
}

// zones are the time zones in which a schedule runs.
func (s *Schedules) zones(ctx context.Context, c *content) ([]*time.Location, error) {
	zones := []*time.Location{workflow.LocationOrUTC(c.timeZone)}
	if !c.recipientsZone {
		return zones, nil
	}
	v, _ := viewer.FromContext(ctx)
	names, err := pgschedule.Zones(ctx, s.Reader(ctx), v.EnvironmentID)
	for _, name := range names {
		zones = append(zones, workflow.LocationOrUTC(name))
	}
	return zones, err
}

// Delete removes a schedule and answers what was removed. The events that it made stay.
func (s *Schedules) Delete(ctx context.Context, globalID string) (*ent.TriggerSchedule, error) {
	return usecase.Write(ctx, s.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) (*ent.TriggerSchedule, error) {
		found, err := s.get(ctx, usecase.TriggerEvents, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.TriggerSchedule.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"name": found.Name})
	})
}

// TriggerSchedulePreviewInput is a rule that is tried.
type TriggerSchedulePreviewInput struct {
	StartsAt       string
	TimeZone       *string
	RecipientsZone *bool
	RRule          *string
	Exceptions     []string
}

// TriggerSchedulePreview is when a rule runs.
type TriggerSchedulePreview struct{ Runs []*time.Time }

// Preview are the next runs of a rule that is not stored.
func (s *Schedules) Preview(ctx context.Context, in TriggerSchedulePreviewInput) (*TriggerSchedulePreview, error) {
	if _, err := usecase.Require(ctx, usecase.ReadActivity); err != nil {
		return nil, err
	}
	c := content{startsAt: in.StartsAt, rule: given(in.RRule), exceptions: in.Exceptions, timeZone: orUTC(in.TimeZone), recipientsZone: in.RecipientsZone != nil && *in.RecipientsZone}
	var problems fault.Problems
	c.plan(&problems)
	if problems.Any() {
		return nil, problems.Err()
	}
	runs, err := s.runs(ctx, &c, fewRuns)
	return &TriggerSchedulePreview{runs}, err
}

// NextRuns are the next runs of a schedule in its time zone; none when it is disabled.
func (s *Schedules) NextRuns(ctx context.Context, of *ent.TriggerSchedule, first *int) ([]*time.Time, error) {
	limit, err := few(first)
	if err != nil || !of.Enabled {
		return []*time.Time{}, err
	}
	c := storedContent(of)
	return s.runs(ctx, &c, limit)
}

func few(first *int) (int, error) {
	switch {
	case first == nil:
		return fewRuns, nil
	case *first < 1 || *first > maxRuns:
		return 0, fault.Invalidf("first", "must be between 1 and %d", maxRuns)
	}
	return *first, nil
}

func (s *Schedules) runs(ctx context.Context, c *content, limit int) ([]*time.Time, error) {
	var problems fault.Problems
	plan := c.plan(&problems)
	now, err := s.Instant(ctx)
	runs := []*time.Time{}
	if err != nil || plan == nil {
		return runs, err
	}
	for at := range plan.Runs(now, workflow.LocationOrUTC(c.timeZone)) {
		if runs = append(runs, new(at.UTC())); len(runs) == limit {
			break
		}
	}
	return runs, nil
}

// Events are the latest events that schedules made, by the schedules' ids.
func (s *Schedules) Events(ctx context.Context, schedules []string, first *int) (map[string][]*ent.Event, error) {
	limit, err := few(first)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (map[string][]*ent.Event, error) {
		v, _ := viewer.FromContext(ctx)
		made, err := pgschedule.Events(ctx, s.Reader(ctx), v.EnvironmentID, transactionPrefix, schedules, limit)
		if err != nil {
			return nil, err
		}
		var ids []string
		for _, of := range made {
			ids = append(ids, of...)
		}
		found, err := db.Event.Query().Where(event.IDIn(ids...)).All(ctx)
		if err != nil {
			return nil, err
		}
		byID := make(map[string]*ent.Event, len(found))
		for _, e := range found {
			byID[e.ID] = e
		}
		events := make(map[string][]*ent.Event, len(schedules))
		for _, id := range schedules {
			events[id] = []*ent.Event{}
			for _, e := range made[id] {
				if byID[e] != nil {
					events[id] = append(events[id], byID[e])
				}
			}
		}
		return events, nil
	})
}
