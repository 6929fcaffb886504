package usecase_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// depsOf returns what the use cases of an audience share, with a hub.
func depsOf(a *notifytest.Audience) usecase.Deps {
	return usecase.Deps{DB: a.DB, Now: func() time.Time { return a.Now }, Live: realtime.NewHub(realtime.Config{})}
}

// makeTopic makes a topic in the transaction that ctx runs in.
func makeTopic(key string) func(context.Context, *ent.Client) (*ent.Topic, error) {
	return func(ctx context.Context, db *ent.Client) (*ent.Topic, error) {
		return db.Topic.Create().SetKey(key).Save(ctx)
	}
}

// TestWritesRunAgain: a write that Postgres gives up in favour of another transaction runs again as a whole; within another write only
// that can.
func TestWritesRunAgain(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	deps := depsOf(a)
	tries := 0
	givenUpOnce := func(ctx context.Context, db *ent.Client) (*ent.Topic, error) {
		made, err := makeTopic("a")(ctx, db)
		require.NoError(t, err)
		if tries++; tries == 1 {
			return nil, postgres.Again("deadlock")
		}
		return made, nil
	}
	made, err := usecase.Write(a.Ctx, deps, usecase.WriteAudience, givenUpOnce)
	require.NoError(t, err)
	require.Equal(t, 2, tries)
	require.Equal(t, made.ID, a.DB.Ent.Topic.Query().OnlyX(a.Ctx).ID)
	a.DB.Ent.Topic.Delete().ExecX(a.Ctx)

	tries = 0
	_, err = usecase.Write(a.Ctx, deps, usecase.WriteAudience, func(ctx context.Context, _ *ent.Client) (*ent.Topic, error) {
		return usecase.Write(ctx, deps, usecase.WriteAudience, givenUpOnce)
	})
	require.NoError(t, err)
	require.Equal(t, 2, tries)
	a.DB.Ent.Topic.Delete().ExecX(a.Ctx)

	tries = 0
	_, err = usecase.WriteOnce(a.Ctx, deps, usecase.WriteAudience, givenUpOnce)
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	require.Equal(t, 1, tries)
	require.Zero(t, a.DB.Ent.Topic.Query().CountX(a.Ctx))
}

// TestWrites holds that a write happens as a whole or not at all, and only for those who may.
func TestWrites(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	deps := depsOf(a)
	topics := func() int { return a.DB.Ent.Topic.Query().CountX(a.Ctx) }
	_, err := usecase.Write(a.Ctx, deps, usecase.WriteAudience, makeTopic("a"))
	require.NoError(t, err)
	require.Equal(t, 1, topics())

	broken := errors.New("broken")
	_, err = usecase.Write(a.Ctx, deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Topic, error) {
		made, err := makeTopic("b")(ctx, db)
		require.NoError(t, err)
		require.NoError(t, usecase.Audit(ctx, db, "create", made, nil))
		return made, broken
	})
	require.ErrorIs(t, err, broken)
	require.Equal(t, 1, topics())
	require.Zero(t, a.DB.Ent.AuditEntry.Query().Where(auditentry.RecordType("Topic")).CountX(a.Ctx), "nor is anything audited")

	_, err = usecase.Write(a.Ctx, deps, usecase.WriteAudience, func(ctx context.Context, _ *ent.Client) (*ent.Topic, error) {
		if _, err := usecase.Write(ctx, deps, usecase.WriteAudience, makeTopic("c")); err != nil {
			return nil, err
		}
		return nil, broken
	})
	require.ErrorIs(t, err, broken)
	require.Equal(t, 1, topics(), "a write within a write is part of it")

	_, err = usecase.Write(a.Ctx, deps, usecase.WriteAudience, makeTopic("a"))
	require.Error(t, err)
	require.NotEqual(t, fault.Internal, fault.KindOf(err), "a violated key is the caller's conflict")

	called := false
	forbidden := func(context.Context, *ent.Client) (int, error) { called = true; return 1, nil }
	reader := a.As(t, viewer.Viewer{Role: viewer.RoleViewer, UserID: "ada"})
	n, err := usecase.Write(reader, deps, usecase.WriteAudience, forbidden)
	notifytest.RequireKind(t, fault.Forbidden, err)
	require.Zero(t, n)
	n, err = usecase.Read(a.As(t, viewer.Viewer{Role: viewer.RoleSubscriber, SubscriberID: "s"}), deps, usecase.ReadAudience, forbidden)
	notifytest.RequireKind(t, fault.Forbidden, err)
	require.Zero(t, n)
	require.False(t, called, "nothing is done for who may not")
	_, err = usecase.Read(reader, deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Topic, error) {
		return db.Topic.Get(ctx, id.New(a.Now))
	})
	notifytest.RequireKind(t, fault.NotFound, err)
}

// TestReader holds that SQL reads from the transaction that a use case runs in.
func TestReader(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	deps := depsOf(a)
	count := func(ctx context.Context) (n int) {
		rows, err := deps.Reader(ctx).Query(ctx, "SELECT count(*) FROM topics")
		require.NoError(t, err)
		defer rows.Close()
		require.True(t, rows.Next())
		require.NoError(t, rows.Scan(&n))
		return n
	}
	_, err := usecase.Write(a.Ctx, deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (int, error) {
		_, err := makeTopic("a")(ctx, db)
		require.NoError(t, err)
		require.Equal(t, 1, count(ctx))
		require.Zero(t, count(a.Ctx), "outside it has not happened yet")
		tx, scope := usecase.TxScope(ctx)
		require.Equal(t, a.Scope, scope)
		return 0, tx.QueryRow(ctx, "SELECT count(*) FROM topics").Scan(new(int))
	})
	require.NoError(t, err)
	require.Equal(t, 1, count(a.Ctx))
}

// TestAuditEntries holds who is recorded as the author of a change, and what of it.
func TestAuditEntries(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	topic := a.DB.Ent.Topic.Create().SetKey("t").SaveX(a.Ctx)
	for want, v := range map[[2]string]viewer.Viewer{
		{"user", "ada"}:             {Role: viewer.RoleAdmin, UserID: "ada", Name: "ada@example.org"},
		{"api_key", "key"}:          {Role: viewer.RoleKey, APIKeyID: "key", Grants: viewer.FullGrants},
		{"api_key", "key of ada"}:   {Role: viewer.RoleKey, APIKeyID: "key of ada", UserID: "ada", Grants: viewer.FullGrants},
		{"organization_key", "org"}: {Role: viewer.RoleOrganizationKey, OrganizationKeyID: "org"},
		{"system", ""}:              {Role: viewer.RoleOwner},
	} {
		v.Scope = a.Scope
		ctx := viewer.WithAddress(viewer.NewContext(t.Context(), v), "192.0.2.1")
		require.NoError(t, usecase.Audit(ctx, a.DB.Ent, "update", topic, map[string]any{"name": want[0]}))
		entry := a.DB.Ent.AuditEntry.Query().Order(auditentry.ByID(usecase.Descending())).FirstX(a.Ctx)
		require.Equal(t, want, [2]string{entry.ActorType, entry.ActorID})
		require.Equal(t, v.Name, entry.ActorName)
		require.Equal(t, "192.0.2.1", entry.Address)
		require.Equal(t, "Topic", entry.RecordType)
		require.Equal(t, topic.ID, entry.RecordID)
		require.Equal(t, "update", entry.Action)
		require.Equal(t, map[string]any{"name": want[0]}, entry.Changes)
	}
	made := usecase.NewAuditEntry(viewer.SystemContext(t.Context()), "delete", "Topic", topic.ID, nil)
	require.Equal(t, "system", made.ActorType)
	require.WithinDuration(t, time.Now(), made.At, time.Minute, "records bear real time, whatever a clock says")
}

// TestPublish holds that a change is published once it has been committed, and not when it was undone.
func TestPublish(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	deps := depsOf(a)
	watch := deps.Live.Watch(realtime.Access(a.Scope.EnvironmentID))
	defer watch.Close()
	raised := func() bool {
		select {
		case <-watch.C:
			return true
		default:
			return false
		}
	}
	change := func(result error) error {
		_, err := usecase.Write(a.Ctx, deps, usecase.WriteAudience, func(ctx context.Context, _ *ent.Client) (int, error) {
			deps.AccessChanged(ctx)
			require.False(t, raised(), "not before the commit")
			return 0, result
		})
		return err
	}
	require.NoError(t, change(nil))
	require.True(t, raised())
	require.Error(t, change(errors.New("broken")))
	require.False(t, raised())
	require.NotPanics(t, func() { usecase.Deps{DB: a.DB}.AccessChanged(a.Ctx) }, "without a hub there is no one to tell")
}

// TestAccessOfChanged holds that a person's environments hear of a change of their access, where a log-in of theirs is open.
func TestAccessOfChanged(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	deps := depsOf(a)
	system := viewer.SystemContext(t.Context())
	person := a.DB.Ent.User.Create().SetEmail("ada@example.org").SaveX(system)
	watches := map[string]*realtime.Watch{}
	for _, name := range []string{"open", "revoked", "ended", "none"} {
		env := a.DB.Ent.Environment.Create().SetOrganizationID(a.Scope.OrganizationID).SetIdentifier(name).SetName(name).SaveX(system)
		watches[name] = deps.Live.Watch(realtime.Access(env.ID))
		defer watches[name].Close()
		log := a.DB.Ent.Session.Create().SetEnvironmentID(env.ID).SetUserID(person.ID).SetHash([]byte(name)).SetExpiresAt(a.Now.Add(time.Hour))
		switch name {
		case "revoked":
			log.SetRevokedAt(a.Now)
		case "ended":
			log.SetExpiresAt(a.Now)
		case "none":
			continue
		}
		log.SaveX(system)
	}
	require.NoError(t, deps.AccessOfChanged(a.Ctx, a.DB.Ent, person.ID))
	for name, watch := range watches {
		require.Len(t, watch.C, map[bool]int{true: 1}[name == "open"], name)
	}
}

// TestTranslatedFailures holds what callers read of ent's failures.
func TestTranslatedFailures(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	_, missing := a.DB.Ent.Topic.Get(a.Ctx, id.New(a.Now))
	err := usecase.NotFound(missing, "Topic %s was not found.", "news")
	notifytest.RequireKind(t, fault.NotFound, err)
	require.ErrorContains(t, err, "Topic news was not found.")
	a.DB.Ent.Topic.Create().SetKey("t").SaveX(a.Ctx)
	_, taken := a.DB.Ent.Topic.Create().SetKey("t").Save(a.Ctx)
	err = usecase.AlreadyExists(taken, "Topic %s exists.", "t")
	notifytest.RequireKind(t, fault.Conflict, err)
	require.Equal(t, "ALREADY_EXISTS", notifytest.Code(err))
	for _, other := range []error{nil, errors.New("other")} {
		require.Equal(t, other, usecase.NotFound(other, ""))
		require.Equal(t, other, usecase.AlreadyExists(other, ""))
	}
	require.Equal(t, missing, usecase.AlreadyExists(missing, ""))
	require.Equal(t, taken, usecase.NotFound(taken, ""))
}

// TestInstant holds which time holds in an environment.
func TestInstant(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	deps := depsOf(a)
	a.Now = a.Now.Add(time.Nanosecond)
	stamp := a.Now.Truncate(time.Microsecond)
	require.Equal(t, stamp, deps.Stamp(), "as the database keeps it")
	instant := func(ctx context.Context) time.Time {
		at, err := deps.Instant(ctx)
		require.NoError(t, err)
		return at
	}
	require.Equal(t, stamp, instant(a.Ctx))
	set := stamp.AddDate(0, 1, 0)
	a.DB.VirtualClocks = true
	other := a.OtherEnvironment(t)
	_, err := a.Clocks.Set(a.Ctx, set, false)
	require.NoError(t, err)
	require.Equal(t, set, instant(a.Ctx))
	require.Equal(t, set, instant(a.As(t, viewer.Viewer{Role: viewer.RoleSubscriber, SubscriberID: "s"})), "a subscriber acts in it too")
	require.Equal(t, stamp, instant(other), "each environment has its own")
	a.DB.VirtualClocks = false
	require.Equal(t, stamp, instant(a.Ctx), "a server without such clocks has real time only")
	a.DB.VirtualClocks = true
	env, err := deps.Environment(a.Ctx, viewer.Viewer{Scope: a.Scope})
	require.NoError(t, err)
	require.True(t, deps.Movable(env))
	env.Type = environment.TypeProduction
	require.False(t, deps.Movable(env), "production runs on real time")
	_, err = deps.Environment(a.Ctx, viewer.Viewer{Scope: viewer.Scope{EnvironmentID: id.New(a.Now)}})
	notifytest.RequireKind(t, fault.NotFound, err)
}
