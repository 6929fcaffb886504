package postgres_test

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// The migrations that these tests come to with rows.
const (
	beforeRareFilters = "20261122105638_order_of_taking_up"
	beforePromotions  = "20261122223044_edges_of_activity"
	beforeVariables   = "20261123080656_snippets"
	beforeLeases      = "20261127150000_webhook_triggers"
)

// at is a database with the schema of a version and one environment.
func at(t *testing.T, version string) *postgres.DB {
	t.Helper()
	db := pgtest.Open(t, pgtest.EmptyURL(t))
	_, err := db.MigrateTo(t.Context(), version, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	exec(t, db, `INSERT INTO organizations (id, created_at, updated_at, name) VALUES ('o', now(), now(), 'O')`)
	for _, env := range []string{"e1", "e2"} {
		exec(t, db, `INSERT INTO environments (id, created_at, updated_at, name, identifier, organization_id) VALUES ($1, now(), now(), $1, $1, 'o')`, env)
	}
	return db
}

func exec(t *testing.T, db *postgres.DB, sql string, args ...any) {
	t.Helper()
	_, err := db.Pool.Exec(t.Context(), sql, args...)
	require.NoError(t, err, sql)
}

// texts are the rows of a query of one text each.
func texts(t *testing.T, db *postgres.DB, sql string) (list []string) {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), sql)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		require.NoError(t, rows.Scan(&text))
		list = append(list, text)
	}
	require.NoError(t, rows.Err())
	return list
}

func migrate(t *testing.T, db *postgres.DB) {
	t.Helper()
	_, err := db.Migrate(t.Context(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
}

// TestRareFiltersOfRows: runs of every status that an older version stored are found by it, and those that are not rare are in
// no list of rare ones; a run whose status changes moves.
func TestRareFiltersOfRows(t *testing.T) {
	t.Parallel()
	db := at(t, beforeRareFilters)
	statuses := []string{"pending", "waiting", "completed", "failed", "cancelled", "merged", "skipped", "parked"}
	for i, status := range statuses {
		exec(t, db, `INSERT INTO notifications (id, created_at, updated_at, environment_id, context_keys, scope, event_id, transaction_id, workflow_id, workflow_version_id,
			subscriber_id, status, trace, due_at, failures, finished_at)
			VALUES ($1, now(), now(), 'e1', '[]', $3, 'ev', 't', 'w', 'v', $1, $2, '[]', $4, $5, $6)`,
			fmt.Sprintf("n%d", i), status, map[bool]string{true: "region:eu"}[i%2 == 0], nil, i, nil)
	}
	for i, outcome := range []string{"intent", "accepted", "rejected", "unknown"} {
		class := map[string]any{"rejected": "permanent", "unknown": "unknown"}[outcome]
		exec(t, db, `INSERT INTO attempts (id, created_at, updated_at, environment_id, message_id, number, integration_id, provider_id, outcome, class, provider_message_id)
			VALUES ($1, now(), now(), 'e1', 'm', $2, 'i', 'p', $3, $4, $5)`, fmt.Sprintf("a%d", i), i, outcome, class, map[bool]any{true: "same"}[i < 2])
	}
	migrate(t, db)

	require.Equal(t, []string{"n0 -", "n1 waiting", "n2 -", "n3 failed", "n4 cancelled", "n5 merged", "n6 skipped", "n7 parked"},
		texts(t, db, `SELECT id || ' ' || coalesce(rare_status, '-') FROM notifications ORDER BY id`))
	require.Equal(t, []string{"n7"}, texts(t, db, `SELECT id FROM notifications WHERE environment_id = 'e1' AND rare_status = 'parked'`))
	exec(t, db, `UPDATE notifications SET status = 'completed' WHERE id = 'n1'`)
	exec(t, db, `UPDATE notifications SET status = 'failed' WHERE id = 'n0'`)
	require.Equal(t, []string{"n0", "n3"}, texts(t, db, `SELECT id FROM notifications WHERE rare_status = 'failed' ORDER BY id`))
	require.Empty(t, texts(t, db, `SELECT id FROM notifications WHERE rare_status = 'waiting'`))
	require.Equal(t, []string{"a2", "a3"}, texts(t, db, `SELECT id FROM attempts WHERE environment_id = 'e1' AND class IS NOT NULL ORDER BY id`))
	require.Empty(t, texts(t, db, `SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE NOT i.indisvalid`))
}

// TestPromotionsOfRows: versions that were published before there were promotions are of none, and stay as they are.
func TestPromotionsOfRows(t *testing.T) {
	t.Parallel()
	db := at(t, beforePromotions)
	for i, status := range []string{"ACTIVE", "INACTIVE", "ERROR"} {
		exec(t, db, `INSERT INTO workflows (id, created_at, updated_at, deleted, identifier, name, tags, draft, issues, status, published_version_id, published_number, last_triggered_at, environment_id)
			VALUES ($1, now(), now(), $2, $1, $1, '[]', '{"steps":[]}', '[]', $3, $4, $5, now(), 'e1')`,
			fmt.Sprintf("w%d", i), status == "INACTIVE", status, map[bool]any{true: fmt.Sprintf("v%d1", i)}[status != "ERROR"], i%2)
		for number := range 2 {
			exec(t, db, `INSERT INTO workflow_versions (id, created_at, updated_at, number, definition, severity, published_by, environment_id, workflow_id)
				VALUES ($1, now(), now(), $2, '{"steps":[]}', 'none', $3, 'e1', $4)`,
				fmt.Sprintf("v%d%d", i, number), number, map[bool]any{true: "ann"}[number == 0], fmt.Sprintf("w%d", i))
		}
	}
	all := `SELECT (to_jsonb(v) - 'promotion_id')::text FROM workflow_versions v ORDER BY id`
	before := texts(t, db, all)
	migrate(t, db)
	require.Equal(t, before, texts(t, db, all))
	require.Len(t, texts(t, db, `SELECT id FROM workflow_versions WHERE promotion_id IS NULL`), 6)
	require.Empty(t, texts(t, db, `SELECT id FROM promotions`))
}

// TestVariablesOfRows: promotions of every state pass the migration as they are; a variable is one of its environment, whose end
// takes both along.
func TestVariablesOfRows(t *testing.T) {
	t.Parallel()
	db := at(t, beforeVariables)
	for _, p := range []struct {
		id             string
		undoes, undone any
	}{{"p1", nil, nil}, {"p2", nil, "p3"}, {"p3", "p2", "p4"}, {"p4", "p3", nil}} {
		exec(t, db, `INSERT INTO promotions (id, created_at, updated_at, source_id, source_identifier, actor_type, actor_id, actor_name, resources, before, published,
			fingerprint_after, undoes_id, undone_by_id, environment_id)
			VALUES ($1, now(), now(), 'e2', 'e2', 'key', 'k', '', '[{"kind":"WORKFLOW","name":"w","action":"CREATE"}]', '{}', '{}', 'f', $2, $3, 'e1')`, p.id, p.undoes, p.undone)
	}
	all := `SELECT to_jsonb(p)::text FROM promotions p ORDER BY id`
	before := texts(t, db, all)
	migrate(t, db)
	require.Len(t, before, 4)
	require.Equal(t, before, texts(t, db, all))
	require.Empty(t, texts(t, db, `SELECT id FROM variables`))

	const insert = `INSERT INTO variables (id, created_at, updated_at, name, value, sealed, environment_id, secret) VALUES ($1, now(), now(), $2, $3, $4, $5, $6)`
	exec(t, db, insert, "x1", "SHOP", "one", nil, "e1", false)
	exec(t, db, insert, "x2", "KEY", nil, []byte{1}, "e1", true)
	exec(t, db, insert, "x3", "SHOP", "two", nil, "e2", false)
	_, err := db.Pool.Exec(t.Context(), insert, "x4", "SHOP", "three", nil, "e1", false)
	require.Equal(t, "23505", postgres.Code(err), "a name is there once in an environment")
	_, err = db.Pool.Exec(t.Context(), insert, "x5", "SHOP", "three", nil, "none", false)
	require.Equal(t, "23503", postgres.Code(err), "a variable is of an environment")
	exec(t, db, `DELETE FROM environments WHERE id = 'e1'`)
	require.Equal(t, []string{"x3"}, texts(t, db, `SELECT id FROM variables`))
	require.Empty(t, texts(t, db, `SELECT id FROM promotions`))
}

// TestLeasesOfRows: messages of every status that an older version stored stay as they are, due or final, and are found by the new
// indexes; so is the attempt that a provider's id names.
func TestLeasesOfRows(t *testing.T) {
	t.Parallel()
	db := at(t, beforeLeases)
	for i, m := range []struct {
		status                     string
		due, leased, errorID, text any
	}{
		{"sent", nil, nil, nil, nil},
		{"pending", "2026-01-01", nil, nil, nil},
		{"pending", "2026-01-01", "2026-01-02", nil, "later"},
		{"error", nil, nil, "rejected", "refused"},
		{"warning", nil, nil, nil, "cut"},
	} {
		exec(t, db, `INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id, event_id, transaction_id, workflow_id,
			workflow_identifier, step_id, subscriber_id, channel, target, arrived_at, provider_message_id, status, due_at, leased_until, error_id, error_text)
			VALUES ($1::text, now(), now(), 'e1', '[]', '', $1, 'ev', 't', 'w', 'w', 's', $1, 'email', '', now(), 'at ' || $1::text, $2, $3::text::timestamptz, $4::text::timestamptz, $5, $6)`,
			fmt.Sprintf("m%d", i), m.status, m.due, m.leased, m.errorID, m.text)
		exec(t, db, `INSERT INTO attempts (id, created_at, updated_at, environment_id, message_id, number, integration_id, provider_id, outcome, provider_message_id)
			VALUES ($1::text, now(), now(), 'e1', $2::text, 1, 'i', 'p', 'accepted', 'at ' || $2::text)`, fmt.Sprintf("a%d", i), fmt.Sprintf("m%d", i))
	}
	all := `SELECT (to_jsonb(m) - 'lease_id')::text FROM messages m ORDER BY id`
	before := texts(t, db, all)
	migrate(t, db)
	require.Len(t, before, 5)
	require.Equal(t, before, texts(t, db, all))
	for condition, want := range map[string][]string{
		`channel <> 'in_app' AND due_at IS NOT NULL`:  {"m1", "m2"},
		`error_id IS NOT NULL`:                        {"m3"},
		`error_id IS NULL AND error_text IS NOT NULL`: {"m2", "m4"},
	} {
		require.Equal(t, want, texts(t, db, `SELECT id FROM messages WHERE environment_id = 'e1' AND `+condition+` ORDER BY id`), condition)
	}
	require.Equal(t, []string{"m3"}, texts(t, db, `SELECT message_id FROM attempts WHERE environment_id = 'e1' AND provider_message_id = 'at m3'`))
	require.Empty(t, texts(t, db, `SELECT id FROM messages WHERE lease_id IS NOT NULL UNION ALL SELECT id FROM message_leases`))
	require.Empty(t, texts(t, db, `SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE NOT i.indisvalid`))
}
