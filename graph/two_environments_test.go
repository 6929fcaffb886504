package graph_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/schema/field"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// lookups are the queries of the schema that find one record by what it is called rather than by its id.
func (w walk) lookups() (fields []*ast.FieldDefinition) {
	for _, field := range w.schema.Query.Fields {
		if w.foreign[recordName(field.Type.Name())] != nil && field.Arguments.ForName("id") == nil && len(field.Arguments) > 0 && field.Type.Elem == nil {
			fields = append(fields, field)
		}
	}
	return fields
}

// unlikeEnvironments are look-ups of what an organization has: they find the same in each of its environments, or refuse.
var unlikeEnvironments = map[string]bool{
	"environmentByIdentifier": true, "memberByUser": true, "userByEmail": true, "invitationByEmail": true, "organizationKeyByHint": true,
}

// byManyNames are look-ups by several names at once, of which some belong to other nouns: the arguments, and the columns that
// they hold. A noun with "#" is the global id of its record.
var byManyNames = map[string]map[string][]string{
	"contextByKey":           {"key": {"Context.type", "Context.identifier"}},
	"openDigest":             {"workflow": {"Workflow.identifier"}, "stepId": {"Digest.step_id"}, "subscriberId": {"Subscriber.subscriber_id"}, "digestKey": {"Digest.digest_key"}},
	"inboxStateBySubscriber": {"subscriberId": {"Subscriber.subscriber_id"}},
	"notificationByKey":      {"eventId": {"Event.#"}, "subscriberId": {"Subscriber.subscriber_id"}},
	"preferenceByKey":        {"subscriberId": {"Subscriber.subscriber_id"}, "workflow": {"Workflow.identifier"}},
	"subscriberChannelByKey": {"subscriberId": {"Subscriber.subscriber_id"}, "providerId": {"SubscriberChannel.provider_id"}},
}

// lookup is the text of a look-up with names of w.foreign.
func (w walk) lookup(t *testing.T, field *ast.FieldDefinition) string {
	t.Helper()
	arguments := byManyNames[field.Name]
	if arguments == nil {
		return w.text(w.schema.Query, field, true)
	}
	var args []string
	for argument, columns := range arguments {
		require.NotNil(t, field.Arguments.ForName(argument), "%s(%s)", field.Name, argument)
		var parts []string
		for _, column := range columns {
			noun, column, _ := strings.Cut(column, ".")
			value, _ := w.foreign[noun][column].(string)
			if column == "#" {
				recordID, _ := w.foreign[noun]["id"].(string)
				value = id.Global(noun, recordID)
			}
			require.NotEmpty(t, value, "%s.%s of %s", noun, column, field.Name)
			parts = append(parts, value)
		}
		args = append(args, fmt.Sprintf("%s: %q", argument, strings.Join(parts, ":")))
	}
	return "query { " + field.Name + "(" + strings.Join(args, ", ") + ")" + w.selection(field.Type, 0) + " }"
}

// TestNamesStayInTheirEnvironment asks from one environment for what another one calls so: with names that only the other
// one has nothing is found, and with names that both have each finds its own. Nor does any mutation with such a name change
// what the other one has.
func TestNamesStayInTheirEnvironment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	theirs := pgtest.Fill(t, b.db, "")
	mine := pgtest.Fill(t, b.db, theirs.Scope.OrganizationID)
	theirKey, myKey := keyWith(t, b.db, theirs.Scope, viewer.FullGrants), keyWith(t, b.db, mine.Scope, viewer.FullGrants)
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	w := walk{b: b, authorization: myKey, schema: schema, sameOrganization: true, foreign: rowsOf(t, b.db, theirs), theirs: theirs}
	found := map[string]bool{}
	for _, field := range w.lookups() {
		if unlikeEnvironments[field.Name] {
			continue
		}
		text := w.lookup(t, field)
		_, r := b.askWith(t, theirKey, text, nil)
		found[field.Name] = r.code() == "" && r.Data[field.Name] != nil
		_, r = b.askWith(t, myKey, text, nil)
		if found[field.Name] {
			require.Equal(t, "NOT_FOUND", r.code(), "%s finds what only another environment has", text)
		}
	}
	missed := []string{}
	for _, field := range w.lookups() {
		if !unlikeEnvironments[field.Name] && !found[field.Name] {
			missed = append(missed, field.Name)
		}
	}
	require.Empty(t, missed, "these do not find their own environment's record: teach example what they need")

	sameNames(t, b.db, theirs, mine)
	w.foreign = rowsOf(t, b.db, mine) // what is named now is called the same in both
	for _, field := range w.lookups() {
		if unlikeEnvironments[field.Name] || field.Type.Name() == "IdempotencyRecord" {
			continue
		}
		text := w.lookup(t, field)
		_, r := b.askWith(t, myKey, text, nil)
		require.Empty(t, r.code(), text)
		record, _ := r.Data[field.Name].(map[string]any)
		require.Equal(t, id.Global(recordName(field.Type.Name()), mine.IDs[tableOf(recordName(field.Type.Name()))]), record["id"], text)
	}
	require.NoError(t, b.auth.Close(t.Context())) // records now that their key was used; otherwise a minute later, within the walk
	before := w.snapshot(t)
	for _, field := range schema.Mutation.Fields {
		for _, all := range []bool{false, true} {
			text := w.text(schema.Mutation, field, all)
			_, r := b.askWith(t, myKey, text, nil)
			require.NotEqual(t, "INTERNAL", r.code(), "%s\n%s", text, b.log)
			data, err := json.Marshal(r.Data)
			require.NoError(t, err)
			for table, recordID := range theirs.IDs {
				if table != "organizations" {
					require.NotContains(t, string(data), recordID, "%s answers a record of another environment", text)
				}
			}
		}
		require.Equal(t, before, w.snapshot(t), "%s changed another environment's records", field.Name)
	}
}

// sameNames gives the records of one environment the names that those of another one have, but for idempotency keys, which
// an organization has once, and keys of images, of which no two are alike anywhere.
func sameNames(t *testing.T, db *postgres.DB, from, to pgtest.Rows) {
	t.Helper()
	for _, table := range migrate.Tables {
		if !table.HasColumn("environment_id") || strings.HasSuffix(table.Name, "_keys") || table.Name == "sessions" || table.Name == "idempotency_records" {
			continue
		}
		var sets []string
		for _, column := range table.Columns {
			parent, isReference := strings.CutSuffix(column.Name, "_id")
			isReference = isReference && parent+"s" != table.Name && (to.IDs[parent+"s"] != "" || parent == "environment" || parent == "organization")
			for _, key := range table.ForeignKeys { // whatever its column is called
				isReference = isReference || key.Columns[0] == column
			}
			if column.Name == "id" || isReference || column.Type != field.TypeString || table.Name == "images" && column.Name == "key" {
				continue
			}
			name := pgx.Identifier{column.Name}.Sanitize()
			sets = append(sets, fmt.Sprintf("%s = a.%[1]s", name))
		}
		if len(sets) == 0 {
			continue
		}
		_, err := db.Pool.Exec(t.Context(), fmt.Sprintf("UPDATE %s m SET %s FROM %[1]s a WHERE m.id = $1 AND a.id = $2",
			pgx.Identifier{table.Name}.Sanitize(), strings.Join(sets, ", ")), to.IDs[table.Name], from.IDs[table.Name])
		require.NoError(t, err, table.Name)
	}
}
