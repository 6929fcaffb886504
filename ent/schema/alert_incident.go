package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// AlertIncident is one span for which an alert rule was firing.
type AlertIncident struct{ ent.Schema }

// Mixin gives the common columns.
func (AlertIncident) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (AlertIncident) Fields() []ent.Field {
	return []ent.Field{
		fixed("rule_id"),
		field.Time("opened_at").Immutable(),
		field.Float("value").Immutable().Comment("when it was opened"),
		field.Float("threshold").Immutable().Comment("of then"),
		field.Float("peak").Comment("the highest value"),
		field.Int("notices").Default(0).Comment("sent so far; numbers the events of the workflow that tells"),
		field.Time("told_at").Optional().Nillable().Comment("when its opening was told; null: silenced so far"),
		moment("last_told_at"),
		moment("closed_at"),
		optional("subscriber_id"),
		optional("pause_id"),
		field.Enum("ended").GoType(workflow.AlertEnd("")).Optional().Nillable(),
	}
}

// Edges bind it to its rule.
func (AlertIncident) Edges() []ent.Edge {
	return []ent.Edge{parent("rule", AlertRule.Type, "rule_id")}
}

// Indexes serve the lists and retention, and allow one open incident per rule.
func (AlertIncident) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		index.Fields("rule_id", "id"),
		index.Fields("rule_id").StorageKey("alertincident_open").Unique().Annotations(entsql.IndexAnnotation{Where: "closed_at IS NULL"}),
	}
}
