package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Audience is a saved filter over subscribers, which triggers name as a recipient (semantics.md §14).
type Audience struct{ ent.Schema }

// Mixin gives the common columns.
func (Audience) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Audience) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		optional("name"),
		optional("topic_key"),
		field.JSON("rule", map[string]any{}).Optional().Comment("JSON Logic over the subscriber; null: all of the topic"),
	}
}

// Indexes serve uniqueness and the lists.
func (Audience) Indexes() []ent.Index {
	return append(listOrders(), uniqueInEnvironment("identifier"))
}
