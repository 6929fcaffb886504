package graph_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// guest is a subscriber in an environment full of other people's records.
type guest struct {
	*bundle
	mine  pgtest.Rows
	ada   *ent.Subscriber
	token string
}

func newGuest(t *testing.T) *guest {
	t.Helper()
	g := &guest{bundle: setup(t)}
	g.mine = pgtest.Fill(t, g.db, "")
	g.ada = g.db.Ent.Subscriber.Create().SetSubscriberID("ada").SetEmail("ada@example.org").SaveX(viewer.InScope(t.Context(), g.mine.Scope))
	g.token = g.tokenFor(t, nil)
	return g
}

func (g *guest) tokenFor(t *testing.T, contextScope *string) string {
	t.Helper()
	now := time.Now()
	token, err := auth.SubscriberToken{
		EnvironmentID: g.mine.Scope.EnvironmentID, SubscriberID: g.ada.ID, ContextScope: contextScope,
		IssuedAt: now, ExpiresAt: now.Add(time.Hour),
	}.Seal(g.keeper, "")
	require.NoError(t, err)
	return token
}

func (g *guest) askAs(t *testing.T, authorization, query string) (int, reply) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query})
	require.NoError(t, err)
	rec, r := g.post(t, authorization, string(body))
	return rec.Code, r
}

// TestSubscribersSeeNothingElse sends every query and mutation of the schema with a subscriber's token and the identifiers of
// everything else in its environment. What is not refused must answer nothing of it and change nothing.
func TestSubscribersSeeNothingElse(t *testing.T) {
	t.Parallel()
	g := newGuest(t)
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	w := walk{b: g.bundle, schema: schema, foreign: rowsOf(t, g.db, g.mine), theirs: g.mine}
	g.askAs(t, "Bearer "+g.token, `{ inbox { contextKeys } }`) // the environment remembers its first
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation} {
		for _, operation := range root.Fields {
			if strings.HasPrefix(operation.Name, "__") {
				continue
			}
			before := w.snapshot(t)
			for _, all := range []bool{false, true} {
				text := w.text(root, operation, all)
				_, r := g.askAs(t, "Bearer "+g.token, text)
				require.NotEqual(t, "INTERNAL", r.code(), "%s\n%s", text, g.log)
				if root == schema.Mutation {
					require.NotEmpty(t, r.code(), "%s was not refused", text)
				}
				data, err := json.Marshal(r.Data)
				require.NoError(t, err)
				for typ, row := range w.foreign {
					recordID, _ := row["id"].(string)
					require.NotContains(t, string(data), recordID, "%s\nanswers a %s", text, typ)
					require.NotContains(t, string(data), id.Global(typ, recordID), "%s\nanswers a %s", text, typ)
				}
			}
			require.Equal(t, before, w.snapshot(t), "%s changed something", operation.Name)
		}
	}
}

func TestSubscribersReachTheirOwn(t *testing.T) {
	t.Parallel()
	g := newGuest(t)
	for _, operation := range []string{
		`{ inbox { subscriber { subscriberId } state { unread } messages { nodes { id } } counts(filters: [{}, {read: false}]) } }`,
		`{ inbox(subscriberId: "ada") { contextKeys } }`,
		`{ subscriberPreferences(subscriberId: "ada") { global { enabled } } }`,
		`mutation { markMessages(input: {subscriberId: "ada", messageIds: ["` + id.New(time.Now()) + `"], markAs: READ}) { messages { id } } }`,
		`mutation { markAllMessages(input: {subscriberId: "ada", action: READ}) { markedCount } }`,
		`mutation { setSchedule(input: {subscriberId: "ada", schedule: {isEnabled: false}}) { subscriber { id } } }`,
		`mutation { setGlobalPreferences(input: {subscriberId: "ada", channels: {email: false}}) { preference { enabled } } }`,
	} {
		_, r := g.askAs(t, "Bearer "+g.token, operation)
		require.Empty(t, r.Errors, operation)
		_, r = g.askAs(t, "Bearer "+g.token, strings.ReplaceAll(operation, `"ada"`, `"bob"`))
		if strings.Contains(operation, `"ada"`) {
			require.Equal(t, "FORBIDDEN", r.code(), operation)
		}
	}
	require.True(t, g.db.Ent.Environment.GetX(viewer.SystemContext(t.Context()), g.mine.Scope.EnvironmentID).InboxSeen)
	none := ""
	bound := "Bearer " + g.tokenFor(t, &none)
	_, r := g.askAs(t, bound, `{ inbox { contextKeys } }`)
	require.Empty(t, r.Errors)
	_, r = g.askAs(t, bound, `{ inbox(contextKeys: ["tenant:acme"]) { contextKeys } }`)
	require.Equal(t, "FORBIDDEN", r.code())
	_, r = g.askAs(t, bound, `mutation { setGlobalPreferences(input: {subscriberId: "ada", channels: {email: false}, context: {tenant: "acme"}}) { preference { enabled } } }`)
	require.Equal(t, "FORBIDDEN", r.code())
}

// A subscriber follows topics that exist, for itself, and ends what is its own.
func TestSubscribersFollowTopics(t *testing.T) {
	t.Parallel()
	g := newGuest(t)
	ctx := viewer.InScope(t.Context(), g.mine.Scope)
	g.db.Ent.Topic.Create().SetKey("news").ExecX(ctx)
	ask := func(token, operation string) reply {
		_, r := g.askAs(t, "Bearer "+token, operation)
		return r
	}
	const follow = `mutation { createSubscriptions(input: {topicKey: "news", subscriptions: [{subscriberId: "ada"}]}) { meta { successful } subscriptions { identifier topic { key } } } }`
	r := ask(g.token, follow)
	require.Empty(t, r.Errors)
	require.EqualValues(t, 1, at(t, r.Data, "createSubscriptions", "meta", "successful"))
	const own = `{ subscriberSubscriptions(subscriberId: "ada") { nodes { identifier topic { key } } } }`
	r = ask(g.token, own)
	require.Empty(t, r.Errors)
	require.Len(t, at(t, r.Data, "subscriberSubscriptions", "nodes"), 1)
	named := strings.Replace(follow, `{subscriberId: "ada"}`, `{subscriberId: "ada", identifier: "tk=news:si=ada"}`, 1)
	require.Empty(t, ask(g.token, named).Errors, "its identifier as it is made")

	bound := g.tokenFor(t, &[]string{"tenant:acme"}[0])
	r = ask(bound, own)
	require.Empty(t, r.Errors)
	require.Empty(t, at(t, r.Data, "subscriberSubscriptions", "nodes"), "of another context set")
	for operation, code := range map[string]string{
		strings.ReplaceAll(follow, "news", "unheard"):                                                                                      "NOT_FOUND",
		strings.Replace(named, "si=ada", "si=bob", 1):                                                                                      "FORBIDDEN",
		strings.ReplaceAll(follow, "ada", "bob"):                                                                                           "FORBIDDEN",
		strings.Replace(follow, `"news",`, `"news", name: "Mine",`, 1):                                                                     "FORBIDDEN",
		strings.Replace(follow, `{subscriberId: "ada"}`, `{subscriberId: "ada"}, {subscriberId: "b"}`, 1):                                  "FORBIDDEN",
		`mutation { deleteSubscriptions(input: {topicKey: "news", subscriptions: [{identifier: "tk=news:si=ada"}]}) { meta { failed } } }`: "FORBIDDEN",
		`mutation { deleteSubscriptions(input: {topicKey: "news", subscriptions: [{subscriberId: "bob"}]}) { meta { failed } } }`:          "FORBIDDEN",
	} {
		require.Equal(t, code, ask(g.token, operation).code(), operation)
	}
	require.Equal(t, "FORBIDDEN", ask(bound, strings.Replace(follow, `"news",`, `"news", context: {tenant: "other"},`, 1)).code())

	const unfollow = `mutation { deleteSubscriptions(input: {topicKey: "news", subscriptions: [{subscriberId: "ada"}]}) { meta { successful failed } } }`
	r = ask(bound, unfollow)
	require.Empty(t, r.Errors)
	require.EqualValues(t, 0, at(t, r.Data, "deleteSubscriptions", "meta", "successful"), "bound to another context set")
	r = ask(g.token, unfollow)
	require.Empty(t, r.Errors)
	require.EqualValues(t, 1, at(t, r.Data, "deleteSubscriptions", "meta", "successful"))
}

// A subscriber names contexts, and neither makes them nor says what is in them: their data is in the messages of others.
func TestSubscribersMakeNoContexts(t *testing.T) {
	t.Parallel()
	g := newGuest(t)
	g.db.Ent.Topic.Create().SetKey("news").ExecX(viewer.InScope(t.Context(), g.mine.Scope))
	told := g.db.Ent.Workflow.Query().FirstX(viewer.InScope(t.Context(), g.mine.Scope)).Identifier
	stored := func() (number int) {
		require.NoError(t, g.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM contexts`).Scan(&number))
		return number
	}
	before := stored()
	for _, operation := range []string{
		`mutation { setGlobalPreferences(input: {subscriberId: "ada", channels: {email: false}, context: CONTEXT}) { preference { enabled } } }`,
		`mutation { updatePreferences(input: {subscriberId: "ada", preferences: [{workflowId: "` + told + `", channels: {email: false}}], context: CONTEXT}) { preferences { enabled } } }`,
		`mutation { createSubscriptions(input: {topicKey: "news", subscriptions: [{subscriberId: "ada"}], context: CONTEXT}) { meta { successful } } }`,
	} {
		for context, code := range map[string]string{
			`{tenant: "globex"}`:                              "",
			`{tenant: {id: "globex"}}`:                        "",
			`{tenant: {id: "globex", data: {name: "Other"}}}`: "FORBIDDEN",
			`{tenant: {id: "globex", data: {}}}`:              "FORBIDDEN",
		} {
			_, r := g.askAs(t, "Bearer "+g.token, strings.Replace(operation, "CONTEXT", context, 1))
			require.Equal(t, code, r.code(), "%s %s", operation, context)
		}
	}
	require.Equal(t, before, stored())
}

func TestSubscriberCredentials(t *testing.T) {
	t.Parallel()
	g := newGuest(t)
	const own = `{ inbox { subscriber { subscriberId } } }`
	admin := viewer.NewContext(t.Context(), viewer.Viewer{Scope: g.mine.Scope, Role: viewer.RoleAdmin})
	refused := func(authorization string) {
		t.Helper()
		status, r := g.askAs(t, authorization, own)
		require.Equal(t, 401, status)
		require.Equal(t, "UNAUTHENTICATED", r.code())
	}
	refused("Bearer " + g.token[:len(g.token)-2])
	refused("Bearer cst_")
	refused("Bearer anything")
	expired, err := auth.SubscriberToken{
		EnvironmentID: g.mine.Scope.EnvironmentID, SubscriberID: g.ada.ID, IssuedAt: time.Now(), ExpiresAt: time.Now().Add(-time.Second),
	}.Seal(g.keeper, "")
	require.NoError(t, err)
	refused("Bearer " + expired)

	hash := func(secret string) string {
		return auth.SubscriberCredential(g.mine.Scope.EnvironmentID, "ada", auth.SubscriberHash([]byte(secret), "ada"))
	}
	_, err = g.db.Pool.Exec(t.Context(), `UPDATE environments SET inbox_secret = NULL`)
	require.NoError(t, err)
	refused(hash("")) // without a secret nothing is proven
	first, err := g.services.SubscriberTokens.RotateInboxSecret(admin)
	require.NoError(t, err)
	_, r := g.askAs(t, hash(first), own)
	require.Equal(t, "ada", at(t, r.Data, "inbox", "subscriber", "subscriberId"))
	refused(auth.SubscriberCredential(g.mine.Scope.EnvironmentID, "bob", auth.SubscriberHash([]byte(first), "ada")))
	_, err = g.services.SubscriberTokens.RotateInboxSecret(admin)
	require.NoError(t, err)
	refused(hash(first))

	_, err = g.services.SubscriberTokens.Revoke(admin, "ada")
	require.NoError(t, err)
	refused("Bearer " + g.token)
	_, r = g.askAs(t, "Bearer "+g.tokenFor(t, nil), own)
	require.Empty(t, r.Errors, "a token made afterwards counts")
	g.db.Ent.Subscriber.UpdateOne(g.ada).SetDeleted(true).ExecX(viewer.InScope(t.Context(), g.mine.Scope))
	refused("Bearer " + g.tokenFor(t, nil))
}
