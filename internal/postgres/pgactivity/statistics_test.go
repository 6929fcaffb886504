package pgactivity_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgactivity"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestStatisticsFollowTheIndex shows that a question about a period reads the period's rows alone, up to its bound.
func TestStatisticsFollowTheIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for _, statement := range []string{
		`INSERT INTO attempts (id, created_at, updated_at, environment_id, message_id, number, integration_id, provider_id, outcome)
SELECT lpad(to_hex(1700000000 + n), 8, '0') || repeat('0', 16), now(), now(), 'env', 'm' || n, 1, 'i', 'p', 'accepted' FROM generate_series(1, 30000) n`,
		`INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id, event_id, transaction_id,
	workflow_id, workflow_identifier, step_id, subscriber_id, channel, target, status, arrived_at)
SELECT lpad(to_hex(1700000000 + n), 8, '0') || repeat('0', 16), now(), now(), 'env', '[]', '', lpad(to_hex(1700000000 + n), 8, '0') || repeat('0', 16), lpad(to_hex(1700000000 + n), 8, '0') || repeat('0', 16),
	't', 'w', 'w', 's', 'u', 'email', 'x', 'pending', now() FROM generate_series(1, 30000) n`,
		`ANALYZE attempts, messages`,
	} {
		_, err := db.Pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	low, high := pgactivity.Buckets{From: time.Unix(1700010000, 0), Each: time.Minute, Count: 60, Rows: 50}.Bounds()
	scanned := regexp.MustCompile(`Index Only Scan using \w+_environment_id_id .*loops=(\d+)`)
	for table, query := range pgactivity.StatisticsQueries {
		rows, err := db.Pool.Query(t.Context(), "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) "+query, "env", low, high, 50, 55)
		require.NoError(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		plan := strings.Join(lines, "\n")
		require.NotContains(t, plan, "Seq Scan", table)
		require.Contains(t, plan, "_environment_id_id", table)
		require.Contains(t, plan, "(actual rows=50", "60 buckets stop at 50 of their 60 rows each: "+plan)
		require.Contains(t, plan, "(actual rows=55", "and are counted up to 55: "+plan)
		counts := scanned.FindStringSubmatch(plan)
		require.NotNil(t, counts, plan)
		require.Equal(t, "60", counts[1], "each once, and not for each of its rows: "+plan)
		require.Less(t, pgtest.Pages(t, db, query, "env", low, high, 1000, 1000), 60*25, "%s: spans with fewer rows end where the next begins", table)
	}
}
