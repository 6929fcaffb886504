package postgres_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// lastExcepted is the last migration from before the rules on locks. No installation carries traffic on a schema older than
// it: these files were made before the first release. Each later file has to obey the rules, or has its reason here.
const lastExcepted = "20261122223044_edges_of_activity"

// exceptedLocks are later migrations that may hold a long lock, with the reason.
var exceptedLocks = map[string]string{}

// TestMigrationsHoldNoLongLocks is the linter of the migrations: they run while the service does.
func TestMigrationsHoldNoLongLocks(t *testing.T) {
	t.Parallel()
	steps, err := postgres.Migrations()
	require.NoError(t, err)
	for _, m := range steps {
		locks := m.LongLocks()
		if m.Version <= lastExcepted {
			continue
		}
		if exceptedLocks[m.Version] != "" {
			require.NotEmpty(t, locks, "%s needs no exception", m.Version)
			continue
		}
		require.Empty(t, locks, m.Version)
	}
}

func TestLongLocksAreFound(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		`CREATE INDEX "i" ON "messages" ("id")`:                                                     "CONCURRENTLY",
		`create unique index i on messages (id)`:                                                    "CONCURRENTLY",
		`CREATE INDEX CONCURRENTLY "i" ON "messages" ("id")`:                                        "DROP INDEX CONCURRENTLY IF EXISTS",
		`DROP INDEX CONCURRENTLY IF EXISTS "i"; CREATE INDEX CONCURRENTLY "i" ON "messages" ("id")`: "",
		`DROP INDEX "i"`: "CONCURRENTLY",
		`CREATE TABLE "fresh" ("id" text); CREATE INDEX "i" ON "fresh" ("id"); INSERT INTO "fresh" VALUES ('')`:                  "",
		`ALTER TABLE "messages" ADD COLUMN "x" text NULL`:                                                                        "",
		`ALTER TABLE "messages" ADD COLUMN "x" bigint NOT NULL DEFAULT 0, ADD COLUMN "y" text DEFAULT ''`:                        "",
		`ALTER TABLE "messages" ADD COLUMN "x" timestamptz NOT NULL DEFAULT now()`:                                               "",
		`ALTER TABLE "messages" ADD COLUMN "x" uuid NOT NULL DEFAULT gen_random_uuid()`:                                          "every row",
		`ALTER TABLE "messages" ADD COLUMN "x" text GENERATED ALWAYS AS (lower("y")) STORED`:                                     "rewrites",
		`ALTER TABLE "messages" ALTER COLUMN "x" SET NOT NULL`:                                                                   "messages_x_not_null",
		`ALTER TABLE "messages" VALIDATE CONSTRAINT "messages_x_not_null"; ALTER TABLE "messages" ALTER COLUMN "x" SET NOT NULL`: "",
		`ALTER TABLE "messages" ALTER COLUMN "x" TYPE bigint`:                                                                    "rewrites",
		`ALTER TABLE "messages" ALTER "x" SET DATA TYPE bigint`:                                                                  "rewrites",
		`ALTER TABLE "messages" ADD CONSTRAINT "c" CHECK ("x" > 0)`:                                                              "NOT VALID",
		`ALTER TABLE "messages" ADD CONSTRAINT "c" CHECK ("x" > 0) NOT VALID`:                                                    "",
		`ALTER TABLE "messages" ADD CONSTRAINT "c" UNIQUE USING INDEX "i"`:                                                       "",
		`ALTER TABLE "messages" ADD PRIMARY KEY ("id")`:                                                                          "NOT VALID",
		`ALTER TABLE "messages" ADD COLUMN "x" text REFERENCES "topics" ("id")`:                                                  "apart",
		`UPDATE "messages" SET "x" = 1`:                                                                                          "page by page",
		`VACUUM (FULL) "messages"`:                                                                                               "rewrites",
		`REINDEX TABLE "messages"`:                                                                                               "CONCURRENTLY",
		`LOCK TABLE "messages"`:                                                                                                  "locks",
		`ALTER TABLE "messages" SET (fillfactor = 50)`:                                                                           "",
		"-- CREATE INDEX i ON messages (id);\nINSERT INTO \"x\" VALUES ('; CREATE INDEX i ON m (id)')":                           "",
	} {
		locks := postgres.Migration{SQL: sql}.LongLocks()
		if want == "" {
			require.Empty(t, locks, sql)
			continue
		}
		require.Len(t, locks, 1, sql)
		require.Contains(t, locks[0].String(), want, sql)
	}
}

func TestStatementsAreSplit(t *testing.T) {
	t.Parallel()
	m := postgres.Migration{SQL: "-- atlas:txmode none\nSELECT ';' /* ; */ ; DO $$ BEGIN; END $$;\nSELECT \"a;b\" -- end;\n"}
	require.Equal(t, []string{"SELECT ';'", "DO $$ BEGIN; END $$", `SELECT "a;b"`}, m.Statements())
	require.False(t, m.InTransaction())
	require.True(t, postgres.Migration{SQL: "SELECT 1"}.InTransaction())
}

// TestMigrationOutsideOfATransaction builds an index CONCURRENTLY while a second process waits for the lock.
func TestMigrationOutsideOfATransaction(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"migrations/20300101000000_table.sql": {Data: []byte(`CREATE TABLE "things" ("id" text);`)},
		"migrations/20300101000001_index.sql": {Data: []byte("-- atlas:txmode none\nDROP INDEX CONCURRENTLY IF EXISTS \"things_id\";\nCREATE INDEX CONCURRENTLY \"things_id\" ON \"things\" (\"id\");\n")},
	}
	dsn := pgtest.EmptyURL(t)
	type result struct {
		applied []string
		err     error
	}
	results := make(chan result)
	const processes = 4
	for range processes {
		db := pgtest.Open(t, dsn)
		go func() {
			applied, err := postgres.MigrateFiles(context.WithoutCancel(t.Context()), db, files, slog.New(slog.DiscardHandler))
			results <- result{applied, err}
		}()
	}
	var applied []string
	for range processes {
		r := <-results
		require.NoError(t, r.err)
		applied = append(applied, r.applied...)
	}
	require.Equal(t, []string{"20300101000000_table", "20300101000001_index"}, applied, "one process applies each")
	var valid bool
	require.NoError(t, pgtest.Open(t, dsn).Pool.QueryRow(t.Context(), `SELECT indisvalid FROM pg_index WHERE indexrelid = 'things_id'::regclass`).Scan(&valid))
	require.True(t, valid)
}
