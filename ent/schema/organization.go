package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Organization owns environments and members. It is the outer bound of tenancy.
type Organization struct{ ent.Schema }

// Mixin gives the common columns.
func (Organization) Mixin() []ent.Mixin { return []ent.Mixin{record{}} }

// Fields are the columns.
func (Organization) Fields() []ent.Field {
	return []ent.Field{
		required("name"),
		field.Bool("idempotency").Default(true).Comment("whether idempotency keys count (decisions.md §13)"),
		field.Bool("suspended").Default(false),
		field.Enum("move").Values("none", "leaving", "moved", "arriving").Default("none").Comment("where a move to another cell has come to (deploy.md §8.2)"),
		blank("moved_to"),  // what callers of the old cell are told
		blank("moved_url"), // where the old cell leads readers of mails
		blank("move_id"),   // names a move in both cells
		field.Bool("require_second_factor").Default(false).Comment("whether members who log in with a password need a second factor"),
	}
}

// Interceptors let a viewer see its own organization only.
func (Organization) Interceptors() []ent.Interceptor { return ofItself.interceptors() }

// Hooks let a viewer change its own organization only.
func (Organization) Hooks() []ent.Hook { return ofItself.hooks() }
