package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// SubscriptionPreference lets one workflow pass a subscription, block it, or asks a JSON Logic condition.
type SubscriptionPreference struct{ ent.Schema }

// Mixin gives the common columns.
func (SubscriptionPreference) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (SubscriptionPreference) Fields() []ent.Field {
	return []ent.Field{
		fixed("subscription_id"),
		fixed("workflow_id"),
		field.Int("position").Comment("order of first mention in the call that stored it"),
		field.Bool("enabled").Default(true),
		object("condition"),
	}
}

// Edges are the parents.
func (SubscriptionPreference) Edges() []ent.Edge {
	return []ent.Edge{
		parent("subscription", Subscription.Type, "subscription_id"),
		parent("workflow", Workflow.Type, "workflow_id"),
	}
}

// Indexes serve uniqueness and the lists.
func (SubscriptionPreference) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("subscription_id", "workflow_id").Unique(),
		index.Fields("environment_id", "id"),
	}
}
