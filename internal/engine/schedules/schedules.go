// Package schedules runs schedules whose time has come: it decides which runs there are, has the workflow triggered, and moves
// each schedule to its next run.
package schedules

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres/pgschedule"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/recurrence"
)

// batch is how many schedules one look takes.
const batch = 50

// Schedules runs schedules.
type Schedules struct{ *state.Shared }

// Due returns schedules whose next run has come.
func (s Schedules) Due(ctx context.Context) ([]string, error) {
	return pgschedule.Due(ctx, s.DB, s.Clocks.Moment(), batch)
}

// Run makes the run of each that has come. A process that ends between the trigger and the move to the next run leaves the schedule
// due: the next process triggers again with the same transactionId, which has no effect. If further runs have passed by then, the event
// is not for them: the schedule moves to the first one after the instant at which the event was made.
func (s Schedules) Run(ctx context.Context, ids []string) error {
	var failed error
	for _, id := range ids {
		failed = errors.Join(failed, s.run(ctx, id)) // the others are independent of it
	}
	return failed
}

func (s Schedules) run(outer context.Context, id string) error {
	return s.InTx(outer, func(ctx context.Context, tx pgx.Tx) error {
		schedule, err := pgschedule.Claim(ctx, tx, id, s.Clocks.Moment())
		if err != nil || schedule == nil {
			return err
		}
		zones, err := s.zones(ctx, tx, schedule)
		if err != nil {
			return err
		}
		var problems fault.Problems
		plan := recurrence.Parse(&problems, schedule.Spec)
		if plan == nil { // written by another version of this service, or by hand
			return schedule.Advance(ctx, tx, schedule.Now, nil, pgschedule.Result{Status: workflow.TriggerError, Error: problems.Err().Error()})
		}
		locations := make([]*time.Location, len(zones))
		for i, zone := range zones {
			locations[i] = zone.Location
		}
		result, until := pgschedule.Result{}, schedule.Now
		if run := decide(plan, schedule, zones, locations); run != nil {
			if result, err = s.RunSchedule(outer, *run); err != nil { // accepted by a transaction of its own
				return err
			}
			if until, err = schedule.Covers(ctx, tx, result); err != nil {
				return err
			}
		}
		var next *time.Time
		if at, ok := plan.Next(until, locations...); ok {
			next = &at
		}
		return schedule.Advance(ctx, tx, until, next, result)
	})
}

// zone is a time zone in which a schedule runs.
type zone struct {
	name string // of recipients; "": of those without one
	*time.Location
}

// zones are those in which a schedule runs: its own, and with recipients' zones also theirs.
func (s Schedules) zones(ctx context.Context, tx pgx.Tx, schedule *pgschedule.Schedule) ([]zone, error) {
	all := []zone{{"", workflow.LocationOrUTC(schedule.TimeZone)}}
	if !schedule.RecipientsZone {
		return all, nil
	}
	names, err := pgschedule.Zones(ctx, tx, schedule.EnvironmentID)
	for _, name := range names {
		if location, known := workflow.Location(name); known {
			all = append(all, zone{name, location})
		}
	}
	return all, err
}

// decide returns the run of a schedule that has come, nil when none has. However many runs have passed since the last one was decided,
// as in a stop of the service, there is one run for them, in each zone.
func decide(plan *recurrence.Plan, s *pgschedule.Schedule, zones []zone, locations []*time.Location) *state.ScheduleRun {
	due := plan.Due(s.DoneUntil, s.Now, locations...)
	if len(due) == 0 {
		return nil
	}
	run := &state.ScheduleRun{Scope: s.Scope, ScheduleID: s.ID, At: s.DueAt}
	if s.RecipientsZone {
		run.Zones = []string{}
		for _, i := range due {
			run.Zones = append(run.Zones, zones[i].name)
		}
	}
	return run
}
