package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
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
		field.JSON("conditions", []workflow.StepFilter{}).Optional(),
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
