package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Digest is a window that collects events, unique by its identity while open (semantics.md §3).
type Digest struct{ ent.Schema }

// Mixin gives the common columns.
func (Digest) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}, scoped{}} }

// Fields are the columns.
func (Digest) Fields() []ent.Field {
	return []ent.Field{
		fixed("workflow_id"),
		fixed("step_id"),
		fixed("subscriber_id"),
		fixed("digest_key"),
		required("notification_id"),
		field.Enum("status").Values("open", "closed", "cancelled", "passed").Default("open").
			Comment("passed: one event that went straight on, kept for the look-back"),
		field.Time("opened_at").Immutable(),
		field.Time("closes_at"),
		field.Time("last_event_at").Default(now).Comment("when the latest event of the identity arrived"),
		field.Int("total").Default(0),
	}
}

// Indexes serve uniqueness and the lists. None holds what an event changes that joins a window.
func (Digest) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		index.Fields("environment_id", "status", "id"),
		index.Fields("environment_id", "workflow_id", "id"),
		index.Fields("environment_id", "step_id", "id"),
		index.Fields("environment_id", "subscriber_id", "id"),
		uniqueWhere("status = 'open'", "workflow_id", "step_id", "subscriber_id", "digest_key", "scope"),
		index.Fields("environment_id", "workflow_id", "step_id", "subscriber_id", "digest_key", "scope", "id"),
		index.Fields("notification_id"),
		index.Fields("closes_at").Annotations(entsql.IndexAnnotation{Where: "status = 'open'"}),
	}
}
