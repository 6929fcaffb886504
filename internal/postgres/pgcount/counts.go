// Package pgcount keeps what streamed events have come to: messages sent and failed, steps skipped. Whoever counts does so in the
// transaction of what is counted.
package pgcount

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/viewer"
)

// Count is what an event has come to, or what is added to that.
type Count struct {
	EnvironmentID, EventID string
	Sent, Failed, Skipped  int
}

// An event has up to eight rows, and each connection adds to one of them, so that writers of one event seldom wait for each
// other. Rows are locked in the order of events. Their ids are random: of two that insert the same row at once the later one waits
// at (event_id, shard), the index that ON CONFLICT names, and would fail at any other that has the row already.
const (
	into = `INSERT INTO event_counts AS c (id, created_at, updated_at, environment_id, event_id, shard, sent, failed, skipped)
SELECT left(replace(gen_random_uuid()::text, '-', ''), 24), now(), now(), u.environment_id, u.event_id, pg_backend_pid() % 8, u.sent, u.failed, u.skipped
FROM `
	adding = ` ORDER BY u.event_id
ON CONFLICT (event_id, shard) DO UPDATE SET sent = c.sent + excluded.sent, failed = c.failed + excluded.failed,
	skipped = c.skipped + excluded.skipped, updated_at = now()`
)

// Moved is the statement that counts messages, those of streamed events: rows is a table expression whose columns are event_id,
// environment_id, sent and failed.
func Moved(rows string) string {
	return into + `(SELECT m.event_id, m.environment_id, sum(m.sent)::int AS sent, sum(m.failed)::int AS failed, 0 AS skipped FROM ` + rows + ` m
	WHERE m.sent <> 0 OR m.failed <> 0 GROUP BY m.event_id, m.environment_id) u
JOIN events e ON e.id = u.event_id AND e.checkpoint ->> 'started' = 'true'` + adding
}

var add = bulk.New(into+`{rows}`+adding, bulk.Columns[Count]{
	bulk.Field("environment_id", func(c *Count) *string { return &c.EnvironmentID }),
	bulk.Field("event_id", func(c *Count) *string { return &c.EventID }),
	bulk.Field("sent", func(c *Count) *int { return &c.Sent }),
	bulk.Field("failed", func(c *Count) *int { return &c.Failed }),
	bulk.Field("skipped", func(c *Count) *int { return &c.Skipped }),
})

// Add queues what is added to the counts of events, each once.
func Add(b *pgx.Batch, counts []Count) {
	if len(counts) > 0 {
		add.Queue(b, counts)
	}
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Of returns what the named events have come to; those of which nothing is counted are left out.
func Of(ctx context.Context, q querier, scope viewer.Scope, events []string) (map[string]Count, error) {
	rows, err := q.Query(ctx, `SELECT environment_id, event_id, sum(sent)::int, sum(failed)::int, sum(skipped)::int FROM event_counts
WHERE environment_id = $1 AND event_id = ANY($2) GROUP BY environment_id, event_id`, scope.EnvironmentID, events)
	list, err := postgres.Collect(rows, err, "read the counts of events", pgx.RowToStructByPos[Count])
	counts := make(map[string]Count, len(list))
	for _, c := range list {
		counts[c.EventID] = c
	}
	return counts, err
}
