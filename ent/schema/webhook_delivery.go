package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// WebhookDelivery is one event on its way to one endpoint. Triggers of the database write it in the transaction of what it reports
// (webhook_report).
type WebhookDelivery struct{ ent.Schema }

// Mixin gives the common columns.
func (WebhookDelivery) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (WebhookDelivery) Fields() []ent.Field {
	return []ent.Field{
		fixed("endpoint_id"),
		field.Enum("event_type").GoType(workflow.WebhookEventType("")).Immutable(),
		field.String("subscriber_id").Optional().Nillable().Immutable().Annotations(byCodePoint()).Comment("whom it is about; internal id"),
		field.JSON("payload", map[string]any{}).Immutable(),
		field.Enum("status").GoType(workflow.WebhookDeliveryStatus("")).Default(string(workflow.WebhookPending)),
		field.Int("attempts").Default(0),
		field.Int("tries").Default(0).Comment("attempts since it was recorded or replayed last; the schedule follows it"),
		field.JSON("attempt_log", []workflow.WebhookAttempt{}).Default([]workflow.WebhookAttempt{}).Comment("the latest attempts"),
		field.Time("due_at").Optional().Nillable().Comment("when the next attempt is due; null when final"),
		field.Time("leased_until").Optional().Nillable().Comment("real time until which one worker has the attempt to itself"),
		moment("finished_at"),
	}
}

// Indexes serve the lists, the claim, and the order of an ordered endpoint's deliveries.
func (WebhookDelivery) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		index.Fields("environment_id", "endpoint_id", "id"),
		index.Fields("environment_id", "event_type", "id"),
		index.Fields("environment_id", "status", "id").Annotations(where("status <> 'delivered'")),
		index.Fields("environment_id", "subscriber_id").Annotations(where("subscriber_id IS NOT NULL")),
		index.Fields("due_at").Annotations(where("due_at IS NOT NULL")),
		index.Fields("endpoint_id", "due_at").Annotations(where("due_at IS NOT NULL")),
		index.Fields("endpoint_id", "subscriber_id", "id").Annotations(where("status = 'pending'")),
		index.Fields("endpoint_id", "leased_until").Annotations(where("leased_until IS NOT NULL")),
	}
}
