package plan_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

// when is a condition on one member of something.
func when(on, field, value string) []condition.StepFilter {
	return []condition.StepFilter{{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{{On: on, Field: field, Operator: "EQUAL", Value: value}}}}
}

// office is open on weekdays from nine to five.
func office(days ...string) *calendar.Schedule {
	s := &calendar.Schedule{IsEnabled: true, WeeklySchedule: map[string]calendar.DaySchedule{}}
	for _, day := range days {
		s.WeeklySchedule[day] = calendar.DaySchedule{IsEnabled: true, Hours: []calendar.TimeRange{{Start: "09:00 AM", End: "05:00 PM"}}}
	}
	return s
}

// closed never opens.
func closed() *calendar.Schedule {
	return &calendar.Schedule{IsEnabled: true, WeeklySchedule: map[string]calendar.DaySchedule{"monday": {}}}
}

func delayed(c workflow.DelayControls) workflow.Step {
	return workflow.Step{StepID: "w", Type: workflow.StepDelay, Delay: &c}
}

// TestPlanDelays: until when a run waits, in the subscriber's zone, and what becomes of it when the instant has passed.
func TestPlanDelays(t *testing.T) {
	t.Parallel()
	scheduled := func(past string) workflow.DelayControls {
		return workflow.DelayControls{Type: workflow.DelayScheduled, DelayPath: "at", Past: past}
	}
	for name, c := range map[string]struct {
		now, zone string
		delay     workflow.DelayControls
		at        any
		kind      plan.DecisionKind
		reason    workflow.Reason
		status    workflow.RunStatus
		until     string
	}{
		"Hours":           {"2026-03-28T12:00Z", "Europe/Berlin", workflow.DelayControls{Type: workflow.DelayRegular, Amount: 24, Unit: workflow.UnitHours}, nil, plan.DecideWait, workflow.ReasonWaiting, workflow.RunWaiting, "2026-03-29T12:00:00Z"},
		"DayOverSpring":   {"2026-03-28T12:00Z", "Europe/Berlin", workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitDays}, nil, plan.DecideWait, workflow.ReasonWaiting, workflow.RunWaiting, "2026-03-29T11:00:00Z"},
		"DayOverAutumn":   {"2026-10-24T12:00Z", "Europe/Berlin", workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitDays}, nil, plan.DecideWait, workflow.ReasonWaiting, workflow.RunWaiting, "2026-10-25T13:00:00Z"},
		"DayIntoTheGap":   {"2026-03-28T01:30Z", "Europe/Berlin", workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitDays}, nil, plan.DecideWait, workflow.ReasonWaiting, workflow.RunWaiting, "2026-03-29T01:00:00Z"},
		"UnknownZone":     {"2026-03-28T12:00Z", "Mars/Base", workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitDays}, nil, plan.DecideWait, workflow.ReasonWaiting, workflow.RunWaiting, "2026-03-29T12:00:00Z"},
		"EndOfMonth":      {"2026-01-31T12:00Z", "", workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitMonths}, nil, plan.DecideWait, workflow.ReasonWaiting, workflow.RunWaiting, "2026-02-28T12:00:00Z"},
		"Scheduled":       {"2026-03-28T12:00Z", "Europe/Berlin", scheduled(""), "2026-07-01T09:00", plan.DecideWait, workflow.ReasonWaiting, workflow.RunWaiting, "2026-07-01T07:00:00Z"},
		"ScheduledOffset": {"2026-03-28T12:00Z", "Europe/Berlin", scheduled(""), "2026-07-01T09:00-04:00", plan.DecideWait, workflow.ReasonWaiting, workflow.RunWaiting, "2026-07-01T13:00:00Z"},
		"PastContinues":   {"2026-03-28T12:00Z", "", scheduled(""), "2026-01-01", plan.DecidePass, workflow.ReasonDelayPast, "", "2026-01-01T00:00:00Z"},
		"PastFails":       {"2026-03-28T12:00Z", "", scheduled("fail"), "2026-01-01", plan.DecideStop, workflow.ReasonDelayPast, workflow.RunFailed, "2026-01-01T00:00:00Z"},
		"PastSkips":       {"2026-03-28T12:00Z", "", scheduled("skip"), "2026-01-01", plan.DecideStop, workflow.ReasonDelayPast, workflow.RunSkipped, "2026-01-01T00:00:00Z"},
		"Missing":         {"2026-03-28T12:00Z", "", scheduled("skip"), nil, plan.DecideStop, workflow.ReasonDelayFailed, workflow.RunFailed, ""},
		"NoInstant":       {"2026-03-28T12:00Z", "", scheduled(""), "next week", plan.DecideStop, workflow.ReasonDelayFailed, workflow.RunFailed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := planInput(delayed(c.delay), step("m", workflow.StepInApp))
			in.Now = workflowtest.Instant(t, c.now, time.UTC)
			in.Profile.Timezone = c.zone
			in.Data.Payload = map[string]any{"at": c.at}
			decisions := decide(in)
			d := decisions[0]
			require.Equal(t, []any{c.kind, c.reason, c.status}, []any{d.Kind, d.Reason, d.Status})
			until := ""
			if d.Until != nil {
				until = d.Until.UTC().Format(time.RFC3339)
			}
			require.Equal(t, c.until, until)
			if c.kind == plan.DecidePass {
				require.Equal(t, plan.DecideSend, decisions[1].Kind, "the run continues")
			} else {
				require.Len(t, decisions, 1)
			}
			require.Equal(t, c.reason == workflow.ReasonDelayFailed || c.reason == workflow.ReasonDelayPast, d.Detail != "", "a person is told why")
		})
	}
}

// A wait that has ended continues with the next step, or again until the hours open, when the step says so.
func TestPlanResumes(t *testing.T) {
	t.Parallel()
	saturday := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
	input := func(extend bool, waited plan.Waited) *plan.PlanInput {
		in := planInput(delayed(workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours, ExtendToSchedule: extend}), step("m", workflow.StepInApp))
		in.Now, in.Position, in.Begun, in.Waited = saturday, 1, true, &waited
		in.Profile.Schedule = office("monday")
		return in
	}
	waited := plan.Waited{StepID: "w", Type: workflow.StepDelay}

	t.Run("Continues", func(t *testing.T) {
		t.Parallel()
		decisions := decide(input(false, waited))
		require.Equal(t, []any{plan.DecidePass, workflow.ReasonContinued, "w"}, []any{decisions[0].Kind, decisions[0].Reason, decisions[0].Step.StepID})
		require.Equal(t, plan.DecideSend, decisions[1].Kind)
	})
	t.Run("Extends", func(t *testing.T) {
		t.Parallel()
		decisions := decide(input(true, waited))
		require.Len(t, decisions, 1)
		require.Equal(t, []any{plan.DecideWait, workflow.ReasonHeld, workflow.RunWaiting, 1}, []any{decisions[0].Kind, decisions[0].Reason, decisions[0].Status, decisions[0].Position})
		require.Equal(t, time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC), decisions[0].Until.UTC())
	})
	t.Run("AskedAboutAnotherInstant", func(t *testing.T) {
		t.Parallel()
		in := input(true, waited)
		monday := time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC)
		until, extends := plan.NewRun(in).Extension(&in.Definition.Steps[0], monday.Add(-time.Second))
		require.Equal(t, []any{monday, true}, []any{until.UTC(), extends})
		_, extends = plan.NewRun(in).Extension(&in.Definition.Steps[0], monday)
		require.False(t, extends)
		_, extends = plan.NewRun(in).Extension(&in.Definition.Steps[1], in.Now)
		require.False(t, extends, "the step does not say so")
	})
	t.Run("Critical", func(t *testing.T) {
		t.Parallel()
		in := input(true, waited)
		in.Definition.Critical = true
		require.Equal(t, plan.DecidePass, decide(in)[0].Kind)
	})
	t.Run("OpenNow", func(t *testing.T) {
		t.Parallel()
		in := input(true, waited)
		in.Now = time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC)
		require.Equal(t, plan.DecidePass, decide(in)[0].Kind)
	})
	t.Run("NoHours", func(t *testing.T) {
		t.Parallel()
		in := input(true, waited)
		in.Profile.Schedule = nil
		require.Equal(t, plan.DecidePass, decide(in)[0].Kind)
	})
	t.Run("NeverOpens", func(t *testing.T) {
		t.Parallel()
		in := input(true, waited)
		in.Profile.Schedule = closed()
		require.Equal(t, plan.DecidePass, decide(in)[0].Kind, "a wait without an end would keep the run for ever")
	})
	t.Run("ExtendedOftenEnough", func(t *testing.T) {
		t.Parallel()
		often := waited
		often.Extended = 9
		require.Equal(t, plan.DecideWait, decide(input(true, often))[0].Kind)
		often.Extended = 10
		require.Equal(t, plan.DecidePass, decide(input(true, often))[0].Kind)
	})
	t.Run("StepGone", func(t *testing.T) {
		t.Parallel()
		d := decide(input(true, plan.Waited{StepID: "gone", Type: workflow.StepDigest}))[0]
		require.Equal(t, []any{plan.DecidePass, "gone", workflow.StepDigest}, []any{d.Kind, d.Step.StepID, d.Step.Type})
		require.NotEmpty(t, d.Detail)
	})
	t.Run("StepOfAnotherType", func(t *testing.T) {
		t.Parallel()
		d := decide(input(true, plan.Waited{StepID: "w", Type: workflow.StepDigest}))[0]
		require.Equal(t, plan.DecidePass, d.Kind, "the delay of that name is not what was waited for")
		require.NotEmpty(t, d.Detail)
	})
}

// TestPlanHours: outside the hours a channel is skipped, or the run held, unless something else prevents the step anyway.
func TestPlanHours(t *testing.T) {
	t.Parallel()
	sunday := time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)
	opens := time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		change func(in *plan.PlanInput)
		kind   plan.DecisionKind
		reason workflow.Reason
		until  *time.Time
	}{
		"Skips":          {func(*plan.PlanInput) {}, plan.DecideSkip, workflow.ReasonSchedule, nil},
		"Holds":          {func(in *plan.PlanInput) { in.Definition.HoldSchedule = true }, plan.DecideWait, workflow.ReasonHeld, &opens},
		"Critical":       {func(in *plan.PlanInput) { in.Definition.Critical = true }, plan.DecideSend, workflow.ReasonQueued, nil},
		"SwitchedOff":    {func(in *plan.PlanInput) { in.Profile.Schedule.IsEnabled = false }, plan.DecideSend, workflow.ReasonQueued, nil},
		"OpenNow":        {func(in *plan.PlanInput) { in.Now = opens }, plan.DecideSend, workflow.ReasonQueued, nil},
		"ClosedAtTheEnd": {func(in *plan.PlanInput) { in.Now = opens.Add(8 * time.Hour) }, plan.DecideSkip, workflow.ReasonSchedule, nil},
		"ByTheirClock": {func(in *plan.PlanInput) {
			in.Now, in.Profile.Timezone = opens.Add(-9*time.Hour), "Asia/Tokyo"
		}, plan.DecideSend, workflow.ReasonQueued, nil},
		"HoldsNotWithoutAddress": {func(in *plan.PlanInput) { in.Definition.HoldSchedule, in.Profile.Email = true, "" }, plan.DecideSkip, workflow.ReasonSchedule, nil},
		"HoldsNotAgainstAFilter": {func(in *plan.PlanInput) {
			in.Definition.HoldSchedule, in.Definition.Steps[0].Filters = true, when("payload", "vip", "true")
		}, plan.DecideSkip, workflow.ReasonCondition, nil},
		"NeverOpens": {func(in *plan.PlanInput) { in.Definition.HoldSchedule, in.Profile.Schedule = true, closed() }, plan.DecideSkip, workflow.ReasonSchedule, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := planInput(step("m", workflow.StepEmail))
			in.Now, in.Profile.Schedule = sunday, office("monday")
			c.change(in)
			d := decide(in)[0]
			require.Equal(t, []any{c.kind, c.reason}, []any{d.Kind, d.Reason})
			if c.until == nil {
				return
			}
			require.Equal(t, *c.until, d.Until.UTC())
			require.Equal(t, 0, d.Position, "what holds is the step itself, so it is judged anew")
		})
	}

	t.Run("InAppPasses", func(t *testing.T) {
		t.Parallel()
		in := planInput(step("a", workflow.StepInApp), step("m", workflow.StepEmail))
		in.Now, in.Profile.Schedule, in.Definition.HoldSchedule = sunday, office("monday"), true
		decisions := decide(in)
		require.Equal(t, plan.DecideSend, decisions[0].Kind)
		require.Equal(t, []any{plan.DecideWait, 1}, []any{decisions[1].Kind, decisions[1].Position})
	})
}

// TestPlanEarly: an open window's first event is shown by the in-app steps behind the digest, and by no other channel.
func TestPlanEarly(t *testing.T) {
	t.Parallel()
	early := func(text string, change func(in *plan.PlanInput)) (names []string) {
		in := planInput(stepsOf(text)...)
		in.Position = 1
		if change != nil {
			change(in)
		}
		for _, d := range plan.NewRun(in).Early() {
			require.Equal(t, d.Step, &in.Definition.Steps[d.Position-1])
			names = append(names, d.Step.StepID)
		}
		return names
	}
	require.Equal(t, []string{"a", "b"}, early("d:digest a m:email b", nil))
	require.Equal(t, []string{"a"}, early("d:digest a w:delay b", nil), "not past a step that is no channel's")
	require.Empty(t, early("d:digest t:throttle a", nil))
	require.Empty(t, early("d:digest m:email", nil))
	require.Equal(t, []string{"b"}, early("d:digest a b", func(in *plan.PlanInput) { in.Early = []string{"a"} }), "what was shown is not shown again")
	require.Equal(t, []string{"b"}, early("d:digest a b", func(in *plan.PlanInput) { in.Definition.Steps[1].Filters = when("payload", "vip", "true") }))

	t.Run("ShownAnew", func(t *testing.T) {
		t.Parallel()
		in := planInput(stepsOf("d:digest a m:email b")...)
		in.Definition.Steps[1].Variants = []workflow.Variant{{Name: "many", ID: "v", Filters: when("step", "d.total_count", "3")}}
		in.Results = map[string]plan.StepResult{"d": {Digest: &plan.Collected{Total: 3}}}
		list := plan.NewRun(in).Shown([]string{"a", "m"})
		require.Len(t, list, 1, "mail that was sent cannot be changed")
		require.Equal(t, []any{"a", "v", 2}, []any{list[0].Step.StepID, list[0].Variant.ID, list[0].Position})
		in.Results["d"] = plan.StepResult{Digest: &plan.Collected{Total: 2}}
		require.Nil(t, plan.NewRun(in).Shown([]string{"a"})[0].Variant)
	})

	t.Run("NotRunAgainAtTheClose", func(t *testing.T) {
		t.Parallel()
		in := planInput(stepsOf("d:digest a m:email")...)
		in.Position, in.Begun, in.Early = 1, true, []string{"a"}
		require.Equal(t, "m", decide(in)[0].Step.StepID)
	})
}
