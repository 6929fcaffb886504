package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Snippet is a part of templates that several of them render.
type Snippet struct{ ent.Schema }

// Mixin gives the common columns.
func (Snippet) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Snippet) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		required("name"),
		field.Text("content").Comment("Liquid; its variables are env and the arguments of the tag that renders it"),
	}
}

// Indexes serve uniqueness and the lists.
func (Snippet) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("identifier"),
	)
}
