package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// PreferenceChange keeps the history of preferences: one row for every write that changes something.
type PreferenceChange struct{ ent.Schema }

// Mixin gives the common columns.
func (PreferenceChange) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}, scoped{}} }

// Fields are the columns.
func (PreferenceChange) Fields() []ent.Field {
	return []ent.Field{
		fixed("subscriber_id"),
		field.String("workflow_id").Default("").Immutable().Annotations(byCodePoint()).Comment("empty: the global preference"),
		field.Bool("enabled").Optional().Nillable().Immutable(),
		field.JSON("channels", workflow.ChannelPreferences{}).Immutable(),
		fixed("changed_by"),
	}
}

// Indexes serve uniqueness and the lists.
func (PreferenceChange) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		index.Fields("environment_id", "subscriber_id", "id"),
		index.Fields("environment_id", "workflow_id", "id"),
		rareContexts(),
	}
}
