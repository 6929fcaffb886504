package engine_test

import (
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// explainer explains by the bundle's clock.
func (b *bundle) explainer() *explain.Explainer {
	b.tb.Helper()
	return explain.New(explain.Config{
		DB: b.db, Now: func() time.Time { return b.clock.Now("") }, Logger: slog.New(slog.DiscardHandler), Secrets: b.config.Secrets,
		Providers: b.config.Providers,
	})
}

func (b *bundle) item(identifier string, recipients *workflow.Recipients) accept.Acceptance {
	b.tb.Helper()
	raw, err := json.Marshal(recipients)
	require.NoError(b.tb, err)
	return accept.Acceptance{
		EnvironmentID: b.scope.EnvironmentID, Kind: event.KindTrigger, Workflow: identifier, TransactionID: "t", Generated: true,
		Payload: []byte(`{"text":"hello"}`), Recipients: raw, Reachable: true, Topics: len(recipients.Topics) > 0,
	}
}

func (b *bundle) explain(item accept.Acceptance, page ...explain.Page) *explain.Explanation {
	b.tb.Helper()
	page = append(page, explain.Page{Limit: 100})
	out, err := b.explainer().Explain(b.ctx, item, page[0])
	require.NoError(b.tb, err)
	return out
}

// rows counts everything that an event could write.
func (b *bundle) rows() (n int) {
	b.tb.Helper()
	err := b.db.Pool.QueryRow(b.ctx, `SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM notifications) + (SELECT count(*) FROM messages)
	+ (SELECT count(*) FROM subscribers) + (SELECT count(*) FROM tenants) + (SELECT count(*) FROM contexts)
	+ (SELECT count(*) FROM subscriber_channels) + (SELECT count(*) FROM transaction_claims)`).Scan(&n)
	require.NoError(b.tb, err)
	return n
}

func TestExplain(t *testing.T) {
	t.Parallel()

	t.Run("TellsEveryStepAndWritesNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		gold := emailStep()
		gold.StepID = "gold"
		gold.Filters = []condition.StepFilter{{Type: "TEXT", Value: "AND", Children: []condition.FieldFilterPart{
			{Field: "text", Value: "bye", Operator: "EQUAL", On: "payload"},
		}}}
		sms := workflow.Step{StepID: "text", Type: workflow.StepSMS, SMS: &workflow.TextControls{Body: "x"}}
		b.named("wf", workflow.Definition{Steps: []workflow.Step{
			inAppStep("{{payload.text}} {{subscriber.firstName}} {{tenant.name}} {{context.region.data.x}}"), gold, emailStep(), sms,
		}})
		item := b.item("wf", &workflow.Recipients{Direct: []workflow.SubscriberInput{
			{SubscriberID: "u1", Profile: workflow.ProfileInput{FirstName: workflow.Given("Ann"), Email: workflow.Given("ann@example.com")}},
		}, Invalid: []workflow.InvalidRecipient{{Path: "to.1", Reason: "no"}}})
		item.Tenant = &workflow.TenantInput{Identifier: "acme", Inline: true, Name: new("Acme")}
		item.Contexts = []workflow.ContextRef{{Type: "region", ID: "eu", Data: map[string]any{"x": "new"}}}
		before := b.rows()
		x := b.explain(item)
		require.Equal(t, before, b.rows())
		require.Equal(t, workflow.TriggerProcessed, x.Status)
		require.Len(t, x.Invalid, 1)
		who := x.Recipients[0]
		require.Equal(t, []any{"u1", true, true, workflow.RunCompleted}, []any{who.SubscriberID, who.Created, who.Reached, who.Status})
		var got []string
		for _, s := range who.Steps {
			id := ""
			if s.StepID() != nil {
				id = *s.StepID()
			}
			got = append(got, id+" "+string(s.Decision)+" "+string(s.Reason))
		}
		require.Equal(t, []string{"inbox send sent", "gold skip condition", "mail send queued", "text skip no_address", " complete completed"}, got)
		require.Equal(t, "hello Ann Acme new", who.Steps[0].Message.Content.Text)
		require.Contains(t, *who.Steps[1].Chain(), `payload.text = "hello" EQUAL "bye"`)
		require.Equal(t, []string{"ann@example.com"}, who.Steps[2].Message.To)
		require.Equal(t, b.email, who.Steps[2].Message.IntegrationID)
		require.Equal(t, []workflow.Reason{workflow.ReasonNoAddress, workflow.ReasonNoIntegration}, who.Steps[3].AllReasons())
	})

	t.Run("AnswersAsAcceptingDoes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Equal(t, []string{"workflow_not_found"}, b.explain(b.item("none", to("u1"))).Error)
		wf := b.named("off", workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		b.exec(`UPDATE workflows SET active = false WHERE id = $1`, wf.workflow)
		require.Equal(t, workflow.TriggerNotActive, b.explain(b.item("off", to("u1"))).Status)
	})

	t.Run("GoesOnPastACall", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.named("wf", workflow.Definition{Steps: []workflow.Step{customStep("http://127.0.0.1:1"), inAppStep("x")}})
		x := b.explain(b.item("wf", to("u1")))
		require.Len(t, x.Recipients[0].Steps, 3)
		require.Equal(t, plan.DecideCall, x.Recipients[0].Steps[0].Decision)
		require.Equal(t, workflow.RunCompleted, x.Recipients[0].Status)
	})

	t.Run("PagesTopics", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.named("wf", workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		for _, key := range []string{"a", "b"} {
			topic := b.db.Ent.Topic.Create().SetKey(key).SetName(key).SaveX(b.ctx)
			for _, who := range []string{"u1", "u2", "u3", "only-" + key} {
				s, err := b.db.Ent.Subscriber.Query().Where().All(b.ctx)
				require.NoError(t, err)
				id := ""
				for _, known := range s {
					if known.SubscriberID == who {
						id = known.ID
					}
				}
				if id == "" {
					id = b.subscriber(who).ID
				}
				b.db.Ent.Subscription.Create().SetTopicID(topic.ID).SetSubscriberID(id).SetIdentifier(key + "-" + who).SaveX(b.ctx)
			}
		}
		item := b.item("wf", &workflow.Recipients{
			Direct: []workflow.SubscriberInput{{SubscriberID: "u1"}, {SubscriberID: "direct"}},
			Topics: []workflow.TopicRecipient{{TopicKey: "a", Exclude: []string{"u2"}}, {TopicKey: "b"}},
		})
		seen := map[string]int{}
		for page := (explain.Page{Limit: 2}); ; {
			x := b.explain(item, page)
			for _, r := range x.Recipients {
				require.True(t, r.Reached)
				seen[r.SubscriberID]++
			}
			if x.Next == nil {
				break
			}
			page.After = *x.Next
		}
		require.Equal(t, map[string]int{"u1": 1, "direct": 1, "u3": 1, "only-a": 1, "only-b": 1}, seen)
	})

	t.Run("TellsWhoASubscriptionKeepsOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		wf := b.named("wf", workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		topic := b.db.Ent.Topic.Create().SetKey("a").SetName("a").SaveX(b.ctx)
		sub := b.db.Ent.Subscription.Create().SetTopicID(topic.ID).SetSubscriberID(b.subscriber("u1").ID).SetIdentifier("s").SaveX(b.ctx)
		b.db.Ent.SubscriptionPreference.Create().SetSubscriptionID(sub.ID).SetWorkflowID(wf.workflow).SetEnabled(true).SetPosition(0).
			SetCondition(map[string]any{"==": []any{map[string]any{"var": "payload.text"}, "bye"}}).SaveX(b.ctx)
		x := b.explain(b.item("wf", &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "a"}}}))
		require.False(t, x.Recipients[0].Reached)
		require.Equal(t, workflow.ReasonSubscription, *x.Recipients[0].Reason)
		require.NotNil(t, x.Recipients[0].Condition)
	})
}
