package pgupkeep_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

// TestAnalyzeGrown holds that a plan that was made without statistics is made anew.
func TestAnalyzeGrown(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	conn, err := s.DB.Pool.Acquire(s.Ctx) // one session, whose counters are flushed by hand
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(s.Ctx, `INSERT INTO subscribers (id, environment_id, subscriber_id, created_at, updated_at)
	SELECT 'grown' || n, $1, 'grown' || n, now(), now() FROM generate_series(1, 500) n`, s.Here.Scope.EnvironmentID)
	require.NoError(t, err)
	_, err = conn.Exec(s.Ctx, `SELECT pg_stat_force_next_flush()`)
	require.NoError(t, err)
	_, err = conn.Exec(s.Ctx, `PREPARE look_up (text[], text[]) AS SELECT s.id, s.data FROM unnest($1, $2) AS u (env, key)
	JOIN subscribers s ON s.environment_id = u.env AND s.subscriber_id = u.key AND NOT s.deleted`)
	require.NoError(t, err)
	plan := func() (explained string) {
		t.Helper()
		require.NoError(t, conn.QueryRow(s.Ctx, `EXPLAIN (FORMAT JSON) EXECUTE look_up('{a}', '{b}')`).Scan(&explained))
		return explained
	}
	require.Contains(t, plan(), `"Filter": "((NOT deleted) AND ((u.key)::text = (subscriber_id)::text))"`, "otherwise this test shows nothing")

	analyzed, err := pgupkeep.AnalyzeGrown(s.Ctx, s.DB)
	require.NoError(t, err)
	require.Contains(t, analyzed, "subscribers")
	require.Contains(t, plan(), `"Index Cond": "(((environment_id)::text = (u.env)::text) AND ((subscriber_id)::text = (u.key)::text))"`)

	analyzed, err = pgupkeep.AnalyzeGrown(s.Ctx, s.DB)
	require.NoError(t, err)
	require.Empty(t, analyzed, "none has grown since")
}

// TestAnalyzeGrownPages: growth is seen before its transactions are counted.
func TestAnalyzeGrownPages(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	tx, err := s.DB.Pool.Begin(s.Ctx)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(s.Ctx) }()
	_, err = tx.Exec(s.Ctx, `INSERT INTO subscribers (id, environment_id, subscriber_id, created_at, updated_at)
	SELECT 'grown' || n, $1, 'grown' || n, now(), now() FROM generate_series(1, 2000) n`, s.Here.Scope.EnvironmentID)
	require.NoError(t, err)
	analyzed, err := pgupkeep.AnalyzeGrown(s.Ctx, s.DB)
	require.NoError(t, err)
	require.Contains(t, analyzed, "subscribers")
}

// TestAnalyzeManyLessOften holds that a table of many rows is not analyzed each time it has doubled.
func TestAnalyzeManyLessOften(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	conn, err := s.DB.Pool.Acquire(s.Ctx)
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(s.Ctx, `ALTER TABLE topics SET (autovacuum_enabled = off)`)
	require.NoError(t, err)
	_, err = conn.Exec(s.Ctx, `INSERT INTO topics (id, environment_id, key, name, created_at, updated_at)
	SELECT 'many' || n, $1, 'many' || n, '', now(), now() FROM generate_series(1, 25000) n`, s.Here.Scope.EnvironmentID)
	require.NoError(t, err)
	_, err = conn.Exec(s.Ctx, `SELECT pg_stat_force_next_flush()`)
	require.NoError(t, err)
	for _, c := range []struct {
		known    int
		analyzed bool
	}{{10_000, false}, {9_999, true}} {
		s.Exec(`UPDATE pg_class SET reltuples = $1::int, relpages = pg_relation_size(oid) / 8192 * $1::int / 25000 WHERE oid = 'topics'::regclass`, c.known)
		analyzed, err := pgupkeep.AnalyzeGrown(s.Ctx, s.DB)
		require.NoError(t, err)
		require.Equal(t, c.analyzed, slices.Contains(analyzed, "topics"), "%d were known", c.known)
	}
}

// TestStatisticsTargets: all columns of the tables that grow with every notification have the statistics target of their migration, and no
// index of these tables is on an expression, because an ANALYZE reads as many rows as the highest target needs.
func TestStatisticsTargets(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	others := pgtest.Ask[[]string](s, `SELECT coalesce(array_agg(c.relname || '.' || a.attname), '{}') FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relname IN ('events', 'notifications', 'messages', 'attempts', 'transaction_claims') AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
	AND a.attstattarget IS DISTINCT FROM 30`)
	require.Empty(t, others, "ALTER TABLE … ALTER COLUMN … SET STATISTICS 30")
	onExpressions := pgtest.Ask[[]string](s, `SELECT coalesce(array_agg(x.indexrelid::regclass::text), '{}') FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
WHERE c.relname IN ('events', 'notifications', 'messages', 'attempts', 'transaction_claims') AND x.indexprs IS NOT NULL`)
	require.Empty(t, onExpressions, "ALTER INDEX … ALTER COLUMN … SET STATISTICS 30, and leave it out here")
}

// TestAnalyzeTakesItsTime holds that a statement_timeout of the role does not end an ANALYZE, which would read in vain again and again.
func TestAnalyzeTakesItsTime(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`CREATE FUNCTION timeout_of(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN current_setting('statement_timeout'); END $$`)
	s.Exec(`CREATE INDEX seen_timeouts ON subscribers (timeout_of(subscriber_id))`) // ANALYZE computes it
	s.Exec(`INSERT INTO subscribers (id, environment_id, subscriber_id, created_at, updated_at)
	SELECT 'grown' || n, $1, 'grown' || n, now(), now() FROM generate_series(1, 2000) n`, s.Here.Scope.EnvironmentID)
	s.Exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = 77000', current_database()); END $$`)
	s.Pool.Reset()
	require.Equal(t, "77s", pgtest.Ask[string](s, `SELECT current_setting('statement_timeout')`))
	_, err := pgupkeep.AnalyzeGrown(s.Ctx, s.DB)
	require.NoError(t, err)
	require.Equal(t, "{1h}", pgtest.Ask[string](s, `SELECT most_common_vals::text FROM pg_stats WHERE tablename = 'seen_timeouts'`))
	require.Equal(t, "77s", pgtest.Ask[string](s, `SELECT current_setting('statement_timeout')`), "for it alone")
}
