package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const createKey = `mutation($name: String!, $env: ID, $end: Time) {
	createApiKey(input: {name: $name, environmentId: $env, expiresAt: $end}) { key apiKey { id hint name environmentId revokedAt } }
}`

func TestAPIKeys(t *testing.T) {
	t.Parallel()

	t.Run("ShownOnceRevokedAtOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		made := at(t, b.must(t, createKey, map[string]any{"name": "second"}), "createApiKey")
		key, id := at(t, made, "key").(string), at(t, made, "apiKey", "id").(string)
		require.True(t, strings.HasPrefix(key, "crl_"))
		require.Len(t, key, 47)
		require.Equal(t, key[43:], at(t, made, "apiKey", "hint"))
		require.Empty(t, b.ask(t, key, `{ currentEnvironment { identifier } }`, nil).Errors)

		b.must(t, `mutation($id: ID!) { revokeApiKey(id: $id) { revokedAt } }`, map[string]any{"id": id})
		require.Equal(t, "UNAUTHENTICATED", b.ask(t, key, `{ currentEnvironment { identifier } }`, nil).code())
		got := b.must(t, `{ apiKeys(filter: {revoked: true}) { totalCount nodes { id } } }`, nil)
		require.EqualValues(t, 1, at(t, got, "apiKeys", "totalCount"))
	})

	t.Run("TheLastKeyCannotLockItselfOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		hint := b.key[len(b.key)-4:]
		id := at(t, b.must(t, `query($hint: String!) { apiKeyByHint(hint: $hint) { id } }`, map[string]any{"hint": hint}), "apiKeyByHint", "id")
		for _, verb := range []string{"revoke", "delete"} {
			r := b.ask(t, b.key, `mutation($id: ID!) { `+verb+`ApiKey(id: $id) { id } }`, map[string]any{"id": id})
			require.Equal(t, "LAST_API_KEY", r.code())
		}
		b.must(t, createKey, map[string]any{"name": "another"})
		b.must(t, `mutation($id: ID!) { deleteApiKey(id: $id) { id } }`, map[string]any{"id": id})
		require.Equal(t, "UNAUTHENTICATED", b.ask(t, b.key, `{ currentEnvironment { id } }`, nil).code())
	})

	t.Run("ExpiryMustLieAhead", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		r := b.ask(t, b.key, createKey, map[string]any{"name": "old", "end": time.Now().Add(-time.Hour).Format(time.RFC3339)})
		require.Equal(t, "VALIDATION", r.code())
		require.Equal(t, []any{"createApiKey"}, r.Errors[0].Path)
		require.Equal(t, "expiresAt", at(t, r.Errors[0].Extensions["fields"].([]any)[0], "path"))
	})

	t.Run("OfAnotherEnvironment", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		env := at(t, b.must(t, `mutation { createEnvironment(input: {identifier: "live", type: PRODUCTION}) { id internalId type name } }`, nil), "createEnvironment")
		require.Equal(t, "PRODUCTION", at(t, env, "type"))
		made := at(t, b.must(t, createKey, map[string]any{"name": "live key", "env": at(t, env, "id")}), "createApiKey")
		require.Equal(t, at(t, env, "internalId"), at(t, made, "apiKey", "environmentId"))
		other := b.ask(t, at(t, made, "key").(string), `{ currentEnvironment { identifier } apiKeys { nodes { name } } }`, nil)
		require.Equal(t, "live", at(t, other.Data, "currentEnvironment", "identifier"))
		require.Len(t, at(t, other.Data, "apiKeys", "nodes"), 1)

		id := at(t, made, "apiKey", "id")
		r := b.ask(t, b.key, `query($id: ID!) { apiKey(id: $id) { id } }`, map[string]any{"id": id})
		require.Equal(t, "NOT_FOUND", r.code(), "without naming its environment")
		b.must(t, `query($id: ID!, $env: ID) { apiKey(id: $id, environmentId: $env) { id } }`, map[string]any{"id": id, "env": at(t, env, "id")})
	})
}

func TestEnvironments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	own := at(t, b.must(t, `{ environmentByIdentifier(identifier: "development") { id } }`, nil), "environmentByIdentifier", "id")
	r := b.ask(t, b.key, `mutation { createEnvironment(input: {identifier: "Not good", defaultLocale: "?"}) { id } }`, nil)
	require.Equal(t, "VALIDATION", r.code())
	require.Len(t, r.Errors[0].Extensions["fields"], 2, "all problems together")
	r = b.ask(t, b.key, `mutation { createEnvironment(input: {identifier: "development"}) { id } }`, nil)
	require.Equal(t, "ALREADY_EXISTS", r.code())
	for _, change := range []string{`deleteEnvironment(id: %q) { id }`, `updateEnvironment(input: {id: %q, suspended: true}) { id }`} {
		r = b.ask(t, b.key, "mutation {"+fmt.Sprintf(change, own)+"}", nil)
		require.Equal(t, "OWN_ENVIRONMENT", r.code())
	}

	other := at(t, b.must(t, `mutation { createEnvironment(input: {identifier: "other"}) { id } }`, nil), "createEnvironment", "id")
	key := at(t, b.must(t, createKey, map[string]any{"name": "k", "env": other}), "createApiKey", "key").(string)
	b.must(t, `mutation($id: ID!) { updateEnvironment(input: {id: $id, suspended: true, name: "Other"}) { name suspended } }`, map[string]any{"id": other})
	require.Equal(t, "FORBIDDEN", b.ask(t, key, `{ currentEnvironment { id } }`, nil).code())
	b.must(t, `mutation($id: ID!) { updateEnvironment(input: {id: $id, suspended: false}) { suspended } }`, map[string]any{"id": other})
	require.Empty(t, b.ask(t, key, `mutation { createTopic(input: {key: "t"}) { id } }`, nil).Errors)
	b.must(t, `mutation($id: ID!) { deleteEnvironment(id: $id) { id } }`, map[string]any{"id": other})
	require.Equal(t, "UNAUTHENTICATED", b.ask(t, key, `{ currentEnvironment { id } }`, nil).code())
	var rows int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(),
		"SELECT (SELECT count(*) FROM topics) + (SELECT count(*) FROM audit_entries WHERE environment_id NOT IN (SELECT id FROM environments))").Scan(&rows))
	require.Zero(t, rows)
}

func TestPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const create = `mutation($email: String!, $role: MemberRole) { createMember(input: {email: $email, firstName: "Ada", role: $role}) { id role user { id email firstName } } }`
	owner := at(t, b.must(t, create, map[string]any{"email": " Ada@Example.org ", "role": "OWNER"}), "createMember")
	require.Equal(t, "ada@example.org", at(t, owner, "user", "email"))
	require.Equal(t, "ALREADY_EXISTS", b.ask(t, b.key, create, map[string]any{"email": "ada@example.org"}).code())
	require.Equal(t, "FORBIDDEN", b.ask(t, b.key, create, map[string]any{"email": "eve@example.org", "role": "OWNER"}).code(), "only an owner names the second one")
	viewer := at(t, b.must(t, create, map[string]any{"email": "eve@example.org"}), "createMember")
	require.Equal(t, "VIEWER", at(t, viewer, "role"))

	got := b.must(t, `{ members(filter: {roleIn: [OWNER]}) { nodes { user { firstName } } } userByEmail(email: "ADA@example.org") { id } }`, nil)
	require.Len(t, at(t, got, "members", "nodes"), 1)
	user := at(t, got, "userByEmail", "id")
	b.must(t, `query($id: ID!) { memberByUser(userId: $id) { role } }`, map[string]any{"id": user})
	b.must(t, `mutation($id: ID!) { updateMember(input: {id: $id, role: EDITOR}) { role user { email } } }`, map[string]any{"id": at(t, viewer, "id")})
	b.must(t, `mutation($id: ID!) { updateUser(input: {id: $id, lastName: "Lovelace", firstName: null}) { firstName lastName } }`, map[string]any{"id": user})
	require.Equal(t, "FORBIDDEN", b.ask(t, b.key, `mutation($id: ID!) { deleteMember(id: $id) { id } }`, map[string]any{"id": at(t, owner, "id")}).code())
	b.must(t, `mutation($id: ID!) { deleteUser(id: $id) { email } }`, map[string]any{"id": at(t, viewer, "user", "id")})
	require.Len(t, at(t, b.must(t, `{ users { nodes { email } } }`, nil), "users", "nodes"), 1)
}

func TestAudit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	topic := at(t, b.must(t, `mutation { createTopic(input: {key: "news"}) { id } }`, nil), "createTopic", "id")
	got := b.must(t, `query($id: ID) { auditEntries(filter: {recordId: $id}) { nodes { id action actorType recordType changes } } idempotencyRecords { totalCount } }`, map[string]any{"id": topic})
	entry := at(t, got, "auditEntries", "nodes").([]any)[0]
	require.Equal(t, "create", at(t, entry, "action"))
	require.Equal(t, "api_key", at(t, entry, "actorType"))
	require.Equal(t, map[string]any{"key": "news"}, at(t, entry, "changes"))
	node := b.must(t, `query($id: ID!) { node(id: $id) { id ... on AuditEntry { recordType } } }`, map[string]any{"id": at(t, entry, "id")})
	require.Equal(t, "Topic", at(t, node, "node", "recordType"))
}
