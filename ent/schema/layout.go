package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Layout is the frame around an e-mail's content.
type Layout struct{ ent.Schema }

// Mixin gives the common columns.
func (Layout) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Layout) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		required("name"),
		field.Text("content").Comment("Liquid; the variable content is the step's output"),
		field.Bool("is_default").Default(false),
	}
}

// Indexes serve uniqueness and the lists.
func (Layout) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("identifier"),
		uniqueWhere("is_default"),
	)
}
