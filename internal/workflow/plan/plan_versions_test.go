package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// stepsOf reads steps such as "a wait:delay b": in-app unless a type is given.
func stepsOf(text string) (steps []workflow.Step) {
	for word := range strings.FieldsSeq(text) {
		name, kind, given := strings.Cut(word, ":")
		if !given {
			kind = string(workflow.StepInApp)
		}
		steps = append(steps, workflow.Step{StepID: name, Type: workflow.StepType(kind), Active: true})
	}
	return steps
}

func refsOf(text string) []workflow.StepRef {
	return (&workflow.Definition{Steps: stepsOf(text)}).Refs(100)
}

// TestResume finds the place of a run in another version (semantics.md §11.30).
func TestResume(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reached  string
		at       string // that it rests at and has not passed
		to       string
		position int
		over     string
	}{
		"Same":               {"a w:delay", "", "a w:delay b", 2, ""},
		"InsertedBefore":     {"a w:delay", "", "x a y w:delay b", 4, "x y"},
		"InsertedBehind":     {"a w:delay", "", "a w:delay x b", 2, ""},
		"MovedToTheFront":    {"a w:delay", "", "w:delay a b", 1, ""},
		"WaitGone":           {"a w:delay", "", "x a b", 2, "x"},
		"WaitAndStepGone":    {"a b w:delay", "", "a c", 1, ""},
		"TypeChanged":        {"a w:delay", "", "a w b", 1, ""},
		"LastReachedByTime":  {"b a w:delay", "", "a x b y", 1, ""},
		"AllGone":            {"a w:delay", "", "x y", 0, ""},
		"NothingLeft":        {"a w:delay", "", "", 0, ""},
		"NothingBehind":      {"a w:delay", "", "a w:delay", 2, ""},
		"HeldAtAStep":        {"a", "m:email", "a x m:email b", 2, "x"},
		"HeldStepMovedBack":  {"a b", "m:email", "m:email a b c", 0, ""},
		"HeldStepGone":       {"a", "m:email", "x a b", 2, "x"},
		"HeldStepOfNewType":  {"a", "m:email", "a m:sms b", 1, ""},
		"HeldAtTheFirstStep": {"", "m:email", "x m:email", 1, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var at *workflow.StepRef
			if c.at != "" {
				at = &refsOf(c.at)[0]
			}
			position, over := (&workflow.Definition{Steps: stepsOf(c.to)}).Resume(refsOf(c.reached), at)
			require.Equal(t, c.position, position)
			var names []string
			for _, s := range over {
				names = append(names, s.StepID)
			}
			require.Equal(t, strings.Fields(c.over), append([]string{}, names...))
		})
	}
}

// TestPlanRunsNoStepTwice: what was reached is not run again, wherever it stands now.
func TestPlanRunsNoStepTwice(t *testing.T) {
	t.Parallel()
	in := planInput(stepsOf("b a w:delay c")...)
	in.Definition.Versioning = workflow.VersionLatest
	in.Position, in.Reached = 0, refsOf("a w:delay")
	run := plan.NewRun(in)
	var names []string
	for {
		d, ok := run.Next()
		if !ok {
			break
		}
		if d.Step != nil {
			names = append(names, d.Step.StepID)
		}
	}
	require.Equal(t, []string{"b", "c"}, names)
	require.Equal(t, refsOf("a w:delay b c"), run.Reached())
	require.Len(t, in.Reached, 2, "planning changes nothing in its input")
}

// TestPlanWaitsForAnOutcomeThatOnlyTheNewVersionLooksAt: the mail was still being sent when the run went on.
func TestPlanWaitsForAnOutcomeThatOnlyTheNewVersionLooksAt(t *testing.T) {
	t.Parallel()
	steps := stepsOf("m:email w:delay c")
	steps[2].Filters = []condition.StepFilter{{Type: "BOOLEAN", Value: "AND", Children: []condition.FieldFilterPart{{On: "step", Field: "m.failed", Operator: "EQUAL", Value: "true"}}}}
	in := planInput(steps...)
	in.Definition.Versioning = workflow.VersionLatest
	in.Position, in.Reached = 2, refsOf("m:email w:delay")
	in.Results = map[string]plan.StepResult{"m": {Pending: true}}
	d, _ := plan.NewRun(in).Next()
	require.Equal(t, plan.DecideWait, d.Kind)
	require.Equal(t, "m", d.Step.StepID)
	in.Results = map[string]plan.StepResult{"m": {Failed: true}}
	d, _ = plan.NewRun(in).Next()
	require.Equal(t, plan.DecideSend, d.Kind)
}
