package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Member is a user in an organization, with a role.
type Member struct{ ent.Schema }

// Mixin gives the common columns.
func (Member) Mixin() []ent.Mixin { return []ent.Mixin{record{}, organizationOwned{}} }

// Fields are the columns.
func (Member) Fields() []ent.Field {
	return []ent.Field{
		fixed("user_id"),
		field.Enum("role").Values("owner", "admin", "editor", "viewer").Default("viewer"),
	}
}

// Edges are the parents.
func (Member) Edges() []ent.Edge {
	return []ent.Edge{
		parent("user", User.Type, "user_id"),
	}
}

// Indexes serve uniqueness and the lists.
func (Member) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("organization_id", "user_id").Unique(),
		index.Fields("user_id"),
	}
}
