package explain_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
)

// TestOutcomes: an event that would not be accepted is answered as a trigger is (semantics.md §1.8, §1.9), without recipients
// explained.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("on", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	off := b.publish("off", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	off.Update().SetActive(false).ExecX(b.ctx)
	b.publish("empty", workflow.Definition{})
	for identifier, want := range map[string]workflow.TriggerStatus{
		"none": workflow.TriggerError, "off": workflow.TriggerNotActive, "empty": workflow.TriggerNoSteps, "on": workflow.TriggerProcessed,
	} {
		x := b.explain(b.item(identifier, to("ann")))
		require.Equal(t, want, x.Status, identifier)
		require.Equal(t, want == workflow.TriggerProcessed, x.WorkflowID != nil && x.VersionID != nil && len(x.Recipients) == 1, identifier)
		require.Equal(t, noon, x.Now, identifier)
		require.Nil(t, x.Next, identifier)
		require.False(t, x.Repeated, identifier)
	}
	unreachable := b.item("on", &workflow.Recipients{Invalid: []workflow.InvalidRecipient{{Path: "to.0", Reason: "is empty"}}})
	unreachable.Reachable = false
	require.Equal(t, workflow.TriggerInvalidRecipients, b.explain(unreachable).Status)

	some := to("ann")
	some.Invalid = []workflow.InvalidRecipient{{Path: "to.1", Reason: "is empty"}}
	x := b.explain(b.item("on", some))
	require.Equal(t, []any{some.Invalid, []string{"ann"}}, []any{x.Invalid, names(x)}, "one bad recipient stops no other")
}

// TestRepeatedTransactions: a transactionId that was used within the retention would do nothing; afterwards it is new
// (semantics.md §1.1).
func TestRepeatedTransactions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	used := func(at time.Time) {
		b.db.Ent.TransactionClaim.Delete().ExecX(b.ctx)
		b.db.Ent.TransactionClaim.Create().SetTransactionID("t-1").SetCreatedAt(at).SetEventID("e").ExecX(b.ctx)
	}
	used(noon.AddDate(0, 0, -30).Add(time.Minute))
	x := b.explain(b.item("wf", to("ann")))
	require.True(t, x.Repeated)
	require.Equal(t, []any{workflow.TriggerProcessed, 0, "t-1"}, []any{x.Status, len(x.Recipients), *x.TransactionID})
	used(noon.AddDate(0, 0, -30).Add(-time.Minute))
	x = b.explain(b.item("wf", to("ann")))
	require.False(t, x.Repeated)
	require.Len(t, x.Recipients, 1)
}

// TestPayloadAgainstSchema: a payload that the schema refuses is refused as a trigger with it is (decisions.md §14).
func TestPayloadAgainstSchema(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("wf", workflow.Definition{
		Steps: []workflow.Step{bell("x")}, Validate: true,
		PayloadSchema: map[string]any{"type": "object", "properties": map[string]any{"text": map[string]any{"type": "number"}}},
	})
	_, err := b.explainer.Explain(b.ctx, b.item("wf", to("ann")), explain.Page{Limit: 1})
	require.ErrorContains(t, err, "text")
	require.Equal(t, fault.BadRequest, fault.KindOf(err), "400, as for the trigger")
}

// TestWhatTheEventWouldChange: named subscribers, their channels, tenant and contexts are explained as the event would leave
// them, and stay as they are.
func TestWhatTheEventWouldChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{
		bell("{{subscriber.firstName}} {{subscriber.lastName}} {{tenant.name}} {{tenant.data.plan}} {{context.team.data.n}} {{context.app.data.n}}"), mail(),
	}})
	b.subscriber("ann")
	b.db.Ent.Tenant.Create().SetIdentifier("acme").SetName("Old").SetData(map[string]any{"plan": "gold"}).ExecX(b.ctx)
	b.db.Ent.Context.Create().SetType("app").SetIdentifier("1").SetData(map[string]any{"n": "stored"}).ExecX(b.ctx)
	in := to("ann", "new")
	in.Direct[0].Profile = workflow.ProfileInput{LastName: workflow.Given("given")}
	item := b.item("wf", in)
	item.Tenant = &workflow.TenantInput{Identifier: "acme", Inline: true, Name: new("New")}
	item.Contexts = []workflow.ContextRef{{Type: "team", ID: "7", Data: map[string]any{"n": "created"}}, {Type: "app", ID: "1", Data: map[string]any{"n": "ignored"}}}
	x := b.explain(item)
	ann, created := x.Recipients[0], x.Recipients[1]
	require.Equal(t, []bool{false, true}, []bool{ann.Created, created.Created})
	// Fields that are absent stay (§1.4); a context is not changed by later triggers (§1.7).
	require.Equal(t, "stored given New gold created stored", ann.Steps[0].Message.Content.Text)
	require.Equal(t, []string{"ann@example.com"}, ann.Steps[1].Message.To)
	require.Equal(t, "own-nodemailer", ann.Steps[1].Message.IntegrationIdentifier)
	require.Equal(t, workflow.ReasonNoAddress, created.Steps[1].Reason, "a subscriber that is only an id has no address")

	require.Equal(t, "Old", *b.db.Ent.Tenant.Query().OnlyX(b.ctx).Name)
	stored := b.db.Ent.Subscriber.Query().OnlyX(b.ctx)
	require.Equal(t, []any{"ann", (*string)(nil)}, []any{stored.SubscriberID, stored.LastName})
	require.Equal(t, []int{1, 0, 0}, []int{b.db.Ent.Context.Query().CountX(b.ctx), b.db.Ent.Event.Query().CountX(b.ctx), b.db.Ent.TransactionClaim.Query().CountX(b.ctx)})
}

// Messages show numbers as the database keeps them, whatever way they came in.
func TestNumbersShowAsTheyAreStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{
		bell("{{payload.zero}} {{payload.wide}} {{subscriber.data.zero}} {{actor.data.zero}} {{tenant.data.zero}} {{context.team.data.zero}}"),
	}})
	negative := map[string]any{"zero": math.Copysign(0, -1)}
	in := to("ann")
	in.Direct[0].Data = workflow.Given(negative)
	item := b.item("wf", in)
	item.Payload = []byte(`{"zero": -0, "wide": 12345678901234567890e0}`)
	item.Actor = b.raw(workflow.SubscriberInput{SubscriberID: "actor", Data: workflow.Given(negative)})
	item.Tenant = &workflow.TenantInput{Identifier: "acme", Inline: true, Data: negative}
	item.Contexts = []workflow.ContextRef{{Type: "team", ID: "7", Data: negative}, {Type: "none", ID: "1"}}
	require.Equal(t, "0 12345678901234567890 0 0 0 0", b.explain(item).Recipients[0].Steps[0].Message.Content.Text)
	require.Equal(t, "-0", fmt.Sprint(item.Contexts[0].Data["zero"]), "what was given stays as it is")
}

// TestTriggerStepsOfANewTenant: the workflows that steps start know a tenant that the event itself would create.
func TestTriggerStepsOfANewTenant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("other", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{triggers("other")}})
	item := b.item("wf", to("ann"))
	item.Tenant = &workflow.TenantInput{Identifier: "new", Inline: true}
	require.Equal(t, []string{"start trigger triggered 0s", "run complete completed 0s"}, told(b.explain(item).Recipients[0]))
}

// TestTenancyOfExplanations: the workflow, topics and subscribers of another environment are not seen.
func TestTenancyOfExplanations(t *testing.T) {
	t.Parallel()
	b, item := setup(t), func(b *bundle) *explain.Explanation { return b.explain(b.item("wf", topics("a"))) }
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	b.topic("a", b.subscriber("ann"))
	require.Equal(t, []string{"ann"}, names(item(b)))
	other := *b
	other.scope.EnvironmentID = "another"
	require.Equal(t, []string{"workflow_not_found"}, item(&other).Error)
}
