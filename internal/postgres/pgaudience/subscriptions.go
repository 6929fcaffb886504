// Package pgaudience stores topics, subscriptions, preferences, contexts and channel settings of subscribers.
package pgaudience

import (
	"cmp"
	"hash/fnv"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
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

// @1 is the time, @2 the environment, @3 the topic, @4 the keys of the scope @5.
var insertSubscriptions = bulk.Insert("subscriptions", bulk.Columns[NewSubscription]{
	bulk.Field("id", func(s *NewSubscription) *string { return &s.ID }),
	bulk.Field("subscriber_id", func(s *NewSubscription) *string { return &s.SubscriberID }),
	bulk.Field("identifier", func(s *NewSubscription) *string { return &s.Identifier }),
	bulk.Field("name", func(s *NewSubscription) **string { return &s.Name }),
}).Set("created_at", "@1").Set("updated_at", "@1").Set("environment_id", "@2").Set("topic_id", "@3").Set("context_keys", "@4::jsonb").Set("scope", "@5").
	OnConflict("(topic_id, identifier) DO NOTHING RETURNING id")

// queue stores the rows by identifier, which is the order in which unique keys are taken.
func (in NewSubscriptions) queue(batch *pgx.Batch, made *MadeSubscriptions) {
	rows := slices.Clone(in.Rows)
	slices.SortFunc(rows, func(a, b NewSubscription) int { return cmp.Compare(a.Identifier, b.Identifier) })
	insertSubscriptions.Queue(batch, rows, in.At, in.Audit.EnvironmentID, in.Audit.RecordID, postgres.JSONList(in.ContextKeys), in.ScopeKey).Query(func(result pgx.Rows) error {
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

// @1 is the time, @2 the environment, @3 the ids of the records and @4 those of the subscriptions.
var insertSubscriptionPreferences = bulk.New(`INSERT INTO subscription_preferences (id, created_at, updated_at, environment_id, subscription_id,
	workflow_id, position, enabled, condition)
SELECT i.id, @1, @1, @2, s.id, p.workflow_id, p.position, p.enabled, p.condition::jsonb
FROM unnest(@3::text[]) WITH ORDINALITY AS i (id, n)
JOIN unnest(@4::text[]) WITH ORDINALITY AS s (id, n) ON s.n = (i.n - 1) / cardinality($1::text[]) + 1
	AND EXISTS (SELECT FROM subscriptions x WHERE x.id = s.id AND x.environment_id = @2)
JOIN (SELECT u.*, u.place AS n FROM {rows}) p ON p.n = (i.n - 1) % cardinality($1::text[]) + 1`, bulk.Columns[NewSubscriptionPreference]{
	bulk.Field("workflow_id", func(p *NewSubscriptionPreference) *string { return &p.WorkflowID }),
	bulk.Field("position", func(p *NewSubscriptionPreference) *int { return &p.Position }),
	bulk.Field("enabled", func(p *NewSubscriptionPreference) *bool { return &p.Enabled }),
	bulk.JSON("condition", func(p *NewSubscriptionPreference) *map[string]any { return &p.Condition }),
})

// queueSubscriptionPreferences gives every one of the subscriptions that exist the same preferences. None may have any
// yet.
func queueSubscriptionPreferences(batch *pgx.Batch, scope viewer.Scope, subscriptionIDs []id.ID, now time.Time, preferences []NewSubscriptionPreference) {
	if len(subscriptionIDs) > 0 && len(preferences) > 0 {
		insertSubscriptionPreferences.Queue(batch, preferences, now, scope.EnvironmentID,
			id.Batch(now, len(preferences)*len(subscriptionIDs)), subscriptionIDs)
	}
}
