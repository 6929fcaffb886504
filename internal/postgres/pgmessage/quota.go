package pgmessage

import (
	"context"
	"fmt"
	"time"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// callsUnderWay is how far back calls are looked for that have not ended yet.
const callsUnderWay = 10 * time.Minute

// WithinQuota reports whether a message of an organization may go out through a provider that all organizations share:
// fewer than limit others of the organization's have gone out since, or are on their way and were earlier. scope names
// the environment of a message that is not stored.
func WithinQuota(ctx context.Context, db *postgres.DB, scope viewer.Scope, providerID, messageID string, since, now time.Time, limit int) (bool, error) {
	var within bool
	err := db.Pool.QueryRow(ctx, `
		WITH own AS (SELECT organization_id FROM environments
			WHERE id = coalesce((SELECT environment_id FROM messages WHERE id = $2), $3)),
		used AS (SELECT i.id, i.environment_id FROM integrations i JOIN environments e ON e.id = i.environment_id
			WHERE i.provider_id = $1 AND e.organization_id = (SELECT organization_id FROM own)),
		others AS (
			(SELECT message_id FROM attempts WHERE environment_id IN (SELECT environment_id FROM used) AND integration_id IN (SELECT id FROM used) AND provider_message_id IS NOT NULL AND id >= $4)
			UNION
			(SELECT message_id FROM attempts WHERE environment_id IN (SELECT environment_id FROM used) AND id >= $5
				AND integration_id IN (SELECT id FROM used) AND outcome = 'intent'
				AND id < (SELECT coalesce(max(id), 'g') FROM attempts WHERE message_id = $2 AND outcome = 'intent')))
		SELECT count(*) < $6 FROM others WHERE message_id <> $2`,
		providerID, messageID, scope.EnvironmentID, id.Floor(since), id.Floor(now.Add(-callsUnderWay)), limit).Scan(&within)
	if err != nil {
		return false, fmt.Errorf("count messages of %s: %w", providerID, err)
	}
	return within, nil
}
