package notify_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider/vendors"
)

// grown are the tables that grow with every notification.
var grown = []string{
	"events", "notifications", "messages", "attempts", "digests", "receipts", "replies", "caught_messages", "audit_entries", "webhook_deliveries",
	"preference_changes", "inbox_states", "subscribers", "suppressions",
}

// rare is the condition on i that 25 rows of a table meet, others for each k.
func rare(k int) string { return fmt.Sprintf("i %% %d = %d", many()/25, k) }

// numbered is the id of row i of a table: rows are 20 seconds apart, the last is of now. Ids are in the order of created_at.
func numbered(i string) string {
	return fmt.Sprintf("lpad(to_hex(extract(epoch FROM %s)::bigint), 8, '0') || lpad(to_hex(%s), 16, '0')", instantOf(i), i)
}

func instantOf(i string) string {
	return fmt.Sprintf("(date_trunc('second', now()) - (%d - %s) * interval '20 seconds')", many(), i)
}

// formerly is the condition on i that the oldest three tenths of a table meet, and no newer row.
func formerly() string { return fmt.Sprintf("i <= %d", many()/10*3) }

// choose is an SQL expression: the value of the first of the ks whose rare rows i is of, else another value.
func choose(otherwise string, values map[int]string) string {
	cases := []string{"CASE"}
	for _, k := range slices.Sorted(maps.Keys(values)) {
		cases = append(cases, "WHEN "+rare(k)+" THEN "+values[k])
	}
	return strings.Join(append(cases, "ELSE", otherwise, "END"), " ")
}

// Of every filter a few rows have one value and the rest another; of some, many rows have a third, none of them new: of the old runs a
// quarter wait and a quarter are pending, as is a message of each of these. Half of the in-app messages are subscriber 1's, who has
// read and seen few of them, and half are subscriber 2's, who has read and seen nearly all.
func grownRows() []string {
	const isInApp, isRead = "i % 2 = 1", "(i % 4 = 3 AND NOT "
	keys := "context_keys=" + choose("'[]'::jsonb", map[int]string{41: `'["rare:x"]'`})
	scoped := "scope=" + choose("''", map[int]string{41: "'rare:x'"})
	common := func(letter, old string) string {
		return "CASE WHEN " + formerly() + " THEN repeat('" + old + "', 24) ELSE repeat('" + letter + "', 24) END"
	}
	workflowID := choose(common("a", "f"), map[int]string{33: "repeat('b', 24)"})
	integration := choose(common("c", "e"), map[int]string{35: "repeat('d', 24)"})
	subscriber := "CASE WHEN i % 4 = 1 THEN " + numbered("1") + " WHEN i % 4 = 3 THEN " + numbered("2") + " ELSE " + numbered("i") + " END"
	waits, pending := "(i % 4 = 0 AND "+formerly()+")", "(i % 4 = 2 AND "+formerly()+")"
	broadcast := fmt.Sprintf("CASE WHEN i <= %d THEN 1 ELSE i END", many()/10)
	insert := func(table string, columns ...string) string {
		var names, values []string
		for _, c := range append([]string{"id=" + numbered("i"), "created_at=" + instantOf("i"), "updated_at=" + instantOf("i"), "environment_id=$1"}, columns...) {
			name, value, _ := strings.Cut(c, "=")
			names, values = append(names, name), append(values, value)
		}
		return "INSERT INTO " + table + " (" + strings.Join(names, ", ") + ") SELECT " + strings.Join(values, ", ") + fmt.Sprintf(" FROM generate_series(1, %d) i", many())
	}
	return []string{
		`INSERT INTO workflows (id, created_at, updated_at, identifier, name, tags, draft, issues, last_triggered_at, environment_id)
			SELECT repeat(c, 24), now(), now(), 'wf-' || c, 'Workflow', '[]', '{}', '[]', 'epoch', $1 FROM unnest(ARRAY['a', 'b', 'f']) c`,
		`INSERT INTO integrations (id, created_at, updated_at, identifier, name, provider_id, channel, environment_id)
			SELECT repeat(c, 24), now(), now(), 'i-' || c, 'Integration', 'p-' || c, 'email', $1 FROM unnest(ARRAY['c', 'd', 'e']) c`,
		insert("subscribers", "subscriber_id='u' || i", "deleted="+rare(100), "phone='+1' || i", "email=i || '@example.com'"),
		insert("events", keys, scoped, "transaction_id='t' || i", "workflow_id="+workflowID, "workflow_version_id='v'", "payload='{}'",
			"kind="+choose("'trigger'", map[int]string{1: "'broadcast'"}), "status="+choose("'fanned_out'", map[int]string{2: "'cancelled'", 3: "'parked'", 4: "'accepted'"}),
			"due_at="+choose("NULL::timestamptz", map[int]string{4: "now()"})),
		insert("notifications", keys, scoped, "event_id="+numbered("("+broadcast+")"), "transaction_id='t' || "+broadcast, "workflow_id="+workflowID,
			"workflow_version_id='v'", "subscriber_id=CASE WHEN "+broadcast+" = 1 THEN "+numbered("i")+" ELSE "+subscriber+" END", "trace='[]'",
			"status="+choose("CASE WHEN "+waits+" THEN 'waiting' WHEN "+pending+" THEN 'pending' ELSE 'completed' END", map[int]string{2: "'failed'", 3: "'waiting'", 4: "'parked'", 5: "'skipped'", 6: "'pending'"}),
			"due_at="+choose("CASE WHEN "+waits+" THEN now() END", map[int]string{2: "NULL", 4: "NULL", 5: "NULL"})),
		insert("messages", keys, scoped, "notification_id="+numbered("i"), "event_id="+numbered("("+broadcast+")"), "transaction_id='t' || "+broadcast,
			"workflow_id="+workflowID, "workflow_identifier='w'", "step_id='s'", "target=''", "subscriber_id="+subscriber,
			"channel=CASE WHEN "+isInApp+" THEN 'in_app' WHEN "+rare(8)+" THEN 'sms' WHEN "+formerly()+" THEN 'push' ELSE 'email' END",
			"status="+choose("CASE WHEN "+pending+" THEN 'pending' ELSE 'sent' END", map[int]string{2: "'error'", 4: "'warning'", 6: "'pending'"}),
			"due_at="+choose("CASE WHEN "+pending+" THEN now() END", map[int]string{2: "NULL", 4: "NULL", 6: "now()"}), "error_id="+choose("NULL::text", map[int]string{2: "'provider_error'"}),
			"error_text="+choose("NULL::text", map[int]string{2: "'refused'", 4: "'truncated'"}), "provider_message_id='m' || i",
			"read="+rare(5)+" OR "+isRead+rare(27)+")", "seen="+rare(9)+" OR "+isRead+rare(27)+")", "archived="+rare(13),
			"snoozed_until="+choose("NULL::timestamptz", map[int]string{17: "now() + interval '1 day'"}),
			"feed_id="+choose("NULL::text", map[int]string{21: "'" + strings.Repeat("e", 24) + "'"}),
			"severity="+choose("'none'", map[int]string{25: "'high'"}), "sequence=i", "arrived_at="+instantOf("i")),
		insert("attempts", "message_id="+numbered("i"), "provider_message_id='m' || i", "number=1", "integration_id="+integration, "provider_id="+choose("CASE WHEN "+formerly()+" THEN 'p-e' ELSE 'p-c' END", map[int]string{35: "'p-d'"}),
			"outcome="+choose("'accepted'", map[int]string{37: "'rejected'", 39: "'unknown'"}), "class="+choose("NULL::text", map[int]string{37: "'permanent'", 39: "'unknown'"})),
		insert("digests", keys, scoped, "workflow_id="+workflowID, "step_id="+choose("'s'", map[int]string{3: "'rare'"}), "subscriber_id="+subscriber,
			"digest_key='k' || i", "notification_id="+numbered("i"), "status="+choose("'closed'", map[int]string{1: "'open'", 2: "'cancelled'"}),
			"opened_at=now()", "closes_at=now()", "last_event_at=now()"),
		insert("receipts", "integration_id="+integration, "provider_event_id='e' || i", "occurred_at=now()", "message_id="+numbered("i"),
			"kind="+choose("'delivered'", map[int]string{1: "'bounced'"})),
		insert("replies", "message_id="+numbered("i"), "mail_id='m'", "url=''", "body='{}'", "status="+choose("'delivered'", map[int]string{1: "'failed'", 2: "'pending'"})),
		insert("caught_messages", "provider_id="+choose("'p-c'", map[int]string{1: "'p-d'"}), "channel="+choose("'email'", map[int]string{2: "'sms'"}),
			"message_id="+numbered("i"), "recipient="+choose("'common'", map[int]string{3: "'rare'"})),
		insert("audit_entries", "actor_type="+choose("'key'", map[int]string{1: "'user'"}), "actor_id="+choose("'common'", map[int]string{2: "'" + strings.Repeat("f", 24) + "'"}),
			"action="+choose("'create'", map[int]string{3: "'delete'"}), "record_type="+choose("'Topic'", map[int]string{4: "'Feed'"}), "record_id="+numbered("i")),
		insert("webhook_deliveries", "endpoint_id="+integration, "event_type="+choose("'event.accepted'", map[int]string{1: "'ping'"}), "payload='{}'", "attempt_log='[]'",
			"status="+choose("'delivered'", map[int]string{2: "'failed'"})),
		insert("preference_changes", keys, scoped, "subscriber_id="+subscriber, "workflow_id="+workflowID, "channels='{}'", "changed_by='key'"),
		insert("suppressions", "channel='email'", "address=i || '@example.com'", "reason='bounce'"),
		insert("inbox_states", keys, scoped, "subscriber_id="+numbered("i")),
	}
}

// literal is a query's argument as SQL text.
func literal(arg any) string {
	switch v := arg.(type) {
	case time.Time:
		return "'" + v.UTC().Format(time.RFC3339Nano) + "'"
	case bool, int, int64:
		return fmt.Sprint(v)
	}
	return "'" + strings.ReplaceAll(fmt.Sprint(arg), "'", "''") + "'"
}

// executions is how often a statement is executed before its plan is read: after five Postgres would begin to think of
// a plan for all values.
const executions = 10

// readBy is how many rows of the tables that grow a query reads at its tenth execution.
func readBy(t *testing.T, conn *sql.Conn, q query) (read float64, plan string) {
	t.Helper()
	_, err := conn.ExecContext(t.Context(), "PREPARE grown AS "+q.text)
	require.NoError(t, err, q.text)
	literals := make([]string, len(q.args))
	for i, arg := range q.args {
		literals[i] = literal(arg)
	}
	execute := "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) EXECUTE grown"
	if len(literals) > 0 {
		execute += "(" + strings.Join(literals, ", ") + ")"
	}
	var raw []byte
	for range executions {
		require.NoError(t, conn.QueryRowContext(t.Context(), execute).Scan(&raw), q.text)
	}
	_, err = conn.ExecContext(t.Context(), "DEALLOCATE grown")
	require.NoError(t, err)
	var plans []struct{ Plan planNode }
	require.NoError(t, json.Unmarshal(raw, &plans))
	return plans[0].Plan.grownRead(), string(raw)
}

// grownRead counts the rows that a plan reads of the tables that grow.
func (n *planNode) grownRead() (read float64) {
	if slices.Contains(grown, n.Relation) {
		read = (n.Rows + n.Filtered + n.Rechecked) * n.Loops
	}
	for i := range n.Plans {
		read += n.Plans[i].grownRead()
	}
	return read
}

// fewRows is what a list may read beside its page: the 25 rows that a filter leaves, and what two look-ups of them read.
const fewRows = 150

// TestListsReadWhatTheyReturn holds of every filter of every list of what grows, whether few rows meet it or most: at the
// tenth execution as at the first no list reads far more rows than it returns.
func TestListsReadWhatTheyReturn(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	grow(t, a)
	_, recorder := recorded(t, a)
	registry, err := vendors.Registry()
	require.NoError(t, err)
	services := notify.New(usecase.Config{DB: &recorder.db, Now: time.Now, Providers: registry})
	row := func(i int) (found string) {
		require.NoError(t, a.DB.SQL.QueryRowContext(t.Context(), "SELECT id FROM events ORDER BY id OFFSET $1 LIMIT 1", i-1).Scan(&found))
		return found
	}
	middle, conn := row(many()/2), connection(t, a)
	for what, list := range growthLists(t, services, row) {
		for name, page := range map[string]usecase.Page{"first": {}, "after": {After: &middle}, "before": {Before: &middle}} {
			for _, direction := range []usecase.OrderDirection{usecase.OrderDesc, usecase.OrderAsc} {
				if direction == usecase.OrderAsc && name != "first" {
					continue
				}
				recorder.queries = nil
				require.NoError(t, list(a.Ctx, page, &usecase.Order{Field: usecase.ColumnID, Direction: direction}), what)
				require.NotEmpty(t, recorder.queries, what)
				for _, q := range recorder.queries {
					if read, plan := readBy(t, conn, q); read > fewRows {
						t.Errorf("%s, page %s %s reads %.0f rows:\n%s\n%v\n%s", what, name, direction, read, q.text, q.args, plan)
					}
				}
			}
		}
	}
}

// grow fills the tables that grow.
func grow(t *testing.T, a *notifytest.Audience) {
	t.Helper()
	fillTables(t, a, grown, grownRows())
}

// connection is one connection of the database, which keeps what is prepared.
func connection(t *testing.T, a *notifytest.Audience) *sql.Conn {
	t.Helper()
	conn, err := a.DB.SQL.Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	return conn
}
