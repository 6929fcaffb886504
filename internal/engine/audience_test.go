package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// TestAudience: an event reaches whom its audiences choose, each once, together with its topics and those it names, page by page, at
// a pace or without one, whatever process makes the page.
func TestAudience(t *testing.T) {
	t.Parallel()
	gold := workflow.AudienceRecipient{Identifier: "gold", Rule: map[string]any{"==": []any{map[string]any{"var": "subscriber.data.plan"}, "gold"}}}
	fans := workflow.AudienceRecipient{Identifier: "fans", TopicKey: "fans"}
	goldFans := workflow.AudienceRecipient{Identifier: "gold-fans", TopicKey: "fans", Rule: gold.Rule}
	b := paged(t, 3)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	for i := range 12 {
		plan := "free"
		if i%3 == 0 {
			plan = "gold"
		}
		b.db.Ent.Subscriber.Create().SetSubscriberID(fmt.Sprintf("s%02d", i)).SetData(map[string]any{"plan": plan}).SaveX(b.ctx)
	}
	b.topic("fans", "s00", "s01", "s02", "s03", "s11")
	b.topic("news", "s03", "s04")
	n := news{bundle: b, published: wf}
	for name, c := range map[string]struct {
		to   workflow.Recipients
		want []string
	}{
		"a rule":                {workflow.Recipients{Audiences: []workflow.AudienceRecipient{gold}}, []string{"s00", "s03", "s06", "s09"}},
		"a topic":               {workflow.Recipients{Audiences: []workflow.AudienceRecipient{fans}}, []string{"s00", "s01", "s02", "s03", "s11"}},
		"a rule within a topic": {workflow.Recipients{Audiences: []workflow.AudienceRecipient{goldFans}}, []string{"s00", "s03"}},
		"two that overlap":      {workflow.Recipients{Audiences: []workflow.AudienceRecipient{fans, gold}}, []string{"s00", "s01", "s02", "s03", "s06", "s09", "s11"}},
		"behind topics":         {workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "news", Exclude: []string{"s09"}}}, Audiences: []workflow.AudienceRecipient{gold}}, []string{"s00", "s03", "s04", "s06"}},
		"with those it names":   {workflow.Recipients{Direct: []workflow.SubscriberInput{{SubscriberID: "s00"}, {SubscriberID: "s01"}}, Audiences: []workflow.AudienceRecipient{gold}}, []string{"s00", "s01", "s03", "s06", "s09"}},
		"no one chosen":         {workflow.Recipients{Audiences: []workflow.AudienceRecipient{{Identifier: "none", TopicKey: "unknown"}}}, nil},
	} {
		for _, perSecond := range []int{0, 2} {
			ev := b.triggered(wf, &c.to)
			late := b.db.Ent.Subscriber.Create().SetSubscriberID("late").SetData(map[string]any{"plan": "gold"}).SaveX(b.ctx)
			if perSecond > 0 {
				b.db.Ent.Event.UpdateOneID(ev).SetPerSecond(perSecond).ExecX(b.ctx)
			}
			n.fanOut(ev)
			pages := 1
			for ; b.db.Ent.Event.GetX(b.ctx, ev).Status == event.StatusAccepted; pages++ {
				require.Less(t, pages, 30)
				before := b.db.Ent.Event.GetX(b.ctx, ev).Notified
				b.come(ev)
				b.engine = b.newEngine(b.config)
				b.wake(pgdue.DueEvents)
				require.LessOrEqual(t, b.db.Ent.Event.GetX(b.ctx, ev).Notified-before, perSecond, name)
			}
			require.Equal(t, c.want, n.reached(ev), name)
			require.Equal(t, len(c.want), b.db.Ent.Event.GetX(b.ctx, ev).Notified, name)
			b.db.Ent.Subscriber.DeleteOne(late).ExecX(b.ctx)
		}
	}
}
