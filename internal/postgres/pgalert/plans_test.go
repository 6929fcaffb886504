package pgalert_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgalert"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestFiguresFollowTheirIndexes: what is counted for one scope does not read the messages of others.
func TestFiguresFollowTheirIndexes(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for _, insert := range []string{
		`INSERT INTO notifications (id, created_at, updated_at, environment_id, context_keys, scope, event_id, transaction_id, workflow_id,
	workflow_version_id, subscriber_id, status, position, trace, failures, lane)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env' || n % 3, '[]', '', lpad(n::text, 24, '0'), 't', 'w' || n % 50, 'v', 's', 'completed', 0, '[]', 0,
	'normal' FROM generate_series(1, 20000) n`,
		`INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id, event_id, transaction_id, workflow_id,
	workflow_identifier, step_id, subscriber_id, channel, target, status, arrived_at, integration_id)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env' || n % 3, '[]', '', lpad(n::text, 24, '0'), lpad(n::text, 24, '0'), 't', 'w' || n % 50,
	'flow', 'step', 's' || n % 500, (ARRAY['in_app', 'email'])[1 + n % 2], '', 'sent', now(), 'i' || n % 20 FROM generate_series(1, 20000) n`,
		`ANALYZE notifications, messages`,
	} {
		_, err := db.Pool.Exec(t.Context(), insert)
		require.NoError(t, err)
	}
	args := []any{[]int{0}, []string{"env1"}, []string{"channel"}, []string{"email"}, []string{"000000000000000000015000"}, []int{100}}
	plans := map[string]string{"by subscriber": pgtest.Explain(t, db, pgalert.BySubscriber(), append(slices.Clone(args), 20)...)}
	for name, query := range pgalert.Queries() {
		plans[name] = pgtest.Explain(t, db, query, args...)
	}
	for name, plan := range plans {
		for _, index := range []string{
			"message_environment_id_id", "message_environment_id_channel_id", "message_integration_id_id", "notification_environment_id_workflow_id_id",
			"message_notification_id_step_id_target",
		} {
			require.Contains(t, plan, "using "+index+" ", name)
		}
		require.NotContains(t, plan, "Seq Scan", name)
	}
	for _, q := range [][2]string{
		{"environment", ""}, {"channel", "email"}, {"channel", "push"}, {"channel", "a"}, {"integration", "i5"}, {"integration", "j"}, {"workflow", "w7"}, {"workflow", "x"},
	} {
		args := []any{[]int{0}, []string{"env1"}, []string{q[0]}, []string{q[1]}, []string{fmt.Sprintf("%024d", 19_990)}, []int{160}}
		for name, query := range pgalert.Queries() {
			require.Less(t, pgtest.Pages(t, db, query, args...), 40, "%s of one %s, %s, read what is older than the period or another's", name, q[0], q[1])
		}
	}
}
