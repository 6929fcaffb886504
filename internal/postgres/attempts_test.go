package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestOutcomesAreRecordedByKey shows that recording outcomes costs what they are, however many messages are due: the
// plan is made for all times, while few are.
func TestOutcomesAreRecordedByKey(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id,
	event_id, transaction_id, workflow_id, workflow_identifier, step_id, subscriber_id, channel, target, status, arrived_at)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', '', lpad(n::text, 24, '0'), 'e', 't', 'w', 'w', 's', 'u', 'email', 'email', 'sent', now()
FROM generate_series(1, 20000) n`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `ANALYZE messages`)
	require.NoError(t, err)
	err = pgx.BeginFunc(t.Context(), db.Pool, func(tx pgx.Tx) error {
		for i, q := range postgres.OutcomeQueries() {
			name := fmt.Sprintf("outcome_%d", i)
			_, err := tx.Exec(t.Context(), "PREPARE "+name+" AS "+q.SQL)
			require.NoError(t, err)
			nothing := strings.TrimSuffix(strings.Repeat("NULL, ", len(q.Arguments)), ", ")
			rows, err := tx.Query(t.Context(), "EXPLAIN EXECUTE "+name+"("+nothing+")")
			require.NoError(t, err)
			plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
			require.NoError(t, err)
			require.NotContains(t, strings.Join(plan, "\n"), "due_at on", "%s", plan)
		}
		return nil
	})
	require.NoError(t, err)
}
