// Package alerts decides when alert rules open, remind and recover (decisions.md §20). It is pure: figures and the time are given to it.
package alerts

import (
	"time"

	"github.com/carillon/carillon/internal/workflow"
)

// Rule says when an alert opens and recovers.
type Rule struct {
	Condition workflow.AlertCondition
	Threshold float64
	// RecoverBelow is what the value must fall below for the rule to recover; nil: Threshold. Between the two nothing changes.
	RecoverBelow *float64
	Minimum      int           // messages below which a failure rate says nothing
	OpenAfter    time.Duration // for which the threshold must have been reached
	RecoverAfter time.Duration // for which the value must have been below
	RemindAfter  time.Duration // between two notices of an open incident; 0: one only
	// SilencedUntil is until when openings and reminders are not told; nil: they are.
	SilencedUntil *time.Time
}

// State is what a rule has come to.
type State struct {
	Phase           workflow.AlertState
	Value           *float64
	BreachingSince  *time.Time // while pending or firing
	RecoveringSince *time.Time // while firing and below RecoverBelow
	Incident        *Incident  // of a firing rule; after a recovery the one that it closed
}

// Incident is the span for which a rule fires.
type Incident struct {
	OpenedAt    time.Time
	Value, Peak float64
	Notices     int        // sent
	ToldAt      *time.Time // when the opening was told
	LastToldAt  *time.Time // when the opening or the latest reminder was told
	ClosedAt    *time.Time
}

// Notice is what is told of a rule; None: nothing.
type Notice string

// The notices. Test is one that an operator asked for.
const (
	None      Notice = ""
	Opened    Notice = "opened"
	Reminder  Notice = "reminder"
	Recovered Notice = "recovered"
	Test      Notice = "test"
)

// Figure is the value that a rule is judged by.
type Figure struct {
	// Value is nil when there is nothing to judge by, such as too few messages: that counts as below the threshold.
	Value *float64
	// Unknown says that the figure could not be found out: the state stays what it is.
	Unknown bool
}

// Decide returns what a rule has come to and what is told of it. Every opening that was told is followed by one recovery that is told,
// even while the rule is silenced; an incident that was silenced from its opening to its end is told nothing of.
func Decide(r Rule, s State, f Figure, now time.Time) (State, Notice) {
	if f.Unknown {
		return r.remind(s, now)
	}
	s.Value = f.Value
	switch {
	case f.Value != nil && *f.Value >= r.Threshold:
		return r.breached(s, *f.Value, now)
	case s.Phase == workflow.AlertFiring:
		return r.calmer(s, now)
	}
	s.Phase, s.BreachingSince, s.RecoveringSince, s.Incident = workflow.AlertOK, nil, nil, nil
	return s, None
}

// breached is the state of a rule whose threshold is reached.
func (r Rule) breached(s State, value float64, now time.Time) (State, Notice) {
	if s.BreachingSince == nil {
		s.BreachingSince = &now
	}
	s.RecoveringSince = nil
	switch {
	case s.Phase == workflow.AlertFiring && s.Incident != nil:
		incident := *s.Incident
		incident.Peak = max(incident.Peak, value)
		s.Incident = &incident
	case now.Sub(*s.BreachingSince) < r.OpenAfter:
		s.Phase, s.Incident = workflow.AlertPending, nil
		return s, None
	default:
		s.Phase, s.Incident = workflow.AlertFiring, &Incident{OpenedAt: now, Value: value, Peak: value}
	}
	return r.remind(s, now)
}

// calmer is the state of a firing rule whose threshold is not reached.
func (r Rule) calmer(s State, now time.Time) (State, Notice) {
	below := r.Threshold
	if r.RecoverBelow != nil {
		below = min(below, *r.RecoverBelow)
	}
	if s.Value != nil && *s.Value >= below {
		s.RecoveringSince = nil
		return r.remind(s, now)
	}
	if s.RecoveringSince == nil {
		s.RecoveringSince = &now
	}
	if now.Sub(*s.RecoveringSince) < r.RecoverAfter {
		return r.remind(s, now)
	}
	s.Phase, s.BreachingSince, s.RecoveringSince = workflow.AlertOK, nil, nil
	if s.Incident == nil {
		return s, None
	}
	incident := *s.Incident
	incident.ClosedAt = &now
	s.Incident = &incident
	if incident.ToldAt == nil {
		return s, None
	}
	incident.Notices++
	return s, Recovered
}

// remind tells of the open incident of a rule if that is due.
func (r Rule) remind(s State, now time.Time) (State, Notice) {
	if s.Phase != workflow.AlertFiring || s.Incident == nil || r.SilencedUntil != nil && now.Before(*r.SilencedUntil) {
		return s, None
	}
	incident, notice := *s.Incident, Opened
	switch {
	case incident.ToldAt == nil:
		incident.ToldAt = &now
	case r.RemindAfter > 0 && !now.Before(incident.LastToldAt.Add(r.RemindAfter)):
		notice = Reminder
	default:
		return s, None
	}
	incident.LastToldAt = &now
	incident.Notices++
	s.Incident = &incident
	return s, notice
}
