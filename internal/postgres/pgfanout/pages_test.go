package pgfanout_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// crowd is a store whose environments have the same topic "news" with the same subscribers, and nobody else.
func crowd(t *testing.T, subscribers ...string) *pgtest.Store {
	t.Helper()
	s := pgtest.NewStore(t)
	for _, table := range []string{"preferences", "subscriptions", "channel_endpoints", "subscriber_channels", "subscribers"} {
		s.Exec(`DELETE FROM ` + table)
	}
	for _, rows := range []pgtest.Rows{s.Here, s.There} {
		topic := s.Add(rows, "topics", pgtest.Values{"key": "news"})
		for _, name := range subscribers {
			id := s.Add(rows, "subscribers", pgtest.Values{"id": prefix(s, rows) + name, "subscriber_id": name})
			s.Add(rows, "subscriptions", pgtest.Values{"topic_id": topic, "subscriber_id": id, "identifier": "by-" + name, "scope": ""})
		}
	}
	return s
}

// prefix begins the ids of an environment's subscribers.
func prefix(s *pgtest.Store, rows pgtest.Rows) string {
	if rows.Scope == s.Here.Scope {
		return "here-"
	}
	return "there-"
}

func external(rows []pgfanout.PageRow) []string {
	return pgtest.Names(rows, func(r *pgfanout.PageRow) string { return r.SubscriberID })
}

func TestTopicPage(t *testing.T) {
	t.Parallel()
	s := crowd(t, "a", "b", "c", "d")
	s.Exec(`UPDATE subscribers SET deleted = true WHERE subscriber_id = 'd'`)
	topic := pgtest.Ask[string](s, `SELECT id FROM topics WHERE key = 'news' AND environment_id = $1`, s.Here.Scope.EnvironmentID)
	s.Add(s.Here, "subscriptions", pgtest.Values{"topic_id": topic, "subscriber_id": "here-a", "identifier": "second", "scope": ""})
	s.Add(s.Here, "subscriptions", pgtest.Values{"topic_id": topic, "subscriber_id": "here-a", "identifier": "scoped", "scope": "x"})
	flow := s.Here.IDs["workflows"]
	s.Exec(`INSERT INTO subscription_preferences (id, created_at, updated_at, environment_id, subscription_id, workflow_id, position, enabled, condition)
SELECT 'p', now(), now(), environment_id, id, $1, 0, false, '{"==": [1, 1]}' FROM subscriptions WHERE identifier = 'by-b' AND environment_id = $2`, flow, s.Here.Scope.EnvironmentID)
	for _, p := range []pgtest.Values{
		{"workflow_id": "", "enabled": false}, {"workflow_id": flow, "channels": `{"email": false}`}, {"workflow_id": "other", "enabled": false}, {"workflow_id": flow, "scope": "x", "enabled": true},
	} {
		values := pgtest.Values{"subscriber_id": "here-b", "scope": "", "channels": `{}`}
		maps.Copy(values, p)
		s.Add(s.Here, "preferences", values)
	}
	s.Add(s.Here, "notifications", pgtest.Values{"event_id": "e", "subscriber_id": "here-c"})
	page := func(change func(*pgfanout.PageQuery)) []pgfanout.PageRow {
		want := pgfanout.PageQuery{EnvironmentID: s.Here.Scope.EnvironmentID, Topic: "news", WorkflowID: flow, EventID: "e", Earlier: []string{}, Limit: 9}
		change(&want)
		rows, err := pgfanout.TopicPage(s.Ctx, s.Pool, want)
		require.NoError(t, err)
		return rows
	}
	all := page(func(*pgfanout.PageQuery) {})
	require.Equal(t, []string{"a", "a", "b", "c", "d"}, external(all), "in the order of subscribers, those of one together")
	require.Equal(t, []string{"by-a", "second"}, []string{all[0].Subscription, all[1].Subscription})
	b := all[2]
	require.Equal(t, []any{new(false), map[string]any{"==": []any{1.0, 1.0}}}, []any{b.Enabled, b.Condition})
	require.Equal(t, []any{&workflow.PreferenceLevel{Channels: workflow.ChannelPreferences{Email: new(false)}}, &workflow.PreferenceLevel{Enabled: new(false)}}, []any{b.Workflow, b.Global})
	require.Nil(t, all[3].Enabled)
	require.Nil(t, all[3].Workflow)
	require.Equal(t, []bool{false, true}, []bool{all[3].Gone, all[4].Gone})
	require.False(t, all[3].Reached, "without earlier topics nobody can have been reached")
	require.True(t, page(func(q *pgfanout.PageQuery) { q.Earlier = []string{"old"} })[3].Reached)
	for name, c := range map[string]struct {
		change func(*pgfanout.PageQuery)
		want   []string
	}{
		"a first page": {func(q *pgfanout.PageQuery) { q.Limit = 3 }, []string{"a", "a", "b"}},
		"the next one": {func(q *pgfanout.PageQuery) { q.After = "here-b" }, []string{"c", "d"}},
		"the last one": {func(q *pgfanout.PageQuery) { q.After = "here-d" }, []string{}},
		"a scope":      {func(q *pgfanout.PageQuery) { q.Scope = "x" }, []string{"a"}},
		"no topic":     {func(q *pgfanout.PageQuery) { q.Topic = "none" }, []string{}},
		"there":        {func(q *pgfanout.PageQuery) { q.EnvironmentID = s.There.Scope.EnvironmentID }, []string{"a", "b", "c", "d"}},
	} {
		require.Equal(t, c.want, external(page(c.change)), name)
	}
	named, err := pgfanout.TopicSubscriptions(s.Ctx, s.Pool, pgfanout.PageQuery{EnvironmentID: s.Here.Scope.EnvironmentID, Topic: "news", WorkflowID: flow}, []string{"here-b", "here-d", "there-a"})
	require.NoError(t, err)
	require.Equal(t, []string{"b"}, external(named), "of those named, the living ones")
	require.Equal(t, []any{new(false), "by-b"}, []any{named[0].Enabled, named[0].Subscription})
}

func TestBroadcastPage(t *testing.T) {
	t.Parallel()
	s := crowd(t, "a", "b", "c", "d")
	s.Exec(`UPDATE subscribers SET deleted = true WHERE subscriber_id = 'b'`)
	s.Add(s.Here, "preferences", pgtest.Values{"subscriber_id": "here-c", "scope": "", "workflow_id": "", "enabled": true, "channels": `{}`})
	for name, c := range map[string]struct {
		change func(*pgfanout.PageQuery)
		want   []string
	}{
		"all":            {func(*pgfanout.PageQuery) {}, []string{"a", "c", "d"}},
		"a first page":   {func(q *pgfanout.PageQuery) { q.Limit = 2 }, []string{"a", "c"}},
		"the next one":   {func(q *pgfanout.PageQuery) { q.After = "here-c" }, []string{"d"}},
		"up to the last": {func(q *pgfanout.PageQuery) { q.Max = "here-c" }, []string{"a", "c"}},
	} {
		want := pgfanout.PageQuery{EnvironmentID: s.Here.Scope.EnvironmentID, WorkflowID: "w", Max: "~", Limit: 9}
		c.change(&want)
		page, err := pgfanout.BroadcastPage(s.Ctx, s.Pool, want)
		require.NoError(t, err)
		require.Equal(t, c.want, external(page), name)
		for _, row := range page {
			require.Equal(t, row.SubscriberID == "c", row.Global != nil, "%s of %s", name, row.SubscriberID)
		}
	}
}

// TestLatePage finds those whom an earlier event named after the broadcast was accepted.
func TestLatePage(t *testing.T) {
	t.Parallel()
	s := crowd(t, "before", "late", "later", "new", "own", "reached", "unnamed")
	for name, event := range map[string]string{"late": "e1", "later": "e2", "new": "e9", "own": "broadcast", "reached": "e1"} {
		s.Exec(`UPDATE subscribers SET named_by = $2 WHERE subscriber_id = $1`, name, event)
	}
	s.Add(s.Here, "notifications", pgtest.Values{"event_id": "broadcast", "subscriber_id": "here-reached"})
	want := pgfanout.PageQuery{EnvironmentID: s.Here.Scope.EnvironmentID, WorkflowID: "w", NewestEvent: "e5", EventID: "broadcast", Limit: 9}
	page, err := pgfanout.LatePage(s.Ctx, s.Pool, want)
	require.NoError(t, err)
	require.Equal(t, []string{"late", "later"}, external(page))
	want.After = "here-late"
	page, err = pgfanout.LatePage(s.Ctx, s.Pool, want)
	require.NoError(t, err)
	require.Equal(t, []string{"later"}, external(page))
	reached, err := pgfanout.ReachedSubscribers(s.Ctx, s.Pool, "broadcast", []string{"here-reached", "here-late"})
	require.NoError(t, err)
	require.Equal(t, []string{"here-reached"}, reached)
}

func TestNamedEvents(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM events`)
	for name, change := range map[string]pgtest.Values{
		"e1": {"status": "fanned_out", "due_at": nil}, "e2": nil, "e3": {"checkpoint": `{"started": true}`}, "e4": {"status": "parked", "due_at": nil}, "e5": nil, "e6": nil,
	} {
		values := pgtest.Values{"id": name, "transaction_id": name, "status": "accepted", "due_at": pgtest.Noon, "recipients": `{"to": "` + name + `"}`, "actor": `{"subscriberId": "x"}`}
		maps.Copy(values, change)
		s.Add(s.Here, "events", values)
	}
	s.Add(s.There, "events", pgtest.Values{"id": "e0", "transaction_id": "t", "status": "accepted", "due_at": pgtest.Noon})
	here := s.Here.Scope.EnvironmentID
	for _, c := range []struct{ newest, but, want string }{{"e5", "e2", "e3"}, {"e5", "none", "e2"}, {"e1", "none", ""}, {"e2", "e2", ""}} {
		oldest, err := pgfanout.OldestWaiting(s.Ctx, s.Pool, here, c.newest, c.but)
		require.NoError(t, err)
		require.Equal(t, c.want, oldest, "%+v", c)
	}
	page, err := pgfanout.NamedPage(s.Ctx, s.Pool, here, "e1", "e5", "e5", 9)
	require.NoError(t, err)
	require.Equal(t, []string{"e2", "e3", "e4", "e5"}, pgtest.Names(page, func(r *pgfanout.NamedRow) string { return r.ID }))
	require.JSONEq(t, `{"to": "e2"}`, string(page[0].Recipients))
	for _, row := range page[1:] {
		require.Nil(t, row.Recipients, "%s has named its recipients already, or is the broadcast itself", row.ID)
	}
	page, err = pgfanout.NamedPage(s.Ctx, s.Pool, here, "e1", "e6", "e5", 1)
	require.NoError(t, err)
	require.Len(t, page, 1)
	named, err := pgfanout.ReadNamed(s.Ctx, s.Pool, "e4")
	require.NoError(t, err)
	require.Equal(t, here, named.EnvironmentID)
	require.JSONEq(t, `{"to": "e4"}`, string(named.Recipients))
	named, err = pgfanout.ReadNamed(s.Ctx, s.Pool, "none")
	require.NoError(t, err)
	require.Nil(t, named)
}

func TestFindByName(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	tenant := s.Add(s.Here, "tenants", pgtest.Values{"identifier": "acme"})
	flow := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "welcome"})
	for _, c := range []struct {
		rows             pgtest.Rows
		tenant, workflow string
	}{{s.Here, tenant, "welcome"}, {s.There, "", ""}} {
		found, err := pgfanout.FindTenant(s.Ctx, s.Pool, c.rows.Scope.EnvironmentID, "acme")
		require.NoError(t, err)
		require.Equal(t, c.tenant, found)
		found, err = pgfanout.WorkflowIdentifier(s.Ctx, s.Pool, c.rows.Scope.EnvironmentID, flow)
		require.NoError(t, err)
		require.Equal(t, c.workflow, found)
	}
	s.Accept(0, s.Event("a"), s.Event("b"))
	loaded, err := pgfanout.LoadEvents(s.Ctx, s.Pool, []string{"e-a", "none"})
	require.NoError(t, err)
	require.Equal(t, []string{"e-a"}, pgtest.Names(loaded, func(e *pgfanout.EventRow) string { return e.ID }))
	require.True(t, loaded[0].WorkflowDeleted, "a workflow that does not exist counts as deleted")
	ids, err := pgfanout.DueEventIDs(s.Ctx, s.DB, "normal", *pgtest.At(1), 9)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"e-a", "e-b"}, ids)
}
