package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// User is a person who signs in.
type User struct{ ent.Schema }

// Mixin gives the common columns.
func (User) Mixin() []ent.Mixin { return []ent.Mixin{record{}} }

// Fields are the columns.
func (User) Fields() []ent.Field {
	return []ent.Field{
		field.String("email").Unique().Annotations(byCodePoint()),
		optional("first_name"),
		optional("last_name"),
		optional("external_id"),
		field.String("password_hash").Optional().Sensitive(),
		moment("last_login_at"),
		field.Bytes("second_factor").Optional().Sensitive().Comment("encrypted; the TOTP secret, its last used step, hashes of recovery codes"),
		moment("second_factor_at"),
		field.Bytes("password_reset").Optional().Sensitive().Comment("JSON; hashes of the links that set a new password, and their ends"),
	}
}

// Interceptors let a viewer see the people of its own organization only.
func (User) Interceptors() []ent.Interceptor { return membersOnly() }

// Hooks let viewers change no user: users change through their own log-in or through Carillon itself.
func (User) Hooks() []ent.Hook { return systemOnly() }
