package explain_test

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
)

// crowd are n subscribers, in the order of their ids.
func (b *bundle) crowd(n int) (list []*ent.Subscriber) {
	b.t.Helper()
	for i := range n {
		list = append(list, b.subscriber(fmt.Sprintf("u%02d", i)))
	}
	return list
}

func idsOf(list []*ent.Subscriber) (ids []string) {
	for _, s := range list {
		ids = append(ids, s.SubscriberID)
	}
	return ids
}

// TestPagesOfABroadcast: every subscriber is on one page, in order, and no page holds more than asked for. A deleted
// subscriber is on none.
func TestPagesOfABroadcast(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	require.Equal(t, [][]string{{}}, b.pages(b.broadcast("wf"), 2), "there is no subscriber yet")
	all := b.crowd(5)
	item := b.broadcast("wf")
	item.Actor = b.raw(workflow.SubscriberInput{SubscriberID: "u00"})
	require.Equal(t, [][]string{{"u00", "u01"}, {"u02", "u03"}, {"u04"}}, b.pages(item, 2), "a broadcast reaches its actor, too")
	b.db.Ent.Subscriber.UpdateOne(all[1]).SetDeleted(true).ExecX(b.ctx)
	require.Equal(t, [][]string{{"u00", "u02"}, {"u03", "u04"}, {}}, b.pages(item, 2), "a full page does not know whether it is the last")
}

// TestPagesOfTopics: named recipients are all on the first page, and each page holds at most as many as asked for beside
// them. Whoever is reached directly or by an earlier topic is not told again (semantics.md §1.4).
func TestPagesOfTopics(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	all := b.crowd(16)
	b.topic("a", all[:14]...)
	b.topic("b", append(all[:2:2], all[14:]...)...)
	b.topic("none")

	in := topics("a", "none", "b")
	in.Direct = []workflow.SubscriberInput{{SubscriberID: "u03"}, {SubscriberID: "u15"}, {SubscriberID: "new"}}
	in.Topics[0].Exclude = []string{"u04"}
	in.Topics = append(in.Topics, workflow.TopicRecipient{TopicKey: "unknown"})
	pages := b.pages(b.item("wf", in), 2)
	require.Equal(t, []string{"u03", "u15", "new"}, pages[0])
	var streamed []string
	for _, page := range pages[1:] {
		require.LessOrEqual(t, len(page), 2)
		streamed = append(streamed, page...)
	}
	require.Equal(t, append(append(idsOf(all[:3]), idsOf(all[5:14])...), "u14"), streamed)
	require.Equal(t, [][]string{append([]string{"u03", "u15", "new"}, streamed...)}, b.pages(b.item("wf", in), 100))
}

// TestPagesOfSubscribersWithManySubscriptions: a page takes all subscriptions of a subscriber along, so that no subscriber is shown
// twice, and none is lost when they fill the page.
func TestPagesOfSubscribersWithManySubscriptions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wf := b.publish("wf", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	all := b.crowd(4)
	topic := b.topic("a")
	for _, s := range all {
		for n := range 10 { // as many as there may be (decisions.md §16)
			sub := b.subscribe(topic, s, fmt.Sprint(s.SubscriberID, "-", n))
			if n%2 == 1 {
				b.unless(sub, wf, "hello")
			}
		}
	}
	item := b.item("wf", topics("a"))
	for _, limit := range []int{1, 2, 3, 4, 5} {
		var flat []string
		for _, page := range b.pages(item, limit) {
			require.LessOrEqual(t, len(page), limit)
			flat = append(flat, page...)
		}
		require.Equal(t, idsOf(all), flat, limit)
		// Any that passes is enough, and all that do are named (semantics.md §6.7).
		out, err := b.explainer.Explain(b.ctx, item, explain.Page{Limit: limit})
		require.NoError(t, err)
		for _, r := range out.Recipients {
			who := r.SubscriberID
			require.Equal(t, []string{who + "-0", who + "-2", who + "-4", who + "-6", who + "-8"}, r.Topics, limit)
		}
	}
}

// TestSubscribersWhomSubscriptionsKeepOut: who is kept out by every topic of the event is told once, with the condition;
// who is let in by a later topic is reached; the deleted are not told.
func TestSubscribersWhomSubscriptionsKeepOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wf := b.publish("wf", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	ann, bob, cat, deleted := b.subscriber("ann"), b.subscriber("bob"), b.subscriber("cat"), b.subscriber("deleted")
	first, second := b.topic("first"), b.topic("second")
	for _, s := range []*ent.Subscriber{ann, bob, cat, deleted} {
		b.unless(b.subscribe(first, s, "1-"+s.SubscriberID), wf, "hello")
	}
	b.subscribe(second, ann, "2-ann")
	b.unless(b.subscribe(second, bob, "2-bob"), wf, "hello")
	refused := b.subscribe(second, cat, "2-cat")
	b.db.Ent.SubscriptionPreference.Create().SetSubscriptionID(refused.ID).SetWorkflowID(wf.ID).SetEnabled(false).SetPosition(0).SaveX(b.ctx)
	b.db.Ent.Subscriber.UpdateOne(deleted).SetDeleted(true).ExecX(b.ctx)
	never := b.subscribe(second, b.subscriber("dan"), "2-dan")
	b.db.Ent.SubscriptionPreference.Create().SetSubscriptionID(never.ID).SetWorkflowID(wf.ID).SetEnabled(true).SetPosition(0).
		SetCondition(map[string]any{}).SaveX(b.ctx)

	item := b.item("wf", topics("first", "second"))
	x := b.explain(item)
	require.Equal(t, []string{"ann", "[bob]", "[cat]", "[dan]"}, names(x))
	require.Equal(t, []string{"2-ann"}, x.Recipients[0].Topics)
	kept := x.Recipients[1]
	require.Equal(t, []any{workflow.ReasonSubscription, workflow.RunSkipped, 0}, []any{*kept.Reason, kept.Status, len(kept.Steps)})
	require.Contains(t, kept.Condition.String(), "hello", "the value that decided is told")
	require.False(t, kept.Condition.Result)
	require.Nil(t, x.Recipients[2].Condition, "it is switched off without one")
	require.False(t, x.Recipients[3].Condition.Result, "an empty condition is one, and no boolean")
	for _, page := range b.pages(item, 1) {
		require.LessOrEqual(t, len(page), 1)
	}
	item.Payload = []byte(`{"text":"other"}`)
	require.Equal(t, []string{"ann", "bob", "cat", "[dan]"}, names(b.explain(item)))
}

// TestActorOfTopics: the actor is left out of topics, and not when named directly (semantics.md §1.5).
func TestActorOfTopics(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{bell("{{actor.firstName}}")}})
	b.topic("a", b.subscriber("ann"), b.subscriber("bob"))
	item := b.item("wf", topics("a"))
	item.Actor = b.raw(workflow.SubscriberInput{SubscriberID: "bob", Profile: workflow.ProfileInput{FirstName: workflow.Given("given")}})
	x := b.explain(item)
	require.Equal(t, []string{"ann"}, names(x))
	require.Equal(t, "given", x.Recipients[0].Steps[0].Message.Content.Text, "inline data wins over stored")

	both := topics("a")
	both.Direct = to("bob").Direct
	item.Recipients = b.raw(both)
	require.Equal(t, []string{"bob", "ann"}, names(b.explain(item)))
}

// TestCursorsOfAnotherEvent: a cursor that does not fit the event is refused, whoever made it.
func TestCursorsOfAnotherEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{bell("x")}})
	b.topic("a", b.crowd(2)...)
	for _, text := range []string{
		`{"started": true, "topic": 1}`, `{"started": true, "topic": -1}`, `{"started": true, "after": "\u0000"}`, `{"started": true, "after": "ann"}`,
		`{"topic": 0}`, `[]`,
	} {
		for name, recipients := range map[string]*workflow.Recipients{"topic": topics("a"), "direct": to("u00")} {
			_, err := b.explainer.Explain(b.ctx, b.item("wf", recipients), explain.Page{Limit: 1, After: base64.RawURLEncoding.EncodeToString([]byte(text))})
			require.Equal(t, fault.Invalid, fault.KindOf(err), "%s %s: %v", name, text, err)
			require.ErrorContains(t, err, "after")
		}
	}
	out, err := b.explainer.Explain(b.ctx, b.item("wf", topics("a")), explain.Page{Limit: 1})
	require.NoError(t, err)
	_, err = b.explainer.Explain(b.ctx, b.item("wf", topics()), explain.Page{Limit: 1, After: *out.Next})
	require.Equal(t, fault.Invalid, fault.KindOf(err), "it lost its topic")
}

// TestActorAmongTheRecipients: what the event says of its actor counts for the actor's own notification, too.
func TestActorAmongTheRecipients(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.db.Ent.Integration.Create().SetIdentifier("own-push").SetName("push").SetProviderID("push-webhook").SetChannel(workflow.ChannelPush).SaveX(b.ctx)
	push := workflow.Step{StepID: "push", Type: workflow.StepPush, Push: &workflow.PushControls{Subject: "x", Body: "{{subscriber.firstName}}"}}
	b.publish("wf", workflow.Definition{Steps: []workflow.Step{push, mail()}})
	b.subscriber("ann")
	actor := workflow.SubscriberInput{SubscriberID: "ann", Channels: []workflow.ChannelInput{
		{ProviderID: "push-webhook", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"token"}}},
	}}
	actor.FirstName, actor.Email = workflow.Given("given"), workflow.Given("given@example.com")
	for name, item := range map[string]accept.Acceptance{"Named": b.item("wf", to("ann")), "Broadcast": b.broadcast("wf")} {
		item.Actor = b.raw(actor)
		steps := b.explain(item).Recipients[0].Steps
		require.NotNil(t, steps[0].Message, "%s: %s", name, steps[0].Reason)
		require.Equal(t, []string{"token"}, steps[0].Message.To, name)
		require.Equal(t, "given", steps[0].Message.Content.Text, name)
		require.Equal(t, []string{"given@example.com"}, steps[1].Message.To, name)
	}
}
