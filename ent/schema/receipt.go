package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// Receipt is what a provider reported about a message after it had taken it (semantics.md §9.3).
type Receipt struct{ ent.Schema }

// Mixin gives the common columns.
func (Receipt) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (Receipt) Fields() []ent.Field {
	return []ent.Field{
		fixed("integration_id"),
		fixed("provider_event_id"),
		field.Enum("kind").GoType(workflow.ReceiptKind("")).Immutable(),
		field.String("provider_message_id").Default("").Immutable().Annotations(byCodePoint()),
		optional("message_id"),
		field.String("recipient").Default("").Immutable().Annotations(byCodePoint()),
		field.Time("occurred_at").Immutable(),
		field.Bool("permanent").Default(false).Immutable().Comment("a bounce that will not heal"),
		field.Text("detail").Default("").Immutable(),
		field.Bool("copy").Default(false).Comment("it is about a copy of the mail, and says nothing of the message (decisions.md §17)"),
	}
}

// Indexes serve uniqueness and the lists.
func (Receipt) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		uniqueInEnvironment("integration_id", "provider_event_id"),
		index.Fields("environment_id", "message_id", "id"),
		index.Fields("integration_id", "provider_message_id"),
		index.Fields("environment_id", "integration_id", "id"),
		index.Fields("environment_id", "kind", "id"),
	}
}
