package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// ChannelEndpoint is a documented delivery target of a subscriber (decisions.md §5).
type ChannelEndpoint struct{ ent.Schema }

// Mixin gives the common columns.
func (ChannelEndpoint) Mixin() []ent.Mixin {
	return []ent.Mixin{record{}, environmentOwned{}, scoped{}}
}

// Fields are the columns.
func (ChannelEndpoint) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		fixed("integration_id"),
		optional("connection_id"),
		fixed("subscriber_id"),
		field.Enum("type").GoType(workflow.EndpointType("")).Immutable(),
		field.JSON("endpoint", workflow.EndpointData{}),
		fixed("subscriber_external_id"),
		// Copies of the integration and the connection, so that one index serves each filter in each order. They are
		// null once those are gone (decisions.md §5).
		field.Enum("channel").GoType(workflow.Channel("")).Optional().Nillable(),
		optional("provider_id"),
		optional("integration_identifier"),
		optional("connection_identifier"),
	}
}

// Edges are the parents.
func (ChannelEndpoint) Edges() []ent.Edge {
	return []ent.Edge{
		parent("integration", Integration.Type, "integration_id"),
		parent("subscriber", Subscriber.Type, "subscriber_id"),
		edge.To("connection", ChannelConnection.Type).Field("connection_id").Unique().Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

// Indexes serve uniqueness and the lists.
func (ChannelEndpoint) Indexes() []ent.Index {
	indexes := append(listOrders(),
		uniqueInEnvironment("identifier"),
		index.Fields("environment_id", "subscriber_id", "id"),
		index.Fields("environment_id", "integration_id"),
		index.Fields("environment_id", "connection_id"),
	)
	for _, filter := range []string{"subscriber_external_id", "scope", "channel", "provider_id", "integration_identifier", "connection_identifier"} {
		indexes = append(indexes, filteredOrders(filter)...)
	}
	return indexes
}
