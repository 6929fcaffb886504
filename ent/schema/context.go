package schema

import (
	"entgo.io/ent"
)

// Context is one key of a context set, with the data stored on its first use.
type Context struct{ ent.Schema }

// Mixin gives the common columns.
func (Context) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Context) Fields() []ent.Field {
	return []ent.Field{
		fixed("type"),
		fixed("identifier"),
		object("data"),
	}
}

// Indexes serve uniqueness and the lists.
func (Context) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("type", "identifier"),
	)
}
