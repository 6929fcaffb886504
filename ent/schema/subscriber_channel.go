package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// SubscriberChannel is a subscriber's settings for one integration: webhook URL, device tokens (api.md, ChannelSettings).
type SubscriberChannel struct{ ent.Schema }

// Mixin gives the common columns.
func (SubscriberChannel) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (SubscriberChannel) Fields() []ent.Field {
	return []ent.Field{
		fixed("subscriber_id"),
		fixed("provider_id"),
		field.String("integration_identifier").Default("").Immutable().Annotations(byCodePoint()).
			Comment("empty: the provider's newest active integration"),
		optional("integration_id"),
		field.JSON("credentials", workflow.ChannelCredentials{}),
		field.JSON("registered", workflow.Registered{}).Optional().
			Comment("when each device token was given last: an older report of its death is not about it"),
	}
}

// Indexes serve uniqueness and the lists.
func (SubscriberChannel) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		index.Fields("environment_id", "subscriber_id", "provider_id", "integration_identifier").Unique(),
	}
}
