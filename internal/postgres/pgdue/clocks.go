package pgdue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Moment is by which clock rows are due: Now for all, or, with Virtual, an environment's own clock where that is frozen.
type Moment struct {
	Now     time.Time
	Virtual bool
}

// FrozenClocks are the times that environments with a frozen clock have come to: the first instant at which something of
// theirs is still to be done, or, when nothing is, the time of the clock. Rows are handled only up to there, so that work
// follows the order of due times however far the clock jumped, in any number of processes: what is under way is still
// seen as due until its transaction ends. Production environments always run on real time.
var FrozenClocks = `(WITH frozen AS MATERIALIZED (
	SELECT e.id, least(e.clock_at,
		(SELECT min(` + FansOutAt("v") + `) FROM events v WHERE v.environment_id = e.id AND v.due_at IS NOT NULL),
		(SELECT min(n.due_at) FROM notifications n WHERE n.environment_id = e.id AND n.due_at IS NOT NULL),
		(SELECT min(m.due_at) FROM messages m WHERE m.environment_id = e.id AND m.due_at IS NOT NULL),
		(SELECT min(m.snoozed_until) FROM messages m WHERE m.environment_id = e.id AND m.snoozed_until IS NOT NULL),
		(SELECT min(s.due_at) FROM trigger_schedules s WHERE s.environment_id = e.id AND s.due_at IS NOT NULL)) AS at
	FROM environments e WHERE e.clock_at IS NOT NULL AND e.type = 'development') SELECT * FROM frozen)`

// FansOutAt is when an event is fanned out by its environment's clock: when it was accepted, or when its next try is due.
func FansOutAt(alias string) string {
	return "coalesce(" + alias + ".retry_at, " + alias + ".created_at)"
}

// dueVirtual are dueQueries where clocks may be frozen. Events of a frozen environment do not wait for the real time after
// which their job counts as lost: the instant before theirs may have ended only now.
var dueVirtual = map[DueTable]string{
	DueEvents: `SELECT t.id, ` + FansOutAt("t") + ` FROM events t LEFT JOIN ` + FrozenClocks + ` c ON c.id = t.environment_id
	WHERE t.due_at IS NOT NULL AND (t.due_at <= $1 OR t.checkpoint ->> 'started' IS NULL AND c.id IS NOT NULL)
		AND ` + FansOutAt("t") + ` <= coalesce(c.at, 'infinity')
	ORDER BY ` + FansOutAt("t") + `, t.id LIMIT $2 FOR UPDATE OF t SKIP LOCKED`,
	DueMessages: `SELECT t.id, t.due_at FROM messages t LEFT JOIN ` + FrozenClocks + ` c ON c.id = t.environment_id
	WHERE t.due_at <= coalesce(c.at, $1) AND (leased_until IS NULL OR leased_until < clock_timestamp())
	ORDER BY t.due_at, t.id LIMIT $2 FOR UPDATE OF t SKIP LOCKED`,
	DueNotifications: `SELECT t.id, t.due_at FROM notifications t LEFT JOIN ` + FrozenClocks + ` c ON c.id = t.environment_id
	WHERE t.due_at <= coalesce(c.at, $1)` + NotAtHTTPStep + ` ORDER BY t.due_at, t.id LIMIT $2 FOR UPDATE OF t SKIP LOCKED`,
}

// Due is the condition that column of the table t is due by the moment in parameter $n, and what has to be joined to t
// for it.
func (m Moment) Due(column string, n int) (join, where string) {
	if !m.Virtual {
		return "", fmt.Sprintf("%s <= $%d", column, n)
	}
	return " LEFT JOIN " + FrozenClocks + " c ON c.id = t.environment_id", fmt.Sprintf("%s <= coalesce(c.at, $%d)", column, n)
}

// ClockState is the state of an environment's clock.
type ClockState struct {
	At      *time.Time // nil: it runs with the real one
	Reached *time.Time // the instant up to which everything is done; nil like At
	Busy    bool       // something that is due is still to be done
}

// ReadClock returns the state of an environment's clock.
func ReadClock(ctx context.Context, db *postgres.DB, scope viewer.Scope) (s ClockState, err error) {
	err = db.Pool.QueryRow(ctx, `SELECT e.clock_at, c.at,
	c.at < e.clock_at OR EXISTS (SELECT FROM events v WHERE v.environment_id = e.id AND v.due_at IS NOT NULL AND `+FansOutAt("v")+` <= e.clock_at)
		OR EXISTS (SELECT FROM notifications n WHERE n.environment_id = e.id AND n.due_at <= e.clock_at)
		OR EXISTS (SELECT FROM messages m WHERE m.environment_id = e.id AND m.due_at <= e.clock_at)
		OR EXISTS (SELECT FROM messages m WHERE m.environment_id = e.id AND m.snoozed_until <= e.clock_at)
		OR EXISTS (SELECT FROM trigger_schedules s WHERE s.environment_id = e.id AND s.due_at <= e.clock_at)
FROM environments e JOIN `+FrozenClocks+` c ON c.id = e.id WHERE e.id = $1 AND e.organization_id = $2`,
		scope.EnvironmentID, scope.OrganizationID).Scan(&s.At, &s.Reached, &s.Busy)
	if errors.Is(err, pgx.ErrNoRows) {
		return ClockState{}, nil
	}
	if err != nil {
		return s, postgres.Translate(fmt.Errorf("read the clock: %w", err))
	}
	return s, nil
}
