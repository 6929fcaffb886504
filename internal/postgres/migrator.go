package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// lockPatience bounds how long a statement of a migration waits for a table: all who ask for the table later wait behind it. It
	// is longer than the server's deadlock_timeout, after which an autovacuum gives way.
	lockPatience = 2 * time.Second
	// firstPause and longestPause are between two tries, for what waited behind the last one.
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

// concurrently marks statements behind which no other waits.
var concurrently = regexp.MustCompile(`(?i)\bCONCURRENTLY\b`)

// migrator runs migrations on one connection beside whatever uses the tables.
type migrator struct {
	conn *pgxpool.Conn
	log  *slog.Logger
	// bounded says that the server or the role has a lock_timeout: it counts, and what exceeds it fails.
	bounded bool
}

func newMigrator(ctx context.Context, conn *pgxpool.Conn, log *slog.Logger) (migrator, error) {
	run := migrator{conn: conn, log: log}
	if err := conn.QueryRow(ctx, `SELECT current_setting('lock_timeout') <> '0'`).Scan(&run.bounded); err != nil {
		return run, fmt.Errorf("migrate: %w", err)
	}
	return run, nil
}

// apply runs a migration and records it. Outside of a transaction a failure leaves the statements before it done, and
// the next run begins with the first statement again.
func (r migrator) apply(ctx context.Context, m Migration) error {
	const record = `INSERT INTO carillon_migrations (version, checksum) VALUES ($1, $2)`
	if m.InTransaction() {
		return r.retry(ctx, m.Version, func() error {
			return pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error {
				if _, err := tx.Exec(ctx, m.SQL, pgx.QueryExecModeSimpleProtocol); err != nil {
					return err
				}
				_, err := tx.Exec(ctx, record, m.Version, m.Checksum)
				return err
			})
		})
	}
	for _, statement := range m.Statements() {
		if err := r.alone(ctx, m.Version, statement); err != nil {
			return err
		}
	}
	_, err := r.conn.Exec(ctx, record, m.Version, m.Checksum)
	return err
}

// alone runs a statement outside of a transaction. One that builds an index may wait, and leaves an index that does not work when it
// fails, so that it cannot be tried again without the statement before it.
func (r migrator) alone(ctx context.Context, version, statement string) error {
	try := func() error {
		_, err := r.conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
		return err
	}
	if !concurrently.MatchString(statement) {
		return r.retry(ctx, version, try)
	}
	if err := r.boundWaits(ctx, 0); err != nil {
		return err
	}
	return try()
}

// retry calls try until it gets the tables that it asks for. It waits for each for lockPatience, and then lets others pass.
func (r migrator) retry(ctx context.Context, version string, try func() error) error {
	if err := r.boundWaits(ctx, lockPatience); err != nil {
		return err
	}
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := try()
		if code := Code(err); code != deadlock && (code != lockTimeout || r.bounded) {
			return err
		}
		r.log.WarnContext(ctx, "migration waits for a table that others use", "version", version, "error", err.Error(),
			"oldest_transaction", r.oldestTransaction(ctx), "retry_in_ms", pause.Milliseconds())
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// boundWaits bounds the waits for tables, 0 for not at all, unless the server or the role does.
func (r migrator) boundWaits(ctx context.Context, bound time.Duration) error {
	if r.bounded {
		return nil
	}
	_, err := r.conn.Exec(ctx, `SELECT set_config('lock_timeout', $1, false)`, strconv.FormatInt(bound.Milliseconds(), 10))
	return err
}

// oldestTransaction says which session has been in a transaction for longest: it is most likely what a migration waits for.
func (r migrator) oldestTransaction(ctx context.Context) (session string) {
	_ = r.conn.QueryRow(ctx, `SELECT format('pid %s (%s), for %s s', pid, coalesce(nullif(application_name, ''), usename), extract(epoch FROM now() - xact_start)::int)
		FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
		ORDER BY xact_start LIMIT 1`).Scan(&session) // none, or one that the role must not see: the log has none then
	return session
}
