package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// WorkflowVersion is an immutable snapshot of a workflow; runs record the version they use.
type WorkflowVersion struct{ ent.Schema }

// Mixin gives the common columns.
func (WorkflowVersion) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (WorkflowVersion) Fields() []ent.Field {
	return []ent.Field{
		fixed("workflow_id"),
		field.Int("number").Immutable(),
		field.JSON("definition", &workflow.Definition{}).Immutable(),
		field.Enum("severity").GoType(workflow.Severity("")).Immutable(),
		optional("published_by"),
		optional("promotion_id"),
	}
}

// Edges are the parents.
func (WorkflowVersion) Edges() []ent.Edge {
	return []ent.Edge{
		parent("workflow", Workflow.Type, "workflow_id"),
	}
}

// Indexes serve uniqueness and the lists.
func (WorkflowVersion) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workflow_id", "number").Unique(),
		index.Fields("environment_id", "id"),
		index.Fields("workflow_id", "id"),
	}
}
