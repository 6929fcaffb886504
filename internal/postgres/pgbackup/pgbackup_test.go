package pgbackup_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgbackup"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func silent(pgbackup.Table) {}

func taken(t *testing.T, db *postgres.DB) (*pgbackup.Manifest, []byte) {
	t.Helper()
	var file bytes.Buffer
	m, err := pgbackup.Write(t.Context(), db, &file, silent)
	require.NoError(t, err)
	return m, file.Bytes()
}

func open(t *testing.T, file []byte) *pgbackup.Backup {
	t.Helper()
	b, err := pgbackup.Open(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	return b
}

func restore(t *testing.T, b *pgbackup.Backup, db *postgres.DB) error {
	t.Helper()
	return b.Restore(t.Context(), db, slog.New(slog.DiscardHandler), silent)
}

func ask[T any](t *testing.T, db *postgres.DB, sql string, args ...any) []T {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), sql, args...)
	require.NoError(t, err)
	out, err := pgx.CollectRows(rows, pgx.RowTo[T])
	require.NoError(t, err)
	return out
}

const allTables = `SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY 1`

// content are the rows of every table, as text.
func content(t *testing.T, db *postgres.DB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range ask[string](t, db, allTables) {
		name := pgx.Identifier{table}.Sanitize()
		// The version of a configuration names a transaction of its database.
		all[table] = ask[string](t, db, `SELECT (to_jsonb(r) - 'configuration_version')::text FROM `+name+` r ORDER BY 1`)
	}
	return all
}

// TestEveryRowComesBack backs up a database that has rows in every table, and compares the restored one with it.
func TestEveryRowComesBack(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	pgtest.Fill(t, db, "")
	pgtest.Fill(t, db, "")
	_, err := db.Pool.Exec(t.Context(), `UPDATE subscribers SET first_name = E'a\tb\n\\N "ü"'; CREATE TABLE of_others (a int)`)
	require.NoError(t, err)
	m, file := taken(t, db)
	left := []string{"carillon_migrations", "log_in_tries", "of_others", "rate_buckets", "sessions"}
	var names []string
	for _, table := range m.Tables {
		require.NotContains(t, names, table.Name)
		names = append(names, table.Name)
	}
	slices.Sort(names)
	require.Equal(t, slices.DeleteFunc(ask[string](t, db, allTables), func(name string) bool { return slices.Contains(left, name) }), names,
		"a table that is not backed up must be named here")

	fresh := pgtest.Open(t, pgtest.EmptyURL(t))
	require.NoError(t, restore(t, open(t, file), fresh))
	want, got := content(t, db), content(t, fresh)
	for _, name := range left {
		delete(want, name)
		delete(got, name)
	}
	require.Equal(t, want, got)
	require.Len(t, want["subscribers"], 2)
	require.Empty(t, ask[string](t, fresh, `SELECT id FROM sessions`), "a backup carries no log-in")
	status, err := fresh.Status(t.Context())
	require.NoError(t, err)
	require.NoError(t, status.Err())

	require.ErrorIs(t, restore(t, open(t, file), fresh), pgbackup.ErrNotEmpty)
	require.Equal(t, want["messages"], content(t, fresh)["messages"])
}

// TestOlderSchemaIsBroughtUpToDate takes a backup before the last migration and restores it with the present program.
func TestOlderSchemaIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	steps, err := postgres.Migrations()
	require.NoError(t, err)
	before := steps[len(steps)-2].Version
	old := pgtest.Open(t, pgtest.EmptyURL(t))
	_, err = pgbackup.Write(t.Context(), old, io.Discard, silent)
	require.ErrorContains(t, err, "no tables of Carillon")
	_, err = old.MigrateTo(t.Context(), before, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	m, file := taken(t, old)
	require.Equal(t, before, m.Schema)

	fresh := pgtest.Open(t, pgtest.EmptyURL(t))
	require.NoError(t, restore(t, open(t, file), fresh))
	status, err := fresh.Status(t.Context())
	require.NoError(t, err)
	require.NoError(t, status.Err())

	require.ErrorIs(t, restore(t, open(t, file), pgtest.New(t)), pgbackup.ErrNotEmpty, "a schema that is ahead of the backup's")
}

// changed is the backup with another manifest.
func changed(t *testing.T, file []byte, change func(*pgbackup.Manifest)) *pgbackup.Backup {
	t.Helper()
	b := open(t, file)
	change(&b.Manifest)
	in, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, entry := range in.File {
		if entry.Name != "manifest.json" {
			require.NoError(t, w.Copy(entry))
		}
	}
	entry, err := w.Create("manifest.json")
	require.NoError(t, err)
	require.NoError(t, json.NewEncoder(entry).Encode(b.Manifest))
	require.NoError(t, w.Close())
	return open(t, out.Bytes())
}

// TestDamagedBackupsAreRefused leaves the database empty each time, so that the whole backup can be restored afterwards.
func TestDamagedBackupsAreRefused(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	pgtest.Fill(t, db, "")
	_, file := taken(t, db)
	for _, n := range []int{0, 10, len(file) / 2, len(file) - 1} {
		_, err := pgbackup.Open(bytes.NewReader(file[:n]), int64(n))
		require.ErrorContains(t, err, "this is no backup", "%d bytes", n)
	}
	fresh := pgtest.Open(t, pgtest.EmptyURL(t))
	last := func(m *pgbackup.Manifest) *pgbackup.Table { return &m.Tables[len(m.Tables)-1] }
	for want, change := range map[string]func(*pgbackup.Manifest){
		"does not know (20991231000000_later)": func(m *pgbackup.Manifest) { m.Schema = "20991231000000_later" },
		"has a table nothing that":             func(m *pgbackup.Manifest) { last(m).Name = "nothing" },
		"has other columns than its schema":    func(m *pgbackup.Manifest) { last(m).Columns = last(m).Columns[1:] },
		"its manifest says 77":                 func(m *pgbackup.Manifest) { last(m).Rows = 77 },
		"tables, its schema":                   func(m *pgbackup.Manifest) { m.Tables = m.Tables[1:] },
	} {
		require.ErrorContains(t, restore(t, changed(t, file, change), fresh), want)
	}
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	at := slices.IndexFunc(archive.File, func(f *zip.File) bool { return strings.Contains(f.Name, "subscribers") && f.CompressedSize64 > 0 })
	offset, err := archive.File[at].DataOffset()
	require.NoError(t, err)
	flipped := slices.Clone(file)
	flipped[offset+int64(archive.File[at].CompressedSize64)-1] ^= 0xff //nolint:gosec // of a test's own file
	require.ErrorContains(t, restore(t, open(t, flipped), fresh), "are damaged")
	require.NoError(t, restore(t, open(t, file), fresh))
	require.Len(t, ask[string](t, fresh, `SELECT id FROM subscribers`), 1)
}

// TestRestoresTakeTheirTime: bounds of the role for statements of the service hold for none of a restore.
func TestRestoresTakeTheirTime(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	pgtest.Fill(t, db, "")
	_, file := taken(t, db)
	fresh := pgtest.New(t)
	// The rows' indexes are computed when they come in and when they are analyzed.
	_, err := fresh.Pool.Exec(t.Context(), `CREATE FUNCTION unhurried(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN IF current_setting('statement_timeout') <> '0' THEN RAISE EXCEPTION 'in a hurry'; END IF; RETURN $1; END $$;
CREATE INDEX ON subscribers (unhurried(subscriber_id)); DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = 300000', current_database()); END $$`)
	require.NoError(t, err)
	fresh.Pool.Reset()
	require.NoError(t, restore(t, open(t, file), fresh))
}

func TestOtherFormatsAreRefused(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	entry, err := w.Create("manifest.json")
	require.NoError(t, err)
	require.NoError(t, json.NewEncoder(entry).Encode(pgbackup.Manifest{Format: 2, Program: "9.9.9"}))
	require.NoError(t, w.Close())
	_, err = pgbackup.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	require.ErrorContains(t, err, "use version 9.9.9")
}
