package postgres_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

var update = flag.Bool("update", false, "rewrite indexes.sql")

// TestIndexes: indexes.sql has the indexes that the migrations make. After a migration: go test ./internal/postgres -run TestIndexes -update.
func TestIndexes(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	rows, err := db.Pool.Query(t.Context(), `SELECT replace(indexdef, ' ON public.', ' ON ') FROM pg_indexes WHERE schemaname = current_schema()
ORDER BY indexname COLLATE "C"`)
	made, err := postgres.Collect(rows, err, "read the indexes", pgx.RowTo[string])
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile("indexes.sql", []byte(strings.Join(made, "\n")+"\n"), 0o600))
	}
	written, err := os.ReadFile("indexes.sql")
	require.NoError(t, err)
	require.Equal(t, indexNames(made), indexNames(strings.Split(strings.TrimSpace(string(written)), "\n")), "how the rest of a statement reads differs among versions of Postgres")
}

// indexNames are the beginnings of statements: whether an index is unique, its name and its table.
func indexNames(statements []string) []string {
	names := make([]string, len(statements))
	for i, s := range statements {
		names[i], _, _ = strings.Cut(s, " USING ")
	}
	return names
}

// TestMissingIndexes: what doctor prints brings a missing index back. An index that is not valid counts as missing.
func TestMissingIndexes(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	missing := func() []postgres.Index {
		found, err := db.MissingIndexes(t.Context())
		require.NoError(t, err)
		return found
	}
	require.Empty(t, missing())
	require.NoError(t, db.RequireIndexes(t.Context()))
	exec := func(sql string) error { _, err := db.Pool.Exec(t.Context(), sql); return err }
	require.NoError(t, exec(`DROP INDEX notification_pending`))
	require.NoError(t, exec(`DROP INDEX transactionclaim_environment_id_transaction_id`))
	require.NoError(t, exec(`INSERT INTO transaction_claims (id, created_at, updated_at, environment_id, transaction_id, event_id)
SELECT n, now(), now(), 'e', 'same', 'v' FROM generate_series(1, 2) n`))
	require.Error(t, exec(`CREATE UNIQUE INDEX CONCURRENTLY transactionclaim_environment_id_transaction_id ON transaction_claims (environment_id, transaction_id)`))
	require.Len(t, missing(), 2)
	err := db.RequireIndexes(t.Context())
	require.ErrorIs(t, err, postgres.ErrIndexes)
	require.ErrorContains(t, err, ": transactionclaim_environment_id_transaction_id; ", "unique ones alone")

	require.NoError(t, exec(`DELETE FROM transaction_claims`))
	for _, i := range missing() {
		require.NoError(t, exec(i.SQL), i.SQL)
	}
	require.Empty(t, missing())
}

// TestMissingPrimaryKeys: what doctor prints brings a primary key back as a constraint, whether it is gone or its index is not valid.
func TestMissingPrimaryKeys(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	exec := func(sql string) { _, err := db.Pool.Exec(t.Context(), sql); require.NoError(t, err, sql) }
	exec(`ALTER TABLE rate_buckets DROP CONSTRAINT rate_buckets_pkey`)
	exec(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'topics_pkey'::regclass`) // as one is after storage was damaged
	missing, err := db.MissingIndexes(t.Context())
	require.NoError(t, err)
	require.Len(t, missing, 2)
	for _, i := range missing {
		exec(i.SQL)
	}
	missing, err = db.MissingIndexes(t.Context())
	require.NoError(t, err)
	require.Empty(t, missing)
	rows, err := db.Pool.Query(t.Context(), `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname IN ('rate_buckets_pkey', 'topics_pkey') ORDER BY 1`)
	keys, err := postgres.Collect(rows, err, "read the keys", pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"PRIMARY KEY (environment_id, category)", "PRIMARY KEY (id)"}, keys)

	rows, err = db.Pool.Query(t.Context(), `SELECT conindid::regclass::text FROM pg_constraint WHERE contype IN ('p', 'u', 'x')
AND connamespace = current_schema()::regnamespace AND conindid::regclass::text NOT LIKE '%\_pkey'`)
	others, err := postgres.Collect(rows, err, "read the other constraints", pgx.RowTo[string])
	require.NoError(t, err)
	require.Empty(t, others, "an index of such a constraint is made by it too")
}
