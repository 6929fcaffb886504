package graph_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// recordedElsewhere are the mutations that leave no audit entry, and where the record of them is instead.
var recordedElsewhere = map[string]string{
	"triggerEvent": "the event", "broadcastEvent": "the event", "bulkTriggerEvents": "the events",
	"markMessages": "the message", "archiveMessages": "the message", "unarchiveMessages": "the message", "snoozeMessages": "the message",
	"unsnoozeMessages": "the message", "markAllMessages": "the messages", "completeMessageAction": "the message", "deleteMessages": "the inbox's removals",
	"updatePreferences": "the preference's history", "setGlobalPreferences": "the preference's history", "deletePreference": "the preference's history",
	"createSubscriberToken": "nowhere: a token is made for every page that a subscriber opens; making one that was unknown is recorded",
	"setClock":              "the audit, where clocks can be moved", "advanceClock": "the audit, where clocks can be moved",
	"resetClock": "the audit, where clocks can be moved", "testIntegration": "the audit, where a sender is wired",
	"setPassword": "the audit: TestPeopleAreAudited", "acceptInvitation": "the audit: TestPeopleAreAudited", "resetPassword": "the audit: TestPeopleAreAudited",
	"confirmSecondFactor": "the audit: TestPeopleAreAudited", "removeSecondFactor": "the audit: TestPeopleAreAudited",
	"replaceRecoveryCodes": "the audit: TestReplaceRecoveryCodes",
	"beginSecondFactor":    "nowhere: it changes nothing until it is confirmed", "requestPasswordReset": "nowhere: a mail changes nothing",
	"promote": "the audit: TestPromoteWholeEnvironment", "undoPromotion": "the audit: TestUndoRemovesWhatWasMade",
	"replayWebhookDelivery": "the audit: TestReplays of the use cases",
	"logOut":                "the audit: TestLogInsAreAudited", "logIn": "the audit: TestLogInsAreAudited",
	"resendMessage": "the audit: TestResend", "replayNotification": "the audit: TestReplay", "releaseDigest": "the audit: TestDigestWindows",
	"dropDigest": "the audit: TestDigestWindows", "resumeDelivery": "the audit: TestPauses", "cancelMessageRetry": "the audit: TestRetries",
	"paceBroadcast": "the audit: TestPace",
}

// auditedCalls are calls in one environment, in this order, where the walk's own arguments would be refused.
var auditedCalls = []struct{ operation, call string }{
	{"createSubscriber", `createSubscriber(input: {subscriberId: "ada"}) { subscriber { id } }`},
	{"createTopic", `createTopic(input: {key: "news"}) { topic { id } }`},
	{"createAudience", `createAudience(input: {identifier: "fans", topicKey: "news"}) { audience { id } }`},
	{"updateAudience", `updateAudience(input: {id: "$createAudience", name: "Fans"}) { audience { id } }`},
	{"deleteAudience", `deleteAudience(id: "$createAudience") { audience { id } }`},
	{"createTenant", `createTenant(input: {identifier: "acme"}) { tenant { id } }`},
	{"createContext", `createContext(input: {type: "region", identifier: "eu"}) { context { id } }`},
	{"createFeed", `createFeed(input: {identifier: "alerts", name: "Alerts"}) { feed { id } }`},
	{"applyConfiguration", `applyConfiguration(input: {document: {feeds: {other: {name: "Other"}}}}) { plan { fingerprint } }`},
	{"createWorkflow", `createWorkflow(input: {identifier: "flow", name: "Flow", definition: {steps: [{type: IN_APP, inApp: {body: "x"}}]}}) { workflow { id } }`},
	{"updateWorkflow", `updateWorkflow(input: {id: "flow", name: "Other", definition: {steps: [{type: IN_APP, inApp: {body: "y"}}]}}) { workflow { id } }`},
	{"publishWorkflow", `publishWorkflow(id: "flow") { workflow { id } }`},
	{"createTriggerSchedule", `createTriggerSchedule(input: {name: "Daily", workflow: "flow", startsAt: "2126-01-01T09:00", rrule: "FREQ=DAILY"}) { triggerSchedule { id } }`},
	{"updateTriggerSchedule", `updateTriggerSchedule(input: {id: "$createTriggerSchedule", enabled: false}) { triggerSchedule { id } }`},
	{"runTriggerSchedule", `runTriggerSchedule(id: "$createTriggerSchedule") { triggerSchedule { id } }`},
	{"deleteTriggerSchedule", `deleteTriggerSchedule(id: "$createTriggerSchedule") { triggerSchedule { id } }`},
	{"createAlertRule", `createAlertRule(input: {name: "Quiet", condition: NO_MESSAGES, threshold: 60, notifyWorkflow: "flow", notifySubscribers: ["ada"]}) { alertRule { id } }`},
	{"testAlertRule", `testAlertRule(id: "$createAlertRule") { event { id } }`},
	{"silenceAlertRule", `silenceAlertRule(input: {id: "$createAlertRule", until: null}) { alertRule { id } }`},
	{"updateAlertRule", `updateAlertRule(input: {id: "$createAlertRule", enabled: false}) { alertRule { id } }`},
	{"deleteAlertRule", `deleteAlertRule(id: "$createAlertRule") { deletedId }`},
	{"setTenantWorkflow", `setTenantWorkflow(input: {tenantIdentifier: "acme", workflow: "flow", active: false}) { tenantWorkflow { id } }`},
	{"createSubscriptions", `createSubscriptions(input: {topicKey: "news", subscriptions: [{subscriberId: "ada", identifier: "s"}]}) { __typename }`},
	{"updateSubscription", `updateSubscription(input: {topicKey: "news", identifier: "s", name: "Mine"}) { subscription { id } }`},
	{"deleteSubscriptions", `deleteSubscriptions(input: {topicKey: "news", subscriptions: [{identifier: "s"}]}) { __typename }`},
	{"createSuppression", `createSuppression(input: {channel: EMAIL, address: "a@example.org"}) { suppression { id } }`},
	{"createTranslation", `createTranslation(input: {locale: "de", content: {hello: "Hallo"}}) { translation { id } }`},
	{"createVariable", `createVariable(input: {name: "KEY", value: "very-secret", secret: true}) { variable { id value } }`},
	{"updateVariable", `updateVariable(input: {id: "$createVariable", value: "very-secret-too"}) { variable { id } }`},
	{"createImage", `createImage(input: {name: "dot.gif", content: "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=="}) { image { id } }`},
	{"deleteImage", `deleteImage(id: "$createImage") { deletedId }`},
	{"createWebhookEndpoint", `createWebhookEndpoint(input: {url: "https://example.com"}) { webhookEndpoint { id } }`},
	{"pingWebhookEndpoint", `pingWebhookEndpoint(id: "$createWebhookEndpoint") { webhookDelivery { id } }`},
	{"replayWebhookDeliveries", `replayWebhookDeliveries(input: {endpointId: "$createWebhookEndpoint"}) { count }`},
	{"rotateWebhookSecret", `rotateWebhookSecret(input: {id: "$createWebhookEndpoint"}) { webhookEndpoint { id } }`},
	{"updateTranslation", `updateTranslation(input: {id: "$createTranslation", content: {hello: "Servus"}}) { translation { id } }`},
	{"createIntegration", `createIntegration(input: {providerId: "chat-webhook", identifier: "hook"}) { integration { id } }`},
	{"createIntegration", `createIntegration(input: {providerId: "sendgrid", identifier: "mail", credentials: {apiKey: "very-secret", from: "a@example.org", senderName: "A"}}) { integration { id } }`},
	{"setPrimaryIntegration", `setPrimaryIntegration(id: "$createIntegration") { integration { id } }`},
	{"createConnectedWorkspace", `createConnectedWorkspace(input: {identifier: "c", integration: "hook", subscriberId: "ada", accessToken: "very-secret"}) { connectedWorkspace { id } }`},
	{"createChannelEndpoint", `createChannelEndpoint(input: {identifier: "e", subscriberId: "ada", integration: "hook", endpoint: {webhook: {url: "https://example.com/hook"}}}) { channelEndpoint { id } }`},
	{"createIntegration", `createIntegration(input: {providerId: "expo", identifier: "push", credentials: {apiKey: "very-secret"}}) { integration { id } }`},
	{"setSubscriberChannel", `setSubscriberChannel(input: {subscriberId: "ada", providerId: "expo", integrationIdentifier: "push", credentials: {deviceTokens: ["very-secret"]}}) { subscriberChannel { id } }`},
	{"removeDeviceTokens", `removeDeviceTokens(input: {subscriberId: "ada", providerId: "expo", integrationIdentifier: "push", deviceTokens: ["very-secret"]}) { subscriberChannel { id } }`},
	{"updateUser", `updateUser(input: {id: "$self", firstName: "Ada"}) { user { id } }`},
	{"createInvitation", `createInvitation(input: {email: "m@example.org"}) { token }`},
	{"createEnvironment", `createEnvironment(input: {identifier: "live"}) { environment { id } }`},
	{"deleteEnvironment", `deleteEnvironment(id: "$createEnvironment", name: "live") { deletedId }`},
	{"", `triggerEvent(input: {name: "flow", to: [{subscriberId: "ada"}], transactionId: "t"}) { result { status } }`},
	{"upsertSubscribers", `upsertSubscribers(subscribers: [{subscriberId: "bob"}]) { __typename }`},
	{"importSubscribers", `importSubscribers(input: {format: CSV, text: "subscriberId\ncid\n"}) { __typename }`},
	{"deleteSubscribers", `deleteSubscribers(subscriberIds: ["bob", "cid"]) { __typename }`},
	{"recall", `recall(input: {transactionId: "t"}) { __typename }`},
	{"retryMessages", `retryMessages(input: {}) { __typename }`},
	{"pauseDelivery", `pauseDelivery(input: {kind: CHANNEL, target: "email"}) { __typename }`},
	{"createWorkflow", `createWorkflow(input: {identifier: "gone", name: "Gone", definition: {steps: []}}) { workflow { id } }`},
	{"deleteWorkflow", `deleteWorkflow(id: "gone") { workflow { id } }`},
	{"cancelTransaction", `cancelTransaction(transactionId: "t") { result { __typename } }`},
}

// entry is what the audit says of one change.
type entry struct{ ActorType, ActorID, Action, RecordType, RecordID, Changes string }

// audit is what the audit says of an environment's organization since an entry; a new environment's first entry is its own.
func (b *bundle) audit(t *testing.T, environmentID, since string) (all []entry) {
	t.Helper()
	rows, err := b.db.Pool.Query(t.Context(), `SELECT actor_type, actor_id, action, record_type, record_id, coalesce(changes::text, '')
FROM audit_entries WHERE id > $2 AND environment_id IN (SELECT e.id FROM environments e
	JOIN environments own ON own.organization_id = e.organization_id WHERE own.id = $1) ORDER BY id`, environmentID, since)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var e entry
		require.NoError(t, rows.Scan(&e.ActorType, &e.ActorID, &e.Action, &e.RecordType, &e.RecordID, &e.Changes))
		all = append(all, e)
	}
	require.NoError(t, rows.Err())
	return all
}

// TestEveryMutationIsAudited sends every mutation of the schema about records that are there: the audit tells of each who
// it was and what was done, and no secret.
func TestEveryMutationIsAudited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	scope := b.scope(t)
	owner, ownerID := loggedIn(t, b.db, scope, member.RoleOwner)
	audited := map[string]bool{}
	made := map[string]string{"self": ownerID}
	for _, c := range auditedCalls {
		before := id.New(time.Now())
		call := c.call
		for operation, record := range made {
			call = strings.ReplaceAll(call, `"$`+operation+`"`, `"`+record+`"`)
		}
		_, r := b.askWith(t, owner, "mutation { "+call+" }", nil)
		require.Empty(t, r.Errors, call)
		if payload, ok := r.Data[c.operation].(map[string]any); ok {
			for _, member := range payload {
				if record, ok := member.(map[string]any); ok {
					made[c.operation], _ = record["id"].(string)
				}
			}
		}
		if c.operation != "" {
			requireAudited(t, c.operation, b.audit(t, scope.EnvironmentID, before), ownerID)
			audited[c.operation] = true
		}
	}

	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	for _, operation := range schema.Mutation.Fields {
		if audited[operation.Name] || recordedElsewhere[operation.Name] != "" {
			continue
		}
		mine := pgtest.Fill(t, b.db, "")
		actor, actorID := loggedIn(t, b.db, mine.Scope, member.RoleOwner)
		w := walk{b: b, schema: schema, foreign: rowsOf(t, b.db, mine), theirs: mine}
		before := id.New(time.Now())
		_, r := b.askWith(t, actor, w.text(schema.Mutation, operation, false), nil)
		require.Empty(t, r.Errors, "%s: add a call to auditedCalls", operation.Name)
		requireAudited(t, operation.Name, b.audit(t, mine.Scope.EnvironmentID, before), actorID)
	}
	for operation := range recordedElsewhere {
		require.NotNil(t, schema.Mutation.Fields.ForName(operation), operation)
	}
}

func requireAudited(t *testing.T, operation string, entries []entry, userID string) {
	t.Helper()
	require.NotEmpty(t, entries, "%s leaves no audit entry", operation)
	for _, e := range entries {
		require.Equal(t, "user", e.ActorType, operation)
		require.Equal(t, userID, e.ActorID, operation)
		require.NotEmpty(t, e.Action, operation)
		require.NotEmpty(t, e.RecordType, operation)
		require.Regexp(t, "^[0-9a-f]{24}$", e.RecordID, operation)
		require.NotContains(t, e.Changes, "very-secret", operation)
	}
}

// TestLogInsAreAudited: the audit tells who came and went; a log-in's token is not in it.
func TestLogInsAreAudited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.person(t, "m@example.org", member.RoleEditor, "correct horse battery")
	user := b.db.Ent.User.Query().OnlyX(viewer.SystemContext(t.Context())).ID
	_, r := b.post(t, "", `{"query": "mutation { logIn(input: {email: \"m@example.org\", password: \"correct horse battery\"}) { token } }"}`)
	require.Empty(t, r.Errors)
	token := at(t, r.Data, "logIn", "token").(string)
	_, r = b.post(t, "Bearer "+token, `{"query": "mutation { createTopic(input: {key: \"news\"}) { topic { id } } }"}`)
	require.Empty(t, r.Errors)
	_, r = b.post(t, "Bearer "+token, `{"query": "mutation { logOut { loggedOut } }"}`)
	require.Empty(t, r.Errors)

	entries := b.audit(t, b.scope(t).EnvironmentID, "")
	var actions []string
	for _, e := range entries[len(entries)-3:] {
		require.Equal(t, "user", e.ActorType)
		require.Equal(t, user, e.ActorID)
		actions = append(actions, e.Action+" "+e.RecordType)
	}
	require.Equal(t, []string{"log_in User", "create Topic", "log_out User"}, actions)
	text, err := json.Marshal(entries)
	require.NoError(t, err)
	require.NotContains(t, string(text), token)
	require.NotContains(t, string(text), "correct horse")
}
