package schema_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	entgo "entgo.io/ent"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// noun is one ent type, reached through reflection so that a new type is covered the day it is made.
type noun struct {
	name   string
	table  string
	client func(*ent.Client) reflect.Value
}

// nouns lists every type that the client knows.
func nouns(t *testing.T) (all []noun) {
	t.Helper()
	tables := map[string]string{}
	for _, table := range migrate.Tables {
		singular := strings.ReplaceAll(table.Name, "_", "")
		if stem, ok := strings.CutSuffix(singular, "ies"); ok {
			singular = stem + "y"
		} else {
			singular = strings.TrimSuffix(singular, "s")
		}
		tables[singular] = table.Name
	}
	client := reflect.TypeFor[ent.Client]()
	for i := range client.NumField() {
		field := client.Field(i)
		if !field.IsExported() || !strings.HasSuffix(field.Type.String(), "Client") {
			continue
		}
		table := tables[strings.ToLower(field.Name)]
		require.NotEmpty(t, table, "the table of %s", field.Name)
		all = append(all, noun{field.Name, table, func(c *ent.Client) reflect.Value { return reflect.ValueOf(c).Elem().Field(i) }})
	}
	require.Len(t, all, len(migrate.Tables))
	return all
}

// call invokes a method; the error, when it has one, is its last result.
func call(v reflect.Value, method string, args ...any) (reflect.Value, error) {
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		in[i] = reflect.ValueOf(arg)
	}
	out := v.MethodByName(method).Call(in)
	last := out[len(out)-1]
	if last.Type() != reflect.TypeFor[error]() {
		return out[0], nil
	}
	err, _ := last.Interface().(error)
	return out[0], err
}

// rowOf is everything a table holds of one record, as text.
func rowOf(ctx context.Context, t *testing.T, tx *postgres.Tx, table, id string) string {
	t.Helper()
	var text string
	err := tx.Pgx.QueryRow(ctx, "SELECT coalesce((SELECT to_jsonb(r)::text FROM "+table+" r WHERE id = $1), 'gone')", id).Scan(&text)
	require.NoError(t, err)
	return text
}

func idOf(row reflect.Value) string { return row.Elem().FieldByName("ID").String() }

// TestTenancy tries to cross from one environment into another by every operation of every type: into one of another
// organization, and into another one of the same organization where the type belongs to an environment.
func TestTenancy(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mine := pgtest.Fill(t, db, "")
	others := map[string]pgtest.Rows{
		"AnotherOrganization": pgtest.Fill(t, db, ""),
		"SameOrganization":    pgtest.Fill(t, db, mine.Scope.OrganizationID),
	}
	for _, n := range nouns(t) {
		for where, theirs := range others {
			if where == "SameOrganization" && !ofEnvironment(n.table) {
				continue
			}
			t.Run(n.name+where, func(t *testing.T) { // in turn: each locks what the others touch
				own, foreign := mine.IDs[n.table], theirs.IDs[n.table]
				for name, try := range map[string]func(t *testing.T, c crossing){
					"Queries": queries, "Updates": updates, "Deletes": deletes, "Creates": creates, "NoViewer": noViewer,
				} {
					t.Run(name, func(t *testing.T) { // and rolls back what it did
						err := db.InTx(viewer.SystemContext(t.Context()), func(ctx context.Context, tx *postgres.Tx) error {
							try(t, crossing{n, tx, viewer.NewContext(ctx, viewer.Viewer{Scope: mine.Scope, Role: viewer.RoleOwner}), ctx, own, foreign, mine})
							return context.Canceled
						})
						require.ErrorIs(t, err, context.Canceled)
					})
				}
			})
		}
	}
}

func ofEnvironment(table string) bool {
	for _, t := range migrate.Tables {
		if t.Name == table {
			return t.HasColumn("environment_id")
		}
	}
	return false
}

// crossing is one type, one viewer, and a record of somebody else.
type crossing struct {
	noun
	tx           *postgres.Tx
	ctx          context.Context // the viewer's
	system       context.Context // Carillon's own
	own, foreign string
	mine         pgtest.Rows
}

func (c crossing) on() reflect.Value { return c.client(c.tx.Ent) }

// untouched runs fn and asserts that the foreign record is afterwards what it was before.
func (c crossing) untouched(t *testing.T, fn func()) {
	t.Helper()
	before := rowOf(c.system, t, c.tx, c.table, c.foreign)
	require.NotEqual(t, "gone", before)
	fn()
	require.Equal(t, before, rowOf(c.system, t, c.tx, c.table, c.foreign))
}

func queries(t *testing.T, c crossing) {
	t.Helper()
	query, _ := call(c.on(), "Query")
	rows, err := call(query, "All", c.ctx)
	require.NoError(t, err)
	ids := make([]string, rows.Len())
	for i := range ids {
		ids[i] = idOf(rows.Index(i))
	}
	require.Contains(t, ids, c.own, "else the test proves nothing")
	require.NotContains(t, ids, c.foreign)
	count, err := call(query, "Count", c.ctx)
	require.NoError(t, err)
	require.EqualValues(t, len(ids), count.Int())
	_, err = call(c.on(), "Get", c.ctx, c.foreign)
	require.True(t, ent.IsNotFound(err), "%v", err)
	_, err = call(c.on(), "Get", c.ctx, c.own)
	require.NoError(t, err)

	// From a foreign record that somebody got hold of, no edge leads to another one.
	row, err := call(c.on(), "Get", c.system, c.foreign)
	require.NoError(t, err)
	for i := range c.on().NumMethod() {
		name := c.on().Type().Method(i).Name
		if !strings.HasPrefix(name, "Query") || name == "Query" {
			continue
		}
		edge, _ := call(c.on(), name, row.Interface())
		found, err := call(edge, "All", c.ctx)
		require.NoError(t, err)
		for j := range found.Len() {
			c.requireMine(t, found.Index(j))
		}
	}
}

// requireMine asserts that a record lies within the viewer's environment or, when it belongs to none, organization.
func (c crossing) requireMine(t *testing.T, record reflect.Value) {
	t.Helper()
	v, _ := viewer.FromContext(c.ctx)
	for _, owner := range []struct{ field, want string }{{"EnvironmentID", v.EnvironmentID}, {"OrganizationID", v.OrganizationID}} {
		if field := record.Elem().FieldByName(owner.field); field.IsValid() {
			require.Equal(t, owner.want, field.String(), record.Type())
			return
		}
	}
	if record.Type() == reflect.TypeFor[*ent.Organization]() {
		require.Equal(t, v.OrganizationID, idOf(record))
	}
}

func updates(t *testing.T, c crossing) {
	t.Helper()
	c.untouched(t, func() {
		bulk, _ := call(c.on(), "Update")
		_, err := call(bulk, "Save", c.ctx)
		if c.name == "User" { // people change through Carillon itself only
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		one, _ := call(c.on(), "UpdateOneID", c.foreign)
		_, err = call(one, "Save", c.ctx)
		require.True(t, ent.IsNotFound(err), "%v", err)
		row, err := call(c.on(), "Get", c.system, c.foreign)
		require.NoError(t, err)
		one, _ = call(row, "Update")
		_, err = call(one, "Save", c.ctx)
		require.True(t, ent.IsNotFound(err), "%v", err)
	})
}

func deletes(t *testing.T, c crossing) {
	t.Helper()
	c.untouched(t, func() {
		one, _ := call(c.on(), "DeleteOneID", c.foreign)
		_, err := call(one, "Exec", c.ctx)
		require.Error(t, err)
		bulk, _ := call(c.on(), "Delete")
		_, err = call(bulk, "Exec", c.ctx)
		require.Equal(t, c.name == "User", err != nil, "%v", err)
	})
}

// creates tries to make records for somebody else, and to overwrite theirs by an upsert of the same natural key under
// the viewer's own parents.
func creates(t *testing.T, c crossing) {
	t.Helper()
	row, err := call(c.on(), "Get", c.system, c.foreign)
	require.NoError(t, err)
	c.untouched(t, func() {
		_, _, err := c.copyOf(t, row, true)
		require.Error(t, err)
	})
	if c.name == "User" || c.name == "Organization" {
		return // nobody but Carillon itself makes these
	}
	for _, key := range naturalKeys(c.table) {
		if global[c.table+"."+strings.Join(key, ",")] {
			continue
		}
		builder, mutation, err := c.copyOf(t, row, false)
		require.NoError(t, err)
		require.NoError(t, mutation.SetField("updated_at", time.Now().Add(time.Hour)))
		for table, mine := range c.mine.IDs {
			_ = mutation.SetField(strings.TrimSuffix(table, "s")+"_id", mine) // a parent, where there is one
		}
		c.untouched(t, func() {
			upsert := builder.MethodByName("OnConflictColumns").CallSlice([]reflect.Value{reflect.ValueOf(key)})[0]
			upsert, _ = call(upsert, "UpdateNewValues")
			_, err := call(upsert, "Exec", c.ctx)
			require.NoError(t, err, key)
		})
	}
}

// global are the natural keys that hold over all organizations: random, or of Carillon's own making. No use case upserts
// by them.
var global = map[string]bool{"api_keys.hash": true, "sessions.hash": true, "users.email": true}

// copyOf is a creation with all the values of a record: for its owner, or for whoever the viewer is.
func (c crossing) copyOf(t *testing.T, row reflect.Value, forOwner bool) (reflect.Value, entgo.Mutation, error) {
	t.Helper()
	builder, _ := call(c.on(), "Create")
	value, _ := call(builder, "Mutation")
	mutation, ok := value.Interface().(entgo.Mutation)
	require.True(t, ok)
	for i := range row.Elem().NumField() {
		field := row.Elem().Type().Field(i)
		column, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		owner := column == "environment_id" || column == "organization_id"
		if !field.IsExported() || column == "id" || column == "edges" || owner && !forOwner {
			continue
		}
		value := row.Elem().Field(i)
		if column == "-" { // a sensitive field hides its name
			column = sensitive[field.Name]
		}
		// A pointer is the field's own type, or stands for a nullable column. What the mutation does not know is a default.
		if mutation.SetField(column, value.Interface()) != nil && value.Kind() == reflect.Pointer && !value.IsNil() {
			_ = mutation.SetField(column, value.Elem().Interface())
		}
	}
	if !forOwner {
		return builder, mutation, nil
	}
	_, err := call(builder, "Save", c.ctx)
	return builder, mutation, err
}

var sensitive = map[string]string{"Hash": "hash", "InboxSecret": "inbox_secret", "Credentials": "credentials", "Auth": "auth", "PasswordHash": "password_hash", "URL": "url"}

// naturalKeys are the unique keys of a table that hold over all its rows.
func naturalKeys(table string) (keys [][]string) {
	for _, t := range migrate.Tables {
		if t.Name != table {
			continue
		}
		for _, c := range t.Columns {
			if c.Unique {
				keys = append(keys, []string{c.Name})
			}
		}
		for _, index := range t.Indexes {
			if !index.Unique || index.Annotation != nil && index.Annotation.Where != "" {
				continue
			}
			var columns []string
			for _, c := range index.Columns {
				columns = append(columns, c.Name)
			}
			keys = append(keys, columns)
		}
	}
	return keys
}

func noViewer(t *testing.T, c crossing) {
	t.Helper()
	none := t.Context()
	c.untouched(t, func() {
		query, _ := call(c.on(), "Query")
		update, _ := call(c.on(), "Update")
		one, _ := call(c.on(), "UpdateOneID", c.foreign)
		remove, _ := call(c.on(), "Delete")
		create, _ := call(c.on(), "Create")
		for _, try := range []struct {
			on     reflect.Value
			method string
		}{{query, "All"}, {query, "Count"}, {query, "Exist"}, {update, "Save"}, {one, "Save"}, {remove, "Exec"}, {create, "Save"}} {
			_, err := call(try.on, try.method, none)
			require.ErrorContains(t, err, "without a viewer", "%s %s", c.name, try.method)
		}
	})
}
