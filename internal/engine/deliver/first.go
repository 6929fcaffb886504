package deliver

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
)

// begun are first attempts that are stored with their messages.
type begun struct {
	worker     *Worker
	deliveries []*Delivery
}

// Start lets first attempts begin with the commit of their messages: this process makes calls from now on.
func (w *Worker) Start() { w.working.Store(true) }

// Begin prepares the first attempts of new messages as claim prepares any, from what planning has read. Left to a claim is
// what needs a place in line, a probe of a breaker or the token of a connection, what cannot be attempted, what goes to an
// integration that has its hands full, and everything under a virtual clock.
func (w *Worker) Begin(ctx context.Context, q postgres.Querier, fresh []run.FreshMessage) (run.Begun, error) {
	b := &begun{worker: w}
	if !w.working.Load() || w.DB.VirtualClocks {
		return b, nil
	}
	taken := map[*openAdapter]int{}
	for i, attemptID := range id.Batch(time.Now(), len(fresh)) {
		d := w.first(&fresh[i], attemptID) //nolint:contextcheck // as in prepare
		if d.attempt == nil || d.envelope.ConnectionID != "" || !isHealthy(d.integration) || paceOf(d.integration) > 0 {
			continue
		}
		if int(d.adapter.under.Load())+taken[d.adapter] >= w.CallsPerIntegration*(4-max(rank(d.Lane), 0)) {
			continue
		}
		taken[d.adapter]++
		b.deliveries = append(b.deliveries, d)
	}
	return b, w.leaveSuppressed(ctx, q, b)
}

// first is the delivery of a new message.
func (w *Worker) first(m *run.FreshMessage, attemptID string) *Delivery {
	d := &Delivery{
		ClaimedMessage: pgmessage.ClaimedMessage{
			ID: m.ID, EnvironmentID: m.EnvironmentID, CreatedAt: m.CreatedAt, NotificationID: m.NotificationID, EventID: m.EventID,
			TransactionID: m.TransactionID, WorkflowIdentifier: m.WorkflowIdentifier, StepID: m.StepID, SubscriberID: m.SubscriberID,
			Channel: m.Channel, Target: m.Target, IntegrationID: m.IntegrationID, ProviderID: m.ProviderID, Subject: m.Subject,
			Title: m.Title, Envelope: m.Envelope, DeadlineAt: m.DeadlineAt, Lane: m.Lane, Status: workflow.MessagePending,
		},
		event: m.Event, subscriber: m.Subscriber, now: w.Clocks.Now(m.EnvironmentID).UTC(),
	}
	if json.Unmarshal(m.Envelope, &d.envelope) != nil || json.Unmarshal(m.Content, &d.Content) != nil {
		return d // whoever claims it says so
	}
	d.subscriber.View() // decoded here, because calls side by side share it
	w.ready(d, attemptID)
	return d
}

// leaveSuppressed leaves messages to a claim that have a suppressed address.
func (w *Worker) leaveSuppressed(ctx context.Context, q postgres.Querier, b *begun) error {
	var addresses []pgmessage.Address
	for _, d := range b.deliveries {
		for _, to := range d.addresses() {
			addresses = append(addresses, d.address(to))
		}
	}
	if len(addresses) == 0 {
		return nil
	}
	suppressed, err := pgmessage.LoadSuppressed(ctx, q, addresses)
	if err != nil || len(suppressed) == 0 {
		return err
	}
	kept := b.deliveries[:0]
	for _, d := range b.deliveries {
		free := true
		for _, to := range d.addresses() {
			_, found := suppressed[d.address(to)]
			free = free && !found
		}
		if free {
			kept = append(kept, d)
		}
	}
	b.deliveries = kept
	return nil
}

// Attempts are the intents to store.
func (b *begun) Attempts() []pgmessage.AttemptRow {
	attempts := make([]pgmessage.AttemptRow, len(b.deliveries))
	for i, d := range b.deliveries {
		attempts[i] = *d.attempt
	}
	return attempts
}

// Send makes the calls beside the caller.
func (b *begun) Send(ctx context.Context) {
	if len(b.deliveries) == 0 {
		return
	}
	w := b.worker
	ctx = context.WithoutCancel(ctx)
	w.Background.Go(func() {
		if err := w.Deliver(ctx, b.deliveries); err != nil {
			w.Logger.WarnContext(ctx, "outcomes not recorded", slog.String("error", err.Error()))
		}
	})
}
