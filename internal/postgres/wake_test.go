package postgres_test

import (
	"fmt"
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
	transaction_id, workflow_id, workflow_version_id, subscriber_id, status, position, trace, failures, lane, due_at)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', '', lpad(n::text, 24, '0'), 't', 'w', 'v', 's', 'waiting', 0, '[]', 0,
	CASE WHEN n % 1000 = 0 THEN 'urgent' ELSE 'normal' END, now() + n * interval '1 minute' FROM generate_series(1, 20000) n`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id,
	event_id, transaction_id, workflow_id, workflow_identifier, step_id, subscriber_id, channel, target, status, severity, arrived_at, lane, due_at)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', '', lpad(n::text, 24, '0'), 'e', 't', 'w', 'w', 's', 'u', 'email', 't', 'pending', 'none', now(),
	CASE WHEN n % 1000 = 0 THEN 'urgent' ELSE 'normal' END, now() + (n - 10000) * interval '1 minute' FROM generate_series(1, 20000) n`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `ANALYZE notifications, messages`)
	require.NoError(t, err)
	for kind, queries := range map[string][]string{
		"notification": postgres.DueQueries(postgres.DueNotifications), "message": postgres.DueQueries(postgres.DueMessages),
	} {
		require.Len(t, queries, 2)
		requireIndex(t, explain(t, db, queries[0], time.Now(), 200), kind+"_urgent_due_at")
		requireIndex(t, explain(t, db, queries[1], time.Now(), 200), kind+"_due_at")
	}
	claims := postgres.ClaimDueMessages()
	requireIndex(t, explain(t, db, claims[0], 50, time.Now()), "message_urgent_due_at")
	requireIndex(t, explain(t, db, claims[1], 50, time.Now()), "message_due_at")
}

// requireIndex wants a plan to walk an index in its order.
func requireIndex(t *testing.T, plan, index string) {
	t.Helper()
	require.Contains(t, plan, "using "+index+" ", plan)
	require.NotContains(t, plan, "Seq Scan", plan)
	require.NotContains(t, plan, "Sort", plan)
}

func explain(t *testing.T, db *postgres.DB, query string, args ...any) string {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), "EXPLAIN "+query, args...)
	require.NoError(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(plan, "\n")
}

// TestClaimingEventsFollowsTheirIndex shows that claiming costs what is claimed, however much waits.
func TestClaimingEventsFollowsTheirIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO events (id, created_at, updated_at, environment_id, context_keys, scope, transaction_id,
	workflow_id, workflow_version_id, kind, payload, lane, due_at)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', '', 't', 'w', 'v', 'trigger', '{}', CASE WHEN n % 1000 = 0 THEN 'urgent' ELSE 'normal' END,
	now() - n * interval '1 second' FROM generate_series(1, 20000) n`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `ANALYZE events`)
	require.NoError(t, err)
	ids := make([]string, 100)
	for i := range ids {
		ids[i] = fmt.Sprintf("%024d", 150*i)
	}
	plan := explain(t, db, postgres.ClaimQueries.ByID, ids)
	require.Contains(t, plan, "events_pkey")
	require.NotContains(t, plan, "event_lane_due_at")
	plan = explain(t, db, postgres.ClaimQueries.Due, "urgent", time.Now(), 200)
	require.Contains(t, plan, "event_lane_due_at")
	require.NotContains(t, plan, "Seq Scan on events")
	plan = explain(t, db, postgres.ClaimQueries.Due, "normal", time.Now(), 200)
	require.Contains(t, plan, "event_lane_due_at")
	require.NotContains(t, plan, "Sort")
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
	dropped, err := db.DropOrphanedJobs(t.Context(), time.Minute, 100)
	require.NoError(t, err)
	require.Equal(t, 2, dropped)
	rows, err := db.Pool.Query(t.Context(), `SELECT queue FROM river_job ORDER BY id`)
	require.NoError(t, err)
	left, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"streamed", "called", "young", "waiting"}, left)
}
