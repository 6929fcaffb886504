package app

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres/pgbackup"
)

// Backup writes all rows of the installation to w, as they are at one moment. The service may run meanwhile.
func Backup(ctx context.Context, cfg *config.Config, log *slog.Logger, w io.Writer, progress pgbackup.Progress) (m *pgbackup.Manifest, err error) {
	err = withDatabase(ctx, cfg, log, func(db *database) error {
		m, err = pgbackup.Write(ctx, db.DB, w, progress)
		return err
	})
	return m, err
}

// Restore fills the configured database, which must be empty, from a backup. The configured secret key must be the one of
// the installation that was backed up.
func Restore(ctx context.Context, cfg *config.Config, log *slog.Logger, b *pgbackup.Backup, progress pgbackup.Progress) (err error) {
	if b.SecretCheck != nil {
		key := secretKeyOf(cfg)
		keeper, err := key.read(false)
		if err != nil {
			return err
		}
		if !keeper.Fits(b.SecretCheck) {
			return key.mismatch("is not the key of the installation that was backed up")
		}
	}
	db, err := openDatabase(ctx, cfg, true, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.close()) }()
	return b.Restore(ctx, db.DB, log, progress)
}
