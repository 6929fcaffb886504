// Package pgalert claims alert rules that are to be evaluated, counts what they are judged by, and stores what they have come to.
package pgalert

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// Rule is an alert rule with what it has come to.
type Rule struct {
	ID, EnvironmentID, EnvironmentName, Name string
	CreatedAt                                time.Time
	Condition                                workflow.AlertCondition
	Workflow, Integration                    *string // identifiers
	Channel                                  *workflow.Channel
	WorkflowID, IntegrationID                *string // of what the identifiers name now
	Threshold                                float64
	RecoverBelow                             *float64
	Minimum, Window, OpenAfter, RecoverAfter int // messages; minutes
	RemindAfter                              *int
	NotifyWorkflow                           *string
	NotifySubscribers, NotifyTopics          []string
	Pause                                    bool // what it watches, when an incident opens
	Enabled                                  bool
	SilencedUntil                            *time.Time
	State                                    workflow.AlertState
	EvaluatedAt                              *time.Time
	BreachingSince, RecoveringSince          *time.Time
	Problem, IncidentID                      *string
	OpenedAt                                 *time.Time // of the open incident
	IncidentValue, IncidentPeak              *float64
	Notices                                  *int
	ToldAt, LastToldAt                       *time.Time
	PauseID                                  *string // that it began; nil: none
}

// Scope is which messages or integrations a rule is about.
type Scope string

// The scopes.
const (
	ScopeEnvironment Scope = "environment"
	ScopeWorkflow    Scope = "workflow"
	ScopeChannel     Scope = "channel"
	ScopeIntegration Scope = "integration"
)

// Scope returns the scope of a rule and the id or channel that it is narrowed to. Missing says that it names what does not exist.
func (r *Rule) Scope() (scope Scope, of string, missing bool) {
	switch {
	case r.Workflow != nil && r.WorkflowID == nil, r.Integration != nil && r.IntegrationID == nil:
		return "", "", true
	case r.Workflow != nil:
		return ScopeWorkflow, *r.WorkflowID, false
	case r.Integration != nil:
		return ScopeIntegration, *r.IntegrationID, false
	case r.Channel != nil:
		return ScopeChannel, string(*r.Channel), false
	}
	return ScopeEnvironment, "", false
}

const columns = `SELECT r.id, r.environment_id, e.name, r.name, r.created_at, r.condition, r.workflow, r.integration, r.channel, w.id, g.id,
	r.threshold, r.recover_below, r.minimum::int, r.window_minutes::int, r.open_after_minutes::int, r.recover_after_minutes::int,
	r.remind_after_minutes::int, r.notify_workflow, r.notify_subscribers, r.notify_topics, r.pause, r.enabled, r.silenced_until, r.state, r.evaluated_at,
	r.breaching_since, r.recovering_since, r.problem, r.incident_id, i.opened_at, i.value, i.peak, i.notices::int, i.told_at, i.last_told_at, i.pause_id
FROM %s r JOIN environments e ON e.id = r.environment_id
LEFT JOIN workflows w ON w.environment_id = r.environment_id AND w.identifier = r.workflow AND NOT w.deleted
LEFT JOIN integrations g ON g.environment_id = r.environment_id AND g.identifier = r.integration AND NOT g.deleted
LEFT JOIN alert_incidents i ON i.id = r.incident_id
`

// Rules that count over more than an hour are evaluated less often, because they read more; those that pause what they watch, more often.
var claim = `WITH due AS (SELECT id FROM alert_rules WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED),
moved AS (UPDATE alert_rules t SET due_at = $1::timestamptz + CASE WHEN t.pause THEN 10 WHEN t.window_minutes > 60 THEN 300 ELSE 60 END * interval '1 second'
	FROM due d WHERE t.id = d.id RETURNING t.*)
` + fmt.Sprintf(columns, "moved") + `ORDER BY r.id`

// Claim returns rules that are to be evaluated, and moves the time of their next evaluation. A process that dies leaves them to it.
func Claim(ctx context.Context, db *postgres.DB, now time.Time, limit int) ([]Rule, error) {
	rows, err := db.Pool.Query(ctx, claim, now, limit)
	return postgres.Collect(rows, err, "claim alert rules", pgx.RowToStructByPos[Rule])
}

var lock = `WITH locked AS MATERIALIZED (SELECT * FROM alert_rules WHERE id = ANY($1) AND enabled ORDER BY id FOR UPDATE)
` + fmt.Sprintf(columns, "locked") + `ORDER BY r.id`

// Lock returns those of rules that are enabled, as they are now, and keeps them from changing until the transaction ends.
func Lock(ctx context.Context, tx pgx.Tx, ids []string) ([]Rule, error) {
	rows, err := tx.Query(ctx, lock, ids)
	return postgres.Collect(rows, err, "lock alert rules", pgx.RowToStructByPos[Rule])
}

// Evaluation is what an evaluation of a rule has come to.
type Evaluation struct {
	ID              string              `json:"id"`
	EnvironmentID   string              `json:"environment_id"`
	State           workflow.AlertState `json:"state"`
	Value           *float64            `json:"value"`
	BreachingSince  *time.Time          `json:"breaching_since"`
	RecoveringSince *time.Time          `json:"recovering_since"`
	Problem         *string             `json:"problem"`
	Threshold       float64             `json:"threshold"`
	// Of the incident that is open, or that was closed.
	IncidentID *string    `json:"incident_id"`
	OpenedAt   *time.Time `json:"opened_at"`
	Opening    *float64   `json:"opening"`
	Peak       *float64   `json:"peak"`
	Notices    *int       `json:"notices"`
	ToldAt     *time.Time `json:"told_at"`
	LastToldAt *time.Time `json:"last_told_at"`
	ClosedAt   *time.Time `json:"closed_at"`
	// SubscriberID is the internal id of the subscriber whose messages opened the incident; nil: it is about no single one.
	SubscriberID *string `json:"subscriber_id"`
	PauseID      *string `json:"pause_id"` // that holds what the rule watches; nil: none began
}

const evaluated = `jsonb_to_recordset($1::jsonb) AS c (id text, environment_id text, state text, value float8, breaching_since timestamptz,
	recovering_since timestamptz, problem text, threshold float8, incident_id text, opened_at timestamptz, opening float8, peak float8, notices int,
	told_at timestamptz, last_told_at timestamptz, closed_at timestamptz, subscriber_id text, pause_id text)`

// What an incident's row says is reported to webhook endpoints by triggers (webhook_alert, in the migrations).
const (
	// An incident that could pause nothing when it opened names the pause that began later.
	storeIncidents = `INSERT INTO alert_incidents AS i (id, created_at, updated_at, environment_id, rule_id, opened_at, value, threshold, peak, notices,
	told_at, last_told_at, closed_at, ended, subscriber_id, pause_id)
SELECT c.incident_id, $2, $2, c.environment_id, c.id, c.opened_at, c.opening, c.threshold, c.peak, c.notices, c.told_at, c.last_told_at, c.closed_at,
	CASE WHEN c.closed_at IS NOT NULL THEN 'recovered' END, c.subscriber_id, c.pause_id
FROM ` + evaluated + ` WHERE c.incident_id IS NOT NULL
ON CONFLICT (id) DO UPDATE SET updated_at = $2, peak = excluded.peak, notices = excluded.notices, told_at = excluded.told_at,
	last_told_at = excluded.last_told_at, closed_at = excluded.closed_at, ended = excluded.ended,
	pause_id = coalesce(i.pause_id, excluded.pause_id)`
	storeRules = `UPDATE alert_rules r SET state = c.state, value = c.value, evaluated_at = $2, breaching_since = c.breaching_since,
	recovering_since = c.recovering_since, problem = c.problem, incident_id = CASE WHEN c.closed_at IS NULL THEN c.incident_id END
FROM ` + evaluated + ` WHERE r.id = c.id`
)

// Store stores evaluations of rules that the transaction has locked.
func Store(ctx context.Context, tx pgx.Tx, evaluations []Evaluation, now time.Time) error {
	b, document := &pgx.Batch{}, postgres.JSONOr(evaluations, "[]")
	b.Queue(storeIncidents, document, now)
	b.Queue(storeRules, document, now)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("store evaluations of alert rules: %w", err)
	}
	return nil
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// CloseIncident ends the open incident of a rule that is disabled or deleted, if it has one.
func CloseIncident(ctx context.Context, q querier, ruleID string, now time.Time) error {
	rows, err := q.Query(ctx, `UPDATE alert_incidents SET closed_at = $2, updated_at = $2, ended = 'disabled' WHERE rule_id = $1 AND closed_at IS NULL RETURNING id`, ruleID, now)
	_, err = postgres.Collect(rows, err, "close an incident", pgx.RowTo[id.ID])
	return err
}
