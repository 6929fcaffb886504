package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Reply is a mail that answered one of ours, on its way to the step's replyCallback (semantics.md §2.12).
type Reply struct{ ent.Schema }

// Mixin gives the common columns.
func (Reply) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (Reply) Fields() []ent.Field {
	return []ent.Field{
		fixed("message_id"),
		fixed("mail_id"),
		field.Text("url").Immutable().Sensitive(),
		field.JSON("body", map[string]any{}).Immutable().Comment("what is posted to the URL"),
		field.Enum("status").Values("pending", "delivered", "failed").Default("pending"),
		field.Int("attempts").Default(0),
		field.Text("error_text").Optional().Nillable(),
		field.Time("due_at").Optional().Nillable().Comment("when the next attempt is due; null when final"),
		field.Time("leased_until").Optional().Nillable().Comment("real time until which one worker has the attempt to itself"),
	}
}

// Indexes serve uniqueness and the lists.
func (Reply) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		index.Fields("environment_id", "status", "id").Annotations(where("status <> 'delivered'")),
		uniqueInEnvironment("message_id", "mail_id"),
		index.Fields("due_at").Annotations(entsql.IndexAnnotation{Where: "due_at IS NOT NULL"}),
	}
}
