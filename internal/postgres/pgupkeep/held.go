package pgupkeep

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// OpenBreaker is an active integration that is not called for the time being, because its calls fail.
type OpenBreaker struct {
	Environment string // identifier
	Integration string // identifier
	Cause       string
	Since       *time.Time
}

// OpenBreakers lists at most limit of them, those that are open for longest first.
func OpenBreakers(ctx context.Context, db *postgres.DB, limit int) ([]OpenBreaker, error) {
	rows, err := db.Pool.Query(ctx, `SELECT e.identifier, i.identifier, coalesce(i.breaker_cause, ''), i.breaker_opened_at
FROM integrations i JOIN environments e ON e.id = i.environment_id
WHERE i.breaker <> 'closed' AND i.active AND NOT i.deleted ORDER BY i.breaker_opened_at, i.id LIMIT $1`, limit)
	return postgres.Collect(rows, err, "look for open breakers", pgx.RowToStructByPos[OpenBreaker])
}

// LastingPause is a pause that people, or an alert rule, have not ended yet.
type LastingPause struct {
	ID          string
	Environment string // identifier
	Kind        string
	Target      string // what people call it; "" for the environment
	Reason      string
	Since       time.Time
}

// LastingPauses lists at most limit of them, the oldest first.
func LastingPauses(ctx context.Context, db *postgres.DB, limit int) ([]LastingPause, error) {
	rows, err := db.Pool.Query(ctx, `SELECT p.id, e.identifier, p.kind, coalesce(
	(SELECT w.identifier FROM workflows w WHERE p.kind = 'workflow' AND w.id = p.target),
	(SELECT i.identifier FROM integrations i WHERE p.kind = 'integration' AND i.id = p.target),
	(SELECT s.subscriber_id FROM subscribers s WHERE p.kind = 'subscriber' AND s.id = p.target),
	(SELECT v.transaction_id FROM events v WHERE p.kind = 'broadcast' AND v.id = p.target), p.target), p.reason, p.created_at
FROM pauses p JOIN environments e ON e.id = p.environment_id WHERE p.resumed_at IS NULL ORDER BY p.id LIMIT $1`, limit)
	return postgres.Collect(rows, err, "look for pauses", pgx.RowToStructByPos[LastingPause])
}
