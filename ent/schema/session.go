package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Session is a user's log-in in one environment. Only a hash of its token is stored.
type Session struct{ ent.Schema }

// Mixin gives the common columns.
func (Session) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Session) Fields() []ent.Field {
	return []ent.Field{
		fixed("user_id"),
		field.Bytes("hash").Immutable().Unique().Sensitive().Comment("SHA-256 of the token"),
		field.Bool("verified_elsewhere").Default(false).Immutable().Comment("by an OpenID Connect issuer, whose business a second factor is"),
		field.Time("expires_at").Immutable(),
		moment("revoked_at"),
	}
}

// Edges are the parents.
func (Session) Edges() []ent.Edge {
	return []ent.Edge{
		parent("user", User.Type, "user_id"),
	}
}

// Indexes serve uniqueness and the lists.
func (Session) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		index.Fields("user_id", "id"),
		index.Fields("expires_at"),
	}
}
