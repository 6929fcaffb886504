package pgdue_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// quiet is a store without anything that is due, whose first environment is for development.
func quiet(t *testing.T) *pgtest.Store {
	t.Helper()
	s := pgtest.NewStore(t)
	for _, table := range []string{"events", "notifications", "messages"} {
		s.Exec(`UPDATE ` + table + ` SET due_at = NULL`)
	}
	s.Exec(`UPDATE messages SET snoozed_until = NULL`)
	s.Exec(`UPDATE environments SET type = CASE WHEN id = $1 THEN 'development' ELSE 'production' END, clock_at = NULL`, s.Here.Scope.EnvironmentID)
	return s
}

// TestReadClock says how far a frozen clock has come.
func TestReadClock(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sql  string // what is to be done, at the minutes of the case
		at   int
		want int // how far the clock has come
		busy bool
	}{
		"nothing":               {"", 0, 60, false},
		"a run before it":       {`UPDATE notifications SET due_at = $1`, 10, 10, true},
		"a run at its time":     {`UPDATE notifications SET due_at = $1`, 60, 60, true},
		"a run after it":        {`UPDATE notifications SET due_at = $1`, 61, 60, false},
		"a message":             {`UPDATE messages SET due_at = $1`, 20, 20, true},
		"a snooze":              {`UPDATE messages SET snoozed_until = $1`, 30, 30, true},
		"an event":              {`UPDATE events SET due_at = '2999-01-01', created_at = $1`, 5, 5, true},
		"an event to try again": {`UPDATE events SET due_at = '2999-01-01', created_at = '2001-01-01', retry_at = $1`, 40, 40, true},
		"an event that is done": {`UPDATE events SET due_at = NULL, created_at = $1`, 5, 60, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := quiet(t)
			read := func(rows pgtest.Rows) pgdue.ClockState {
				state, err := pgdue.ReadClock(s.Ctx, s.DB, rows.Scope)
				require.NoError(t, err)
				return state
			}
			require.Equal(t, pgdue.ClockState{}, read(s.Here), "it runs with the real clock")
			s.Exec(`UPDATE environments SET clock_at = $1`, *pgtest.At(60))
			if c.sql != "" {
				s.Exec(c.sql, *pgtest.At(c.at))
			}
			state := read(s.Here)
			require.Equal(t, []any{*pgtest.At(60), *pgtest.At(c.want), c.busy}, []any{state.At.UTC(), state.Reached.UTC(), state.Busy})
			require.Equal(t, pgdue.ClockState{}, read(s.There), "production has no clock of its own")
			mixed := s.Here
			mixed.Scope.OrganizationID = s.There.Scope.OrganizationID
			require.Equal(t, pgdue.ClockState{}, read(mixed), "an environment belongs to its organization")
		})
	}
}

// TestDue lists what is due by real time, and where clocks are frozen by theirs.
func TestDue(t *testing.T) {
	t.Parallel()
	s := quiet(t)
	add := func(rows pgtest.Rows, name string, minutes int, change pgtest.Values) {
		message := pgtest.Values{"id": "m-" + name, "step_id": name, "due_at": *pgtest.At(minutes), "lane": "normal"}
		run := pgtest.Values{"id": "n-" + name, "event_id": name, "due_at": *pgtest.At(minutes), "lane": "normal"}
		for column, value := range change {
			if column != "state" {
				message[column] = value
			}
			if column != "leased_until" {
				run[column] = value
			}
		}
		s.Add(rows, "messages", message)
		s.Add(rows, "notifications", run)
	}
	add(s.Here, "b", 0, nil)
	add(s.There, "a", -5, nil)
	add(s.Here, "later", 1, nil)
	due := func(table pgdue.DueTable, virtual bool, limit int) []string {
		ids, oldest, err := pgdue.Due(s.Ctx, s.DB, table, pgdue.Moment{Now: pgtest.Noon, Virtual: virtual}, limit)
		require.NoError(t, err)
		if len(ids) > 0 {
			require.Equal(t, pgtest.Ask[string](s, fmt.Sprintf(`SELECT due_at::text FROM %s WHERE id = $1`, table), ids[0]),
				pgtest.Ask[string](s, `SELECT $1::timestamptz::text`, oldest), "the due time of the first")
		}
		return ids
	}
	for _, c := range []struct {
		table  pgdue.DueTable
		prefix string
	}{{pgdue.DueMessages, "m-"}, {pgdue.DueNotifications, "n-"}} {
		for _, virtual := range []bool{false, true} {
			require.Equal(t, []string{c.prefix + "a", c.prefix + "b"}, due(c.table, virtual, 9), "the oldest first, of all environments")
			require.Equal(t, []string{c.prefix + "a"}, due(c.table, virtual, 1))
		}
	}
	s.Exec(`UPDATE messages SET lane = 'urgent' WHERE id = 'm-b'`)
	require.Equal(t, []string{"m-b"}, due(pgdue.DueMessages, false, 9), "while something urgent is due nothing else is")
	s.Exec(`UPDATE messages SET leased_until = now() + interval '1 hour' WHERE id = 'm-b'`)
	require.Equal(t, []string{"m-a"}, due(pgdue.DueMessages, false, 9))
	require.Equal(t, []string{"m-a"}, due(pgdue.DueMessages, true, 9))
	s.Exec(`UPDATE notifications SET state = '{"call": {}}' WHERE id = 'n-a'`)
	for _, virtual := range []bool{false, true} {
		require.Equal(t, []string{"n-b"}, due(pgdue.DueNotifications, virtual, 9), "whoever waits for a call is not planned")
	}
	s.Exec(`UPDATE environments SET clock_at = $2 WHERE id = $1`, s.Here.Scope.EnvironmentID, *pgtest.At(-1))
	require.Empty(t, due(pgdue.DueNotifications, true, 9), "a clock that is behind holds its runs back")
	s.Exec(`UPDATE environments SET clock_at = $2 WHERE id = $1`, s.Here.Scope.EnvironmentID, *pgtest.At(500))
	require.Equal(t, []string{"n-b"}, due(pgdue.DueNotifications, true, 9), "one that jumped ahead hands out one instant after the other")
}

func TestDueEvents(t *testing.T) {
	t.Parallel()
	s := quiet(t)
	s.Exec(`DELETE FROM events`)
	for name, minutes := range map[string]int{"e-early": -5, "e-late": 5} {
		s.Add(s.Here, "events", pgtest.Values{"id": name, "transaction_id": name, "created_at": *pgtest.At(minutes), "due_at": pgtest.Noon.AddDate(100, 0, 0)})
	}
	s.Add(s.There, "events", pgtest.Values{"id": "e-real", "transaction_id": "r", "created_at": *pgtest.At(-1), "due_at": pgtest.Noon.AddDate(100, 0, 0)})
	due := func() []string {
		ids, _, err := pgdue.Due(s.Ctx, s.DB, pgdue.DueEvents, pgdue.Moment{Now: pgtest.Noon, Virtual: true}, 9)
		require.NoError(t, err)
		return ids
	}
	require.Empty(t, due(), "by real time they wait for their job")
	s.Exec(`UPDATE environments SET clock_at = $2 WHERE id = $1`, s.Here.Scope.EnvironmentID, pgtest.Noon)
	require.Equal(t, []string{"e-early"}, due(), "under a frozen clock they do not")
	s.Exec(`UPDATE events SET checkpoint = '{"started": true}' WHERE id = 'e-early'`)
	require.Empty(t, due(), "one that has begun belongs to its worker until then")
	s.Exec(`UPDATE events SET due_at = $1 WHERE id = 'e-real'`, *pgtest.At(-1))
	require.Equal(t, []string{"e-real"}, due())
}

func TestEnvironmentOf(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for table, id := range map[pgdue.DueTable]string{pgdue.DueEvents: s.Here.IDs["events"], pgdue.DueNotifications: s.Here.IDs["notifications"]} {
		environment, err := pgdue.EnvironmentOf(s.Ctx, s.DB, table, id)
		require.NoError(t, err)
		require.Equal(t, s.Here.Scope.EnvironmentID, environment)
		environment, err = pgdue.EnvironmentOf(s.Ctx, s.DB, table, "none")
		require.NoError(t, err)
		require.Empty(t, environment)
	}
}
