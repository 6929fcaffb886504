package pgactivity

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// StateCount is how many records of an owner are in a state.
type StateCount struct {
	Owner, State string
	Count        int
}

// CountOutcomes counts the attempts of integrations since an id by their outcome: the newest ones, up to limit of each
// integration.
func CountOutcomes(ctx context.Context, q postgres.Querier, scope viewer.Scope, integrations []id.ID, since id.ID, limit int) ([]StateCount, error) {
	rows, err := q.Query(ctx, `SELECT o.id, a.outcome, count(*)::int FROM unnest($2::text[]) AS o (id) CROSS JOIN LATERAL (
	SELECT outcome FROM attempts WHERE environment_id = $1 AND integration_id = o.id AND id >= $3 ORDER BY id DESC LIMIT $4) a
GROUP BY o.id, a.outcome ORDER BY o.id, a.outcome`, scope.EnvironmentID, integrations, since, limit)
	return postgres.Collect(rows, err, "count outcomes", pgx.RowToStructByPos[StateCount])
}

// CountRuns counts the notifications of workflows since an id by their status: the newest ones, up to limit of each workflow.
func CountRuns(ctx context.Context, q postgres.Querier, scope viewer.Scope, workflows []id.ID, since id.ID, limit int) ([]StateCount, error) {
	rows, err := q.Query(ctx, `SELECT o.id, n.status, count(*)::int FROM unnest($2::text[]) AS o (id) CROSS JOIN LATERAL (
	SELECT status FROM notifications WHERE environment_id = $1 AND workflow_id = o.id AND id >= $3 ORDER BY id DESC LIMIT $4) n
GROUP BY o.id, n.status ORDER BY o.id, n.status`, scope.EnvironmentID, workflows, since, limit)
	return postgres.Collect(rows, err, "count runs", pgx.RowToStructByPos[StateCount])
}
