package pgfanout_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// planner keeps the plan of each statement that goes through it.
type planner struct {
	pgx.Tx
	plans []string
}

func (p *planner) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	rows, err := p.Tx.Query(ctx, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) "+sql, args...)
	if err != nil {
		return nil, err
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	p.plans = append(p.plans, strings.Join(lines, "\n"))
	return p.Tx.Query(ctx, sql, args...)
}

// TestPagesOfAStreamFollowTheIndex shows that a page of a large topic, or of everybody, costs the same wherever it stands.
func TestPagesOfAStreamFollowTheIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	tx, err := db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	for _, statement := range []string{
		`SET LOCAL session_replication_role = replica`,
		`INSERT INTO subscribers (id, created_at, updated_at, environment_id, subscriber_id, deleted)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', 'u' || n, n % 1000 = 7 FROM generate_series(1, 30000) n`,
		`INSERT INTO topics (id, created_at, updated_at, environment_id, key) VALUES ('t', now(), now(), 'env', 'big')`,
		`INSERT INTO subscriptions (id, created_at, updated_at, environment_id, context_keys, identifier, topic_id, subscriber_id)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', 'b' || n, 't', lpad(n::text, 24, '0') FROM generate_series(1, 30000) n`,
		`INSERT INTO preferences (id, created_at, updated_at, environment_id, context_keys, subscriber_id, workflow_id, enabled, channels)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', lpad(n::text, 24, '0'), 'w', true, '{}' FROM generate_series(1, 30000) n`,
		`ANALYZE subscribers, topics, subscriptions, preferences`,
		`SET LOCAL plan_cache_mode = force_generic_plan`,
	} {
		_, err := tx.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	p := &planner{Tx: tx}
	want := pgfanout.PageQuery{
		EnvironmentID: "env", Topic: "big", WorkflowID: "w", After: strings.Repeat("0", 19) + "15000", Max: "~", Earlier: []string{}, Limit: 100,
	}
	page, err := pgfanout.TopicPage(t.Context(), p, want)
	require.NoError(t, err)
	require.Len(t, page, 100)
	require.Equal(t, "u15001", page[0].SubscriberID)
	require.True(t, page[6].Gone, "who is deleted counts for the page")
	require.NotNil(t, page[0].Workflow)
	page, err = pgfanout.BroadcastPage(t.Context(), p, want)
	require.NoError(t, err)
	require.Len(t, page, 100)
	require.Equal(t, "u15008", page[6].SubscriberID)
	for _, topic := range []string{"big", ""} { // an audience of a topic, and of everybody
		want.Topic = topic
		page, err = pgfanout.ChosenPage(t.Context(), p, want)
		require.NoError(t, err)
		require.Len(t, page, 100)
		require.Equal(t, "u15001", page[0].SubscriberID)
		require.NotNil(t, page[0].Workflow)
	}
	want.NewestEvent, want.EventID = "~", "broadcast"
	_, err = tx.Exec(t.Context(), `UPDATE subscribers SET named_by = 'event' WHERE id > lpad('29000', 24, '0')`)
	require.NoError(t, err)
	page, err = pgfanout.LatePage(t.Context(), p, want)
	require.NoError(t, err)
	require.Len(t, page, 100)
	require.Equal(t, "u29001", page[0].SubscriberID)
	for _, plan := range p.plans[:4] {
		require.NotContains(t, plan, "Seq Scan on subscri", plan)
		require.NotContains(t, plan, "Seq Scan on preferences", plan)
		require.NotRegexp(t, `actual rows=\d{4}`, plan)
	}
}

// TestAudiencesFollowTheIndex shows that counting and loading small topics costs what they hold, however many others there are.
func TestAudiencesFollowTheIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	tx, err := db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	for _, statement := range []string{
		`SET LOCAL session_replication_role = replica`,
		`INSERT INTO subscribers (id, created_at, updated_at, environment_id, subscriber_id)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', 'u' || n FROM generate_series(1, 30000) n`,
		`INSERT INTO topics (id, created_at, updated_at, environment_id, key) SELECT 't' || n, now(), now(), 'env', 'k' || n FROM generate_series(1, 3000) n`,
		`INSERT INTO subscriptions (id, created_at, updated_at, environment_id, context_keys, identifier, topic_id, subscriber_id)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', 'b' || n, 't' || (n - 1) / 10 + 1, lpad(n::text, 24, '0') FROM generate_series(1, 30000) n`,
		`ANALYZE subscribers, topics, subscriptions`,
		`SET LOCAL plan_cache_mode = force_generic_plan`,
	} {
		_, err := tx.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	p := &planner{Tx: tx}
	var audiences []pgfanout.Audience
	for n := range 50 {
		audiences = append(audiences, pgfanout.Audience{EnvironmentID: "env", Topic: fmt.Sprint("k", 1+n*7), WorkflowID: "w"})
	}
	audiences = append(audiences, pgfanout.Audience{EnvironmentID: "other", Topic: "k1", WorkflowID: "w"}, pgfanout.Audience{EnvironmentID: "env", Topic: "none", WorkflowID: "w"})
	sizes, err := pgfanout.AudienceSizes(t.Context(), p, audiences, 8)
	require.NoError(t, err)
	require.Len(t, sizes, len(audiences))
	require.Equal(t, []int{8, 0, 0}, sizes[49:], "each is counted up to the limit")
	loaded, err := pgfanout.LoadAudiences(t.Context(), p, audiences)
	require.NoError(t, err)
	require.Len(t, loaded[1], 10)
	require.Equal(t, "u71", loaded[1][0].SubscriberID)
	require.Equal(t, "b71", loaded[1][0].Subscription)
	require.Empty(t, loaded[50])
	for _, plan := range p.plans {
		require.NotContains(t, plan, "Seq Scan", plan)
		require.NotRegexp(t, `actual rows=\d{4}`, plan)
	}
}
