package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// Preference is a subscriber's wish, global or for one workflow, in one context set.
type Preference struct{ ent.Schema }

// Mixin gives the common columns.
func (Preference) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}, scoped{}} }

// Fields are the columns.
func (Preference) Fields() []ent.Field {
	return []ent.Field{
		fixed("subscriber_id"),
		field.String("workflow_id").Default("").Immutable().Annotations(byCodePoint()).Comment("empty: the global preference"),
		field.Bool("enabled").Optional().Nillable(),
		field.JSON("channels", workflow.ChannelPreferences{}),
	}
}

// Indexes serve uniqueness and the lists.
func (Preference) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		uniqueInEnvironment("subscriber_id", "scope", "workflow_id"),
	}
}
