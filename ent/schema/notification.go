package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// Notification is one event for one subscriber: the position of its run, when it wakes, and its trace.
type Notification struct{ ent.Schema }

// Mixin gives the common columns.
func (Notification) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}, scoped{}} }

// Fields are the columns.
func (Notification) Fields() []ent.Field {
	return []ent.Field{
		fixed("event_id"),
		fixed("transaction_id"),
		fixed("workflow_id"),
		required("workflow_version_id"),
		fixed("subscriber_id"),
		optional("tenant_id"),
		field.Enum("status").GoType(workflow.RunStatus("")).Default(string(workflow.RunPending)),
		field.Int("position").Default(0).Comment("index of the next step"),
		field.JSON("state", map[string]any{}).Optional().Comment("results of earlier steps"),
		field.String("digest_id").Optional().Nillable().Annotations(byCodePoint()).Comment("the window that its event is in"),
		field.JSON("topics", []string{}).Optional().Comment("identifiers of the subscriptions that let it pass"),
		field.JSON("trace", []workflow.TraceEntry{}),
		field.Time("due_at").Optional().Nillable().Comment("when the run continues; null when final"),
		field.Int("failures").Default(0),
		field.Enum("lane").Values("urgent", "normal", "bulk").Default("normal").Immutable().Comment("its event's"),
		moment("finished_at"),
		field.String("held_by").Optional().Nillable().Annotations(byCodePoint()).Comment("the pause that holds it (semantics.md §13)"),
		field.String("replay_of").Optional().Nillable().Annotations(byCodePoint()).Comment("the notification that this one replays"),
	}
}

// Indexes serve uniqueness and the lists. None holds the status: the last outcome of a run changes it, and writes into no
// index as long as it changes no indexed column. Lists of rare statuses go along the generated column rare_status, which
// is null for the others (the migrations rare_filters and due_runs).
func (Notification) Indexes() []ent.Index {
	return []ent.Index{
		// Lists are ordered by id alone: it is the order of creation, and every further index is paid for with each run.
		index.Fields("environment_id", "id"),
		index.Fields("event_id", "subscriber_id").Unique(),
		index.Fields("environment_id", "subscriber_id", "id"),
		index.Fields("environment_id", "transaction_id", "id"), // an event's, too: a transactionId names one
		index.Fields("environment_id", "workflow_id", "id"),
		rareContexts(),
		index.Fields("digest_id", "event_id").Annotations(where("digest_id IS NOT NULL")),
		index.Fields("due_at").Annotations(where("due_at IS NOT NULL")),
		index.Fields("held_by", "due_at").Annotations(where("held_by IS NOT NULL")),
		// Overdue ones are taken up oldest first, the urgent ones before all others.
		index.Fields("due_at").StorageKey("notification_urgent_due_at").
			Annotations(where("due_at IS NOT NULL AND lane = 'urgent'")),
	}
}
