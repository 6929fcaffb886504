package schema

import (
	"entgo.io/ent"
)

// Tenant is a customer of the operator, on whose behalf a trigger happens.
type Tenant struct{ ent.Schema }

// Mixin gives the common columns.
func (Tenant) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Tenant) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		optional("name"),
		object("data"),
	}
}

// Indexes serve uniqueness and the lists.
func (Tenant) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("identifier"),
	)
}
