package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres"
)

// Migrate brings the database's schema up to date and logs what it did.
func Migrate(ctx context.Context, cfg *config.Config, log *slog.Logger) (applied []string, err error) {
	err = withDatabase(ctx, cfg, log, func(db *database) error {
		applied, err = db.Migrate(ctx, log)
		return err
	})
	return applied, err
}

// MigrationState is a migration and what the database knows of it.
type MigrationState struct {
	postgres.Migration
	AppliedAt time.Time // zero: it is pending
}

// Pending reports whether the migration is still to be applied.
func (s MigrationState) Pending() bool { return s.AppliedAt.IsZero() }

// Migrations lists the migrations of this program, oldest first. It changes nothing. Its error is ErrSchema when the
// database is newer or was migrated with other texts; the list is complete then, too.
func Migrations(ctx context.Context, cfg *config.Config, log *slog.Logger) (states []MigrationState, err error) {
	err = withDatabase(ctx, cfg, log, func(db *database) error {
		steps, err := postgres.Migrations()
		if err != nil {
			return err
		}
		times, err := db.AppliedAt(ctx)
		if err != nil {
			return err
		}
		for _, m := range steps {
			states = append(states, MigrationState{Migration: m, AppliedAt: times[m.Version]})
		}
		status, err := db.Status(ctx)
		if err != nil {
			return err
		}
		status.Pending = nil // the list says which
		return status.Err()
	})
	return states, err
}

// withDatabase calls fn with the installation's database, which it does not make.
func withDatabase(ctx context.Context, cfg *config.Config, log *slog.Logger, fn func(*database) error) (err error) {
	if err := requireDatabase(cfg); err != nil {
		return err
	}
	db, err := openDatabase(ctx, cfg, true, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.close()) }()
	return fn(db)
}
