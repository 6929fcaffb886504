package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/workflow"
)

// TestSuppressedAddresses: a mail to a suppressed address is not sent, and what follows goes as after any send that failed.
func TestSuppressedAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscriber("ann")
	b.subscriber("bob")
	b.db.Ent.Suppression.Create().SetChannel(workflow.ChannelEmail).SetAddress("ann@example.com").SetReason(workflow.SuppressionBounce).SaveX(b.ctx)
	stopping := mail()
	stopping.ShouldStopOnFail = true
	b.publish("stopping", workflow.Definition{Steps: []workflow.Step{stopping, bell("x")}})
	b.publish("continuing", workflow.Definition{Steps: []workflow.Step{mail(), bell("x")}})
	for name, x := range map[string]*explain.Explanation{
		"named":     b.explain(b.item("stopping", to("ann", "bob"))),
		"broadcast": b.explain(b.broadcast("stopping")),
	} {
		require.Equal(t, []string{"mail skip suppressed 0s", "mail wait waiting 0s", "mail stop stop_on_fail 0s"}, told(x.Recipients[0]), name)
		require.Equal(t, workflow.RunFailed, x.Recipients[0].Status, name)
		require.Equal(t, "the address is suppressed (bounce)", x.Recipients[0].Steps[0].Detail, name)
		require.Nil(t, x.Recipients[0].Steps[0].Message, name)
		require.Equal(t, []string{"mail send queued 0s", "mail wait waiting 0s", "bell send sent 0s", "run complete completed 0s"}, told(x.Recipients[1]), name)
	}
	x := b.explain(b.item("continuing", to("ann")))
	require.Equal(t, []string{"mail skip suppressed 0s", "bell send sent 0s", "run complete completed 0s"}, told(x.Recipients[0]))

	both := b.item("continuing", to("bob"))
	both.Overrides = []byte(`{"email": {"to": ["Ann@example.com", "carl@example.com"]}}`)
	x = b.explain(both)
	require.NotContains(t, x.Recipients[0].Steps[0].Message.To, "Ann@example.com", "the others get it")
	require.Contains(t, x.Recipients[0].Steps[0].Message.To, "carl@example.com")
}

// TestPastDeadline: nothing is sent to a provider after the deadline that the event names, be it passed now or by a wait.
func TestPastDeadline(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscriber("ann")
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{mail(), delay("pause", 30), {StepID: "late", Type: workflow.StepEmail, Email: mail().Email}}})
	for deadline, want := range map[string][]string{
		"2025-03-01T13:00:00Z": {"mail send queued 0s", "late send queued 30m0s"},
		"2025-03-01T12:10:00Z": {"mail send queued 0s", "late skip attempts_exhausted 30m0s"},
		"2025-03-01T11:59:00Z": {"mail skip attempts_exhausted 0s", "late skip attempts_exhausted 30m0s"},
	} {
		item := b.item("wf", to("ann"))
		item.Overrides = []byte(`{"deadline": "` + deadline + `"}`)
		var sends []string
		for _, line := range told(b.explain(item).Recipients[0]) {
			if line[:4] == "mail" || line[:4] == "late" {
				sends = append(sends, line)
			}
		}
		require.Equal(t, want, sends, deadline)
	}
}
