// Package pgdue finds the rows that are due, by real time or by the frozen clock of an environment, and counts their
// failures.
package pgdue

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// DueTable is a table whose rows have a due time.
type DueTable string

// The tables that the waker looks at.
const (
	DueEvents        DueTable = "events"
	DueNotifications DueTable = "notifications"
	DueMessages      DueTable = "messages"
	DueLeases        DueTable = "message_leases" // whose messages become due for every process
	DueSnoozes       DueTable = "snoozes"        // messages that come back to their inbox
	DueHTTPSteps     DueTable = "http_steps"     // notifications that wait for the answer of a custom step
)

// NotAtHTTPStep is the condition on runs t that are at no HTTP step, so that they can be planned: those send requests outside
// any transaction.
const NotAtHTTPStep = ` AND NOT coalesce(t.state ? 'call', false)`

// Turns are the conditions on rows t in the order in which due ones are taken up: those of the urgent lane, then all.
var Turns = []string{` AND t.lane = 'urgent'`, ``}

// Events are not among them unless clocks are virtual: see ClaimDueEvents.
var dueQueries = map[DueTable]func(turn string) string{
	DueMessages: func(turn string) string {
		return `SELECT id, due_at FROM messages t WHERE due_at <= $1` + NotLeased + turn + `
	ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`
	},
	DueNotifications: func(turn string) string {
		return `SELECT id, due_at FROM notifications t WHERE due_at <= $1` + NotAtHTTPStep + turn + ` ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`
	},
}

// Due are the ids of rows that are due at a moment and that no worker holds, the oldest first, and the due time of the
// first. As long as some of the urgent lane are due, they are of that lane. It only says where to look: who acts on a row
// claims it again.
func Due(ctx context.Context, db *postgres.DB, table DueTable, at Moment, limit int) (ids []string, oldest time.Time, err error) {
	if at.Virtual {
		return due(ctx, db, table, dueVirtual[table], at, limit)
	}
	for _, turn := range Turns {
		if ids, oldest, err = due(ctx, db, table, dueQueries[table](turn), at, limit); len(ids) > 0 || err != nil {
			break
		}
	}
	return ids, oldest, err
}

func due(ctx context.Context, db *postgres.DB, table DueTable, query string, at Moment, limit int) (ids []string, oldest time.Time, err error) {
	rows, err := db.Pool.Query(ctx, query, at.Now, limit)
	if err != nil {
		return nil, oldest, fmt.Errorf("look for due %s: %w", table, err)
	}
	var found string
	var due time.Time
	_, err = pgx.ForEachRow(rows, []any{&found, &due}, func() error {
		if len(ids) == 0 {
			oldest = due
		}
		ids = append(ids, found)
		return nil
	})
	if err != nil {
		return nil, oldest, fmt.Errorf("look for due %s: %w", table, err)
	}
	return ids, oldest, nil
}

// EnvironmentOf is the environment of a row of events or notifications; "" when the row is gone.
func EnvironmentOf(ctx context.Context, db *postgres.DB, table DueTable, id string) (string, error) {
	rows, err := db.Pool.Query(ctx, `SELECT environment_id FROM `+string(table)+` WHERE id = $1`, id)
	if err != nil {
		return "", fmt.Errorf("look for the environment of %s: %w", table, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "", fmt.Errorf("look for the environment of %s: %w", table, err)
	}
	return strings.Join(found, ""), nil
}

// Open is the condition that a row named by its id is not final yet, written so that the planner cannot see it: over the index of what is due
// it would walk a whole broadcast for every batch.
func Open(dueAt string) string { return `coalesce(` + dueAt + `, 'infinity') < 'infinity'` }

// HasStatus is the condition that a row found by its id, or in another index, has a status, written so that the planner cannot see it: an index of a status seems to hold
// no rows when the last ANALYZE found none, and would be read as a whole for every batch while many rows have it.
func HasStatus(column, status string) string {
	return `coalesce(` + column + `, '') = '` + status + `'`
}

// OpenMessage is the condition on a message that it is not final: it is due at some time, or stored under a lease. of is how the
// statement names the message, with its point. Like Open it leads no search along the index of what is due.
func OpenMessage(of string) string {
	return `(` + Open(of+"due_at") + ` OR ` + of + `lease_id IS NOT NULL)`
}

// NotLeased is the condition on messages t that no worker holds.
const NotLeased = ` AND (t.leased_until IS NULL OR t.leased_until < clock_timestamp())`
