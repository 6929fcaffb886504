package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// EventCount is a part of what a streamed event has come to: messages sent and failed, steps skipped. Several rows of an event
// add up, so that those who write at the same time do not wait for each other (semantics.md §14).
type EventCount struct{ ent.Schema }

// Mixin gives the common columns.
func (EventCount) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (EventCount) Fields() []ent.Field {
	return []ent.Field{
		fixed("event_id"),
		field.Int("shard").Immutable(),
		field.Int("sent").Default(0),
		field.Int("failed").Default(0),
		field.Int("skipped").Default(0),
	}
}

// Indexes serve uniqueness.
func (EventCount) Indexes() []ent.Index {
	return []ent.Index{index.Fields("event_id", "shard").Unique()}
}
