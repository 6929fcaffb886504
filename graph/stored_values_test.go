package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestStoredValueOutsideItsEnumeration: a stored value that the enumeration does not hold, such as one of a newer version, takes
// nothing away from what was asked for beside it.
func TestStoredValueOutsideItsEnumeration(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := viewer.InScope(t.Context(), b.scope(t))
	ann := b.db.Ent.Subscriber.Create().SetSubscriberID("ann").SaveX(ctx)
	event := b.db.Ent.Event.Create().SetTransactionID("txn").SetWorkflowID("w").SetWorkflowVersionID("v").SetKind("trigger").
		SetPayload(map[string]any{}).SaveX(ctx)
	run := b.db.Ent.Notification.Create().SetEventID(event.ID).SetTransactionID("txn").SetWorkflowID("w").SetWorkflowVersionID("v").
		SetSubscriberID(ann.ID).SetTrace([]workflow.TraceEntry{}).SaveX(ctx)
	message := b.db.Ent.Message.Create().SetNotificationID(run.ID).SetEventID(event.ID).SetTransactionID("txn").
		SetWorkflowID("w").SetWorkflowIdentifier("order").SetStepID("s").SetSubscriberID(ann.ID).SetTarget("one").
		SetChannel(workflow.ChannelInApp).SetStatus(workflow.MessageSent).SetContent(&workflow.MessageContent{Text: "Hi"}).
		SetCta(&workflow.CTA{Type: "newer", Action: &workflow.CTAAction{
			Status: workflow.ActionPending, Buttons: []workflow.CTAButton{{Type: "tertiary", Content: "Later"}, {Type: "primary", Content: "OK"}},
		}}).SaveX(ctx)
	b.db.Ent.Attempt.Create().SetMessageID(message.ID).SetNumber(1).SetIntegrationID("i").SetProviderID("p").SetClass("newer").SetErrorText("refused").SaveX(ctx)
	b.db.Ent.Promotion.Create().SetSourceID("s").SetSourceIdentifier("development").SetActorType("user").SetActorID("u").SetActorName("Ann").
		SetResources([]workflow.PromotedResource{{Kind: "NEWER", Name: "one", Action: "NEWER"}, {Kind: "WORKFLOW", Name: "two", Action: "CREATE"}}).
		SetBefore(map[string]any{}).SetPublished(map[string]any{}).SetFingerprintAfter("f").SaveX(ctx)

	r := b.must(t, `{
		messages { nodes { cta { type action { buttons { type content } } } attempts { nodes { class errorText } } } }
		promotions { nodes { resources { kind name action } } }
	}`, nil)
	shown := at(t, r, "messages", "nodes").([]any)[0]
	buttons := at(t, shown, "cta", "action", "buttons").([]any)
	require.Len(t, buttons, 2)
	require.Equal(t, "Later", at(t, buttons[0], "content"))
	require.Equal(t, map[string]any{"type": "PRIMARY", "content": "OK"}, buttons[1])
	require.Equal(t, "refused", at(t, at(t, shown, "attempts", "nodes").([]any)[0], "errorText"))
	resources := at(t, r, "promotions", "nodes").([]any)[0].(map[string]any)["resources"].([]any)
	require.Len(t, resources, 2)
	require.Equal(t, "one", at(t, resources[0], "name"))
	require.Equal(t, map[string]any{"kind": "WORKFLOW", "name": "two", "action": "CREATE"}, resources[1])
}
