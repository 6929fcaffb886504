package pgtest

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Rows are the ids of one row in every table, all of one environment and naming each other, for tests that walk all
// types.
type Rows struct {
	Scope viewer.Scope
	IDs   map[string]id.ID // by table
}

// Fill adds a row to every table for a new environment, of a new organization unless organizationID names one. The
// values mean nothing; required columns hold something, optional ones nothing.
func Fill(tb testing.TB, db *postgres.DB, organizationID id.ID) Rows {
	tb.Helper()
	f := filler{tb: tb, db: db, rows: Rows{IDs: map[string]id.ID{}}, done: map[string]bool{}}
	for _, table := range migrate.Tables {
		f.rows.IDs[table.Name] = id.New(time.Now())
	}
	if organizationID != "" {
		f.rows.IDs["organizations"] = organizationID
		f.done["organizations"] = true
	}
	f.rows.Scope = viewer.Scope{OrganizationID: f.rows.IDs["organizations"], EnvironmentID: f.rows.IDs["environments"]}
	for _, table := range migrate.Tables {
		f.fill(table)
	}
	return f.rows
}

type filler struct {
	tb   testing.TB
	db   *postgres.DB
	rows Rows
	done map[string]bool
}

func (f *filler) fill(table *schema.Table) {
	f.tb.Helper()
	if f.done[table.Name] {
		return
	}
	f.done[table.Name] = true
	for _, key := range table.ForeignKeys {
		f.fill(key.RefTable)
	}
	f.insert(table, nil)
}

// insert adds a row; values take the place of what a column would hold.
func (f *filler) insert(table *schema.Table, values Values) {
	f.tb.Helper()
	var names, marks []string
	args := pgx.NamedArgs{}
	for _, column := range table.Columns {
		value, set := values[column.Name]
		if !set {
			if value, set = f.value(table, column); !set {
				continue
			}
		}
		names, marks = append(names, pgx.Identifier{column.Name}.Sanitize()), append(marks, "@"+column.Name)
		args[column.Name] = value
	}
	_, err := f.db.Pool.Exec(f.tb.Context(), "INSERT INTO "+pgx.Identifier{table.Name}.Sanitize()+
		" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(marks, ", ")+")", args)
	require.NoError(f.tb, err, table.Name)
}

// value is what a column of the row holds; set is false when the column is left out.
func (f *filler) value(table *schema.Table, column *schema.Column) (value any, set bool) {
	if column.Name == "id" {
		return f.rows.IDs[table.Name], true
	}
	for _, key := range table.ForeignKeys {
		if key.Columns[0].Name == column.Name {
			return f.rows.IDs[key.RefTable.Name], true
		}
	}
	// A subscriber's own subscriber_id is its name, not a parent.
	if parent, ok := strings.CutSuffix(column.Name, "_id"); ok && parent+"s" != table.Name && f.rows.IDs[parent+"s"] != "" {
		return f.rows.IDs[parent+"s"], true
	}
	if column.Nullable || column.Default != nil {
		return nil, false
	}
	if table.Name == "pauses" && column.Name == "kind" {
		return "channel", true // which is none: it holds nothing
	}
	switch column.Type {
	case field.TypeString:
		if column.Name == "email" {
			return "x" + id.New(time.Now()) + "@example.org", true
		}
		return "x" + id.New(time.Now()), true
	case field.TypeBytes:
		return []byte(id.New(time.Now())), true
	case field.TypeEnum:
		return column.Enums[0], true
	case field.TypeTime:
		return time.Now().UTC().Add(time.Hour).Truncate(time.Microsecond), true
	case field.TypeBool:
		return false, true
	case field.TypeJSON:
		return emptyJSON(table, column), true
	default:
		return 1, true
	}
}

// emptyJSON is an empty array or object, whichever the record's own type reads.
func emptyJSON(table *schema.Table, column *schema.Column) string {
	for noun := range reflect.TypeFor[ent.Client]().Fields() {
		get, ok := noun.Type.MethodByName("Get")
		if !ok || !sameNoun(noun.Name, table.Name) {
			continue
		}
		for member := range get.Type.Out(0).Elem().Fields() {
			if name, _, _ := strings.Cut(member.Tag.Get("json"), ","); name == column.Name && member.Type.Kind() == reflect.Slice {
				return "[]"
			}
		}
	}
	return "{}"
}

// sameNoun reports whether a table holds the records of a type: audit_entries those of AuditEntry.
func sameNoun(typ, table string) bool {
	singular := strings.ReplaceAll(table, "_", "")
	if stem, ok := strings.CutSuffix(singular, "ies"); ok {
		return strings.EqualFold(typ, stem+"y")
	}
	return strings.EqualFold(typ, strings.TrimSuffix(singular, "s"))
}
