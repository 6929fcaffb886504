package pgfanout_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

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
	follows := func() {
		plan := pgtest.Explain(t, db, pgfanout.ClaimQueries.ByID, ids)
		require.Contains(t, plan, "events_pkey")
		for _, lane := range []string{"urgent", "normal"} {
			plan = pgtest.Explain(t, db, pgfanout.ClaimQueries.Due, lane, time.Now(), 200)
			require.Contains(t, plan, "event_lane_due_at")
			require.NotContains(t, plan, "Sort")
		}
	}
	follows()
	// The statistics are of a time at which nothing waited.
	for _, change := range []string{
		`UPDATE events SET status = 'fanned_out', due_at = NULL`, `VACUUM ANALYZE events`,
		`UPDATE events SET status = 'accepted', due_at = now() WHERE id > lpad('10000', 24, '0')`,
	} {
		_, err = db.Pool.Exec(t.Context(), change)
		require.NoError(t, err)
	}
	follows()
}
