package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Environment is the inner bound of tenancy: everything else belongs to one. Development and production are environments.
type Environment struct{ ent.Schema }

// Mixin gives the common columns.
func (Environment) Mixin() []ent.Mixin { return []ent.Mixin{record{}, organizationEnvironments{}} }

// Fields are the columns.
func (Environment) Fields() []ent.Field {
	return []ent.Field{
		required("name"),
		fixed("identifier"),
		field.Enum("type").Values("development", "production").Default("development"),
		field.Bool("suspended").Default(false),
		field.String("default_locale").Default("en"),
		field.Bytes("inbox_secret").Optional().Sensitive().Comment("encrypted; signs subscriberHash (push-chat.md, svc)"),
		field.Time("clock_at").Optional().Nillable().Comment("time of the paused virtual clock; null while it runs with the real one"),
		field.String("configuration_version").Immutable().Default("").Comment("names the transaction that changed last what runs read of the configuration, or how workflows and keys are; written by triggers (architecture.md §3)"),
		field.Bool("inbox_seen").Default(false).Comment("whether any inbox session was ever opened (decisions.md §11)"),
	}
}

// Indexes serve uniqueness and the lists.
func (Environment) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("organization_id", "identifier").Unique(),
		index.Fields("organization_id", "id"),
	}
}
