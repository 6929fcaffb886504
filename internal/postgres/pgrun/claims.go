package pgrun

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgdue"
)

// ClaimNotifications locks those of the named runs that are due and that no other worker holds. The lock is the claim.
// A run with an open digest window is left alone unless the window is among those that the transaction holds.
func ClaimNotifications(ctx context.Context, tx pgx.Tx, ids []string, at pgdue.Moment, held []string) ([]NotificationRow, error) {
	join, due := at.Due("t.due_at", 2)
	rows, err := tx.Query(ctx, selectRuns+join+` WHERE t.id = ANY($1) AND `+due+pgdue.NotAtHTTPStep+`
	AND (t.digest_id IS NULL OR t.digest_id = ANY($3) OR NOT EXISTS (SELECT FROM digests d WHERE d.id = t.digest_id AND `+pgdue.HasStatus("d.status", "open")+`))
ORDER BY t.id FOR UPDATE OF t SKIP LOCKED`, ids, at.Now, held)
	return runColumns.Collect(rows, err, "claim notifications")
}

// httpStepDue is the condition on runs t at an HTTP step that no worker has leased. Leases run in real time.
const httpStepDue = ` AND t.state ? 'call' AND coalesce((t.state -> 'call' ->> 'until')::timestamptz, '-infinity') < clock_timestamp()`

// ClaimHTTPSteps locks runs that are at an HTTP step and that no other worker holds: those of the urgent lane if there are any,
// the oldest first. Those of some environments are passed over.
func ClaimHTTPSteps(ctx context.Context, tx pgx.Tx, at pgdue.Moment, passed []string, limit int) (runs []NotificationRow, err error) {
	join, due := at.Due("t.due_at", 1)
	args := []any{at.Now, limit}
	if len(passed) > 0 {
		due += ` AND NOT t.environment_id = ANY($3)`
		args = append(args, passed)
	}
	for _, turn := range pgdue.Turns {
		rows, err := tx.Query(ctx, selectRuns+join+` WHERE `+due+httpStepDue+turn+`
ORDER BY t.due_at LIMIT $2 FOR UPDATE OF t SKIP LOCKED`, args...)
		if runs, err = runColumns.Collect(rows, err, "claim HTTP steps"); len(runs) > 0 || err != nil {
			return runs, err
		}
	}
	return nil, nil
}

// ClaimAnswered locks a run whose HTTP step was answered, unless it was cancelled meanwhile or another worker has the step.
func ClaimAnswered(ctx context.Context, tx pgx.Tx, id string, attempt int) ([]NotificationRow, error) {
	rows, err := tx.Query(ctx, selectRuns+` WHERE t.id = $1 AND `+pgdue.Open("t.due_at")+`
	AND (t.state -> 'call' ->> 'attempt')::int = $2 FOR UPDATE`, id, attempt)
	return runColumns.Collect(rows, err, "claim an answered HTTP step")
}

var runColumns = append(insertNotifications.Columns.Pick("id", "environment_id", "created_at", "context_keys", "scope", "event_id",
	"transaction_id", "workflow_id", "workflow_version_id", "subscriber_id", "tenant_id", "status", "position", "state", "due_at", "digest_id"),
	bulk.Field("failures", func(n *NotificationRow) *int { return &n.Failures }))

var selectRuns = `SELECT ` + runColumns.Select("t") + ` FROM notifications t`

// LoadRunVersions reads with which versions runs continue, by their ids.
func LoadRunVersions(ctx context.Context, q postgres.Querier, runs []string) (map[string]string, error) {
	rows, err := q.Query(ctx, `SELECT id, workflow_version_id FROM notifications WHERE id = ANY($1)`, runs)
	if err != nil {
		return nil, fmt.Errorf("load the versions of runs: %w", err)
	}
	versions := make(map[string]string, len(runs))
	var id, version string
	_, err = pgx.ForEachRow(rows, []any{&id, &version}, func() error {
		versions[id] = version
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load the versions of runs: %w", err)
	}
	return versions, nil
}

// LatestVersion is the published version that a workflow has now.
type LatestVersion struct {
	WorkflowID string
	VersionID  string
	Active     bool
	Deleted    bool
	Identifier string
}

// LoadLatestVersions reads what workflows of several environments are now.
func LoadLatestVersions(ctx context.Context, q postgres.Querier, environments, workflows []string) ([]LatestVersion, error) {
	rows, err := q.Query(ctx, `SELECT w.id, coalesce(w.published_version_id, ''), w.active, w.deleted, w.identifier
FROM (SELECT DISTINCT env, id FROM unnest($1::text[], $2::text[]) AS u (env, id)) AS u
JOIN workflows w ON w.id = u.id AND w.environment_id = u.env`, environments, workflows)
	return postgres.Collect(rows, err, "load workflows", pgx.RowToStructByPos[LatestVersion])
}
