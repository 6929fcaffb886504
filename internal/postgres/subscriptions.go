package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
)

const lockPairs = `SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key`

// LockTopicSubscribers makes everybody who changes the subscriptions of one of these subscribers to the topic wait until
// the transaction ends, so that their number can be counted and bounded. Locks are taken in sorted order. Two pairs may
// share a lock, which only costs time.
func LockTopicSubscribers(ctx context.Context, tx pgx.Tx, scope viewer.Scope, topicID id.ID, subscriberIDs []id.ID) error {
	keys := make([]int64, len(subscriberIDs))
	for i, subscriberID := range subscriberIDs {
		keys[i] = lockKey("subscriptions", scope.EnvironmentID, topicID, subscriberID)
	}
	slices.Sort(keys)
	if _, err := tx.Exec(ctx, lockPairs, slices.Compact(keys)); err != nil {
		return fmt.Errorf("lock subscriptions: %w", err)
	}
	return nil
}

// lockKey is the key of an advisory lock on what the parts name together.
func lockKey(parts ...string) int64 {
	h := fnv.New64a()
	for _, part := range parts {
		_, _ = h.Write([]byte(part)) // never fails
		_, _ = h.Write([]byte{0})
	}
	return int64(h.Sum64()) //nolint:gosec // any 64 bits will do
}

// NewSubscription is a row to insert.
type NewSubscription struct {
	ID           id.ID
	SubscriberID id.ID
	Identifier   string
	Name         *string
}

const insertSubscriptions = `
INSERT INTO subscriptions (id, created_at, updated_at, environment_id, topic_id, context_keys, scope,
	subscriber_id, identifier, name)
SELECT id, $1, $1, $2, $3, $4::jsonb, $5, subscriber_id, identifier, name
FROM unnest($6::text[], $7::text[], $8::text[], $9::text[]) AS s (id, subscriber_id, identifier, name)
ON CONFLICT (topic_id, identifier) DO NOTHING
RETURNING id`

// InsertSubscriptions stores rows of one topic and context set and returns the ids of those that were stored: an
// identifier that another transaction took in the meantime is left out. Rows go in by identifier, which is the order in
// which unique keys are taken.
func InsertSubscriptions(ctx context.Context, tx pgx.Tx, scope viewer.Scope, topicID id.ID, contextKeys []string, scopeKey string, now time.Time, rows []NewSubscription) (map[id.ID]bool, error) {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b NewSubscription) int {
		if a.Identifier < b.Identifier {
			return -1
		}
		return 1
	})
	n := len(rows)
	ids, subscribers, identifiers, names := make([]string, n), make([]string, n), make([]string, n), make([]*string, n)
	for i, row := range rows {
		ids[i], subscribers[i], identifiers[i], names[i] = row.ID, row.SubscriberID, row.Identifier, row.Name
	}
	result, err := tx.Query(ctx, insertSubscriptions, now, scope.EnvironmentID, topicID, jsonList(contextKeys), scopeKey,
		ids, subscribers, identifiers, names)
	if err != nil {
		return nil, fmt.Errorf("insert subscriptions: %w", err)
	}
	stored := make(map[id.ID]bool, n)
	var one string
	if _, err := pgx.ForEachRow(result, []any{&one}, func() error { stored[one] = true; return nil }); err != nil {
		return nil, fmt.Errorf("insert subscriptions: %w", err)
	}
	return stored, nil
}

// NewSubscriptionPreference is what a subscription says about one workflow.
type NewSubscriptionPreference struct {
	WorkflowID id.ID
	Position   int // order of first mention
	Enabled    bool
	Condition  map[string]any // nil: none
}

const insertSubscriptionPreferences = `
INSERT INTO subscription_preferences (id, created_at, updated_at, environment_id, subscription_id, workflow_id, position,
	enabled, condition)
SELECT i.id, $1, $1, $2, s.id, p.workflow_id, p.position, p.enabled, p.condition::jsonb
FROM unnest($3::text[]) WITH ORDINALITY AS i (id, n)
JOIN unnest($4::text[]) WITH ORDINALITY AS s (id, n) ON s.n = (i.n - 1) / cardinality($5::text[]) + 1
JOIN unnest($5::text[], $6::int[], $7::bool[], $8::text[]) WITH ORDINALITY
	AS p (workflow_id, position, enabled, condition, n) ON p.n = (i.n - 1) % cardinality($5::text[]) + 1`

// InsertSubscriptionPreferences gives every one of the subscriptions the same preferences. None may have any yet.
func InsertSubscriptionPreferences(ctx context.Context, tx pgx.Tx, scope viewer.Scope, subscriptionIDs []id.ID, now time.Time, preferences []NewSubscriptionPreference) error {
	if len(subscriptionIDs) == 0 || len(preferences) == 0 {
		return nil
	}
	n := len(preferences)
	workflows, positions, enabled, conditions := make([]string, n), make([]int, n), make([]bool, n), make([]*string, n)
	for i, p := range preferences {
		workflows[i], positions[i], enabled[i] = p.WorkflowID, p.Position, p.Enabled
		if p.Condition == nil {
			continue
		}
		raw, err := json.Marshal(p.Condition)
		if err != nil {
			return fmt.Errorf("insert subscription preferences: %w", err)
		}
		text := string(raw)
		conditions[i] = &text
	}
	_, err := tx.Exec(ctx, insertSubscriptionPreferences, now, scope.EnvironmentID, id.Batch(now, n*len(subscriptionIDs)),
		subscriptionIDs, workflows, positions, enabled, conditions)
	if err != nil {
		return fmt.Errorf("insert subscription preferences: %w", err)
	}
	return nil
}
