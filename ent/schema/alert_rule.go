package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// AlertRule watches one figure of its environment and tells when it reaches a threshold (decisions.md §20). Its state
// is in the same row as its settings, so that a change of state and its notice commit together.
type AlertRule struct{ ent.Schema }

// Mixin gives the common columns.
func (AlertRule) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (AlertRule) Fields() []ent.Field {
	return []ent.Field{
		required("name"),
		field.Enum("condition").GoType(workflow.AlertCondition("")).Immutable(),
		field.String("workflow").Optional().Nillable().Immutable().Annotations(byCodePoint()).Comment("identifier; null: of every workflow"),
		field.String("integration").Optional().Nillable().Immutable().Annotations(byCodePoint()).Comment("identifier; null: every integration"),
		field.Enum("channel").GoType(workflow.Channel("")).Optional().Nillable().Immutable(),
		field.Float("threshold").Comment("in the unit of the condition"),
		field.Float("recover_below").Optional().Nillable().Comment("null: threshold"),
		field.Int("minimum").Default(0).Comment("messages below which a failure rate says nothing"),
		field.Int("window_minutes").Default(0).Comment("0: the condition has no window"),
		field.Int("open_after_minutes").Default(0),
		field.Int("recover_after_minutes").Default(0),
		field.Int("remind_after_minutes").Optional().Nillable(),
		optional("notify_workflow"),
		list("notify_subscribers"),
		list("notify_topics"),
		field.Bool("pause").Default(false).Comment("whether an incident pauses what the rule watches when it opens"),
		field.Bool("enabled").Default(true),
		moment("silenced_until"),
		field.Enum("state").GoType(workflow.AlertState("")).Default(string(workflow.AlertOK)),
		field.Float("value").Optional().Nillable().Comment("when it was evaluated last; null: nothing to judge by"),
		moment("evaluated_at"),
		field.Time("breaching_since").Optional().Nillable().Comment("from when on the threshold has been reached"),
		field.Time("recovering_since").Optional().Nillable().Comment("from when on a firing rule has been below it"),
		optional("incident_id"),
		field.Text("problem").Optional().Nillable().Comment("why the latest notice did not reach its workflow, or the rule cannot be evaluated"),
		field.Time("due_at").Optional().Nillable().Comment("when it is evaluated next, by real time; null: it is disabled"),
	}
}

// Indexes serve the lists and the claim.
func (AlertRule) Indexes() []ent.Index {
	return append(listOrders(), index.Fields("due_at").Annotations(where("due_at IS NOT NULL")))
}
