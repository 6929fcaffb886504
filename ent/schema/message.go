package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// Message is one rendered message for one target, with its state in the inbox and on the way to the provider.
type Message struct{ ent.Schema }

// Mixin gives the common columns.
func (Message) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}, scoped{}} }

// Fields are the columns.
func (Message) Fields() []ent.Field {
	return []ent.Field{
		fixed("notification_id"),
		fixed("event_id"),
		fixed("transaction_id"),
		fixed("workflow_id"),
		fixed("workflow_identifier"),
		fixed("step_id"),
		fixed("subscriber_id"),
		field.Enum("channel").GoType(workflow.Channel("")).Immutable(),
		fixed("target"),
		optional("integration_id"),
		optional("provider_id"),
		field.Enum("status").GoType(workflow.MessageStatus("")).Default(string(workflow.MessagePending)),
		field.Bool("read").Default(false),
		field.Bool("seen").Default(false),
		field.Bool("archived").Default(false),
		moment("last_read_at"),
		moment("last_seen_at"),
		moment("archived_at"),
		moment("snoozed_until"),
		field.Time("arrived_at").Default(now).Comment("the latest of delivered_at; inboxes are ordered by it"),
		field.JSON("delivered_at", []string{}).Optional().Comment("instants of delivery, one more after each snooze"),
		field.Text("subject").Optional().Nillable(),
		field.JSON("content", &workflow.MessageContent{}).Optional(),
		field.JSON("cta", &workflow.CTA{}).Optional(),
		field.Text("title").Optional().Nillable(),
		optional("avatar"),
		optional("email"),
		optional("phone"),
		field.Text("direct_webhook_url").Optional().Nillable().Sensitive(),
		field.JSON("device_tokens", []string{}).Optional(),
		optional("feed_id"),
		field.Enum("severity").GoType(workflow.Severity("")).Default(string(workflow.SeverityNone)).Immutable(),
		field.JSON("tags", []string{}).Optional().Immutable(),
		object("data"),
		field.JSON("envelope", map[string]any{}).Optional().Sensitive().Comment("what sending needs beside the content"),
		optional("error_id"),
		field.Text("error_text").Optional().Nillable(),
		optional("provider_message_id"),
		field.Enum("receipt").GoType(workflow.ReceiptKind("")).Optional().Nillable().Comment("the furthest that the provider reported"),
		moment("receipt_at"),
		field.Int("attempts").Default(0),
		field.Time("due_at").Optional().Nillable().Comment("when the next attempt is due; null when final"),
		field.Time("leased_until").Optional().Nillable().Comment("real time until which one worker has the attempt to itself"),
		field.String("lease_id").Optional().Nillable().Annotations(byCodePoint()).
			Comment("the lease (table message_leases) under which the process that stored it sends it: due_at is null until that ends"),
		moment("deadline_at"),
		field.Enum("lane").Values("urgent", "normal", "bulk").Default("normal").Immutable(),
		field.String("held_by").Optional().Nillable().Annotations(byCodePoint()).Comment("the pause that holds it (semantics.md §13)"),
		field.String("resend_of").Optional().Nillable().Annotations(byCodePoint()).Comment("the message that this one sends again"),
		field.Int64("sequence").Default(0).Comment("of the inbox, when last changed"),
	}
}

// Indexes serve uniqueness and the lists. Every message is paid for in each that holds it, so those of what few messages
// are hold no others.
func (Message) Indexes() []ent.Index {
	return append(inboxIndexes(),
		// Lists are ordered by id alone: it is the order of creation.
		index.Fields("environment_id", "id"),
		index.Fields("event_id", "id"),
		index.Fields("integration_id", "id").Annotations(where("integration_id IS NOT NULL")),
		index.Fields("notification_id", "step_id", "target").Unique(),
		index.Fields("environment_id", "subscriber_id", "id"),
		index.Fields("environment_id", "channel", "id"),
		// Statuses are looked up by columns that a first attempt that succeeds does not change, so that it writes into no index. The
		// condition on the channel keeps the search for due messages, which has none, from taking the index of those that wait.
		index.Fields("environment_id", "id").StorageKey("message_waiting").Annotations(where("channel <> 'in_app' AND due_at IS NOT NULL")),
		index.Fields("environment_id", "notification_id").StorageKey("message_waiting_of").Annotations(where("channel <> 'in_app' AND due_at IS NOT NULL")),
		index.Fields("environment_id", "id").StorageKey("message_failed").Annotations(where("error_id IS NOT NULL")),
		index.Fields("environment_id", "id").StorageKey("message_remarked").Annotations(where("error_id IS NULL AND error_text IS NOT NULL")),
		index.Fields("environment_id", "severity", "id").Annotations(where("severity <> 'none'")),
		index.Fields("environment_id", "feed_id", "id").Annotations(where("feed_id IS NOT NULL")),
		rareContexts(),
		index.Fields("environment_id", "id").StorageKey("message_read").Annotations(where("read")),
		index.Fields("environment_id", "id").StorageKey("message_seen").Annotations(where("seen")),
		index.Fields("environment_id", "subscriber_id", "id").StorageKey("message_read_by").Annotations(where("read")),
		index.Fields("environment_id", "subscriber_id", "id").StorageKey("message_seen_by").Annotations(where("seen")),
		index.Fields("environment_id", "id").StorageKey("message_archived").Annotations(where("archived")),
		index.Fields("environment_id", "id").StorageKey("message_snoozed").Annotations(where("snoozed_until IS NOT NULL")),
		index.Fields("due_at").Annotations(where("due_at IS NOT NULL")),
		// Overdue ones are taken up oldest first, the urgent ones before all others.
		index.Fields("due_at").StorageKey("message_urgent_due_at").Annotations(where("due_at IS NOT NULL AND lane = 'urgent'")),
		// What each pause holds, given back oldest first; no index of what no pause has held.
		index.Fields("held_by", "due_at").Annotations(where("held_by IS NOT NULL")),
		index.Fields("snoozed_until").Annotations(where("snoozed_until IS NOT NULL")),
	)
}

// inboxIndexes serve inboxes: the messages that are shown, the archived ones, and of those shown the few that are new, read or seen,
// whichever is rare in an inbox. A new message is unread or unseen; as a rule it is both, so that one index holds it for both, and tells
// them apart without a look at the message. An entry costs more here than in an index by id: each is on another page.
func inboxIndexes() []ent.Index {
	indexes := []ent.Index{
		index.Fields("subscriber_id", "sequence").Annotations(where("channel = 'in_app'")),
		index.Fields("subscriber_id", "feed_id", "arrived_at", "id").Annotations(where("channel = 'in_app' AND feed_id IS NOT NULL")),
		index.Fields("subscriber_id", "severity", "arrived_at", "id").Annotations(where("channel = 'in_app' AND severity <> 'none'")),
		index.Fields("subscriber_id", "arrived_at", "id").StorageKey("message_inbox_snoozed").
			Annotations(where("channel = 'in_app' AND snoozed_until IS NOT NULL")),
		index.Fields("subscriber_id", "arrived_at", "id", "read", "seen").StorageKey("message_inbox_new").
			Annotations(where("channel = 'in_app' AND NOT archived AND (NOT read OR NOT seen)")),
	}
	for _, view := range []struct{ name, condition string }{
		{"shown", "NOT archived"},
		{"archived", "archived"},
		{"read", "NOT archived AND read"},
		{"seen", "NOT archived AND seen"},
	} {
		indexes = append(indexes, index.Fields("subscriber_id", "arrived_at", "id").StorageKey("message_inbox_"+view.name).
			Annotations(where("channel = 'in_app' AND "+view.condition)))
	}
	return indexes
}
