package workflow

import (
	"slices"
	"time"

	"github.com/carillon/carillon/internal/workflow/condition"
)

// Decide decides about an event that reaches the step. The instant at which a window ends belongs to the next one
// (semantics.md §3.5); while one is open every event joins it (§11.4).
func (d *DigestControls) Decide(state DigestState, at time.Time, loc *time.Location) (v DigestVerdict, closesAt time.Time) {
	switch {
	case at.Before(state.ClosesAt):
		return DigestJoins, state.ClosesAt
	case d.LooksBack() && !state.Last.After(d.LookBack(at, loc)):
		return DigestPasses, time.Time{}
	}
	return DigestOpens, d.ClosesAt(at, loc)
}

// LooksBack reports whether an event that nothing came before within the look-back continues at once.
func (d *DigestControls) LooksBack() bool {
	return d.Type == DigestBackoff || d.Type != DigestTimed && d.Backoff
}

// Overridden are the controls with the amount of a trigger's delay override, which reaches regular digests only
// (semantics.md §3.15).
func (d *DigestControls) Overridden(o *DelayOverride) *DigestControls {
	if o == nil || d.Type != DigestRegular {
		return d
	}
	changed := *d
	changed.Amount, changed.Unit = o.Amount, o.Unit
	return &changed
}

// Decide decides about a run that reaches the step, and what it leaves behind. A blocked run changes nothing
// (semantics.md §11.13). With a warning the window could not be read from the payload and nothing is counted.
func (c *ThrottleControls) Decide(state ThrottleState, at time.Time, payload map[string]any, loc *time.Location) (next ThrottleState, passes bool, warning string) {
	end, warning := c.WindowEnd(at, payload, loc)
	switch {
	case warning != "":
		return state, c.Invalid != "skip", warning
	case at.Before(state.EndsAt) && state.Used >= c.Allowed():
		return state, false, ""
	case at.Before(state.EndsAt):
		state.Used++
		return state, true, ""
	}
	return ThrottleState{StartsAt: at, EndsAt: end, Used: 1}, true, ""
}

// Extends reports whether the step's wait extends to the subscriber's schedule.
func (s *Step) Extends() bool {
	return s.Delay != nil && s.Delay.ExtendToSchedule || s.Digest != nil && s.Digest.ExtendToSchedule
}

// LooksAt reports whether a condition of the step or of a variant looks at the outcome of stepID.
func (s *Step) LooksAt(stepID string) bool {
	return looksAtOutcome(s.Filters, stepID) || slices.ContainsFunc(s.Variants, func(v Variant) bool {
		return looksAtOutcome(v.Filters, stepID)
	})
}

func looksAtOutcome(filters []condition.StepFilter, stepID string) bool {
	return slices.ContainsFunc(filters, func(f condition.StepFilter) bool {
		return slices.ContainsFunc(f.Children, func(c condition.FieldFilterPart) bool {
			return c.On == condition.OnStep && (c.Field == stepID+".sent" || c.Field == stepID+".failed")
		})
	})
}

// DigestState is what an event finds of its digest's identity.
type DigestState struct {
	ClosesAt time.Time // end of the open window; zero: none is open
	Last     time.Time // when the latest event of the identity came; zero: never
}

// DigestVerdict is what becomes of an event at a digest step.
type DigestVerdict int

// The verdicts.
const (
	DigestOpens  DigestVerdict = iota // it opens a window
	DigestJoins                       // it joins the open window
	DigestPasses                      // it continues at once
)

// ThrottleState is what a run finds of its throttle's identity.
type ThrottleState struct {
	StartsAt time.Time
	EndsAt   time.Time // belongs to the next window; zero: there was none
	Used     int
}
