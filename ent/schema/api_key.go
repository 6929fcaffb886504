package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/viewer"
)

// APIKey authenticates the programs of one environment. Only a hash of the key is stored.
type APIKey struct{ ent.Schema }

// Mixin gives the common columns.
func (APIKey) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (APIKey) Fields() []ent.Field {
	return []ent.Field{
		required("name"),
		field.Bytes("hash").Immutable().Unique().Sensitive().Comment("SHA-256 of the key"),
		fixed("hint"),
		optional("user_id"),
		// The column's default is for the keys of a database from before there were scopes, which could do everything.
		field.JSON("scopes", []viewer.Grant{}).Immutable().Annotations(entsql.DefaultExpr(
			"jsonb_build_array('trigger', 'audience', 'content', 'integrations', 'activity', 'keys')")),
		optional("successor_id"), // the key that replaced it; it ends at expires_at
		moment("last_used_at"),
		moment("expires_at"),
		moment("revoked_at"),
	}
}

// Indexes serve uniqueness and the lists.
func (APIKey) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
	}
}
