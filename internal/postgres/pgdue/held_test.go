package pgdue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestLookingForHeldRowsFollowsTheIndex: a pause that holds a few rows is not slowed down by another that holds many.
func TestLookingForHeldRowsFollowsTheIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO notifications (id, created_at, updated_at, environment_id, context_keys, scope, event_id,
	transaction_id, workflow_id, workflow_version_id, subscriber_id, status, position, trace, failures, lane, due_at, held_by)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', '', lpad(n::text, 24, '0'), 't', 'w', 'v', 's', 'waiting', 0, '[]', 0,
	'normal', now() + interval '8765832 hours', CASE WHEN n % 1000 = 0 THEN 'few' ELSE 'many' END FROM generate_series(1, 20000) n`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `ANALYZE notifications`)
	require.NoError(t, err)
	pgtest.RequireIndex(t, pgtest.Explain(t, db, pgdue.NextHeld(pgdue.DueNotifications), "few", 10), "notification_held_by_due_at")
	held, err := pgdue.HeldBy(t.Context(), db.Pool, []string{"few", "many"}, 100)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"few": 20, "many": 100}, held)
}
