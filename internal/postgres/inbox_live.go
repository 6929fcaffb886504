package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
)

// InboxKey names one inbox: of one subscriber in one context set.
type InboxKey struct {
	SubscriberID id.ID
	ScopeKey     string // workflow.ContextSet.Scope
}

// InboxStep is one message of an inbox that changed, or is gone.
type InboxStep struct {
	MessageID id.ID
	Sequence  int64
	Removed   bool
}

const inboxSince = `
(SELECT id, sequence, false AS removed FROM messages
	WHERE subscriber_id = $1 AND channel = 'in_app' AND sequence > $4 AND environment_id = $2 AND scope = $3
	ORDER BY sequence LIMIT $5)
UNION ALL
(SELECT message_id, sequence, true FROM inbox_removals
	WHERE environment_id = $2 AND subscriber_id = $1 AND scope = $3 AND sequence > $4
	ORDER BY sequence LIMIT $5)
ORDER BY sequence, id LIMIT $5`

// InboxSince reads what changed in an inbox after a sequence, oldest change first, at most limit. A message that changed
// several times stands once, where it changed last.
func (db *DB) InboxSince(ctx context.Context, scope viewer.Scope, key InboxKey, after int64, limit int) ([]InboxStep, error) {
	rows, err := db.Pool.Query(ctx, inboxSince, key.SubscriberID, scope.EnvironmentID, key.ScopeKey, after, limit)
	if err != nil {
		return nil, Translate(fmt.Errorf("read an inbox's changes: %w", err))
	}
	steps, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s InboxStep, err error) {
		return s, row.Scan(&s.MessageID, &s.Sequence, &s.Removed)
	})
	if err != nil {
		return nil, Translate(fmt.Errorf("read an inbox's changes: %w", err))
	}
	return steps, nil
}
