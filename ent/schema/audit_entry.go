package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// AuditEntry tells who changed what in an environment.
type AuditEntry struct{ ent.Schema }

// Mixin gives the common columns.
func (AuditEntry) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (AuditEntry) Fields() []ent.Field {
	return []ent.Field{
		fixed("actor_type"),
		fixed("actor_id"),
		fixed("action"),
		fixed("record_type"),
		fixed("record_id"),
		field.JSON("changes", map[string]any{}).Optional().Immutable(),
	}
}

// Indexes serve uniqueness and the lists.
func (AuditEntry) Indexes() []ent.Index {
	return append(listOrders(),
		index.Fields("environment_id", "record_type", "record_id", "id"),
	)
}
