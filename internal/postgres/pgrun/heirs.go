package pgrun

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// heirOf is the oldest run that was merged into the window d and is none of $2.
const heirOf = `SELECT n.id, n.state, n.event_id, n.transaction_id FROM notifications n
	WHERE n.digest_id = d.id AND n.status = 'merged' AND n.id <> ALL($2) ORDER BY n.event_id LIMIT 1`

// handOver lets other runs continue instead of runs that are about to be cancelled (semantics.md §3.12). When a digest window closes,
// one run continues with all events that were merged into it. When that run is cancelled later, the oldest run that was merged continues
// from its position, with its wait, also when it waits within a further window that is open. The windows that they share become that
// run's and count one event less. What was sent stays with the cancelled run, and state.former names it, so that conditions find its
// outcomes. A step is taken again when the cancelled run waited for its message, which was withdrawn.
//
// A run that had reached all its steps and had only withdrawn messages left has no position to continue from: the other run takes the
// steps behind the window again, except those of which something was sent.
func handOver(ctx context.Context, tx pgx.Tx, scope viewer.Scope, stopped []string, at time.Time) error {
	entry := postgres.JSONOr(workflow.TraceEntry{At: at, Reason: workflow.ReasonContinued, Detail: "takes the place of a cancelled event"}, "{}")
	if _, err := tx.Exec(ctx, takeOver, scope.EnvironmentID, stopped, at, entry); err != nil {
		return fmt.Errorf("hand over the places of cancelled runs: %w", err)
	}
	return nil
}

var takeOver = `WITH places AS MATERIALIZED (
	SELECT DISTINCT ON (a.id) a.id AS former, a.status, a.position, a.due_at, a.held_by, a.digest_id, a.workflow_version_id, a.finished_at,
		coalesce(nullif(a.state, 'null'), '{}') AS state, d.id AS window_id, d.closes_at, heir.id AS heir, heir.event_id, heir.transaction_id,
		coalesce(nullif(heir.state, 'null'), '{}') AS own,
		a.status <> 'pending' OR a.due_at IS NOT NULL OR a.state ->> 'awaiting' IS NOT NULL AS placed, coalesce(a.state ->> 'awaiting', '') AS awaiting
	FROM notifications a JOIN digests d ON d.environment_id = $1 AND d.notification_id = a.id AND ` + pgdue.HasStatus("d.status", "closed") + `
		JOIN LATERAL (` + heirOf + `) heir ON true
	WHERE a.environment_id = $1 AND a.id = ANY($2) ORDER BY a.id, d.closes_at, d.id),
chosen AS (SELECT p.*, p.awaiting <> '' AND NOT EXISTS (SELECT FROM messages m WHERE m.notification_id = p.former AND m.step_id = p.awaiting AND ` + pgdue.OpenMessage("m.") + `)
	AND p.awaiting = (SELECT v.definition -> 'steps' -> (p.position - 1)::int ->> 'stepId' FROM workflow_versions v WHERE v.id = p.workflow_version_id) AS again
	FROM places p WHERE p.placed OR 1 = (
	SELECT count(*) FROM digests d WHERE d.notification_id = p.former AND ` + pgdue.HasStatus("d.status", "closed") + `)),
windows AS (UPDATE digests d SET notification_id = c.heir, total = d.total - 1, updated_at = now() FROM chosen c
	WHERE d.notification_id = c.former AND d.status <> 'cancelled' AND (d.closes_at, d.id) >= (c.closes_at, c.window_id)),
joined AS (UPDATE digests d SET total = d.total - 1, updated_at = now() FROM chosen c
	WHERE c.status = 'merged' AND d.id = c.digest_id AND d.notification_id <> c.former),
shown AS (UPDATE messages m SET notification_id = c.heir, event_id = c.event_id, transaction_id = c.transaction_id, updated_at = now() FROM chosen c
	WHERE c.status = 'waiting' AND m.notification_id = c.former AND NOT coalesce((c.state -> 'digest' ->> 'closed')::bool, false)
		AND c.state -> 'digest' -> 'early' ? m.step_id),
left_over AS (UPDATE notifications n SET digest_id = NULL FROM chosen c WHERE n.id = c.former)
UPDATE notifications n SET updated_at = now(), trace = n.trace || jsonb_build_array($4::jsonb), held_by = c.held_by, failures = 0,
	status = CASE WHEN c.placed THEN c.status ELSE 'waiting' END,
	due_at = CASE WHEN c.status = 'merged' THEN NULL WHEN c.placed THEN coalesce(c.due_at, $3) ELSE $3 END,
	finished_at = CASE WHEN c.status = 'merged' THEN c.finished_at END,
	position = CASE WHEN c.again THEN c.position - 1 WHEN c.placed THEN c.position ELSE n.position END,
	workflow_version_id = CASE WHEN c.placed THEN c.workflow_version_id ELSE n.workflow_version_id END,
	digest_id = CASE WHEN c.placed THEN c.digest_id ELSE n.digest_id END,
	state = CASE WHEN c.placed THEN (c.state - 'awaiting') || jsonb_build_object(
		'results', coalesce((SELECT jsonb_object_agg(key, CASE WHEN value ? 'pending' THEN '{"failed": true}' ELSE value END)
			FROM jsonb_each((c.state -> 'results') - c.awaiting)), '{}') || coalesce(c.own -> 'results', '{}'),
		'earlier', coalesce(c.own -> 'earlier', '[]') || coalesce((SELECT jsonb_agg(e ORDER BY place)
			FROM jsonb_array_elements(c.state -> 'earlier') WITH ORDINALITY AS t (e, place)
			WHERE NOT coalesce(c.own -> 'earlier', '[]') @> jsonb_build_array(jsonb_build_object('stepId', e -> 'stepId'))), '[]'),
		'former', coalesce(c.state -> 'former', '[]') || jsonb_build_array(jsonb_build_object('run', c.former, 'steps', coalesce((
			SELECT jsonb_agg(key) FROM jsonb_object_keys((c.state -> 'results') - c.awaiting) AS key WHERE NOT coalesce(c.own -> 'results', '{}') ? key), '[]'))))
		|| CASE WHEN c.again AND c.state ? 'reached' THEN jsonb_build_object('reached', coalesce((SELECT jsonb_agg(e ORDER BY place)
			FROM jsonb_array_elements(c.state -> 'reached') WITH ORDINALITY AS t (e, place) WHERE e ->> 'id' <> c.awaiting), '[]')) ELSE '{}' END
	ELSE c.own || jsonb_build_object('digest', c.own -> 'digest' || jsonb_build_object('closed', true, 'early', coalesce((
		SELECT jsonb_agg(DISTINCT m.step_id) FROM messages m
		WHERE m.notification_id = c.former AND m.created_at >= c.closes_at AND m.status <> 'error'), '[]'))) END
FROM chosen c WHERE n.id = c.heir AND n.status = 'merged'`
