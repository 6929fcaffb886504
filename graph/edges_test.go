package graph_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// withoutEdges are the fields whose names end in Id and that name no record of the schema, with the reason; "*" is any type.
var withoutEdges = map[string]string{
	"*.deletedId":                             "what is gone; the payload shows it as it was",
	"*.internalId":                            "the record itself",
	"*.transactionId":                         "the caller's name of an event, see Event",
	"*.stepId":                                "a part of a workflow's definition",
	"*.providerMessageId":                     "the provider's own",
	"*.providerEventId":                       "the provider's own",
	"*.requestId":                             "of the log",
	"*.errorId":                               "a code",
	"*.mailId":                                "of a letter",
	"*.externalId":                            "of the log-in's provider",
	"*.workspaceId":                           "of the provider's workspace",
	"Subscriber.subscriberId":                 "the record's own name",
	"TriggerScheduleRecipient.subscriberId":   "as the caller gave it; a run creates a subscriber that it names first",
	"TriggerSchedule.actorId":                 "as the caller gave it; a run creates a subscriber that it names first",
	"ItemError.subscriberId":                  "as the caller gave it; it may name no subscriber",
	"RejectedSubscriber.subscriberId":         "as the caller gave it; it may name no subscriber",
	"AcceptInvitationPayload.environmentId":   "of the new log-in, which this operation is not authenticated with",
	"SlackChannelTarget.channelId":            "the provider's own",
	"SlackUserTarget.userId":                  "the provider's own",
	"MSTeamsChannelTarget.channelId":          "the provider's own",
	"MSTeamsChannelTarget.teamId":             "the provider's own",
	"MSTeamsUserTarget.userId":                "the provider's own",
	"IntegrationCredentials.messageProfileId": "the provider's own",
	"IntegrationCredentials.applicationId":    "the provider's own",
	"IntegrationCredentials.clientId":         "the provider's own",
	"IntegrationCredentials.instanceId":       "the provider's own",
	"IntegrationCredentials.channelId":        "the provider's own",
	"IntegrationCredentials.senderId":         "the provider's own",
	"IntegrationCredentials.tenantId":         "the provider's own",
}

// TestEveryIDHasAnEdge holds that a field which names a record has the record beside it.
func TestEveryIDHasAnEdge(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	used := map[string]bool{}
	edges := 0
	for _, typ := range schema.Types {
		if typ.Kind != ast.Object || typ.BuiltIn || typ == schema.Query {
			continue
		}
		for _, field := range typ.Fields {
			stem, is := strings.CutSuffix(field.Name, "Id")
			if !is {
				continue
			}
			own, anyType := typ.Name+"."+field.Name, "*."+field.Name
			if edge := typ.Fields.ForName(stem); edge != nil && schema.Types[edge.Type.Name()].IsCompositeType() {
				require.False(t, edge.Type.NonNull && own != "Member.userId", "%s.%s: what it names may be gone", typ.Name, stem)
				edges++
				continue
			}
			require.True(t, withoutEdges[own] != "" || withoutEdges[anyType] != "", "%s has no edge %s beside it", own, stem)
			used[own], used[anyType] = true, true
		}
	}
	for name := range withoutEdges {
		require.True(t, used[name], "no field is excepted as %s", name)
	}
	require.Greater(t, edges, 60)
}

// statements counts what goes to Postgres.
type statements struct {
	mu   sync.Mutex
	seen []string
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !strings.HasPrefix(data.SQL, "-- ping") {
		s.seen = append(s.seen, data.SQL)
	}
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *statements) taken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen
	s.seen = nil
	return seen
}

// copies are rows of a table that are like the filled one.
type copies struct {
	table string
	names string            // a column that is unique
	ids   map[string]string // columns by the table that they name
}

// copied are the tables of which there are many rows: row i of each belongs to row i of the others.
var copied = []copies{
	{"subscribers", "subscriber_id", nil},
	{"topics", "key", nil},
	{"workflows", "identifier", nil},
	{"integrations", "identifier", nil},
	{"events", "transaction_id", map[string]string{"workflow_id": "workflows"}},
	{"notifications", "", map[string]string{"event_id": "events", "subscriber_id": "subscribers", "workflow_id": "workflows"}},
	{"messages", "", map[string]string{"notification_id": "notifications", "event_id": "events", "subscriber_id": "subscribers", "workflow_id": "workflows", "integration_id": "integrations"}},
	{"attempts", "", map[string]string{"message_id": "messages", "integration_id": "integrations"}},
	{"receipts", "provider_event_id", map[string]string{"message_id": "messages", "integration_id": "integrations"}},
	{"subscriptions", "identifier", map[string]string{"topic_id": "topics", "subscriber_id": "subscribers"}},
	{"preferences", "", map[string]string{"subscriber_id": "subscribers", "workflow_id": "workflows"}},
	{"subscriber_channels", "", map[string]string{"subscriber_id": "subscribers"}},
	{"channel_endpoints", "identifier", map[string]string{"subscriber_id": "subscribers", "integration_id": "integrations"}},
	{"inbox_states", "", map[string]string{"subscriber_id": "subscribers"}},
	{"workflow_versions", "", map[string]string{"workflow_id": "workflows"}},
}

// copyRows makes n copies of the filled rows; copy k of a table is rowID(table, k).
func (b *bundle) copyRows(t *testing.T, rows pgtest.Rows, n int) {
	t.Helper()
	for _, c := range copied {
		changes := []string{fmt.Sprintf("'id', %s", rowID(c.table, "i"))}
		if c.names != "" {
			changes = append(changes, fmt.Sprintf("'%s', 'copy' || i", c.names))
		}
		if c.table == "integrations" {
			changes = append(changes, "'primary', false")
		}
		for column, table := range c.ids {
			changes = append(changes, fmt.Sprintf("'%s', %s", column, rowID(table, "i")))
		}
		_, err := b.db.Pool.Exec(t.Context(), fmt.Sprintf(`INSERT INTO %[1]s (%[3]s) SELECT %[3]s FROM generate_series(1, $1) i, LATERAL (
			SELECT (jsonb_populate_record(NULL::%[1]s, to_jsonb(r) || jsonb_build_object(%[2]s))).* FROM %[1]s r WHERE id = $2) made`,
			c.table, strings.Join(changes, ", "), b.columns(t, c.table)), n, rows.IDs[c.table])
		require.NoError(t, err, c.table)
	}
}

// columns are the columns of a table that are written.
func (b *bundle) columns(t *testing.T, table string) (names string) {
	t.Helper()
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`, table).Scan(&names))
	return names
}

// rowID is an expression for the id of copy i of a table.
func rowID(table, i string) string {
	number := slices.IndexFunc(copied, func(c copies) bool { return c.table == table }) + 1
	return fmt.Sprintf("lpad(to_hex(%d * 65536 + %s), 24, '0')", number, i)
}

// edgesOf selects every record, list and figure that a type leads to.
func edgesOf(schema *ast.Schema, typ *ast.Definition) string {
	var fields []string
	for _, field := range typ.Fields {
		target := schema.Types[field.Type.Name()]
		switch {
		case !target.IsCompositeType():
		case strings.HasSuffix(target.Name, "Connection"):
			fields = append(fields, field.Name+" { totalCount nodes { id } }")
		default:
			fields = append(fields, field.Name+" { __typename }")
		}
	}
	return strings.Join(fields, " ")
}

// TestEdgesTakeNoQueryPerRow asks for every edge of every list's nodes: twenty of them take about as many round trips as three.
func TestEdgesTakeNoQueryPerRow(t *testing.T) {
	t.Parallel()
	seen := &statements{}
	b := setupOn(t, pgtest.OpenTraced(t, pgtest.NewURL(t), seen))
	rows := pgtest.Fill(t, b.db, "")
	b.copyRows(t, rows, 20)
	key := keyWith(t, b.db, rows.Scope, viewer.FullGrants)
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	many := map[string]bool{}
	for _, field := range schema.Query.Fields {
		node, is := strings.CutSuffix(field.Type.Name(), "Connection")
		if !is || strings.HasPrefix(field.Name, "organizationKeys") || slices.ContainsFunc(field.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull && a.DefaultValue == nil }) {
			continue
		}
		edges := edgesOf(schema, schema.Types[node])
		if edges == "" {
			continue
		}
		trips := map[int][]string{}
		for _, n := range []int{3, 20} {
			for try := range 10 { // a busy machine may resolve siblings one after another
				seen.taken()
				_, r := b.askWith(t, key, fmt.Sprintf("{ %s(first: %d) { nodes { id %s } } }", field.Name, n, edges), nil)
				taken := seen.taken()
				require.NotEqual(t, "INTERNAL", r.code(), "%s: %v\n%s", field.Name, r.Errors, b.log)
				if r.Data[field.Name] != nil {
					many[fmt.Sprint(field.Name, len(at(t, r.Data[field.Name], "nodes").([]any)))] = true
				}
				if try == 0 || len(taken) < len(trips[n]) {
					trips[n] = taken
				}
				if n == 20 && len(trips[20]) <= len(trips[3]) {
					break
				}
			}
		}
		// A query per row of one edge would be 17 more; a busy machine asks for some of the siblings later than for the others.
		require.Less(t, len(trips[20]), len(trips[3])+10, "%s: 20 of them take\n%s", field.Name, strings.Join(trips[20], "\n---\n"))
	}
	for _, list := range []string{"subscribers", "topics", "workflows", "integrations", "events", "notifications", "messages", "attempts", "receipts", "subscriptions"} {
		require.True(t, many[list+"20"], "%s: %v", list, slices.Sorted(maps.Keys(many)))
	}
}

// TestNestedPages holds nested lists against the list of the root with the same filter: the same records, cursors and totals
// for each owner, whatever part is asked for, and nothing of another environment.
func TestNestedPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mine, theirs := pgtest.Fill(t, b.db, ""), pgtest.Fill(t, b.db, "")
	b.copyRows(t, mine, 3)
	key := keyWith(t, b.db, mine.Scope, viewer.FullGrants)
	const more = `INSERT INTO messages SELECT (jsonb_populate_record(NULL::messages, to_jsonb(m) || jsonb_build_object('id', $1::text,
		'target', $1::text, 'channel', $2::text, 'notification_id', $1::text))).* FROM messages m WHERE id = `
	for i := range 7 { // of the first of the copied subscribers and events, on two channels
		_, err := b.db.Pool.Exec(t.Context(), more+rowID("messages", "1"), fmt.Sprintf("%024x", 1<<30+i), []string{"email", "in_app"}[i%2])
		require.NoError(t, err)
	}
	_, err := b.db.Pool.Exec(t.Context(), `UPDATE messages SET subscriber_id = `+rowID("subscribers", "1")+`, event_id = `+rowID("events", "1")+` WHERE environment_id = $1`, theirs.Scope.EnvironmentID)
	require.NoError(t, err)

	const part = ` { totalCount totalCountCapped pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { internalId } } }`
	_, r := b.askWith(t, key, `{ messages(first: 100, filter: {subscriberId: "copy1"}) { nodes { internalId } } }`, nil)
	all := at(t, r.Data, "messages", "nodes").([]any)
	require.Len(t, all, 8)
	middle := at(t, all[3], "internalId")
	for _, args := range []string{
		"first: 3", "last: 3", "first: 100", fmt.Sprintf("first: 2, after: %q", middle), fmt.Sprintf("last: 2, before: %q", middle),
		fmt.Sprintf("first: 100, after: %q", middle), fmt.Sprintf("first: 2, after: %q", id.New(time.Now())),
	} {
		_, r := b.askWith(t, key, `{ messages(`+args+`, filter: {subscriberId: "copy1"})`+part+` other: messages(`+args+`, filter: {subscriberId: "copy2"})`+part+`
			subscribers(filter: {subscriberIdIn: ["copy1", "copy2"]}) { nodes { subscriberId messages(`+args+`)`+part+` } } }`, nil)
		require.Empty(t, r.Errors, "%s\n%s", args, b.log)
		for _, node := range at(t, r.Data, "subscribers", "nodes").([]any) {
			want := map[any]any{"copy1": r.Data["messages"], "copy2": r.Data["other"]}[at(t, node, "subscriberId")]
			require.Equal(t, want, at(t, node, "messages"), "%s of %v", args, at(t, node, "subscriberId"))
		}
	}
	_, r = b.askWith(t, key, `{ subscribers(filter: {subscriberIdIn: ["copy1"]}) { nodes { messages(channelIn: [EMAIL]) { totalCount nodes { channel } } } }
		events(filter: {transactionId: "copy1"}) { nodes { messages { totalCount } attempts { totalCount nodes { messageId } } notifications { totalCount } } } }`, nil)
	require.Empty(t, r.Errors)
	for _, message := range at(t, at(t, r.Data, "subscribers", "nodes").([]any)[0], "messages", "nodes").([]any) {
		require.Equal(t, "EMAIL", at(t, message, "channel"))
	}
	event := at(t, r.Data, "events", "nodes").([]any)[0]
	require.EqualValues(t, 8, at(t, event, "messages", "totalCount"))
	require.EqualValues(t, 1, at(t, event, "attempts", "totalCount"))
	require.EqualValues(t, 1, at(t, event, "notifications", "totalCount"))

	for _, wrong := range []string{"first: 101", "first: 0", `after: "x"`, `first: 1, last: 1`} {
		_, r := b.askWith(t, key, `{ topics { nodes { id } } subscribers { nodes { id messages(`+wrong+`) { nodes { id } } } } }`, nil)
		require.Contains(t, []string{"VALIDATION", "INVALID_CURSOR"}, r.code(), wrong)
		require.NotNil(t, r.Data["topics"], "what was wrong did not reach its neighbours")
		require.Nil(t, at(t, at(t, r.Data, "subscribers", "nodes").([]any)[0], "messages"))
	}
}

// TestEdgesNeedTheirScopes: a credential reads through edges what it may read, and is told what it may not; that spoils
// nothing beside it.
func TestEdgesNeedTheirScopes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rows := pgtest.Fill(t, b.db, "")
	key := keyWith(t, b.db, rows.Scope, viewer.GrantsOf(viewer.GrantAudienceRead))
	_, r := b.askWith(t, key, `{ subscribers(filter: {deleted: false}) { nodes { id messages { nodes { id } } notifications { nodes { id } } topics: subscriptions { nodes { id } } } } }`, nil)
	require.Len(t, r.Errors, 2)
	for _, refusal := range r.Errors {
		require.Equal(t, "FORBIDDEN", refusal.Extensions["code"])
	}
	for _, node := range at(t, r.Data, "subscribers", "nodes").([]any) {
		require.Nil(t, at(t, node, "messages"))
		require.NotNil(t, at(t, node, "topics"))
	}
	_, r = b.askWith(t, key, `{ suppressions { nodes { integration { id } } } }`, nil)
	require.Equal(t, "FORBIDDEN", r.code())
	require.NotNil(t, r.Data["suppressions"])
}
