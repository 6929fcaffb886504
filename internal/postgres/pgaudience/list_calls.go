package pgaudience

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/channelendpoint"
	"github.com/carillon/carillon/ent/subscription"
	"github.com/carillon/carillon/ent/topic"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/viewer"
)

// FirstSubscriptions asks for the first subscriptions of a subscriber.
type FirstSubscriptions struct {
	viewer.Scope
	SubscriberID string  // external
	ScopeKey     *string // of the context set; nil: any
	Column       string  // that they are ordered by
	Descending   bool
	Limit        int
}

// ReadSubscriptions reads, in one round trip, the living subscriber of an external id, which is nil when there is none, and
// its first subscriptions with their topics.
func ReadSubscriptions(ctx context.Context, db *postgres.DB, in FirstSubscriptions) (owner *ent.Subscriber, rows []*ent.Subscription, err error) {
	args, within, direction := []any{in.EnvironmentID, in.SubscriberID, in.Limit}, "", ""
	if in.ScopeKey != nil {
		args, within = append(args, *in.ScopeKey), ` AND s.scope = $4`
	}
	if in.Descending {
		direction = ` DESC`
	}
	order := ` ORDER BY s.id` + direction
	if in.Column != subscription.FieldID {
		order = ` ORDER BY s.` + pgx.Identifier{in.Column}.Sanitize() + direction + `, s.id` + direction
	}
	page := ` FROM subscriptions s WHERE s.environment_id = $1 AND s.subscriber_id =
		(SELECT o.id FROM subscribers o WHERE o.environment_id = $1 AND o.subscriber_id = $2 AND NOT o.deleted)` + within + order + ` LIMIT $3`
	// The page is whole rows both times: of topic_id alone the planner would read every subscription of the subscriber out of
	// an index that holds it, and sort them.
	var topics []*ent.Topic
	batch := &pgx.Batch{}
	batch.Queue(pgsubscriber.LivingSubscriber, in.EnvironmentID, in.SubscriberID).Query(postgres.One(&owner))
	batch.Queue(`SELECT `+postgres.Selected("s", subscription.Columns)+page, args...).Query(postgres.Into(&rows))
	batch.Queue(`SELECT `+postgres.Selected("t", topic.Columns)+` FROM topics t WHERE t.environment_id = $1 AND t.id = ANY (ARRAY(
		WITH page AS MATERIALIZED (SELECT s.*`+page+`) SELECT topic_id FROM page))`, args...).Query(postgres.Into(&topics))
	if err := db.Sender(ctx).SendBatch(ctx, batch).Close(); err != nil {
		return nil, nil, fmt.Errorf("read subscriptions: %w", err)
	}
	byID := make(map[string]*ent.Topic, len(topics))
	for _, t := range topics {
		byID[t.ID] = t
	}
	for _, row := range rows {
		row.Edges.Topic, row.Edges.Subscriber = byID[row.TopicID], owner
	}
	return owner, rows, nil
}

var endpointByIdentifier = `SELECT ` + postgres.Selected("e", channelendpoint.Columns) + ` FROM channel_endpoints e WHERE e.environment_id = $1 AND e.identifier = $2`

// EndpointByIdentifier reads one channel endpoint; nil when there is none.
func EndpointByIdentifier(ctx context.Context, q postgres.Reader, scope viewer.Scope, identifier string) (found *ent.ChannelEndpoint, err error) {
	rows, err := q.Query(ctx, endpointByIdentifier, scope.EnvironmentID, identifier)
	if err == nil {
		err = postgres.One(&found)(rows)
	}
	if err != nil {
		return nil, fmt.Errorf("read a channel endpoint: %w", err)
	}
	return found, nil
}
