// Package pgschedule finds schedules whose next run has come, and moves them on.
package pgschedule

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/recurrence"
)

// running is the condition on schedules t that their environment takes requests: those of a suspended one wait.
const running = ` AND EXISTS (SELECT FROM environments e JOIN organizations o ON o.id = e.organization_id
	WHERE e.id = t.environment_id AND NOT e.suspended AND NOT o.suspended)`

// Due are the ids of schedules whose next run has come at a moment, at most limit.
func Due(ctx context.Context, db *postgres.DB, at pgdue.Moment, limit int) ([]string, error) {
	join, where := at.Due("t.due_at", 1)
	rows, err := db.Pool.Query(ctx, `SELECT t.id FROM trigger_schedules t`+join+` WHERE `+where+running+` ORDER BY t.due_at LIMIT $2`, at.Now, limit)
	return postgres.Collect(rows, err, "look for due schedules", pgx.RowTo[string])
}

// Schedule is a schedule that a process has claimed.
type Schedule struct {
	viewer.Scope
	ID             string
	DueAt          time.Time
	DoneUntil      time.Time // runs up to there are decided
	Now            time.Time // by the environment's clock
	Frozen         bool      // that clock was set
	Spec           recurrence.Spec
	TimeZone       string
	RecipientsZone bool
}

// Claim locks a schedule whose next run has come; nil when another process has it, or has moved it on.
func Claim(ctx context.Context, tx pgx.Tx, id string, at pgdue.Moment) (*Schedule, error) {
	join, where := at.Due("t.due_at", 1)
	now, frozen := `$1::timestamptz`, `false`
	if at.Virtual {
		now, frozen = `coalesce(c.at, $1::timestamptz)`, `c.at IS NOT NULL`
	}
	rows, err := tx.Query(ctx, `SELECT (SELECT e.organization_id FROM environments e WHERE e.id = t.environment_id), t.environment_id, t.id, t.due_at, t.done_until,
	`+now+`, `+frozen+`, t.starts_at, coalesce(t.rrule, ''), t.exceptions, t.time_zone, t.recipients_zone
FROM trigger_schedules t`+join+` WHERE t.id = $2 AND `+where+running+` FOR NO KEY UPDATE OF t SKIP LOCKED`, at.Now, id)
	found, err := postgres.Collect(rows, err, "claim a schedule", func(row pgx.CollectableRow) (*Schedule, error) {
		s := &Schedule{}
		return s, row.Scan(&s.OrganizationID, &s.EnvironmentID, &s.ID, &s.DueAt, &s.DoneUntil, &s.Now, &s.Frozen,
			&s.Spec.StartsAt, &s.Spec.Rule, &s.Spec.Exceptions, &s.TimeZone, &s.RecipientsZone)
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// MaxZones is how many zones of recipients count.
const MaxZones = 600

// Zones are the time zones of an environment's subscribers, each once.
func Zones(ctx context.Context, q querier, environmentID string) ([]string, error) {
	rows, err := q.Query(ctx, `SELECT DISTINCT timezone FROM subscribers WHERE environment_id = $1 AND NOT deleted AND timezone <> '' ORDER BY 1 LIMIT $2`,
		environmentID, MaxZones)
	return postgres.Collect(rows, err, "look for time zones of subscribers", pgx.RowTo[string])
}

// Result is what became of a run; without a status there was none.
type Result struct {
	Status  workflow.TriggerStatus
	Error   string
	EventID string // of the event that it made; "" when it made none
}

// Covers returns the instant until which the run that came to r made up for what the schedule had missed: now, or, when its event is
// that of an earlier try, the time at which that was made. It is not before the run, whatever the clock of the process shows.
func (s *Schedule) Covers(ctx context.Context, tx pgx.Tx, r Result) (until time.Time, err error) {
	if r.EventID == "" {
		return s.Now, nil
	}
	err = tx.QueryRow(ctx, `SELECT greatest($2, least($3, (SELECT created_at FROM events WHERE id = $1)))`, r.EventID, s.DueAt, s.Now).Scan(&until)
	if err != nil {
		return until, fmt.Errorf("read when the event of a schedule was made: %w", err)
	}
	return until, nil
}

// Advance moves a claimed schedule to its next run, the first one after until, with what became of the last one. Where the clock is set by hand, the event
// of the run happens at the instant that the clock has come to, and not at the one that it was set to.
func (s *Schedule) Advance(ctx context.Context, tx pgx.Tx, until time.Time, next *time.Time, r Result) error {
	if _, err := tx.Exec(ctx, `UPDATE trigger_schedules SET due_at = $2, done_until = $3, updated_at = now(),
	last_run_at = CASE WHEN $4 = '' THEN last_run_at ELSE $3 END, last_status = CASE WHEN $4 = '' THEN last_status ELSE $4 END,
	last_error = CASE WHEN $4 = '' THEN last_error ELSE nullif($5, '') END, last_event_id = CASE WHEN $6 = '' THEN last_event_id ELSE $6 END
WHERE id = $1`, s.ID, next, until, string(r.Status), r.Error, r.EventID); err != nil {
		return fmt.Errorf("advance a schedule: %w", err)
	}
	if !s.Frozen || r.EventID == "" {
		return nil
	}
	if _, err := tx.Exec(ctx, `UPDATE events SET created_at = least(created_at, $2) WHERE id = $1`, r.EventID, s.Now); err != nil {
		return fmt.Errorf("set when the event of a schedule happens: %w", err)
	}
	return nil
}

// Events are the ids of events that schedules made, by the schedules' ids: the latest first, at most limit of each. They are found
// by their transactionId, which begins with prefix and the id of the schedule.
func Events(ctx context.Context, q querier, environmentID, prefix string, schedules []string, limit int) (map[string][]string, error) {
	rows, err := q.Query(ctx, `SELECT s.id, e.id FROM unnest($2::text[]) AS s (id) CROSS JOIN LATERAL (
	SELECT e.id, e.transaction_id FROM events e WHERE e.environment_id = $1
		AND e.transaction_id >= $3 || s.id || '_' COLLATE "C" AND e.transaction_id < $3 || s.id || '`+"`"+`' COLLATE "C"
	ORDER BY e.transaction_id DESC LIMIT $4) e ORDER BY s.id, e.transaction_id DESC`, environmentID, schedules, prefix, limit)
	events := map[string][]string{}
	var schedule, event string
	if err == nil {
		_, err = pgx.ForEachRow(rows, []any{&schedule, &event}, func() error {
			events[schedule] = append(events[schedule], event)
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("look for events of schedules: %w", err)
	}
	return events, nil
}
