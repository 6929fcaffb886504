package deliver

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// separate takes out the deliveries whose messages are recalled: no pause and no pace holds these up.
func separate(deliveries []*Delivery) (sends, recalls []*Delivery) {
	for _, d := range deliveries {
		if d.envelope.Recall != nil {
			recalls = append(recalls, d)
		} else {
			sends = append(sends, d)
		}
	}
	return sends, recalls
}

// readyToRecall finds the adapter that is asked to delete a message, or the reason why none can be.
func (w *Worker) readyToRecall(ctx context.Context, d *Delivery) {
	if d.gone() {
		d.failure = provider.Failf(provider.Permanent, "the event or the subscriber is gone")
		return
	}
	if d.integration = d.event.Integration(d.IntegrationID); d.integration == nil {
		d.failure = provider.Failf(provider.Permanent, "the integration is switched off or deleted")
		return
	}
	var err error
	if d.adapter, err = w.adapters.get(ctx, d.integration); err != nil {
		errors.As(err, &d.failure)
	}
}

// recall asks providers to delete messages and stores what came of it. What cannot be stored is asked for again when the lease
// has ended.
func (w *Worker) recall(ctx context.Context, recalls []*Delivery) {
	outcomes := make([]pgrepair.RecallOutcome, len(recalls))
	ids := make([]string, len(recalls))
	var calls sync.WaitGroup
	for i, d := range recalls {
		ids[i] = d.ID
		calls.Go(func() { outcomes[i] = w.recallOne(ctx, d) })
	}
	done := make(chan struct{})
	go func() { calls.Wait(); close(done) }()
	storing := context.WithoutCancel(ctx)
	extend := time.NewTicker(w.Lease / 3)
	defer extend.Stop()
	for open := true; open; {
		select {
		case <-done:
			open = false
		case <-extend.C:
			if err := pgmessage.ExtendLeases(storing, w.DB.Pool, ids, w.Lease); err != nil {
				w.Logger.WarnContext(storing, "leases not extended", slog.String("error", err.Error()))
			}
		}
	}
	err := w.InTx(storing, func(ctx context.Context, tx pgx.Tx) error { return pgrepair.StoreRecalls(ctx, tx, outcomes) })
	if err != nil {
		w.Logger.WarnContext(storing, "outcomes of recalls not stored", slog.String("error", err.Error()))
		return
	}
	traced := make([]state.TraceChange, len(outcomes))
	for i := range outcomes {
		traced[i] = state.TraceChange{EnvironmentID: outcomes[i].EnvironmentID, NotificationID: outcomes[i].NotificationID}
	}
	w.Traced(traced)
}

// recallOne asks the provider of one message to delete it.
func (w *Worker) recallOne(ctx context.Context, d *Delivery) pgrepair.RecallOutcome {
	failure := d.failure
	if failure == nil {
		failure = state.AsProviderError(state.RecoverPanic(func() error { return w.deleteAtProvider(ctx, d) }))
	}
	return w.outcomeOfRecall(d, failure)
}

func (w *Worker) deleteAtProvider(ctx context.Context, d *Delivery) error {
	adapter, ok := d.adapter.Adapter.(provider.Recaller)
	if !ok {
		return provider.Failf(provider.Permanent, "the integration simulates its provider")
	}
	message, err := w.wire(d)
	if err != nil {
		return err
	}
	release, err := w.take(ctx, d)
	if err != nil {
		return provider.Failf(provider.Transient, "stopped before the call")
	}
	defer release()
	return adapter.Recall(ctx, message, d.envelope.Receipt)
}

// outcomeOfRecall decides what follows: a deletion may be repeated, so the retry policy counts an unknown outcome as a failure.
func (w *Worker) outcomeOfRecall(d *Delivery, failure *provider.Error) pgrepair.RecallOutcome {
	now := w.Clocks.Now(d.EnvironmentID).UTC()
	recall := *d.envelope.Recall
	recall.Tries++
	entry := workflow.TraceEntry{At: now, StepID: d.StepID, Channel: d.Channel, MessageID: d.ID, IntegrationID: d.IntegrationID, Attempt: recall.Tries}
	o := pgrepair.RecallOutcome{EnvironmentID: d.EnvironmentID, MessageID: d.ID, NotificationID: d.NotificationID}
	if failure == nil {
		recall.Done = now
		entry.Reason, entry.Detail = workflow.ReasonRecalled, "deleted by the provider"
	} else {
		v := w.Backoff.Decide(retry.Trial{
			Channel: d.Channel, Attempt: recall.Tries, Now: now, Due: recall.At, Jitter: w.Jitter(), Repeatable: true,
		}, failure)
		entry.Reason, entry.Detail = workflow.ReasonNotRecalled, failure.Error()
		if v.RetryAt != nil {
			entry.Reason, entry.Until, o.DueAt = workflow.ReasonRetry, v.RetryAt, v.RetryAt
		}
	}
	o.Recall, o.Trace = state.AsJSON(recall), entry
	return o
}
