package pgmove_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgmove"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/postgres/pgwebhook"
)

// cells are two databases with organizations of their own; one of the source's, with two environments, is moved.
type cells struct {
	t              *testing.T
	source, target *pgtest.Store
	organization   string
	environment    string
	before         map[string][]string // its rows
	steps          []pgmove.Step
}

func newCells(t *testing.T) *cells {
	t.Helper()
	c := &cells{t: t, source: pgtest.NewStore(t), target: pgtest.NewStore(t)}
	c.organization, c.environment = c.source.Here.Scope.OrganizationID, c.source.Here.Scope.EnvironmentID
	pgtest.Fill(t, c.source.DB, c.organization)
	c.source.Exec(`INSERT INTO used_tokens (integration_id, token, expires_at) SELECT id, 'token', now() + interval '1 day' FROM integrations`)
	c.source.Exec(`UPDATE subscribers SET first_name = E'a\tb\n\\N "ü"'`)
	for _, s := range []*pgtest.Store{c.source, c.target} {
		_, _, due, err := pgmove.Rows(s.Ctx, s.DB, c.organization)
		require.NoError(t, err)
		for table, columns := range due {
			for _, column := range columns {
				s.Exec(`UPDATE ` + table + ` SET ` + column + ` = now() + interval '2 hours'`)
			}
		}
	}
	c.before = c.content(c.source)
	return c
}

// content are the organization's rows in a cell, as text, without what a move changes.
func (c *cells) content(s *pgtest.Store) map[string][]string {
	c.t.Helper()
	names, where, _, err := pgmove.Rows(s.Ctx, s.DB, c.organization)
	require.NoError(c.t, err)
	all := map[string][]string{}
	for _, name := range names {
		rows, err := s.Pool.Query(s.Ctx, `SELECT (to_jsonb(t) - '{configuration_version,move,move_id,moved_to,moved_url,retry_at}'::text[]
			- CASE WHEN $1 = 'organizations' THEN '{updated_at}'::text[] ELSE '{}' END)::text FROM `+name+` t WHERE (`+where[name]+`)
			AND to_jsonb(t) ->> 'action' IS DISTINCT FROM 'move' ORDER BY 1`, name)
		require.NoError(c.t, err)
		all[name], err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(c.t, err)
	}
	return all
}

func (c *cells) move(report func(pgmove.Step)) *pgmove.Move {
	return &pgmove.Move{
		Source: c.source.DB, Target: c.target.DB, Organization: c.organization, To: "cell us", Poll: time.Millisecond,
		Report: func(step pgmove.Step, _ string) {
			c.steps = append(c.steps, step)
			report(step)
		},
	}
}

func (c *cells) run() {
	c.t.Helper()
	require.NoError(c.t, c.move(func(pgmove.Step) {}).Run(c.t.Context()))
}

// states are what the source and the target say of the organization.
func (c *cells) states() (both [2]string) {
	c.t.Helper()
	for i, s := range []*pgtest.Store{c.source, c.target} {
		both[i] = pgtest.Ask[string](s, `SELECT coalesce((SELECT move FROM organizations WHERE id = $1), '')`, c.organization)
	}
	return both
}

// within are the organization's runs that workers of a cell come to within a day.
func (c *cells) within(s *pgtest.Store) (found int) {
	return pgtest.Ask[int](s, `SELECT count(*)::int FROM notifications n JOIN environments e ON e.id = n.environment_id
		WHERE e.organization_id = $1 AND n.due_at < now() + interval '1 day'`, c.organization)
}

func (c *cells) requireMoved() {
	c.t.Helper()
	require.Equal(c.t, [2]string{"moved", "none"}, c.states())
	require.Equal(c.t, c.before, c.content(c.target))
	for name, rows := range c.content(c.source) {
		require.Equal(c.t, slices.Contains(pgmove.Kept(), name), len(rows) > 0, name)
	}
	require.Zero(c.t, pgtest.Ask[int](c.source, `SELECT count(*)::int FROM integrations i JOIN environments e ON e.id = i.environment_id
		WHERE e.organization_id = $1 AND (i.active OR num_nonnulls(i.credentials, i.configurations) > 0)`, c.organization), "integrations stay without their secrets")
}

// TestNoTableIsForgotten: a new table has an organization or an environment, or is named with the way to one, or with the reason
// why its rows stay.
func TestNoTableIsForgotten(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	moved, _, due, err := pgmove.Rows(s.Ctx, s.DB, s.Here.Scope.OrganizationID)
	require.NoError(t, err)
	want := slices.Concat(moved, slices.Collect(maps.Keys(pgmove.Staying)))
	require.ElementsMatch(t, pgtest.Ask[[]string](s, `SELECT array_agg(relname::text) FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`), want)
	for _, kind := range pgdue.Kinds {
		table := string(kind)
		switch kind {
		case pgdue.DueSnoozes:
			table = "messages"
		case pgdue.DueLeases: // a move waits for their end
			continue
		}
		require.NotEmpty(t, due[table], "what is due by %s is not held", kind)
	}
	require.Equal(t, []string{"due_at", "snoozed_until"}, due["messages"])
}

// TestMoveWaitsForLeases: a message under a lease keeps its organization from being moved, and no other one.
func TestMoveWaitsForLeases(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	leased := func(rows pgtest.Rows) bool {
		found, err := pgmove.Leased(s.Ctx, s.DB, rows.Scope.OrganizationID)
		require.NoError(t, err)
		return found
	}
	s.Exec(`UPDATE messages SET lease_id = 'l' WHERE id = $1`, s.Here.IDs["messages"])
	s.Exec(`INSERT INTO message_leases (id, due_at, message_ids) SELECT 'l', now(), array_agg(id) FROM messages`)
	require.Equal(t, []bool{true, false}, []bool{leased(s.Here), leased(s.There)})
	s.Exec(`UPDATE messages SET lease_id = NULL`)
	require.False(t, leased(s.Here), "it is final, or due")
}

// TestEveryRowMoves: every row of the organization is moved once, and no row of another one.
func TestEveryRowMoves(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	for name, rows := range c.before {
		require.NotEmpty(t, rows, name)
	}
	others := func() (all [2]map[string][]string) {
		for i, s := range []*pgtest.Store{c.source, c.target} {
			of := &cells{t: t, organization: s.There.Scope.OrganizationID}
			all[i] = of.content(s)
		}
		return all
	}
	strangers := others()
	plan, err := c.move(nil).Plan(t.Context())
	require.NoError(t, err)
	require.Equal(t, [3]any{c.organization, 2, len(c.before)}, [3]any{plan.Organization, plan.Environments, len(plan.Tables)})
	require.Equal(t, [2]string{"none", ""}, c.states(), "a plan changes nothing")
	require.Empty(t, c.steps)

	c.run()
	c.requireMoved()
	require.Equal(t, strangers, others())
	require.Equal(t, []int{0, 2}, []int{c.within(c.source), c.within(c.target)})
	require.NotEqual(t, "", pgtest.Ask[string](c.target, `SELECT configuration_version FROM environments WHERE id = $1`, c.environment))
	require.Equal(t, 0, pgtest.Ask[int](c.source, `SELECT count(*)::int FROM sessions WHERE environment_id = $1`, c.environment))
	hashes, err := pgmove.KeyHashes(t.Context(), c.target.DB, c.organization)
	require.NoError(t, err)
	require.Len(t, hashes, 4, "two environments' keys and two of the organization")

	c.steps = nil
	c.run()
	c.requireMoved()
	require.NotContains(t, c.steps, pgmove.Copied, "what has moved is not copied again")
	require.Equal(t, `{"to": "cell us"}`, pgtest.Ask[string](c.target, `SELECT changes::text FROM audit_entries WHERE organization_id = $1 AND action = 'move'`, c.organization))
}

// TestCrashes ends a move before each of its steps. At most one cell owns the organization then, and the next run ends the move.
func TestCrashes(t *testing.T) {
	t.Parallel()
	for step, want := range map[pgmove.Step][2]string{
		pgmove.Holding:   {"none", ""},
		pgmove.Copying:   {"leaving", ""},
		pgmove.Copied:    {"leaving", ""},
		pgmove.Marking:   {"leaving", "arriving"},
		pgmove.Releasing: {"moved", "arriving"},
		pgmove.Clearing:  {"moved", "none"},
	} {
		t.Run(string(step), func(t *testing.T) {
			t.Parallel()
			c := newCells(t)
			ctx, crash := context.WithCancel(t.Context())
			defer crash()
			require.Error(t, c.move(func(at pgmove.Step) {
				if at == step {
					crash()
				}
			}).Run(ctx))
			require.Equal(t, want, c.states())
			require.Equal(t, want[0] == "none", c.within(c.source) > 0)
			require.Equal(t, want[1] == "none", c.within(c.target) > 0)

			undone := c.move(func(pgmove.Step) {}).Undo(t.Context())
			if want == [2]string{"leaving", ""} {
				require.NoError(t, undone)
				require.Equal(t, [2]string{"none", ""}, c.states())
				require.Equal(t, c.before, c.content(c.source), "as if nothing had happened")
				c.source.Exec(`UPDATE subscribers SET last_name = NULL`)
			} else {
				require.Error(t, undone)
			}
			c.run()
			c.requireMoved()
		})
	}
}

// TestHeld: what is being sent is finished first, and afterwards nothing of the organization is written in the source.
func TestHeld(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	s := c.source
	message := s.Here.IDs["messages"]
	s.Exec(`UPDATE messages SET due_at = now(), leased_until = now() + interval '1 hour' WHERE id = $1`, message)
	write := func(sql string, args ...any) error {
		_, err := s.Pool.Exec(t.Context(), sql, args...)
		return postgres.Translate(err)
	}
	requireRefused := func(err error, kind fault.Kind, code string) {
		t.Helper()
		var refused *fault.Error
		require.ErrorAs(t, err, &refused)
		require.Equal(t, []any{kind, code}, []any{refused.Kind, refused.Code}, refused.Message)
	}
	tries := func() map[string]error {
		return map[string]error{
			"update":    write(`UPDATE subscribers SET last_name = 'late' WHERE environment_id = $1`, c.environment),
			"own row":   write(`UPDATE organizations SET name = 'late' WHERE id = $1`, c.organization),
			"new row":   write(`INSERT INTO feeds (id, created_at, updated_at, identifier, name, environment_id) VALUES ('f', now(), now(), 'late', 'late', $1)`, c.environment),
			"of a team": write(`UPDATE members SET role = 'viewer' WHERE organization_id = $1`, c.organization),
		}
	}
	var waited, copied bool
	err := c.move(func(step pgmove.Step) {
		switch step {
		case pgmove.Waiting:
			waited = true
			require.False(t, copied)
			require.Equal(t, "leaving", c.states()[0])
			require.NoError(t, write(`UPDATE messages SET leased_until = NULL, due_at = NULL, status = 'sent' WHERE id = $1`, message), "its worker stores the outcome")
		case pgmove.Copying:
			copied = true
			for name, err := range tries() {
				requireRefused(err, fault.Unavailable, "ORGANIZATION_MOVING")
				require.Equal(t, 5, fault.RetrySeconds(err), name)
			}
			requireRefused(write(`DELETE FROM subscribers WHERE environment_id = $1`, c.environment), fault.Unavailable, "ORGANIZATION_MOVING")
			require.NoError(t, write(`UPDATE api_keys SET last_used_at = now()`), "that keys were used is not worth a failure")
			require.NoError(t, write(`UPDATE subscribers SET last_name = 'fine' WHERE environment_id = $1`, s.There.Scope.EnvironmentID))
		case pgmove.Clearing:
			for _, err := range tries() {
				requireRefused(err, fault.Unauthenticated, "ORGANIZATION_MOVED")
				require.ErrorContains(t, err, "has moved to cell us. Send its requests there.")
			}
			require.NoError(t, write(`DELETE FROM preferences WHERE environment_id = $1`, c.environment), "old data may go")
		}
	}).Run(t.Context())
	require.NoError(t, err)
	require.True(t, waited)
	require.True(t, copied)
	require.Equal(t, "sent", pgtest.Ask[string](c.target, `SELECT status FROM messages WHERE id = $1`, message))
	requireRefused(tries()["new row"], fault.Unauthenticated, "ORGANIZATION_MOVED")
	require.NoError(t, write(`UPDATE subscribers SET last_name = 'fine' WHERE environment_id = $1`, s.There.Scope.EnvironmentID))
}

// TestOpenTransactions: what a transaction wrote that began before the hold is committed, and copied.
func TestOpenTransactions(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	tx, err := c.source.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `UPDATE subscribers SET last_name = 'in time' WHERE environment_id = $1`, c.environment)
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- c.move(func(pgmove.Step) {}).Run(t.Context()) }()
	require.Eventually(t, func() bool {
		return pgtest.Ask[bool](c.source, `SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%CREATE OR REPLACE TRIGGER%subscribers%')`)
	}, time.Minute, time.Millisecond, "the fence waits for it")
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-ended)
	require.Equal(t, "in time", pgtest.Ask[string](c.target, `SELECT last_name FROM subscribers WHERE environment_id = $1`, c.environment))
}

// TestWebhooksHoldUpNoWriter: while rows are copied others write into the tables of the target that webhooks report, also when the first
// active endpoint of that cell comes with the organization.
func TestWebhooksHoldUpNoWriter(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	c.source.Exec(`UPDATE webhook_endpoints SET active = true`)
	c.before = c.content(c.source)
	c.target.Exec(`UPDATE webhook_endpoints SET active = false`)
	require.NoError(t, pgwebhook.DisableTriggers(c.target.Ctx, c.target.DB))
	const enabled = `SELECT bool_and(enabled) FROM webhook_hot_triggers()`
	require.False(t, pgtest.Ask[bool](c.target, enabled))
	copied := 0
	move := c.move(func(step pgmove.Step) {
		if step == pgmove.Copied {
			copied++
			c.target.InTx(func(tx pgx.Tx) {
				_, err := tx.Exec(c.target.Ctx, `LOCK TABLE events, notifications, messages IN ROW EXCLUSIVE MODE NOWAIT`)
				require.NoError(t, err)
			})
		}
	})
	move.Prepare = pgwebhook.EnableTriggers
	require.NoError(t, move.Run(t.Context()))
	require.NotZero(t, copied)
	require.True(t, pgtest.Ask[bool](c.target, enabled))
	c.requireMoved()
}

// TestWhatDiffersIsNotCommitted: the target's rows are read again before its transaction ends.
func TestWhatDiffersIsNotCommitted(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	c.target.Exec(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.first_name := NEW.first_name || '!'; RETURN NEW; END $$`)
	c.target.Exec(`CREATE TRIGGER spoil BEFORE INSERT ON subscribers FOR EACH ROW EXECUTE FUNCTION spoil()`)
	require.ErrorContains(t, c.move(func(pgmove.Step) {}).Run(t.Context()), "verify subscribers")
	require.Equal(t, [2]string{"leaving", ""}, c.states())
	c.target.Exec(`DROP TRIGGER spoil ON subscribers`)
	c.run()
	c.requireMoved()
}

// TestWaitsGoOn: what should have been sent during the move is due at once, in its order, and its deadline does not count the move;
// what a pause holds stays held.
func TestWaitsGoOn(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	s, message, run, event := c.source, c.source.Here.IDs["messages"], c.source.Here.IDs["notifications"], c.source.Here.IDs["events"]
	s.Exec(`UPDATE messages SET due_at = now() - interval '1 hour', deadline_at = now() + interval '1 minute', envelope = '{"to": "x"}' WHERE id = $1`, message)
	s.Exec(`UPDATE notifications SET due_at = now() + interval '8765832 hours', held_by = 'p', state = '{"call": {"until": "2026-01-01T00:00:00Z"}}' WHERE id = $1`, run)
	s.Exec(`UPDATE events SET due_at = now() + interval '3 seconds', created_at = now() WHERE id = $1`, event)
	due := pgtest.Ask[time.Time](s, `SELECT due_at FROM notifications WHERE id = $1`, run)
	c.run()
	require.Equal(t, due, pgtest.Ask[time.Time](c.target, `SELECT due_at FROM notifications WHERE id = $1`, run))
	require.True(t, pgtest.Ask[bool](c.target, `SELECT due_at < now() AND deadline_at > now() + interval '1 hour' AND envelope ? 'again' FROM messages WHERE id = $1`, message))
	require.True(t, pgtest.Ask[bool](c.target, `SELECT due_at < now() + interval '3 seconds' AND retry_at = created_at FROM events WHERE id = $1`, event))
}

// TestNamedDeadlines: the instant after which an event is not to be sent stays what it is.
func TestNamedDeadlines(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	c.source.Exec(`WITH e AS (UPDATE events SET overrides = '{"deadline": "2030-01-01T00:00:00Z"}' WHERE id = $2)
UPDATE messages SET event_id = $2, due_at = now() - interval '1 hour', deadline_at = '2030-01-01T00:00:00Z' WHERE id = $1`, c.source.Here.IDs["messages"], c.source.Here.IDs["events"])
	c.run()
	require.True(t, pgtest.Ask[bool](c.target, `SELECT due_at < now() AND deadline_at = '2030-01-01T00:00:00Z' FROM messages WHERE id = $1`, c.source.Here.IDs["messages"]))
}

// TestPeople: who has an account in the target keeps it, and is a member with it.
func TestPeople(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	user := c.source.Here.IDs["users"]
	there := c.target.There.IDs["users"]
	email := pgtest.Ask[string](c.source, `SELECT email FROM users WHERE id = $1`, user)
	c.source.Exec(`UPDATE api_keys SET user_id = $1 WHERE id = $2`, user, c.source.Here.IDs["api_keys"])
	c.source.Exec(`INSERT INTO members (id, created_at, updated_at, user_id, role, organization_id) VALUES ('elsewhere', now(), now(), $1, 'owner', $2)`,
		user, c.source.There.Scope.OrganizationID)
	c.target.Exec(`UPDATE users SET email = $2, password_hash = 'own' WHERE id = $1`, there, email)
	c.run()
	require.Equal(t, "own", pgtest.Ask[string](c.target, `SELECT password_hash FROM users WHERE email = $1`, email))
	require.Equal(t, there, pgtest.Ask[string](c.target, `SELECT user_id FROM members WHERE id = $1`, c.source.Here.IDs["members"]))
	require.Equal(t, there, pgtest.Ask[string](c.target, `SELECT user_id FROM api_keys WHERE id = $1`, c.source.Here.IDs["api_keys"]))
	require.Equal(t, 1, pgtest.Ask[int](c.source, `SELECT count(*)::int FROM users WHERE id = $1`, user), "a member of another organization stays")
	require.Equal(t, 3, pgtest.Ask[int](c.target, `SELECT count(*)::int FROM users`), "one of the two members is new there")
}

// TestThereAndBack: the cell that an organization comes back to forgets that it has moved.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	c.run()
	c.source, c.target = c.target, c.source
	c.run()
	c.requireMoved()
	c.target.Exec(`UPDATE subscribers SET last_name = 'fine' WHERE environment_id = $1`, c.environment)
}

// TestRefused: no run makes two cells own the organization.
func TestRefused(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	third := pgtest.NewStore(t)
	second := c.target
	refused := func(want string, change func(*pgmove.Move)) {
		t.Helper()
		m := c.move(func(pgmove.Step) {})
		change(m)
		require.ErrorContains(t, m.Run(t.Context()), want)
	}
	refused("no organization", func(m *pgmove.Move) { m.Organization = "none" })
	refused("are both databases the same?", func(m *pgmove.Move) { m.Target = m.Source })
	require.ErrorContains(t, c.move(nil).Undo(t.Context()), "is not being moved")

	// A copy that was given up is no one's: the operator chose another cell.
	require.ErrorIs(t, crashed(c, pgmove.Marking), errCrash)
	refused("is still arriving", func(m *pgmove.Move) { m.Source, m.Target = second.DB, third.DB })
	c.source.Exec(`SET carillon.move = 'on'; UPDATE organizations SET move_id = 'another' WHERE id = '` + c.organization + `'; RESET carillon.move`)
	c.target = third
	c.run()
	c.requireMoved()
	refused("to another database", func(m *pgmove.Move) { m.Target = second.DB })

	// One process at a time.
	conn, err := c.source.Pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(t.Context(), `SELECT pg_advisory_lock(hashtext('carillon move'))`)
	require.NoError(t, err)
	refused("another process", func(*pgmove.Move) {})
	_, err = conn.Exec(t.Context(), `SELECT pg_advisory_unlock_all()`)
	require.NoError(t, err)
}

var errCrash = errors.New("crash")

// crashed is the failure of a move that ends before a step.
func crashed(c *cells, step pgmove.Step) error {
	ctx, crash := context.WithCancelCause(c.t.Context())
	err := c.move(func(at pgmove.Step) {
		if at == step {
			crash(errCrash)
		}
	}).Run(ctx)
	if err != nil && context.Cause(ctx) != nil {
		return context.Cause(ctx)
	}
	return err
}
