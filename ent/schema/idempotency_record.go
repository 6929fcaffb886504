package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// IdempotencyRecord is a key of an organization and, once its request has finished, the reply (decisions.md §15).
type IdempotencyRecord struct{ ent.Schema }

// Mixin gives the common columns.
func (IdempotencyRecord) Mixin() []ent.Mixin { return []ent.Mixin{record{}, organizationRow{}} }

// Fields are the columns.
func (IdempotencyRecord) Fields() []ent.Field {
	return []ent.Field{
		fixed("key"),
		field.Bytes("request_hash").Immutable(),
		field.Int("status_code").Optional().Nillable().Comment("null while the request runs"),
		field.Bytes("body").Optional(),
		field.Time("expires_at"),
	}
}

// Indexes serve uniqueness and the lists. None holds expires_at, which changes with the reply: the row then stays where it
// is in every index, and what has expired is found by its id.
func (IdempotencyRecord) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("organization_id", "key").Unique(),
	}
}
