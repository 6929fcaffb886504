package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/viewer"
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

		b.must(t, `mutation($id: ID!) { revokeApiKey(id: $id) { apiKey { revokedAt } } }`, map[string]any{"id": id})
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
			r := b.ask(t, b.key, `mutation($id: ID!) { `+verb+`ApiKey(id: $id) { apiKey { id } } }`, map[string]any{"id": id})
			require.Equal(t, "LAST_API_KEY", r.code())
		}
		b.must(t, createKey, map[string]any{"name": "another"})
		b.must(t, `mutation($id: ID!) { deleteApiKey(id: $id) { deletedId } }`, map[string]any{"id": id})
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
		owner := b.owner(t)
		env := at(t, b.mustWith(t, owner, `mutation { createEnvironment(input: {identifier: "live", type: PRODUCTION}) { environment { id internalId type name } } }`, nil), "createEnvironment", "environment")
		require.Equal(t, "PRODUCTION", at(t, env, "type"))
		made := at(t, b.mustWith(t, owner, createKey, map[string]any{"name": "live key", "env": at(t, env, "id")}), "createApiKey")
		require.Equal(t, at(t, env, "internalId"), at(t, made, "apiKey", "environmentId"))
		other := b.ask(t, at(t, made, "key").(string), `{ currentEnvironment { identifier } apiKeys { nodes { name } } }`, nil)
		require.Equal(t, "live", at(t, other.Data, "currentEnvironment", "identifier"))
		require.Len(t, at(t, other.Data, "apiKeys", "nodes"), 1)

		id := at(t, made, "apiKey", "id")
		_, r := b.askWith(t, owner, `query($id: ID!) { apiKey(id: $id) { id } }`, map[string]any{"id": id})
		require.Equal(t, "NOT_FOUND", r.code(), "without naming its environment")
		b.mustWith(t, owner, `query($id: ID!, $env: ID) { apiKey(id: $id, environmentId: $env) { id } }`, map[string]any{"id": id, "env": at(t, env, "id")})
	})

	t.Run("OfItsEnvironmentOnly", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		owner := b.owner(t)
		env := at(t, b.mustWith(t, owner, `mutation { createEnvironment(input: {identifier: "live"}) { environment { id } } }`, nil), "createEnvironment", "environment", "id")
		id := at(t, b.mustWith(t, owner, createKey, map[string]any{"name": "k", "env": env}), "createApiKey", "apiKey", "id")
		for _, do := range []string{
			`mutation($env: ID) { createApiKey(input: {name: "k", environmentId: $env}) { key } }`,
			`mutation($env: ID, $id: ID!) { updateApiKey(input: {id: $id, environmentId: $env, name: "mine"}) { apiKey { id } } }`,
			`mutation($env: ID, $id: ID!) { revokeApiKey(id: $id, environmentId: $env) { apiKey { id } } }`,
			`mutation($env: ID, $id: ID!) { deleteApiKey(id: $id, environmentId: $env) { deletedId } }`,
			`query($env: ID) { apiKeys(environmentId: $env) { totalCount } }`,
			`query($env: ID, $id: ID!) { apiKey(id: $id, environmentId: $env) { id } }`,
			`mutation($env: ID!) { deleteEnvironment(id: $env, name: "live") { deletedId } }`,
			`mutation($env: ID!) { updateEnvironment(input: {id: $env, suspended: true}) { environment { id } } }`,
			`query($env: ID!) { environment(id: $env) { id } }`,
			`{ environmentByIdentifier(identifier: "live") { id } }`,
		} {
			require.Equal(t, "NOT_FOUND", b.ask(t, b.key, do, map[string]any{"env": env, "id": id}).code(), do)
		}
		got := b.must(t, `query($env: ID!, $id: ID!) { env: node(id: $env) { id } key: node(id: $id) { id } environments { nodes { identifier } } }`, map[string]any{"env": env, "id": id})
		require.Nil(t, got["env"])
		require.Nil(t, got["key"])
		require.Equal(t, []any{map[string]any{"identifier": "development"}}, at(t, got, "environments", "nodes"))
	})

	t.Run("NotTheOrganizationOrItsPeople", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, userID := loggedIn(t, b.db, b.scope(t), member.RoleOwner)
		person := b.db.Ent.User.GetX(viewer.SystemContext(t.Context()), userID)
		membership := b.db.Ent.Member.Query().OnlyX(viewer.SystemContext(t.Context()))
		about := map[string]any{"user": userID, "member": membership.ID, "email": person.Email, "org": membership.OrganizationID}
		for do, code := range map[string]string{
			`query($email: String!) { userByEmail(email: $email) { id } }`:                                               "NOT_FOUND",
			`query($user: ID!) { user(id: $user) { id } }`:                                                               "NOT_FOUND",
			`query($user: ID!) { memberByUser(userId: $user) { id } }`:                                                   "NOT_FOUND",
			`query($org: ID!) { organization(id: $org) { id } }`:                                                         "NOT_FOUND",
			`{ currentOrganization { id } }`:                                                                             "NOT_FOUND",
			`mutation($org: ID!) { updateOrganization(input: {id: $org, name: "Mine"}) { organization { id } } }`:        "NOT_FOUND",
			`mutation($member: ID!) { updateMember(input: {id: $member, role: VIEWER}) { member { id } } }`:              "NOT_FOUND",
			`mutation($member: ID!) { deleteMember(id: $member) { deletedId } }`:                                         "NOT_FOUND",
			`mutation($user: ID!) { updateUser(input: {id: $user, firstName: "X"}) { user { id } } }`:                    "NOT_FOUND",
			`mutation($user: ID!) { deleteUser(id: $user) { deletedId } }`:                                               "NOT_FOUND",
			`mutation { createInvitation(input: {email: "eve@example.org", role: ADMIN}) { token } }`:                    "FORBIDDEN",
			`mutation($user: ID!) { createPasswordReset(userId: $user) { token } }`:                                      "NOT_FOUND",
			`mutation($user: ID!) { endLogIns(userId: $user) { user { id } } }`:                                          "NOT_FOUND",
			`{ invitations { totalCount } }`:                                                                             "NOT_FOUND",
			`{ auditEntries(organization: true) { totalCount } }`:                                                        "FORBIDDEN",
			`mutation { beginSecondFactor(password: "x") { secret } }`:                                                   "FORBIDDEN",
			`mutation { createEnvironment(input: {identifier: "mine"}) { environment { id } } }`:                         "FORBIDDEN",
			`mutation { setPassword(input: {password: "correct horse battery", currentPassword: "x"}) { user { id } } }`: "FORBIDDEN",
			`mutation { logOut(everywhere: true) { loggedOut } }`:                                                        "FORBIDDEN",
		} {
			require.Equal(t, code, b.ask(t, b.key, do, about).code(), do)
		}
		got := b.must(t, `{ members { totalCount } users { totalCount } organizations { totalCount } }`, nil)
		for _, list := range []string{"members", "users", "organizations"} {
			require.EqualValues(t, 0, at(t, got, list, "totalCount"), list)
		}
	})

	t.Run("NoMoreThanItsMaker", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		keys := keyWith(t, b.db, b.scope(t), viewer.GrantsOf(viewer.GrantKeys, viewer.GrantContentRead))
		made := b.mustWith(t, keys, createKey, map[string]any{"name": "same"})
		key := "ApiKey " + at(t, made, "createApiKey", "key").(string)
		b.mustWith(t, key, `{ workflows { totalCount } }`, nil)
		_, r := b.askWith(t, key, `mutation { createTopic(input: {key: "news"}) { topic { id } } }`, nil)
		require.Equal(t, "FORBIDDEN", r.code())
		require.Equal(t, "This needs a key with the scope audience.", r.Errors[0].Message)
	})
}

func TestEnvironments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.owner(t)
	own := at(t, b.mustWith(t, owner, `{ environmentByIdentifier(identifier: "development") { id } }`, nil), "environmentByIdentifier", "id")
	_, r := b.askWith(t, owner, `mutation { createEnvironment(input: {identifier: "Not good", defaultLocale: "?"}) { environment { id } } }`, nil)
	require.Equal(t, "VALIDATION", r.code())
	require.Len(t, r.Errors[0].Extensions["fields"], 2, "all problems together")
	_, r = b.askWith(t, owner, `mutation { createEnvironment(input: {identifier: "development"}) { environment { id } } }`, nil)
	require.Equal(t, "ALREADY_EXISTS", r.code())
	for _, change := range []string{`deleteEnvironment(id: %q, name: "Development") { deletedId }`, `updateEnvironment(input: {id: %q, suspended: true}) { environment { id } }`} {
		_, r = b.askWith(t, owner, "mutation {"+fmt.Sprintf(change, own)+"}", nil)
		require.Equal(t, "OWN_ENVIRONMENT", r.code())
	}

	other := at(t, b.mustWith(t, owner, `mutation { createEnvironment(input: {identifier: "other"}) { environment { id } } }`, nil), "createEnvironment", "environment", "id")
	key := at(t, b.mustWith(t, owner, createKey, map[string]any{"name": "k", "env": other}), "createApiKey", "key").(string)
	b.mustWith(t, owner, `mutation($id: ID!) { updateEnvironment(input: {id: $id, suspended: true, name: "Other"}) { environment { name suspended } } }`, map[string]any{"id": other})
	require.Equal(t, "FORBIDDEN", b.ask(t, key, `{ currentEnvironment { id } }`, nil).code())
	b.mustWith(t, owner, `mutation($id: ID!) { updateEnvironment(input: {id: $id, suspended: false}) { environment { suspended } } }`, map[string]any{"id": other})
	require.Empty(t, b.ask(t, key, `mutation { createTopic(input: {key: "t"}) { topic { id } } }`, nil).Errors)
	b.mustWith(t, owner, `mutation($id: ID!) { deleteEnvironment(id: $id, name: "Other") { deletedId } }`, map[string]any{"id": other})
	require.Equal(t, "UNAUTHENTICATED", b.ask(t, key, `{ currentEnvironment { id } }`, nil).code())
	var rows int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM topics").Scan(&rows))
	require.Zero(t, rows)
}

func TestPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, _ := loggedIn(t, b.db, b.scope(t), member.RoleAdmin)
	const invite = `mutation($email: String!, $role: MemberRole!) { createInvitation(input: {email: $email, role: $role}) { token url mailed invitation { id email role invitedBy } } }`
	made := at(t, b.mustWith(t, admin, invite, map[string]any{"email": " Ada@Example.org ", "role": "EDITOR"}), "createInvitation")
	require.Equal(t, "ada@example.org", at(t, made, "invitation", "email"))
	_, r := b.askWith(t, admin, invite, map[string]any{"email": "eve@example.org", "role": "OWNER"})
	require.Equal(t, "ABOVE_OWN_RANK", r.code())

	// The token is the credential; whoever comes without one brings it along.
	token := map[string]any{"token": at(t, made, "token")}
	offer := b.mustWith(t, "", `query($token: String!) { invitationOffer(token: $token) { organizationName email role invitedBy } }`, token)
	require.Equal(t, "EDITOR", at(t, offer, "invitationOffer", "role"))
	got := b.mustWith(t, "", `mutation($token: String!) { acceptInvitation(input: {token: $token, password: "correct horse battery", firstName: "Ada"}) { email role environmentId } }`, token)
	require.Equal(t, "ada@example.org", at(t, got, "acceptInvitation", "email"))
	_, r = b.askWith(t, admin, invite, map[string]any{"email": "ada@example.org", "role": "VIEWER"})
	require.Equal(t, "ALREADY_EXISTS", r.code())

	got = b.mustWith(t, admin, `{ members(filter: {roleIn: [EDITOR]}) { nodes { id user { id firstName secondFactorAt } } } userByEmail(email: "ADA@example.org") { id } invitations { totalCount } }`, nil)
	require.Len(t, at(t, got, "members", "nodes"), 1)
	require.EqualValues(t, 0, at(t, got, "invitations", "totalCount"))
	user := at(t, got, "userByEmail", "id")
	ada := at(t, b.mustWith(t, admin, `query($id: ID!) { memberByUser(userId: $id) { id role } }`, map[string]any{"id": user}), "memberByUser", "id")
	b.mustWith(t, admin, `mutation($id: ID!) { updateMember(input: {id: $id, role: VIEWER}) { member { role user { email } } } }`, map[string]any{"id": ada})
	_, r = b.askWith(t, admin, `mutation($id: ID!) { updateUser(input: {id: $id, lastName: "X"}) { user { id } } }`, map[string]any{"id": user})
	require.Equal(t, "FORBIDDEN", r.code())
	self := b.token(t, "ada@example.org", "correct horse battery")
	b.mustWith(t, self, `mutation($id: ID!) { updateUser(input: {id: $id, lastName: "Lovelace", firstName: null}) { user { firstName lastName } } }`, map[string]any{"id": user})

	link := at(t, b.mustWith(t, admin, `mutation($id: ID!) { createPasswordReset(userId: $id) { token url user { email } } }`, map[string]any{"id": user}), "createPasswordReset")
	reset := b.mustWith(t, "", `mutation($token: String!) { resetPassword(input: {token: $token, password: "another long one"}) { email } }`, map[string]any{"token": at(t, link, "token")})
	require.Equal(t, "ada@example.org", at(t, reset, "resetPassword", "email"))
	status, _ := b.askWith(t, self, `{ viewer { role } }`, nil)
	require.Equal(t, http.StatusUnauthorized, status)
	_, r = b.askWith(t, "", `mutation { requestPasswordReset(email: "unknown@example.org") { accepted } }`, nil)
	require.Equal(t, "NO_MAIL_SENDER", r.code())

	b.mustWith(t, admin, `mutation($id: ID!) { endLogIns(userId: $id) { user { email } } }`, map[string]any{"id": user})
	b.mustWith(t, admin, `mutation($id: ID!) { deleteUser(id: $id) { user { email } } }`, map[string]any{"id": user})
	require.Len(t, at(t, b.mustWith(t, admin, `{ users { nodes { email } } }`, nil), "users", "nodes"), 1)
}

func TestAudit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	topic := at(t, b.must(t, `mutation { createTopic(input: {key: "news"}) { topic { id } } }`, nil), "createTopic", "topic", "id")
	got := b.must(t, `query($id: ID) { auditEntries(filter: {recordId: $id}) { nodes { id action actorType actorName recordType changes } } idempotencyRecords { totalCount } }`, map[string]any{"id": topic})
	entry := at(t, got, "auditEntries", "nodes").([]any)[0]
	require.Equal(t, "create", at(t, entry, "action"))
	require.Equal(t, "API_KEY", at(t, entry, "actorType"))
	require.Equal(t, "First key", at(t, entry, "actorName"))
	require.Equal(t, map[string]any{"key": "news"}, at(t, entry, "changes"))
	node := b.must(t, `query($id: ID!) { node(id: $id) { id ... on AuditEntry { recordType } } }`, map[string]any{"id": at(t, entry, "id")})
	require.Equal(t, "Topic", at(t, node, "node", "recordType"))
}
