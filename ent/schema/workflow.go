package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// Workflow holds the draft and points at the published version that triggers use.
type Workflow struct{ ent.Schema }

// Mixin gives the common columns.
func (Workflow) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}, softDeleted{}} }

// Fields are the columns.
func (Workflow) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		required("name"),
		blank("description"),
		field.Bool("active").Default(true),
		field.Bool("critical").Default(false).Comment("of the published version, for lists and preferences"),
		field.Enum("severity").GoType(workflow.Severity("")).Default(string(workflow.SeverityNone)),
		list("tags"),
		object("data"),
		field.Enum("origin").GoType(workflow.Origin("")).Default(string(workflow.OriginCloud)).Immutable(),
		field.JSON("draft", &workflow.Definition{}),
		field.JSON("issues", []workflow.StepIssue{}).Default([]workflow.StepIssue{}).Comment("of the draft, computed when saved"),
		field.Enum("status").GoType(workflow.Status("")).Default(string(workflow.StatusActive)).Comment("follows from active and issues; a column so that lists can filter by it"),
		optional("published_version_id"),
		field.Int("published_number").Default(0),
		optional("notification_group_id"),
		moment("last_published_at"),
		optional("last_published_by"),
		optional("updated_by"),
		// Never null, so that lists can be ordered by it: unset counts as oldest (decisions.md §11).
		field.Time("last_triggered_at").Default(workflow.NeverTriggered),
	}
}

// Indexes serve uniqueness and the lists.
func (Workflow) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueWhere("NOT deleted", "identifier"),
		index.Fields("environment_id", "name", "id"),
		index.Fields("environment_id", "last_triggered_at", "id"),
		index.Fields("environment_id", "status", "id"),
		index.Fields("environment_id", "status", "created_at", "id"),
	)
}
