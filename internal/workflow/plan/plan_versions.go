package plan

import (
	"slices"

	"github.com/carillon/carillon/internal/workflow"
)

// A run of a workflow whose version policy is latest continues with the newest version when its wait is over, by the steps
// that it has reached and not by their numbers (semantics.md §11.30).

// tracks reports whether the run has to remember its steps one by one: it may continue with another version, or has done so.
func (r *Run) tracks() bool {
	return r.in.Definition.Versioning == workflow.VersionLatest || r.in.Reached != nil
}

// Reached are the steps that the run has come to and passed, in that order; nil where the position alone says it.
func (r *Run) Reached() []workflow.StepRef {
	if r.reached == nil {
		return r.in.Reached
	}
	return r.reached
}

func (r *Run) reach(s *workflow.Step) {
	if !r.tracks() {
		return
	}
	if r.reached == nil {
		r.reached = slices.Clone(r.in.Reached)
	}
	r.reached = append(r.reached, s.Ref())
}

// Done reports whether the run has been at the step before, wherever that is now: then it is not run again.
func (r *Run) Done(s *workflow.Step) bool {
	return s.Type == workflow.StepInApp && slices.Contains(r.in.Early, s.StepID) || r.tracks() && slices.Contains(r.Reached(), s.Ref())
}

// last is the step that the run has passed last; nil without one, or when it is gone.
func (r *Run) last() *workflow.Step {
	steps := r.in.Definition.Steps
	if !r.tracks() {
		if r.position == 0 || r.position > len(steps) {
			return nil
		}
		return &steps[r.position-1]
	}
	reached := r.Reached()
	if len(reached) == 0 {
		return nil
	}
	if i := r.in.Definition.Place(reached[len(reached)-1]); i >= 0 {
		return &steps[i]
	}
	return nil
}

// unsettled is an earlier step whose send is under way and whose outcome a condition of s looks at. Only another version
// can bring s behind it without the run having waited there.
func (r *Run) unsettled(s *workflow.Step) *workflow.Step {
	if !r.tracks() {
		return nil
	}
	for stepID, result := range r.Results() {
		earlier := r.in.Definition.Step(stepID)
		if result.Pending && earlier != nil && earlier != s && s.LooksAt(stepID) {
			return earlier
		}
	}
	return nil
}
