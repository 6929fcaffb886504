package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// TriggerSchedule triggers a workflow at a time, or again and again by a rule (decisions.md §19). It is due at its next run, so
// that it survives any process.
type TriggerSchedule struct{ ent.Schema }

// Mixin gives the common columns.
func (TriggerSchedule) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (TriggerSchedule) Fields() []ent.Field {
	return []ent.Field{
		required("name"),
		fixed("workflow_id"),
		field.JSON("recipients", []workflow.ScheduleRecipient{}).Optional().Comment("null: every subscriber"),
		object("payload"),
		object("overrides"),
		optional("actor_id"),
		optional("tenant_identifier"),
		field.JSON("contexts", []workflow.ScheduleContext{}).Default([]workflow.ScheduleContext{}),
		field.Int("per_second").Optional().Nillable(),
		required("starts_at"),
		required("time_zone"),
		field.Bool("recipients_zone").Default(false).Comment("each recipient's own zone counts; time_zone for those without one"),
		optional("rrule"),
		list("exceptions"),
		field.Bool("enabled").Default(true),
		field.Time("done_until").Default(now).Comment("runs up to this instant are decided; by the environment's clock"),
		field.Time("due_at").Optional().Nillable().Comment("the next run, by the environment's clock; null when disabled or over"),
		moment("last_run_at"),
		field.String("last_status").GoType(workflow.TriggerStatus("")).Optional().Nillable(),
		optional("last_error"),
		optional("last_event_id"),
	}
}

// Indexes serve the lists, and what looks for those that are due.
func (TriggerSchedule) Indexes() []ent.Index {
	return append(listOrders(),
		index.Fields("environment_id", "workflow_id", "id"),
		index.Fields("due_at").Annotations(where("due_at IS NOT NULL")),
	)
}
