package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// WebhookEndpoint is a URL that is called about what happens in its environment.
type WebhookEndpoint struct{ ent.Schema }

// Mixin gives the common columns.
func (WebhookEndpoint) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (WebhookEndpoint) Fields() []ent.Field {
	return []ent.Field{
		field.Text("url"),
		blank("description"),
		field.JSON("event_types", []workflow.WebhookEventType{}).Default([]workflow.WebhookEventType{}).Comment("none: every type"),
		list("workflows"),
		field.JSON("channels", []workflow.Channel{}).Default([]workflow.Channel{}),
		field.Bool("ordered").Default(false).Comment("deliveries about one subscriber follow one another"),
		field.Bool("active").Default(true),
		field.Bytes("secret").Sensitive().Comment("signs deliveries; encrypted"),
		field.Bytes("previous_secret").Optional().Sensitive().Comment("the one before; encrypted"),
		field.Time("previous_secret_until").Optional().Nillable().Comment("real time until which previous_secret signs as well"),
		field.Time("failing_since").Optional().Nillable().Comment("the first failure after the last delivery that succeeded"),
		field.Time("disabled_at").Optional().Nillable().Comment("when Carillon deactivated it after failures"),
		field.Text("disabled_reason").Optional().Nillable(),
	}
}

// Indexes serve the lists, and what asks for the active endpoints of an environment.
func (WebhookEndpoint) Indexes() []ent.Index {
	return append(listOrders(), index.Fields("environment_id").Annotations(where("active")))
}
