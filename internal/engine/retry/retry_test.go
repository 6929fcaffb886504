package retry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

func TestPause(t *testing.T) {
	t.Parallel()
	var b Backoff
	b.SetDefaults()
	for _, c := range []struct {
		channel workflow.Channel
		attempt int
		bound   time.Duration
	}{
		{workflow.ChannelSMS, 1, 3 * time.Second},
		{workflow.ChannelSMS, 2, 9 * time.Second},
		{workflow.ChannelSMS, 7, 2187 * time.Second},
		{workflow.ChannelSMS, 8, time.Hour},
		{workflow.ChannelSMS, 1_000_000, time.Hour},
		{workflow.ChannelEmail, 9, 19683 * time.Second},
		{workflow.ChannelEmail, 30, 8 * time.Hour},
	} {
		require.Equal(t, c.bound/2, b.Pause(c.channel, c.attempt, 0.5), "%s %d", c.channel, c.attempt)
		require.Zero(t, b.Pause(c.channel, c.attempt, 0))
	}
	var mean time.Duration
	for attempt := 1; attempt < b.Attempts; attempt++ {
		mean += b.Pause(workflow.ChannelSMS, attempt, 0.5)
	}
	require.InDelta(t, 30, mean.Minutes(), 5)
}

func TestDecide(t *testing.T) {
	t.Parallel()
	var b Backoff
	b.SetDefaults()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	past, soon := now.Add(-time.Second), now.Add(time.Second)
	at := func(d time.Duration) *time.Time { v := now.Add(d); return &v }
	for name, c := range map[string]struct {
		trial Trial
		err   provider.Error
		want  Verdict
	}{
		"Permanent":         {Trial{Attempt: 1, Alternative: true}, provider.Error{Class: provider.Permanent}, Verdict{Reason: workflow.ReasonRejected}},
		"Fault":             {Trial{Attempt: 1}, provider.Error{Class: provider.Fault}, Verdict{Reason: workflow.ReasonRejected}},
		"FaultWithAnother":  {Trial{Attempt: 1, Alternative: true}, provider.Error{Class: provider.Fault}, Verdict{Reason: workflow.ReasonRejected, FailOver: true}},
		"Transient":         {Trial{Attempt: 1}, provider.Error{Class: provider.Transient}, Verdict{Reason: workflow.ReasonRetry, RetryAt: at(1500 * time.Millisecond)}},
		"RetryAfter":        {Trial{Attempt: 1}, provider.Error{Class: provider.Transient, RetryAfter: time.Minute}, Verdict{Reason: workflow.ReasonRetry, RetryAt: at(time.Minute)}},
		"Exhausted":         {Trial{Attempt: 8, Alternative: true}, provider.Error{Class: provider.Transient}, Verdict{Reason: workflow.ReasonExhausted, FailOver: true}},
		"PastDeadline":      {Trial{Attempt: 1, Deadline: &past, Alternative: true}, provider.Error{Class: provider.Transient}, Verdict{Reason: workflow.ReasonExhausted}},
		"BeyondDeadline":    {Trial{Attempt: 1, Deadline: &soon, Alternative: true}, provider.Error{Class: provider.Transient}, Verdict{Reason: workflow.ReasonExhausted, FailOver: true}},
		"OldMail":           {Trial{Attempt: 9, Channel: workflow.ChannelEmail, Due: now.Add(-72 * time.Hour)}, provider.Error{Class: provider.Transient}, Verdict{Reason: workflow.ReasonExhausted}},
		"OldText":           {Trial{Attempt: 2, Channel: workflow.ChannelSMS, Due: now.Add(-time.Hour)}, provider.Error{Class: provider.Transient, RetryAfter: 24 * time.Hour}, Verdict{Reason: workflow.ReasonExhausted}},
		"PatientText":       {Trial{Attempt: 2, Channel: workflow.ChannelSMS, Due: now.Add(-time.Hour)}, provider.Error{Class: provider.Transient, RetryAfter: 2 * time.Hour}, Verdict{Reason: workflow.ReasonRetry, RetryAt: at(2 * time.Hour)}},
		"Unknown":           {Trial{Attempt: 1}, provider.Error{Class: provider.Unknown}, Verdict{Reason: workflow.ReasonOutcomeUnknown, RetryAt: at(1500 * time.Millisecond), Duplicate: true}},
		"UnknownRepeatable": {Trial{Attempt: 1, Repeatable: true}, provider.Error{Class: provider.Unknown}, Verdict{Reason: workflow.ReasonOutcomeUnknown, RetryAt: at(1500 * time.Millisecond)}},
		"UnknownStop":       {Trial{Attempt: 1, Unknown: workflow.UnknownStop}, provider.Error{Class: provider.Unknown}, Verdict{Reason: workflow.ReasonOutcomeUnknown}},
		"UnknownGone":       {Trial{Attempt: 1, Gone: true}, provider.Error{Class: provider.Unknown}, Verdict{Reason: workflow.ReasonOutcomeUnknown}},
		"UnknownStays":      {Trial{Attempt: 8, Alternative: true}, provider.Error{Class: provider.Unknown}, Verdict{Reason: workflow.ReasonOutcomeUnknown}},
		"UnknownMayMove":    {Trial{Attempt: 8, Alternative: true, Duplicates: true}, provider.Error{Class: provider.Unknown}, Verdict{Reason: workflow.ReasonOutcomeUnknown, FailOver: true, Duplicate: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.trial.Now, c.trial.Jitter = now, 0.5
			if c.trial.Due.IsZero() {
				c.trial.Due = now
			}
			require.Equal(t, c.want, b.Decide(c.trial, &c.err))
		})
	}
}
