package pgupkeep_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

// identifier is that of an environment.
func identifier(s *pgtest.Store, rows pgtest.Rows) string {
	return pgtest.Ask[string](s, `SELECT identifier FROM environments WHERE id = $1`, rows.Scope.EnvironmentID)
}

func TestServerFacts(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	facts, err := pgupkeep.ReadServerFacts(s.Ctx, s.DB)
	require.NoError(t, err)
	require.GreaterOrEqual(t, facts.Version, 140000)
	require.NotEmpty(t, facts.VersionText)
	require.False(t, facts.ReadOnly)
	require.Positive(t, facts.Used)
	require.WithinDuration(t, time.Now(), facts.Now, time.Minute)

	s.Exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 7', current_database()); END $$`)
	facts, err = pgupkeep.ReadServerFacts(s.Ctx, s.DB)
	require.NoError(t, err)
	require.Equal(t, 7, facts.Connections, "the limit of the database is below that of the server")
}

func TestGaps(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM integrations`)
	s.Exec(`UPDATE workflows SET active = false`)
	publish := func(rows pgtest.Rows, identifier, steps string) string {
		workflow := s.Add(rows, "workflows", pgtest.Values{"identifier": identifier, "active": true})
		version := s.Add(rows, "workflow_versions", pgtest.Values{"workflow_id": workflow, "number": 1, "definition": `{"steps": ` + steps + `}`})
		s.Exec(`UPDATE workflows SET published_version_id = $2 WHERE id = $1`, workflow, version)
		return workflow
	}
	gaps := func() (found []pgupkeep.Gap) {
		found, err := pgupkeep.Gaps(s.Ctx, s.DB, 9)
		require.NoError(t, err)
		return found
	}
	here := identifier(s, s.Here)
	publish(s.Here, "b", `[{"type": "email"}, {"type": "email"}, {"type": "delay"}]`)
	publish(s.Here, "a", `[{"type": "email"}, {"type": "sms", "active": false}]`)
	publish(s.Here, "odd", `{}`)
	off, gone := publish(s.Here, "off", `[{"type": "push"}]`), publish(s.Here, "gone", `[{"type": "push"}]`)
	s.Exec(`UPDATE workflows SET active = false WHERE id = $1`, off)
	s.Exec(`UPDATE workflows SET deleted = true WHERE id = $1`, gone)
	s.Add(s.Here, "workflows", pgtest.Values{"identifier": "draft", "active": true, "draft": `{"steps": [{"type": "chat"}]}`})
	want := []pgupkeep.Gap{{Environment: here, Channel: "email", Workflows: []string{"a", "b"}, Total: 2}}
	require.Equal(t, want, gaps(), "of active steps of published, active workflows")

	s.Add(s.There, "integrations", pgtest.Values{"channel": "email", "active": true})
	inactive := s.Add(s.Here, "integrations", pgtest.Values{"channel": "email", "active": false})
	require.Equal(t, want, gaps(), "neither another environment's integration nor an inactive one delivers")
	s.Exec(`UPDATE integrations SET active = true WHERE id = $1`, inactive)
	require.Empty(t, gaps())
	s.Exec(`UPDATE integrations SET deleted = true WHERE id = $1`, inactive)
	require.Equal(t, want, gaps())
	for _, name := range []string{"c", "d", "e", "f"} {
		publish(s.Here, name, `[{"type": "email"}]`)
	}
	require.Equal(t, []pgupkeep.Gap{{Environment: here, Channel: "email", Workflows: []string{"a", "b", "c", "d", "e"}, Total: 6}}, gaps(), "five are named, all are counted")
}

func TestParked(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	parked := func() []pgupkeep.RowCount {
		found, err := pgupkeep.Parked(s.Ctx, s.DB)
		require.NoError(t, err)
		return found
	}
	require.ElementsMatch(t, []pgupkeep.RowCount{{Table: "events"}, {Table: "notifications"}}, parked())
	s.Exec(`UPDATE events SET status = 'parked'`)
	s.Exec(`UPDATE notifications SET status = 'parked' WHERE environment_id = $1`, s.There.Scope.EnvironmentID)
	require.ElementsMatch(t, []pgupkeep.RowCount{
		{Table: "events", Count: 2, ID: max(s.Here.IDs["events"], s.There.IDs["events"])},
		{Table: "notifications", Count: 1, ID: s.There.IDs["notifications"]},
	}, parked(), "of all environments")
}

func TestOverdue(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for _, table := range []string{"events", "notifications", "messages"} {
		s.Exec(`UPDATE ` + table + ` SET due_at = NULL`)
	}
	overdue := func(limit int) map[string]pgupkeep.Overdue {
		found, err := pgupkeep.FindOverdue(s.Ctx, s.DB, pgtest.Noon, limit)
		require.NoError(t, err)
		require.Len(t, found, 4)
		byTable := map[string]pgupkeep.Overdue{}
		for _, o := range found {
			o.Oldest = o.Oldest.UTC()
			byTable[o.Table] = o
		}
		return byTable
	}
	require.Equal(t, pgupkeep.Overdue{RowCount: pgupkeep.RowCount{Table: "events"}}, overdue(9)["events"], "nothing is zero")
	s.InsertMessages(s.Message("noon"), s.Message("before"), s.Message("earlier"), s.Message("leased"), s.Message("lapsed"))
	for name, minutes := range map[string]int{"before": -1, "earlier": -9, "leased": -60, "lapsed": -5} {
		s.Exec(`UPDATE messages SET due_at = $2 WHERE id = $1`, "m-"+name, pgtest.At(minutes))
	}
	s.Exec(`UPDATE messages SET leased_until = now() + interval '1 hour' WHERE id = 'm-leased'`)
	s.Exec(`UPDATE messages SET leased_until = now() - interval '1 hour' WHERE id = 'm-lapsed'`)
	require.Equal(t, pgupkeep.Overdue{RowCount: pgupkeep.RowCount{Table: "messages", Count: 3, ID: "m-earlier"}, Oldest: *pgtest.At(-9)}, overdue(9)["messages"],
		"the one that a worker holds is not overdue")
	require.Equal(t, 2, overdue(2)["messages"].Count, "they are counted up to the limit")
	s.Exec(`UPDATE notifications SET due_at = $2 WHERE id = $1`, s.There.IDs["notifications"], pgtest.At(-2))
	s.Exec(`UPDATE events SET due_at = $2 WHERE id = $1`, s.Here.IDs["events"], pgtest.At(-3))
	all := overdue(9)
	require.Equal(t, []string{s.There.IDs["notifications"], s.Here.IDs["events"]}, []string{all["notifications"].ID, all["events"].ID})
	require.Zero(t, all["message_leases"].Count)
	s.Exec(`INSERT INTO message_leases (id, due_at, message_ids) VALUES ('ended', $1, '{}'), ('lasts', $2, '{}')`, pgtest.At(-1), pgtest.At(1))
	require.Equal(t, pgupkeep.Overdue{RowCount: pgupkeep.RowCount{Table: "message_leases", Count: 1, ID: "ended"}, Oldest: *pgtest.At(-1)}, overdue(9)["message_leases"],
		"it should have ended")
}

func TestStuckLeases(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE messages SET due_at = NULL, leased_until = now() + interval '3 hours'`)
	s.InsertMessages(s.Message("stuck"), s.Message("held"), s.Message("free"))
	s.Exec(`UPDATE messages SET leased_until = now() + interval '2 hours' WHERE id = 'm-stuck'`)
	s.Exec(`UPDATE messages SET leased_until = now() + interval '10 minutes' WHERE id = 'm-held'`)
	found, err := pgupkeep.StuckLeases(s.Ctx, s.DB, time.Hour)
	require.NoError(t, err)
	require.Equal(t, pgupkeep.RowCount{Table: "messages", Count: 1, ID: "m-stuck"}, found, "final messages hold nothing up")
}

func TestDangling(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	dangling := func(sample int) (found []string) {
		all, err := pgupkeep.FindDangling(s.Ctx, s.DB, sample)
		require.NoError(t, err)
		require.Len(t, all, 5)
		for _, d := range all {
			if d.Count > 0 {
				found = append(found, d.Table+"."+d.Column+" "+d.ID)
			}
		}
		return found
	}
	require.Empty(t, dangling(9))
	for _, c := range []struct{ remove, want, id string }{
		{"attempts", "", ""},
		{"messages", "attempts.message_id", s.Here.IDs["attempts"]},
		{"workflow_versions", "notifications.workflow_version_id", s.Here.IDs["notifications"]},
	} {
		t.Run(c.remove, func(t *testing.T) {
			s := pgtest.NewStore(t)
			s.Exec(`UPDATE workflows SET published_version_id = NULL`)
			s.Exec(`DELETE FROM `+c.remove+` WHERE id = $1`, s.Here.IDs[c.remove])
			all, err := pgupkeep.FindDangling(s.Ctx, s.DB, 9)
			require.NoError(t, err)
			for _, d := range all {
				require.Equal(t, d.Table+"."+d.Column == c.want, d.Count == 1, "%s.%s", d.Table, d.Column)
			}
		})
	}
	s.Exec(`DELETE FROM events WHERE id = $1`, s.Here.IDs["events"])
	require.ElementsMatch(t, []string{"notifications.event_id " + s.Here.IDs["notifications"], "messages.event_id " + s.Here.IDs["messages"]}, dangling(9))
	s.Add(s.There, "notifications", pgtest.Values{"subscriber_id": "other"})
	s.Add(s.There, "messages", pgtest.Values{"step_id": "other"})
	require.Empty(t, dangling(1), "only the newest rows are looked at")
}

func TestDelivering(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	delivering := func() bool {
		yes, err := pgupkeep.Delivering(s.Ctx, s.DB)
		require.NoError(t, err)
		return yes
	}
	require.False(t, delivering(), "a process that only asks does not deliver")
	worker, err := postgres.Open(s.Ctx, s.Pool.Config().ConnString(), postgres.Options{Delivers: true})
	require.NoError(t, err)
	t.Cleanup(worker.Close)
	require.NoError(t, worker.Writable(s.Ctx))
	require.True(t, delivering())
}

// TestFindTransactions: a session that holds rows is named once it has done so for long, one that only reads is not.
func TestFindTransactions(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	find := func(before time.Time) (pids []int) {
		found, err := pgupkeep.FindTransactions(s.Ctx, s.DB, before)
		require.NoError(t, err)
		for _, x := range found {
			require.Equal(t, "idle in transaction", x.State)
			pids = append(pids, x.PID)
		}
		return pids
	}
	s.Meanwhile(func(reader pgx.Tx) {
		_, err := reader.Exec(s.Ctx, `SELECT count(*) FROM integrations`)
		require.NoError(t, err)
	}, func(holder pgx.Tx) {
		require.Empty(t, find(time.Now().Add(time.Hour)))
		_, err := holder.Exec(s.Ctx, `SELECT FROM integrations FOR UPDATE`)
		require.NoError(t, err)
		require.Equal(t, []int{int(holder.Conn().PgConn().PID())}, find(time.Now().Add(time.Hour)))
		require.Empty(t, find(time.Now().Add(-time.Hour)))
	})
}
