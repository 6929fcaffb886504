package pgmessage

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// ReplyRow is a reply on its way to a callback.
type ReplyRow struct {
	ID            string
	EnvironmentID string
	CreatedAt     time.Time
	URL           string
	Body          json.RawMessage
	Attempts      int // the one that begins included
}

// RecentReplies are how many mails that answer a message were kept within a span of real time, and the bytes that they take.
func RecentReplies(ctx context.Context, db *postgres.DB, environmentID, messageID string, within time.Duration) (count int, size int64, err error) {
	err = db.Pool.QueryRow(ctx, `SELECT count(*), coalesce(sum(pg_column_size(body)), 0) FROM replies
WHERE environment_id = $1 AND message_id = $2 AND created_at > clock_timestamp() - $3::interval`, environmentID, messageID, within).Scan(&count, &size)
	if err != nil {
		return 0, 0, fmt.Errorf("count the replies to a message: %w", err)
	}
	return count, size, nil
}

// ClaimReplies takes replies that are due and not claimed, the oldest first, and counts an attempt of each. All of
// it is real time: callbacks know no other.
func ClaimReplies(ctx context.Context, db *postgres.DB, lease time.Duration, limit int) ([]ReplyRow, error) {
	rows, err := db.Pool.Query(ctx, `UPDATE replies r SET leased_until = clock_timestamp() + $1::interval, attempts = attempts + 1, updated_at = now()
FROM (SELECT id FROM replies WHERE due_at <= clock_timestamp() AND (leased_until IS NULL OR leased_until < clock_timestamp())
	ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED) due
WHERE r.id = due.id RETURNING r.id, r.environment_id, r.created_at, r.url, r.body, r.attempts`, lease, limit)
	return postgres.Collect(rows, err, "claim replies", pgx.RowToStructByPos[ReplyRow])
}

// FinishReply records what an attempt came to; with a due time another one follows.
func FinishReply(ctx context.Context, db *postgres.DB, r ReplyRow, status string, dueAt *time.Time, errorText *string) error {
	_, err := db.Pool.Exec(ctx, `UPDATE replies SET status = $4, due_at = $5, error_text = $6, leased_until = NULL, updated_at = now()
WHERE id = $1 AND environment_id = $2 AND attempts = $3`, r.ID, r.EnvironmentID, r.Attempts, status, dueAt, errorText)
	if err != nil {
		return fmt.Errorf("record a reply's callback: %w", err)
	}
	return nil
}
