package deliver

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
)

// Start lets first attempts begin with the commit of their messages: this process makes attempts from now on.
func (w *Worker) Start() { w.started.Store(true) }

// Begin prepares the first attempts of new messages as claim prepares any, from what planning has read. Left to a claim is
// what needs a place in line, a probe of a breaker or the token of a connection, what cannot be attempted, what goes to an
// integration with as many attempts as it may have, and everything under a virtual clock.
func (w *Worker) Begin(ctx context.Context, fresh []run.NewMessage) []run.FirstAttempt {
	firsts := make([]run.FirstAttempt, len(fresh))
	if !w.started.Load() || w.DB.VirtualClocks {
		return firsts
	}
	taken := w.newCrowds()
	full := map[[2]string]bool{} // by integration and lane: as many attempts as it may have, so further messages need not be decoded
	for i, attemptID := range id.Batch(time.Now(), len(fresh)) {
		share := [2]string{fresh[i].IntegrationID, fresh[i].Lane}
		if full[share] {
			continue
		}
		d := w.first(ctx, &fresh[i], attemptID)
		if d.attempt == nil || d.pause() != nil || d.envelope.ConnectionID != "" || !isHealthy(d.integration) || paceOf(d.integration) > 0 {
			continue
		}
		if !taken.admit(d, w.AttemptsPerIntegration*(4-max(rank(d.Lane), 0))) {
			full[share] = d.server == ""
			continue
		}
		firsts[i] = d
	}
	return firsts
}

// first is the delivery of a new message.
func (w *Worker) first(ctx context.Context, m *run.NewMessage, attemptID string) *Delivery {
	d := &Delivery{
		ClaimedMessage: pgmessage.ClaimedMessage{
			ID: m.ID, EnvironmentID: m.EnvironmentID, CreatedAt: m.CreatedAt, NotificationID: m.NotificationID, EventID: m.EventID,
			TransactionID: m.TransactionID, WorkflowIdentifier: m.WorkflowIdentifier, StepID: m.StepID, SubscriberID: m.SubscriberID,
			Channel: m.Channel, Target: m.Target, IntegrationID: m.IntegrationID, ProviderID: m.ProviderID, Subject: m.Subject,
			Title: m.Title, Envelope: m.Envelope, DeadlineAt: m.DeadlineAt, Lane: m.Lane, Status: workflow.MessagePending,
		},
		event: m.Event, subscriber: m.Subscriber, now: w.Clocks.Now(m.EnvironmentID).UTC(),
	}
	if d.readEnvelope() != nil || json.Unmarshal(m.Content, &d.Content) != nil {
		return d // the claim records the failure
	}
	d.subscriber.View() // decoded here, because attempts side by side share it
	w.ready(ctx, d, attemptID)
	return d
}

// LeaveSuppressed queues that first attempts with a suppressed address are left to a claim. leave gets the ids of their messages.
func (w *Worker) LeaveSuppressed(b *pgx.Batch, firsts []run.FirstAttempt, leave func(messageIDs []string)) {
	var addresses []pgmessage.MessageAddress
	for _, first := range firsts {
		if d, ok := first.(*Delivery); ok {
			for _, to := range slices.Concat(d.envelope.Suppressible(d.Channel), d.copies()) {
				addresses = append(addresses, pgmessage.MessageAddress{MessageID: d.ID, Address: d.address(to)})
			}
		}
	}
	pgmessage.LeaveSuppressed(b, addresses, leave)
}

// Intent is the attempt as it is stored with its message.
func (d *Delivery) Intent() pgmessage.AttemptRow { return *d.attempt }

// SendFirst makes first attempts in the background.
func (w *Worker) SendFirst(ctx context.Context, firsts []run.FirstAttempt) {
	deliveries := make([]*Delivery, 0, len(firsts))
	for _, f := range firsts {
		if d, ok := f.(*Delivery); ok {
			deliveries = append(deliveries, d)
		}
	}
	ctx = context.WithoutCancel(ctx)
	w.Background.Go(func() {
		if err := w.Deliver(ctx, deliveries); err != nil {
			w.Logger.WarnContext(ctx, "outcomes not recorded", slog.String("error", err.Error()))
		}
	})
}
