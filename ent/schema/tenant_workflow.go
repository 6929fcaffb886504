package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// TenantWorkflow is a workflow's override for one tenant: switched off, or with other channel defaults (decisions.md §8, §12).
type TenantWorkflow struct{ ent.Schema }

// Mixin gives the common columns.
func (TenantWorkflow) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (TenantWorkflow) Fields() []ent.Field {
	return []ent.Field{
		fixed("tenant_id"),
		fixed("workflow_id"),
		field.Bool("active").Default(true),
		field.JSON("preferences", workflow.ChannelPreferences{}),
	}
}

// Edges are the parents.
func (TenantWorkflow) Edges() []ent.Edge {
	return []ent.Edge{
		parent("tenant", Tenant.Type, "tenant_id"),
		parent("workflow", Workflow.Type, "workflow_id"),
	}
}

// Indexes serve uniqueness and the lists.
func (TenantWorkflow) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "workflow_id").Unique(),
		index.Fields("environment_id", "id"),
	}
}
