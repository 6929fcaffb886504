package postgres

import (
	"context"
	"fmt"
	"time"

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

const setPresence = `UPDATE subscribers s SET is_online = u.online, last_online_at = $1
FROM unnest($2::text[], $3::bool[]) AS u(id, online) WHERE s.id = u.id`

// SetPresence records who of the subscribers with these internal ids is online, in any environment: the caller has their
// inboxes open.
func (db *DB) SetPresence(ctx context.Context, now time.Time, ids []id.ID, online []bool) error {
	if _, err := db.Pool.Exec(ctx, setPresence, now, ids, online); err != nil {
		return Translate(fmt.Errorf("record presence: %w", err))
	}
	return nil
}

// EndPresence takes subscribers for offline, in any environment, of whom nobody said since before that they are online:
// their process died.
func (db *DB) EndPresence(ctx context.Context, before time.Time, limit int) error {
	_, err := db.Pool.Exec(ctx, `UPDATE subscribers SET is_online = false WHERE id IN (SELECT id FROM subscribers
	WHERE is_online AND last_online_at < $1 ORDER BY last_online_at LIMIT $2 FOR UPDATE SKIP LOCKED)`, before, limit)
	if err != nil {
		return Translate(fmt.Errorf("end presence: %w", err))
	}
	return nil
}
