package schema_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

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

// viewers tries each border with the one who gets nearest to it: that of the organization with its owner, that of an
// environment with a key of that environment.
func viewers(scope viewer.Scope) map[string]viewer.Viewer {
	return map[string]viewer.Viewer{
		"AnotherOrganization": {Scope: scope, Role: viewer.RoleOwner},
		"SameOrganization":    {Scope: scope, Role: viewer.RoleKey, Grants: viewer.FullGrants, APIKeyID: "key"},
	}
}

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
			if where == "SameOrganization" && !ofEnvironment(n.table) || n.name == "LogInTry" { // nobody's: see TestLogInTriesAreCarillonsOwn
				continue
			}
			t.Run(n.name+where, func(t *testing.T) { // in turn: each locks what the others touch
				own, foreign := mine.IDs[n.table], theirs.IDs[n.table]
				for name, try := range map[string]func(t *testing.T, c crossing){
					"Queries": queries, "Updates": updates, "Deletes": deletes, "Creates": creates, "NoViewer": noViewer,
				} {
					t.Run(name, func(t *testing.T) { // and rolls back what it did
						err := db.Tx(viewer.SystemContext(t.Context()), func(ctx context.Context, tx *postgres.Tx) error {
							try(t, crossing{n, tx, viewer.NewContext(ctx, viewers(mine.Scope)[where]), ctx, own, foreign})
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
		if field := record.Elem().FieldByName(owner.field); field.IsValid() && field.Kind() == reflect.String {
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

// creates tries to make a record for another owner.
func creates(t *testing.T, c crossing) {
	t.Helper()
	row, err := call(c.on(), "Get", c.system, c.foreign)
	require.NoError(t, err)
	c.untouched(t, func() {
		builder, _ := call(c.on(), "Create")
		c.copyInto(t, builder, row)
		_, err := call(builder, "Save", c.ctx)
		require.Error(t, err)
	})
}

// copyInto sets all the values of a record, its owner among them.
func (c crossing) copyInto(t *testing.T, builder, row reflect.Value) {
	t.Helper()
	value, _ := call(builder, "Mutation")
	mutation, ok := value.Interface().(entgo.Mutation)
	require.True(t, ok)
	for i := range row.Elem().NumField() {
		field := row.Elem().Type().Field(i)
		column, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.IsExported() || column == "id" || column == "edges" {
			continue
		}
		value := row.Elem().Field(i)
		if column == "-" { // a sensitive field hides its name
			column = sensitive[field.Name]
		}
		// A pointer is the field's own type, or that of a nullable column. What the mutation does not know is a default.
		if mutation.SetField(column, value.Interface()) != nil && value.Kind() == reflect.Pointer && !value.IsNil() {
			_ = mutation.SetField(column, value.Elem().Interface())
		}
	}
}

var sensitive = map[string]string{"Hash": "hash", "InboxSecret": "inbox_secret", "Credentials": "credentials", "Auth": "auth", "PasswordHash": "password_hash", "PasswordReset": "password_reset", "SecondFactor": "second_factor", "URL": "url"}

// global are the natural keys that hold over all organizations: random, such as ids of records, or of Carillon's own making.
var global = []string{"api_keys.hash", "organization_keys.hash", "sessions.hash", "invitations.hash", "users.email", "log_in_tries.key", "alert_incidents.rule_id", "images.key"}

// TestNaturalKeysLieWithinOneOwner reads the unique keys of every table: an upsert by a key without an owner in it, or a
// record of one, would meet a row of another organization.
func TestNaturalKeysLieWithinOneOwner(t *testing.T) {
	t.Parallel()
	owner := map[string]bool{}
	for _, table := range migrate.Tables {
		owner[strings.TrimSuffix(table.Name, "s")+"_id"] = table.Name != "users" // a person belongs to several organizations
	}
	var without []string
	for _, table := range migrate.Tables {
		itself := strings.TrimSuffix(table.Name, "s") + "_id" // a subscriber's own subscriber_id is its name
		owned := func(column string) bool { return owner[column] && column != itself }
		for _, column := range table.Columns {
			if column.Unique && !owned(column.Name) {
				without = append(without, table.Name+"."+column.Name)
			}
		}
		for _, index := range table.Indexes {
			var columns []string
			for _, column := range index.Columns {
				columns = append(columns, column.Name)
			}
			if index.Unique && !slices.ContainsFunc(columns, owned) {
				without = append(without, table.Name+"."+strings.Join(columns, ","))
			}
		}
	}
	require.ElementsMatch(t, global, without)
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

// TestKeyOfAnEnvironment reads every type that belongs to an organization with the key of one of its environments: it finds
// its environment, and else nothing.
func TestKeyOfAnEnvironment(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mine := pgtest.Fill(t, db, "")
	pgtest.Fill(t, db, mine.Scope.OrganizationID)
	ctx := viewer.NewContext(t.Context(), viewers(mine.Scope)["SameOrganization"])
	for _, n := range nouns(t) {
		if ofEnvironment(n.table) || n.name == "LogInTry" { // see TestLogInTriesAreCarillonsOwn
			continue
		}
		query, _ := call(n.client(db.Ent), "Query")
		rows, err := call(query, "All", ctx)
		require.NoError(t, err)
		if n.name == "Environment" {
			require.Equal(t, 1, rows.Len())
			require.Equal(t, mine.Scope.EnvironmentID, idOf(rows.Index(0)))
			continue
		}
		require.Zero(t, rows.Len(), n.name)
	}

	audit := func(typ, id string) *ent.AuditEntry {
		return db.Ent.AuditEntry.Create().SetActorType("user").SetActorID("u").SetAction("update").SetRecordType(typ).SetRecordID(id).SaveX(ctx)
	}
	shown := []string{mine.IDs["audit_entries"], audit("Topic", "t").ID, audit("Environment", mine.Scope.EnvironmentID).ID}
	for _, typ := range []string{"Environment", "Member", "Organization", "OrganizationKey", "Session", "User"} {
		audit(typ, "another")
	}
	require.ElementsMatch(t, shown, db.Ent.AuditEntry.Query().IDsX(ctx), "of the audit log, what was done to the environment")
}

// TestLogInTriesAreCarillonsOwn: what is counted before there is a viewer exists for none.
func TestLogInTriesAreCarillonsOwn(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mine := pgtest.Fill(t, db, "")
	for _, v := range viewers(mine.Scope) {
		ctx := viewer.NewContext(t.Context(), v)
		_, err := db.Ent.LogInTry.Query().All(ctx)
		require.Error(t, err)
		require.Error(t, db.Ent.LogInTry.Update().SetFailures(0).Exec(ctx))
		_, err = db.Ent.LogInTry.Delete().Exec(ctx)
		require.Error(t, err)
	}
}
