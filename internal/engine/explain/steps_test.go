package explain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// only is a filter that lets events with a text pass.
func only(text string) []condition.StepFilter {
	return []condition.StepFilter{{Type: "TEXT", Value: "AND", Children: []condition.FieldFilterPart{
		{Field: "text", Value: text, Operator: "EQUAL", On: "payload"},
	}}}
}

func delay(stepID string, minutes int) workflow.Step {
	return workflow.Step{StepID: stepID, Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: minutes, Unit: workflow.UnitMinutes}}
}

func throttle() workflow.Step {
	return workflow.Step{StepID: "limit", Type: workflow.StepThrottle, Throttle: &workflow.ThrottleControls{Amount: 1, Unit: workflow.UnitHours}}
}

func digest() workflow.Step {
	return workflow.Step{StepID: "collect", Type: workflow.StepDigest, Digest: &workflow.DigestControls{Type: workflow.DigestRegular, Amount: 30, Unit: workflow.UnitMinutes}}
}

func custom() workflow.Step {
	return workflow.Step{StepID: "ask", Type: workflow.StepCustom, Custom: &workflow.CustomControls{URL: "https://app.example/hook"}}
}

func triggers(identifier string) workflow.Step {
	return workflow.Step{StepID: "start", Type: workflow.StepTrigger, Trigger: &workflow.TriggerControls{Workflow: identifier}}
}

func sms() workflow.Step {
	return workflow.Step{StepID: "text", Type: workflow.StepSMS, SMS: &workflow.TextControls{Body: "x"}}
}

// shown are the decisions that the API can name (graph/explain.graphqls, ExplainDecision).
var shown = []plan.DecisionKind{
	plan.DecideSend, plan.DecideTrigger, plan.DecideCall, plan.DecideSkip, plan.DecideWait, plan.DecidePass, plan.DecideStop, plan.DecideComplete,
}

// TestStepsOfEachType: every type of step is explained with its reason, at the instant at which it would be reached: a wait
// and a digest move the clock, all else does not.
func TestStepsOfEachType(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("other", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	ann := b.subscriber("ann")
	stop := mail()
	stop.ShouldStopOnFail = true
	for name, c := range map[string]struct {
		steps []workflow.Step
		want  []string
	}{
		"in-app and mail": {
			[]workflow.Step{bell("x"), mail()},
			[]string{"bell send sent 0s", "mail send queued 0s", "run complete completed 0s"},
		},
		"channels that nothing serves": {
			[]workflow.Step{
				sms(),
				{StepID: "chat", Type: workflow.StepChat, Chat: &workflow.TextControls{Body: "x"}},
				{StepID: "push", Type: workflow.StepPush, Push: &workflow.PushControls{Subject: "x", Body: "x"}},
			},
			[]string{"text skip no_address 0s", "chat skip no_address 0s", "push skip no_address 0s", "run complete completed 0s"},
		},
		"delays": {
			[]workflow.Step{delay("first", 10), delay("second", 5), bell("x")},
			[]string{"first wait waiting 0s", "first pass continued 10m0s", "second wait waiting 10m0s", "second pass continued 15m0s", "bell send sent 15m0s", "run complete completed 15m0s"},
		},
		"digest": {
			[]workflow.Step{digest(), bell("{{step.total_count}}")},
			[]string{"collect wait waiting 0s", "collect pass continued 30m0s", "bell send sent 30m0s", "run complete completed 30m0s"},
		},
		"throttle": {
			[]workflow.Step{throttle(), bell("x")},
			[]string{"limit pass throttle_passed 0s", "bell send sent 0s", "run complete completed 0s"},
		},
		"trigger": {
			[]workflow.Step{triggers("other"), bell("x")},
			[]string{"start trigger triggered 0s", "bell send sent 0s", "run complete completed 0s"},
		},
		"trigger of nothing": {
			[]workflow.Step{triggers("gone"), bell("x")},
			[]string{"start trigger not_triggered 0s", "start stop stop_on_fail 0s"}, // only failing channel steps let it continue (§11.11)
		},
		"custom": {
			[]workflow.Step{custom(), bell("x")},
			[]string{"ask call called 0s", "bell send sent 0s", "run complete completed 0s"},
		},
		"a send that the rest depends on": {
			[]workflow.Step{stop, bell("x")},
			[]string{"mail send queued 0s", "mail wait waiting 0s", "bell send sent 0s", "run complete completed 0s"},
		},
	} {
		identifier := b.publish(name, workflow.Definition{Steps: c.steps}).Identifier
		who := b.explain(b.item(identifier, to(ann.SubscriberID))).Recipients[0]
		require.Equal(t, c.want, told(who), name)
		require.Equal(t, strings.Contains(told(who)[len(who.Steps)-1], "complete"), who.Status == workflow.RunCompleted, name)
		for _, s := range who.Steps {
			require.Contains(t, shown, s.Decision, name)
		}
	}
}

// TestUntilOfWaits: a wait says when it ends, one for an outcome does not know.
func TestUntilOfWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stop := mail()
	stop.ShouldStopOnFail = true
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{delay("later", 10), stop, bell("x")}})
	steps := b.explain(b.item("wf", to(b.subscriber("ann").SubscriberID))).Recipients[0].Steps
	require.Equal(t, noon.Add(10*time.Minute), *steps[0].Until)
	outcome := steps[3]
	require.Equal(t, []any{plan.DecideWait, "mail", (*time.Time)(nil)}, []any{outcome.Decision, *outcome.StepID(), outcome.Until})
}

// TestReasonsOfSkippedAndStoppedRuns: what keeps a step or a run from happening, with all reasons in the order condition,
// preference, schedule, address, integration (semantics.md §11.18).
func TestReasonsOfSkippedAndStoppedRuns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	never := &calendar.Schedule{IsEnabled: true, WeeklySchedule: map[string]calendar.DaySchedule{"saturday": {IsEnabled: false}}}
	b.db.Ent.Subscriber.Create().SetSubscriberID("ann").SetEmail("no address").SaveX(b.ctx)
	ann := b.db.Ent.Subscriber.Query().OnlyX(b.ctx)
	filtered := sms()
	filtered.Filters = only("bye")
	explained := func(d workflow.Definition) *explain.ExplainedRecipient {
		return b.explain(b.item(b.publish(time.Now().String(), d).Identifier, to("ann"))).Recipients[0]
	}
	who := explained(workflow.Definition{Steps: []workflow.Step{mail()}})
	require.Equal(t, []string{"mail skip invalid_address 0s", "run complete completed 0s"}, told(who))

	ann.Update().SetSchedule(never).ExecX(b.ctx)
	b.db.Ent.Preference.Create().SetSubscriberID(ann.ID).SetChannels(workflow.ChannelPreferences{SMS: new(false)}).ExecX(b.ctx)
	who = explained(workflow.Definition{Steps: []workflow.Step{filtered}})
	require.Equal(t, []workflow.Reason{
		workflow.ReasonCondition, workflow.ReasonPreference, workflow.ReasonSchedule, workflow.ReasonNoAddress, workflow.ReasonNoIntegration,
	}, who.Steps[0].AllReasons())
	require.Contains(t, *who.Steps[0].Chain(), `"hello" EQUAL "bye"`)

	who = explained(workflow.Definition{Steps: []workflow.Step{bell("x")}, Conditions: only("bye")})
	require.Equal(t, []any{[]string{"run stop condition 0s"}, workflow.RunSkipped}, []any{told(who), who.Status})

	who = explained(workflow.Definition{Steps: []workflow.Step{bell("{{ 1 | nofilter }}")}})
	require.Equal(t, workflow.ReasonRenderFailed, who.Steps[0].Reason)

	past := delay("past", 0)
	past.Delay = &workflow.DelayControls{Type: workflow.DelayScheduled, DelayPath: "text"}
	who = explained(workflow.Definition{Steps: []workflow.Step{past, bell("x")}})
	require.Equal(t, []any{workflow.ReasonDelayFailed, workflow.RunFailed}, []any{who.Steps[0].Reason, who.Status})
}
