package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/workflow"
)

// TestChangedConfigurationIsSeenAtOnce: two processes keep the configuration of one environment; what changes of it is in the
// very next message of both, whichever way that is planned.
func TestChangedConfigurationIsSeenAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	other := *b
	other.config.Queue = queue.New()
	other.engine = other.newEngine(other.config)
	b.acquainted("u1")
	processes := []*bundle{b, &other}
	acceptors := []*accept.Acceptor{b.accepting(true), other.accepting(true)}
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{ env.name }} {% render 'part' %} {{ 'hello' | t }}")}})
	shown := func(what, want string) {
		t.Helper()
		for i, p := range processes {
			ev := p.offer(acceptors[i], wf, to("u1"), "")
			require.Nil(t, b.db.Ent.Event.GetX(b.ctx, ev).DueAt, "%s: it was planned", what)
			require.Equal(t, want, b.messages(ev)[0].Content.Text, "%s: process %d, planned", what, i)
			ev = b.triggered(wf, to("u1"))
			p.fanOut(ev)
			require.Equal(t, want, b.messages(ev)[0].Content.Text, "%s: process %d, fanned out", what, i)
		}
	}
	write := b.db.Ent
	variable := write.Variable.Create().SetName("name").SetValue("v1").SaveX(b.ctx)
	snippet := write.Snippet.Create().SetIdentifier("part").SetName("part").SetContent("s1").SaveX(b.ctx)
	texts := write.Translation.Create().SetLocale("en").SetContent(map[string]string{"hello": "t1"}).SaveX(b.ctx)
	for _, a := range acceptors {
		b.offer(a, wf, to("u1"), "") // the workflow is known from here on
	}
	shown("at first", "v1 s1 t1")
	shown("unchanged", "v1 s1 t1")
	variable.Update().SetValue("v2").ExecX(b.ctx)
	shown("variable", "v2 s1 t1")
	snippet.Update().SetContent("s2").ExecX(b.ctx)
	shown("snippet", "v2 s2 t1")
	texts.Update().SetContent(map[string]string{"hello": "t2"}).ExecX(b.ctx)
	shown("translation", "v2 s2 t2")
	write.Environment.UpdateOneID(b.scope.EnvironmentID).SetDefaultLocale("de").ExecX(b.ctx)
	write.Translation.Create().SetLocale("de").SetContent(map[string]string{"hello": "t3"}).ExecX(b.ctx)
	shown("locale", "v2 s2 t3")
	write.Variable.DeleteOne(variable).ExecX(b.ctx)
	shown("deleted", " s2 t3")
	b.exec(`UPDATE snippets SET content = 's4'`)
	shown("beside the use cases", " s4 t3")
}
