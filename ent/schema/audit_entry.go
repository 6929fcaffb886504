package schema

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/ent/intercept"
	"github.com/carillon/carillon/internal/viewer"
)

// AuditEntry records who changed what in an environment. It outlives the environment, for the organization's admins, and
// names its actor by text, because keys and people go.
type AuditEntry struct{ ent.Schema }

// Mixin gives the common columns.
func (AuditEntry) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (AuditEntry) Fields() []ent.Field {
	return []ent.Field{
		fixed("actor_type"),
		fixed("actor_id"),
		field.String("actor_name").Default("").Immutable().Annotations(byCodePoint()).Comment("the key's name or the person's address at that time"),
		field.String("organization_id").Default("").Immutable().Annotations(byCodePoint()),
		field.String("address").Default("").Immutable().Annotations(byCodePoint()).Comment("the network address that the request came from"),
		fixed("action"),
		fixed("record_type"),
		fixed("record_id"),
		field.JSON("changes", map[string]any{}).Optional().Immutable(),
	}
}

// Indexes serve uniqueness and the lists.
func (AuditEntry) Indexes() []ent.Index {
	return append(listOrders(),
		index.Fields("environment_id", "record_type", "record_id", "id"),
		index.Fields("environment_id", "record_id", "id"),
		index.Fields("environment_id", "actor_type", "id"),
		index.Fields("environment_id", "actor_id", "id"),
		index.Fields("environment_id", "action", "id"),
		index.Fields("organization_id", "id"),
		index.Fields("organization_id", "created_at", "id"),
		index.Fields("organization_id", "updated_at", "id"),
	)
}

// Interceptors hide from an environment's keys what a person who was logged in there did to the organization.
func (AuditEntry) Interceptors() []ent.Interceptor {
	return []ent.Interceptor{intercept.TraverseFunc(func(ctx context.Context, q intercept.Query) error {
		if v, _ := viewer.FromContext(ctx); v.InEnvironment() {
			q.WhereP(func(s *sql.Selector) {
				s.Where(sql.Or(
					sql.NotIn(s.C("record_type"), "Environment", "Invitation", "Member", "Organization", "OrganizationKey", "Session", "User"),
					sql.And(sql.EQ(s.C("record_type"), "Environment"), sql.EQ(s.C("record_id"), v.EnvironmentID))))
			})
		}
		return nil
	})}
}
