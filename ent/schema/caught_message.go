package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// CaughtMessage is a message that a built-in demo provider delivered into the catcher instead of to a vendor.
type CaughtMessage struct{ ent.Schema }

// Mixin gives the common columns.
func (CaughtMessage) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (CaughtMessage) Fields() []ent.Field {
	return []ent.Field{
		fixed("provider_id"),
		field.Enum("channel").GoType(workflow.Channel("")).Immutable(),
		fixed("message_id"),
		fixed("recipient"),
		field.Text("subject").Default("").Immutable(),
		field.Text("body").Default("").Immutable(),
		field.Text("html").Default("").Immutable(),
		field.JSON("details", map[string]any{}).Optional().Immutable(),
	}
}

// Indexes serve uniqueness and the lists.
func (CaughtMessage) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("message_id", "recipient"),
		index.Fields("environment_id", "channel", "id"),
		index.Fields("environment_id", "provider_id", "id"),
		index.Fields("environment_id", "recipient", "id"),
	)
}
