package auth_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// bundle is an environment with one key in a database of its own.
type bundle struct {
	db    *postgres.DB
	auth  *auth.Authenticator
	scope viewer.Scope
	keyID string
	key   string
	now   time.Time
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{db: pgtest.New(t), now: time.Now().UTC().Truncate(time.Microsecond)}
	ctx := viewer.SystemContext(t.Context())
	organization := b.db.Ent.Organization.Create().SetName("o").SaveX(ctx)
	environment := b.db.Ent.Environment.Create().SetName("e").SetIdentifier("e").SetOrganizationID(organization.ID).SaveX(ctx)
	b.scope = viewer.Scope{OrganizationID: organization.ID, EnvironmentID: environment.ID}
	b.keyID, b.key = b.addKey(t)
	b.auth = b.open(t)
	return b
}

// open is one process's authenticator.
func (b *bundle) open(t *testing.T) *auth.Authenticator {
	t.Helper()
	a := auth.New(auth.Config{DB: b.db, Now: func() time.Time { return b.now }, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { require.NoError(t, a.Close(context.WithoutCancel(t.Context()))) })
	return a
}

func (b *bundle) addKey(t *testing.T) (id, key string) {
	t.Helper()
	key = auth.NewKey("")
	made := b.db.Ent.APIKey.Create().SetName("k").SetHash(auth.HashKey(key)).SetHint(auth.Hint(key)).SetScopes(viewer.FullGrants.List()).
		SaveX(viewer.InScope(t.Context(), b.scope))
	return made.ID, key
}

func TestAuthenticate(t *testing.T) {
	t.Parallel()

	t.Run("Header", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, header := range []string{"ApiKey " + b.key, "apikey " + b.key, "APIKEY    " + b.key + " ", "  ApiKey " + b.key} {
			v, err := b.auth.Authenticate(t.Context(), header)
			require.NoError(t, err)
			require.Equal(t, viewer.Viewer{Scope: b.scope, Role: viewer.RoleKey, Grants: viewer.FullGrants, APIKeyID: b.keyID, Name: "k"}, v)
		}
		for _, header := range []string{
			"", " ", "ApiKey", "ApiKey ", b.key, "ApiKey" + b.key, "Bearer " + b.key, "Basic " + b.key,
			"ApiKey " + b.key + "x", "ApiKey " + b.key[1:], "ApiKey " + b.key + " " + b.key, "ApiKey \x00",
		} {
			_, err := b.auth.Authenticate(t.Context(), header)
			require.Equal(t, fault.Unauthenticated, fault.KindOf(err), "%q: %v", header, err)
			require.NotContains(t, err.Error(), b.key)
		}
	})

	t.Run("RevokedInEveryProcess", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		other := b.open(t)
		for _, a := range []*auth.Authenticator{b.auth, other} {
			_, err := a.Authenticate(t.Context(), "ApiKey "+b.key)
			require.NoError(t, err)
		}
		b.db.Ent.APIKey.UpdateOneID(b.keyID).SetRevokedAt(b.now).ExecX(viewer.InScope(t.Context(), b.scope))
		for _, a := range []*auth.Authenticator{b.auth, other} {
			_, err := a.Authenticate(t.Context(), "ApiKey "+b.key)
			require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
		}
	})

	t.Run("Expired", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.db.Ent.APIKey.UpdateOneID(b.keyID).SetExpiresAt(b.now).ExecX(viewer.InScope(t.Context(), b.scope))
		_, err := b.auth.Authenticate(t.Context(), "ApiKey "+b.key)
		require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
	})

	t.Run("Suspended", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ctx := viewer.SystemContext(t.Context())
		b.db.Ent.Environment.UpdateOneID(b.scope.EnvironmentID).SetSuspended(true).ExecX(ctx)
		_, err := b.auth.Authenticate(t.Context(), "ApiKey "+b.key)
		require.Equal(t, fault.Forbidden, fault.KindOf(err))
		require.EqualError(t, err, "This environment is suspended.")
		b.db.Ent.Environment.UpdateOneID(b.scope.EnvironmentID).SetSuspended(false).ExecX(ctx)
		b.db.Ent.Organization.UpdateOneID(b.scope.OrganizationID).SetSuspended(true).ExecX(ctx)
		_, err = b.auth.Authenticate(t.Context(), "ApiKey "+b.key)
		require.EqualError(t, err, "This organization is suspended.")
	})

	t.Run("Moved", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for move, want := range map[string]struct {
			kind    fault.Kind
			message string
		}{
			"leaving":  {fault.Unavailable, "The organization is being moved to another cell. Retry later."},
			"arriving": {fault.Unavailable, "The organization is being moved to another cell. Retry later."},
			"moved":    {fault.Unauthenticated, "The organization has moved to cell us. Send its requests there."},
		} {
			_, err := b.db.Pool.Exec(t.Context(), `UPDATE organizations SET move = $1, moved_to = 'cell us'`, move)
			require.NoError(t, err)
			_, err = b.auth.Authenticate(t.Context(), "ApiKey "+b.key)
			require.Equal(t, want.kind, fault.KindOf(err), move)
			require.EqualError(t, err, want.message, move)
		}
	})

	t.Run("DatabaseAway", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.db.Pool.Exec(t.Context(), "ALTER TABLE api_keys RENAME TO hidden")
		require.NoError(t, err)
		_, err = b.auth.Authenticate(t.Context(), "ApiKey "+b.key)
		require.Equal(t, fault.Internal, fault.KindOf(err), "not the caller's fault: never 401")
	})

	t.Run("CallerLeft", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := b.auth.Authenticate(ctx, "ApiKey "+b.key)
		if err != nil { // it may have been answered before
			require.Equal(t, fault.Unavailable, fault.KindOf(err))
		}
	})

	t.Run("ManyAtOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		keys := map[string]string{b.key: b.keyID}
		for range 9 {
			id, key := b.addKey(t)
			keys[key] = id
		}
		var wait sync.WaitGroup
		problems := make(chan string, 1000)
		for key, id := range keys {
			for range 30 {
				wait.Go(func() {
					if v, err := b.auth.Authenticate(t.Context(), "ApiKey "+key); err != nil || v.APIKeyID != id {
						problems <- fmt.Sprintf("%s for %s: %v", v.APIKeyID, id, err)
					}
					if _, err := b.auth.Authenticate(t.Context(), "ApiKey "+key+"?"); fault.KindOf(err) != fault.Unauthenticated {
						problems <- "a wrong key was let in"
					}
				})
			}
		}
		wait.Wait()
		close(problems)
		require.Empty(t, problems, "every caller gets its own key's viewer")
	})
}

func TestLastUse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := viewer.InScope(t.Context(), b.scope)
	begin := b.now
	for range 3 {
		_, err := b.auth.Authenticate(t.Context(), "ApiKey "+b.key)
		require.NoError(t, err)
		b.now = b.now.Add(10 * time.Second)
	}
	require.NoError(t, b.auth.Close(t.Context()))
	used := b.db.Ent.APIKey.GetX(ctx, b.keyID).LastUsedAt
	require.NotNil(t, used)
	require.True(t, used.Equal(begin.Add(20*time.Second)), "closing records what was pending")

	b.now = begin // another process with an older use never turns the clock back
	older := b.open(t)
	_, err := older.Authenticate(t.Context(), "ApiKey "+b.key)
	require.NoError(t, err)
	require.NoError(t, older.Close(t.Context()))
	require.True(t, b.db.Ent.APIKey.GetX(ctx, b.keyID).LastUsedAt.Equal(*used))
}

func TestMiddleware(t *testing.T) {
	t.Parallel()
	b := setup(t)
	refuse := func(w http.ResponseWriter, _ *http.Request, err error) { http.Error(w, err.Error(), http.StatusTeapot) }
	handler := b.auth.Middleware(refuse)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, _ := viewer.FromContext(r.Context())
		_, _ = w.Write([]byte(v.EnvironmentID))
	}))
	for header, want := range map[string]string{"ApiKey " + b.key: b.scope.EnvironmentID, "": "Send an API key: Authorization: ApiKey <key>.\n"} {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		req.Header.Set("Authorization", header)
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, req)
		require.Equal(t, want, rec.Body.String())
		require.Equal(t, rec.Code == http.StatusTeapot, rec.Header().Get("WWW-Authenticate") == "ApiKey")
	}
}

func TestNewKey(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		key := auth.NewKey("")
		require.Regexp(t, `^crl_[0-9A-Za-z]{43}$`, key)
		require.False(t, seen[key])
		seen[key] = true
		require.Len(t, auth.HashKey(key), 32)
		require.Equal(t, key[43:], auth.Hint(key))
	}
	require.Equal(t, "ab", auth.Hint("ab"))
}
