package graph_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// scope is the bundle's environment.
func (b *bundle) scope(t *testing.T) viewer.Scope {
	t.Helper()
	env := b.db.Ent.Environment.Query().OnlyX(viewer.SystemContext(t.Context()))
	return viewer.Scope{OrganizationID: env.OrganizationID, EnvironmentID: env.ID}
}

func TestAudienceThroughGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := viewer.InScope(t.Context(), b.scope(t))
	order := b.db.Ent.Workflow.Create().SetIdentifier("order").SetName("Order").SetDraft(&workflow.Definition{}).SaveX(ctx)

	made := b.must(t, `mutation {
		createSubscriber(input: {subscriberId: "ann", firstName: "Ann", timezone: "Europe/Berlin",
			schedule: {isEnabled: true, weeklySchedule: {monday: {isEnabled: true, hours: [{start: "09:00 AM", end: "05:00 PM"}]}}}}) {
			subscriber {
				id subscriberId schedule { isEnabled weeklySchedule { monday { hours { start end } } tuesday { isEnabled } } }
			}
		}
		setSubscriberChannel(input: {subscriberId: "ann", providerId: "fcm", credentials: {deviceTokens: ["t1"]}}) {
			subscriberChannel {
				credentials { deviceTokens webhookUrl } subscriber { subscriberId }
			}
		}
		createFeed(input: {identifier: "main", name: "Main"}) { feed { id } }
		upsertTenant(input: {identifier: "acme", name: "Acme", data: {plan: "pro"}}) { tenant { id data } }
		setTenantWorkflow(input: {tenantIdentifier: "acme", workflow: "order", preferences: {sms: false}}) {
			tenantWorkflow {
				active preferences { sms email } tenant { identifier } workflow { identifier slug severity }
			}
		}
		createSubscriptions(input: {topicKey: "news", context: {region: "eu"}, subscriptions: [{subscriberId: "ann"}, {subscriberId: "ghost"}],
			preferences: [{workflowId: "order", condition: {_: 1}}]}) {
			meta { totalCount successful failed } errors { subscriberId code }
			subscriptions { identifier contextKeys topic { key } subscriber { firstName } preferences { enabled condition workflow { name } subscription { identifier } } }
		}
	}`, nil)
	require.Equal(t, "09:00 AM", at(t, made, "createSubscriber", "subscriber", "schedule", "weeklySchedule", "monday").(map[string]any)["hours"].([]any)[0].(map[string]any)["start"])
	require.Nil(t, at(t, made, "createSubscriber", "subscriber", "schedule", "weeklySchedule", "tuesday"))
	require.Equal(t, "ann", at(t, made, "setSubscriberChannel", "subscriberChannel", "subscriber", "subscriberId"))
	require.Equal(t, "order", at(t, made, "setTenantWorkflow", "tenantWorkflow", "workflow", "identifier"))
	require.Equal(t, false, at(t, made, "setTenantWorkflow", "tenantWorkflow", "preferences", "sms"))
	require.Equal(t, map[string]any{"totalCount": 2.0, "successful": 1.0, "failed": 1.0}, at(t, made, "createSubscriptions", "meta"))
	subscription := at(t, made, "createSubscriptions").(map[string]any)["subscriptions"].([]any)[0]
	require.Equal(t, "tk=news:si=ann:ctx=region:eu", at(t, subscription, "identifier"))
	require.Equal(t, "Ann", at(t, subscription, "subscriber", "firstName"))
	preference := at(t, subscription).(map[string]any)["preferences"].([]any)[0]
	require.Equal(t, "Order", at(t, preference, "workflow", "name"))
	require.Equal(t, "tk=news:si=ann:ctx=region:eu", at(t, preference, "subscription", "identifier"))

	wished := b.must(t, `mutation {
		updatePreferences(input: {subscriberId: "ann", preferences: [{workflowId: "order", channels: {email: false}}]}) {
			preferences {
				level enabled channels { email sms inApp chat push } workflow { identifier }
			}
		}
		setGlobalPreferences(input: {subscriberId: "ann", channels: {push: false}}) { preference { level channels { push } workflow { identifier } } }
		updateSubscription(input: {topicKey: "news", identifier: "tk=news:si=ann:ctx=region:eu", name: "mine", preferences: []}) { subscription { name preferences { enabled } } }
	}`, nil)
	results := at(t, wished, "updatePreferences", "preferences").([]any)
	require.Equal(t, "TEMPLATE", at(t, results[0], "level"))
	require.Equal(t, false, at(t, results[0], "channels", "email"))
	require.Equal(t, "GLOBAL", at(t, wished, "setGlobalPreferences", "preference", "level"))
	require.Equal(t, "mine", at(t, wished, "updateSubscription", "subscription", "name"))

	read := b.must(t, `query($w: String!) {
		subscriberPreferences(subscriberId: "ann", criticality: ALL) {
			global { enabled channels { push } schedule { isEnabled } }
			workflows { enabled channels { email push } overrides { channel enabled source } workflow { identifier slug } updatedAt }
		}
		preferenceByKey(subscriberId: "ann", workflow: $w) { channels { email } subscriber { subscriberId } workflow { name } }
		preferences(filter: {level: GLOBAL}) { totalCount nodes { workflowId } }
		preferenceChanges(first: 5, filter: {subscriberId: "ann"}) { nodes { changedBy channels { push } } }
		subscribers(filter: {subscriberIdIn: ["ann"]}) { totalCount nodes { channels { nodes { providerId } } } }
		subscriberBySubscriberId(subscriberId: "ann") { internalId }
		subscriberChannels { nodes { providerId } }
		subscriberChannelByKey(subscriberId: "ann", providerId: "fcm") { integrationIdentifier }
		subscriptions(filter: {topicKey: "news", contextKeys: ["region:eu"]}, orderBy: {field: CREATED_AT, direction: ASC}) { nodes { topic { key } subscriber { subscriberId } } }
		subscriptionPreferences { totalCount }
		contexts { nodes { key } } contextByKey(key: "region:eu") { id }
		tenants { nodes { identifier } } tenantByIdentifier(identifier: "acme") { name }
		tenantWorkflows(filter: {workflow: "order"}) { nodes { active } } tenantWorkflowByKey(tenantIdentifier: "acme", workflow: "order") { id }
		feeds { nodes { name } } feedByIdentifier(identifier: "main") { name }
		inboxStates { totalCount } inboxStateBySubscriber(subscriberId: "ann") { total }
	}`, map[string]any{"w": id.Slug(order.Name, "wf", order.ID)})
	require.Equal(t, true, at(t, read, "subscriberPreferences", "global", "schedule", "isEnabled"))
	item := at(t, read, "subscriberPreferences").(map[string]any)["workflows"].([]any)[0]
	require.Equal(t, map[string]any{"channel": "EMAIL", "enabled": false, "source": "SUBSCRIBER"}, at(t, item).(map[string]any)["overrides"].([]any)[0])
	require.Equal(t, "ann", at(t, read, "preferenceByKey", "subscriber", "subscriberId"))
	require.EqualValues(t, 1, at(t, read, "preferences", "totalCount"))
	require.Len(t, at(t, read, "subscriptions", "nodes"), 1)
	require.Len(t, at(t, at(t, read, "subscribers", "nodes").([]any)[0], "channels", "nodes"), 1)
	require.Nil(t, read["inboxStateBySubscriber"])
}

func TestInboxThroughGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(t)
	scope := b.scope(t)
	ctx := viewer.InScope(t.Context(), scope)
	ann := b.db.Ent.Subscriber.Create().SetSubscriberID("ann").SaveX(ctx)
	event := b.db.Ent.Event.Create().SetTransactionID("txn").SetWorkflowID("w").SetWorkflowVersionID("v").SetKind("trigger").
		SetPayload(map[string]any{"order": 7}).SaveX(ctx)
	run := b.db.Ent.Notification.Create().SetEventID(event.ID).SetTransactionID("txn").SetWorkflowID("w").SetWorkflowVersionID("v").
		SetSubscriberID(ann.ID).SetTrace([]workflow.TraceEntry{}).SaveX(ctx)
	var messages []*ent.Message
	for _, target := range []string{"one", "two"} {
		messages = append(messages, b.db.Ent.Message.Create().SetNotificationID(run.ID).SetEventID(event.ID).SetTransactionID("txn").
			SetWorkflowID("w").SetWorkflowIdentifier("order").SetStepID("s").SetSubscriberID(ann.ID).SetTarget(target).
			SetChannel(workflow.ChannelInApp).SetStatus(workflow.MessageSent).SetContent(&workflow.MessageContent{Text: "Hi"}).
			SetCta(&workflow.CTA{Action: &workflow.CTAAction{Status: workflow.ActionPending, Buttons: []workflow.CTAButton{{Type: "primary", Content: "OK"}}}}).SaveX(ctx))
	}
	err := b.db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		_, err := pginbox.BumpInbox(ctx, tx.Pgx, []pginbox.InboxDelta{{EnvironmentID: scope.EnvironmentID, SubscriberID: ann.ID, Total: 2, Unread: 2, Unseen: 2}})
		return err
	})
	require.NoError(t, err)

	listed := b.must(t, `{ messages(filter: {transactionId: "txn", channelIn: [IN_APP], statusIn: [SENT]}) { totalCount nodes {
		id subscriber { subscriberId } payload overrides content { text } cta { action { status buttons { content } } } feed { name } workflow { name } deliveredAt } } }`, nil)
	nodes := at(t, listed, "messages", "nodes").([]any)
	require.Len(t, nodes, 2)
	require.Equal(t, "ann", at(t, nodes[0], "subscriber", "subscriberId"))
	require.EqualValues(t, 7, at(t, nodes[0], "payload", "order"))
	require.Equal(t, "PENDING", at(t, nodes[0], "cta", "action", "status"))

	ids := []any{messages[0].GlobalID(), messages[1].ID}
	changed := b.must(t, `mutation($ids: [ID!]!, $one: ID!, $until: Time!) {
		markMessages(input: {subscriberId: "ann", messageIds: $ids, markAs: READ}) { messages { read seen lastReadAt } }
		archiveMessages(input: {subscriberId: "ann", messageIds: [$one]}) { messages { archived } }
		unarchiveMessages(input: {subscriberId: "ann", messageIds: [$one]}) { messages { archived } }
		snoozeMessages(input: {subscriberId: "ann", messageIds: [$one], until: $until}) { messages { snoozedUntil } }
		unsnoozeMessages(input: {subscriberId: "ann", messageIds: [$one]}) { messages { snoozedUntil } }
		completeMessageAction(input: {subscriberId: "ann", messageId: $one, button: PRIMARY, payload: {a: 1}}) { message { cta { action { status result { payload } } } } }
		markAllMessages(input: {subscriberId: "ann", action: ARCHIVE}) { markedCount }
		deleteMessages(input: {subscriberId: "ann", messageIds: [$one]}) { messages { internalId } }
	}`, map[string]any{"ids": ids, "one": ids[0], "until": time.Now().Add(time.Hour)})
	require.Len(t, at(t, changed, "markMessages", "messages"), 2)
	require.Equal(t, "DONE", at(t, changed, "completeMessageAction", "message", "cta", "action", "status"))
	require.EqualValues(t, 2, at(t, changed, "markAllMessages", "markedCount"))

	state := b.must(t, `{ inboxStateBySubscriber(subscriberId: "ann") { total unread unseen sequence subscriber { subscriberId } } }`, nil)
	require.EqualValues(t, 0, at(t, state, "inboxStateBySubscriber", "total"))
	node := b.must(t, `query($id: ID!) { node(id: $id) { __typename ... on Message { archived } } }`, map[string]any{"id": messages[1].GlobalID()})
	require.Equal(t, map[string]any{"__typename": "Message", "archived": true}, node["node"])
}

// Every noun is described down to its arguments.
func TestAudienceIsDescribed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	schema := b.must(t, `{ __schema { types { name description fields { name description args { name description } } inputFields { name description } enumValues { name description } } } }`, nil)
	for _, raw := range at(t, schema, "__schema", "types").([]any) {
		typ := raw.(map[string]any)
		name := typ["name"].(string)
		if !strings.HasPrefix(name, "Subscri") && !strings.HasPrefix(name, "TopicSub") && !strings.HasPrefix(name, "Message") && !strings.HasPrefix(name, "Preference") {
			continue
		}
		require.NotEmpty(t, typ["description"], name)
		for _, list := range []string{"fields", "inputFields", "enumValues"} {
			members, _ := typ[list].([]any)
			for _, member := range members {
				require.NotEmpty(t, at(t, member, "description"), "%s.%s", name, at(t, member, "name"))
			}
		}
	}
}
