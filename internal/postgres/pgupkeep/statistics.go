package pgupkeep

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

const (
	// fewRows is how many rows a table counts for that has fewer, or was never analyzed.
	fewRows = 25
	// manyRows is how many rows a table has whose plans no longer change when it doubles.
	manyRows = 10_000
	// fewPages is the like of fewRows for pages of 8 kB.
	fewPages = 4
	// grownTarget is the statistics target of grown tables: an ANALYZE reads 300 rows for each, beside the load that made them grow.
	// Autovacuum looks again with Postgres's own (100), which takes several times as long for a table of many rows. Columns of the hottest
	// tables have a target of their own (30) for both.
	grownTarget = 20
	// analyzeWithin bounds the ANALYZE of one table, whatever statement_timeout the role has: one that it ends has read in vain, and the
	// next look begins it anew.
	analyzeWithin = "1h"
)

// AnalyzeGrown runs ANALYZE on tables that have at least twice the rows or pages of their last one, eight times if they were many, the
// smallest first, and returns their names. Rows are known a second after their commit, pages at once. Autovacuum does it too, but looks
// once a minute. Until then Postgres takes a table that was empty for a few rows, finds any index that begins with the environment as good
// as the right one, and reads all rows of an environment where it could read one. Plans of all sessions are made anew after an ANALYZE.
// Tables that this role does not own, and those that another process has locked, are left out.
func AnalyzeGrown(ctx context.Context, db *postgres.DB) (tables []string, err error) {
	rows, err := db.Pool.Query(ctx, `SELECT relname FROM (
	SELECT c.*, pg_relation_size(c.oid) / current_setting('block_size')::int AS pages, CASE WHEN c.reltuples < $2 THEN 2 ELSE 8 END AS times FROM pg_class c
	WHERE c.relkind = 'r' AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'carillon_migrations'::regclass) AND pg_has_role(c.relowner, 'USAGE')) c
WHERE pg_stat_get_live_tuples(c.oid) >= times * greatest(c.reltuples, $1) OR pages >= times * greatest(c.relpages, $3)
ORDER BY pages`, fewRows, manyRows, fewPages)
	if err != nil {
		return nil, fmt.Errorf("find tables that have grown: %w", err)
	}
	if tables, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		return nil, fmt.Errorf("find tables that have grown: %w", err)
	}
	for _, table := range tables {
		err := pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, fmt.Sprintf(`SET LOCAL default_statistics_target = %d; SET LOCAL statement_timeout = '%s'`, grownTarget, analyzeWithin))
			if err == nil {
				_, err = tx.Exec(ctx, `ANALYZE (SKIP_LOCKED) `+pgx.Identifier{table}.Sanitize())
			}
			return err //nolint:wrapcheck // wrapped below
		})
		if err != nil {
			return nil, fmt.Errorf("analyze %s: %w", table, err)
		}
	}
	return tables, nil
}
