package deliver

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Delivery is one message under way to its provider.
type Delivery struct {
	pgmessage.ClaimedMessage
	envelope    state.Envelope
	event       *run.EventContext
	subscriber  *run.Recipient
	integration *pgrun.IntegrationRow
	adapter     *openAdapter
	server      string // of the target's own; "": the provider's
	toServer    *crowd // that of server, while the message is under way to it
	connection  *pgmessage.ConnectionRow
	attempt     *pgmessage.AttemptRow // nil: no attempt is to be made
	failure     *provider.Error       // known before any attempt
	interrupted bool                  // a worker died during the attempt before
	withheld    []string              // copies of the mail whose address is suppressed, as the trigger names them
	probe       bool                  // the attempt shows whether an open breaker may close
	complaint   string                // about the message that was sent; "": none
	now         time.Time             // the environment's clock at the claim

	leaveProvider func() // takes it off the messages under way through the integration
}

// readEnvelope decodes what sending needs. Numbers of payloads, which the events of a digest have, keep their digits.
func (d *Delivery) readEnvelope() error { return jsonnum.Unmarshal(d.Envelope, &d.envelope) }

// Send makes one attempt for each of the named messages that are due and that no other worker holds. The first attempt and
// every later one come this way.
func (w *Worker) Send(ctx context.Context, messageIDs []string) error {
	return w.send(ctx, messageIDs, w.Deliver)
}

func (w *Worker) send(ctx context.Context, messageIDs []string, deliver func(context.Context, []*Delivery) error) error {
	if len(messageIDs) == 0 {
		return nil
	}
	deliveries, _, err := w.claim(ctx, messageIDs)
	switch {
	case err != nil && !state.IsInfrastructure(ctx, err):
		return w.sendEach(ctx, messageIDs, err)
	case err != nil || len(deliveries) == 0:
		return err
	}
	return deliver(ctx, deliveries)
}

// A message that fails before any attempt is put off, and parked when that has lasted for a while: the fault may be ours,
// and then it must not cost all messages. Both are counted by the environment's clock: it would stay open for ever if the
// message stayed due.
const (
	putOff    = 30 * time.Second
	parkAfter = 10 * time.Minute
)

// sendEach sends messages one by one after their batch failed, so that the one at fault does not hold up the others.
func (w *Worker) sendEach(ctx context.Context, messageIDs []string, cause error) error {
	if len(messageIDs) > 1 {
		var failed error
		for _, messageID := range messageIDs {
			failed = errors.Join(failed, w.Send(ctx, []string{messageID}))
		}
		return failed
	}
	parked, err := pgmessage.LoadMessageOrigins(ctx, w.DB.Pool, messageIDs)
	if err != nil || len(parked) == 0 {
		return err
	}
	now, err := w.Clocks.ReadNow(ctx, parked[0].EnvironmentID)
	if err != nil {
		return err
	}
	since, err := pgmessage.PutOffMessage(ctx, w.DB, messageIDs[0], now, putOff, parkAfter)
	if err != nil {
		return err
	}
	log := w.Logger.With(slog.String("message_id", messageIDs[0]), slog.String("error", cause.Error()))
	if now.Sub(since) < parkAfter {
		log.WarnContext(ctx, "message put off: it cannot be sent")
		return nil
	}
	log.ErrorContext(ctx, "message parked: it cannot be sent")
	reason, text := string(workflow.ReasonParked), "it cannot be sent; see the log"
	for i := range parked {
		o := &parked[i]
		o.DueAt = nil
		o.Status, o.ErrorID, o.ErrorText, o.At = workflow.MessageError, &reason, &text, now
		o.Trace = []workflow.TraceEntry{{
			At: o.At, StepID: o.StepID, Channel: workflow.Channel(o.Channel), MessageID: o.MessageID, Reason: workflow.ReasonParked, Detail: text,
		}}
	}
	return w.outcomes.record(ctx, parked)
}

// Deliver makes the attempts and records their outcomes.
func (w *Worker) Deliver(ctx context.Context, deliveries []*Delivery) error {
	// An attempt that has begun is finished and recorded even when the process is told to stop.
	ctx = context.WithoutCancel(ctx)
	attempting, cancel := w.UntilInterrupt(ctx)
	defer cancel()
	deliveries, recalls := separate(deliveries)
	if len(recalls) > 0 {
		var asked sync.WaitGroup
		defer asked.Wait()
		asked.Go(func() { w.recall(attempting, recalls) })
	}
	results := make(chan pgmessage.MessageOutcome, len(deliveries))
	var attempts sync.WaitGroup
	for _, d := range deliveries {
		if d.attempt == nil {
			results <- w.outcomeWithoutAttempt(d)
			continue
		}
		leave := d.enter()
		attempts.Go(func() {
			defer leave()
			results <- w.makeAttempt(attempting, d)
		})
	}
	err := w.record(ctx, deliveries, results)
	attempts.Wait()
	return err
}

// claim takes the named messages, or without names any that are due, and writes their intents, in one transaction: no
// attempt is made that the ledger does not know. found also counts those that are deferred because their integration is
// slow.
func (w *Worker) claim(ctx context.Context, messageIDs []string) (deliveries []*Delivery, found int, err error) {
	began := time.Now()
	err = w.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		deliveries, found = nil, 0
		claimed, err := pgmessage.ClaimMessages(ctx, tx, messageIDs, w.Clocks.Moment(), queue.MessagesPerSend)
		if err != nil {
			return err
		}
		afterOutage := w.outage.answered(began, time.Now(), w.Lease/2)
		found = len(claimed)
		if claimed, err = w.leaveToOwners(ctx, tx, claimed, afterOutage); err != nil || len(claimed) == 0 {
			return err
		}
		if deliveries, err = w.prepare(ctx, tx, claimed); err != nil {
			return err
		}
		var recalls []*Delivery
		deliveries, recalls = separate(deliveries)
		if deliveries, err = holdPaused(ctx, tx, deliveries); err != nil {
			return err
		}
		var deferred []*Delivery
		deliveries, deferred = w.deferSlow(deliveries)
		if err := w.deferMessages(ctx, tx, deferred); err != nil {
			return err
		}
		if err := w.applyAdmission(ctx, tx, deliveries); err != nil {
			return err
		}
		deliveries = append(deliveries, recalls...)
		return w.begin(ctx, tx, deliveries)
	})
	if err != nil && ctx.Err() == nil && state.IsInfrastructure(ctx, err) {
		w.outage.failed(began)
	}
	return deliveries, found, err
}

// begin extends the claim by the lease, writes the intents, and ends those that a dead worker left.
func (w *Worker) begin(ctx context.Context, tx pgx.Tx, deliveries []*Delivery) error {
	var attempts, leased []pgmessage.AttemptRow
	var rejected, abandoned []string
	for _, d := range deliveries {
		switch {
		case d.attempt == nil:
			rejected = append(rejected, d.ID)
		case d.LeaseID != "":
			leased = append(leased, *d.attempt)
		default:
			attempts = append(attempts, *d.attempt)
		}
		if d.interrupted {
			abandoned = append(abandoned, d.ID)
		}
	}
	q := &pgx.Batch{}
	pgmessage.AbandonIntents(q, abandoned)
	pgmessage.BeginAttempts(q, attempts, rejected, w.Lease)
	pgmessage.InsertIntents(q, leased)
	return tx.SendBatch(ctx, q).Close()
}

// prepare joins messages with what their attempts need and decides which of them are attempted at all.
func (w *Worker) prepare(ctx context.Context, tx pgx.Tx, claimed []pgmessage.ClaimedMessage) ([]*Delivery, error) {
	var environments, subscribers, events, connections []string
	deliveries := make([]*Delivery, len(claimed))
	for i := range claimed {
		d := &Delivery{ClaimedMessage: claimed[i]}
		if err := d.readEnvelope(); err != nil {
			d.failure = provider.Failf(provider.Permanent, "the stored message cannot be read")
		}
		d.interrupted = d.LastOutcome == workflow.AttemptIntent
		environments = append(environments, d.EnvironmentID)
		subscribers = append(subscribers, d.SubscriberID)
		connections = append(connections, d.envelope.ConnectionID)
		events = state.AddNew(events, d.EventID)
		deliveries[i] = d
	}
	rows, err := pgfanout.LoadEvents(ctx, tx, events)
	if err != nil {
		return nil, err
	}
	contexts, _, err := w.executor.LoadEventContexts(ctx, tx, rows)
	if err != nil {
		return nil, err
	}
	people, err := pgsubscriber.LoadSubscribers(ctx, tx, environments, subscribers)
	if err != nil {
		return nil, err
	}
	linked, err := loadConnections(ctx, tx, environments, connections)
	if err != nil {
		return nil, err
	}
	bySubscriber := map[string]*run.Recipient{}
	byRun, err := w.sourcesOfRuns(ctx, tx, deliveries, contexts)
	if err != nil {
		return nil, err
	}
	for _, p := range people {
		recipient := &run.Recipient{SubscriberRow: p}
		recipient.View() // decoded here, because attempts side by side share it
		bySubscriber[p.ID] = recipient
	}
	for i, attemptID := range id.Batch(time.Now(), len(deliveries)) {
		d := deliveries[i]
		d.now = w.Clocks.Now(d.EnvironmentID).UTC() // known once the events' surroundings are read
		d.event, d.subscriber, d.connection = byRun[d.NotificationID], bySubscriber[d.SubscriberID], linked[d.envelope.ConnectionID]
		w.ready(ctx, d, attemptID)
	}
	return deliveries, nil
}

func loadConnections(ctx context.Context, tx pgx.Tx, environments, ids []string) (map[string]*pgmessage.ConnectionRow, error) {
	linked := map[string]*pgmessage.ConnectionRow{}
	if !slices.ContainsFunc(ids, func(connectionID string) bool { return connectionID != "" }) {
		return linked, nil
	}
	rows, err := pgmessage.LoadConnections(ctx, tx, environments, ids)
	for i := range rows {
		linked[rows[i].ID] = &rows[i]
	}
	return linked, err
}

// ready decides whether an attempt is made now, and through what.
func (w *Worker) ready(ctx context.Context, d *Delivery, attemptID string) {
	if d.failure != nil {
		return
	}
	if d.envelope.Recall != nil {
		w.readyToRecall(ctx, d)
		return
	}
	if d.Status != workflow.MessagePending {
		d.failure = &provider.Error{Class: provider.Permanent, Code: retry.CodeReported}
		return
	}
	if d.Cancelled {
		d.failure = retry.Cancelled()
		return
	}
	if d.gone() {
		class := provider.Permanent
		if d.uncertain() {
			class = provider.Unknown
		}
		d.failure = provider.Failf(class, "the event or the subscriber is gone")
		return
	}
	if d.interrupted {
		// What follows is decided as if the attempt had just ended without an answer.
		lost := provider.Failf(provider.Unknown, "the process ended during the call")
		if v := w.Backoff.Decide(w.trial(d, 0), lost); v.RetryAt == nil {
			d.failure = lost
			return
		}
	}
	if t := w.trial(d, 0); t.Late() {
		d.failure = retry.Expired()
		return
	}
	d.integration = d.event.Integration(d.IntegrationID)
	if d.integration == nil {
		d.failure = &provider.Error{Class: provider.Fault, Code: retry.CodeGone, Text: "the integration is switched off or deleted"}
		return
	}
	var err error
	if d.adapter, err = w.adapters.get(ctx, d.integration); err != nil {
		errors.As(err, &d.failure)
		return
	}
	d.server = w.serverOf(d)
	d.attempt = &pgmessage.AttemptRow{
		ID: attemptID, EnvironmentID: d.EnvironmentID, MessageID: d.ID, Number: d.Attempts + 1, CreatedAt: d.now,
		IntegrationID: d.integration.ID, ProviderID: d.integration.ProviderID,
		DuplicatePossible: (d.interrupted || d.LastOutcome == workflow.AttemptUnknown) && !d.adapter.repeatable,
		ProviderMessageID: d.adapter.receiptID(d.ID),
	}
}

// gone reports whether no other attempt can follow, because the event or the subscriber was deleted.
func (d *Delivery) gone() bool { return d.event == nil || d.subscriber == nil }

// trial is what the retry policy decides by. more is 1 when the attempt just made is not yet counted by the row.
func (w *Worker) trial(d *Delivery, more int) retry.Trial {
	t := retry.Trial{
		Channel: d.Channel, Attempt: d.Attempts + more - d.envelope.Since, Now: d.now, Due: later(d.CreatedAt, d.envelope.Again), Deadline: d.DeadlineAt,
		Jitter: w.Jitter(), Unknown: d.envelope.Unknown, Duplicates: d.envelope.AllowDuplicate,
		Alternative: d.event != nil && d.alternative() != nil && (!d.uncertain() || d.envelope.AllowDuplicate), Gone: d.gone(),
	}
	t.Repeatable = d.adapter != nil && d.adapter.repeatable
	return t
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// uncertain reports whether the provider may have taken the message already: it must not move to another one then, unless
// the step permits a duplicate (semantics.md §11.3).
func (d *Delivery) uncertain() bool {
	return d.envelope.Uncertain || d.interrupted || d.LastOutcome == workflow.AttemptUnknown
}

// alternative is the next active integration to fail over to: one that can be used, if there is any. A demo sender, which messages
// planned by earlier versions name, does not stand in for another provider.
func (d *Delivery) alternative() (next *pgrun.IntegrationRow) {
	for _, integrationID := range d.envelope.Alternatives {
		i := d.event.Integration(integrationID)
		switch {
		case i == nil || i.ID == d.IntegrationID:
		case workflow.DemoSender(i.ProviderID) && !workflow.DemoSender(d.ProviderID):
		case i.Breaker == workflow.BreakerClosed:
			return i
		case next == nil:
			next = i
		}
	}
	return next
}

// record writes outcomes as they come in: those that come shortly after each other, or while the last commit ran, share
// one. Beside that the leases of what is not recorded yet are kept: a commit may have to wait, and calls go on meanwhile.
func (w *Worker) record(ctx context.Context, deliveries []*Delivery, results <-chan pgmessage.MessageOutcome) (failed error) {
	open, recorded := newOpenMessages(deliveries), make(chan struct{})
	defer w.underWay.add(open)()
	var extending sync.WaitGroup
	defer extending.Wait()
	defer close(recorded)
	extending.Go(func() { w.extendLeases(ctx, open, recorded) })
	for left := len(deliveries); left > 0; {
		outcomes := gather(<-results, results, left)
		left -= len(outcomes)
		failed = errors.Join(failed, w.outcomes.record(ctx, outcomes))
		open.remove(outcomes)
	}
	return failed
}

// gatherTime is how long an outcome waits for others to share its commit. It is short beside any attempt, and a death within
// it leaves what a death during the attempts leaves.
const gatherTime = 10 * time.Millisecond

// gather takes what comes within gatherTime of the first outcome, at most all that are open.
func gather(first pgmessage.MessageOutcome, results <-chan pgmessage.MessageOutcome, open int) []pgmessage.MessageOutcome {
	outcomes := make([]pgmessage.MessageOutcome, 1, open)
	outcomes[0] = first
	if open == 1 {
		return outcomes
	}
	enough := time.NewTimer(gatherTime)
	defer enough.Stop()
	for len(outcomes) < open {
		select {
		case o := <-results:
			outcomes = append(outcomes, o)
		case <-enough.C:
			return outcomes
		}
	}
	return outcomes
}
