package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/carillon/carillon/internal/workflow"
)

// Promotion records that resources of another environment of the organization were taken over (files.md §5). It
// names its source and its actor by text, because environments, keys and people go.
type Promotion struct{ ent.Schema }

// Mixin gives the common columns.
func (Promotion) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Promotion) Fields() []ent.Field {
	return []ent.Field{
		fixed("source_id"),
		fixed("source_identifier"),
		fixed("actor_type"),
		fixed("actor_id"),
		fixed("actor_name"),
		field.JSON("resources", []workflow.PromotedResource{}).Immutable(),
		field.JSON("before", map[string]any{}).Immutable().Comment("what the environment held of the resources, as a configuration"),
		field.JSON("published", map[string]any{}).Immutable().Comment("the same with workflows as triggers used them"),
		field.String("fingerprint_after").Immutable().Annotations(byCodePoint()).Comment("of what undoing would change; while it holds, the promotion can be undone"),
		optional("undoes_id"),
		optional("undone_by_id"),
	}
}

// Indexes serve uniqueness and the lists.
func (Promotion) Indexes() []ent.Index { return listOrders() }
