package prove

import (
	"maps"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// finish makes the rows that a test did not add final, so that only its own are found.
func finish(s *pgtest.Store) {
	for _, sql := range []string{
		`UPDATE events SET status = 'processed', due_at = NULL`, `UPDATE notifications SET status = 'completed', due_at = NULL`,
		`UPDATE messages SET status = 'sent', due_at = NULL`, `UPDATE digests SET status = 'sent'`, `UPDATE attempts SET outcome = 'sent'`,
	} {
		_, err := s.Pool.Exec(s.Ctx, sql)
		require.NoError(s.T, err, sql)
	}
}

// TestStuckRows: a row that is not final is open, and stuck when nothing will take it up.
func TestStuckRows(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	finish(s)
	count, err := open(s.Ctx, s.Pool)
	require.NoError(t, err)
	require.Zero(t, count, "final rows are not open")

	type values = pgtest.Values
	want := map[string]Open{}
	add := func(table string, v values, why string) {
		id := s.Add(s.Here, table+"s", v)
		status, _ := v["status"].(string)
		if table == "attempt" {
			status = v["outcome"].(string)
		}
		want[id] = Open{table, id, status, why}
	}
	due := pgtest.At(5)
	add("event", values{"status": "accepted", "due_at": due}, "")
	add("event", values{"status": "accepted"}, "no due time")
	s.Add(s.Here, "events", values{"status": "processed"})
	add("notification", values{"status": "waiting", "due_at": due, "subscriber_id": s.Add(s.Here, "subscribers", values{"subscriber_id": "ann"})}, "")
	add("notification", values{"status": "waiting", "subscriber_id": s.Add(s.Here, "subscribers", values{"subscriber_id": "bob"})}, "no due time")
	sending := values{"status": "pending", "subscriber_id": s.Add(s.Here, "subscribers", values{"subscriber_id": "cleo"})}
	add("notification", sending, "no due time")
	add("message", values{"status": "pending", "channel": "email", "step_id": "a", "due_at": due}, "")
	add("message", values{"status": "pending", "channel": "email", "step_id": "b", "lease_id": "lease"}, "")
	add("message", values{"status": "pending", "channel": "email", "step_id": "f", "lease_id": "gone", "leased_until": due}, "no due time and no owner")
	add("message", values{"status": "pending", "channel": "email", "step_id": "c"}, "no due time and no owner")
	for id, o := range want { // a notification whose message is pending waits for it
		if o.Table == "notification" && o.Status == "pending" {
			s.Add(s.Here, "messages", values{"status": "sent", "channel": "email", "step_id": "d", "notification_id": id})
			pending := s.Add(s.Here, "messages", values{"status": "pending", "channel": "email", "step_id": "e", "notification_id": id, "due_at": due})
			want[id], want[pending] = Open{"notification", id, "pending", ""}, Open{"message", pending, "pending", ""}
		}
	}
	add("digest", values{"status": "open"}, "")
	add("attempt", values{"outcome": "intent", "number": 7}, "") // of a message that is sent

	s.Exec(`INSERT INTO message_leases (id, due_at, message_ids) VALUES ('lease', now(), '{}')`)
	found, err := read[Open](s.Ctx, s.Pool, notFinal)
	require.NoError(t, err)
	for _, o := range found {
		require.Equal(t, want[o.ID], o)
		delete(want, o.ID)
	}
	require.Empty(t, want, "not found")
	count, err = open(s.Ctx, s.Pool)
	require.NoError(t, err)
	require.Len(t, found, count)
}

// TestShortenPauses brings forward what waits for long, and nothing that is being sent or has no due time.
func TestShortenPauses(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	finish(s)
	type values = pgtest.Values
	now := time.Now()
	add := func(step string, v values) string {
		v["status"], v["channel"], v["step_id"] = "pending", "sms", step
		return s.Add(s.Here, "messages", v)
	}
	long := add("a", values{"due_at": now.Add(time.Hour)})
	soon := add("b", values{"due_at": now.Add(10 * time.Minute)})
	taken := add("c", values{"due_at": now.Add(time.Hour), "leased_until": now.Add(time.Hour)})
	left := add("d", values{"due_at": now.Add(time.Hour), "leased_until": now.Add(-time.Hour)})
	add("e", values{"lease_id": "lease"})
	require.NoError(t, shortenPauses(s.Ctx, s.Pool, 30*time.Minute))
	rows, err := s.Pool.Query(s.Ctx, `SELECT id FROM messages WHERE due_at <= now() ORDER BY id`)
	require.NoError(t, err)
	due, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.ElementsMatch(t, []string{long, left}, due, "not %s and %s", soon, taken)
}

// TestCollect reads what was stored of the load, and leaves out what is not of it.
func TestCollect(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	finish(s)
	type values = pgtest.Values
	person := s.Add(s.Here, "subscribers", values{"subscriber_id": "person-7"})
	event := s.Add(s.Here, "events", values{"payload": `{"text": "p-1"}`, "status": "processed"})
	run := s.Add(s.Here, "notifications", values{"event_id": event, "subscriber_id": person, "status": "completed"})
	one := values{"notification_id": run, "subscriber_id": person, "status": "sent"}
	message := func(v values) string {
		maps.Copy(v, one)
		return s.Add(s.Here, "messages", v)
	}
	mail := message(values{"channel": "email", "step_id": "mail"})
	digest := message(values{"channel": "in_app", "step_id": digestList, "content": `{"text": " p-1 p-2  "}`, "read": true})
	s.Add(s.Here, "attempts", values{"message_id": mail, "outcome": "sent", "duplicate_possible": true})
	_, err := s.Pool.Exec(s.Ctx, `DELETE FROM inbox_states`)
	require.NoError(t, err)
	s.Add(s.Here, "inbox_states", values{"subscriber_id": person, "scope": "", "sequence": 9, "total": 3, "unread": 2, "unseen": 1})

	state, err := collect(s.Ctx, s.Pool)
	require.NoError(t, err)
	require.Equal(t, []Event{{event, "p-1"}}, state.Events, "events without a text are not of the load")
	require.Equal(t, []Notification{{run, "p-1", "person-7", "completed"}}, state.Runs)
	byID := map[string]Message{}
	for _, m := range state.Messages {
		byID[m.ID] = m
	}
	require.Equal(t, Message{ID: mail, RunID: run, Subscriber: "person-7", StepID: "mail", Channel: "email", Status: "sent", Labelled: true}, byID[mail])
	require.Equal(t, Message{
		ID: digest, RunID: run, Subscriber: "person-7", StepID: digestList, Channel: "in_app", Status: "sent", Items: []string{"p-1", "p-2"},
	}, byID[digest])
	require.Empty(t, state.Open)
	require.Equal(t, []Inbox{{Subscriber: "person-7", Sequence: 9, Stored: Counters{3, 2, 1}, Counted: Counters{1, 0, 1}}}, state.Inboxes)

	s.Pool.Close()
	_, err = collect(s.Ctx, s.Pool)
	require.ErrorContains(t, err, "read the state")
}
