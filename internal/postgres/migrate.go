package postgres

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrationLock is the key of the session lock that lets one process migrate at a time.
const migrationLock = 0x6361726c // "carl"

const migrationTable = `CREATE TABLE IF NOT EXISTS carillon_migrations (
	version text COLLATE "C" PRIMARY KEY,
	checksum text NOT NULL,
	applied_at timestamptz NOT NULL DEFAULT now()
)`

// Migration is one step of the schema: a file migrations/<timestamp>_<name>.sql.
type Migration struct {
	// Version is the file's name without ".sql"; versions ascend with time.
	Version string
	// SQL is the file's text, Checksum its SHA-256 in hex.
	SQL, Checksum string
}

// Migrations lists the steps that this binary carries, oldest first.
func Migrations() ([]Migration, error) {
	return readMigrations(migrationFiles)
}

func readMigrations(files fs.FS) ([]Migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql") // sorted
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	steps := make([]Migration, len(names))
	for i, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		sum := sha256.Sum256(text)
		steps[i] = Migration{Version: strings.TrimSuffix(path.Base(name), ".sql"), SQL: string(text), Checksum: hex.EncodeToString(sum[:])}
	}
	return steps, nil
}

// SchemaStatus compares the database with this binary.
type SchemaStatus struct {
	Applied []string // in both
	Pending []string // in this binary only: run `carillon migrate`
	Unknown []string // in the database only: a newer Carillon has been here
	Changed []string // applied with another text
}

// Current reports whether nothing is to be done.
func (s SchemaStatus) Current() bool { return s.Err() == nil }

// ErrSchema says that database and binary do not fit.
var ErrSchema = errors.New("the database's schema does not fit this version of Carillon")

// Err is nil when the schema is current, else an ErrSchema that names the difference and the cure.
func (s SchemaStatus) Err() error {
	switch {
	case len(s.Changed) > 0:
		return fmt.Errorf("%w: migrations %s were applied with another text than this version carries; restore the files, they must never change",
			ErrSchema, strings.Join(s.Changed, ", "))
	case len(s.Unknown) > 0:
		return fmt.Errorf("%w: it is newer (%s); use the newer Carillon", ErrSchema, strings.Join(s.Unknown, ", "))
	case len(s.Pending) > 0:
		return fmt.Errorf("%w: %d migrations are pending; run `carillon migrate`", ErrSchema, len(s.Pending))
	}
	return nil
}

// migrated reports whether migrations have been applied to the database.
func (db *DB) migrated(ctx context.Context) (exists bool, err error) {
	if err := db.Pool.QueryRow(ctx, `SELECT to_regclass('carillon_migrations') IS NOT NULL`).Scan(&exists); err != nil {
		return false, Translate(fmt.Errorf("read the schema's version: %w", err))
	}
	return exists, nil
}

// Status compares the database's schema with what this binary expects. It changes nothing.
func (db *DB) Status(ctx context.Context) (SchemaStatus, error) {
	var status SchemaStatus
	steps, err := Migrations()
	if err != nil {
		return status, err
	}
	exists, err := db.migrated(ctx)
	if err != nil {
		return status, err
	}
	applied := map[string]string{}
	if exists {
		if applied, err = appliedMigrations(ctx, db.Pool); err != nil {
			return status, err
		}
	}
	return compare(steps, applied), nil
}

func compare(steps []Migration, applied map[string]string) SchemaStatus {
	var status SchemaStatus
	known := map[string]bool{}
	for _, m := range steps {
		known[m.Version] = true
		switch sum, ok := applied[m.Version]; {
		case !ok:
			status.Pending = append(status.Pending, m.Version)
		case sum != m.Checksum:
			status.Changed = append(status.Changed, m.Version)
		default:
			status.Applied = append(status.Applied, m.Version)
		}
	}
	for version := range applied {
		if !known[version] {
			status.Unknown = append(status.Unknown, version)
		}
	}
	return status
}

func appliedMigrations(ctx context.Context, q Reader) (map[string]string, error) {
	rows, err := q.Query(ctx, `SELECT version, checksum FROM carillon_migrations`)
	if err != nil {
		return nil, Translate(fmt.Errorf("read applied migrations: %w", err))
	}
	applied := map[string]string{}
	var version, sum string
	_, err = pgx.ForEachRow(rows, []any{&version, &sum}, func() error { applied[version] = sum; return nil })
	if err != nil {
		return nil, Translate(fmt.Errorf("read applied migrations: %w", err))
	}
	return applied, nil
}

// Migrate brings the schema up to date and returns what it applied, each file in a transaction of its own unless it
// is marked to run outside of one.
// Any number of processes may call it at once; one works, the others wait and find nothing to do.
func (db *DB) Migrate(ctx context.Context, log *slog.Logger) ([]string, error) {
	steps, err := Migrations()
	if err != nil {
		return nil, err
	}
	return db.migrate(ctx, steps, log)
}

// MigrateTo is Migrate up to the migration of the given version, for rows that were stored under that schema.
func (db *DB) MigrateTo(ctx context.Context, version string, log *slog.Logger) ([]string, error) {
	steps, err := Migrations()
	if err != nil {
		return nil, err
	}
	last := slices.IndexFunc(steps, func(m Migration) bool { return m.Version == version })
	if last < 0 {
		return nil, fmt.Errorf("there is no migration %s", version)
	}
	return db.migrate(ctx, steps[:last+1], log)
}

func (db *DB) migrate(ctx context.Context, steps []Migration, log *slog.Logger) ([]string, error) {
	if db.pooler {
		// Units and hooks migrate before each start, with the settings of the service.
		status, err := db.Status(ctx)
		if err != nil || len(status.Pending) == 0 {
			return nil, cmp.Or(err, status.Err())
		}
		return nil, errors.New("migrations need a session of their own: connect to the server directly, not through the pooler")
	}
	conn, err := db.Pool.Acquire(ctx)
	if err != nil {
		return nil, Translate(fmt.Errorf("migrate: %w", err))
	}
	defer conn.Release()
	if err := lock(ctx, conn, log); err != nil {
		return nil, Translate(fmt.Errorf("migrate: lock: %w", err))
	}
	defer unlock(ctx, conn)
	return apply(ctx, conn, steps, log)
}

// unbounded lifts the bounds that the server or the role may have for statements of the service. $1 says whether that ends with the
// transaction.
const unbounded = `SELECT set_config(name, '0', $1) FROM pg_settings
WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

// Unbounded lifts the bounds of statements for the rest of a transaction: a large table takes long.
func Unbounded(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, unbounded, true); err != nil {
		return Translate(fmt.Errorf("lift the bounds of statements: %w", err))
	}
	return nil
}

// lockInterval is how often a process that waits for another one's migrations looks again.
const lockInterval = 200 * time.Millisecond

// lock waits for the session's lock by asking again: a statement that waits inside the server holds a snapshot, and
// CREATE INDEX CONCURRENTLY waits for all snapshots, so that the two would wait for each other.
func lock(ctx context.Context, conn *pgxpool.Conn, log *slog.Logger) error {
	tick := time.NewTicker(lockInterval)
	defer tick.Stop()
	for first := true; ; first = false {
		var taken bool
		if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, migrationLock).Scan(&taken); err != nil || taken {
			return err
		}
		if first {
			log.InfoContext(ctx, "another process migrates, or its last statement has not ended: waiting")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// unlock gives the session's lock back, by closing its connection: nothing else uses one without bounds.
func unlock(ctx context.Context, conn *pgxpool.Conn) {
	_ = conn.Conn().Close(context.WithoutCancel(ctx))
}

func apply(ctx context.Context, conn *pgxpool.Conn, steps []Migration, log *slog.Logger) ([]string, error) {
	if err := requireUnicode(ctx, conn); err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, unbounded, false); err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	if _, err := conn.Exec(ctx, migrationTable); err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	applied, err := appliedMigrations(ctx, conn)
	if err != nil {
		return nil, err
	}
	status := compare(steps, applied)
	if len(status.Changed) > 0 || len(status.Unknown) > 0 {
		return nil, status.Err()
	}
	run, err := newMigrator(ctx, conn, log)
	if err != nil {
		return nil, err
	}
	// Only the commits of the last migration wait for the disk, and with them all before. A crash meanwhile leaves the first ones, which are
	// in order, and the next run continues there. A new database waits some ten times, not a hundred.
	if _, err := conn.Exec(ctx, `SET synchronous_commit = off`); err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	var done []string
	for _, m := range steps {
		if _, ok := applied[m.Version]; ok {
			continue
		}
		if m.Version == status.Pending[len(status.Pending)-1] {
			if _, err := conn.Exec(ctx, `RESET synchronous_commit`); err != nil {
				return done, fmt.Errorf("migrate: %w", err)
			}
		}
		if !m.InTransaction() {
			log.InfoContext(ctx, "migration begins: it takes longer the larger the tables are", "version", m.Version)
		}
		if err := run.apply(ctx, m); err != nil {
			return done, fmt.Errorf("migration %s: %w", m.Version, err)
		}
		log.InfoContext(ctx, "migration applied", "version", m.Version)
		done = append(done, m.Version)
	}
	return done, nil
}

// requireUnicode refuses a new database that cannot hold every text: with another encoding Postgres refuses escapes in JSON, counts
// bytes for characters, and does not find letters in the other case. Installations that are there already go on as they are.
func requireUnicode(ctx context.Context, conn *pgxpool.Conn) error {
	var encoding string
	var fresh bool
	err := conn.QueryRow(ctx, `SELECT current_setting('server_encoding'), to_regclass('carillon_migrations') IS NULL`).Scan(&encoding, &fresh)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if fresh && encoding != "UTF8" {
		return fmt.Errorf("the database has the encoding %s: make it with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0", encoding)
	}
	return nil
}
