package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestFeedThroughBothDoors shows messages of a feed, of none, and one of an earlier release, which names its feed by the
// identifier: a documented _feedId is an internal id or null, and GraphQL's is the same.
func TestFeedThroughBothDoors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	ctx := viewer.InScope(t.Context(), b.scope)
	require.NoError(t, b.db.Ent.Feed.Create().SetID(fixed(0x901)).SetIdentifier("promo").SetName("Promo").Exec(ctx))
	ids := []string{fixed(0x701), fixed(0x702), fixed(0x705)}
	body := `{"messageId":["` + strings.Join(ids, `","`) + `"],"markAs":"seen"}`
	it, failures := b.graphQL(t, `mutation { it: markMessages(input: {subscriberId: "u1", messageIds: ["`+strings.Join(ids, `", "`)+`"], markAs: SEEN}) { messages { _id: internalId _feedId: feedId } } }`)
	require.Empty(t, failures)
	documented := decoded(t, b.ask(http.MethodPost, "/v1/subscribers/u1/messages/mark-as", body)).([]any) //nolint:forcetypeassert // a list
	require.Len(t, documented, len(ids))
	for i, want := range []any{fixed(0x901), nil, nil} {
		m := documented[i].(map[string]any) //nolint:forcetypeassert // an object
		require.Contains(t, m, "_feedId")
		require.Equal(t, want, m["_feedId"])
		require.Equal(t, map[string]any{"_id": ids[i], "_feedId": want}, it.([]any)[i]) //nolint:forcetypeassert // a list
	}
}

// TestConditionsThroughBothDoors shows the conditions of integrations: GraphQL all of them, the documented route those parts
// that it has words for, and no group without one.
func TestConditionsThroughBothDoors(t *testing.T) {
	t.Parallel()
	documented, other := setup(t), setup(t)
	documented.world(t)
	other.world(t)
	it, failures := other.graphQL(t, `mutation { it: deleteIntegration(id: "`+fixed(0x506)+`") { integrations { _id: internalId conditions{isNegated type value children{field value operator on}} } } }`)
	require.Empty(t, failures)
	answer := decoded(t, documented.ask(http.MethodDelete, "/v1/integrations/"+fixed(0x506), "")).([]any) //nolint:forcetypeassert // a list
	require.Len(t, answer, 5)
	shown := 0
	for i, listed := range it.([]any) { //nolint:forcetypeassert // a list
		row, want := listed.(map[string]any), map[string]any{} //nolint:forcetypeassert // an object
		want["_id"] = row["_id"]
		groups, _ := row["conditions"].([]any)
		var kept []any
		for _, group := range groups {
			g := group.(map[string]any) //nolint:forcetypeassert // an object
			var parts []any
			for _, part := range g["children"].([]any) { //nolint:forcetypeassert // a list
				p := part.(map[string]any) //nolint:forcetypeassert // an object
				if p["on"] == "SUBSCRIBER" || p["on"] == "PAYLOAD" {
					p["on"] = strings.ToLower(p["on"].(string)) //nolint:forcetypeassert // an enumeration
					parts = append(parts, p)
				}
			}
			if g["children"] = parts; parts != nil {
				kept = append(kept, g)
				shown++
			}
		}
		if kept != nil {
			want["conditions"] = kept
		}
		got := map[string]any{"_id": answer[i].(map[string]any)["_id"]} //nolint:forcetypeassert // an object
		if conditions, there := answer[i].(map[string]any)["conditions"]; there {
			got["conditions"] = conditions
		}
		require.Equal(t, want, got)
	}
	require.Equal(t, 3, shown)
}

// TestDeletedThroughBothDoors deletes an integration through either door, and what the documented routes cannot delete
// through GraphQL: it is unknown to the documented routes, and GraphQL lists it with the instant and who it was.
func TestDeletedThroughBothDoors(t *testing.T) {
	t.Parallel()
	documented, other := setup(t), setup(t)
	const list = `{ it: integrations(filter: {deleted: true}) { nodes{internalId identifier deleted active primary deletedAt deletedBy} } }`
	var seen []any
	for _, b := range []*bundle{documented, other} {
		b.world(t)
		if b == documented {
			require.Equal(t, http.StatusOK, b.ask(http.MethodDelete, "/v1/integrations/"+fixed(0x501), "").Code)
		} else {
			_, failures := b.graphQL(t, `mutation { it: deleteIntegration(id: "`+fixed(0x501)+`") { integrations { identifier } } }`)
			require.Empty(t, failures)
		}
		it, failures := b.graphQL(t, list)
		require.Empty(t, failures)
		nodes := it.(map[string]any)["nodes"].([]any) //nolint:forcetypeassert // selected so
		require.Len(t, nodes, 1)
		node := nodes[0].(map[string]any) //nolint:forcetypeassert // an object
		require.NotEmpty(t, node["deletedBy"])
		require.Equal(t, frozen.Format("2006-01-02T15:04:05Z"), node["deletedAt"])
		delete(node, "deletedBy") // the key, of which each environment has its own
		seen = append(seen, node)
		require.Equal(t, http.StatusNotFound, b.ask(http.MethodDelete, "/v1/integrations/"+fixed(0x501), "").Code)
	}
	require.Equal(t, seen[0], seen[1])

	for mutation, check := range map[string]struct{ route, list string }{
		`deleteSubscriber(id: "` + fixed(0x102) + `")`: {"GET /v2/subscribers/u2/preferences", "subscribers"},
		`deleteWorkflow(id: "` + fixed(0x404) + `")`:   {`PATCH /v2/subscribers/u1/preferences/bulk {"preferences":[{"workflowId":"broken","channels":{}}]}`, "workflows"},
	} {
		_, failures := other.graphQL(t, `mutation { it: `+mutation+` { deletedId } }`)
		require.Empty(t, failures, mutation)
		parts := append(strings.SplitN(check.route, " ", 3), "")
		require.Equal(t, http.StatusNotFound, other.ask(parts[0], parts[1], parts[2]).Code, check.route)
		it, failures := other.graphQL(t, `{ it: `+check.list+`(filter: {deleted: true}, orderBy: {field: UPDATED_AT, direction: DESC}) { nodes{internalId deletedAt deletedBy} } }`)
		require.Empty(t, failures)
		found := false
		for _, n := range it.(map[string]any)["nodes"].([]any) { //nolint:forcetypeassert // selected so
			node := n.(map[string]any)                                   //nolint:forcetypeassert // an object
			if strings.Contains(mutation, node["internalId"].(string)) { //nolint:forcetypeassert // an id
				found = node["deletedAt"] != nil && node["deletedBy"] != nil
			}
		}
		require.True(t, found, "%s: %v", check.list, it)
	}
	require.NotContains(t, other.ask(http.MethodGet, "/v2/workflows", "").Body.String(), fixed(0x404))
}

// TestWebhookURLsThroughBothDoors: the webhook URLs that a trigger gives are masked wherever its event is shown (decisions.md §12).
func TestWebhookURLsThroughBothDoors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	b.workflow(t, "order-shipped", steps(true), true)
	const address, shown = "https://hooks.slack.com/services/T/B/SECRET", "https://hooks.slack.com/********"
	const person = `{"subscriberId":"%s","channels":[{"providerId":"slack","credentials":{"webhookUrl":"` + address + `"}}]}`
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, "/v1/events/trigger", fmt.Sprintf(`{"name":"order-shipped","to":[`+person+`],"actor":`+person+`,
		"transactionId":"urls","overrides":{"slack":{"webhookUrl":"`+address+`"},"providers":{"slack":{"chep-3":{"endpoint":{"url":"`+address+`"}}}}}}`, "u1", "u2")).Code)
	e, err := b.db.Ent.Event.Query().Where(event.TransactionID("urls")).Only(viewer.InScope(t.Context(), b.scope))
	require.NoError(t, err)
	require.NoError(t, b.db.Ent.Message.Create().SetID(fixed(0x7aa)).SetNotificationID(fixed(0x7ab)).SetEventID(e.ID).SetTransactionID("urls").
		SetWorkflowID(fixed(0x401)).SetWorkflowIdentifier("welcome").SetStepID("step-2").SetSubscriberID(fixed(0x101)).SetChannel(workflow.ChannelInApp).
		SetTarget("").SetStatus(workflow.MessageSent).SetContent(&workflow.MessageContent{Text: "Hello"}).Exec(viewer.InScope(t.Context(), b.scope)))

	want := map[string]any{
		"slack":     map[string]any{"webhookUrl": shown},
		"providers": map[string]any{"slack": map[string]any{"chep-3": map[string]any{"endpoint": map[string]any{"url": shown}}}},
	}
	documented := decoded(t, b.ask(http.MethodPost, "/v1/subscribers/u1/messages/mark-as", `{"messageId":"`+fixed(0x7aa)+`","markAs":"read"}`))
	require.Equal(t, want, documented.([]any)[0].(map[string]any)["overrides"]) //nolint:forcetypeassert // a list of messages
	it, failures := b.graphQL(t, `{ it: message(id: "`+fixed(0x7aa)+`") { overrides event { overrides recipients actor } } }`)
	require.Empty(t, failures)
	require.Equal(t, want, it.(map[string]any)["overrides"]) //nolint:forcetypeassert // selected so
	text, err := json.Marshal(it)
	require.NoError(t, err)
	require.NotContains(t, string(text), "SECRET")
	require.NotContains(t, string(text), secret.SealedPrefix)
	require.Equal(t, 6, strings.Count(string(text), shown), "overrides twice, recipient and actor: %s", text)
}
