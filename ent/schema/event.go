package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// Event is one accepted trigger. Until it is fanned out it has a due time, so that nothing accepted is ever forgotten.
type Event struct{ ent.Schema }

// Mixin gives the common columns.
func (Event) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}, scoped{}} }

// Fields are the columns.
func (Event) Fields() []ent.Field {
	return []ent.Field{
		fixed("transaction_id"),
		fixed("workflow_id"),
		fixed("workflow_version_id"),
		field.Enum("kind").Values("trigger", "broadcast").Immutable(),
		field.JSON("payload", map[string]any{}).Immutable(),
		field.JSON("overrides", map[string]any{}).Optional().Immutable(),
		field.JSON("recipients", map[string]any{}).Optional().Immutable().Comment("as parsed from the request's to"),
		field.JSON("actor", map[string]any{}).Optional().Immutable().Comment("as given"),
		field.Bool("profiles_stored").Default(false).Immutable().Comment("the profiles of recipients and actor were stored with it, and are not set by its fan-out"),
		optional("tenant_id"),
		field.Enum("lane").Values("urgent", "normal", "bulk").Default("normal").Immutable(),
		field.Enum("status").Values("accepted", "fanned_out", "cancelled", "parked").Default("accepted"),
		field.JSON("checkpoint", map[string]any{}).Optional().Comment("where a streamed fan-out continues"),
		field.Int("notified").Default(0).Comment("notifications made so far"),
		field.Int("per_second").Optional().Nillable().Comment("notifications that a streamed fan-out makes per second; null: as many as it can"),
		field.JSON("trace", []workflow.TraceEntry{}).Optional(),
		field.Time("due_at").Optional().Nillable().Comment("when the event is due for work; null when final"),
		field.Int("failures").Default(0),
		field.Time("retry_at").Optional().Nillable().Comment("when a fan-out that failed is tried again, by the environment's clock"),
		field.String("held_by").Optional().Nillable().Annotations(byCodePoint()).Comment("the pause that holds it; due_at is a thousand years ahead meanwhile (semantics.md §13)"),
		optional("request_id"),
		optional("trace_parent"),
	}
}

// Indexes serve uniqueness and the lists.
func (Event) Indexes() []ent.Index {
	return []ent.Index{
		// Lists are ordered by id alone: it is the order of creation, and every further index is paid for with each run.
		index.Fields("environment_id", "id"),
		index.Fields("environment_id", "transaction_id"),
		index.Fields("environment_id", "workflow_id", "id"),
		// What few events are.
		index.Fields("environment_id", "status", "id").Annotations(where("status <> 'fanned_out'")),
		index.Fields("environment_id", "id").StorageKey("event_broadcasts").Annotations(where("kind = 'broadcast'")),
		rareContexts(),
		// Overdue ones are taken up lane by lane, the urgent ones first.
		index.Fields("lane", "due_at").Annotations(where("due_at IS NOT NULL")),
		index.Fields("held_by", "due_at").Annotations(where("held_by IS NOT NULL")),
	}
}
