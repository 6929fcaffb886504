package plan

import (
	"slices"
	"time"

	"github.com/carillon/carillon/internal/workflow"
)

// Waited is the wait of a delay or digest step that has just ended.
type Waited struct {
	StepID   string            `json:"stepId"`
	Type     workflow.StepType `json:"type,omitempty"`
	Extended int               `json:"extended,omitempty"` // how often it was extended because the subscriber's hours were closed
}

// maxExtensions bounds how often a wait is extended for the subscriber's hours (semantics.md §4.5): each ends at an opening,
// so that only a schedule that changes meanwhile can make it more than one.
const maxExtensions = 10

// Collected is what a digest step saw: the payloads that were kept, oldest first, and the count of all events
// (semantics.md §3.14).
type Collected struct {
	Events []any
	Total  int
}

// View is what was collected as templates and conditions see it.
func (c *Collected) View() map[string]any {
	return map[string]any{"events": c.Events, "total_count": float64(c.Total)}
}

// resume checks the wait that has just ended: it lasts while the subscriber's hours are closed, when the step says so.
func (r *Run) resume() (Decision, bool) {
	w := r.in.Waited
	if w == nil || r.resumed {
		return Decision{}, false
	}
	r.resumed = true
	d := Decision{Step: r.in.Definition.Step(w.StepID), Position: r.position, Kind: DecidePass, Reason: workflow.ReasonContinued}
	step := d.Step
	if step != nil && w.Type != "" && w.Type != step.Type {
		step = nil
	}
	if step == nil {
		d.Step, d.Detail = &workflow.Step{StepID: w.StepID, Type: w.Type}, "the workflow has the step no more"
	}
	if step != nil && w.Extended < maxExtensions {
		if until, extends := r.Extension(step, r.in.Now); extends {
			r.ended = true
			d.Kind, d.Reason, d.Status, d.Until = DecideWait, workflow.ReasonHeld, workflow.RunWaiting, &until
		}
	}
	return d, true
}

// Extension is until when a wait of the step goes on that would end at an instant outside the subscriber's hours; false when it
// ends then, or the hours never open. A digest asks it also for events that come before its run has looked.
func (r *Run) Extension(step *workflow.Step, at time.Time) (until time.Time, extends bool) {
	if !step.Extends() || r.openAt(at) {
		return until, false
	}
	return r.opening(at)
}

// delay decides about a delay step: until when, or why not. A delay that fails ends the run, and one that is to be skipped
// when its instant has passed skips all later steps with it (semantics.md §11.11).
func (r *Run) delay(s *workflow.Step) Decision {
	in := r.in
	d := s.Delay.EndsAt(in.Now, in.Data.Payload, workflow.LocationOrUTC(in.Profile.Timezone), in.Overrides.Delay(), in.MaxDelay)
	switch {
	case d.Fault != "":
		return Decision{Kind: DecideStop, Reason: workflow.ReasonDelayFailed, Status: workflow.RunFailed, Detail: d.Fault}
	case d.Past == "fail":
		return Decision{Kind: DecideStop, Reason: workflow.ReasonDelayPast, Status: workflow.RunFailed, Detail: "the instant has passed", Until: &d.Until}
	case d.Past == "skip":
		return Decision{Kind: DecideStop, Reason: workflow.ReasonDelayPast, Status: workflow.RunSkipped, Detail: "the instant has passed", Until: &d.Until}
	case d.Past != "":
		return Decision{Kind: DecidePass, Reason: workflow.ReasonDelayPast, Detail: "the instant has passed", Until: &d.Until}
	}
	return Decision{Kind: DecideWait, Reason: workflow.ReasonWaiting, Status: workflow.RunWaiting, Until: &d.Until}
}

// holds reports whether the run waits for the subscriber's hours instead of skipping the step: the workflow says so, and
// nothing else prevents the step (semantics.md §7.2). The whole run is held, not the single message.
func (r *Run) holds(reasons []workflow.Reason) (until time.Time, holds bool) {
	if !r.in.Definition.HoldSchedule || len(reasons) != 1 || reasons[0] != workflow.ReasonSchedule {
		return until, false
	}
	return r.opening(r.in.Now)
}

// openAt reports whether the subscriber's hours let the workflow act at an instant; they never concern a critical one
// (semantics.md §7.2).
func (r *Run) openAt(at time.Time) bool {
	return r.in.Definition.Critical || r.in.Profile.Schedule.OpenAt(at, workflow.LocationOrUTC(r.in.Profile.Timezone))
}

func (r *Run) opening(after time.Time) (time.Time, bool) {
	return r.in.Profile.Schedule.NextOpen(after, workflow.LocationOrUTC(r.in.Profile.Timezone))
}

// Early are the decisions on the steps that an open window's first event is shown by at once: the in-app steps that
// follow the digest before any step that is not a channel's (semantics.md §3.18). Other channels wait for the close.
func (r *Run) Early() (list []Decision) {
	steps := r.in.Definition.Steps
	for i := r.position; i < len(steps) && channelStep(&steps[i]); i++ {
		if steps[i].Type != workflow.StepInApp || r.Done(&steps[i]) {
			continue
		}
		if d := r.step(&steps[i]); d.Kind == DecideSend {
			d.Step, d.Position = &steps[i], i+1
			list = append(list, d)
		}
	}
	return list
}

// Shown are the decisions on steps that were sent while the window was open, to render them anew.
func (r *Run) Shown(early []string) (list []Decision) {
	steps := r.in.Definition.Steps
	for i := range steps {
		s := &steps[i]
		if s.Type != workflow.StepInApp || !slices.Contains(early, s.StepID) {
			continue
		}
		data := r.in.Data
		if len(s.Variants) > 0 {
			data.Step = r.views()
		}
		list = append(list, Decision{Kind: DecideSend, Step: s, Channel: workflow.ChannelInApp, Variant: firstPassing(s.Variants, data), Position: i + 1})
	}
	return list
}
