package schema

import (
	"entgo.io/ent"
)

// Feed is a named stream of in-app messages.
type Feed struct{ ent.Schema }

// Mixin gives the common columns.
func (Feed) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Feed) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		required("name"),
	}
}

// Indexes serve uniqueness and the lists.
func (Feed) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("identifier"),
	)
}
