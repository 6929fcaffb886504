package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Variable is a named value of an environment, for templates and credentials. Either value or sealed is set.
type Variable struct{ ent.Schema }

// Mixin gives the common columns.
func (Variable) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Variable) Fields() []ent.Field {
	return []ent.Field{
		fixed("name"),
		field.Bool("secret").Immutable().Default(false),
		optional("value"),
		field.Bytes("sealed").Optional().Sensitive().Comment("the value of a secret one, encrypted"),
	}
}

// Indexes serve uniqueness and the lists.
func (Variable) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("name"),
	)
}
