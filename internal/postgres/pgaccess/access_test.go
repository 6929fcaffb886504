package pgaccess_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// suspended runs check without a suspension, with the environment's and with the organization's, which goes first.
func suspended(s *pgtest.Store, check func(want string)) {
	check("")
	s.Exec(`UPDATE environments SET suspended = true WHERE id = $1`, s.Here.Scope.EnvironmentID)
	check("environment")
	s.Exec(`UPDATE organizations SET suspended = true WHERE id = $1`, s.Here.Scope.OrganizationID)
	check("organization")
}

func TestFindKeys(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	key := s.Add(s.Here, "api_keys", pgtest.Values{"hash": []byte("key"), "name": "K", "scopes": `["triggers:write"]`, "user_id": nil, "expires_at": pgtest.Noon})
	s.Add(s.There, "api_keys", pgtest.Values{"hash": []byte("theirs"), "revoked_at": pgtest.Noon})
	wide := s.Add(s.Here, "organization_keys", pgtest.Values{"hash": []byte("wide"), "name": "W", "scopes": `[]`, "user_id": nil})
	find := func(hashes ...string) map[string]pgaccess.KeyAccess {
		var raw [][]byte
		for _, h := range hashes {
			raw = append(raw, []byte(h))
		}
		found, err := pgaccess.FindKeys(s.Ctx, s.DB, raw)
		require.NoError(t, err)
		byHash := map[string]pgaccess.KeyAccess{}
		for _, k := range found {
			byHash[string(k.Hash)] = k
		}
		return byHash
	}
	require.Empty(t, find())
	require.Empty(t, find("none"))
	suspended(s, func(want string) {
		found := find("key", "wide", "theirs", "none")
		require.Len(t, found, 3)
		k := found["key"]
		require.Equal(t, []any{key, "K", "", s.Here.Scope, want, pgtest.Noon}, []any{k.KeyID, k.Name, k.UserID, k.Scope, k.Suspended, k.ExpiresAt.UTC()})
		require.Equal(t, s.There.Scope, found["theirs"].Scope)
		require.Equal(t, []any{"", true}, []any{found["theirs"].Suspended, found["theirs"].RevokedAt != nil}, "other organizations continue; whether a key was revoked is for the caller")
		w := found["wide"]
		require.Equal(t, []any{wide, viewer.Scope{OrganizationID: s.Here.Scope.OrganizationID}}, []any{w.KeyID, w.Scope}, "an organization's key has no environment")
		if want == "environment" {
			want = ""
		}
		require.Equal(t, want, w.Suspended)
	})
}

func TestFindSession(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM members`)
	user := s.Add(s.Here, "users", pgtest.Values{"email": "ada@example.org"})
	s.Add(s.Here, "members", pgtest.Values{"user_id": user, "role": "admin"})
	session := s.Add(s.Here, "sessions", pgtest.Values{"hash": []byte("h"), "user_id": user, "expires_at": pgtest.Noon, "verified_elsewhere": false})
	find := func(hash string) (pgaccess.SessionAccess, bool) {
		a, found, err := pgaccess.FindSession(s.Ctx, s.DB, []byte(hash))
		require.NoError(t, err)
		return a, found
	}
	_, found := find("none")
	require.False(t, found)
	suspended(s, func(want string) {
		a, found := find("h")
		require.True(t, found)
		require.Equal(t, []any{session, user, "ada@example.org", "admin", s.Here.Scope, want, false},
			[]any{a.SessionID, a.UserID, a.Email, a.Role, a.Scope, a.Suspended, a.Enrolling})
	})
	for _, c := range []struct {
		required, has, elsewhere, enrolling bool
	}{{true, false, false, true}, {true, true, false, false}, {true, false, true, false}, {false, false, false, false}} {
		s.Exec(`UPDATE organizations SET require_second_factor = $1`, c.required)
		s.Exec(`UPDATE users SET second_factor_at = CASE WHEN $1 THEN now() END`, c.has)
		s.Exec(`UPDATE sessions SET verified_elsewhere = $1`, c.elsewhere)
		a, _ := find("h")
		require.Equal(t, c.enrolling, a.Enrolling, "%+v", c)
	}
	s.Exec(`UPDATE members SET role = 'viewer'`)
	a, _ := find("h")
	require.Equal(t, "viewer", a.Role, "the role of now, not of the log-in")
	s.Exec(`UPDATE members SET organization_id = $1`, s.There.Scope.OrganizationID)
	_, found = find("h")
	require.False(t, found, "whoever is no member any more has no session")
}

func TestFindSubscriberAccess(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	env := s.Here.Scope.EnvironmentID
	s.Exec(`UPDATE environments SET inbox_secret = 'sealed' WHERE id = $1`, env)
	ada := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "ada", "tokens_valid_after": pgtest.Noon})
	s.Add(s.There, "subscribers", pgtest.Values{"subscriber_id": "eve"})
	find := func(ref pgaccess.SubscriberRef) (pgaccess.SubscriberAccess, bool) {
		a, found, err := pgaccess.FindSubscriberAccess(s.Ctx, s.DB, env, ref)
		require.NoError(t, err)
		return a, found
	}
	for _, ref := range []pgaccess.SubscriberRef{{InternalID: ada}, {ExternalID: "ada"}} {
		a, found := find(ref)
		require.True(t, found)
		require.Equal(t, []any{ada, "ada", s.Here.Scope, []byte("sealed"), pgtest.Noon}, []any{a.InternalID, a.ExternalID, a.Scope, a.InboxSecret, a.TokensValidAfter.UTC()})
	}
	a, found := find(pgaccess.SubscriberRef{ExternalID: "eve"})
	require.False(t, found, "another environment's")
	require.Equal(t, []any{s.Here.Scope, []byte("sealed")}, []any{a.Scope, a.InboxSecret}, "what is known of the environment comes nevertheless")
	require.False(t, a.InboxSeen)
	require.NoError(t, pgaccess.MarkInboxSeen(s.Ctx, s.DB, s.Here.Scope))
	a, _ = find(pgaccess.SubscriberRef{InternalID: ada})
	require.True(t, a.InboxSeen)
	require.False(t, pgtest.Ask[bool](s, `SELECT inbox_seen FROM environments WHERE id = $1`, s.There.Scope.EnvironmentID))
	suspended(s, func(want string) {
		a, _ := find(pgaccess.SubscriberRef{InternalID: ada})
		require.Equal(t, want, a.Suspended)
	})
	s.Exec(`UPDATE subscribers SET deleted = true WHERE id = $1`, ada)
	_, found = find(pgaccess.SubscriberRef{InternalID: ada})
	require.False(t, found)
	_, found, err := pgaccess.FindSubscriberAccess(s.Ctx, s.DB, "none", pgaccess.SubscriberRef{ExternalID: "ada"})
	require.NoError(t, err)
	require.False(t, found)
}

func TestMakeSubscriber(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	ids := pgtest.IDs(4)
	n := pgaccess.NewSubscriber{ID: ids[0], EnvironmentID: s.Here.Scope.EnvironmentID, SubscriberID: "ada"}
	add := func(n pgaccess.NewSubscriber) (made bool) {
		s.InTx(func(tx pgx.Tx) {
			var err error
			made, err = pgaccess.MakeSubscriber(s.Ctx, tx, n)
			require.NoError(t, err)
		})
		return made
	}
	require.True(t, add(n))
	n.ID = ids[1]
	require.False(t, add(n), "there is one")
	n.Returning = true
	require.False(t, add(n), "there is a living one")
	s.Exec(`UPDATE subscribers SET deleted = true WHERE id = $1`, ids[0])
	n.Returning = false
	require.False(t, add(n), "a deleted one does not come back by itself")
	n.Returning = true
	require.True(t, add(n))
	elsewhere := pgaccess.NewSubscriber{ID: ids[2], EnvironmentID: s.There.Scope.EnvironmentID, SubscriberID: "ada"}
	require.True(t, add(elsewhere), "each environment has its own")
	elsewhere.SubscriberID = "a\x00"
	s.InTx(func(tx pgx.Tx) {
		sub, err := tx.Begin(s.Ctx)
		require.NoError(t, err)
		_, err = pgaccess.MakeSubscriber(s.Ctx, sub, elsewhere)
		require.ErrorContains(t, err, "make a subscriber")
		require.NoError(t, sub.Rollback(s.Ctx))
	})
}

func TestRecordKeyUse(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	key := s.Add(s.Here, "api_keys", pgtest.Values{"hash": []byte("a")})
	wide := s.Add(s.There, "organization_keys", pgtest.Values{"hash": []byte("b")})
	for _, c := range []struct{ minutes, want int }{{5, 5}, {3, 5}, {7, 7}} {
		require.NoError(t, pgaccess.RecordKeyUse(s.Ctx, s.DB, map[string]time.Time{key: *pgtest.At(c.minutes), wide: *pgtest.At(c.minutes), "gone": pgtest.Noon}))
		require.Equal(t, pgtest.JSONTime(c.want), s.Record("api_keys", key)["last_used_at"], "it never goes back")
		require.Equal(t, pgtest.JSONTime(c.want), s.Record("organization_keys", wide)["last_used_at"])
	}
	require.Nil(t, s.Record("api_keys", s.Here.IDs["api_keys"])["last_used_at"])
	require.NoError(t, pgaccess.RecordKeyUse(s.Ctx, s.DB, nil))
}

// TestLocks shows what each lock makes wait, and that only its own.
func TestLocks(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	type lock func(ctx context.Context, tx *postgres.Tx) error
	environment := func(rows pgtest.Rows) lock {
		return func(ctx context.Context, tx *postgres.Tx) error { return pgaccess.LockEnvironment(ctx, tx, rows.Scope) }
	}
	kind := func(rows pgtest.Rows, name string) lock {
		return func(ctx context.Context, tx *postgres.Tx) error { return pgaccess.LockKind(ctx, tx, rows.Scope, name) }
	}
	organization := func(rows pgtest.Rows) lock {
		return func(ctx context.Context, tx *postgres.Tx) error {
			return pgaccess.LockOrganization(ctx, tx, rows.Scope)
		}
	}
	mixed := s.Here
	mixed.Scope.OrganizationID = s.There.Scope.OrganizationID
	waits := func(first, second lock) bool {
		t.Helper()
		waited := false
		require.NoError(t, s.Tx(s.Ctx, func(ctx context.Context, tx *postgres.Tx) error {
			require.NoError(t, first(ctx, tx))
			err := s.Tx(s.Ctx, func(ctx context.Context, tx *postgres.Tx) error {
				_, err := tx.Pgx.Exec(ctx, `SET LOCAL lock_timeout = '50ms'`)
				require.NoError(t, err)
				return second(ctx, tx)
			})
			waited = err != nil
			return nil
		}))
		return waited
	}
	for name, c := range map[string]struct {
		first, second lock
		want          bool
	}{
		"the first records":                    {pgaccess.LockBootstrap, pgaccess.LockBootstrap, true},
		"one environment":                      {environment(s.Here), environment(s.Here), true},
		"two environments":                     {environment(s.Here), environment(s.There), false},
		"one kind of an environment":           {kind(s.Here, "variables"), kind(s.Here, "variables"), true},
		"two kinds of an environment":          {kind(s.Here, "variables"), kind(s.Here, "images"), false},
		"one kind of two environments":         {kind(s.Here, "variables"), kind(s.There, "variables"), false},
		"a kind, and its environment":          {kind(s.Here, "variables"), environment(s.Here), false},
		"an environment of another's":          {environment(mixed), environment(s.Here), false},
		"one organization":                     {organization(s.Here), organization(s.Here), true},
		"two organizations":                    {organization(s.Here), organization(s.There), false},
		"an environment of an organization":    {organization(s.Here), environment(s.Here), false},
		"an environment and the first records": {environment(s.Here), pgaccess.LockBootstrap, false},
	} {
		require.Equal(t, c.want, waits(c.first, c.second), name)
	}
}

// TestDeleteEnvironmentRows leaves nothing of an environment in the tables without foreign keys, but its audit, and all of
// the others.
func TestDeleteEnvironmentRows(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	require.NoError(t, s.Tx(s.Ctx, func(ctx context.Context, tx *postgres.Tx) error {
		return pgaccess.DeleteEnvironmentRows(ctx, tx, s.Here.Scope)
	}))
	for _, table := range []string{"events", "notifications", "messages", "attempts", "receipts", "transaction_claims", "inbox_removals"} {
		require.Empty(t, pgtest.Column[string](s, s.Here, table, "id"), table)
		require.Len(t, pgtest.Column[string](s, s.There, table, "id"), 1, table)
	}
	require.Len(t, pgtest.Column[string](s, s.Here, "audit_entries", "id"), 1)
	s.Exec(`DELETE FROM environments WHERE id = $1`, s.Here.Scope.EnvironmentID)
	rows, err := s.Pool.Query(s.Ctx, `SELECT table_name::text FROM information_schema.columns WHERE column_name = 'environment_id' AND table_schema = 'public'`)
	require.NoError(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(tables), 20)
	for _, table := range tables {
		if table != "audit_entries" {
			require.Zero(t, pgtest.Ask[int](s, `SELECT count(*) FROM `+table+` WHERE environment_id = $1`, s.Here.Scope.EnvironmentID), table)
		}
	}
}

// TestDeletionWaitsForRuns holds that a run that is being planned is waited for, and what it stores is deleted with the rest.
func TestDeletionWaitsForRuns(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM digests`)
	planned, err := s.Pool.Begin(s.Ctx)
	require.NoError(t, err)
	defer func() { _ = planned.Rollback(context.WithoutCancel(s.Ctx)) }()
	const stored = `INSERT INTO digests (id, created_at, updated_at, environment_id, context_keys, workflow_id, step_id, subscriber_id, digest_key, notification_id, opened_at, closes_at, last_event_at)
		SELECT 'd', now(), now(), environment_id, '[]', workflow_id, 's', subscriber_id, '', id, now(), now(), now() FROM notifications WHERE environment_id = $1 LIMIT 1 FOR UPDATE`
	_, err = planned.Exec(s.Ctx, stored, s.Here.Scope.EnvironmentID)
	require.NoError(t, err)
	deleted := make(chan error, 1)
	go func() {
		deleted <- s.DB.Tx(s.Ctx, func(ctx context.Context, tx *postgres.Tx) error {
			return pgaccess.DeleteEnvironmentRows(ctx, tx, s.Here.Scope)
		})
	}()
	require.Eventually(t, func() bool {
		return pgtest.Ask[bool](s, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`)
	}, time.Minute, time.Millisecond, "it waits")
	require.NoError(t, planned.Commit(s.Ctx))
	require.NoError(t, <-deleted)
	require.Empty(t, pgtest.Column[string](s, s.Here, "notifications", "id"))
	require.Empty(t, pgtest.Column[string](s, s.Here, "digests", "id"))
}
