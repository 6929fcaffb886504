package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow/calendar"
)

// Subscriber is a person who can be notified. Fan-out writes subscribers, so the table is hot.
type Subscriber struct{ ent.Schema }

// Mixin gives the common columns.
func (Subscriber) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}, softDeleted{}} }

// Fields are the columns.
func (Subscriber) Fields() []ent.Field {
	return []ent.Field{
		fixed("subscriber_id"),
		optional("first_name"),
		optional("last_name"),
		optional("email"),
		optional("phone"),
		optional("avatar"),
		optional("locale"),
		optional("timezone"),
		object("data"),
		field.JSON("schedule", &calendar.Schedule{}).Optional(),
		field.Bool("is_online").Optional().Nillable(),
		moment("last_online_at"),
		field.String("named_by").Optional().Nillable().Annotations(byCodePoint()).
			Comment("the oldest event that named it as recipient or actor and was fanned out"),
		field.Time("tokens_valid_after").Optional().Nillable().Comment("subscriber tokens made before are revoked"),
	}
}

// Indexes serve uniqueness and the lists.
func (Subscriber) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueWhere("NOT deleted", "subscriber_id"),
		index.Fields("environment_id", "subscriber_id").StorageKey("subscriber_named"), // filters find the deleted, too
		index.Fields("environment_id", "email"),
		index.Fields("environment_id", "phone").Annotations(where("phone IS NOT NULL")),
		index.Fields("environment_id", "id").StorageKey("subscriber_deleted").Annotations(where("deleted")),
		index.Fields("last_online_at").Annotations(entsql.IndexAnnotation{Where: "is_online"}),
	)
}
