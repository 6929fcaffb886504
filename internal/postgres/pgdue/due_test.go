package pgdue_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
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
}

// TestOrphanedJobsAreDropped leaves jobs as dead and living processes do.
func TestOrphanedJobsAreDropped(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO events (id, created_at, updated_at, environment_id, context_keys, scope, transaction_id,
	workflow_id, workflow_version_id, kind, payload, due_at)
SELECT id, now(), now(), 'env', '[]', '', 't', 'w', 'v', 'broadcast', '{}', now() + seconds * interval '1 second'
FROM (VALUES ('held', 3600), ('free', -1)) AS e (id, seconds)`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id,
	event_id, transaction_id, workflow_id, workflow_identifier, step_id, subscriber_id, channel, target, status, severity, arrived_at, due_at, leased_until)
SELECT id, now(), now(), 'env', '[]', '', id, 'e', 't', 'w', 'w', 's', 'u', 'email', 't', 'pending', 'none', now(), now(), now() + seconds * interval '1 second'
FROM (VALUES ('held', 3600), ('free', -1)) AS m (id, seconds)`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `INSERT INTO river_job (kind, args, max_attempts, state, queue, attempted_at)
SELECT kind, args::jsonb, 5, state::river_job_state, name, now() - seconds * interval '1 second' FROM (VALUES
	('streamed', 'fan_out', '{"event_ids": "held"}', 'running', 3600), ('called', 'send', '{"message_ids": ["free", "held"]}', 'running', 3600),
	('young', 'fan_out', '{"event_ids": "free"}', 'running', 1), ('waiting', 'send', '{"message_ids": ["free"]}', 'available', 3600),
	('dead_fan_out', 'fan_out', '{"event_ids": "free gone"}', 'running', 3600), ('dead_send', 'send', '{"message_ids": ["free"]}', 'running', 3600)
) AS j (name, kind, args, state, seconds)`)
	require.NoError(t, err)
	dropped, err := pgdue.DropOrphanedJobs(t.Context(), db, time.Minute, 100)
	require.NoError(t, err)
	require.Equal(t, 2, dropped)
	rows, err := db.Pool.Query(t.Context(), `SELECT queue FROM river_job ORDER BY id`)
	require.NoError(t, err)
	left, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"streamed", "called", "young", "waiting"}, left)
}
