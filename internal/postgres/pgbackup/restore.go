package pgbackup

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// maxManifest bounds what is read of a manifest: some fifty tables make 10 kB.
const maxManifest = 1 << 20

// Backup is a backup that was opened.
type Backup struct {
	Manifest

	archive *zip.Reader
}

// Open reads the manifest of a backup of the given size.
func Open(r io.ReaderAt, size int64) (*Backup, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("this is no backup, or one that was cut off: %w", err)
	}
	entry, err := archive.Open(manifestName)
	if err != nil {
		return nil, errors.New("this is no backup: it has no manifest")
	}
	defer entry.Close()
	b := &Backup{archive: archive}
	if err := json.NewDecoder(io.LimitReader(entry, maxManifest)).Decode(&b.Manifest); err != nil {
		return nil, fmt.Errorf("read the backup's manifest: %w", err)
	}
	if b.Format != format {
		return nil, fmt.Errorf("the backup has format %d, this version of Carillon reads format %d: use version %s, which wrote it", b.Format, format, b.Program)
	}
	return b, nil
}

// ErrNotEmpty says that a database holds rows already.
var ErrNotEmpty = errors.New("the database is not empty: name an empty one")

// Restore fills an empty database in one transaction, and then brings its schema up to date. A restore that failed can be
// repeated on the same database.
func (b *Backup) Restore(ctx context.Context, db *postgres.DB, log *slog.Logger, progress Progress) error {
	if err := b.prepare(ctx, db, log); err != nil {
		return err
	}
	err := db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		if err := postgres.Unbounded(ctx, tx.Pgx); err != nil {
			return err
		}
		own, err := Tables(ctx, tx.Pgx)
		if err != nil {
			return err
		}
		if err := b.fits(own); err != nil {
			return err
		}
		if err := empty(ctx, tx.Pgx, own); err != nil {
			return err
		}
		return b.fill(ctx, tx.Pgx, progress)
	})
	if err != nil {
		return err
	}
	if _, err := db.Migrate(ctx, log); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
		if err := postgres.Unbounded(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `ANALYZE`); err != nil {
			return postgres.Translate(fmt.Errorf("collect statistics for the planner: %w", err))
		}
		return nil
	})
}

// prepare makes the tables as they were when the backup was taken.
func (b *Backup) prepare(ctx context.Context, db *postgres.DB, log *slog.Logger) error {
	status, err := db.Status(ctx)
	if err != nil {
		return err
	}
	if len(status.Unknown) > 0 || len(status.Changed) > 0 {
		return status.Err()
	}
	if !slices.Contains(status.Applied, b.Schema) && !slices.Contains(status.Pending, b.Schema) {
		return fmt.Errorf("the backup has a schema that this version of Carillon does not know (%s): use version %s, which wrote it, or a later one", b.Schema, b.Program)
	}
	if last := slices.MaxFunc(append(status.Applied, ""), strings.Compare); last > b.Schema {
		return fmt.Errorf("%w (its schema is %s, the backup's %s)", ErrNotEmpty, last, b.Schema)
	}
	_, err = db.MigrateTo(ctx, b.Schema, log)
	return err
}

// fits returns an error when the backup's tables are not those of the schema.
func (b *Backup) fits(own []Table) error {
	for _, t := range b.Tables {
		i := slices.IndexFunc(own, func(o Table) bool { return o.Name == t.Name })
		if i < 0 {
			return fmt.Errorf("the backup has a table %s that its schema does not make", t.Name)
		}
		if !slices.Equal(own[i].Columns, t.Columns) {
			return fmt.Errorf("the backup's table %s has other columns than its schema", t.Name)
		}
	}
	if len(own) != len(b.Tables) {
		return fmt.Errorf("the backup has %d tables, its schema %d", len(b.Tables), len(own))
	}
	return nil
}

// seeded has a row from the migration that makes it.
const seeded = "carillon_installation"

// empty locks the tables, so that no other process begins meanwhile, and returns ErrNotEmpty when one of them has rows.
func empty(ctx context.Context, tx pgx.Tx, own []Table) error {
	var names, filled []string
	for _, t := range own {
		names = append(names, t.name())
		if t.Name != seeded {
			filled = append(filled, `EXISTS (SELECT FROM `+t.name()+`)`)
		}
	}
	if _, err := tx.Exec(ctx, `LOCK TABLE `+strings.Join(names, ", ")+` IN ACCESS EXCLUSIVE MODE`); err != nil {
		return postgres.Translate(fmt.Errorf("restore: %w", err))
	}
	var has bool
	if err := tx.QueryRow(ctx, `SELECT `+strings.Join(filled, " OR ")).Scan(&has); err != nil {
		return postgres.Translate(fmt.Errorf("restore: %w", err))
	}
	if has {
		return ErrNotEmpty
	}
	if _, err := tx.Exec(ctx, `DELETE FROM `+seeded); err != nil {
		return postgres.Translate(fmt.Errorf("restore: %w", err))
	}
	return nil
}

func (b *Backup) fill(ctx context.Context, tx pgx.Tx, progress Progress) error {
	// What is restored happened before: no webhook reports it again.
	if _, err := tx.Exec(ctx, `SET LOCAL carillon.webhooks = 'off'`); err != nil {
		return postgres.Translate(fmt.Errorf("restore: %w", err))
	}
	for _, t := range b.Tables {
		if err := b.fillTable(ctx, tx, t); err != nil {
			return err
		}
		progress(t)
	}
	return nil
}

func (b *Backup) fillTable(ctx context.Context, tx pgx.Tx, t Table) error {
	entry, err := b.archive.Open(entryName(t.Name))
	if err != nil {
		return fmt.Errorf("the backup has no rows of %s: %w", t.Name, err)
	}
	defer entry.Close()
	rows := &entryReader{from: entry}
	tag, err := tx.Conn().PgConn().CopyFrom(ctx, bufio.NewReaderSize(rows, 1<<20), `COPY `+t.name()+` (`+list(t.Columns)+`) FROM STDIN`)
	if rows.failed != nil {
		return fmt.Errorf("the backup's rows of %s are damaged: restore another copy of it: %w", t.Name, rows.failed)
	}
	if err != nil {
		return postgres.Translate(fmt.Errorf("restore %s: %w", t.Name, err))
	}
	if tag.RowsAffected() != t.Rows {
		return fmt.Errorf("the backup has %d rows of %s, its manifest says %d", tag.RowsAffected(), t.Name, t.Rows)
	}
	return nil
}

// entryReader remembers why its entry could not be read, which the server reports as its own failure.
type entryReader struct {
	from   io.Reader
	failed error
}

// Read reads from the entry.
func (r *entryReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.failed = err
	}
	return n, err //nolint:wrapcheck // the end has to stay io.EOF
}
