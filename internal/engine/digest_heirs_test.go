package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// TestDigestHeirs says what becomes of the events of a closed window when the event is cancelled that opened it (semantics.md §3.12).
func TestDigestHeirs(t *testing.T) {
	t.Parallel()
	within := func(t *testing.T, steps ...workflow.Step) (*bundle, published) {
		t.Helper()
		b := setup(t)
		b.virtual(year25)
		b.subscriber("u1")
		return b, b.workflow(workflow.Definition{Steps: steps})
	}
	hour := workflow.Step{StepID: "hour", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}}
	second := workflow.Step{StepID: "second", Type: workflow.StepDigest, Digest: &workflow.DigestControls{
		Type: workflow.DigestRegular, Amount: 30, Unit: workflow.UnitMinutes,
	}}
	named := func(stepID, body string) workflow.Step {
		return workflow.Step{StepID: stepID, Type: workflow.StepInApp, InApp: &workflow.InAppControls{Body: body}}
	}
	ifNot := func(step workflow.Step, field string) workflow.Step {
		step.Filters = []condition.StepFilter{{Type: "BOOLEAN", Value: "AND", Children: []condition.FieldFilterPart{
			{On: "step", Field: field, Operator: "EQUAL", Value: "false"},
		}}}
		return step
	}

	t.Run("ContinueWhereItWas", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, digestStep(tenMinutes()), named("first", digested), hour, named("last", digested))
		one, two, three := b.numbered(wf, 0, 1), b.numbered(wf, 1, 2), b.numbered(wf, 2, 3)
		b.until(20)
		require.Empty(t, b.cancel(three), "merged into a closed window")
		require.Len(t, b.cancel(one), 1)
		require.Equal(t, []workflow.RunStatus{workflow.RunCancelled, workflow.RunWaiting, workflow.RunMerged}, b.statuses(one, two, three))
		b.until(60)
		require.Len(t, b.inbox(), 1, "it waits as long as the cancelled one would have")
		require.Len(t, b.cancel(two), 1)
		b.until(100)
		require.Equal(t, []string{"10 3: 1 2 3 of 1", "70 1: 3 of 3"}, b.inbox())
		require.Equal(t, workflow.RunCompleted, b.statuses(three)[0])
		require.Len(t, b.messages(one), 1, "what was sent stays where it was")
	})

	t.Run("WithinAnOpenWindow", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, digestStep(tenMinutes()), second, inAppStep(digested))
		b.numbered(wf, 0, 1)
		b.until(11)
		two, three := b.numbered(wf, 12, 2), b.numbered(wf, 13, 3)
		b.until(30) // the two have joined the window of the first
		require.Equal(t, workflow.RunMerged, b.statuses(two)[0])
		require.Len(t, b.cancel(two), 1)
		b.until(100)
		require.Equal(t, []string{"40 2: 1 3 of 1"}, b.inbox())
		require.Equal(t, workflow.RunMerged, b.statuses(three)[0])
	})

	t.Run("ASecondWindowWithWindowsOfItsOwn", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, digestStep(tenMinutes()), second, hour, inAppStep(
			`{{steps.digest.total_count}}:{% for e in steps.digest.events %} {{e.n}}{% endfor %} / `+digested))
		one := b.numbered(wf, 0, 1)
		b.until(11)
		b.numbered(wf, 12, 2)
		b.numbered(wf, 13, 3)
		b.until(60)
		require.Len(t, b.cancel(one), 1)
		b.until(200)
		require.Equal(t, []string{"100 2: 2 3 / 2: 2 3 of 2"}, b.inbox())
	})

	t.Run("ShownWhileItIsOpen", func(t *testing.T) {
		t.Parallel()
		updating := second
		controls := *second.Digest
		controls.UpdateMode = true
		updating.Digest = &controls
		b, wf := within(t, digestStep(tenMinutes()), updating, inAppStep(digested))
		one := b.numbered(wf, 0, 1)
		b.numbered(wf, 1, 2)
		b.until(20)
		require.Len(t, b.cancel(one), 1)
		b.settle()
		require.Equal(t, []string{"20 1: 2 of 2"}, b.inbox())
	})

	t.Run("SeeWhatBecameOfItsMessages", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, digestStep(tenMinutes()), named("first", digested), hour, ifNot(named("read", "not read"), "first.read"), ifNot(named("seen", "not seen"), "first.seen"))
		one := b.numbered(wf, 0, 1)
		b.numbered(wf, 1, 2)
		b.until(20)
		require.Len(t, b.cancel(one), 1)
		b.db.Ent.Message.Update().Where(message.StepID("first")).SetSeen(true).ExecX(b.ctx)
		b.until(100)
		require.Equal(t, []string{"10 2: 1 2 of 1", "70 not read"}, b.inbox())
	})

	for _, versioning := range []workflow.VersionPolicy{workflow.VersionPinned, workflow.VersionLatest} {
		t.Run("RepeatTheSendThatItWaitedFor/"+string(versioning), func(t *testing.T) {
			t.Parallel()
			mail := emailStep()
			mail.ShouldStopOnFail = true
			b, _ := within(t)
			wf := b.workflow(workflow.Definition{Versioning: versioning, Steps: []workflow.Step{digestStep(tenMinutes()), mail, inAppStep(digested)}})
			b.vendor.answer = fails(&provider.Error{Class: provider.Transient, Status: 503}, 99)
			one := b.numbered(wf, 0, 1)
			two := b.numbered(wf, 1, 2)
			b.until(10)
			require.Equal(t, workflow.RunPending, b.statuses(one)[0])
			require.Len(t, b.cancel(one), 1)
			b.vendor.answer = nil
			b.settle()
			require.Equal(t, []string{"10 1: 2 of 2"}, b.inbox())
			require.Equal(t, workflow.RunCompleted, b.statuses(two)[0])
			require.Equal(t, workflow.MessageSent, b.messages(two)[0].Status)
		})
	}

	t.Run("SendWhatWasWithdrawn", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, digestStep(tenMinutes()), inAppStep(digested), emailStep())
		b.vendor.answer = fails(&provider.Error{Class: provider.Transient, Status: 503}, 99)
		one := b.numbered(wf, 0, 1)
		two := b.numbered(wf, 1, 2)
		b.until(10)
		require.Len(t, b.cancel(one), 1)
		b.vendor.answer = nil
		b.stand(year25.Add(11 * time.Minute))
		b.settle()
		require.Equal(t, workflow.RunCompleted, b.statuses(two)[0])
		require.Equal(t, []string{"10 2: 1 2 of 1"}, b.inbox(), "what was sent is not sent again")
		require.Len(t, b.messages(two), 1)
		require.Equal(t, workflow.MessageSent, b.messages(two)[0].Status)
	})
}
