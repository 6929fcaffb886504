// Package pgactivity counts messages and attempts for charts.
package pgactivity

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Buckets are spans of equal length that follow each other.
type Buckets struct {
	From  time.Time
	Each  time.Duration
	Count int
	// Rows is how many rows are read of each at most, the oldest of it, and Counted how many are counted.
	Rows, Counted int
}

// bounds are the ids between which the rows of each bucket lie: their order is that of creation, so the index of
// (environment, id) leads to them.
func (b Buckets) bounds() (low, high []string) {
	for i := range b.Count {
		low = append(low, id.Floor(b.From.Add(time.Duration(i)*b.Each)))
		high = append(high, id.Floor(b.From.Add(time.Duration(i+1)*b.Each)))
	}
	return low, high
}

// MessageCounts are the messages that were created in one bucket, on one channel or on all.
type MessageCounts struct {
	Bucket                          int // from 0
	Channel                         *workflow.Channel
	Messages, Sent, Failed, Pending int
	Latency                         []float64 // p50, p95 and p99 of the milliseconds from due to sent; null: nothing was sent
	Counted
}

// Counted is how many rows a bucket has: all of them, or as many as are counted at most.
type Counted struct {
	Rows   int
	LastID string // of them
}

// along is the condition of an environment's rows that begin with a bucket. Pairs are compared so that no index but that of (environment, id)
// serves, which another environment's rows cannot slow. They end a scan with the environment, not with the bucket, so that a limit has to.
func along(bucket string) string {
	return "(environment_id, id) >= ($1, " + bucket + ".low) AND (environment_id, id) < ($1, '~') ORDER BY environment_id, id"
}

// counted begins a statement with the buckets b and how many rows of a table each has, which goes along the index alone: a part of what is
// counted at most where the bucket ends within that. It is materialized, because Postgres takes a bucket for a few rows and may otherwise
// count it anew for each of them.
func counted(table string) string {
	ids := `SELECT id FROM ` + table + ` WHERE ` + along("s")
	return `WITH b AS MATERIALIZED (SELECT s.low, s.high, s.n, t.rows, t.last
	FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS s (low, high, n)
	CROSS JOIN LATERAL (SELECT count(*)::int AS rows, max(id) AS last FROM (
		` + ids + ` LIMIT CASE WHEN (` + ids + ` OFFSET $5 / 16 LIMIT 1) < s.high THEN $5 ELSE $5 / 16 END) c WHERE c.id < s.high) t)
`
}

// instant is when the record of an identifier was made, in seconds: the identifier's head is seconds, then microseconds
// (package id).
func instant(column string) string {
	return "(('x' || left(" + column + ", 8))::bit(32)::bigint + ('x' || substr(" + column + ", 9, 5))::bit(20)::int / 1e6::float8)"
}

// dueInstant is when a message became due, so that waits that its author asked for do not count as latency. The first
// messages of a run are due when the event is accepted: they are as old as their run, which is made after that. Later ones
// are due when the wait before them ended, which is their created_at (semantics.md §11.14). Under a frozen clock
// created_at says nothing about real time; there a message counts from when it was made.
var dueInstant = `CASE WHEN (SELECT clock_at IS NOT NULL FROM environments WHERE id = $1) THEN ` + instant("id") + `
	WHEN extract(epoch FROM created_at) <= ` + instant("notification_id") + ` THEN ` + instant("event_id") + `
	ELSE least(extract(epoch FROM created_at)::float8, ` + instant("id") + `) END`

// No more rows of a bucket are read than were counted.
var messageCounts = counted("messages") + `SELECT (b.n - 1)::int, m.channel, count(*)::int, count(*) FILTER (WHERE m.status IN ('sent', 'warning'))::int,
	count(*) FILTER (WHERE m.status = 'error')::int, count(*) FILTER (WHERE m.status = 'pending')::int,
	percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY 1000 * greatest(m.sent - m.due, 0)), max(b.rows), max(b.last)
FROM b CROSS JOIN LATERAL (
	SELECT id, channel, status, ` + dueInstant + ` AS due,
		CASE WHEN channel = 'in_app' THEN ` + instant("id") + `
			WHEN status IN ('sent', 'warning') THEN (SELECT extract(epoch FROM a.updated_at)::float8 FROM attempts a
				WHERE a.message_id = messages.id AND a.outcome = 'accepted' ORDER BY a.number LIMIT 1) END AS sent
	FROM messages WHERE ` + along("b") + ` LIMIT least($4, b.rows)) AS m
GROUP BY GROUPING SETS ((b.n), (b.n, m.channel)) ORDER BY b.n, m.channel NULLS FIRST`

// CountMessages counts the environment's messages by bucket and channel; a bucket's row without channel comes first, an
// empty bucket has none.
func CountMessages(ctx context.Context, q postgres.Querier, scope viewer.Scope, b Buckets) ([]MessageCounts, error) {
	low, high := b.bounds()
	rows, err := q.Query(ctx, messageCounts, scope.EnvironmentID, low, high, b.Rows, b.Counted)
	return postgres.Collect(rows, err, "count messages", pgx.RowToStructByPos[MessageCounts])
}

// AttemptCounts are the calls to one provider that began in one bucket.
type AttemptCounts struct {
	Bucket                               int // from 0
	ProviderID                           string
	Accepted, Rejected, Unknown, Pending int
	Counted                              // of all providers
}

var attemptCounts = counted("attempts") + `SELECT (b.n - 1)::int, m.provider_id, count(*) FILTER (WHERE m.outcome = 'accepted')::int,
	count(*) FILTER (WHERE m.outcome = 'rejected')::int, count(*) FILTER (WHERE m.outcome = 'unknown')::int,
	count(*) FILTER (WHERE m.outcome = 'intent')::int, max(b.rows), max(b.last)
FROM b CROSS JOIN LATERAL (SELECT id, provider_id, outcome FROM attempts WHERE ` + along("b") + ` LIMIT least($4, b.rows)) AS m
GROUP BY b.n, m.provider_id ORDER BY b.n, m.provider_id`

// CountAttempts counts the environment's calls by bucket and provider.
func CountAttempts(ctx context.Context, q postgres.Querier, scope viewer.Scope, b Buckets) ([]AttemptCounts, error) {
	low, high := b.bounds()
	rows, err := q.Query(ctx, attemptCounts, scope.EnvironmentID, low, high, b.Rows, b.Counted)
	return postgres.Collect(rows, err, "count attempts", pgx.RowToStructByPos[AttemptCounts])
}
