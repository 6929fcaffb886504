package graph_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// loggedIn makes a member of an organization who is logged in to an environment of it, and returns the log-in as an
// Authorization header and the person's id.
func loggedIn(t *testing.T, db *postgres.DB, scope viewer.Scope, role member.Role) (authorization, userID string) {
	t.Helper()
	ctx := viewer.SystemContext(t.Context())
	person := db.Ent.User.Create().SetEmail(string(role) + id.New(time.Now()) + "@example.org").SaveX(ctx)
	db.Ent.Member.Create().SetOrganizationID(scope.OrganizationID).SetUserID(person.ID).SetRole(role).ExecX(ctx)
	token := auth.NewSessionToken("")
	db.Ent.Session.Create().SetEnvironmentID(scope.EnvironmentID).SetUserID(person.ID).SetHash(auth.HashKey(token)).
		SetExpiresAt(time.Now().Add(24 * time.Hour)).ExecX(ctx)
	return "Bearer " + token, person.ID
}

// keyWith makes a key of an environment and returns it as an Authorization header.
func keyWith(t *testing.T, db *postgres.DB, scope viewer.Scope, grants viewer.Grants) (authorization string) {
	t.Helper()
	key := auth.NewKey("")
	db.Ent.APIKey.Create().SetName("k").SetHash(auth.HashKey(key)).SetHint(auth.Hint(key)).SetScopes(grants.List()).
		ExecX(viewer.InScope(t.Context(), scope))
	return "ApiKey " + key
}

// owner logs an owner in to the bundle's environment.
func (b *bundle) owner(t *testing.T) (authorization string) {
	t.Helper()
	authorization, _ = loggedIn(t, b.db, b.scope(t), member.RoleOwner)
	return authorization
}

// mustWith is askWith for what has to succeed.
func (b *bundle) mustWith(t *testing.T, authorization, query string, variables map[string]any) map[string]any {
	t.Helper()
	_, r := b.askWith(t, authorization, query, variables)
	require.Empty(t, r.Errors, query)
	return r.Data
}
