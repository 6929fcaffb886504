package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// trips counts the round trips to Postgres.
type trips struct{ n atomic.Int64 }

func (t *trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	t.n.Add(1)
	return ctx
}

func (t *trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (t *trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	t.n.Add(1)
	return ctx
}

func (t *trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (t *trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// cost is what events cost the database. Page images, which depend on its checkpoints, are left out of the WAL.
type cost struct{ trips, commits, rows, indexEntries, bytes int }

func (c cost) within(most cost) bool {
	return c.trips <= most.trips && c.commits <= most.commits && c.rows <= most.rows && c.indexEntries <= most.indexEntries && c.bytes <= most.bytes
}

// least is the lower of each value.
func (c cost) least(d cost) cost {
	return cost{min(c.trips, d.trips), min(c.commits, d.commits), min(c.rows, d.rows), min(c.indexEntries, d.indexEntries), min(c.bytes, d.bytes)}
}

// walOf sums up what was written of this database from one place of the log to another.
const walOf = `SELECT count(DISTINCT xid::text) FILTER (WHERE xid::text <> '0'),
	count(*) FILTER (WHERE resource_manager = 'Heap' AND (record_type LIKE 'INSERT%' OR record_type LIKE '%UPDATE%' OR record_type LIKE 'DELETE%')),
	count(*) FILTER (WHERE resource_manager = 'Btree' AND record_type LIKE 'INSERT%'), coalesce(sum(record_length - fpi_length), 0)
FROM pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn)
WHERE block_ref LIKE '%/' || (SELECT oid FROM pg_database WHERE datname = current_database()) || '/%' AND resource_manager IN ('Heap', 'Btree')`

// meter reads what is written.
type meter struct {
	bundle *bundle
	seen   *trips
	conn   *pgx.Conn // not counted
}

func newMeter(t *testing.T) *meter {
	t.Helper()
	dsn, seen := pgtest.NewURL(t), &trips{}
	m := &meter{setupOn(t, pgtest.OpenTraced(t, dsn, seen)), seen, nil}
	var err error
	m.conn, err = pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	t.Cleanup(func() { _ = m.conn.Close(context.WithoutCancel(t.Context())) })
	if _, err := m.conn.Exec(t.Context(), `CREATE EXTENSION pg_walinspect`); err != nil {
		t.Skipf("this Postgres cannot show its log: %v", err)
	}
	_, err = m.conn.Exec(t.Context(), `SET synchronous_commit = on`)
	require.NoError(t, err)
	return m
}

// place is a place of the log up to which everything is on disk.
func (m *meter) place() (lsn string) {
	m.bundle.tb.Helper()
	require.NoError(m.bundle.tb, m.conn.QueryRow(m.bundle.ctx, `SELECT pg_logical_emit_message(true, 'cost', '')::text`).Scan(&lsn))
	return lsn
}

// walRemoved is how Postgres refuses to read a part of the log that it has removed meanwhile.
const walRemoved = "58P01"

// of is the least that something costs among a few tries, since other things happen beside it; a busy machine is given more.
func (m *meter) of(most cost, do func()) (least cost) {
	m.bundle.tb.Helper()
	do() // plans and caches are made
	measured := false
	for n := 0; n < 3 || n < 30 && (!measured || !least.within(most)); n++ {
		before, from := m.seen.n.Load(), m.place()
		do()
		c := cost{trips: int(m.seen.n.Load() - before)}
		err := m.conn.QueryRow(m.bundle.ctx, walOf, from, m.place()).Scan(&c.commits, &c.rows, &c.indexEntries, &c.bytes)
		if failed := (*pgconn.PgError)(nil); errors.As(err, &failed) && failed.Code == walRemoved {
			continue // tests beside this one wrote so much that the log's beginning is gone
		}
		require.NoError(m.bundle.tb, err)
		if !measured {
			least, measured = c, true
		}
		least = least.least(c)
	}
	require.True(m.bundle.tb, measured)
	return least
}

// TestCostOfAnEvent holds what an event costs the database on each path, to its end.
func TestCostOfAnEvent(t *testing.T) {
	t.Parallel()
	const crowd = 200
	m := newMeter(t)
	b := m.bundle
	b.onRealTime()
	b.work()
	b.acquainted("u1")
	a := b.accepting(true)
	card := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}}")}})
	introduced := to("u1")
	introduced.Direct[0].FirstName = workflow.Given("Ada") // stored with the first of them
	inApp, repeated := b.offering(a, card, to("u1")), b.offering(a, card, introduced)
	mail := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	webhook, campaign := b.offering(a, mail, to("u1")), b.offering(a, mail, nil)
	join := b.offering(a, b.workflow(workflow.Definition{Steps: []workflow.Step{digestStep(tenMinutes()), inAppStep("x")}}), to("u1"))
	ended := func(ev string, runs int, status ...workflow.RunStatus) {
		require.Eventually(t, func() bool {
			var done, open int
			err := m.conn.QueryRow(b.ctx, `SELECT (SELECT count(*) FROM notifications WHERE event_id = $1 AND status = ANY ($2)), (SELECT count(*) FROM messages WHERE event_id = $1 AND due_at IS NOT NULL)`, ev, status).Scan(&done, &open)
			return err == nil && done == runs && open == 0
		}, stall.Limit(time.Minute), time.Millisecond)
	}
	for _, path := range []struct {
		name string
		most cost
		do   func()
	}{
		{"in-app", cost{1, 1, 4, 21, 4_400}, func() { ended(inApp(), 1, workflow.RunCompleted) }},
		{"in-app to a recipient with the stored name", cost{1, 1, 4, 21, 4_400}, func() { ended(repeated(), 1, workflow.RunCompleted) }},
		{"webhook", cost{3, 2, 8, 26, 6_500}, func() { ended(webhook(), 1, workflow.RunCompleted) }},
		{"digest join", cost{11, 3, 6, 20, 4_400}, func() {
			ended(join(), 1, workflow.RunWaiting, workflow.RunMerged)
		}},
	} {
		least := m.of(path.most, path.do)
		assert.True(t, least.within(path.most), "%s costs %+v, more than %+v", path.name, least, path.most)
		t.Logf("%s: %+v", path.name, least)
	}
	var names []string
	for n := range crowd - 1 {
		names = append(names, fmt.Sprint("crowd", n))
	}
	b.acquainted(names...)
	most := cost{100, 20, 7 * crowd, 21 * crowd, 6_000 * crowd}
	least := m.of(most, func() { ended(campaign(), crowd, workflow.RunCompleted) })
	assert.True(t, least.within(most), "a campaign of %d mails costs %+v, more than %+v", crowd, least, most)
	t.Logf("campaign of %d mails: %+v", crowd, least)
}

// offering returns what accepts one event of a workflow, for named recipients or else for everybody, and returns its id. It
// asks the database for nothing by itself.
func (b *bundle) offering(a *accept.Acceptor, p published, r *workflow.Recipients) func() (eventID string) {
	b.tb.Helper()
	item := accept.Acceptance{
		EnvironmentID: b.scope.EnvironmentID, Kind: event.KindBroadcast, Workflow: b.db.Ent.Workflow.GetX(b.ctx, p.workflow).Identifier,
		Generated: true, Payload: json.RawMessage(`{"text": "hello"}`), Reachable: true,
	}
	if r != nil {
		recipients, err := json.Marshal(r)
		require.NoError(b.tb, err)
		item.Kind, item.Recipients = event.KindTrigger, recipients
	}
	return func() string {
		b.tb.Helper()
		item.TransactionID = "txn_" + id.New(time.Now())
		outcomes, err := a.Accept(b.ctx, accept.Request{Items: []accept.Acceptance{item}})
		require.NoError(b.tb, err)
		require.NoError(b.tb, outcomes[0].Err)
		return outcomes[0].EventID
	}
}
