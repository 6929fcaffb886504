package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// AppliedAt returns when each applied migration was recorded, by its version. It is empty before the first.
func (db *DB) AppliedAt(ctx context.Context) (map[string]time.Time, error) {
	times := map[string]time.Time{}
	if exists, err := db.migrated(ctx); err != nil || !exists {
		return times, err
	}
	rows, err := db.Pool.Query(ctx, `SELECT version, applied_at FROM carillon_migrations`)
	if err != nil {
		return nil, Translate(fmt.Errorf("read when migrations were applied: %w", err))
	}
	var version string
	var at time.Time
	if _, err = pgx.ForEachRow(rows, []any{&version, &at}, func() error { times[version] = at.UTC(); return nil }); err != nil {
		return nil, Translate(fmt.Errorf("read when migrations were applied: %w", err))
	}
	return times, nil
}
