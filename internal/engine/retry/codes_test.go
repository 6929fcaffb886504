package retry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// TestDecideWithoutACall: what was not attempted waits, moves or ends by its code, whatever the class of the failure.
func TestDecideWithoutACall(t *testing.T) {
	t.Parallel()
	var b Backoff
	b.SetDefaults()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(d time.Duration) *time.Time { return new(now.Add(d)) }
	for name, c := range map[string]struct {
		trial Trial
		code  string
		wait  time.Duration
		want  Verdict
	}{
		"Paced":          {Trial{Alternative: true}, CodePaced, time.Minute, Verdict{Reason: workflow.ReasonPaced, RetryAt: at(time.Minute)}},
		"PacedForLong":   {Trial{Attempt: 8, Due: now.Add(-72 * time.Hour)}, CodePaced, time.Hour, Verdict{Reason: workflow.ReasonPaced, RetryAt: at(time.Hour)}},
		"Deadline":       {Trial{Alternative: true}, CodeDeadline, 0, Verdict{Reason: workflow.ReasonExhausted}},
		"Suppressed":     {Trial{Alternative: true}, CodeSuppressed, 0, Verdict{Reason: workflow.ReasonSuppressed}},
		"Cancelled":      {Trial{Alternative: true}, CodeCancelled, 0, Verdict{Reason: workflow.ReasonCancelled}},
		"Breaker":        {Trial{}, CodeBreaker, time.Minute, Verdict{Reason: workflow.ReasonBreakerOpen, RetryAt: at(time.Minute)}},
		"BreakerMoves":   {Trial{Alternative: true}, CodeBreaker, time.Minute, Verdict{Reason: workflow.ReasonBreakerOpen, FailOver: true}},
		"BreakerNoTries": {Trial{Attempt: 8}, CodeBreaker, time.Minute, Verdict{Reason: workflow.ReasonBreakerOpen, RetryAt: at(time.Minute)}},
		"BreakerAtAge":   {Trial{Due: now.Add(-59 * time.Minute)}, CodeBreaker, time.Minute, Verdict{Reason: workflow.ReasonBreakerOpen, RetryAt: at(time.Minute)}},
		"BreakerTooOld":  {Trial{Due: now.Add(-time.Hour)}, CodeBreaker, time.Minute, Verdict{Reason: workflow.ReasonBreakerOpen}},
		"BreakerMail": {
			Trial{Channel: workflow.ChannelEmail, Due: now.Add(-71 * time.Hour)},
			CodeBreaker, time.Hour,
			Verdict{Reason: workflow.ReasonBreakerOpen, RetryAt: at(time.Hour)},
		},
		"BreakerOldMail": {
			Trial{Channel: workflow.ChannelEmail, Due: now.Add(-72 * time.Hour)}, CodeBreaker, time.Minute, Verdict{Reason: workflow.ReasonBreakerOpen},
		},
		"BreakerBeyondDeadline": {Trial{Deadline: at(time.Second)}, CodeBreaker, time.Minute, Verdict{Reason: workflow.ReasonBreakerOpen}},
		"BreakerAtDeadline":     {Trial{Deadline: at(time.Minute)}, CodeBreaker, time.Minute, Verdict{Reason: workflow.ReasonBreakerOpen, RetryAt: at(time.Minute)}},
		// A deadline of the step's own counts instead of the age.
		"BreakerOldWithDeadline": {
			Trial{Due: now.Add(-48 * time.Hour), Deadline: at(time.Hour)},
			CodeBreaker, time.Minute,
			Verdict{Reason: workflow.ReasonBreakerOpen, RetryAt: at(time.Minute)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.trial.Now = now
			if c.trial.Due.IsZero() {
				c.trial.Due = now
			}
			for _, class := range []provider.Class{provider.Transient, provider.Permanent, provider.Fault, provider.Unknown} {
				require.Equal(t, c.want, b.Decide(c.trial, &provider.Error{Class: class, Code: c.code, RetryAfter: c.wait}), class)
			}
		})
	}
}

// TestDefaultsAreKept: what is set stays, and the rest is the policy of semantics.md §9.
func TestDefaultsAreKept(t *testing.T) {
	t.Parallel()
	var b Backoff
	b.SetDefaults()
	require.Equal(t, Backoff{
		Base: 3 * time.Second, Attempts: 8, Longest: time.Hour, Age: time.Hour, Latest: 24 * time.Hour,
		MailAttempts: 30, MailLongest: 8 * time.Hour, MailAge: 72 * time.Hour,
	}, b)
	set := Backoff{Base: 1, Attempts: 2, Longest: 3, Age: 4, Latest: 5, MailAttempts: 6, MailLongest: 7, MailAge: 8}
	kept := set
	kept.SetDefaults()
	require.Equal(t, set, kept)
}

// TestLate: a deadline has passed from the instant after it on.
func TestLate(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.False(t, Trial{Now: now}.Late(), "without a deadline")
	require.False(t, Trial{Now: now, Deadline: &now}.Late())
	require.True(t, Trial{Now: now.Add(1), Deadline: &now}.Late())
}
