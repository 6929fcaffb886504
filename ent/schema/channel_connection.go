package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// ChannelConnection is a workspace that an integration may post to, such as a Slack team.
type ChannelConnection struct{ ent.Schema }

// Mixin gives the common columns.
func (ChannelConnection) Mixin() []ent.Mixin {
	return []ent.Mixin{record{}, environmentOwned{}, scoped{}}
}

// Fields are the columns.
func (ChannelConnection) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		fixed("integration_id"),
		optional("subscriber_id"),
		blank("workspace_id"),
		blank("workspace_name"),
		field.Bytes("access_token").Optional().Sensitive().Comment("encrypted"),
	}
}

// Edges are the parents.
func (ChannelConnection) Edges() []ent.Edge {
	return []ent.Edge{
		parent("integration", Integration.Type, "integration_id"),
	}
}

// Indexes serve uniqueness and the lists.
func (ChannelConnection) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueInEnvironment("identifier"),
		index.Fields("environment_id", "integration_id", "id"),
		index.Fields("environment_id", "subscriber_id", "id"),
	)
}
