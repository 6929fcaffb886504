package pgdue

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// Kinds are the tables and columns by which rows wait, each once.
var Kinds = []DueTable{DueEvents, DueNotifications, DueMessages, DueLeases, DueSnoozes, DueReplies, DueWebhooks, DuePauses, DueRetries, DueSchedules, DueAlerts}

// Depth is how many rows of a kind wait: those that are due, and those that will be.
type Depth struct {
	Kind       DueTable
	Due, Later int
}

// DepthCap is where counting ends.
const DepthCap = 10_000

// Each count reads at most DepthCap entries of the index of what is due, in a part of the table that is small by nature.
var depthQuery = func() string {
	parts := make([]string, len(Kinds))
	for i, kind := range Kinds {
		table, column, also := string(kind), "due_at", ""
		switch kind {
		case DueSnoozes:
			table, column = "messages", "snoozed_until"
		case DueEvents:
			also = ` AND lane = ANY('{urgent,normal,bulk}')`
		}
		count := func(compare string) string {
			return fmt.Sprintf("(SELECT count(*)::int FROM (SELECT FROM %s WHERE %s %s now()%s LIMIT %d) c)", table, column, compare, also, DepthCap)
		}
		parts[i] = fmt.Sprintf("SELECT '%s', %s, %s", kind, count("<="), count(">"))
	}
	return strings.Join(parts, " UNION ALL ")
}()

// Depths counts the rows that wait, by real time.
func Depths(ctx context.Context, db *postgres.DB) ([]Depth, error) {
	rows, err := db.Pool.Query(ctx, depthQuery)
	return postgres.Collect(rows, err, "count what is due", pgx.RowToStructByPos[Depth])
}
