package postgres

import (
	"context"
	"io/fs"
	"log/slog"
)

// MigrateFiles is DB.Migrate with other files.
func MigrateFiles(ctx context.Context, db *DB, files fs.FS, log *slog.Logger) ([]string, error) {
	steps, err := readMigrations(files)
	if err != nil {
		return nil, err
	}
	return db.migrate(ctx, steps, log)
}
