// Package pgbackup writes all rows of an installation to one file, and fills an empty database from it. It needs no program of
// Postgres, so the image that holds Carillon alone can do both, and a backup of one version of Postgres fits another.
//
// A backup is a zip archive: rows/<table>.copy in Postgres's COPY text format for each table, and manifest.json behind them,
// which a backup that was cut off does not have.
package pgbackup

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/version"
)

// format is the layout of the archive. A program refuses what it does not know.
const format = 1

// Manifest says what a backup holds.
type Manifest struct {
	Format int `json:"format"`
	// Program is the version of Carillon that wrote the backup.
	Program string `json:"program"`
	// TakenAt is when the rows were read, all of them at once.
	TakenAt time.Time `json:"takenAt"`
	// Schema is the last migration that the database had.
	Schema string `json:"schema"`
	// SecretCheck is a text that only the installation's secret key opens; empty before the first start.
	SecretCheck []byte `json:"secretCheck,omitempty"`
	// Tables are in the order in which their references can be met.
	Tables []Table `json:"tables"`
}

// Table is one table of a backup.
type Table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Rows    int64    `json:"rows"`
}

// Progress is called after each table.
type Progress func(Table)

// without are tables whose rows no backup carries: who holds one must not be logged in by it, and counts of tries and rates
// mean nothing later.
var without = []string{"sessions", "log_in_tries", "rate_buckets"}

// Write writes a backup of the database as it is at one moment; the service may run meanwhile. Migrations may be pending, so
// that the program of the next version can take the backup before it migrates.
func Write(ctx context.Context, db *postgres.DB, w io.Writer, progress Progress) (*Manifest, error) {
	status, err := db.Status(ctx)
	if err != nil {
		return nil, err
	}
	status.Pending = nil
	if err := status.Err(); err != nil {
		return nil, err
	}
	if len(status.Applied) == 0 {
		return nil, errNoSchema
	}
	m := &Manifest{Format: format, Program: version.Version(), Schema: slices.Max(status.Applied)}
	archive := zip.NewWriter(w)
	err = db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error { return m.write(ctx, tx.Pgx, archive, progress) })
	if err != nil {
		return nil, err
	}
	entry, err := archive.Create(manifestName)
	if err != nil {
		return nil, fmt.Errorf("write the backup: %w", err)
	}
	if err := errors.Join(json.NewEncoder(entry).Encode(m), archive.Close()); err != nil {
		return nil, fmt.Errorf("write the backup: %w", err)
	}
	return m, nil
}

var errNoSchema = errors.New("the database has no tables of Carillon: is this the right one?")

const manifestName = "manifest.json"

func entryName(table string) string { return "rows/" + table + ".copy" }

// write reads all tables in one snapshot.
func (m *Manifest) write(ctx context.Context, tx pgx.Tx, archive *zip.Writer, progress Progress) error {
	if _, err := tx.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`); err != nil {
		return postgres.Translate(fmt.Errorf("back up: %w", err))
	}
	if err := postgres.Unbounded(ctx, tx); err != nil {
		return err
	}
	err := tx.QueryRow(ctx, `SELECT now(), secret_check FROM carillon_installation`).Scan(&m.TakenAt, &m.SecretCheck)
	if err != nil {
		return postgres.Translate(fmt.Errorf("back up: %w", err))
	}
	m.TakenAt = m.TakenAt.UTC()
	if m.Tables, err = Tables(ctx, tx); err != nil {
		return err
	}
	for i := range m.Tables {
		t := &m.Tables[i]
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: entryName(t.Name), Method: zip.Deflate, Modified: m.TakenAt})
		if err != nil {
			return fmt.Errorf("write the backup: %w", err)
		}
		tag, err := tx.Conn().PgConn().CopyTo(ctx, entry, `COPY (SELECT `+list(t.Columns)+` FROM `+t.name()+`) TO STDOUT`)
		if err != nil {
			return postgres.Translate(fmt.Errorf("back up %s: %w", t.Name, err))
		}
		t.Rows = tag.RowsAffected()
		progress(*t)
	}
	return nil
}

var tableNames = regexp.MustCompile(`(?:CREATE (?:UNLOGGED )?TABLE(?: IF NOT EXISTS)?|RENAME TO) "(\w+)"`)

// made are the names of the tables that migrations make: a schema may be shared with other programs.
func made() ([]string, error) {
	steps, err := postgres.Migrations()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range steps {
		for _, found := range tableNames.FindAllStringSubmatch(m.SQL, -1) {
			if !slices.Contains(without, found[1]) {
				names = append(names, found[1])
			}
		}
	}
	return names, nil
}

// Tables lists Carillon's tables with the columns that are stored, each behind those that it refers to, without those whose rows
// stay where they are.
func Tables(ctx context.Context, tx pgx.Tx) ([]Table, error) {
	names, err := made()
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, `
		SELECT c.relname,
		       (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
		        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''),
		       ARRAY(SELECT DISTINCT f.confrelid::regclass::text FROM pg_constraint f
		             WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid)
		FROM pg_class c
		WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'carillon_migrations'::regclass) AND c.relkind = 'r' AND c.relname = ANY($1)
		ORDER BY c.relname`, names)
	if err != nil {
		return nil, postgres.Translate(fmt.Errorf("list the tables: %w", err))
	}
	var found []Table
	refers := map[string][]string{}
	var t Table
	var to []string
	_, err = pgx.ForEachRow(rows, []any{&t.Name, &t.Columns, &to}, func() error {
		found, refers[t.Name] = append(found, t), to
		t.Columns, to = nil, nil
		return nil
	})
	if err != nil {
		return nil, postgres.Translate(fmt.Errorf("list the tables: %w", err))
	}
	return ordered(found, refers)
}

// ordered puts each table behind those that it refers to.
func ordered(all []Table, refers map[string][]string) ([]Table, error) {
	var out []Table
	placed := map[string]bool{}
	for len(all) > 0 {
		rest := slices.DeleteFunc(slices.Clone(all), func(t Table) bool {
			waits := slices.ContainsFunc(refers[t.Name], func(name string) bool { return !placed[name] })
			if !waits {
				out = append(out, t)
			}
			return !waits
		})
		if len(rest) == len(all) {
			return nil, fmt.Errorf("table %s refers to itself through others, or to a table that backups leave out", rest[0].Name)
		}
		for _, t := range out {
			placed[t.Name] = true
		}
		all = rest
	}
	return out, nil
}

func (t Table) name() string { return pgx.Identifier{t.Name}.Sanitize() }

func list(columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = pgx.Identifier{c}.Sanitize()
	}
	return strings.Join(quoted, ", ")
}
