// Package retry decides what follows a failed attempt: another one after a pause, another integration, or the end. It is
// the whole retry policy, in pure functions.
package retry

import (
	"cmp"
	"math/rand/v2"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Codes of failures without an attempt.
const (
	CodeGone       = "NO_INTEGRATION" // there is no integration to send through
	CodeDeadline   = "DEADLINE"
	CodeBreaker    = "BREAKER_OPEN"
	CodePaced      = "PACED"
	CodeSuppressed = "SUPPRESSED"
	CodeCancelled  = "CANCELLED"
	CodeReported   = "REPORTED" // the provider reported on it already, so it was taken
)

// Backoff is the retry policy: full jitter below a bound that triples with every attempt (semantics.md §9).
type Backoff struct {
	Base         time.Duration // bound of the first pause; default 3 s
	Attempts     int           // of messages that people wait for; default 8, which takes half an hour
	Longest      time.Duration // bound of every pause of those; default 1 h
	Age          time.Duration // they are given up this long after they were due while no attempt can be made; default 1 h
	Latest       time.Duration // they are not tried again later than this after they were due, whatever pause a provider asks for; default 24 h
	MailAttempts int           // of e-mails; default 30
	MailLongest  time.Duration // bound of every pause of e-mails; default 8 h
	MailAge      time.Duration // e-mails are given up this long after they were due; default 72 h
}

// SetDefaults sets the fields that are zero.
func (b *Backoff) SetDefaults() {
	b.Base = cmp.Or(b.Base, 3*time.Second)
	b.Attempts = cmp.Or(b.Attempts, 8)
	b.Longest = cmp.Or(b.Longest, time.Hour)
	b.Age = cmp.Or(b.Age, time.Hour)
	b.Latest = cmp.Or(b.Latest, 24*time.Hour)
	b.MailAttempts = cmp.Or(b.MailAttempts, 30)
	b.MailLongest = cmp.Or(b.MailLongest, 8*time.Hour)
	b.MailAge = cmp.Or(b.MailAge, 72*time.Hour)
}

// RandomJitter returns a number in [0, 1).
func RandomJitter() float64 { return rand.Float64() } //nolint:gosec // spreads load, guards nothing

// Pause is how long to wait after an attempt, counted from 1, of the present integration. jitter lies in [0, 1).
func (b Backoff) Pause(c workflow.Channel, attempt int, jitter float64) time.Duration {
	longest := b.Longest
	if c == workflow.ChannelEmail {
		longest = b.MailLongest
	}
	bound := b.Base
	for range attempt - 1 {
		if bound *= 3; bound >= longest {
			bound = longest
			break
		}
	}
	return time.Duration(jitter * float64(bound))
}

func (b Backoff) limit(c workflow.Channel) int {
	if c == workflow.ChannelEmail {
		return b.MailAttempts
	}
	return b.Attempts
}

// Trial is what Decide decides by, beside the error.
type Trial struct {
	Channel     workflow.Channel
	Attempt     int // made through the present integration, this one included
	Now         time.Time
	Due         time.Time  // when the message was due first
	Deadline    *time.Time // of the step; nil: none
	Jitter      float64
	Unknown     workflow.UnknownPolicy
	Repeatable  bool // the provider takes an idempotency key
	Duplicates  bool // the step permits that an unknown outcome moves to another integration
	Alternative bool // another integration is left
	Gone        bool // the event or the subscriber is, so that no other attempt follows
}

// Verdict is what follows from a failed attempt.
type Verdict struct {
	Reason   workflow.Reason
	RetryAt  *time.Time // nil: final, unless it fails over
	FailOver bool
	// Duplicate says that the next attempt may deliver twice.
	Duplicate bool
}

// Decide decides what follows a failed attempt (semantics.md §9.1, §11.2, §11.3).
func (b Backoff) Decide(t Trial, err *provider.Error) Verdict {
	switch err.Code {
	case CodePaced:
		return Verdict{Reason: workflow.ReasonPaced, RetryAt: new(t.Now.Add(err.RetryAfter))}
	case CodeDeadline:
		return Verdict{Reason: workflow.ReasonExhausted}
	case CodeSuppressed:
		return Verdict{Reason: workflow.ReasonSuppressed}
	case CodeCancelled:
		return Verdict{Reason: workflow.ReasonCancelled}
	case CodeBreaker:
		if t.Alternative {
			return Verdict{Reason: workflow.ReasonBreakerOpen, FailOver: true}
		}
		return Verdict{Reason: workflow.ReasonBreakerOpen, RetryAt: b.waitAt(t, err.RetryAfter)}
	}
	switch err.Class {
	case provider.Fault:
		return Verdict{Reason: workflow.ReasonRejected, FailOver: t.Alternative}
	case provider.Transient:
		if at := b.retryAt(t, err.RetryAfter); at != nil {
			return Verdict{Reason: workflow.ReasonRetry, RetryAt: at}
		}
		return Verdict{Reason: workflow.ReasonExhausted, FailOver: t.Alternative && !t.Late()}
	case provider.Unknown:
		if t.Unknown == workflow.UnknownStop || t.Gone {
			return Verdict{Reason: workflow.ReasonOutcomeUnknown}
		}
		if at := b.retryAt(t, err.RetryAfter); at != nil {
			return Verdict{Reason: workflow.ReasonOutcomeUnknown, RetryAt: at, Duplicate: !t.Repeatable}
		}
		move := t.Alternative && t.Duplicates && !t.Late()
		return Verdict{Reason: workflow.ReasonOutcomeUnknown, FailOver: move, Duplicate: move}
	default:
		return Verdict{Reason: workflow.ReasonRejected}
	}
}

// retryAt is when the next attempt is due; nil when tries, age or deadline are used up.
func (b Backoff) retryAt(t Trial, retryAfter time.Duration) *time.Time {
	if t.Attempt >= b.limit(t.Channel) {
		return nil
	}
	return t.within(b.Latest, b.MailAge, max(b.Pause(t.Channel, t.Attempt, t.Jitter), retryAfter))
}

// waitAt is when to look again at a message for which no attempt can be made; nil when it has waited for too long.
func (b Backoff) waitAt(t Trial, wait time.Duration) *time.Time {
	return t.within(b.Age, b.MailAge, wait)
}

// within is the instant after a pause; nil when it lies behind the deadline or, without one, beyond the message's age.
func (t Trial) within(age, mailAge, pause time.Duration) *time.Time {
	if t.Channel == workflow.ChannelEmail {
		age = mailAge
	}
	at := t.Now.Add(pause)
	if t.Deadline != nil && at.After(*t.Deadline) || t.Deadline == nil && at.Sub(t.Due) > age {
		return nil
	}
	return &at
}

// Late reports whether the deadline has passed.
func (t Trial) Late() bool { return t.Deadline != nil && t.Now.After(*t.Deadline) }
