package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/index"
)

// Subscription ties a subscriber to a topic in one context set. A subscriber may hold several in one topic.
type Subscription struct{ ent.Schema }

// Mixin gives the common columns.
func (Subscription) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}, scoped{}} }

// Fields are the columns.
func (Subscription) Fields() []ent.Field {
	return []ent.Field{
		fixed("topic_id"),
		fixed("subscriber_id"),
		fixed("identifier"),
		optional("name"),
	}
}

// Edges are the parents and the preferences, which go with it.
func (Subscription) Edges() []ent.Edge {
	return []ent.Edge{
		parent("topic", Topic.Type, "topic_id"),
		parent("subscriber", Subscriber.Type, "subscriber_id"),
		edge.From("preferences", SubscriptionPreference.Type).Ref("subscription"),
	}
}

// Indexes serve uniqueness and the lists.
func (Subscription) Indexes() []ent.Index {
	return append(listOrders(),
		index.Fields("topic_id", "identifier").Unique(),
		index.Fields("topic_id", "scope", "id"),
		index.Fields("environment_id", "topic_id", "id"),
		index.Fields("topic_id", "scope", "subscriber_id", "id"), // fan-out: all of one subscriber side by side
		index.Fields("environment_id", "subscriber_id", "id"),
		index.Fields("environment_id", "subscriber_id", "topic_id", "id"),
		index.Fields("environment_id", "subscriber_id", "created_at", "id"),
		index.Fields("environment_id", "subscriber_id", "updated_at", "id"),
		index.Fields("environment_id", "subscriber_id", "scope", "id"),
	)
}
