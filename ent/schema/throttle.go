package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Throttle counts the runs that a throttle step let through in its present window (semantics.md §5).
type Throttle struct{ ent.Schema }

// Mixin gives the common columns.
func (Throttle) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (Throttle) Fields() []ent.Field {
	return []ent.Field{
		fixed("workflow_id"),
		fixed("step_id"),
		fixed("subscriber_id"),
		fixed("throttle_key"),
		field.Time("starts_at"),
		field.Time("ends_at").Comment("belongs to the next window"),
		field.Int("used").Default(0).Comment("units taken in this window"),
	}
}

// Indexes serve uniqueness and the lists.
func (Throttle) Indexes() []ent.Index {
	return []ent.Index{
		uniqueInEnvironment("workflow_id", "step_id", "subscriber_id", "throttle_key"),
		index.Fields("ends_at"),
	}
}
