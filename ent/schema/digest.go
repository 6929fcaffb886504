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
		fixed("notification_id"),
		field.Enum("status").Values("open", "closed", "cancelled").Default("open"),
		field.Time("opened_at").Immutable(),
		field.Time("closes_at"),
		field.Int("total").Default(0),
		field.JSON("events", []map[string]any{}).Default([]map[string]any{}),
	}
}

// Indexes serve uniqueness and the lists.
func (Digest) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		uniqueWhere("status = 'open'", "workflow_id", "step_id", "subscriber_id", "digest_key", "scope"),
		index.Fields("closes_at").Annotations(entsql.IndexAnnotation{Where: "status = 'open'"}),
	}
}
