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

// StepOutcomes says which reasons of a trace mean that a step did its work, and which that it failed. Any other reason that
// is one to skip is an outcome by itself.
type StepOutcomes struct{ Sent, Failed, Skipped []string }

// StepCount is how many notifications of an owner ended at a step in one way: "sent", "failed", a reason to skip, or "" for
// those that are neither. A row without step counts the owner's notifications.
type StepCount struct {
	Owner, Step, Outcome string
	Count                int
}

// CountSteps counts what became of the steps of workflows in the notifications since an id: the newest ones, up to limit of
// each workflow.
func CountSteps(ctx context.Context, q postgres.Querier, scope viewer.Scope, workflows []id.ID, since id.ID, limit int, outcomes StepOutcomes) ([]StepCount, error) {
	rows, err := q.Query(ctx, `WITH runs AS MATERIALIZED (
	SELECT o.id AS owner, n.id, n.trace FROM unnest($2::text[]) AS o (id) CROSS JOIN LATERAL (
		SELECT id, trace FROM notifications WHERE environment_id = $1 AND workflow_id = o.id AND id >= $3 ORDER BY id DESC LIMIT $4) n
), reached AS (
	SELECT r.owner, t."stepId" AS step, CASE WHEN bool_or(t.reason = ANY ($5)) THEN 'sent' WHEN bool_or(t.reason = ANY ($6)) THEN 'failed'
		ELSE coalesce(min(t.reason) FILTER (WHERE t.reason = ANY ($7)), '') END AS outcome
	FROM runs r CROSS JOIN LATERAL jsonb_to_recordset(CASE jsonb_typeof(r.trace) WHEN 'array' THEN r.trace ELSE '[]' END) AS t ("stepId" text, reason text)
	WHERE t."stepId" <> '' GROUP BY r.owner, r.id, t."stepId"
)
SELECT owner, '' AS step, '' AS outcome, count(*)::int FROM runs GROUP BY owner
UNION ALL SELECT owner, step, outcome, count(*)::int FROM reached GROUP BY owner, step, outcome
ORDER BY 1, 2, 4 DESC, 3`, scope.EnvironmentID, workflows, since, limit, outcomes.Sent, outcomes.Failed, outcomes.Skipped)
	return postgres.Collect(rows, err, "count steps", pgx.RowToStructByPos[StepCount])
}
