// Package schema is the data model: one file per noun (architecture.md §2). Everything else in ent/ is generated.
package schema

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"

	"github.com/carillon/carillon/ent/intercept"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
)

// byCodePoint makes a text column compare by code point whatever the database's locale: identifiers ascend in creation
// order, names sort as documented (decisions.md §11).
func byCodePoint() entsql.Annotation { return entsql.Annotation{Collation: "C"} }

// now is cut to microseconds, which is what Postgres keeps, so that a cursor made from a fresh record finds it again.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// record is what every noun has: an identifier whose order is creation order, and two timestamps.
type record struct{ mixin.Schema }

func (record) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").Immutable().DefaultFunc(func() string { return id.New(time.Now()) }).
			Annotations(byCodePoint()),
		field.Time("created_at").Immutable().Default(now),
		field.Time("updated_at").Default(now).UpdateDefault(now),
	}
}

// tenancyField is the column that binds a type to its owner. Its value comes from the viewer, never from input.
type tenancyField struct {
	column string
	of     func(viewer.Scope) string
	// within is the column that names the environment of an organization's row. It narrows viewers whose credential opens
	// one environment only; "": such a row does not exist for them.
	within string
}

var (
	ofEnvironment  = tenancyField{"environment_id", func(s viewer.Scope) string { return s.EnvironmentID }, "environment_id"}
	ofOrganization = tenancyField{"organization_id", func(s viewer.Scope) string { return s.OrganizationID }, ""}
	ofItself       = tenancyField{"id", func(s viewer.Scope) string { return s.OrganizationID }, ""}
)

// reaching is the tenancy of a type of which an environment's key sees those rows whose column names its environment.
func (t tenancyField) reaching(within string) tenancyField {
	t.within = within
	return t
}

// predicates narrow to the viewer's own rows.
func (t tenancyField) predicates(v viewer.Viewer) []func(*sql.Selector) {
	own := []func(*sql.Selector){sql.FieldEQ(t.column, t.of(v.Scope))}
	switch {
	case !v.InEnvironment() || t.within == t.column:
	case t.within == "":
		own = append(own, nowhere)
	default:
		own = append(own, sql.FieldEQ(t.within, v.EnvironmentID))
	}
	return own
}

// nowhere holds for no row.
func nowhere(s *sql.Selector) { s.Where(sql.False()) }

// environmentOwned binds a type to one environment, with a foreign key.
type environmentOwned struct{ mixin.Schema }

func (environmentOwned) Fields() []ent.Field { return []ent.Field{ownerColumn("environment_id")} }
func (environmentOwned) Edges() []ent.Edge {
	return []ent.Edge{edge.To("environment", Environment.Type).Field("environment_id").
		Unique().Required().Immutable().Annotations(entsql.OnDelete(entsql.Cascade))}
}
func (environmentOwned) Interceptors() []ent.Interceptor { return ofEnvironment.interceptors() }
func (environmentOwned) Hooks() []ent.Hook               { return ofEnvironment.hooks() }

// environmentRow binds a hot type to one environment. Hot tables carry no foreign keys: they would cost more than
// everything else about the insert (architecture.md §2). doctor and a test look for dangling rows instead.
type environmentRow struct{ mixin.Schema }

func (environmentRow) Fields() []ent.Field             { return []ent.Field{ownerColumn("environment_id")} }
func (environmentRow) Interceptors() []ent.Interceptor { return ofEnvironment.interceptors() }
func (environmentRow) Hooks() []ent.Hook               { return ofEnvironment.hooks() }

// organizationOwned binds a type to one organization, with a foreign key. For an environment's keys such a type has no rows.
type organizationOwned struct{ mixin.Schema }

func (organizationOwned) Fields() []ent.Field { return []ent.Field{ownerColumn("organization_id")} }
func (organizationOwned) Edges() []ent.Edge {
	return []ent.Edge{edge.To("organization", Organization.Type).Field("organization_id").
		Unique().Required().Immutable().Annotations(entsql.OnDelete(entsql.Cascade))}
}
func (organizationOwned) Interceptors() []ent.Interceptor { return ofOrganization.interceptors() }
func (organizationOwned) Hooks() []ent.Hook               { return ofOrganization.hooks() }

// organizationEnvironments is organizationOwned for environments themselves: for its keys an environment is the only one.
type organizationEnvironments struct{ organizationOwned }

func (organizationEnvironments) Interceptors() []ent.Interceptor {
	return ofOrganization.reaching("id").interceptors()
}
func (organizationEnvironments) Hooks() []ent.Hook { return ofOrganization.reaching("id").hooks() }

// organizationRow binds a hot type to one organization, without a foreign key, as environmentRow does: the key would make
// every request of an organization lock the same row. The row names the environment too, whose keys see no other one.
type organizationRow struct{ mixin.Schema }

func (organizationRow) Fields() []ent.Field {
	return []ent.Field{ownerColumn("organization_id"), optional("environment_id")}
}

func (organizationRow) Interceptors() []ent.Interceptor {
	return ofOrganization.reaching("environment_id").interceptors()
}
func (organizationRow) Hooks() []ent.Hook { return ofOrganization.reaching("environment_id").hooks() }

func ownerColumn(name string) ent.Field {
	return field.String(name).Immutable().Annotations(byCodePoint())
}

// interceptors narrow every query of the type to the viewer's own rows. No viewer, no rows: an error, never all.
func (t tenancyField) interceptors() []ent.Interceptor {
	return []ent.Interceptor{intercept.TraverseFunc(func(ctx context.Context, q intercept.Query) error {
		v, ok := viewer.FromContext(ctx)
		if !ok {
			return errNoViewer(q.Type())
		}
		if !v.System() {
			q.WhereP(t.predicates(v)...)
		}
		return nil
	})}
}

// mutation is what every generated mutation offers.
type mutation interface {
	ent.Mutation
	WhereP(...func(*sql.Selector))
}

// hooks set the owner of new rows and narrow updates and deletes to the viewer's own rows.
func (t tenancyField) hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			v, ok := viewer.FromContext(ctx)
			if !ok {
				return nil, errNoViewer(m.Type())
			}
			if v.System() {
				return next.Mutate(ctx, m)
			}
			own := t.of(v.Scope)
			if !m.Op().Is(ent.OpCreate) {
				m.(mutation).WhereP(t.predicates(v)...)
				return next.Mutate(ctx, m)
			}
			if v.InEnvironment() && t.within == "" {
				return nil, fmt.Errorf("create %s: it would lie outside of the environment that the viewer's credential opens", m.Type())
			}
			if given, set := m.Field(t.column); set && given != own && t.column != "id" {
				return nil, fmt.Errorf("create %s: it would belong to another owner than the viewer", m.Type())
			}
			if given, set := m.Field(t.within); v.InEnvironment() && t.within != t.column && (!set || given != v.EnvironmentID) {
				return nil, fmt.Errorf("create %s: it would belong to another environment than the viewer's", m.Type())
			}
			if t.column == "id" {
				return nil, fmt.Errorf("create %s: only Carillon itself may", m.Type())
			}
			if err := m.SetField(t.column, own); err != nil {
				return nil, fmt.Errorf("create %s: %w", m.Type(), err)
			}
			return next.Mutate(ctx, m)
		})
	}}
}

func errNoViewer(typ string) error {
	return fmt.Errorf("%s touched without a viewer in the context: tenancy cannot be enforced", typ)
}

// scoped is the pair of columns that hold a context set: the keys as shown, and their canonical form for equality
// and uniqueness ("" is the context-free set).
type scoped struct{ mixin.Schema }

func (scoped) Fields() []ent.Field {
	return []ent.Field{
		field.Strings("context_keys").Immutable().Default([]string{}),
		field.String("scope").Immutable().Default("").Annotations(byCodePoint()),
	}
}

// softDeleted keeps a row for history; unique keys of such a type hold among living rows only.
type softDeleted struct{ mixin.Schema }

func (softDeleted) Fields() []ent.Field {
	return []ent.Field{
		field.Bool("deleted").Default(false),
		field.Time("deleted_at").Optional().Nillable(),
		field.String("deleted_by").Optional().Nillable(),
	}
}

// uniqueInEnvironment is the natural key of a noun.
func uniqueInEnvironment(columns ...string) ent.Index {
	return index.Fields(append([]string{"environment_id"}, columns...)...).Unique()
}

// uniqueWhere is a natural key among the rows that meet a condition.
func uniqueWhere(condition string, columns ...string) ent.Index {
	return index.Fields(append([]string{"environment_id"}, columns...)...).Unique().
		Annotations(entsql.IndexAnnotation{Where: condition})
}

// listOrders are the indexes that serve a noun's lists in each order it offers.
func listOrders() []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", "id"),
		index.Fields("environment_id", "created_at", "id"),
		index.Fields("environment_id", "updated_at", "id"),
	}
}

// where narrows an index to the rows that meet a condition. The columns of the condition count as indexed: an update that
// changes one of them writes into every index of the table.
func where(condition string) entsql.IndexAnnotation { return entsql.IndexAnnotation{Where: condition} }

// rareContexts serves a noun's list when it is filtered by a context set; most records have none.
func rareContexts() ent.Index {
	return index.Fields("environment_id", "scope", "id").Annotations(where("scope <> ''"))
}

// filteredOrders are the indexes that serve a noun's lists in each order when one column is filtered by equality.
func filteredOrders(column string) []ent.Index {
	return []ent.Index{
		index.Fields("environment_id", column, "id"),
		index.Fields("environment_id", column, "created_at", "id"),
		index.Fields("environment_id", column, "updated_at", "id"),
	}
}

// The text columns, all compared by code point. required may change, fixed may not, blank is "" until set, optional is
// null until set.
func required(name string) ent.Field { return field.String(name).Annotations(byCodePoint()) }
func fixed(name string) ent.Field    { return field.String(name).Immutable().Annotations(byCodePoint()) }
func blank(name string) ent.Field    { return field.String(name).Default("").Annotations(byCodePoint()) }
func optional(name string) ent.Field {
	return field.String(name).Optional().Nillable().Annotations(byCodePoint())
}
func moment(name string) ent.Field { return field.Time(name).Optional().Nillable() }
func object(name string) ent.Field { return field.JSON(name, map[string]any{}).Optional() }
func list(name string) ent.Field   { return field.Strings(name).Default([]string{}) }

// parent is an edge to the record that a column names for good, with a foreign key; the row goes when its parent goes.
func parent(name string, typ any, column string) ent.Edge {
	return edge.To(name, typ).Field(column).Unique().Required().Immutable().Annotations(entsql.OnDelete(entsql.Cascade))
}

// membersOnly narrows users to those of the viewer's organization.
func membersOnly() []ent.Interceptor {
	return []ent.Interceptor{intercept.TraverseFunc(func(ctx context.Context, q intercept.Query) error {
		v, ok := viewer.FromContext(ctx)
		if !ok {
			return errNoViewer(q.Type())
		}
		switch {
		case v.System():
		case v.InEnvironment():
			q.WhereP(nowhere)
		default:
			members := sql.Table("members")
			q.WhereP(func(s *sql.Selector) {
				s.Where(sql.In(s.C("id"), sql.Select(members.C("user_id")).From(members).
					Where(sql.EQ(members.C("organization_id"), v.OrganizationID))))
			})
		}
		return nil
	})}
}

// systemReads leaves reading to Carillon itself.
func systemReads() []ent.Interceptor {
	return []ent.Interceptor{intercept.TraverseFunc(func(ctx context.Context, q intercept.Query) error {
		if v, ok := viewer.FromContext(ctx); !ok || !v.System() {
			return errNoViewer(q.Type())
		}
		return nil
	})}
}

// systemOnly leaves changes to Carillon itself.
func systemOnly() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if v, ok := viewer.FromContext(ctx); !ok || !v.System() {
				return nil, errNoViewer(m.Type())
			}
			return next.Mutate(ctx, m)
		})
	}}
}
