package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// Attempt is one call to a provider: written as intent before the call, finished after it.
type Attempt struct{ ent.Schema }

// Mixin gives the common columns.
func (Attempt) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (Attempt) Fields() []ent.Field {
	return []ent.Field{
		fixed("message_id"),
		field.Int("number").Immutable(),
		fixed("integration_id"),
		fixed("provider_id"),
		field.Enum("outcome").GoType(workflow.AttemptOutcome("")).Default(string(workflow.AttemptIntent)),
		moment("finished_at"),
		field.Int("http_status").Optional().Nillable(),
		optional("code"),
		field.Text("error_text").Optional().Nillable(),
		field.String("class").Optional().Nillable(),
		optional("provider_message_id"),
		field.Bool("duplicate_possible").Default(false).Immutable().Comment("made after an attempt of unknown outcome"),
	}
}

// Indexes serve uniqueness and the lists. An accepted attempt changes none of their columns but the provider's id, where there is
// one: receipts name messages by it. It is indexed here because a message has more indexes, and its outcome writes into none of them.
// Only what failed has a class.
func (Attempt) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("message_id", "number").Unique(),
		index.Fields("environment_id", "id"),
		index.Fields("environment_id", "integration_id", "id"),
		index.Fields("environment_id", "id").StorageKey("attempt_failed").Annotations(where("class IS NOT NULL")),
		index.Fields("environment_id", "provider_message_id").Annotations(where("provider_message_id IS NOT NULL")),
	}
}
