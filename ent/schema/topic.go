package schema

import (
	"entgo.io/ent"
)

// Topic is a named set of subscribers.
type Topic struct{ ent.Schema }

// Mixin gives the common columns.
func (Topic) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Topic) Fields() []ent.Field {
	return []ent.Field{
		fixed("key"),
		optional("name"),
	}
}

// Indexes serve uniqueness and the lists.
func (Topic) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("key"),
	)
}
