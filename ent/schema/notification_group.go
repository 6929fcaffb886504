package schema

import (
	"entgo.io/ent"
)

// NotificationGroup sorts workflows.
type NotificationGroup struct{ ent.Schema }

// Mixin gives the common columns.
func (NotificationGroup) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (NotificationGroup) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		required("name"),
		optional("parent_id"),
	}
}

// Indexes serve uniqueness and the lists.
func (NotificationGroup) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("identifier"),
	)
}
