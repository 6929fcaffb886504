package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestLookingForDueRowsFollowsTheIndex shows that waking costs what is due, however much sleeps.
func TestLookingForDueRowsFollowsTheIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO notifications (id, created_at, updated_at, environment_id, context_keys, scope, event_id,
	transaction_id, workflow_id, workflow_version_id, subscriber_id, status, position, trace, failures, due_at)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', '', lpad(n::text, 24, '0'), 't', 'w', 'v', 's', 'waiting', 0, '[]', 0,
	now() + n * interval '1 minute' FROM generate_series(1, 20000) n`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `ANALYZE notifications`)
	require.NoError(t, err)
	rows, err := db.Pool.Query(t.Context(), "EXPLAIN "+postgres.DueQueries[postgres.DueNotifications], time.Now(), 200)
	require.NoError(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Contains(t, strings.Join(plan, "\n"), "notification_due_at")
	require.NotContains(t, strings.Join(plan, "\n"), "Seq Scan")
}
