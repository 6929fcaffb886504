package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// MessageRetry sends failed messages again, batch by batch along their ids, at a pace. It is due until it has come to the
// last message that had failed when it began, so that it survives any process.
type MessageRetry struct{ ent.Schema }

// Mixin gives the common columns.
func (MessageRetry) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (MessageRetry) Fields() []ent.Field {
	return []ent.Field{
		field.JSON("filter", workflow.FailedMessages{}).Immutable(),
		optional("integration_id"),
		field.Int("per_second").Immutable(),
		fixed("up_to"),
		blank("position"),
		field.Enum("status").Values("running", "completed", "cancelled").Default("running"),
		field.Int("retried").Default(0),
		field.Int("refused").Default(0),
		field.Time("due_at").Optional().Nillable().Comment("when the next batch is due; null when final"),
	}
}

// Indexes serve uniqueness and the lists.
func (MessageRetry) Indexes() []ent.Index {
	return append(listOrders(), index.Fields("due_at").Annotations(where("due_at IS NOT NULL")))
}
