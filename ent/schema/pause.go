package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// Pause holds the work of an environment, or of a part of it, until it is resumed (semantics.md §13). What it holds names it;
// after its end it gives that back batch by batch, and is due until nothing is left.
type Pause struct{ ent.Schema }

// Mixin gives the common columns.
func (Pause) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Pause) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("kind").GoType(workflow.PauseKind("")).Immutable(),
		field.String("target").Default("").Immutable().Annotations(byCodePoint()).Comment("internal id of a workflow, an integration or an event, or a channel; empty for the environment"),
		field.Text("reason").Default("").Immutable(),
		moment("resumed_at"),
		field.Int("per_second").Default(0).Comment("rows that are given back per second after its end"),
		field.Int("released").Default(0).Comment("rows that were given back so far"),
		field.Time("due_at").Optional().Nillable().Comment("when the next batch is given back; null while it lasts and when nothing is left"),
	}
}

// Indexes serve uniqueness and the lists.
func (Pause) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueWhere("resumed_at IS NULL", "kind", "target"),
		index.Fields("due_at").Annotations(entsql.IndexAnnotation{Where: "due_at IS NOT NULL"}),
	)
}
