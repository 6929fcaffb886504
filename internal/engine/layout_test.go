package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/workflow"
)

// TestLayoutOfEveryMail holds that layouts are read for e-mails, also of a version that is known already and beside events
// that have none.
func TestLayoutOfEveryMail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.db.Ent.Layout.Create().SetIdentifier("frame").SetName("frame").SetContent("<main>{{content}}</main>").SetIsDefault(true).ExecX(b.ctx)
	b.acquainted("u1")
	mail, inbox := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	a := b.accepting(true)
	for range 2 {
		b.fanOut(b.offer(a, inbox, to("u1"), ""))
		eventID := b.offer(a, mail, to("u1"), "")
		b.fanOut(eventID)
		require.Contains(t, b.messages(eventID)[0].Content.HTML, "<main>")
	}
	events := []string{b.offer(b.accepting(false), inbox, to("u1"), ""), b.offer(b.accepting(false), mail, to("u1"), "")}
	b.fanOut(events...)
	require.Contains(t, b.messages(events[1])[0].Content.HTML, "<main>")
}

// TestSnippetsOfMessages holds that snippets are read for texts and layouts that render them, also of a version that is known
// already and beside events that render none.
func TestSnippetsOfMessages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.db.Ent.Snippet.Create().SetIdentifier("who").SetName("who").SetContent("<i>{{ name }}</i>").ExecX(b.ctx)
	b.db.Ent.Layout.Create().SetIdentifier("frame").SetName("frame").SetContent(`{{content}}{% render "who", name: "A&B" %}`).SetIsDefault(true).ExecX(b.ctx)
	b.acquainted("u1")
	mail, inbox := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep(`{% render "who", name: subscriber.subscriberId %}`)}})
	plain := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	a := b.accepting(true)
	for range 2 {
		b.fanOut(b.offer(a, plain, to("u1"), ""))
		for _, w := range []struct {
			workflow published
			want     string
		}{{mail, "<i>A&amp;B</i>"}, {inbox, "<i>u1</i>"}} {
			eventID := b.offer(a, w.workflow, to("u1"), "")
			b.fanOut(eventID)
			got := b.messages(eventID)[0].Content
			require.Contains(t, got.HTML+got.Text, w.want)
		}
	}
}

// TestTextsOfWhatIsNotSet: what a tenant or a context does not have counts as nothing in templates, also before the event has created it.
func TestTextsOfWhatIsNotSet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tenant := b.db.Ent.Tenant.Create().SetIdentifier("acme").SaveX(b.ctx)
	b.db.Ent.Context.Create().SetType("team").SetIdentifier("7").ExecX(b.ctx)
	wf := b.named("wf", workflow.Definition{Steps: []workflow.Step{
		inAppStep("{% if tenant.name or tenant.data or context.team.data %}something{% else %}{{tenant.identifier}} {{context.team.id}}{% endif %}"),
	}})
	item := b.item("wf", to("u1"))
	item.Tenant, item.Contexts = &workflow.TenantInput{Identifier: "acme", Inline: true}, []workflow.ContextRef{{Type: "team", ID: "7"}}
	require.Equal(t, "acme 7", b.explain(item).Recipients[0].Steps[0].Message.Content.Text)
	ev := b.triggered(wf, to("u1"), func(e *ent.EventCreate) {
		e.SetTenantID(tenant.ID).SetContextKeys([]string{"team:7"}).SetScope("team:7")
	})
	b.fanOut(ev)
	require.Equal(t, "acme 7", b.messages(ev)[0].Content.Text)
	item.Tenant.Identifier, item.Contexts[0].ID = "new", "8"
	require.Equal(t, "new 8", b.explain(item).Recipients[0].Steps[0].Message.Content.Text)
}
