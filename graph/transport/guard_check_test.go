package transport

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/viewer"
)

// credentials are an environment's, in a database of its own.
type credentials struct {
	t      *testing.T
	db     *postgres.DB
	keeper *secret.Keeper
	scope  viewer.Scope
	auth   *auth.Authenticator
	hub    *realtime.Hub
}

func newCredentials(t *testing.T) *credentials {
	t.Helper()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	c := &credentials{t: t, db: pgtest.New(t), keeper: keeper}
	ctx := viewer.SystemContext(t.Context())
	organization := c.db.Ent.Organization.Create().SetName("o").SaveX(ctx)
	environment := c.db.Ent.Environment.Create().SetName("e").SetIdentifier("e").SetOrganizationID(organization.ID).SaveX(ctx)
	c.scope = viewer.Scope{OrganizationID: organization.ID, EnvironmentID: environment.ID}
	c.hub = realtime.NewHub(realtime.Config{Logger: slog.New(slog.DiscardHandler), Poll: time.Hour})
	c.auth = auth.New(auth.Config{DB: c.db, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Secrets: keeper})
	t.Cleanup(func() { _ = c.auth.Close(context.WithoutCancel(t.Context())) }) // a test may have closed the database
	return c
}

func (c *credentials) ctx() context.Context { return viewer.InScope(c.t.Context(), c.scope) }

// key adds an API key and returns its id and its header.
func (c *credentials) key() (keyID, header string) {
	key := auth.NewKey("")
	made := c.db.Ent.APIKey.Create().SetName("k").SetHash(auth.HashKey(key)).SetHint(auth.Hint(key)).SetScopes(viewer.FullGrants.List()).SaveX(c.ctx())
	return made.ID, "ApiKey " + key
}

// logIn adds a person who logged in with a password, and returns the header.
func (c *credentials) logIn(email string) (header string) {
	token := auth.NewSessionToken("")
	user := c.db.Ent.User.Create().SetEmail(email).SetPasswordHash("x").SaveX(viewer.SystemContext(c.t.Context()))
	c.db.Ent.Member.Create().SetOrganizationID(c.scope.OrganizationID).SetUserID(user.ID).SetRole("admin").SaveX(viewer.SystemContext(c.t.Context()))
	c.db.Ent.Session.Create().SetUserID(user.ID).SetHash(auth.HashKey(token)).SetExpiresAt(time.Now().Add(time.Hour)).SaveX(c.ctx())
	return "Bearer " + token
}

func (c *credentials) revoke(keyIDs ...string) {
	for _, keyID := range keyIDs {
		c.db.Ent.APIKey.UpdateOneID(keyID).SetRevokedAt(time.Now()).ExecX(c.ctx())
	}
}

// counted is a session as it begins now. It counts how often it was ended.
func (c *credentials) counted(header string) (*session, *atomic.Int32) {
	ended := &atomic.Int32{}
	v, _ := c.auth.AuthenticateAny(c.t.Context(), header) // of a credential that has ended, a connection's began before that
	return &session{header: header, viewer: v, end: func(error) { ended.Add(1) }}, ended
}

// TestCheckEndsWhoseCredentialEnded: each of any number of connections is checked once, and those alone end whose credential
// is refused.
func TestCheckEndsWhoseCredentialEnded(t *testing.T) {
	t.Parallel()
	c := newCredentials(t)
	g := newGuard(c.auth, c.hub, nil)
	_, good := c.key()
	keyID, revoked := c.key()
	c.revoke(keyID)
	for _, n := range []int{1, concurrentChecks - 1, concurrentChecks, concurrentChecks + 1, 2*concurrentChecks + 1} {
		for first := range 2 {
			var present []*session
			var ended []*atomic.Int32
			for i := range n {
				s, times := c.counted([]string{good, revoked}[(i+first)%2])
				present, ended = append(present, s), append(ended, times)
			}
			g.check(present)
			for i := range present {
				require.Equal(t, int32((i+first)%2), ended[i].Load(), "connection %d of %d", i+1, n)
			}
		}
	}
}

// TestCheckOfEachCredential: keys, log-ins and tokens end a connection once they are refused, and a log-in does when it is
// asked for a second factor or has another role; an outage of the database ends no connection.
func TestCheckOfEachCredential(t *testing.T) {
	t.Parallel()
	c := newCredentials(t)
	g := newGuard(c.auth, c.hub, nil)
	ada := c.db.Ent.Subscriber.Create().SetSubscriberID("ada").SaveX(c.ctx())
	text, err := auth.SubscriberToken{
		EnvironmentID: c.scope.EnvironmentID, SubscriberID: ada.ID, IssuedAt: time.Now().Add(-time.Second), ExpiresAt: time.Now().Add(time.Hour),
	}.Seal(c.keeper, "")
	require.NoError(t, err)
	keyID, key := c.key()
	names := []string{"key", "token", "log-in"}
	sessions, times := make([]*session, len(names)), make([]*atomic.Int32, len(names))
	for i, header := range []string{key, "Bearer " + text, c.logIn("ada@example.com")} {
		sessions[i], times[i] = c.counted(header)
	}
	ends := func() (ended []string) {
		for i, s := range sessions {
			times[i].Store(0)
			if g.check([]*session{s}); times[i].Load() > 0 {
				ended = append(ended, names[i])
			}
		}
		return ended
	}
	system := viewer.SystemContext(t.Context())
	organization := c.db.Ent.Organization.UpdateOneID(c.scope.OrganizationID)
	require.Empty(t, ends())
	organization.SetRequireSecondFactor(true).ExecX(system)
	require.Equal(t, []string{"log-in"}, ends(), "it may set up a second factor, and nothing else")
	c.db.Ent.Organization.UpdateOneID(c.scope.OrganizationID).SetRequireSecondFactor(false).ExecX(system)
	for _, role := range []member.Role{member.RoleViewer, member.RoleOwner} {
		c.db.Ent.Member.Update().SetRole(role).ExecX(system)
		require.Equal(t, []string{"log-in"}, ends(), "as %s it has other rights than the connection began with", role)
	}
	c.db.Ent.Member.Update().SetRole(member.RoleAdmin).ExecX(system)
	require.Empty(t, ends())
	c.revoke(keyID)
	require.Equal(t, []string{"key"}, ends())
	c.db.Ent.Subscriber.UpdateOneID(ada.ID).SetTokensValidAfter(time.Now()).ExecX(c.ctx())
	require.Equal(t, []string{"key", "token"}, ends())
	c.db.Ent.Session.Update().SetRevokedAt(time.Now()).ExecX(c.ctx())
	require.Equal(t, names, ends())
	_, key = c.key()
	sessions[0], times[0] = c.counted(key)
	c.db.Ent.Environment.UpdateOneID(c.scope.EnvironmentID).SetSuspended(true).ExecX(system)
	require.Equal(t, names, ends(), "a good key of what is suspended")
	c.db.Close()
	require.Empty(t, ends(), "it is not known whether they ended")
}

// TestGuardFollowsItsEnvironment: a change of the environment's keys ends the connections of revoked ones and no other, one of
// another environment's keys does nothing, and the watch ends with the last connection.
func TestGuardFollowsItsEnvironment(t *testing.T) {
	t.Parallel()
	c := newCredentials(t)
	l := live{auth: c.auth, guard: newGuard(c.auth, c.hub, nil)}
	admit := func(header string) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		admitted, err := l.admit(ctx, header)
		require.NoError(t, err)
		return admitted, cancel
	}
	keyID, first := c.key()
	_, second := c.key()
	ended, endOther := admit(first)
	defer endOther()
	stays, leave := admit(second)
	defer leave()
	require.Equal(t, 1, c.hub.Watching(), "one for the environment")
	v, _ := viewer.FromContext(stays)
	require.Equal(t, c.scope, v.Scope)

	c.hub.Publish(realtime.Access(c.scope.EnvironmentID))
	c.revoke(keyID)
	c.hub.Publish(realtime.Access("other"), realtime.Access(c.scope.EnvironmentID))
	<-ended.Done()
	require.ErrorIs(t, context.Cause(ended), errCredential)
	require.NoError(t, stays.Err())
	_, err := l.admit(t.Context(), first)
	require.Error(t, err)

	leave()
	require.Eventually(t, func() bool {
		c.hub.Publish(realtime.Access(c.scope.EnvironmentID))
		return c.hub.Watching() == 0
	}, stall.Limit(time.Minute), time.Millisecond)
}

// TestRevokedWhileAdmitted: a credential that ends between its check and its guarding ends the connection at once.
func TestRevokedWhileAdmitted(t *testing.T) {
	t.Parallel()
	c := newCredentials(t)
	g := newGuard(c.auth, c.hub, nil)
	other, _ := c.counted("")
	g.sessions[c.scope.EnvironmentID] = map[*session]struct{}{other: {}} // its goroutine is there already
	keyID, header := c.key()
	var once sync.Once
	after := auth.New(auth.Config{DB: c.db, Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { // asked for once the key was found
		once.Do(func() {
			c.revoke(keyID)
			g.present(c.scope.EnvironmentID)
		})
		return time.Now()
	}})
	t.Cleanup(func() { require.NoError(t, after.Close(context.WithoutCancel(t.Context()))) })
	g.auth = after
	ctx, err := live{auth: after, guard: g}.admit(t.Context(), header)
	require.NoError(t, err)
	require.ErrorIs(t, context.Cause(ctx), errCredential)
}
