package postgres

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
)

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

// queue stores the rows by identifier, which is the order in which unique keys are taken.
func (in NewSubscriptions) queue(batch *pgx.Batch, made *MadeSubscriptions) {
	rows := slices.Clone(in.Rows)
	slices.SortFunc(rows, func(a, b NewSubscription) int { return cmp.Compare(a.Identifier, b.Identifier) })
	n := len(rows)
	ids, subscribers, identifiers, names := make([]string, n), make([]string, n), make([]string, n), make([]*string, n)
	for i, row := range rows {
		ids[i], subscribers[i], identifiers[i], names[i] = row.ID, row.SubscriberID, row.Identifier, row.Name
	}
	batch.Queue(insertSubscriptions, in.At, in.Audit.EnvironmentID, in.Audit.RecordID, jsonList(in.ContextKeys), in.ScopeKey,
		ids, subscribers, identifiers, names).Query(func(result pgx.Rows) error {
		var stored string
		_, err := pgx.ForEachRow(result, []any{&stored}, func() error { made.Stored[stored] = true; return nil })
		return err
	})
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
	AND EXISTS (SELECT FROM subscriptions x WHERE x.id = s.id AND x.environment_id = $2)
JOIN unnest($5::text[], $6::int[], $7::bool[], $8::text[]) WITH ORDINALITY
	AS p (workflow_id, position, enabled, condition, n) ON p.n = (i.n - 1) % cardinality($5::text[]) + 1`

// queueSubscriptionPreferences gives every one of the subscriptions that exist the same preferences. None may have any
// yet.
func queueSubscriptionPreferences(batch *pgx.Batch, scope viewer.Scope, subscriptionIDs []id.ID, now time.Time, preferences []NewSubscriptionPreference) error {
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
	batch.Queue(insertSubscriptionPreferences, now, scope.EnvironmentID, id.Batch(now, n*len(subscriptionIDs)),
		subscriptionIDs, workflows, positions, enabled, conditions)
	return nil
}
