package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

func TestFanOutDirect(t *testing.T) {
	t.Parallel()

	t.Run("StoresAnInAppMessage", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}} {{subscriber.subscriberId}}")}})
		ev := b.triggered(wf, to("u1"))
		b.fanOut(ev)
		runs, messages := b.runs(ev), b.messages(ev)
		require.Len(t, runs, 1)
		require.Equal(t, workflow.RunCompleted, runs[0].Status)
		require.Equal(t, []workflow.Reason{workflow.ReasonSent, workflow.ReasonCompleted}, reasons(runs[0]))
		require.Len(t, messages, 1)
		require.Equal(t, "hello u1", messages[0].Content.Text)
		require.Equal(t, workflow.MessageSent, messages[0].Status)
		require.Equal(t, int64(1), messages[0].Sequence)
		state := b.db.Ent.InboxState.Query().OnlyX(b.ctx)
		require.Equal(t, 1, state.Unread)
		b.fanOut(ev)
		require.Len(t, b.messages(ev), 1)
	})
}
