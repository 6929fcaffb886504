package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// Integration is a provider with credentials, ready to deliver on its channel.
type Integration struct{ ent.Schema }

// Mixin gives the common columns.
func (Integration) Mixin() []ent.Mixin {
	return []ent.Mixin{record{}, environmentOwned{}, softDeleted{}}
}

// Fields are the columns.
func (Integration) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		required("name"),
		fixed("provider_id"),
		field.Enum("channel").GoType(workflow.Channel("")).Immutable(),
		field.Bytes("credentials").Optional().Sensitive().Comment("encrypted JSON object"),
		field.Bytes("configurations").Optional().Sensitive().Comment("encrypted JSON object"),
		field.Bool("active").Default(true),
		field.Bool("primary").Default(false),
		field.JSON("conditions", []condition.StepFilter{}).Optional(),
		field.Enum("breaker").GoType(workflow.BreakerState("")).Default(string(workflow.BreakerClosed)),
		field.Text("breaker_cause").Optional().Nillable().Comment("the failure that opened it, clean of secrets"),
		field.Int("breaker_failures").Default(0).Comment("in a row, the integration's own"),
		moment("breaker_opened_at"),
		field.Time("breaker_probe_at").Optional().Nillable().Comment("from when on one call may probe whether it is well again, by the environment's clock"),
		field.Float("rate_limit").Optional().Nillable().Comment("calls per second as configured; null: no limit"),
		field.Float("learned_rate").Optional().Nillable().Comment("calls per second that the provider was seen to take; null: nothing learned"),
		field.Time("paced_until").Optional().Nillable().Comment("until when calls are already given out, by the environment's clock"),
		field.JSON("simulation", &workflow.Simulation{}).Optional().Comment("answers in the provider's stead; never in production"),
	}
}

// Indexes serve uniqueness and the lists.
func (Integration) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueWhere("NOT deleted", "identifier"),
		index.Fields("environment_id", "channel").Unique().
			Annotations(entsql.IndexAnnotation{Where: "\"primary\" AND NOT deleted"}),
	)
}
