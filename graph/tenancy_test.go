package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// TestTenancy sends every query and mutation of the schema with the identifiers of somebody else's records: of another
// organization, and of another environment of the same one. Nothing of theirs may be answered or changed. Operations are
// read from the schema, so that a new one is covered the day it is made.
func TestTenancy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mine := pgtest.Fill(t, b.db, "")
	key := keyWith(t, b.db, mine.Scope, viewer.FullGrants)
	owner, _ := loggedIn(t, b.db, mine.Scope, member.RoleOwner)
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()

	for where, border := range map[string]struct {
		authorization string
		theirs        pgtest.Rows
	}{
		"AnotherOrganization":    {owner, pgtest.Fill(t, b.db, "")},
		"KeyAnotherOrganization": {key, pgtest.Fill(t, b.db, "")},
		"KeySameOrganization":    {key, pgtest.Fill(t, b.db, mine.Scope.OrganizationID)},
	} {
		w := walk{
			b: b, authorization: border.authorization, schema: schema, sameOrganization: border.theirs.Scope.OrganizationID == mine.Scope.OrganizationID,
			foreign: rowsOf(t, b.db, border.theirs), theirs: border.theirs,
		}
		for _, root := range []*ast.Definition{schema.Query, schema.Mutation} {
			for _, operation := range root.Fields {
				ownLogIn := operation.Name == "logOut" // it would end the walk
				if strings.HasPrefix(operation.Name, "__") || len(operation.Arguments) == 0 || ownLogIn {
					continue
				}
				t.Run(where+"/"+operation.Name, func(t *testing.T) { w.try(t, root, operation) }) // in turn: they compare what others write
			}
		}
	}

	// The same questions about one's own records are answered, else the test would prove nothing.
	own := walk{b: b, schema: schema, foreign: rowsOf(t, b.db, mine), theirs: mine}
	for _, operation := range schema.Query.Fields {
		if arg := operation.Arguments.ForName("id"); arg != nil && own.foreign[own.answer(operation)] != nil {
			_, r := b.askWith(t, owner, own.text(schema.Query, operation, false), nil)
			require.NotEqual(t, "NOT_FOUND", r.code(), operation.Name)
		}
	}
}

// walk is one viewer in front of somebody else's records.
type walk struct {
	b             *bundle
	authorization string
	schema        *ast.Schema
	foreign       map[string]map[string]any // their rows, by type
	theirs        pgtest.Rows
	// sameOrganization: they are another environment of the viewer's own organization.
	sameOrganization bool
}

// try runs one operation with as few arguments as it takes, and with as many identifiers as it has.
func (w walk) try(t *testing.T, root *ast.Definition, operation *ast.FieldDefinition) {
	t.Helper()
	before := w.snapshot(t)
	for _, all := range []bool{false, true} {
		text := w.text(root, operation, all)
		_, r := w.b.askWith(t, w.authorization, text, nil)
		require.NotEqual(t, "INTERNAL", r.code(), "%s\n%s", text, w.b.log)
		require.NotContains(t, []string{"GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"}, r.code(), "%s: %v", text, r.Errors)
		if w.identified(operation) {
			require.Equal(t, "NOT_FOUND", r.code(), "if the walk never came to the record: teach example what this needs\n%s\n%v", text, r.Errors)
		}
		data, err := json.Marshal(r.Data)
		require.NoError(t, err)
		for typ, row := range w.foreign {
			if typ == "Organization" && w.sameOrganization {
				continue // the viewer's own, whose internal id its environment shows
			}
			recordID, _ := row["id"].(string)
			require.NotContains(t, string(data), recordID, "%s\nanswers a %s of somebody else", text, typ)
			require.NotContains(t, string(data), id.Global(typ, recordID), "%s\nanswers a %s of somebody else", text, typ)
		}
	}
	require.Equal(t, before, w.snapshot(t), "%s changed somebody else's records", operation.Name)
}

// answer is the name of the record that an operation answers, a mutation in its payload.
func (w walk) answer(operation *ast.FieldDefinition) string {
	name := operation.Type.Name()
	if strings.HasSuffix(name, "Payload") {
		for _, field := range w.schema.Types[name].Fields {
			if record, ok := recordOf(w.schema, field.Type); ok {
				return recordName(record.Name)
			}
		}
	}
	return recordName(name)
}

// recordName is the name of the record that a type shows.
func recordName(typ string) string {
	if typ == "ConnectedWorkspace" {
		return "ChannelConnection"
	}
	return typ
}

// identified tells operations that name one record by its global id.
func (w walk) identified(operation *ast.FieldDefinition) bool {
	if w.foreign[w.answer(operation)] == nil {
		return false
	}
	input := operation.Arguments.ForName("input")
	return operation.Arguments.ForName("id") != nil || input != nil && w.schema.Types[input.Type.Name()].Fields.ForName("id") != nil
}

// snapshot is the content of every table as far as it is theirs, in one query.
func (w walk) snapshot(t *testing.T) map[string]string {
	t.Helper()
	var parts []string
	for _, table := range migrate.Tables {
		condition := fmt.Sprintf("id = '%s'", w.theirs.IDs[table.Name])
		switch {
		case table.HasColumn("environment_id"):
			condition = fmt.Sprintf("environment_id = '%s'", w.theirs.Scope.EnvironmentID)
		case table.HasColumn("organization_id") && !w.sameOrganization:
			condition = fmt.Sprintf("organization_id = '%s'", w.theirs.Scope.OrganizationID)
		}
		parts = append(parts, fmt.Sprintf("SELECT '%s', coalesce(string_agg(to_jsonb(r)::text, ',' ORDER BY id), '') FROM %[1]s r WHERE %s", table.Name, condition))
	}
	rows, err := w.b.db.Pool.Query(t.Context(), strings.Join(parts, " UNION ALL "))
	require.NoError(t, err)
	all := map[string]string{}
	var table, content string
	_, err = pgx.ForEachRow(rows, []any{&table, &content}, func() error { all[table] = content; return nil })
	require.NoError(t, err)
	return all
}

// text is the operation with arguments written out and every plain field of its answer selected.
func (w walk) text(root *ast.Definition, operation *ast.FieldDefinition, all bool) string {
	typ := w.typeOf(operation)
	var args []string
	for _, arg := range operation.Arguments {
		if arg.Type.NonNull && arg.DefaultValue == nil || all && (w.names(arg.Name, arg.Type) || strings.HasSuffix(arg.Type.Name(), "Filter")) {
			args = append(args, arg.Name+": "+w.example(typ, arg.Name, arg.Type, all, 0))
		}
	}
	call := operation.Name
	if len(args) > 0 {
		call += "(" + strings.Join(args, ", ") + ")"
	}
	kind := "query"
	if root == w.schema.Mutation {
		kind = "mutation"
	}
	return kind + " { " + call + w.selection(operation.Type, 0) + " }"
}

// typeOf is the noun that an operation is about: what it answers, or what its name ends with.
func (w walk) typeOf(operation *ast.FieldDefinition) string {
	candidates := []string{w.answer(operation), strings.TrimSuffix(operation.Type.Name(), "Connection")}
	for _, typ := range slices.Sorted(maps.Keys(w.foreign)) {
		if strings.Contains(strings.ToLower(operation.Name), strings.ToLower(typ)) {
			candidates = append(candidates, typ)
		}
	}
	best := ""
	for _, typ := range candidates {
		if w.foreign[typ] != nil && (best == "" || best != candidates[0] && len(typ) > len(best)) {
			best = typ
		}
	}
	return best
}

// names tells arguments and input fields that name records.
func (w walk) names(name string, t *ast.Type) bool {
	return t.Name() == "ID" || identifier.MatchString(name)
}

var identifier = regexp.MustCompile(`(?i)(id|ids|idin|key|keys|keyin|identifier|identifierin|hint|email)$`)

// example writes a value for an argument or input field. Names of records are theirs, everything else is what passes.
func (w walk) example(typ, name string, t *ast.Type, all bool, depth int) string {
	if t.Elem != nil {
		return "[" + w.example(typ, strings.TrimSuffix(name, "In"), t.Elem, all, depth) + "]"
	}
	definition := w.schema.Types[t.Name()]
	switch definition.Kind {
	case ast.Enum:
		return definition.EnumValues[0].Name
	case ast.InputObject:
		if definition.Directives.ForName("oneOf") != nil {
			field := definition.Fields[0]
			return "{" + field.Name + ": " + w.example(typ, field.Name, field.Type, all, depth+1) + "}"
		}
		var fields []string
		for _, field := range definition.Fields {
			if field.Type.NonNull && field.DefaultValue == nil || all && depth < 2 && w.names(field.Name, field.Type) {
				fields = append(fields, field.Name+": "+w.example(typ, field.Name, field.Type, all, depth+1))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	return w.scalar(typ, name, t.Name())
}

func (w walk) scalar(typ, name, kind string) string {
	switch kind {
	case "Int", "Float":
		return "1"
	case "Boolean":
		return "true"
	case "Time":
		return fmt.Sprintf("%q", time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	case "JSON", "StringMap":
		return "{}"
	}
	column := snake(name)
	if target := w.target(typ, name); kind == "ID" && target != "" {
		recordID, _ := w.foreign[target]["id"].(string)
		return fmt.Sprintf("%q", id.Global(target, recordID))
	}
	if value, ok := w.foreign[typ][column].(string); ok && value != "" && column != "id" {
		return fmt.Sprintf("%q", value)
	}
	if noun := named[name]; noun != "" {
		value, _ := w.foreign[noun]["identifier"].(string)
		return fmt.Sprintf("%q", value)
	}
	for _, row := range w.foreign { // a natural key of another noun, such as a subscriber's
		if value, ok := row[column].(string); ok && identifier.MatchString(name) {
			return fmt.Sprintf("%q", value)
		}
	}
	if text, ok := examples[name]; ok {
		return fmt.Sprintf("%q", text)
	}
	return `"x"`
}

// named are arguments that hold another noun's identifier.
var named = map[string]string{"workflow": "Workflow", "reference": "Workflow", "tenantIdentifier": "Tenant"}

// target is the type that an ID names: what it is called after, else what the operation is about.
func (w walk) target(typ, name string) string {
	stem := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), "s"), "id")
	for candidate := range w.foreign {
		if strings.ToLower(candidate) == stem {
			return candidate
		}
	}
	return typ
}

// examples are values of texts that are checked for more than their length.
var examples = map[string]string{
	"email": "somebody@example.org", "password": "a long enough one", "locale": "en", "defaultLocale": "en",
}

// selection selects every field without arguments down to the second level of records.
func (w walk) selection(t *ast.Type, depth int) string {
	definition := w.schema.Types[t.Name()]
	switch definition.Kind {
	case ast.Interface:
		return " { __typename ... on Node { id } }"
	case ast.Union:
		var members strings.Builder
		for _, member := range definition.Types {
			members.WriteString(" ... on " + member + w.selection(ast.NamedType(member, nil), depth+1))
		}
		return " { __typename" + members.String() + " }"
	case ast.Object:
	default:
		return ""
	}
	if depth > 4 {
		return " { __typename }"
	}
	var fields []string
	for _, field := range definition.Fields {
		leaf := w.schema.Types[field.Type.Name()].IsLeafType()
		structural := slices.Contains([]string{"edges", "node", "nodes"}, field.Name) || strings.HasSuffix(definition.Name, "Payload")
		if len(field.Arguments) == 0 && (leaf || structural || depth < 2) {
			fields = append(fields, field.Name+w.selection(field.Type, depth+1))
		}
	}
	return " { __typename " + strings.Join(fields, " ") + " }"
}

var upper = regexp.MustCompile(`[A-Z]`)

func snake(name string) string {
	return upper.ReplaceAllStringFunc(name, func(letter string) string { return "_" + strings.ToLower(letter) })
}

// rowsOf reads their rows as JSON, by type.
func rowsOf(t *testing.T, db *postgres.DB, rows pgtest.Rows) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	ctx := viewer.SystemContext(context.WithoutCancel(t.Context()))
	for typ, definition := range generated.NewExecutableSchema(generated.Config{}).Schema().Types {
		typ = recordName(typ)
		table := tableOf(typ)
		if definition.Kind != ast.Object || rows.IDs[table] == "" {
			continue
		}
		var text []byte
		require.NoError(t, db.Pool.QueryRow(ctx, "SELECT to_jsonb(r) FROM "+table+" r WHERE id = $1", rows.IDs[table]).Scan(&text))
		var row map[string]any
		require.NoError(t, json.Unmarshal(text, &row))
		all[typ] = row
	}
	return all
}

// tableOf is where the records of a type are.
func tableOf(typ string) string {
	plural := strings.TrimPrefix(snake(strings.ReplaceAll(typ, "API", "Api")), "_")
	if stem, ok := strings.CutSuffix(plural, "y"); ok && !strings.HasSuffix(plural, "key") {
		return stem + "ies"
	}
	return plural + "s"
}
