package run

import (
	"maps"
	"slices"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// TakeOver lets the oldest run that was merged into a closed window continue instead of the run that continued from it and is about to be
// cancelled (semantics.md §3.12): from its position and with its wait, also within a further window. What was sent stays with the cancelled
// run, which the other one names, so that conditions find the outcomes.
//
// A run that had reached all its steps and had only withdrawn messages left has no position to continue from. The other run takes the steps
// behind the window again, except those of which something was sent. Behind several windows it is not clear which events the messages were
// about, and no run continues.
func TakeOver(p *pgrun.Place) *pgrun.Continuation {
	former, next := &run{row: p.Run}, &run{row: p.Next}
	former.restoreState()
	next.restoreState()
	c := &pgrun.Continuation{Next: p.Next}
	c.Next.Trace = []workflow.TraceEntry{{At: p.At, Reason: workflow.ReasonContinued, Detail: "takes the place of a cancelled event"}}
	if p.Run.Status == workflow.RunPending && p.Run.DueAt == nil && former.awaiting == "" {
		if !p.Single {
			return nil
		}
		c.Next.Status, c.Next.DueAt, c.Next.FinishedAt = workflow.RunWaiting, &p.At, nil
		c.Next.State = state.AsJSON(next.behindWindow(p))
		return c
	}
	c.Next.Status, c.Next.Position, c.Next.VersionID = p.Run.Status, p.Run.Position, p.Run.VersionID
	c.Next.DueAt, c.Next.FinishedAt, c.Next.DigestID = p.Run.DueAt, p.Run.FinishedAt, p.Run.DigestID
	if p.Run.Status != workflow.RunMerged {
		c.Next.FinishedAt = nil
		if c.Next.DueAt == nil {
			c.Next.DueAt = &p.At
		}
	}
	again := former.awaiting != "" && former.awaiting == p.Step && !underWay(p.Messages, former.awaiting)
	if again {
		c.Next.Position--
	}
	c.Next.State = state.AsJSON(next.placeOf(former, again))
	if p.Run.Status == workflow.RunWaiting && former.digest != nil && !former.digest.Closed {
		c.Shown = former.digest.Early
	}
	return c
}

// underWay reports whether a message of a step may still be sent.
func underWay(messages []pgrun.PlaceMessage, stepID string) bool {
	return slices.ContainsFunc(messages, func(m pgrun.PlaceMessage) bool { return m.Open && m.StepID == stepID })
}

// behindWindow is the state of a merged run that takes the steps behind its window, without those of which something was sent.
func (r *run) behindWindow(p *pgrun.Place) runState {
	saved := r.state(r.results)
	window := digestState{}
	if r.digest != nil {
		window = *r.digest
	}
	window.Closed, window.Early = true, nil
	for _, m := range p.Messages {
		if !m.CreatedAt.Before(p.Since) && !m.Failed {
			window.Early = state.AddNew(window.Early, m.StepID)
		}
	}
	saved.Waited, saved.Digest = r.waited, &window
	return saved
}

// placeOf is the state of a merged run that continues from where former is. again says that former's last step is taken again.
func (r *run) placeOf(former *run, again bool) runState {
	awaited := former.awaiting
	results, steps := map[string]plan.StepResult{}, []string(nil)
	for _, stepID := range slices.Sorted(maps.Keys(former.results)) {
		if _, own := r.results[stepID]; own || stepID == awaited {
			continue
		}
		result := former.results[stepID]
		if result.Pending {
			result = plan.StepResult{Failed: true} // it was withdrawn
		}
		results[stepID], steps = result, append(steps, stepID)
	}
	maps.Copy(results, r.results)
	earlier := slices.Clone(r.earlier)
	for _, d := range former.earlier {
		if !slices.ContainsFunc(r.earlier, func(own digestState) bool { return own.StepID == d.StepID }) {
			earlier = append(earlier, d)
		}
	}
	passed := former.passed
	if again {
		passed = slices.DeleteFunc(slices.Clone(passed), func(s workflow.StepRef) bool { return s.StepID == awaited })
	}
	return runState{
		Results: results, HTTPStep: former.httpStep, Waited: former.waited, Digest: former.digest, Earlier: earlier, Reached: passed,
		Former: append(slices.Clone(former.former), formerRun{RunID: former.row.ID, Steps: steps}),
	}
}
