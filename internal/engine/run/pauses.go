package run

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// Pauses returns the pauses of the event's environment that last.
func (s *EventContext) Pauses() workflow.Pauses { return s.env.Pauses }

// pause returns the pause that holds the event and its runs; nil when none does.
func (s *EventContext) pause() *workflow.Pause { return s.env.Pauses.Run(s.WorkflowID, s.ID) }

// holdRuns takes out the runs that a pause holds.
func holdRuns(ctx context.Context, tx pgx.Tx, runs []*run) ([]*run, error) {
	var held pgdue.Held
	kept := make([]*run, 0, len(runs))
	for _, r := range runs {
		if r.event != nil {
			if p := r.event.pause(); p != nil {
				held.Add(r.row.ID, p.ID)
				continue
			}
		}
		kept = append(kept, r)
	}
	return kept, pgdue.Hold(ctx, tx, pgdue.DueNotifications, held)
}

// holdEvents takes out the events that a pause holds.
func holdEvents(ctx context.Context, tx pgx.Tx, events []*EventContext) ([]*EventContext, error) {
	var held pgdue.Held
	kept := make([]*EventContext, 0, len(events))
	for _, s := range events {
		if p := s.pause(); p != nil {
			held.Add(s.ID, p.ID)
			continue
		}
		kept = append(kept, s)
	}
	return kept, pgdue.Hold(ctx, tx, pgdue.DueEvents, held)
}
