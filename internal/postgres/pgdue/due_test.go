package pgdue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestLookingForDueRowsFollowsTheIndex shows that waking costs what is due, however much sleeps.
func TestLookingForDueRowsFollowsTheIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO notifications (id, created_at, updated_at, environment_id, context_keys, scope, event_id,
	transaction_id, workflow_id, workflow_version_id, subscriber_id, status, position, trace, failures, lane, due_at)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', '', lpad(n::text, 24, '0'), 't', 'w', 'v', 's', 'waiting', 0, '[]', 0,
	CASE WHEN n % 1000 = 0 THEN 'urgent' ELSE 'normal' END, now() + n * interval '1 minute' FROM generate_series(1, 20000) n`)
	require.NoError(t, err)
	pgtest.FillMessages(t, db)
	_, err = db.Pool.Exec(t.Context(), `ANALYZE notifications`)
	require.NoError(t, err)
	for kind, queries := range map[string][]string{
		"notification": pgdue.DueQueries(pgdue.DueNotifications), "message": pgdue.DueQueries(pgdue.DueMessages),
	} {
		require.Len(t, queries, 2)
		pgtest.RequireIndex(t, pgtest.Explain(t, db, queries[0], time.Now(), 200), kind+"_urgent_due_at")
		pgtest.RequireIndex(t, pgtest.Explain(t, db, queries[1], time.Now(), 200), kind+"_due_at")
	}

	_, err = db.Pool.Exec(t.Context(), `UPDATE notifications SET due_at = now() - interval '1 minute' WHERE id < lpad('4', 24, '0')`)
	require.NoError(t, err)
	depths, err := pgdue.Depths(t.Context(), db)
	require.NoError(t, err)
	require.Len(t, depths, len(pgdue.Kinds))
	require.Contains(t, depths, pgdue.Depth{Kind: pgdue.DueNotifications, Due: 3, Later: pgdue.DepthCap}, "counting ends at the cap")
	require.Contains(t, depths, pgdue.Depth{Kind: pgdue.DueEvents})
}
