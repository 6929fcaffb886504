package pginbox_test

import (
	"maps"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// shown adds an in-app message that has come, of the subscriber in rows.
func shown(s *pgtest.Store, rows pgtest.Rows, step string, change pgtest.Values) string {
	s.T.Helper()
	values := pgtest.Values{"channel": "in_app", "status": "sent", "step_id": step, "scope": "", "arrived_at": pgtest.Noon}
	maps.Copy(values, change)
	return s.Add(rows, "messages", values)
}

// counters of an inbox: "sequence total unread unseen".
func counters(s *pgtest.Store, rows pgtest.Rows) string {
	s.T.Helper()
	return pgtest.Ask[string](s, `SELECT concat_ws(' ', sequence, total, unread, unseen) FROM inbox_states WHERE subscriber_id = $1 AND scope = ''`, rows.IDs["subscribers"])
}

func newInbox(t *testing.T) *pgtest.Store {
	t.Helper()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM inbox_states`)
	for _, rows := range []pgtest.Rows{s.Here, s.There} {
		s.Add(rows, "inbox_states", pgtest.Values{"scope": "", "sequence": 10, "total": 10, "unread": 10, "unseen": 10})
	}
	return s
}

func TestInboxDeltas(t *testing.T) {
	t.Parallel()
	snoozed := pgtest.Noon
	plain := pginbox.InboxMessage{EnvironmentID: "e", SubscriberID: "s", Scope: "x", ContextKeys: []string{"k"}}
	for name, c := range map[string]struct {
		before, after func(m *pginbox.InboxMessage)
		want          [3]int // total, unread, unseen
	}{
		"read":             {nil, func(m *pginbox.InboxMessage) { m.Read, m.Seen = true, true }, [3]int{0, -1, -1}},
		"seen":             {nil, func(m *pginbox.InboxMessage) { m.Seen = true }, [3]int{0, 0, -1}},
		"archived":         {nil, func(m *pginbox.InboxMessage) { m.Archived = true }, [3]int{-1, -1, -1}},
		"archived as read": {func(m *pginbox.InboxMessage) { m.Read = true }, func(m *pginbox.InboxMessage) { m.Read, m.Archived = true, true }, [3]int{-1, 0, -1}},
		"snoozed":          {nil, func(m *pginbox.InboxMessage) { m.SnoozedUntil = &snoozed }, [3]int{-1, -1, -1}},
		"come back":        {func(m *pginbox.InboxMessage) { m.SnoozedUntil = &snoozed }, nil, [3]int{1, 1, 1}},
		"of two":           {func(m *pginbox.InboxMessage) { m.SnoozedUntil = &snoozed }, func(m *pginbox.InboxMessage) { m.Archived = true }, [3]int{}},
		"nothing":          {nil, nil, [3]int{}},
	} {
		before, after := plain, plain
		if c.before != nil {
			c.before(&before)
		}
		if c.after != nil {
			c.after(&after)
		}
		require.Equal(t, []pginbox.InboxDelta{{
			EnvironmentID: "e", SubscriberID: "s", Scope: "x", ContextKeys: []string{"k"}, Total: c.want[0], Unread: c.want[1], Unseen: c.want[2],
		}}, pginbox.InboxDeltas([]pginbox.InboxChange{{Before: &before, After: &after}}), name)
	}
}

func TestLockInboxMessages(t *testing.T) {
	t.Parallel()
	s := newInbox(t)
	subscriber := s.Here.IDs["subscribers"]
	first := shown(s, s.Here, "first", pgtest.Values{"cta": `{"action": {"status": "pending"}}`, "delivered_at": nil})
	second := shown(s, s.Here, "second", nil)
	pending := shown(s, s.Here, "pending", pgtest.Values{"status": "pending"})
	mail := shown(s, s.Here, "mail", pgtest.Values{"channel": "email"})
	others := shown(s, s.Here, "others", pgtest.Values{"subscriber_id": "other"})
	foreign := shown(s, s.There, "foreign", nil)
	all := []id.ID{second, first, pending, mail, others, foreign, "none"}
	s.InTx(func(tx pgx.Tx) {
		locked, err := pginbox.LockInboxMessages(s.Ctx, tx, s.Here.Scope, subscriber, all)
		require.NoError(t, err)
		require.Equal(t, []string{first, second}, pgtest.Names(locked, func(m **pginbox.InboxMessage) string { return (*m).ID }), "in order, and nothing that no inbox shows")
		require.NotNil(t, locked[0].CTA)
		require.Empty(t, locked[0].DeliveredAt)
		require.Error(t, locks(s, first), "until the transaction ends")
	})
	require.NoError(t, locks(s, first))
	name := pgtest.Ask[string](s, `SELECT subscriber_id FROM subscribers WHERE id = $1`, subscriber)
	lock := func(external string) (owner *ent.Subscriber, found []*ent.Message) {
		require.NoError(t, s.Batch(s.Ctx, func(b *postgres.Batch) (err error) {
			owner, found, err = pginbox.LockMessages(s.Ctx, b, s.Here.Scope, external, all)
			return err
		}))
		return owner, found
	}
	owner, found := lock(name)
	require.Equal(t, []string{subscriber, first, second}, []string{owner.ID, found[0].ID, found[1].ID}, "whole rows, by the same rules")
	owner, found = lock("none")
	require.Nil(t, owner)
	require.Empty(t, found)
	s.Exec(`UPDATE subscribers SET deleted = true`)
	owner, found = lock(name)
	require.Nil(t, owner)
	require.Empty(t, found)
}

// locks tries to lock a message, without waiting.
func locks(s *pgtest.Store, message string) error {
	_, err := s.Pool.Exec(s.Ctx, `SELECT FROM messages WHERE id = $1 FOR UPDATE NOWAIT`, message)
	return err
}

func TestSaveInbox(t *testing.T) {
	t.Parallel()
	s := newInbox(t)
	message, beside := shown(s, s.Here, "a", nil), shown(s, s.Here, "b", nil)
	change := func(save func(tx pgx.Tx, changes []pginbox.InboxChange), edit func(m *pginbox.InboxMessage)) {
		s.InTx(func(tx pgx.Tx) {
			locked, err := pginbox.LockInboxMessages(s.Ctx, tx, s.Here.Scope, s.Here.IDs["subscribers"], []id.ID{message})
			require.NoError(t, err)
			after := *locked[0]
			edit(&after)
			save(tx, []pginbox.InboxChange{{Before: locked[0], After: &after}})
		})
	}
	inbox := func(tx pgx.Tx, changes []pginbox.InboxChange) {
		require.NoError(t, pginbox.SaveInbox(s.Ctx, tx, changes))
	}
	whole := func(tx pgx.Tx, changes []pginbox.InboxChange) {
		saved, err := pginbox.SaveMessages(s.Ctx, &postgres.Batch{Pgx: tx}, changes)
		require.NoError(t, err)
		require.Len(t, saved, 1)
		require.Equal(t, changes[0].After.Read, saved[0].Read, "it answers the message as it is now")
	}
	change(inbox, func(m *pginbox.InboxMessage) {
		m.Read, m.Seen, m.LastReadAt, m.LastSeenAt, m.DeliveredAt = true, true, pgtest.At(1), pgtest.At(2), []string{"x"}
		m.CTA = &workflow.CTA{}
	})
	row := s.Record("messages", message)
	require.Equal(t, []any{true, true, pgtest.JSONTime(1), pgtest.JSONTime(2), []any{"x"}, 11.0, "a"},
		[]any{row["read"], row["seen"], row["last_read_at"], row["last_seen_at"], row["delivered_at"], row["sequence"], row["step_id"]})
	require.Equal(t, "11 10 9 9", counters(s, s.Here))
	change(whole, func(m *pginbox.InboxMessage) { m.Read = false })
	require.Equal(t, "12 10 10 9", counters(s, s.Here))
	require.Equal(t, 12.0, s.Record("messages", message)["sequence"])
	change(inbox, func(m *pginbox.InboxMessage) { m.Archived, m.ArchivedAt = true, pgtest.At(3) })
	require.Equal(t, "13 9 9 9", counters(s, s.Here))
	require.Equal(t, false, s.Record("messages", beside)["archived"], "others stay")
	require.Equal(t, "10 10 10 10", counters(s, s.There))
	s.InTx(func(tx pgx.Tx) { inbox(tx, nil) })
	require.NoError(t, s.Batch(s.Ctx, func(b *postgres.Batch) error {
		saved, err := pginbox.SaveMessages(s.Ctx, b, nil)
		require.Empty(t, saved)
		return err
	}))
	require.Equal(t, "13 9 9 9", counters(s, s.Here), "no change moves no sequence")
}

func TestDeleteInboxMessages(t *testing.T) {
	t.Parallel()
	s := newInbox(t)
	read, archived, kept := shown(s, s.Here, "a", pgtest.Values{"read": true, "seen": true}), shown(s, s.Here, "b", pgtest.Values{"archived": true}), shown(s, s.Here, "c", nil)
	s.Add(s.Here, "attempts", pgtest.Values{"message_id": read, "number": 1})
	s.Add(s.Here, "attempts", pgtest.Values{"message_id": kept, "number": 1})
	s.InTx(func(tx pgx.Tx) {
		locked, err := pginbox.LockInboxMessages(s.Ctx, tx, s.Here.Scope, s.Here.IDs["subscribers"], []id.ID{read, archived})
		require.NoError(t, err)
		require.NoError(t, pginbox.DeleteInboxMessages(s.Ctx, tx, locked))
		require.NoError(t, pginbox.DeleteInboxMessages(s.Ctx, tx, nil))
	})
	require.Equal(t, "11 9 10 10", counters(s, s.Here), "an archived message was not counted, a read one not as unread")
	require.Zero(t, pgtest.Ask[int](s, `SELECT count(*) FROM messages WHERE id = ANY($1)`, []string{read, archived}))
	require.Equal(t, []int{0, 1}, pgtest.Ask[[]int](s, `SELECT ARRAY[count(*) FILTER (WHERE message_id = $1), count(*) FILTER (WHERE message_id = $2)]::int[] FROM attempts`, read, kept))
	require.Equal(t, 2, pgtest.Ask[int](s, `SELECT count(*) FROM inbox_removals WHERE message_id = ANY($1) AND sequence = 11`, []string{read, archived}))
}

func TestShown(t *testing.T) {
	t.Parallel()
	s := newInbox(t)
	run := s.Here.IDs["notifications"]
	message := shown(s, s.Here, "step", pgtest.Values{"subject": "old", "data": `{"k": 1}`})
	shown(s, s.Here, "mail", pgtest.Values{"channel": "email"})
	key := pginbox.StepKey{NotificationID: run, StepID: "step"}
	s.InTx(func(tx pgx.Tx) {
		found, err := pginbox.LockShown(s.Ctx, tx, []pginbox.StepKey{key, {NotificationID: run, StepID: "mail"}, {NotificationID: "none", StepID: "step"}})
		require.NoError(t, err)
		require.Len(t, found, 1, "in-app messages alone")
		require.Equal(t, message, found[key].ID)
		require.NoError(t, pginbox.StoreShown(s.Ctx, tx, []pginbox.ShownContent{{MessageID: message, Subject: new("new"), Content: []byte(`{"body": "b"}`)}}))
	})
	row := s.Record("messages", message)
	require.Equal(t, []any{"new", map[string]any{"body": "b"}, nil, nil}, []any{row["subject"], row["content"], row["data"], row["avatar"]}, "all of the content is replaced")
}

func TestLockSnoozed(t *testing.T) {
	t.Parallel()
	s := newInbox(t)
	late, early := shown(s, s.Here, "late", pgtest.Values{"snoozed_until": *pgtest.At(0)}), shown(s, s.There, "early", pgtest.Values{"snoozed_until": *pgtest.At(-5)})
	shown(s, s.Here, "sleeps", pgtest.Values{"snoozed_until": *pgtest.At(1)})
	lock := func(tx pgx.Tx, at pgdue.Moment, limit int) []string {
		found, err := pginbox.LockSnoozed(s.Ctx, tx, at, limit)
		require.NoError(t, err)
		return pgtest.Names(found, func(m **pginbox.InboxMessage) string { return (*m).ID })
	}
	now := pgdue.Moment{Now: pgtest.Noon}
	s.Meanwhile(func(tx pgx.Tx) { require.Equal(t, []string{early}, lock(tx, now, 1), "the one that waits longest") },
		func(tx pgx.Tx) { require.Equal(t, []string{late}, lock(tx, now, 9), "another worker's are left out") })
	s.Meanwhile(func(tx pgx.Tx) {
		_, err := tx.Exec(s.Ctx, `SELECT FROM inbox_states WHERE environment_id = $1 FOR UPDATE`, s.There.Scope.EnvironmentID)
		require.NoError(t, err)
	}, func(tx pgx.Tx) {
		require.Equal(t, []string{late}, lock(tx, now, 1), "what waits behind an inbox that is locked takes no other's place")
	})
	s.InTx(func(tx pgx.Tx) { require.Equal(t, []string{early, late}, lock(tx, now, 9)) })
	s.Exec(`UPDATE environments SET clock_at = $2, type = 'development' WHERE id = $1`, s.Here.Scope.EnvironmentID, pgtest.At(-1))
	s.InTx(func(tx pgx.Tx) {
		require.Equal(t, []string{early}, lock(tx, pgdue.Moment{Now: pgtest.Noon, Virtual: true}, 9), "an environment with a frozen clock waits for that")
	})
}
