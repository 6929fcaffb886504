package pgupkeep_test

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

const day = 24 * time.Hour

// pruned deletes what is past a retention of ten days, and returns how much of one kind that was at most.
func pruned(s *pgtest.Store, limit int) int {
	s.T.Helper()
	deleted, err := pgupkeep.Prune(s.Ctx, s.DB, pgtest.Noon, pgupkeep.Retention{Claims: 10 * day, Records: 10 * day}, limit)
	require.NoError(s.T, err)
	return int(deleted)
}

var olds atomic.Int64

// old is an id of a number of days before Noon; each is later than the one before of the same day.
func old(days int) string {
	return id.Floor(pgtest.Noon.Add(-time.Duration(days)*day + time.Duration(olds.Add(1))*time.Millisecond))
}

func TestPruneKeepsWhatIsInUse(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	pruned(s, 100) // rows of Fill that are due far from Noon
	past := func(name string, change pgtest.Values) (run string) {
		values := pgtest.Values{"id": old(11), "event_id": s.Add(s.Here, "events", pgtest.Values{"id": old(11), "transaction_id": name, "status": "fanned_out"}), "status": "completed", "digest_id": nil}
		maps.Copy(values, change)
		return s.Add(s.Here, "notifications", values)
	}
	window := s.Add(s.Here, "digests", pgtest.Values{"id": old(12), "status": "open", "step_id": "d"})
	kept := map[string]string{
		"is due":          past("due", pgtest.Values{"due_at": pgtest.Noon}),
		"waits":           past("waits", pgtest.Values{"status": "waiting"}),
		"is pending":      past("pending", pgtest.Values{"status": "pending"}),
		"is in a window":  past("window", pgtest.Values{"status": "merged", "digest_id": window}),
		"is young":        past("young", pgtest.Values{"id": old(9)}),
		"sends a message": past("sends", nil),
		"has a snooze":    past("snooze", nil),
	}
	kept["is of an event that is fanned out still"] = past("fanned out", nil)
	s.Exec(`UPDATE events e SET due_at = $2 FROM notifications n WHERE n.id = $1 AND e.id = n.event_id`, kept["is of an event that is fanned out still"], pgtest.Noon)
	s.Add(s.Here, "messages", pgtest.Values{"notification_id": kept["sends a message"], "due_at": pgtest.Noon})
	s.Add(s.Here, "messages", pgtest.Values{"notification_id": kept["has a snooze"], "snoozed_until": pgtest.Noon})
	gone := past("gone", nil)
	message := s.Add(s.Here, "messages", pgtest.Values{"id": old(11), "notification_id": gone})
	attempt := s.Add(s.Here, "attempts", pgtest.Values{"message_id": message, "number": 1})
	pruned(s, 100)
	exists := func(table, record string) bool {
		return pgtest.Ask[bool](s, `SELECT EXISTS (SELECT FROM `+table+` WHERE id = $1)`, record)
	}
	for why, run := range kept {
		require.True(t, exists("notifications", run), "a run that %s stays", why)
	}
	for table, record := range map[string]string{"notifications": gone, "messages": message, "attempts": attempt} {
		require.False(t, exists(table, record), table)
	}
	require.Equal(t, len(kept), pgtest.Ask[int](s, `SELECT count(*) FROM events WHERE id < $1`, id.Floor(pgtest.Noon.Add(-10*day))), "the event of a run goes with its last run")
	require.True(t, exists("digests", window))
}

// TestPruneKeepsWhatDigestsRead: the events of a closed window stay until the run that it belongs to has ended, or, where that one was
// merged into another window, the run of that.
func TestPruneKeepsWhatDigestsRead(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	pruned(s, 100)
	run := func(name, status string, window any) string {
		event := s.Add(s.Here, "events", pgtest.Values{"id": old(11), "transaction_id": name, "status": "fanned_out", "due_at": nil})
		return s.Add(s.Here, "notifications", pgtest.Values{"id": old(11), "event_id": event, "status": status, "due_at": nil, "digest_id": window})
	}
	window := func(owner, step string) string {
		id := s.Add(s.Here, "digests", pgtest.Values{"id": old(12), "status": "closed", "step_id": step, "notification_id": owner})
		s.Exec(`UPDATE notifications SET digest_id = $2 WHERE id = $1`, owner, id)
		return id
	}
	outer := run("outer", "waiting", nil) // behind its window, at a delay
	second := window(outer, "second")
	inner := run("inner", "waiting", nil)
	first := window(inner, "first")
	merged := run("merged", "merged", first)
	s.Exec(`UPDATE notifications SET status = 'merged', digest_id = $2 WHERE id = $1`, inner, second)

	left := func() []string {
		pruned(s, 100)
		pruned(s, 100)
		return pgtest.Column[string](s, s.Here, "notifications", "id")
	}
	require.Subset(t, left(), []string{outer, inner, merged})
	s.Exec(`UPDATE notifications SET status = 'completed' WHERE id = $1`, outer)
	for _, past := range []string{outer, inner, merged} {
		require.NotContains(t, left(), past)
	}
}

// TestPruneKeepsWhatLookBacksReach: a digest that looks back further than the retention knows of the events before, by its environment's
// clock.
func TestPruneKeepsWhatLookBacksReach(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM digests`)
	flow := func(name, digest string) string {
		workflow := s.Add(s.Here, "workflows", pgtest.Values{"identifier": name})
		version := s.Add(s.Here, "workflow_versions", pgtest.Values{"workflow_id": workflow, "number": 1, "definition": `{"steps": [{"stepId": "mail"}, {"stepId": "d", "digest": ` + digest + `}]}`})
		s.Exec(`UPDATE workflows SET published_version_id = $2 WHERE id = $1`, workflow, version)
		return workflow
	}
	fortnight := flow("fortnight", `{"type": "backoff", "backoffAmount": 2, "backoffUnit": "weeks"}`)
	plain := flow("plain", `{"type": "regular", "amount": 2, "unit": "weeks"}`)
	window := func(workflow, step string, days int) string {
		return s.Add(s.Here, "digests", pgtest.Values{
			"id": old(days), "workflow_id": workflow, "step_id": step, "status": "passed",
			"notification_id": "gone", "last_event_at": pgtest.Noon.Add(-time.Duration(days) * day),
		})
	}
	reached := window(fortnight, "d", 13)
	window(fortnight, "d", 15)
	window(fortnight, "removed", 13)
	window(plain, "d", 13)
	left := func() []string {
		pruned(s, 100)
		return pgtest.Column[string](s, s.Here, "digests", "id")
	}
	require.Equal(t, []string{reached}, left())
	s.Exec(`UPDATE environments SET type = 'development', clock_at = $2 WHERE id = $1`, s.Here.Scope.EnvironmentID, pgtest.Noon.Add(2*day))
	require.Empty(t, left())
}

func TestPruneTakesMessagesFromTheirInbox(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	pruned(s, 100)
	run := s.Add(s.Here, "notifications", pgtest.Values{"id": old(11), "event_id": "e", "digest_id": nil, "status": "completed"})
	message := s.Add(s.Here, "messages", pgtest.Values{"notification_id": run, "channel": "in_app", "status": "sent", "seen": true})
	s.Exec(`DELETE FROM inbox_states`)
	s.Add(s.Here, "inbox_states", pgtest.Values{"scope": "", "total": 5, "unread": 3, "unseen": 2, "sequence": 8})
	require.Equal(t, 1, pruned(s, 100))
	require.Equal(t, "9 4 2 2", pgtest.Ask[string](s, `SELECT concat_ws(' ', sequence, total, unread, unseen) FROM inbox_states`))
	require.Equal(t, message, pgtest.Ask[string](s, `SELECT message_id FROM inbox_removals WHERE sequence = 9`), "open inboxes hear of it")
}

func TestPruneByKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		table      string
		gone, kept pgtest.Values
	}{
		{"idempotency_records", pgtest.Values{"id": old(2), "expires_at": pgtest.Noon}, pgtest.Values{"id": old(2), "expires_at": pgtest.At(1), "key": "k"}},
		{"sessions", pgtest.Values{"expires_at": pgtest.Noon}, pgtest.Values{"expires_at": pgtest.At(1)}},
		{"transaction_claims", pgtest.Values{"id": old(11), "created_at": pgtest.Noon.Add(-11 * day)}, pgtest.Values{"id": old(11), "created_at": pgtest.Noon.Add(-10 * day), "transaction_id": "taken again"}},
		{"receipts", pgtest.Values{"id": old(11)}, pgtest.Values{"id": old(9), "provider_event_id": "x"}},
		{"caught_messages", pgtest.Values{"id": old(11)}, pgtest.Values{"id": old(9), "recipient": "x"}},
		{"inbox_removals", pgtest.Values{"id": old(11)}, pgtest.Values{"id": old(9)}},
		{"replies", pgtest.Values{"id": old(11), "due_at": nil}, pgtest.Values{"id": old(11), "due_at": pgtest.Noon}},
		{"webhook_deliveries", pgtest.Values{"id": old(11), "due_at": nil}, pgtest.Values{"id": old(11), "due_at": pgtest.Noon}},
		{"message_retries", pgtest.Values{"id": old(11), "due_at": nil}, pgtest.Values{"id": old(11), "due_at": pgtest.Noon}},
		{"pauses", pgtest.Values{"id": old(12), "resumed_at": pgtest.Noon.Add(-11 * day), "due_at": nil}, pgtest.Values{"id": old(11), "resumed_at": nil, "due_at": nil}},
		{"pauses", pgtest.Values{"id": old(12), "resumed_at": pgtest.Noon.Add(-11 * day), "due_at": nil}, pgtest.Values{"id": old(12), "resumed_at": pgtest.Noon.Add(-9 * day), "due_at": nil}},
		{"pauses", pgtest.Values{"id": old(12), "resumed_at": pgtest.Noon.Add(-11 * day), "due_at": nil}, pgtest.Values{"id": old(12), "resumed_at": pgtest.Noon.Add(-11 * day), "due_at": pgtest.Noon}},
		{"alert_incidents", pgtest.Values{"id": old(11), "closed_at": pgtest.Noon}, pgtest.Values{"id": old(11), "closed_at": nil}},
		{"throttles", pgtest.Values{"ends_at": pgtest.Noon.Add(-11 * day)}, pgtest.Values{"ends_at": pgtest.Noon, "throttle_key": "x"}},
	} {
		t.Run(c.table, func(t *testing.T) {
			t.Parallel()
			s := pgtest.NewStore(t)
			s.Exec(`DELETE FROM ` + c.table)
			s.Add(s.Here, c.table, c.gone)
			kept := s.Add(s.Here, c.table, c.kept)
			pruned(s, 100)
			require.Equal(t, []string{kept}, pgtest.Column[string](s, s.Here, c.table, "id"))
			if slices.Contains([]string{"idempotency_records", "sessions"}, c.table) { // which know their own end
				return
			}
			s.Exec(`DELETE FROM ` + c.table)
			s.Add(s.Here, c.table, c.gone)
			_, err := pgupkeep.Prune(s.Ctx, s.DB, pgtest.Noon, pgupkeep.Retention{}, 100)
			require.NoError(t, err)
			require.Len(t, pgtest.Column[string](s, s.Here, c.table, "id"), 1, "without a retention all stays")
		})
	}
}

// TestPruneKeepsThrottlesOfFrozenClocks: the clock of an environment may be set back, and a window of its past last.
func TestPruneKeepsThrottlesOfFrozenClocks(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM throttles`)
	s.Exec(`UPDATE environments SET type = 'development', clock_at = $2 WHERE id = $1`, s.Here.Scope.EnvironmentID, pgtest.Noon.Add(-30*day))
	s.Add(s.Here, "throttles", pgtest.Values{"ends_at": pgtest.Noon.Add(-31 * day), "throttle_key": "over"})
	lasts := s.Add(s.Here, "throttles", pgtest.Values{"ends_at": pgtest.Noon.Add(-29 * day), "throttle_key": "lasts"})
	pruned(s, 100)
	require.Equal(t, []string{lasts}, pgtest.Column[string](s, s.Here, "throttles", "id"))
	s.Exec(`UPDATE environments SET type = 'production' WHERE id = $1`, s.Here.Scope.EnvironmentID)
	pruned(s, 100)
	require.Empty(t, pgtest.Column[string](s, s.Here, "throttles", "id"), "production runs on real time")
}

func TestPruneIsBounded(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM receipts`)
	for range 5 {
		s.Add(s.Here, "receipts", pgtest.Values{"id": old(11)})
	}
	pruned(s, 100)
	newest := ""
	for days := 15; days > 10; days-- {
		newest = s.Add(s.Here, "receipts", pgtest.Values{"id": old(days)})
	}
	require.Equal(t, 2, pruned(s, 2))
	require.Equal(t, 2, pruned(s, 2))
	require.Equal(t, []string{newest}, pgtest.Column[string](s, s.Here, "receipts", "id"), "the oldest go first")
	require.Equal(t, 1, pruned(s, 2), "less than the limit: nothing is left")
}

func TestInstallation(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	served := func() (first bool) {
		require.NoError(t, s.Tx(s.Ctx, func(ctx context.Context, tx *postgres.Tx) (err error) {
			first, err = pgupkeep.MarkServed(ctx, tx)
			return err
		}))
		return first
	}
	require.Equal(t, []bool{true, false}, []bool{served(), served()})

	replace := func(known, sealed []byte) bool {
		stored, err := pgupkeep.ReplaceSecretCheck(s.Ctx, s.DB, known, sealed)
		require.NoError(t, err)
		return stored
	}
	check := func() []byte {
		sealed, err := pgupkeep.SecretCheck(s.Ctx, s.DB)
		require.NoError(t, err)
		return sealed
	}
	require.Nil(t, check())
	require.True(t, replace(nil, []byte("one")))
	require.False(t, replace(nil, []byte("two")), "another process was first")
	require.False(t, replace([]byte("zero"), []byte("two")))
	require.True(t, replace([]byte("one"), []byte("two")))
	require.Equal(t, []byte("two"), check())

	under, err := pgupkeep.URLsSealed(s.Ctx, s.DB)
	require.NoError(t, err)
	require.Empty(t, under)
	require.NoError(t, pgupkeep.MarkURLsSealed(s.Ctx, s.DB, "k1:"))
	under, err = pgupkeep.URLsSealed(s.Ctx, s.DB)
	require.NoError(t, err)
	require.Equal(t, "k1:", under)
	s.Exec(`UPDATE carillon_installation SET urls_sealed = 'k1:'`) // by a release with fewer columns
	under, err = pgupkeep.URLsSealed(s.Ctx, s.DB)
	require.NoError(t, err)
	require.Empty(t, under)
}
