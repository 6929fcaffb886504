package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/viewer"
)

// neighbour adds another environment of the same organization and returns its full key and scope.
func (b *bundle) neighbour(t *testing.T) (key string, scope viewer.Scope) {
	t.Helper()
	ctx := viewer.SystemContext(t.Context())
	env := b.db.Ent.Environment.Create().SetOrganizationID(b.scope.OrganizationID).SetName("Second").SetIdentifier("second").SaveX(ctx)
	key = auth.NewKey("")
	b.db.Ent.APIKey.Create().SetEnvironmentID(env.ID).SetName("key").SetHash(auth.HashKey(key)).SetHint(auth.Hint(key)).
		SetScopes(viewer.FullGrants.List()).ExecX(ctx)
	return key, viewer.Scope{OrganizationID: b.scope.OrganizationID, EnvironmentID: env.ID}
}

// inside runs fn as if the bundle's environment was another one.
func (b *bundle) inside(scope viewer.Scope, fn func()) {
	own := b.scope
	b.scope = scope
	defer func() { b.scope = own }()
	fn()
}

// contentOf is everything that an environment holds, by table, but for when keys were used and workflows triggered, which is stored late.
func (b *bundle) contentOf(t *testing.T, scope viewer.Scope) map[string]string {
	t.Helper()
	var parts []string
	for _, table := range migrate.Tables {
		if table.HasColumn("environment_id") && table.Name != "api_keys" {
			parts = append(parts, fmt.Sprintf("SELECT '%s', coalesce(string_agg((to_jsonb(r) - 'last_triggered_at')::text, ',' ORDER BY id), '') FROM %[1]s r WHERE environment_id = $1", table.Name))
		}
	}
	rows, err := b.db.Pool.Query(t.Context(), strings.Join(parts, " UNION ALL "), scope.EnvironmentID)
	require.NoError(t, err)
	all := map[string]string{}
	var table, content string
	_, err = pgx.ForEachRow(rows, []any{&table, &content}, func() error { all[table] = content; return nil })
	require.NoError(t, err)
	return all
}

// namedRequests ask for records of the world by their natural keys. Each is sent from the environment that has them and from
// another one.
var namedRequests = []struct{ method, target, body string }{
	{http.MethodGet, "/v1/channel-endpoints", ""},
	{http.MethodGet, "/v1/channel-endpoints?subscriberId=u1", ""},
	{http.MethodGet, "/v1/channel-endpoints/chep-1", ""},
	{http.MethodGet, "/v2/subscribers/u1/subscriptions", ""},
	{http.MethodGet, "/v2/subscribers/u1/preferences", ""},
	{http.MethodGet, "/v2/workflows", ""},
	{http.MethodGet, "/v2/workflows?query=welcome", ""},
	{http.MethodPatch, "/v2/subscribers/u1/preferences/bulk", `{"preferences":[{"workflowId":"welcome","channels":{"email":false}}]}`},
	{http.MethodPatch, "/v2/topics/news/subscriptions/second", `{"name":"mine"}`},
	{http.MethodPost, "/v2/topics/news/subscriptions", `{"subscriptions":["u1"],"preferences":["welcome"]}`},
	{http.MethodDelete, "/v2/topics/news/subscriptions", `{"subscriptions":["u1"]}`},
	{http.MethodPost, "/v1/subscribers/u1/messages/mark-as", `{"messageId":"000000000000000000000701","markAs":"read"}`},
	{http.MethodDelete, "/v1/integrations/000000000000000000000501", ""},
	{http.MethodPost, "/v1/events/trigger", `{"name":"order-shipped","to":"u1","transactionId":"tx-1"}`},
	{http.MethodPost, "/v1/events/trigger", `{"name":"order-shipped","to":{"type":"Topic","topicKey":"news"},"transactionId":"tx-2"}`},
	{http.MethodPost, "/v1/events/trigger/broadcast", `{"name":"order-shipped","payload":{},"transactionId":"tx-3"}`},
	{http.MethodPost, "/v1/events/trigger/bulk", `{"events":[{"name":"order-shipped","to":"u1","transactionId":"tx-4"}]}`},
}

// TestNamesOfAnotherEnvironment asks with every documented route for what only a neighbour has: nothing of it is answered,
// and nothing of it changes.
func TestNamesOfAnotherEnvironment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	b.workflow(t, "order-shipped", steps(true), true)
	key, _ := b.neighbour(t)
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, "/v1/events/trigger", `{"name":"order-shipped","to":"u1","transactionId":"tx-0"}`).Code)
	before := b.contentOf(t, b.scope)
	var ids []string
	for _, content := range before {
		var rows []map[string]any
		require.NoError(t, json.Unmarshal([]byte("["+content+"]"), &rows))
		for _, row := range rows {
			ids = append(ids, fmt.Sprint(row["id"]))
		}
	}
	require.Greater(t, len(ids), 20)
	for _, r := range namedRequests {
		w := b.ask(r.method, r.target, r.body, "Authorization", "ApiKey "+key)
		require.NotContains(t, []int{401, 403, 500}, w.Code, "%s %s: %s", r.method, r.target, w.Body)
		for _, id := range ids {
			if !strings.Contains(r.target+r.body, id) { // an error names what it was asked for
				require.NotContains(t, w.Body.String(), id, "%s %s", r.method, r.target)
			}
		}
		if strings.HasPrefix(r.target, "/v1/events/trigger") {
			require.NotContains(t, w.Body.String(), `"processed"`, "%s: a workflow of another environment was found: %s", r.target, w.Body)
		}
		require.Equal(t, before, b.contentOf(t, b.scope), "%s %s changed what another environment holds", r.method, r.target)
	}
}

// TestSameNamesInTwoEnvironments asks with every documented route for what two environments call the same: each gets its own,
// and a transactionId of one is new in the other.
func TestSameNamesInTwoEnvironments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, second := b.neighbour(t)
	b.workflow(t, "order-shipped", steps(true), true)
	b.inside(second, func() { b.workflow(t, "order-shipped", steps(true), true) })
	for _, scope := range []viewer.Scope{b.scope, second} {
		ctx := viewer.InScope(t.Context(), scope)
		u1 := b.db.Ent.Subscriber.Create().SetSubscriberID("u1").SetFirstName(scope.EnvironmentID).SaveX(ctx)
		topic := b.db.Ent.Topic.Create().SetKey("news").SetName(scope.EnvironmentID).SaveX(ctx)
		b.db.Ent.Subscription.Create().SetTopicID(topic.ID).SetSubscriberID(u1.ID).SetIdentifier("second").ExecX(ctx)
	}
	for _, r := range namedRequests {
		if strings.Contains(r.target+r.body, "000000") || strings.Contains(r.target+r.body, "welcome") || strings.Contains(r.target, "chep-1") {
			continue // about what these environments do not have
		}
		own := b.ask(r.method, r.target, r.body)
		require.Less(t, own.Code, 300, "%s %s: %s", r.method, r.target, own.Body)
		before := b.contentOf(t, b.scope)
		theirs := b.ask(r.method, r.target, r.body, "Authorization", "ApiKey "+key)
		require.Equal(t, own.Code, theirs.Code, "%s %s: %s", r.method, r.target, theirs.Body)
		require.NotContains(t, theirs.Body.String(), b.scope.EnvironmentID, "%s %s", r.method, r.target)
		require.Equal(t, before, b.contentOf(t, b.scope), "%s %s changed what another environment holds", r.method, r.target)
		if strings.HasPrefix(r.target, "/v1/events/trigger") {
			require.Contains(t, theirs.Body.String(), `"processed"`, "its transactionId is new there: %s", theirs.Body)
			require.Equal(t, b.eventsOf(t, b.scope), b.eventsOf(t, second), r.body)
		}
	}
}

// eventsOf is how many events an environment has.
func (b *bundle) eventsOf(t *testing.T, scope viewer.Scope) (n int) {
	t.Helper()
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM events WHERE environment_id = $1", scope.EnvironmentID).Scan(&n))
	return n
}
