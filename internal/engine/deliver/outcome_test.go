package deliver

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// stored is the envelope that an outcome stores; nil: the message keeps its own.
func stored(t *testing.T, o *pgmessage.MessageOutcome) *state.Envelope {
	t.Helper()
	if o.Envelope == nil {
		return nil
	}
	var env state.Envelope
	require.NoError(t, json.Unmarshal(o.Envelope, &env))
	return &env
}

// TestTookLeavesOutChosenWaits holds from when the time of a message counts.
func TestTookLeavesOutChosenWaits(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return time.Date(2026, 5, 4, 12, minute, 0, 0, time.UTC) }
	d := &Delivery{event: &run.EventContext{}}
	d.event.CreatedAt, d.CreatedAt = at(0), at(2)
	require.Equal(t, 10*time.Minute, d.took(at(10)), "from the acceptance: fanning out took two minutes")
	d.envelope.Waited = true
	require.Equal(t, 8*time.Minute, d.took(at(10)), "from the end of the wait")
	d.envelope.Again = at(7)
	require.Equal(t, 3*time.Minute, d.took(at(10)), "from when a pause let it go, or it was sent again")
	d.event = nil
	require.Equal(t, 3*time.Minute, d.took(at(10)))
}

func TestOutcomeOfACallThatWorked(t *testing.T) {
	t.Parallel()
	w := newWorker(t)

	t.Run("Sent", func(t *testing.T) {
		t.Parallel()
		d := onDelivery(nil, integration("a"))
		d.adapter.reports = true
		o := w.outcomeOfAttempt(d, &provider.Receipt{ID: "sid"}, nil)
		require.Equal(t, workflow.MessageSent, o.Status)
		require.Equal(t, "sid", *o.ProviderMessageID)
		require.Equal(t, workflow.AttemptAccepted, o.Attempt.Outcome)
		require.Equal(t, "sid", *o.Attempt.ProviderMessageID)
		require.Equal(t, noon, *o.Attempt.FinishedAt)
		require.JSONEq(t, `["`+state.Stamp(noon)+`"]`, string(o.DeliveredAt))
		require.True(t, o.Reports)
		require.Nil(t, o.DueAt)
		require.Nil(t, d.attempt.FinishedAt, "the delivery's own attempt stays the intent that was stored")
		require.Equal(t, []workflow.Reason{workflow.ReasonSent}, traced(&o))
		entry := o.Trace[0]
		require.Equal(t, []any{1, "a", "step", "message", noon}, []any{entry.Attempt, entry.IntegrationID, entry.StepID, entry.MessageID, entry.At})
	})
	t.Run("Warning", func(t *testing.T) {
		t.Parallel()
		o := w.outcomeOfAttempt(onDelivery(nil, integration("a")), &provider.Receipt{Warning: "the image was dropped"}, nil)
		require.Equal(t, workflow.MessageWarning, o.Status)
		require.Equal(t, "the image was dropped", *o.ErrorText)
		require.Nil(t, o.ProviderMessageID)
		require.False(t, o.Reports)
		d := onDelivery(nil, integration("a"))
		d.complaint = "a file was left out"
		o = w.outcomeOfAttempt(d, &provider.Receipt{ID: "sid"}, nil)
		require.Equal(t, []any{workflow.MessageWarning, "a file was left out", "sid"}, []any{o.Status, *o.ErrorText, *o.ProviderMessageID})
	})
	t.Run("AfterAnInterruptedAttempt", func(t *testing.T) {
		t.Parallel()
		d := onDelivery(nil, integration("a"))
		d.interrupted, d.Attempts, d.attempt.Number, d.attempt.DuplicatePossible = true, 1, 2, true
		o := w.outcomeOfAttempt(d, &provider.Receipt{}, nil)
		require.Equal(t, []workflow.Reason{workflow.ReasonRecovered, workflow.ReasonDuplicatePossible, workflow.ReasonSent}, traced(&o))
		require.Equal(t, []int{1, 2, 2}, []int{o.Trace[0].Attempt, o.Trace[1].Attempt, o.Trace[2].Attempt})
	})
}

func TestOutcomeOfACallThatFailed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		failure provider.Error
		change  func(*Delivery)
		others  int // integrations to fail over to
		status  workflow.MessageStatus
		outcome workflow.AttemptOutcome
		wait    time.Duration // until the next attempt; -1: there is none
		through string
		reasons []workflow.Reason
	}{
		{
			"Permanent",
			provider.Error{Class: provider.Permanent, Status: 400},
			nil, 1,
			workflow.MessageError, workflow.AttemptRejected, -1, "a",
			[]workflow.Reason{workflow.ReasonRejected},
		},
		{
			"Transient",
			provider.Error{Class: provider.Transient, Status: 503},
			nil, 1,
			workflow.MessagePending, workflow.AttemptRejected, 2 * time.Second, "a",
			[]workflow.Reason{workflow.ReasonRetry},
		},
		{
			"TransientWaitsAsLongAsItIsAsked",
			provider.Error{Class: provider.Transient, RetryAfter: time.Minute},
			nil, 0,
			workflow.MessagePending, workflow.AttemptRejected, time.Minute, "a",
			[]workflow.Reason{workflow.ReasonRetry},
		},
		{
			"ExhaustedFailsOver",
			provider.Error{Class: provider.Transient},
			func(d *Delivery) { d.Attempts = 2 }, 1,
			workflow.MessagePending, workflow.AttemptRejected, 0, "b",
			[]workflow.Reason{workflow.ReasonExhausted, workflow.ReasonFailover},
		},
		{
			"AttemptsOfTheIntegrationBeforeDoNotCount",
			provider.Error{Class: provider.Transient},
			func(d *Delivery) { d.Attempts, d.envelope.Since = 2, 2 }, 1,
			workflow.MessagePending, workflow.AttemptRejected, 2 * time.Second, "a",
			[]workflow.Reason{workflow.ReasonRetry},
		},
		{
			"Exhausted",
			provider.Error{Class: provider.Transient},
			func(d *Delivery) { d.Attempts = 2 }, 0,
			workflow.MessageError, workflow.AttemptRejected, -1, "a",
			[]workflow.Reason{workflow.ReasonExhausted},
		},
		{
			"FaultFailsOver",
			provider.Error{Class: provider.Fault, Status: 401},
			nil, 1,
			workflow.MessagePending, workflow.AttemptRejected, 0, "b",
			[]workflow.Reason{workflow.ReasonRejected, workflow.ReasonFailover},
		},
		{
			"Unknown",
			provider.Error{Class: provider.Unknown},
			nil, 1,
			workflow.MessagePending, workflow.AttemptUnknown, 2 * time.Second, "a",
			[]workflow.Reason{workflow.ReasonOutcomeUnknown, workflow.ReasonDuplicatePossible},
		},
		{
			"UnknownWithAnIdempotencyKey",
			provider.Error{Class: provider.Unknown},
			func(d *Delivery) { d.adapter.repeatable = true }, 1,
			workflow.MessagePending, workflow.AttemptUnknown, 2 * time.Second, "a",
			[]workflow.Reason{workflow.ReasonOutcomeUnknown},
		},
		{
			"UnknownStops",
			provider.Error{Class: provider.Unknown},
			func(d *Delivery) { d.envelope.Unknown = workflow.UnknownStop }, 1,
			workflow.MessageError, workflow.AttemptUnknown, -1, "a",
			[]workflow.Reason{workflow.ReasonOutcomeUnknown},
		},
		{
			"UnknownNeverFailsOver",
			provider.Error{Class: provider.Unknown},
			func(d *Delivery) { d.Attempts = 2 }, 1,
			workflow.MessageError, workflow.AttemptUnknown, -1, "a",
			[]workflow.Reason{workflow.ReasonOutcomeUnknown},
		},
		{
			"FaultAfterAnUnknownOutcomeStays",
			provider.Error{Class: provider.Fault},
			func(d *Delivery) { d.envelope.Uncertain = true }, 1,
			workflow.MessageError, workflow.AttemptRejected, -1, "a",
			[]workflow.Reason{workflow.ReasonRejected},
		},
		{
			"UnknownFailsOverWhereADuplicateIsAllowed",
			provider.Error{Class: provider.Unknown},
			func(d *Delivery) { d.Attempts, d.envelope.AllowDuplicate = 2, true }, 1,
			workflow.MessagePending, workflow.AttemptUnknown, 0, "b",
			[]workflow.Reason{workflow.ReasonOutcomeUnknown, workflow.ReasonFailover, workflow.ReasonDuplicatePossible},
		},
		{
			"DeadlineBeforeTheNextAttempt",
			provider.Error{Class: provider.Transient},
			func(d *Delivery) { d.DeadlineAt = new(noon.Add(time.Second)) }, 0,
			workflow.MessageError, workflow.AttemptRejected, -1, "a",
			[]workflow.Reason{workflow.ReasonExhausted},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := onDelivery(nil, integration("a"))
			if c.others > 0 {
				d = onDelivery(nil, integration("a"), integration("b"))
			}
			if c.change != nil {
				c.change(d)
			}
			d.attempt.ProviderMessageID = new("known before")
			o := newWorker(t).outcomeOfAttempt(d, nil, &c.failure)
			require.Equal(t, c.outcome == workflow.AttemptUnknown, o.Attempt.ProviderMessageID != nil)
			require.Equal(t, c.status, o.Status)
			require.Equal(t, c.outcome, o.Attempt.Outcome)
			require.Equal(t, c.failure.Class.String(), *o.Attempt.Class)
			require.Equal(t, c.through, o.IntegrationID)
			require.Equal(t, "vendor-"+c.through, o.ProviderID)
			require.Equal(t, c.reasons, traced(&o))
			require.Equal(t, c.failure.Error(), *o.ErrorText)
			if c.wait < 0 {
				require.Nil(t, o.DueAt)
				require.Equal(t, string(c.reasons[0]), *o.ErrorID)
				return
			}
			require.Nil(t, o.ErrorID)
			require.Equal(t, noon.Add(c.wait), *o.DueAt)
		})
	}
}

func TestAttemptShowsTheAnswer(t *testing.T) {
	t.Parallel()
	o := newWorker(t).outcomeOfAttempt(onDelivery(nil, integration("a")), nil, &provider.Error{Class: provider.Permanent, Status: 422, Code: "21211", Text: "bad number"})
	require.Equal(t, []any{422, "21211", "bad number"}, []any{*o.Attempt.HTTPStatus, *o.Attempt.Code, *o.Attempt.ErrorText})
	o = newWorker(t).outcomeOfAttempt(onDelivery(nil, integration("a")), nil, &provider.Error{Class: provider.Permanent})
	require.Nil(t, o.Attempt.HTTPStatus)
	require.Nil(t, o.Attempt.Code)
}

func TestDeadDeviceTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		registered time.Time
		since      time.Time
		setting    string
		want       string
	}{
		{"Dropped", time.Time{}, time.Time{}, "setting", "token"},
		{"GoneSinceItWasRegistered", noon.Add(-time.Hour), noon, "setting", "token"},
		{"RegisteredAnewMeanwhile", noon, noon.Add(-time.Hour), "setting", ""},
		{"GivenByTheTrigger", time.Time{}, time.Time{}, "", ""},
	} {
		d := onDelivery(nil, integration("a"))
		d.envelope.DeviceToken, d.envelope.SettingID, d.envelope.RegisteredAt = "token", c.setting, c.registered
		o := newWorker(t).outcomeOfAttempt(d, nil, &provider.Error{Class: provider.Permanent, DropToken: true, GoneSince: c.since})
		require.Equal(t, c.want, o.DropToken, c.name)
		require.Equal(t, c.want != "", o.Trace[0].Data["deviceTokenDropped"] == true, c.name)
	}
}

func TestEnvelopeOfTheNextAttempt(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	transient, unknown := &provider.Error{Class: provider.Transient}, &provider.Error{Class: provider.Unknown}

	d := onDelivery(nil, integration("a"))
	o := w.outcomeOfAttempt(d, nil, transient)
	require.Nil(t, stored(t, &o), "it is as it was")
	o = w.outcomeOfAttempt(d, nil, unknown)
	require.True(t, stored(t, &o).Uncertain)
	d.LastOutcome = workflow.AttemptUnknown
	o = w.outcomeOfAttempt(d, nil, transient)
	require.True(t, stored(t, &o).Uncertain, "an outcome that was unknown once stays so")

	d = onDelivery(nil, integration("a"))
	d.envelope.Slot = &state.Slot{IntegrationID: "a", At: noon}
	o = w.outcomeOfAttempt(d, nil, transient)
	require.Nil(t, stored(t, &o).Slot, "its place in line is used up")
	d.envelope.Slot = &state.Slot{IntegrationID: "a", At: noon.Add(time.Hour)}
	d.reject(&provider.Error{Class: provider.Transient, Code: retry.CodePaced, RetryAfter: time.Hour})
	o = w.outcomeWithoutAttempt(d)
	require.Equal(t, d.envelope.Slot, stored(t, &o).Slot, "its place in line is still ahead")

	d = onDelivery(nil, integration("a"), integration("b"), integration("c"))
	d.envelope.Slot = &state.Slot{IntegrationID: "a", At: noon}
	d.attempt.Number = 5
	o = w.outcomeOfAttempt(d, nil, &provider.Error{Class: provider.Fault})
	require.Equal(t, state.Envelope{Phone: d.envelope.Phone, Alternatives: []string{"c"}, Since: 5}, *stored(t, &o))
	require.Equal(t, "to named-b", o.Trace[1].Detail)
	require.Equal(t, []string{"b", "c"}, d.envelope.Alternatives)

	d = onDelivery(nil, integration("a"), integration("b"))
	d.envelope.AllowDuplicate, d.Attempts = true, 2
	o = w.outcomeOfAttempt(d, nil, unknown)
	require.Equal(t, "b", o.IntegrationID)
	require.True(t, stored(t, &o).Uncertain, "the integration before may have taken it")
}

func TestOutcomeWithoutCall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		failure provider.Error
		other   func(d *Delivery)
		status  workflow.MessageStatus
		wait    time.Duration // -1: it is over
		through string
		reasons []workflow.Reason
	}{
		{
			"Reported",
			provider.Error{Code: retry.CodeReported},
			func(d *Delivery) { d.Status = workflow.MessageSent },
			workflow.MessageSent, -1, "a",
			[]workflow.Reason{workflow.ReasonReceipt},
		},
		{
			"CannotBeOpened",
			provider.Error{Class: provider.Fault, Code: "BAD_CREDENTIALS"},
			nil,
			workflow.MessagePending, 0, "b",
			[]workflow.Reason{workflow.ReasonRejected, workflow.ReasonFailover},
		},
		{
			"GoneFailsOver",
			provider.Error{Class: provider.Fault, Code: retry.CodeGone},
			func(d *Delivery) { d.integration = nil },
			workflow.MessagePending, 0, "b",
			[]workflow.Reason{workflow.ReasonRejected, workflow.ReasonFailover},
		},
		{
			"GoneWithoutAnother",
			provider.Error{Class: provider.Fault, Code: retry.CodeGone},
			func(d *Delivery) { d.integration, d.envelope.Alternatives = nil, nil },
			workflow.MessageError, -1, "a",
			[]workflow.Reason{workflow.ReasonNoIntegration},
		},
		{
			"BreakerFailsOver",
			provider.Error{Code: retry.CodeBreaker},
			nil,
			workflow.MessagePending, 0, "b",
			[]workflow.Reason{workflow.ReasonBreakerOpen, workflow.ReasonFailover},
		},
		{
			"BreakerOfTheOtherIsOpen",
			provider.Error{Code: retry.CodeBreaker, RetryAfter: time.Minute},
			func(d *Delivery) { open(d.event.Integration("b")) },
			workflow.MessagePending, time.Minute, "a",
			[]workflow.Reason{workflow.ReasonBreakerOpen},
		},
		{
			"Suppressed",
			provider.Error{Class: provider.Permanent, Code: retry.CodeSuppressed},
			nil,
			workflow.MessageError, -1, "a",
			[]workflow.Reason{workflow.ReasonSuppressed},
		},
		{
			"Late",
			provider.Error{Class: provider.Permanent, Code: retry.CodeDeadline},
			nil,
			workflow.MessageError, -1, "a",
			[]workflow.Reason{workflow.ReasonExhausted},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := onDelivery(nil, integration("a"), integration("b"))
			if c.other != nil {
				c.other(d)
			}
			d.reject(&c.failure)
			o := newWorker(t).outcomeWithoutAttempt(d)
			require.Nil(t, o.Attempt)
			require.Equal(t, c.status, o.Status)
			require.Equal(t, c.through, o.IntegrationID)
			require.Equal(t, c.reasons, traced(&o))
			if c.wait < 0 {
				require.Nil(t, o.DueAt)
			} else {
				require.Equal(t, noon.Add(c.wait), *o.DueAt)
			}
			require.Equal(t, c.name == "CannotBeOpened", o.Sign != nil, "only that is a fault of the integration")
		})
	}
}
