package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/carillon/carillon/internal/workflow"
)

// Suppression is an address that nothing is sent to any more, because its provider reported that it must not.
type Suppression struct{ ent.Schema }

// Mixin gives the common columns.
func (Suppression) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Suppression) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("channel").GoType(workflow.Channel("")).Immutable(),
		fixed("address"),
		field.Enum("reason").GoType(workflow.SuppressionReason("")),
		optional("integration_id"),
		optional("message_id"),
		field.Text("detail").Default(""),
	}
}

// Indexes serve uniqueness and the lists.
func (Suppression) Indexes() []ent.Index {
	return append(listOrders(), uniqueInEnvironment("channel", "address"))
}
