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
func (s *EventContext) pause() *workflow.Pause { return s.env.Pauses.Event(s.WorkflowID, s.ID) }

// pause returns the pause that holds the run; nil when none does.
func (r *run) pause() *workflow.Pause {
	if r.event == nil {
		return nil
	}
	return r.event.env.Pauses.Run(r.event.WorkflowID, r.event.ID, r.row.SubscriberID)
}

// holdRuns takes out the runs that a pause holds.
func holdRuns(ctx context.Context, tx pgx.Tx, runs []*run) ([]*run, error) {
	return hold(ctx, tx, pgdue.DueNotifications, runs, (*run).pause, func(r *run) string { return r.row.ID })
}

// holdEvents takes out the events that a pause holds.
func holdEvents(ctx context.Context, tx pgx.Tx, events []*EventContext) ([]*EventContext, error) {
	return hold(ctx, tx, pgdue.DueEvents, events, (*EventContext).pause, func(s *EventContext) string { return s.ID })
}

func hold[T any](ctx context.Context, tx pgx.Tx, table pgdue.DueTable, rows []T, pause func(T) *workflow.Pause, id func(T) string) ([]T, error) {
	var held pgdue.Held
	kept := make([]T, 0, len(rows))
	for _, row := range rows {
		if p := pause(row); p != nil {
			held.Add(id(row), p.ID)
			continue
		}
		kept = append(kept, row)
	}
	return kept, pgdue.Hold(ctx, tx, table, held)
}
