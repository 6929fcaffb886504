package auth_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// urlAlphabet is base64's for URLs. The neighbour of a character in it differs in the lowest bit, which the last one of a
// token may not use.
const urlAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// alterations are a text with one character changed, for every one of them.
func alterations(text string) (all []string) {
	for at, character := range []byte(text) {
		other := byte('A')
		if i := strings.IndexByte(urlAlphabet, character); i >= 0 {
			other = urlAlphabet[i^1]
		}
		all = append(all, text[:at]+string(other)+text[at+1:])
	}
	return all
}

// withSecrets is the bundle's authenticator as one server has it.
func (b *bundle) withSecrets(t *testing.T, keeper *secret.Keeper) *auth.Authenticator {
	t.Helper()
	a := auth.New(auth.Config{DB: b.db, Now: func() time.Time { return b.now }, Logger: slog.New(slog.DiscardHandler), Secrets: keeper})
	t.Cleanup(func() { require.NoError(t, a.Close(context.WithoutCancel(t.Context()))) })
	return a
}

// requireRefused expects each of the headers to be worth nothing.
func requireRefused(t *testing.T, a *auth.Authenticator, headers ...string) {
	t.Helper()
	for _, header := range headers {
		v, err := a.AuthenticateAny(t.Context(), header)
		require.Equal(t, fault.Unauthenticated, fault.KindOf(err), "%s: %v", header, err)
		require.Zero(t, v, header)
	}
}

// elsewhere is another environment of the same organization.
func (b *bundle) elsewhere(t *testing.T) viewer.Scope {
	t.Helper()
	environment := b.db.Ent.Environment.Create().SetName("f").SetIdentifier("f").SetOrganizationID(b.scope.OrganizationID).
		SaveX(viewer.SystemContext(t.Context()))
	return viewer.Scope{OrganizationID: b.scope.OrganizationID, EnvironmentID: environment.ID}
}

func TestSubscriberTokensCannotBeForged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	keeper, other := newKeeper(t), newKeeper(t)
	a := b.withSecrets(t, keeper)
	ada := b.db.Ent.Subscriber.Create().SetSubscriberID("ada").SaveX(viewer.InScope(t.Context(), b.scope))
	says := auth.SubscriberToken{EnvironmentID: b.scope.EnvironmentID, SubscriberID: ada.ID, IssuedAt: b.now, ExpiresAt: b.now.Add(time.Hour)}
	seal := func(keeper *secret.Keeper, says auth.SubscriberToken) string {
		text, err := says.Seal(keeper, "")
		require.NoError(t, err)
		return "Bearer " + text
	}

	// All lengths of base64, of which two leave bits of the last character unused.
	for _, scope := range []string{"", "x", "xy", "xyz"} {
		bound := says
		bound.ContextScope = &scope
		good := seal(keeper, bound)
		v, err := a.AuthenticateAny(t.Context(), good)
		require.NoError(t, err)
		require.Equal(t, viewer.Viewer{Scope: b.scope, Role: viewer.RoleSubscriber, SubscriberID: ada.ID, ExternalID: "ada", ContextScope: &scope}, v)
		for _, altered := range alterations(strings.TrimPrefix(good, "Bearer ")) {
			requireRefused(t, a, "Bearer "+altered)
		}
		requireRefused(t, a, good+"A", good[:len(good)-1], good[:len(good)-4])
		requireRefused(t, b.withSecrets(t, other), good)
	}

	there := says
	there.EnvironmentID = b.elsewhere(t).EnvironmentID
	expired := says
	expired.ExpiresAt = b.now
	requireRefused(t, a, seal(other, says), seal(keeper, there), seal(keeper, expired), "Bearer cst_", "Bearer ")
	good := seal(keeper, says)
	b.now = says.ExpiresAt
	requireRefused(t, a, good)
}

func TestSubscriberHashesCannotBeForged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	keeper, there := newKeeper(t), b.elsewhere(t)
	a := b.withSecrets(t, keeper)
	for _, environment := range []string{b.scope.EnvironmentID, there.EnvironmentID} {
		sealed, err := keeper.Seal([]byte("secret of "+environment), auth.InboxSecretPurpose(environment))
		require.NoError(t, err)
		b.db.Ent.Environment.UpdateOneID(environment).SetInboxSecret(sealed).ExecX(viewer.SystemContext(t.Context()))
	}
	hash := auth.SubscriberHash([]byte("secret of "+b.scope.EnvironmentID), "ada")
	good := auth.SubscriberCredential(b.scope.EnvironmentID, "ada", hash)
	v, err := a.AuthenticateAny(t.Context(), good)
	require.NoError(t, err)
	require.Equal(t, "ada", v.ExternalID)

	for _, altered := range alterations(strings.TrimPrefix(good, "Subscriber ")) {
		requireRefused(t, a, "Subscriber "+altered)
	}
	requireRefused(t, a, good+"0", good[:len(good)-1],
		auth.SubscriberCredential(b.scope.EnvironmentID, "ada", ""),
		auth.SubscriberCredential(b.scope.EnvironmentID, "ada", auth.SubscriberHash(nil, "ada")),
		auth.SubscriberCredential(b.scope.EnvironmentID, "bob", hash),
		auth.SubscriberCredential(there.EnvironmentID, "ada", hash),
		auth.SubscriberCredential(b.scope.EnvironmentID, "ada\x00", hash),
		auth.SubscriberCredential(b.scope.EnvironmentID, "\xff", hash))
	require.Equal(t, 1, b.db.Ent.Subscriber.Query().CountX(viewer.SystemContext(t.Context())), "no guess makes a subscriber")
}

func TestSessionTokensCannotBeForged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.withSecrets(t, newKeeper(t))
	system, token := viewer.SystemContext(t.Context()), auth.NewSessionToken("")
	person := b.db.Ent.User.Create().SetEmail("ada@example.org").SaveX(system)
	b.db.Ent.Member.Create().SetOrganizationID(b.scope.OrganizationID).SetUserID(person.ID).SetRole(member.RoleViewer).ExecX(system)
	session := b.db.Ent.Session.Create().SetEnvironmentID(b.scope.EnvironmentID).SetUserID(person.ID).SetHash(auth.HashKey(token)).
		SetExpiresAt(b.now.Add(time.Hour)).SaveX(system)
	enters := func() {
		t.Helper()
		v, err := a.AuthenticateAny(t.Context(), "Bearer "+token)
		require.NoError(t, err)
		require.Equal(t, viewer.Viewer{Scope: b.scope, Role: viewer.RoleViewer, UserID: person.ID, SessionID: session.ID, Name: person.Email}, v)
	}
	enters()
	for _, altered := range alterations(token) {
		requireRefused(t, a, "Bearer "+altered)
	}
	requireRefused(t, a, "Bearer "+token+"A", "Bearer "+token[:len(token)-1], "Bearer "+strings.ToLower(token), "ApiKey "+token, "Bearer crs_",
		"Bearer "+auth.NewSessionToken(""))

	begin := b.now
	b.now = session.ExpiresAt.Add(-time.Microsecond)
	enters()
	b.now = session.ExpiresAt
	requireRefused(t, a, "Bearer "+token)
	b.now = begin
	enters()
	b.db.Ent.Session.UpdateOne(session).SetRevokedAt(b.now).ExecX(system)
	requireRefused(t, a, "Bearer "+token)
}
