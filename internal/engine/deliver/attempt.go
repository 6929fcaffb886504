package deliver

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
)

// makeAttempt calls the provider.
func (w *Worker) makeAttempt(ctx context.Context, d *Delivery) pgmessage.MessageOutcome {
	ctx, span := w.Span(ctx, d.event.TraceParent, "send",
		attribute.String("message.id", d.ID), attribute.String("provider", d.ProviderID), attribute.Int("attempt", d.attempt.Number))
	defer span.End()
	began := time.Now()
	release, err := w.take(ctx, d)
	if err != nil {
		return w.outcomeOfAttempt(d, nil, provider.Failf(provider.Transient, "stopped before the attempt"))
	}
	defer release()
	if time.Since(began) >= w.Recheck && w.cancelled(ctx, d.ID) {
		return w.outcomeOfAttempt(d, nil, retry.Cancelled())
	}
	d.adapter.rate.count(w.Clocks.Now(d.EnvironmentID))
	var receipt *provider.Receipt
	started := time.Now()
	err = state.RecoverPanic(func() (err error) {
		message, err := w.wire(d)
		if err != nil {
			return err
		}
		receipt, err = d.adapter.Send(ctx, message)
		return err
	})
	failure := state.AsProviderError(err)
	outcome := w.outcomeOfAttempt(d, receipt, failure)
	w.Meter.Attempt(d.integration.ProviderID, string(outcome.Attempt.Outcome), failure.ClassName(), time.Since(started))
	if failure != nil {
		span.SetStatus(codes.Error, failure.Class.String())
	}
	return outcome
}

// cancelled reports whether a message that has waited for its turn was cancelled meanwhile. While the database does not answer it was not.
func (w *Worker) cancelled(ctx context.Context, messageID string) bool {
	cancelled, err := w.cancels.Get(ctx, messageID)
	return err == nil && cancelled
}
