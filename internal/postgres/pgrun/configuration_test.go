package pgrun_test

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

const versionOf = `SELECT configuration_version FROM environments WHERE id = $1`

// TestConfigurationVersionChanges: whoever writes what a Configuration is read from, and however, gives the environment another
// version, and no other environment.
func TestConfigurationVersionChanges(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	here, there := s.Here.Scope.EnvironmentID, s.There.Scope.EnvironmentID
	last := pgtest.Ask[string](s, versionOf, here)
	elsewhere := pgtest.Ask[string](s, versionOf, there)
	moved := func(what string) {
		t.Helper()
		now := pgtest.Ask[string](s, versionOf, here)
		require.NotEqual(t, last, now, what)
		require.Equal(t, elsewhere, pgtest.Ask[string](s, versionOf, there), what)
		last = now
	}
	for table, edit := range map[string]string{
		"layouts": `content = 'other'`, "snippets": `content = 'other'`, "translations": `content = '{"a": "b"}'`, "variables": `value = 'other'`,
		"pauses": `resumed_at = now()`, "integrations": `credentials = 'other'`,
	} {
		s.Exec(`DELETE FROM ` + table + ` WHERE environment_id = '` + here + `'`)
		last = pgtest.Ask[string](s, versionOf, here)
		added := s.Add(s.Here, table, pgtest.Values{})
		moved(table + ": INSERT")
		s.Exec(`UPDATE `+table+` SET `+edit+` WHERE id = $1`, added)
		moved(table + ": UPDATE")
		s.Exec(`DELETE FROM `+table+` WHERE id = $1`, added)
		moved(table + ": DELETE")
	}
	added := s.Add(s.Here, "integrations", pgtest.Values{})
	moved("integrations: INSERT")
	for _, edit := range []string{`active = NOT active`, `"primary" = NOT "primary"`, `deleted = NOT deleted`, `rate_limit = 5`, `conditions = '[{}]'`, `updated_at = now()`} {
		s.Exec(`UPDATE integrations SET `+edit+` WHERE id = $1`, added)
		moved(edit)
	}
	s.Exec(`UPDATE integrations SET breaker = 'open', breaker_cause = 'x', breaker_failures = 3, breaker_opened_at = now(), breaker_probe_at = now(),
	learned_rate = 3, paced_until = now() WHERE id = $1`, added)
	require.Equal(t, last, pgtest.Ask[string](s, versionOf, here), "how an integration fares is no configuration")
}

// TestConfigurationVersionOfAccess: the version changes with all that a commit has it verified for: how workflows are published, the
// environment's API keys, and whether the environment and its organization may be used; not with what changes beside these all the time.
func TestConfigurationVersionOfAccess(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	here, there := s.Here.Scope.EnvironmentID, s.There.Scope.EnvironmentID
	require.NotEqual(t, s.Here.Scope.OrganizationID, s.There.Scope.OrganizationID)
	wf := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "w", "active": true, "deleted": false, "published_version_id": "v1"})
	key := s.Add(s.Here, "api_keys", pgtest.Values{"revoked_at": nil, "expires_at": nil})
	for _, c := range []struct {
		table, id, edit string
		moves           bool
	}{
		{"workflows", wf, `published_version_id = 'v2'`, true},
		{"workflows", wf, `published_version_id = NULL`, true},
		{"workflows", wf, `active = false`, true},
		{"workflows", wf, `identifier = 'w2'`, true},
		{"workflows", wf, `deleted = true`, true},
		{"workflows", wf, `name = 'x', draft = '{}', last_triggered_at = now(), updated_at = now()`, false},
		{"api_keys", key, `revoked_at = now()`, true},
		{"api_keys", key, `expires_at = now()`, true},
		{"api_keys", key, `name = 'x'`, true},
		{"api_keys", key, `scopes = '[]'`, true},
		{"api_keys", key, `user_id = 'u'`, true},
		{"api_keys", key, `hash = 'h'`, true},
		{"api_keys", key, `last_used_at = now(), updated_at = now()`, false},
		{"environments", here, `suspended = NOT suspended`, true},
		{"environments", here, `default_locale = 'fr'`, true},
		{"environments", here, `inbox_seen = NOT inbox_seen, name = 'x', updated_at = now()`, false},
		{"organizations", s.Here.Scope.OrganizationID, `suspended = NOT suspended`, true},
		{"organizations", s.Here.Scope.OrganizationID, `move = 'leaving'`, true},
		{"organizations", s.Here.Scope.OrganizationID, `moved_to = 'cell'`, true},
		{"organizations", s.Here.Scope.OrganizationID, `name = 'x', idempotency = NOT idempotency, updated_at = now()`, false},
	} {
		last, elsewhere := pgtest.Ask[string](s, versionOf, here), pgtest.Ask[string](s, versionOf, there)
		s.Exec(`UPDATE `+c.table+` SET `+c.edit+` WHERE id = $1`, c.id)
		require.Equal(t, c.moves, pgtest.Ask[string](s, versionOf, here) != last, "%s: %s", c.table, c.edit)
		require.Equal(t, elsewhere, pgtest.Ask[string](s, versionOf, there), "%s: %s", c.table, c.edit)
	}
	for table, id := range map[string]string{"workflows": wf, "api_keys": key} {
		last := pgtest.Ask[string](s, versionOf, here)
		s.Exec(`DELETE FROM `+table+` WHERE id = $1`, id)
		require.NotEqual(t, last, pgtest.Ask[string](s, versionOf, here), table)
	}
}

// TestConfigurationVersionIsWrittenOnce: a transaction writes the version at its end, once, however many rows it changes.
func TestConfigurationVersionIsWrittenOnce(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	here := s.Here.Scope.EnvironmentID
	for i := range 3 {
		s.Add(s.Here, "layouts", pgtest.Values{"identifier": fmt.Sprint("l", i)})
	}
	updates := func(tx pgx.Tx) (n int) {
		require.NoError(t, tx.QueryRow(s.Ctx, `SELECT n_tup_upd FROM pg_stat_xact_user_tables WHERE relname = 'environments'`).Scan(&n))
		return n
	}
	s.InTx(func(tx pgx.Tx) {
		before := updates(tx)
		for range 2 {
			_, err := tx.Exec(s.Ctx, `UPDATE layouts SET content = content || 'x' WHERE environment_id = $1`, here)
			require.NoError(t, err)
		}
		require.Equal(t, before, updates(tx), "not before the commit: other writers do not wait until then")
		_, err := tx.Exec(s.Ctx, `SET CONSTRAINTS ALL IMMEDIATE`)
		require.NoError(t, err)
		require.Equal(t, before+1, updates(tx))
	})
	s.Exec(`DELETE FROM environments WHERE id = $1`, here) // goes with all that it has
}

// TestConfigurationWritersWaitAtTheirEndsOnly: a transaction that has changed records does not keep others from changing other
// ones of the environment and committing, so that writers do not deadlock by the version.
func TestConfigurationWritersWaitAtTheirEndsOnly(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	layout, snippet := s.Add(s.Here, "layouts", pgtest.Values{}), s.Add(s.Here, "snippets", pgtest.Values{"content": ""})
	write := func(tx pgx.Tx, sql, id string) {
		t.Helper()
		_, err := tx.Exec(s.Ctx, sql, id)
		require.NoError(t, err)
	}
	const edit = `UPDATE snippets SET content = content || 'x' WHERE id = $1`
	s.InTx(func(first pgx.Tx) {
		write(first, `UPDATE layouts SET content = 'x' WHERE id = $1`, layout)
		s.InTx(func(second pgx.Tx) {
			_, err := second.Exec(s.Ctx, `SET LOCAL lock_timeout = '2s'`)
			require.NoError(t, err)
			write(second, edit, snippet)
		})
		write(first, edit, snippet)
	})
	require.Equal(t, "xx", pgtest.Ask[string](s, `SELECT content FROM snippets WHERE id = $1`, snippet))
}

// TestLoadConfigurations replaces what a snapshot has of environments.
func TestLoadConfigurations(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	here := s.Here.Scope.EnvironmentID
	w, err := pgrun.LoadSnapshot(s.Ctx, s.Pool, pgrun.SnapshotQuery{Environments: []string{here}, Configurations: []string{here}})
	require.NoError(t, err)
	first := w.Environments[here].Configuration
	s.Exec(`UPDATE snippets SET content = 'changed' WHERE environment_id = $1`, here)
	w, err = pgrun.LoadSnapshot(s.Ctx, s.Pool, pgrun.SnapshotQuery{Environments: []string{here}})
	require.NoError(t, err)
	require.NotEqual(t, first.Version, w.Environments[here].Version)
	require.NoError(t, w.LoadConfigurations(s.Ctx, s.Pool, []string{here}))
	second := w.Environments[here].Configuration
	for identifier, content := range second.Snippets {
		require.Equal(t, "changed", content)
		require.NotEqual(t, "changed", first.Snippets[identifier], "what was read before stays as it was")
	}
	require.NotEmpty(t, second.Snippets)
	require.Len(t, second.Integrations, len(first.Integrations))
}

// TestConfigurationVersionMigration brings a database with rows of every kind, healthy integrations and others, to the schema
// with versions.
func TestConfigurationVersionMigration(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	here := s.Here.Scope.EnvironmentID
	added := s.Add(s.Here, "integrations", pgtest.Values{"breaker": "open", "breaker_failures": 3})
	s.Add(s.Here, "integrations", pgtest.Values{"deleted": true})
	s.Exec(`DROP FUNCTION configuration_changed CASCADE`)
	s.Exec(`ALTER TABLE environments DROP COLUMN configuration_version`)
	s.Exec(`DELETE FROM carillon_migrations WHERE version LIKE '%_configuration_version'`)
	applied, err := s.DB.Migrate(s.Ctx, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Len(t, applied, 1)
	require.Empty(t, pgtest.Ask[string](s, versionOf, here))
	s.Exec(`UPDATE integrations SET breaker = 'closed', breaker_failures = 0 WHERE id = $1`, added)
	require.Empty(t, pgtest.Ask[string](s, versionOf, here))
	s.Exec(`UPDATE integrations SET name = 'other' WHERE id = $1`, added)
	require.NotEmpty(t, pgtest.Ask[string](s, versionOf, here))
}
