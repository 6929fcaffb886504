package pgrun_test

import (
	"maps"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// addRun adds a run with an event of its own and no trace.
func addRun(s *pgtest.Store, rows pgtest.Rows, name string, change pgtest.Values) {
	s.T.Helper()
	values := pgtest.Values{"id": name, "event_id": "e-" + name, "status": "waiting", "due_at": pgtest.Noon, "trace": "[]", "digest_id": nil, "subscriber_id": "s"}
	maps.Copy(values, change)
	s.Add(rows, "notifications", values)
}

func addMessage(s *pgtest.Store, run, name string, change pgtest.Values) {
	s.T.Helper()
	values := pgtest.Values{"id": name, "notification_id": run, "step_id": name, "channel": "email", "status": "pending", "due_at": pgtest.Noon, "attempts": 0}
	maps.Copy(values, change)
	s.Add(s.Here, "messages", values)
}

func cancel(s *pgtest.Store, rows pgtest.Rows, runs ...string) (stopped []string) {
	s.T.Helper()
	s.InTx(func(tx pgx.Tx) {
		var err error
		stopped, err = pgrun.CancelRuns(s.Ctx, tx, rows.Scope, runs, *pgtest.At(1), wait)
		require.NoError(s.T, err)
	})
	return stopped
}

// wait lets a run wait at once where another one is cancelled.
func wait(p *pgrun.Place) *pgrun.Continuation {
	p.Next.Status, p.Next.DueAt = workflow.RunWaiting, &p.At
	return &pgrun.Continuation{Next: p.Next}
}

// TestCancelRunsUnderALease: a message that waits under a lease is deleted; one whose attempt has begun stays.
func TestCancelRunsUnderALease(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for _, name := range []string{"waits", "calls"} {
		addRun(s, s.Here, name, pgtest.Values{"status": "pending", "due_at": nil})
		addMessage(s, name, "m-"+name, pgtest.Values{"due_at": nil, "lease_id": "l"})
	}
	s.Add(s.Here, "attempts", pgtest.Values{"message_id": "m-calls", "number": 1, "outcome": "intent"})
	require.Equal(t, []string{"waits"}, cancel(s, s.Here, "waits", "calls"))
	require.Equal(t, "m-calls", pgtest.Ask[string](s, `SELECT string_agg(id, ' ') FROM messages WHERE lease_id = 'l'`))
}

func TestCancelEvents(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	add := func(rows pgtest.Rows, name string, change pgtest.Values) {
		values := pgtest.Values{"id": name, "transaction_id": "t", "status": "accepted", "due_at": pgtest.Noon, "trace": "[]"}
		maps.Copy(values, change)
		s.Add(rows, "events", values)
	}
	add(s.Here, "waits", nil)
	add(s.Here, "done", pgtest.Values{"status": "fanned_out", "due_at": nil})
	add(s.Here, "parked", pgtest.Values{"status": "parked", "due_at": nil})
	add(s.Here, "null", pgtest.Values{"trace": nil})
	add(s.Here, "other", pgtest.Values{"transaction_id": "u"})
	add(s.There, "foreign", nil)
	s.InTx(func(tx pgx.Tx) {
		all, stopped, err := pgrun.CancelEvents(s.Ctx, tx, s.Here.Scope, "t", pgtest.Noon)
		require.NoError(t, err)
		require.Equal(t, []string{"done", "null", "parked", "waits"}, all)
		require.ElementsMatch(t, []string{"waits", "null"}, stopped, "those that still had recipients to find")
		_, stopped, err = pgrun.CancelEvents(s.Ctx, tx, s.Here.Scope, "t", pgtest.Noon)
		require.NoError(t, err)
		require.Empty(t, stopped, "once")
	})
	for _, name := range []string{"waits", "null"} {
		event := s.Record("events", name)
		require.Equal(t, []any{"cancelled", nil}, []any{event["status"], event["due_at"]})
		require.Len(t, event["trace"], 1)
	}
	for name, status := range map[string]string{"done": "fanned_out", "parked": "parked", "other": "accepted", "foreign": "accepted"} {
		require.Equal(t, status, s.Record("events", name)["status"], name)
	}
}

func TestEventRuns(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for _, name := range []string{"a", "b", "c"} {
		addRun(s, s.Here, name, pgtest.Values{"event_id": "e", "subscriber_id": name})
	}
	addRun(s, s.Here, "d", nil)
	addRun(s, s.There, "f", pgtest.Values{"event_id": "e", "subscriber_id": "f"})
	for _, c := range []struct {
		after string
		limit int
		want  []string
	}{{"", 9, []string{"a", "b", "c"}}, {"", 2, []string{"a", "b"}}, {"b", 2, []string{"c"}}, {"c", 2, []string{}}} {
		s.InTx(func(tx pgx.Tx) {
			runs, err := pgrun.EventRuns(s.Ctx, tx, s.Here.Scope, []string{"e", "none"}, c.after, c.limit)
			require.NoError(t, err)
			require.Equal(t, c.want, append([]string{}, runs...), "%+v", c)
		})
	}
}

// TestCancelRuns says what a cancellation makes of a run in each state.
func TestCancelRuns(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for name, c := range map[string]struct {
		run      pgtest.Values
		messages map[string]pgtest.Values
		stops    bool
	}{
		"waits":          {nil, nil, true},
		"due":            {pgtest.Values{"status": "pending"}, nil, true},
		"awaits":         {pgtest.Values{"status": "pending", "due_at": nil, "state": `{"awaiting": "mail"}`}, nil, true},
		"completed":      {pgtest.Values{"status": "completed", "due_at": nil}, nil, false},
		"parked":         {pgtest.Values{"status": "parked", "due_at": nil}, nil, false},
		"merged":         {pgtest.Values{"status": "merged", "due_at": nil}, nil, false},
		"all withdrawn":  {pgtest.Values{"status": "pending", "due_at": nil}, map[string]pgtest.Values{"all-a": nil, "all-b": {"attempts": 2}}, true},
		"one under way":  {pgtest.Values{"status": "pending", "due_at": nil}, map[string]pgtest.Values{"one-a": nil, "one-b": {"leased_until": "infinity"}}, false},
		"nothing to say": {pgtest.Values{"status": "pending", "due_at": nil}, map[string]pgtest.Values{"no-a": {"status": "sent", "due_at": nil}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			addRun(s, s.Here, name, c.run)
			for message, change := range c.messages {
				if change["leased_until"] != nil {
					change["leased_until"] = pgtest.Noon.AddDate(100, 0, 0)
				}
				addMessage(s, name, message, change)
			}
			before := s.Record("notifications", name)
			require.Empty(t, cancel(s, s.There, name), "another environment cancels nothing")
			require.Equal(t, before, s.Record("notifications", name))
			stopped := cancel(s, s.Here, name, "none")
			after := s.Record("notifications", name)
			if c.stops {
				require.Equal(t, []string{name}, stopped)
				require.Equal(t, []any{"cancelled", nil, pgtest.JSONTime(1)}, []any{after["status"], after["due_at"], after["finished_at"]})
				require.Empty(t, cancel(s, s.Here, name), "once")
				return
			}
			require.Empty(t, stopped)
			require.Equal(t, []any{before["status"], before["finished_at"]}, []any{after["status"], after["finished_at"]})
		})
	}
}

// TestWhatIsCancelledIsNotHeld: no pause is named by what it can hold no more.
func TestWhatIsCancelledIsNotHeld(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	held := pgtest.Values{"held_by": "p", "due_at": pgtest.Noon.AddDate(1000, 0, 0)}
	s.Add(s.Here, "events", pgtest.Values{"id": "e", "transaction_id": "t", "status": "accepted", "trace": "[]", "held_by": "p", "due_at": held["due_at"]})
	addRun(s, s.Here, "r", held)
	addMessage(s, "r", "m", pgtest.Values{"attempts": 1, "held_by": "p", "due_at": held["due_at"]})
	require.Equal(t, []string{"r"}, cancel(s, s.Here, "r"))
	s.InTx(func(tx pgx.Tx) {
		_, stopped, err := pgrun.CancelEvents(s.Ctx, tx, s.Here.Scope, "t", pgtest.Noon)
		require.NoError(t, err)
		require.Equal(t, []string{"e"}, stopped)
	})
	for table, name := range map[string]string{"events": "e", "notifications": "r", "messages": "m"} {
		require.Nil(t, s.Record(table, name)["held_by"], table)
	}
}

// TestWithdrawnMessages says what a cancellation makes of a message in each state.
func TestWithdrawnMessages(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	addRun(s, s.Here, "r", nil)
	addMessage(s, "r", "untried", nil)
	addMessage(s, "r", "tried", pgtest.Values{"attempts": 1})
	addMessage(s, "r", "lapsed", pgtest.Values{"attempts": 1, "leased_until": pgtest.Noon})
	addMessage(s, "r", "leased", pgtest.Values{"leased_until": pgtest.Noon.AddDate(100, 0, 0)})
	addMessage(s, "r", "sent", pgtest.Values{"status": "sent", "due_at": nil, "attempts": 1})
	addMessage(s, "r", "shown", pgtest.Values{"channel": "in_app"})
	addMessage(s, "r", "reported", pgtest.Values{"status": "sent", "attempts": 1})
	s.Add(s.Here, "attempts", pgtest.Values{"id": "rejected", "message_id": "tried", "number": 1, "outcome": "rejected"})
	s.Add(s.Here, "attempts", pgtest.Values{"id": "intent", "message_id": "lapsed", "number": 1, "outcome": "intent"})
	require.Equal(t, []string{"r"}, cancel(s, s.Here, "r"))
	require.Zero(t, pgtest.Ask[int](s, `SELECT count(*) FROM messages WHERE id = 'untried'`), "what was never tried vanishes")
	for name, want := range map[string][]any{
		"tried":    {"error", "cancelled", nil},
		"lapsed":   {"error", "outcome_unknown", nil},
		"leased":   {"pending", "cancelled", pgtest.JSONTime(0)}, // its attempt is under way, and the last
		"sent":     {"sent", nil, nil},
		"shown":    {"pending", nil, pgtest.JSONTime(0)},
		"reported": {"sent", nil, nil},
	} {
		m := s.Record("messages", name)
		require.Equal(t, want, []any{m["status"], m["error_id"], m["due_at"]}, name)
	}
	require.Equal(t, []string{"unknown", "rejected"}, []string{s.Record("attempts", "intent")["outcome"].(string), s.Record("attempts", "rejected")["outcome"].(string)})
	require.Equal(t, 5, pgtest.Ask[int](s, `SELECT jsonb_array_length(trace) FROM notifications WHERE id = 'r'`), "one entry of each message, and the end")
}

// TestCancelledRunsLeaveTheirWindow says who continues with an open window.
func TestCancelledRunsLeaveTheirWindow(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	open := func(name string, members ...string) {
		s.Add(s.Here, "digests", pgtest.Values{"id": "d-" + name, "status": "open", "digest_key": name, "step_id": "digest", "notification_id": members[0], "total": len(members), "closes_at": *pgtest.At(60)})
		for i, member := range members {
			change := pgtest.Values{"digest_id": "d-" + name, "event_id": "e-" + member, "status": "merged", "due_at": nil}
			if i == 0 {
				change = pgtest.Values{"digest_id": "d-" + name, "due_at": *pgtest.At(60), "state": `{"digest": {"early": []}}`}
			}
			addRun(s, s.Here, member, change)
		}
	}
	window := func(name string) []any {
		d := s.Record("digests", "d-"+name)
		return []any{d["status"], d["notification_id"], d["total"]}
	}
	open("heir", "h1", "h2", "h3")
	require.Equal(t, []string{"h1"}, cancel(s, s.Here, "h1"))
	require.Equal(t, []any{"open", "h2", 2.0}, window("heir"), "the oldest of the others takes over")
	heir := s.Record("notifications", "h2")
	require.Equal(t, []any{"waiting", pgtest.JSONTime(60), map[string]any{"digest": map[string]any{"early": []any{}}}}, []any{heir["status"], heir["due_at"], heir["state"]})
	require.Equal(t, []any{"cancelled", nil}, []any{s.Record("notifications", "h1")["status"], s.Record("notifications", "h1")["digest_id"]})

	open("member", "m1", "m2")
	require.Equal(t, []string{"m2"}, cancel(s, s.Here, "m2"), "a merged run stops while its window is open")
	require.Equal(t, []any{"open", "m1", 1.0}, window("member"))
	require.Equal(t, "waiting", s.Record("notifications", "m1")["status"])

	open("all", "a1", "a2")
	require.Equal(t, []string{"a1", "a2"}, cancel(s, s.Here, "a1", "a2"))
	require.Equal(t, []any{"cancelled", "a1", 0.0}, window("all"), "a window without runs ends")
}

// TestDroppedRunsHaveNoHeirs: what was merged into a run that is dropped ends with it.
func TestDroppedRunsHaveNoHeirs(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	add := func(name string) {
		addRun(s, s.Here, name, nil)
		addRun(s, s.Here, name+"-merged", pgtest.Values{"digest_id": "d-" + name, "status": "merged", "due_at": nil})
		s.Add(s.Here, "digests", pgtest.Values{"id": "d-" + name, "status": "closed", "digest_key": name, "step_id": "digest", "notification_id": name, "total": 2, "closes_at": *pgtest.At(0)})
	}
	status := func(run string) any { return s.Record("notifications", run)["status"] }
	add("dropped")
	s.InTx(func(tx pgx.Tx) {
		stopped, err := pgrun.CancelRuns(s.Ctx, tx, s.Here.Scope, []string{"dropped"}, *pgtest.At(1), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"dropped"}, stopped)
	})
	require.Equal(t, []any{"cancelled", "merged"}, []any{status("dropped"), status("dropped-merged")})

	add("cancelled")
	require.Equal(t, []string{"cancelled"}, cancel(s, s.Here, "cancelled"))
	require.Equal(t, []any{"cancelled", "waiting"}, []any{status("cancelled"), status("cancelled-merged")})
	require.Equal(t, []any{"cancelled-merged", 1.0}, []any{s.Record("digests", "d-cancelled")["notification_id"], s.Record("digests", "d-cancelled")["total"]})
}

// TestCancelledRunsThatEnterAWindowMeanwhile: a run that a worker takes into a window while its cancellation waits leaves that window, too:
// else later events would join a window that no run continues.
func TestCancelledRunsThatEnterAWindowMeanwhile(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	addRun(s, s.Here, "opens", nil)
	addRun(s, s.Here, "joins", nil)
	addRun(s, s.Here, "other", pgtest.Values{"digest_id": "joined"})
	s.Add(s.Here, "digests", pgtest.Values{"id": "joined", "status": "open", "digest_key": "j", "notification_id": "other", "total": 1, "closes_at": *pgtest.At(60)})
	worker, err := s.Pool.Begin(s.Ctx)
	require.NoError(t, err)
	defer func() { _ = worker.Rollback(s.Ctx) }()
	for _, sql := range []string{
		`SELECT FROM digests WHERE id = 'joined' FOR UPDATE`,
		`UPDATE notifications SET digest_id = 'opened' WHERE id = 'opens'`,
		`UPDATE notifications SET digest_id = 'joined', status = 'merged', due_at = NULL WHERE id = 'joins'`,
		`INSERT INTO digests SELECT (jsonb_populate_record(d, '{"id": "opened", "digest_key": "o", "notification_id": "opens"}')).* FROM digests d WHERE id = 'joined'`,
		`UPDATE digests SET total = 2 WHERE id = 'joined'`,
	} {
		_, err := worker.Exec(s.Ctx, sql)
		require.NoError(t, err)
	}
	stopped := cancelBeside(s, "joins", "opens")
	require.NoError(t, worker.Commit(s.Ctx))
	require.Equal(t, []string{"joins", "opens"}, <-stopped)
	<-stopped
	for name, want := range map[string][]any{"opened": {"cancelled", 0.0}, "joined": {"open", 1.0}} {
		d := s.Record("digests", name)
		require.Equal(t, want, []any{d["status"], d["total"]}, name)
	}
	require.Nil(t, s.Record("notifications", "joins")["digest_id"])
}

// cancelBeside cancels runs beside a transaction that holds what this waits for: it returns when it does.
func cancelBeside(s *pgtest.Store, runs ...string) (stopped <-chan []string) {
	s.T.Helper()
	answer := make(chan []string, 1)
	go func() {
		defer close(answer)
		assert.NoError(s.T, pgx.BeginFunc(s.Ctx, s.Pool, func(tx pgx.Tx) error {
			ids, err := pgrun.CancelRuns(s.Ctx, tx, s.Here.Scope, runs, *pgtest.At(1), wait)
			answer <- ids
			return err
		}))
	}()
	require.Eventually(s.T, func() bool {
		return pgtest.Ask[bool](s, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`)
	}, stall.Limit(time.Minute), time.Millisecond, "the cancellation waits")
	return answer
}

// TestCancelLocksWindowsInTheOrderOfAll: a fan-out that joins several windows and a cancellation that takes events out of them wait for each
// other in one order, or one of them would fail by a deadlock.
func TestCancelLocksWindowsInTheOrderOfAll(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for key, name := range map[string]string{"1st": "z", "2nd": "a"} { // ids have another order than identities
		addRun(s, s.Here, name, pgtest.Values{"digest_id": name})
		s.Add(s.Here, "digests", pgtest.Values{
			"id": name, "status": "open", "workflow_id": "w", "step_id": "s", "subscriber_id": "s", "digest_key": key, "notification_id": name, "total": 1, "closes_at": *pgtest.At(60),
		})
	}
	worker, err := s.Pool.Begin(s.Ctx)
	require.NoError(t, err)
	defer func() { _ = worker.Rollback(s.Ctx) }()
	join := func(key string) {
		_, err := worker.Exec(s.Ctx, `SELECT FROM digests WHERE digest_key = $1 FOR UPDATE`, key)
		require.NoError(t, err)
	}
	join("1st")
	stopped := cancelBeside(s, "a", "z")
	join("2nd")
	require.NoError(t, worker.Commit(s.Ctx))
	require.Equal(t, []string{"a", "z"}, <-stopped)
}
