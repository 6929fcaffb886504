package engine

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
	b.setDefaults()
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

func TestJudge(t *testing.T) {
	t.Parallel()
	var b Backoff
	b.setDefaults()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	past, soon := now.Add(-time.Second), now.Add(time.Second)
	at := func(d time.Duration) *time.Time { v := now.Add(d); return &v }
	for name, c := range map[string]struct {
		trial trial
		err   provider.Error
		want  verdict
	}{
		"Permanent":         {trial{Attempt: 1, Alternative: true}, provider.Error{Class: provider.Permanent}, verdict{Reason: workflow.ReasonRejected}},
		"Fault":             {trial{Attempt: 1}, provider.Error{Class: provider.Fault}, verdict{Reason: workflow.ReasonRejected}},
		"FaultWithAnother":  {trial{Attempt: 1, Alternative: true}, provider.Error{Class: provider.Fault}, verdict{Reason: workflow.ReasonRejected, FailOver: true}},
		"Transient":         {trial{Attempt: 1}, provider.Error{Class: provider.Transient}, verdict{Reason: workflow.ReasonRetry, RetryAt: at(1500 * time.Millisecond)}},
		"RetryAfter":        {trial{Attempt: 1}, provider.Error{Class: provider.Transient, RetryAfter: time.Minute}, verdict{Reason: workflow.ReasonRetry, RetryAt: at(time.Minute)}},
		"Exhausted":         {trial{Attempt: 8, Alternative: true}, provider.Error{Class: provider.Transient}, verdict{Reason: workflow.ReasonExhausted, FailOver: true}},
		"PastDeadline":      {trial{Attempt: 1, Deadline: &past, Alternative: true}, provider.Error{Class: provider.Transient}, verdict{Reason: workflow.ReasonExhausted}},
		"BeyondDeadline":    {trial{Attempt: 1, Deadline: &soon, Alternative: true}, provider.Error{Class: provider.Transient}, verdict{Reason: workflow.ReasonExhausted, FailOver: true}},
		"OldMail":           {trial{Attempt: 9, Channel: workflow.ChannelEmail, Due: now.Add(-72 * time.Hour)}, provider.Error{Class: provider.Transient}, verdict{Reason: workflow.ReasonExhausted}},
		"OldText":           {trial{Attempt: 2, Channel: workflow.ChannelSMS, Due: now.Add(-time.Hour)}, provider.Error{Class: provider.Transient, RetryAfter: 24 * time.Hour}, verdict{Reason: workflow.ReasonExhausted}},
		"PatientText":       {trial{Attempt: 2, Channel: workflow.ChannelSMS, Due: now.Add(-time.Hour)}, provider.Error{Class: provider.Transient, RetryAfter: 2 * time.Hour}, verdict{Reason: workflow.ReasonRetry, RetryAt: at(2 * time.Hour)}},
		"Unknown":           {trial{Attempt: 1}, provider.Error{Class: provider.Unknown}, verdict{Reason: workflow.ReasonOutcomeUnknown, RetryAt: at(1500 * time.Millisecond), Duplicate: true}},
		"UnknownRepeatable": {trial{Attempt: 1, Repeatable: true}, provider.Error{Class: provider.Unknown}, verdict{Reason: workflow.ReasonOutcomeUnknown, RetryAt: at(1500 * time.Millisecond)}},
		"UnknownStop":       {trial{Attempt: 1, Unknown: workflow.UnknownStop}, provider.Error{Class: provider.Unknown}, verdict{Reason: workflow.ReasonOutcomeUnknown}},
		"UnknownStays":      {trial{Attempt: 8, Alternative: true}, provider.Error{Class: provider.Unknown}, verdict{Reason: workflow.ReasonOutcomeUnknown}},
		"UnknownMayMove":    {trial{Attempt: 8, Alternative: true, Duplicates: true}, provider.Error{Class: provider.Unknown}, verdict{Reason: workflow.ReasonOutcomeUnknown, FailOver: true, Duplicate: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.trial.Now, c.trial.Jitter = now, 0.5
			if c.trial.Due.IsZero() {
				c.trial.Due = now
			}
			require.Equal(t, c.want, b.judge(c.trial, &c.err))
		})
	}
}
