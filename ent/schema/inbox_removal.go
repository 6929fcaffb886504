package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// InboxRemoval reports to watchers of an inbox that a message was deleted. It is kept as long as a client may be away.
type InboxRemoval struct{ ent.Schema }

// Mixin gives the common columns.
func (InboxRemoval) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}, scoped{}} }

// Fields are the columns.
func (InboxRemoval) Fields() []ent.Field {
	return []ent.Field{
		fixed("subscriber_id"),
		fixed("message_id"),
		field.Int64("sequence").Immutable().Comment("of the inbox, after the removal"),
	}
}

// Indexes serve uniqueness and the lists.
func (InboxRemoval) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		index.Fields("environment_id", "subscriber_id", "scope", "sequence"),
	}
}
