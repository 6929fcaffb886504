package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Invitation asks a person to become a member of an organization. Only a hash of its token is stored; the row goes when the
// invitation is accepted, withdrawn or replaced.
type Invitation struct{ ent.Schema }

// Mixin gives the common columns.
func (Invitation) Mixin() []ent.Mixin { return []ent.Mixin{record{}, organizationOwned{}} }

// Fields are the columns.
func (Invitation) Fields() []ent.Field {
	return []ent.Field{
		fixed("email"),
		field.Enum("role").Values("owner", "admin", "editor", "viewer").Immutable(),
		field.Bytes("hash").Immutable().Unique().Sensitive().Comment("SHA-256 of the token"),
		field.String("invited_by_id").Default("").Immutable().Annotations(byCodePoint()).Comment("the person whose rank it rests on; empty for a key or the operator"),
		field.String("invited_by").Default("").Immutable().Annotations(byCodePoint()).Comment("address of that person or name of that key"),
		field.Time("expires_at").Immutable(),
	}
}

// Indexes serve uniqueness and the lists.
func (Invitation) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("organization_id", "email").Unique(),
		index.Fields("organization_id", "id"),
		index.Fields("expires_at"),
	}
}
