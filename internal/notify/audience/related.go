package audience

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// What belongs to other records, as nested lists show it: for all of them at once, by their internal ids. Each costs one
// query, one more with a cursor, and one more for totals.

// OfSubscribers reads channel settings of subscribers, newest first.
func (s *SubscriberChannels) OfSubscribers(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.SubscriberChannel], error) {
	return usecase.ReadEach(ctx, s.Deps, usecase.ReadAudience, func(db *ent.Client) *ent.SubscriberChannelQuery { return db.SubscriberChannel.Query() },
		usecase.Relation{Column: "subscriber_id", Order: usecase.NewestFirst}, ids, page)
}

// OfSubscribers reads stored preferences of subscribers, newest first.
func (s *Preferences) OfSubscribers(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Preference], error) {
	return usecase.ReadEach(ctx, s.Deps, usecase.ReadAudience, func(db *ent.Client) *ent.PreferenceQuery { return db.Preference.Query() },
		usecase.Relation{Column: "subscriber_id", Order: usecase.NewestFirst}, ids, page)
}

// OfSubscribers reads subscriptions of subscribers, newest first.
func (s *Subscriptions) OfSubscribers(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Subscription], error) {
	return usecase.ReadEach(ctx, s.Deps, usecase.ReadAudience, func(db *ent.Client) *ent.SubscriptionQuery { return db.Subscription.Query() },
		usecase.Relation{Column: "subscriber_id", Order: usecase.NewestFirst}, ids, page)
}

// OfTopics reads subscriptions of topics, newest first.
func (s *Subscriptions) OfTopics(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Subscription], error) {
	return usecase.ReadEach(ctx, s.Deps, usecase.ReadAudience, func(db *ent.Client) *ent.SubscriptionQuery { return db.Subscription.Query() },
		usecase.Relation{Column: "topic_id", Order: usecase.NewestFirst}, ids, page)
}

// Living finds living subscribers by the operator's identifiers. Cost: one query.
func (s *Subscribers) Living(ctx context.Context, subscriberIDs []string) (map[string]*ent.Subscriber, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (map[string]*ent.Subscriber, error) {
		rows, err := db.Subscriber.Query().Where(subscriber.SubscriberIDIn(subscriberIDs...), subscriber.Deleted(false)).All(ctx)
		found := make(map[string]*ent.Subscriber, len(rows))
		for _, row := range rows {
			found[row.SubscriberID] = row
		}
		return found, err
	})
}
