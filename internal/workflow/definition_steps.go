package workflow

import "slices"

// Refs name the steps before position i.
func (d *Definition) Refs(i int) []StepRef {
	steps := d.Steps[:min(max(i, 0), len(d.Steps))]
	refs := make([]StepRef, len(steps))
	for k := range steps {
		refs[k] = steps[k].Ref()
	}
	return refs
}

// Resume is where a run continues that has reached the given steps, in that order: at the step that it rests at, which it has
// not passed yet, else behind the last of those reached that there still is, else at the beginning. over are the steps
// before that place which it has not reached and does not come to any more.
func (d *Definition) Resume(reached []StepRef, at *StepRef) (position int, over []*Step) {
	found := false
	if at != nil {
		if i := d.Place(*at); i >= 0 {
			position, found = i, true
		}
	}
	for k := len(reached) - 1; k >= 0 && !found; k-- {
		if i := d.Place(reached[k]); i >= 0 {
			position, found = i+1, true
		}
	}
	for i := range d.Steps[:position] {
		if !slices.Contains(reached, d.Steps[i].Ref()) {
			over = append(over, &d.Steps[i])
		}
	}
	return position, over
}

// Place is the index of a step; -1 when the definition has it no more.
func (d *Definition) Place(ref StepRef) int {
	return slices.IndexFunc(d.Steps, func(s Step) bool { return s.Ref() == ref })
}

// Ref names the step.
func (s *Step) Ref() StepRef { return StepRef{s.StepID, s.Type} }

// Step is the step with an id; nil: there is none.
func (d *Definition) Step(stepID string) *Step {
	i := slices.IndexFunc(d.Steps, func(s Step) bool { return s.StepID == stepID })
	if i < 0 {
		return nil
	}
	return &d.Steps[i]
}

// StepRef names a step as runs remember it: by the author's name and the type, since a step whose type changed counts as
// another one.
type StepRef struct {
	StepID string   `json:"id"`
	Type   StepType `json:"type"`
}
