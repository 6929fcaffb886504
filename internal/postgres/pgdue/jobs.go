package pgdue

import (
	"context"
	"fmt"
	"time"

	"github.com/carillon/carillon/internal/postgres"
)

// dropOrphanedJobs finds jobs that say that they run although none of their rows is leased: whoever ran them is dead, or
// about to be done. What is left to do of them is found by the due times of the rows.
const dropOrphanedJobs = `DELETE FROM river_job WHERE id IN (
	SELECT j.id FROM river_job j WHERE j.state = 'running' AND j.attempted_at < clock_timestamp() - $1::interval
		AND (j.kind = 'fan_out' AND NOT EXISTS (SELECT FROM events e
				WHERE e.id = ANY(string_to_array(j.args ->> 'event_ids', ' ')) AND coalesce(e.due_at, '-infinity') > clock_timestamp())
			OR j.kind = 'send' AND NOT EXISTS (SELECT FROM messages m
				WHERE m.id IN (SELECT jsonb_array_elements_text(j.args -> 'message_ids'))
					AND coalesce(m.leased_until, '-infinity') > clock_timestamp()))
	ORDER BY j.id LIMIT $2)`

// DropOrphanedJobs deletes jobs, at most limit, that have been running for longer than after and that nobody works on any
// more. River itself gives a job back only when it has a time limit, and provider calls must not be cut off by one.
func DropOrphanedJobs(ctx context.Context, db *postgres.DB, after time.Duration, limit int) (dropped int, err error) {
	tag, err := db.Pool.Exec(ctx, dropOrphanedJobs, after, limit)
	if err != nil {
		return 0, fmt.Errorf("drop orphaned jobs: %w", err)
	}
	return int(tag.RowsAffected()), nil
}
