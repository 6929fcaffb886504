package postgres

import (
	"context"
	"fmt"
	"time"
)

// RateLease is a wish for tokens of a bucket that all processes share.
type RateLease struct {
	EnvironmentID, Category string
	PerSecond, Burst        float64 // what flows in, and how much the bucket holds
	Want                    float64
	Now                     time.Time
}

// LeaseRate takes up to Want tokens out of a bucket, and returns how many it took and how many are left.
func (db *DB) LeaseRate(ctx context.Context, l RateLease) (granted, left float64, err error) {
	err = db.Pool.QueryRow(ctx, `
		INSERT INTO rate_buckets AS b (environment_id, category, tokens, granted, at)
		VALUES ($1, $2, $4::float8 - least($5::float8, $4), least($5, $4), $6)
		ON CONFLICT (environment_id, category) DO UPDATE SET (tokens, granted, at) = (
			SELECT full_to - least($5, full_to), least($5, full_to), greatest(b.at, excluded.at)
			FROM (SELECT least($4, b.tokens + greatest(0, extract(epoch FROM excluded.at - b.at)) * $3::float8) AS full_to) AS refilled)
		RETURNING granted, tokens`,
		l.EnvironmentID, l.Category, l.PerSecond, l.Burst, l.Want, l.Now).Scan(&granted, &left)
	if err != nil {
		return 0, 0, Translate(fmt.Errorf("lease of a rate limit: %w", err))
	}
	return granted, left, nil
}
