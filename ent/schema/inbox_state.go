package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// InboxState is the inbox of one subscriber in one context set: its sequence and counters, changed in the transaction of
// the messages they count. Rows are locked in sorted order.
type InboxState struct{ ent.Schema }

// Mixin gives the common columns.
func (InboxState) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}, scoped{}} }

// Fields are the columns.
func (InboxState) Fields() []ent.Field {
	return []ent.Field{
		fixed("subscriber_id"),
		field.Int64("sequence").Default(0).Comment("grows by one with every change of the inbox"),
		field.Int("total").Default(0),
		field.Int("unread").Default(0),
		field.Int("unseen").Default(0),
	}
}

// Indexes serve uniqueness and the lists.
func (InboxState) Indexes() []ent.Index {
	return []ent.Index{
		uniqueInEnvironment("subscriber_id", "scope"),
		index.Fields("environment_id", "id"),
		rareContexts(),
	}
}
