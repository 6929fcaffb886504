package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Translation holds the texts of one locale.
type Translation struct{ ent.Schema }

// Mixin gives the common columns.
func (Translation) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Translation) Fields() []ent.Field {
	return []ent.Field{
		fixed("locale"),
		field.JSON("content", map[string]string{}),
	}
}

// Indexes serve uniqueness and the lists.
func (Translation) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("locale"),
	)
}
