package postgres_test

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func TestMigrationsAscend(t *testing.T) {
	t.Parallel()
	steps, err := postgres.Migrations()
	require.NoError(t, err)
	require.NotEmpty(t, steps)
	versions := make([]string, len(steps))
	for i, m := range steps {
		versions[i] = m.Version
		require.Regexp(t, regexp.MustCompile(`^\d{14}_[a-z0-9_]+$`), m.Version)
		require.NotEmpty(t, strings.TrimSpace(m.SQL), m.Version)
		require.Len(t, m.Checksum, 64)
	}
	require.True(t, slices.IsSorted(versions))
	require.Len(t, slices.Compact(slices.Clone(versions)), len(versions))
}

// TestMigrateNeedsUnicode: a new database of another encoding is refused, and nothing is left in it.
func TestMigrateNeedsUnicode(t *testing.T) {
	t.Parallel()
	url := pgtest.EmptyURL(t)
	admin := pgtest.Open(t, url)
	var name string
	require.NoError(t, admin.Pool.QueryRow(t.Context(), `SELECT current_database() || '_latin1'`).Scan(&name))
	_, err := admin.Pool.Exec(t.Context(), `CREATE DATABASE `+name+` ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := admin.Pool.Exec(context.WithoutCancel(t.Context()), `DROP DATABASE `+name+` WITH (FORCE)`)
		require.NoError(t, err)
	})
	db, err := postgres.Open(t.Context(), url+"&dbname="+name, postgres.Options{})
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Migrate(t.Context(), slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "the database has the encoding LATIN1: make it with CREATE DATABASE")
	var tables int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`).Scan(&tables))
	require.Zero(t, tables)
}

// TestMigrateGoesOn begins with a database that an older version has migrated.
func TestMigrateGoesOn(t *testing.T) {
	t.Parallel()
	steps, err := postgres.Migrations()
	require.NoError(t, err)
	db := pgtest.Open(t, pgtest.EmptyURL(t))
	log := slog.New(slog.DiscardHandler)
	status, err := db.Status(t.Context())
	require.NoError(t, err)
	require.Len(t, status.Pending, len(steps), "an empty database lacks all")
	require.ErrorContains(t, status.Err(), "carillon migrate")

	first := steps[0]
	_, err = db.Pool.Exec(t.Context(), `CREATE TABLE carillon_migrations (version text COLLATE "C" PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), first.SQL)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `INSERT INTO carillon_migrations (version, checksum) VALUES ($1, $2)`, first.Version, first.Checksum)
	require.NoError(t, err)
	applied, err := db.Migrate(t.Context(), log)
	require.NoError(t, err)
	require.NotContains(t, applied, first.Version)
	for _, m := range steps[1:] {
		require.Contains(t, applied, m.Version)
	}
	status, err = db.Status(t.Context())
	require.NoError(t, err)
	require.NoError(t, status.Err())
	applied, err = db.Migrate(t.Context(), log)
	require.NoError(t, err)
	require.Empty(t, applied, "a second run does nothing")
}

// TestMigrationsTakeTheirTime: bounds of the role for statements of the service hold neither for migrations nor after them for less.
func TestMigrationsTakeTheirTime(t *testing.T) {
	t.Parallel()
	db := pgtest.Open(t, bounded(pgtest.EmptyURL(t)))
	const unhurried = `DO $$ BEGIN IF current_setting('statement_timeout') <> '0' OR current_setting('idle_in_transaction_session_timeout') <> '0'
	THEN RAISE EXCEPTION 'in a hurry'; END IF; END $$;`
	applied, err := postgres.MigrateFiles(t.Context(), db, fstest.MapFS{
		"migrations/20260101000000_one.sql": {Data: []byte(unhurried)},
		"migrations/20260101000001_two.sql": {Data: []byte("-- atlas:txmode none\n" + unhurried)},
	}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Len(t, applied, 2)
	var timeout string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SHOW statement_timeout`).Scan(&timeout))
	require.Equal(t, "5min", timeout)
}

// TestMigrateWaitsOnceForTheDisk: the commits of the last migration alone are flushed, as the connection says.
func TestMigrateWaitsOnceForTheDisk(t *testing.T) {
	t.Parallel()
	db := pgtest.Open(t, pgtest.EmptyURL(t)+"&synchronous_commit=local")
	expects := func(setting string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`DO $$ BEGIN IF current_setting('synchronous_commit') <> '` + setting + `' THEN RAISE EXCEPTION 'not ` + setting + `'; END IF; END $$;`)}
	}
	files := fstest.MapFS{"migrations/20260101000000_one.sql": expects("off"), "migrations/20260101000001_two.sql": expects("local")}
	log := slog.New(slog.DiscardHandler)
	_, err := postgres.MigrateFiles(t.Context(), db, files, log)
	require.NoError(t, err)
	files["migrations/20260101000002_three.sql"] = expects("local")
	applied, err := postgres.MigrateFiles(t.Context(), db, files, log)
	require.NoError(t, err)
	require.Len(t, applied, 1)
}

// bounded is a connection string under which statements end after five minutes.
func bounded(dsn string) string {
	between := "?"
	if strings.Contains(dsn, "?") {
		between = "&"
	}
	return dsn + between + "statement_timeout=300000&idle_in_transaction_session_timeout=300000"
}

// TestMigrateStopsAtAFailure keeps what was applied before, and nothing of the step that failed.
func TestMigrateStopsAtAFailure(t *testing.T) {
	t.Parallel()
	steps, err := postgres.Migrations()
	require.NoError(t, err)
	creates := regexp.MustCompile(`CREATE TABLE "(\w+)"`)
	at := len(steps) - 1
	for at > 0 && !creates.MatchString(steps[at].SQL) {
		at--
	}
	require.Positive(t, at, "a later step makes a table")
	table := creates.FindStringSubmatch(steps[at].SQL)[1]
	db := pgtest.Open(t, pgtest.EmptyURL(t))
	log := slog.New(slog.DiscardHandler)
	_, err = db.Pool.Exec(t.Context(), `CREATE TABLE `+table+` (id int)`)
	require.NoError(t, err)
	_, err = db.Migrate(t.Context(), log)
	require.ErrorContains(t, err, steps[at].Version)
	status, err := db.Status(t.Context())
	require.NoError(t, err)
	require.Len(t, status.Applied, at)
	require.Equal(t, steps[at].Version, status.Pending[0])
	_, err = db.Pool.Exec(t.Context(), `DROP TABLE `+table)
	require.NoError(t, err)
	applied, err := db.Migrate(t.Context(), log)
	require.NoError(t, err)
	require.Subset(t, applied, []string{steps[at].Version}, "the next run continues there")
}

// TestMigrateLetsOthersPass: while a long transaction keeps a migration from a table, others use the table all the same.
func TestMigrateLetsOthersPass(t *testing.T) {
	t.Parallel()
	db := pgtest.Open(t, pgtest.EmptyURL(t))
	exec(t, db, `CREATE TABLE one (id int); CREATE TABLE two (id int)`)
	reader, err := db.Pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = reader.Rollback(context.Background()) })
	_, err = reader.Exec(t.Context(), `SELECT count(*) FROM two`)
	require.NoError(t, err)

	waits := make(chan string, 100)
	done := make(chan error, 1)
	go func() {
		_, err := postgres.MigrateFiles(t.Context(), db, fstest.MapFS{
			"migrations/20260101000000_one.sql": {Data: []byte("ALTER TABLE one ADD COLUMN a int; ALTER TABLE two ADD COLUMN a int;")},
			"migrations/20260101000001_two.sql": {Data: []byte("-- atlas:txmode none\nALTER TABLE two ADD COLUMN IF NOT EXISTS b int;")},
		}, slog.New(slog.NewTextHandler(lines(waits), nil)))
		done <- err
	}()
	line := <-waits
	require.Contains(t, line, "migration waits for a table that others use")
	require.Regexp(t, `oldest_transaction="pid \d+ \(.*\), for \d+ s"`, line)
	exec(t, db, `SET statement_timeout = '10s'; INSERT INTO one VALUES (1); INSERT INTO two VALUES (1)`)
	require.NoError(t, reader.Rollback(t.Context()))
	require.NoError(t, <-done)
	exec(t, db, `UPDATE two SET a = 1, b = 1`)
}

// TestMigrateSurvivesDeadlocks: a migration that the server ends for a deadlock with the service is tried again.
func TestMigrateSurvivesDeadlocks(t *testing.T) {
	t.Parallel()
	db := pgtest.Open(t, pgtest.EmptyURL(t))
	exec(t, db, `CREATE TABLE one (id int); CREATE TABLE two (id int)`)
	writer, err := db.Pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = writer.Rollback(context.Background()) })
	_, err = writer.Exec(t.Context(), `SET LOCAL deadlock_timeout = '1min'; INSERT INTO two VALUES (1)`) // the migration is the one to notice
	require.NoError(t, err)

	done := make(chan error, 1)
	go func() {
		_, err := postgres.MigrateFiles(t.Context(), db, fstest.MapFS{
			"migrations/20260101000000_one.sql": {Data: []byte("ALTER TABLE one ADD COLUMN a int; ALTER TABLE two ADD COLUMN a int;")},
		}, slog.New(slog.DiscardHandler))
		done <- err
	}()
	require.Eventually(t, func() bool {
		return len(texts(t, db, `SELECT pid::text FROM pg_locks WHERE relation = 'two'::regclass AND NOT granted`)) == 1
	}, 10*time.Second, 10*time.Millisecond)
	_, err = writer.Exec(t.Context(), `INSERT INTO one VALUES (1)`)
	require.NoError(t, err)
	require.NoError(t, writer.Commit(t.Context()))
	require.NoError(t, <-done)
	exec(t, db, `UPDATE one SET a = 1`)
}

// TestMigrateObeysLockTimeout: a bound that the role has for waits is kept, and what exceeds it is not tried again.
func TestMigrateObeysLockTimeout(t *testing.T) {
	t.Parallel()
	dsn := pgtest.EmptyURL(t)
	db := pgtest.Open(t, dsn)
	exec(t, db, `CREATE TABLE one (id int)`)
	reader, err := db.Pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = reader.Rollback(context.Background()) })
	_, err = reader.Exec(t.Context(), `SELECT count(*) FROM one`)
	require.NoError(t, err)
	between := map[bool]string{true: "&", false: "?"}[strings.Contains(dsn, "?")]
	_, err = postgres.MigrateFiles(t.Context(), pgtest.Open(t, dsn+between+"lock_timeout=20"), fstest.MapFS{
		"migrations/20260101000000_one.sql": {Data: []byte("ALTER TABLE one ADD COLUMN a int;")},
	}, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "lock timeout")
}

// lines sends each line of a log.
type lines chan<- string

func (l lines) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("level=WARN")) {
		l <- string(p)
	}
	return len(p), nil
}
