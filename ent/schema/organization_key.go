package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/viewer"
)

// OrganizationKey authenticates the programs that do an organization's own work: environments, members, settings and the
// keys of its environments. It opens no environment's data. Only a hash of the key is stored.
type OrganizationKey struct{ ent.Schema }

// Mixin gives the common columns.
func (OrganizationKey) Mixin() []ent.Mixin { return []ent.Mixin{record{}, organizationOwned{}} }

// Fields are the columns.
func (OrganizationKey) Fields() []ent.Field {
	return []ent.Field{
		required("name"),
		field.Bytes("hash").Immutable().Unique().Sensitive().Comment("SHA-256 of the key"),
		fixed("hint"),
		optional("user_id"),
		field.JSON("scopes", []viewer.Grant{}).Immutable(),
		optional("successor_id"), // the key that replaced it; it ends at expires_at
		moment("last_used_at"),
		field.Time("expires_at"),
		moment("revoked_at"),
	}
}

// Indexes serve uniqueness and the lists.
func (OrganizationKey) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("organization_id", "id"),
	}
}
