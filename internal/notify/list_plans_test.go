package notify_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/workflow"
)

// recorder keeps the queries that pass through it.
type recorder struct {
	dialect.Driver
	mu      sync.Mutex
	queries []query
	db      postgres.DB // the database by way of the recorder
}

type query struct {
	text string
	args []any
}

func (r *recorder) Query(ctx context.Context, text string, args, v any) error {
	r.mu.Lock()
	r.queries = append(r.queries, query{text, args.([]any)}) //nolint:forcetypeassert // ent's contract
	r.mu.Unlock()
	return r.Driver.Query(ctx, text, args, v) //nolint:wrapcheck // a passage
}

// Those of batches do not pass through the driver of ent.

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (r *recorder) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (r *recorder) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	r.mu.Lock()
	r.queries = append(r.queries, query{data.SQL, data.Args})
	r.mu.Unlock()
}

func (r *recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// recorded is the use cases with their queries recorded.
func recorded(t *testing.T, a *notifytest.Audience) (*notify.Services, *recorder) {
	t.Helper()
	r := &recorder{Driver: entsql.OpenDB(dialect.Postgres, a.DB.SQL)}
	db := *a.DB
	cfg := a.DB.Pool.Config()
	cfg.ConnConfig.Tracer = r
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	db.Pool = pool
	db.Ent = ent.NewClient(ent.Driver(r))
	registry, err := vendors.Registry()
	require.NoError(t, err)
	r.db = db
	return notify.New(usecase.Config{DB: &db, Now: func() time.Time { return a.Now }, Providers: registry}), r
}

// planNode is what EXPLAIN says of one step of a plan.
type planNode struct {
	Type      string     `json:"Node Type"`
	Relation  string     `json:"Relation Name"`
	Rows      float64    `json:"Actual Rows"`
	Loops     float64    `json:"Actual Loops"`
	Filtered  float64    `json:"Rows Removed by Filter"`
	Rechecked float64    `json:"Rows Removed by Index Recheck"`
	Plans     []planNode `json:"Plans"`
}

// large are the tables that a list must not read as a whole.
var large = map[string]bool{"channel_endpoints": true, "subscriptions": true, "workflows": true, "topics": true}

// check fails when the plan reads a large table as a whole, or more of it than allowed, or sorts more than allowed.
func (n *planNode) check(t *testing.T, allowed float64, what string) {
	t.Helper()
	if large[n.Relation] {
		require.NotContains(t, n.Type, "Seq Scan", what)
		require.LessOrEqual(t, (n.Rows+n.Filtered+n.Rechecked)*n.Loops, allowed, "%s: read by %s", what, n.Type)
	}
	if n.Type == "Sort" {
		require.LessOrEqual(t, n.Rows*n.Loops, allowed, "%s: sorted", what)
	}
	for i := range n.Plans {
		n.Plans[i].check(t, allowed, what)
	}
}

// explain runs the query again and checks what it read.
func explain(t *testing.T, a *notifytest.Audience, q query, allowed float64, what string) {
	t.Helper()
	var raw []byte
	row := a.DB.SQL.QueryRowContext(t.Context(), "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) "+q.text, q.args...)
	require.NoError(t, row.Scan(&raw), q.text)
	var plans []struct{ Plan planNode }
	require.NoError(t, json.Unmarshal(raw, &plans))
	plans[0].Plan.check(t, allowed, what+"\n"+q.text+"\n"+string(raw))
}

// many is how many channel endpoints and how many subscriptions there are; a million under CARILLON_SOAK.
func many() int {
	if os.Getenv("CARILLON_SOAK") != "" {
		return 1_000_000
	}
	return 20_000
}

// record is the first columns of row i: its id and two times, the second in another order.
const record = `lpad(to_hex(i), 24, '0'), '2026-01-01'::timestamptz + i * interval '1 minute', '2026-01-01'::timestamptz + i::bigint * 7919 % 1000003 * interval '1 minute'`

// manyTargets fills one environment with many channel endpoints and many subscriptions. Of the subscriptions one
// subscriber holds three quarters, at most ten in each topic. Of every filter there is a value that most rows have and one that few have.
func manyTargets(t *testing.T, a *notifytest.Audience) {
	t.Helper()
	const scope = `CASE WHEN i % 4000 = 0 THEN '["rare:x"]' ELSE '[]' END::jsonb, CASE WHEN i % 4000 = 0 THEN 'rare:x' ELSE '' END`
	fill(t, a, []string{
		`INSERT INTO subscribers (id, created_at, updated_at, environment_id, subscriber_id)
			SELECT ` + record + `, $1, 'u' || i FROM generate_series(1, 5000) i`,
		`INSERT INTO topics (id, created_at, updated_at, environment_id, key) SELECT ` + record + `, $1, 't' || i FROM generate_series(1, ` + fmt.Sprint(many()/10) + `) i`,
		`INSERT INTO channel_endpoints (id, created_at, updated_at, context_keys, scope, identifier, type, endpoint, subscriber_external_id,
			channel, provider_id, integration_identifier, connection_identifier, environment_id, integration_id, subscriber_id)
			SELECT ` + record + `, ` + scope + `, 'e' || i, 'slack_user', '{}', 'u' || i % 5000, CASE WHEN i % 4000 = 0 THEN NULL ELSE 'chat' END,
			CASE WHEN i % 4000 = 1 THEN 'discord' ELSE 'slack' END, CASE WHEN i % 4000 = 2 THEN 'rare' ELSE 'common' END,
			CASE WHEN i % 4000 = 3 THEN 'rare' ELSE 'common' END, $1, 'i', 'u' FROM generate_series(1, ` + fmt.Sprint(many()) + `) i`,
		`INSERT INTO subscriptions (id, created_at, updated_at, context_keys, scope, identifier, environment_id, topic_id, subscriber_id)
			SELECT ` + record + `, ` + scope + `, 's' || i, $1, lpad(to_hex(i % ` + fmt.Sprint(many()/10) + ` + 1), 24, '0'),
			lpad(to_hex(CASE WHEN i % 4 = 0 THEN i % 5000 + 1 ELSE 1 END), 24, '0') FROM generate_series(1, ` + fmt.Sprint(many()) + `) i`,
	})
}

// manyWorkflows fills one environment with 10,000 workflows.
func manyWorkflows(t *testing.T, a *notifytest.Audience) {
	t.Helper()
	fill(t, a, []string{
		`INSERT INTO workflows (id, created_at, updated_at, identifier, name, tags, draft, issues, status, last_triggered_at, environment_id, search, search_grams)
			SELECT ` + record + `, 'wf-' || i, 'Workflow ' || i, CASE WHEN i % 2000 = 0 THEN '["rare", "common"]' ELSE '["common"]' END::jsonb, '{}', '[]',
			CASE WHEN i % 2000 = 1 THEN 'ERROR' ELSE 'ACTIVE' END, '2026-01-01'::timestamptz + i * 31 % 10007 * interval '1 minute', $1,
			'workflow ' || i || E'\n' || 'wf-' || i, (SELECT jsonb_agg(DISTINCT substr(t, k, n)) FROM unnest(ARRAY['workflow ' || i, 'wf-' || i]) t,
			generate_series(1, length(t)) k, generate_series(1, 3) n WHERE k + n - 1 <= length(t)) FROM generate_series(1, 10000) i`,
	})
}

func fill(t *testing.T, a *notifytest.Audience, statements []string) {
	t.Helper()
	fillTables(t, a, []string{"channel_endpoints", "subscriptions"}, statements)
}

// fillTables runs statements whose one argument is the environment, and lets the database look at the outcome. The indexes
// of the tables are made after the rows, which is many times faster.
func fillTables(t *testing.T, a *notifytest.Audience, tables, statements []string) {
	t.Helper()
	began := time.Now()
	conn, err := a.DB.SQL.Conn(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	run := func(statement string, args ...any) {
		_, err := conn.ExecContext(t.Context(), statement, args...)
		require.NoError(t, err, statement)
	}
	run(`SET synchronous_commit = on`) // VACUUM takes rows for visible to all only when commits are on disk, theirs and those beside it
	run(`BEGIN`)
	run(`SET LOCAL session_replication_role = replica`) // the parents are of no interest here
	run(`SET LOCAL maintenance_work_mem = '256MB'`)
	run(`CREATE TEMP TABLE indexes ON COMMIT DROP AS SELECT indexname AS name, indexdef FROM pg_indexes
		WHERE tablename = ANY(string_to_array('` + strings.Join(tables, ",") + `', ',')) AND indexname NOT LIKE '%_pkey'`)
	run(`DO $$ DECLARE i record; BEGIN FOR i IN SELECT * FROM indexes LOOP EXECUTE 'DROP INDEX ' || i.name; END LOOP; END $$`)
	for _, statement := range statements {
		run(statement, a.Scope.EnvironmentID)
	}
	run(`DO $$ DECLARE i record; BEGIN FOR i IN SELECT * FROM indexes LOOP EXECUTE i.indexdef; END LOOP; END $$`)
	run(`COMMIT`)
	run(`VACUUM ANALYZE`)
	t.Logf("filled in %s", time.Since(began).Round(time.Second))
}

// pages are the first page, one deep inside, and one before that, of a list whose records number to about middle*2.
func pages(middle int) map[string]usecase.Page {
	cursor := fmt.Sprintf("%024x", middle)
	return map[string]usecase.Page{"first": {}, "after": {After: &cursor}, "before": {Before: &cursor}}
}

// aPage is what a page may read: its rows, one to each side and one to look, and what a filter of few rows leaves.
const aPage = 60

// aFew is what a filter of few rows leaves of a list that is sorted then.
const aFew = 200

// TestListsReadTheirPages holds of every documented filter, order and page: no large table is read or sorted as a whole.
func TestListsReadTheirPages(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	manyTargets(t, a)
	services, recorder := recorded(t, a)
	each := func(middle int, columns []usecase.Column, ask func(usecase.Page, *usecase.Order) (string, error)) {
		for name, page := range pages(middle) {
			for _, column := range columns {
				for _, direction := range []usecase.OrderDirection{usecase.OrderAsc, usecase.OrderDesc} {
					recorder.queries = nil
					what, err := ask(page, &usecase.Order{Field: column, Direction: direction})
					require.NoError(t, err)
					require.NotEmpty(t, recorder.queries, what)
					for _, q := range recorder.queries {
						explain(t, a, q, aPage, fmt.Sprintf("%s, page %s, by %s %s", what, name, column, direction))
					}
				}
			}
		}
	}
	three := []usecase.Column{usecase.ColumnID, usecase.ColumnCreatedAt, usecase.ColumnUpdatedAt}
	chat := workflow.ChannelChat
	for _, filter := range []*integrations.ChannelEndpointFilter{
		{},
		{SubscriberID: new("u77")},
		{Channel: &chat},
		{ProviderID: new("slack")},
		{ProviderID: new("discord")},
		{IntegrationIdentifier: new("common")},
		{IntegrationIdentifier: new("rare")},
		{ConnectionIdentifier: new("common")},
		{ConnectionIdentifier: new("rare")},
		{ContextKeys: []string{}},
		{ContextKeys: []string{"rare:x"}},
		{SubscriberID: new("u77"), Channel: &chat, ProviderID: new("slack"), IntegrationIdentifier: new("common"), ContextKeys: []string{}},
		{ProviderID: new("discord"), Channel: &chat, ConnectionIdentifier: new("common")},
		{ProviderID: new("expo")},
	} {
		each(many()/2, three, func(page usecase.Page, order *usecase.Order) (string, error) {
			_, err := services.ChannelEndpoints.List(a.Ctx, page, order, filter)
			return fmt.Sprintf("channel endpoints %s", mustJSON(t, filter)), err
		})
	}
	for _, filter := range []*audience.SubscriptionFilter{{}, {TopicKey: new("t77")}, {ContextKeys: []string{}}, {ContextKeys: []string{"rare:x"}}, {ContextKeys: []string{"no:body"}}} {
		for _, subscriber := range []string{"u1", "u77"} {
			each(many()/2, three, func(page usecase.Page, order *usecase.Order) (string, error) {
				_, err := services.Subscriptions.OfSubscriber(a.Ctx, subscriber, page, order, filter)
				return fmt.Sprintf("subscriptions of %s %s", subscriber, mustJSON(t, filter)), err
			})
		}
	}
}

// TestWorkflowsReadTheirPages does the same for the list that pages by offset.
func TestWorkflowsReadTheirPages(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	manyWorkflows(t, a)
	services, recorder := recorded(t, a)
	for _, filter := range []*authoring.WorkflowFilter{
		{},
		{Query: new("WORKFLOW")},
		{Query: new("w")},
		{Query: new("flow 77")},
		{Query: new("nobody")},
		{Query: new("wf-4321")},
		{TagsAny: []string{"common"}},
		{TagsAny: []string{"rare"}},
		{TagsAny: []string{"rare", "nobody"}},
		{StatusIn: []workflow.Status{workflow.StatusActive}},
		{StatusIn: []workflow.Status{workflow.StatusError}},
		{StatusIn: []workflow.Status{workflow.StatusError, workflow.StatusInactive}},
		{TagsAny: []string{"common"}, StatusIn: []workflow.Status{workflow.StatusError}, Query: new("flow")},
	} {
		for _, column := range []usecase.Column{usecase.ColumnCreatedAt, usecase.ColumnUpdatedAt, usecase.ColumnName, usecase.ColumnLastTriggeredAt} {
			for _, direction := range []usecase.OrderDirection{usecase.OrderAsc, usecase.OrderDesc} {
				for _, offset := range []int{0, 500} {
					recorder.queries = nil
					_, err := services.Workflows.Slice(a.Ctx, authoring.DefaultSlice, offset, &usecase.Order{Field: column, Direction: direction}, filter)
					require.NoError(t, err)
					for _, q := range recorder.queries {
						if !strings.Contains(q.text, "COUNT(") { // its total counts every match
							explain(t, a, q, float64(aFew+2*(offset+authoring.DefaultSlice)), fmt.Sprintf("workflows %s from %d by %s %s", mustJSON(t, filter), offset, column, direction))
						}
					}
				}
			}
		}
	}
}

// TestTotalsStop holds the total at its cap, and the count at one row beyond it.
func TestTotalsStop(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	_, err := a.DB.SQL.ExecContext(t.Context(), `INSERT INTO topics (id, created_at, updated_at, environment_id, key)
		SELECT lpad(to_hex(i), 24, '0'), now(), now(), $1, 't' || i FROM generate_series(1, 50010) i`, a.Scope.EnvironmentID)
	require.NoError(t, err)
	services, recorder := recorded(t, a)
	totals := func() (int, bool) {
		page, err := services.Topics.List(a.Ctx, usecase.Page{}, nil, nil)
		require.NoError(t, err)
		total, err := page.TotalCount(a.Ctx)
		require.NoError(t, err)
		capped, err := page.TotalCountCapped(a.Ctx)
		require.NoError(t, err)
		return total, capped
	}
	total, capped := totals()
	require.Equal(t, usecase.CountCap, total)
	require.True(t, capped)
	for _, q := range recorder.queries {
		if strings.Contains(q.text, "COUNT(") {
			require.Contains(t, q.text, fmt.Sprintf("LIMIT %d", usecase.CountCap+1))
		}
	}
	_, err = a.DB.SQL.ExecContext(t.Context(), `DELETE FROM topics WHERE id > lpad(to_hex(50000), 24, '0')`)
	require.NoError(t, err)
	total, capped = totals()
	require.Equal(t, usecase.CountCap, total)
	require.False(t, capped)
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

// TestWorkflowTotalsAreCapped: more workflows than that are not counted.
func TestWorkflowTotalsAreCapped(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	_, err := a.DB.SQL.ExecContext(t.Context(), `INSERT INTO workflows (id, created_at, updated_at, identifier, name, tags, draft, issues, last_triggered_at, environment_id)
		SELECT lpad(to_hex(i), 24, '0'), now(), now(), 'wf-' || i, 'Workflow', '[]', '{}', '[]', 'epoch', $1 FROM generate_series(1, 50010) i`, a.Scope.EnvironmentID)
	require.NoError(t, err)
	services, recorder := recorded(t, a)
	slice, err := services.Workflows.Slice(a.Ctx, 2, 0, nil, nil)
	require.NoError(t, err)
	require.Equal(t, usecase.CountCap, slice.TotalCount)
	for _, q := range recorder.queries {
		explain(t, a, q, usecase.CountCap+1, "workflows")
	}
}
