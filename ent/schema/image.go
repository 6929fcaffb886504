package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Image is a picture that e-mails show. Mail clients fetch it by its key, without logging in (decisions.md §21).
type Image struct{ ent.Schema }

// Mixin gives the common columns.
func (Image) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}} }

// Fields are the columns.
func (Image) Fields() []ent.Field {
	return []ent.Field{
		fixed("name"),
		fixed("key"),          // random: the end of the public address
		fixed("content_type"), // as decoded, never as claimed
		field.Int("width").Immutable(),
		field.Int("height").Immutable(),
		field.Int("size").Immutable().Comment("bytes of the content"),
		field.Bytes("digest").Immutable().Comment("SHA-256 of the content: the same bytes are one image"),
		field.Bytes("content").Immutable().Comment("read by the public route only; lists leave it out"),
	}
}

// Indexes serve uniqueness and the lists.
func (Image) Indexes() []ent.Index {
	return append(listOrders(),
		index.Fields("key").Unique(),
		uniqueInEnvironment("digest"),
	)
}
