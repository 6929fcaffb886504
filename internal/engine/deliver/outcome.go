package deliver

import (
	"cmp"
	"slices"
	"time"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// outcomeWithoutAttempt is the outcome of a delivery for which no attempt was made.
func (w *Worker) outcomeWithoutAttempt(d *Delivery) pgmessage.MessageOutcome {
	o := d.outcome()
	d.recovered(&o)
	if d.failure.Code == retry.CodeReported {
		o.Status = d.Status
		d.traceAttempt(&o, workflow.TraceEntry{Reason: workflow.ReasonReceipt, Detail: "the provider has it: no further attempt"})
		return o
	}
	if d.failure.Code == retry.CodeGone && d.alternative() == nil {
		d.end(&o, workflow.ReasonNoIntegration, d.failure)
		return o
	}
	t := w.trial(d, 0)
	if d.failure.Code == retry.CodeBreaker && t.Alternative {
		t.Alternative = isHealthy(d.alternative())
	}
	if d.integration != nil && d.failure.Class == provider.Fault {
		o.Sign = d.healthSign(d.failure)
	}
	w.apply(d, &o, w.Backoff.Decide(t, d.failure), d.failure)
	return o
}

// outcomeOfAttempt is the outcome of an attempt.
func (w *Worker) outcomeOfAttempt(d *Delivery, receipt *provider.Receipt, failure *provider.Error) pgmessage.MessageOutcome {
	now := w.Clocks.Now(d.EnvironmentID).UTC()
	o := d.outcome()
	d.recovered(&o)
	d.now, o.At = now, now
	attempt := *d.attempt
	attempt.FinishedAt = &now
	if failure != nil && failure.Class != provider.Unknown {
		attempt.ProviderMessageID = nil // what it would have been
	}
	o.Attempt = &attempt
	if !w.cutOff(failure) && (failure == nil || failure.Code != retry.CodeCancelled) {
		o.Sign = d.healthSign(failure)
	}
	if failure == nil {
		attempt.Outcome = workflow.AttemptAccepted
		attempt.ProviderMessageID = state.NotEmpty(receipt.ID)
		o.Status, o.ProviderMessageID = workflow.MessageSent, state.NotEmpty(receipt.ID)
		o.Reports = d.adapter.reports
		if receipt.Data != nil {
			env := d.envelope
			env.Slot, env.Receipt = nil, receipt.Data
			o.Envelope = state.AsJSON(env)
		}
		complaint := cmp.Or(receipt.Warning, d.complaint)
		if complaint != "" {
			o.Status, o.ErrorText = workflow.MessageWarning, &complaint
		}
		o.DeliveredAt = state.AsJSON([]string{state.Stamp(now)})
		o.Lane, o.Took = d.Lane, d.took(now)
		d.traceAttempt(&o, workflow.TraceEntry{Reason: workflow.ReasonSent, Detail: complaint})
		return o
	}
	attempt.Outcome = workflow.AttemptRejected
	if failure.Class == provider.Unknown {
		attempt.Outcome = workflow.AttemptUnknown
	}
	class := failure.Class.String()
	attempt.Class, attempt.Code, attempt.ErrorText = &class, state.NotEmpty(failure.Code), state.NotEmpty(failure.Text)
	if failure.Status != 0 {
		attempt.HTTPStatus = &failure.Status
	}
	meant := failure.GoneSince.IsZero() || !d.envelope.RegisteredAt.After(failure.GoneSince)
	if failure.DropToken && meant && d.envelope.DeviceToken != "" && d.envelope.SettingID != "" {
		o.DropToken, o.SettingID = d.envelope.DeviceToken, d.envelope.SettingID
	}
	w.apply(d, &o, w.Backoff.Decide(w.trial(d, 1), failure), failure)
	return o
}

// cutOff reports whether a call failed without an answer after Interrupt: that shows nothing of its integration, whose breaker would
// otherwise open for all processes because one of them stops.
func (w *Worker) cutOff(failure *provider.Error) bool {
	return failure != nil && failure.Status == 0 && w.attempting.Err() != nil
}

// took is the time that the message needed from when its event was accepted, without what it was asked to wait: steps that
// waited count from the end of their wait, and held or resent messages from when they were let go.
func (d *Delivery) took(now time.Time) time.Duration {
	since := d.CreatedAt
	if !d.envelope.Waited && d.event != nil && !d.event.CreatedAt.IsZero() {
		since = d.event.CreatedAt
	}
	return max(now.Sub(later(since, d.envelope.Again)), 1)
}

// outcome is the common part: the message stays as it is.
func (d *Delivery) outcome() pgmessage.MessageOutcome {
	return pgmessage.MessageOutcome{
		EnvironmentID: d.EnvironmentID, MessageID: d.ID, NotificationID: d.NotificationID, StepID: d.StepID,
		Channel: string(d.Channel), Status: workflow.MessagePending, IntegrationID: d.IntegrationID, ProviderID: d.ProviderID, At: d.now,
	}
}

// recovered traces that the attempt before was cut off by the end of its process.
func (d *Delivery) recovered(o *pgmessage.MessageOutcome) {
	if !d.interrupted {
		return
	}
	d.addTrace(o, workflow.TraceEntry{
		Reason: workflow.ReasonRecovered, Attempt: d.Attempts, Detail: "the process ended during the call; its outcome is unknown",
	})
	if d.attempt != nil && d.attempt.DuplicatePossible {
		d.addTrace(o, workflow.TraceEntry{Reason: workflow.ReasonDuplicatePossible, Attempt: d.attempt.Number})
	}
}

// apply turns a verdict into the message's next state and its trace.
func (w *Worker) apply(d *Delivery, o *pgmessage.MessageOutcome, v retry.Verdict, failure *provider.Error) {
	next := d.alternative()
	switch {
	case v.RetryAt != nil:
		o.DueAt = v.RetryAt
		d.saveEnvelope(o)
		d.traceAttempt(o, workflow.TraceEntry{Reason: v.Reason, Detail: failure.Error(), Until: v.RetryAt})
		if v.Duplicate {
			d.addTrace(o, workflow.TraceEntry{Reason: workflow.ReasonDuplicatePossible, Until: v.RetryAt})
		}
		o.ErrorText = state.NotEmpty(failure.Error())
	case v.FailOver && next != nil:
		d.traceAttempt(o, workflow.TraceEntry{Reason: v.Reason, Detail: failure.Error()})
		d.moveTo(o, next, v)
		if v.Duplicate {
			d.addTrace(o, workflow.TraceEntry{Reason: workflow.ReasonDuplicatePossible})
		}
		o.ErrorText = state.NotEmpty(failure.Error())
	default:
		d.end(o, v.Reason, failure)
	}
}

// saveEnvelope stores what the next attempt needs to know of this one.
func (d *Delivery) saveEnvelope(o *pgmessage.MessageOutcome) {
	env := d.envelope
	env.Uncertain = d.uncertain() || o.Attempt != nil && o.Attempt.Outcome == workflow.AttemptUnknown
	if d.attempt != nil {
		env.Slot = nil
	}
	if env.Uncertain != d.envelope.Uncertain || env.Slot != nil || d.envelope.Slot != nil {
		o.Envelope = state.AsJSON(env)
	}
}

// moveTo hands the message to another integration, at once and with fresh tries.
func (d *Delivery) moveTo(o *pgmessage.MessageOutcome, next *pgrun.IntegrationRow, v retry.Verdict) {
	env := d.envelope
	env.Slot, env.Uncertain = nil, d.uncertain() || v.Duplicate
	env.Since = d.Attempts
	if o.Attempt != nil {
		env.Since = o.Attempt.Number
	}
	env.Alternatives = slices.DeleteFunc(slices.Clone(env.Alternatives), func(integrationID string) bool { return integrationID == next.ID })
	o.Envelope, o.DueAt = state.AsJSON(env), &o.At
	o.IntegrationID, o.ProviderID = next.ID, next.ProviderID
	d.addTrace(o, workflow.TraceEntry{Reason: workflow.ReasonFailover, IntegrationID: next.ID, Detail: "to " + next.Identifier})
}

// end gives the message up.
func (d *Delivery) end(o *pgmessage.MessageOutcome, reason workflow.Reason, failure *provider.Error) {
	o.Status = workflow.MessageError
	errorID, text := string(reason), failure.Error()
	if reason == workflow.ReasonCancelled {
		text = failure.Text // as of messages that a cancellation ends itself
		if d.uncertain() {
			errorID = string(workflow.ReasonOutcomeUnknown)
		}
	}
	o.ErrorID, o.ErrorText = &errorID, state.NotEmpty(text)
	entry := workflow.TraceEntry{Reason: reason, Detail: text}
	if o.DropToken != "" {
		entry.Data = map[string]any{"deviceTokenDropped": true}
	}
	d.traceAttempt(o, entry)
}

// traceAttempt traces a detail of the attempt that was just made.
func (d *Delivery) traceAttempt(o *pgmessage.MessageOutcome, t workflow.TraceEntry) {
	if o.Attempt != nil {
		t.Attempt = o.Attempt.Number
	}
	d.addTrace(o, t)
}

// addTrace puts an entry on the trace, with what is known of the message.
func (d *Delivery) addTrace(o *pgmessage.MessageOutcome, t workflow.TraceEntry) {
	t.At, t.StepID, t.Channel, t.MessageID = o.At, d.StepID, d.Channel, d.ID
	t.IntegrationID = cmp.Or(t.IntegrationID, d.IntegrationID)
	if t.At.IsZero() {
		t.At = time.Now().UTC()
	}
	o.Trace = append(o.Trace, t)
}
