package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/workflow"
)

// addressed names a subscriber with an address; nil removes it.
func addressed(subscriberID string, email *string) *workflow.Recipients {
	r := to(subscriberID)
	r.Direct[0].Email = workflow.Optional[string]{Set: true, Null: email == nil}
	if email != nil {
		r.Direct[0].Email = workflow.Given(*email)
	}
	return r
}

// addressOf is the stored address of a subscriber.
func (b *bundle) addressOf(subscriberID string) *string {
	b.tb.Helper()
	return b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID(subscriberID)).OnlyX(b.ctx).Email
}

// TestProfilesInTheOrderOfTriggers: a later trigger's profile stays, whichever of the events is fanned out first, and whichever of them are
// planned before they are stored.
func TestProfilesInTheOrderOfTriggers(t *testing.T) {
	t.Parallel()
	for name, known := range map[string]bool{"New": false, "Known": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			if known {
				b.acquainted("ann")
			}
			a := b.accepting(true)
			digests := b.workflow(workflow.Definition{Steps: []workflow.Step{digestStep(tenMinutes()), inAppStep("x")}})
			plain := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{subscriber.email}}")}})
			first := b.offer(a, digests, addressed("ann", new("old@x.example")), "")
			require.Equal(t, "old@x.example", *b.addressOf("ann"), "it is stored with the event")
			second := b.offer(a, digests, addressed("ann", new("new@x.example")), "")
			b.fanOut(second)
			b.fanOut(first)
			require.Equal(t, "new@x.example", *b.addressOf("ann"))

			third := b.offer(a, digests, addressed("ann", nil), "")
			require.Nil(t, b.addressOf("ann"))
			planned := b.offer(a, plain, addressed("ann", new("last@x.example")), "")
			require.Nil(t, b.db.Ent.Event.GetX(b.ctx, planned).DueAt, "it was planned")
			b.fanOut(third)
			require.Equal(t, "last@x.example", *b.addressOf("ann"))
			require.Equal(t, "last@x.example", b.messages(planned)[0].Content.Text)
		})
	}
}

// TestProfilesWithinARequest: an event sees what earlier ones of its request set, whether these are planned or left to their fan-outs.
func TestProfilesWithinARequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.acquainted("bob")
	a := b.accepting(true)
	digests := b.workflow(workflow.Definition{Steps: []workflow.Step{digestStep(tenMinutes()), inAppStep("x")}})
	plain := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{subscriber.email}}")}})
	for name, events := range map[string][]accept.Acceptance{
		"Digest":  {b.acceptance(digests, addressed("ann", new("f@x.example")), ""), b.acceptance(plain, to("ann"), "")},
		"New":     {b.acceptance(plain, to("cat"), ""), b.acceptance(plain, addressed("cat", new("f@x.example")), ""), b.acceptance(plain, to("cat"), "")},
		"Known":   {b.acceptance(digests, addressed("bob", new("f@x.example")), ""), b.acceptance(plain, to("bob"), "")},
		"Planned": {b.acceptance(plain, addressed("dan", new("e@x.example")), ""), b.acceptance(digests, addressed("dan", new("f@x.example")), ""), b.acceptance(plain, to("dan"), "")},
	} {
		outcomes, err := a.Accept(b.ctx, accept.Request{Items: events})
		require.NoError(t, err)
		for i := range outcomes { // as late as can be
			b.fanOut(outcomes[len(outcomes)-1-i].EventID)
		}
		last := b.messages(outcomes[len(outcomes)-1].EventID)
		require.Len(t, last, 1, name)
		require.Equal(t, "f@x.example", last[0].Content.Text, name)
	}
}

// TestUsedTransactionSetsNoProfile: a repeated trigger has no effect, and so sets no profile.
func TestUsedTransactionSetsNoProfile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.accepting(true)
	digests := b.workflow(workflow.Definition{Steps: []workflow.Step{digestStep(tenMinutes()), inAppStep("x")}})
	require.NotEmpty(t, b.offer(a, digests, addressed("ann", new("first@x.example")), "t1"))
	require.Empty(t, b.offer(a, digests, addressed("ann", new("second@x.example")), "t1"))
	require.Equal(t, "first@x.example", *b.addressOf("ann"))
}
