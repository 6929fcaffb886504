package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// named is workflow under an identifier that trigger steps can name.
func (b *bundle) named(identifier string, d workflow.Definition) published {
	b.tb.Helper()
	p := b.workflow(d)
	b.exec(`UPDATE workflows SET identifier = $1 WHERE id = $2`, identifier, p.workflow)
	return p
}

func triggerStep(stepID, target string, payload map[string]any) workflow.Step {
	return workflow.Step{StepID: stepID, Type: workflow.StepTrigger, Trigger: &workflow.TriggerControls{Workflow: target, Payload: payload}}
}

// all are the environment's events in order of acceptance.
func (b *bundle) all() []*ent.Event {
	b.tb.Helper()
	return b.db.Ent.Event.Query().Order(ent.Asc(event.FieldID)).AllX(b.ctx)
}

func TestTriggerStep(t *testing.T) {
	t.Parallel()

	t.Run("StartsAnotherWorkflow", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.named("second", workflow.Definition{
			Steps:         []workflow.Step{inAppStep("{{payload.text}} {{payload.lang}}")},
			PayloadSchema: map[string]any{"type": "object", "properties": map[string]any{"lang": map[string]any{"default": "en"}}},
		})
		first := b.named("first", workflow.Definition{Steps: []workflow.Step{
			triggerStep("go", "second", map[string]any{"text": "{{payload.text}} {{subscriber.subscriberId}}"}), inAppStep("{{steps.go.sent}}"),
		}})
		ev := b.triggered(first, to("u1", "u2"), func(c *ent.EventCreate) { c.SetContextKeys([]string{"region:eu"}).SetScope("region:eu") })
		b.fanOut(ev)
		require.Len(t, b.all(), 3)
		run := b.runs(ev)[0]
		require.Equal(t, []workflow.Reason{workflow.ReasonTriggered, workflow.ReasonSent, workflow.ReasonCompleted}, reasons(run))
		require.Equal(t, "true", b.messages(ev)[0].Content.Text)
		started := b.all()[1]
		require.Contains(t, started.TransactionID, "txn_")
		require.Equal(t, []string{"region:eu"}, started.ContextKeys)
		b.fanOut(b.all()[1].ID, b.all()[2].ID)
		require.Equal(t, "hello u1 en", b.messages(b.all()[1].ID)[0].Content.Text)
		require.Equal(t, "hello u2 en", b.messages(b.all()[2].ID)[0].Content.Text)
	})

	t.Run("FailsTheRunWhenItCannot", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		off := b.named("off", workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		b.exec(`UPDATE workflows SET active = false WHERE id = $1`, off.workflow)
		for target, want := range map[string]string{"nobody": "workflow_not_found", "off": "trigger_not_active"} {
			wf := b.workflow(workflow.Definition{Steps: []workflow.Step{triggerStep("go", target, nil), inAppStep("after")}})
			ev := b.triggered(wf, to("u1"))
			b.fanOut(ev)
			run := b.runs(ev)[0]
			require.Equal(t, workflow.RunFailed, run.Status)
			require.Equal(t, []workflow.Reason{workflow.ReasonNotTriggered, workflow.ReasonStopOnFail}, reasons(run))
			require.Contains(t, run.Trace[0].Detail, want)
			require.Empty(t, b.messages(ev))
		}
	})

	t.Run("EndsALoop", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		wf := b.named("loop", workflow.Definition{Steps: []workflow.Step{inAppStep("again"), triggerStep("go", "loop", nil)}})
		b.fanOut(b.triggered(wf, to("u1")))
		for done := 1; done < len(b.all()); done++ {
			b.fanOut(b.all()[done].ID)
		}
		list := b.all()
		require.Len(t, list, 6)
		require.Equal(t, workflow.RunFailed, b.runs(list[5].ID)[0].Status)
		require.Equal(t, workflow.RunCompleted, b.runs(list[4].ID)[0].Status)
	})

	t.Run("HappensAtTheRunsTime", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.named("second", workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{triggerStep("go", "second", nil)}})
		b.triggered(wf, to("u1"), happened(year25))
		b.stand(year25.AddDate(0, 0, 1))
		b.settle()
		require.Len(t, b.all(), 2)
		require.Equal(t, year25, b.all()[1].CreatedAt.UTC())
		require.Equal(t, year25, b.messages(b.all()[1].ID)[0].CreatedAt.UTC())
		require.Zero(t, b.wake(pgdue.DueEvents))
	})
}
