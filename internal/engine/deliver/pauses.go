package deliver

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// pause returns the pause that holds the message; nil when none does.
func (d *Delivery) pause() *workflow.Pause {
	if d.event == nil {
		return nil
	}
	return d.event.Pauses().Message(d.event.WorkflowID, d.EventID, d.SubscriberID, d.IntegrationID, d.Channel)
}

// holdPaused takes out the messages that a pause holds.
func holdPaused(ctx context.Context, tx pgx.Tx, deliveries []*Delivery) ([]*Delivery, error) {
	var held pgdue.Held
	kept := deliveries[:0]
	for _, d := range deliveries {
		if p := d.pause(); p != nil {
			held.Add(d.ID, p.ID)
			continue
		}
		kept = append(kept, d)
	}
	return kept, pgdue.Hold(ctx, tx, pgdue.DueMessages, held)
}
