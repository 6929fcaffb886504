package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// LogInTry counts failed log-ins by who they were for and where they came from, for all processes. It has no owner:
// there is no viewer yet.
type LogInTry struct{ ent.Schema }

// Mixin gives the common columns.
func (LogInTry) Mixin() []ent.Mixin { return []ent.Mixin{record{}} }

// Fields are the columns.
func (LogInTry) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("key").Immutable().Unique().Sensitive().Comment("hash of what is counted: an address and a network, or a device"),
		field.Int("failures").Default(1),
		field.Time("tried_at"),
		field.Time("blocked_until"),
	}
}

// Indexes serve the removal of old rows.
func (LogInTry) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tried_at"),
	}
}

// Interceptors let no viewer see the rows.
func (LogInTry) Interceptors() []ent.Interceptor { return systemReads() }

// Hooks let no viewer change the rows.
func (LogInTry) Hooks() []ent.Hook { return systemOnly() }
