package pgaudience_test

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// topics is a store whose two environments have the same topic "news" and subscribers "ada" and "bob", all without
// subscriptions.
type topics struct {
	*pgtest.Store
	ada, bob, news map[string]string // internal id by environment
}

func newTopics(t *testing.T) *topics {
	t.Helper()
	s := &topics{Store: pgtest.NewStore(t), ada: map[string]string{}, bob: map[string]string{}, news: map[string]string{}}
	s.Exec(`DELETE FROM subscriptions`)
	for _, rows := range []pgtest.Rows{s.Here, s.There} {
		env := rows.Scope.EnvironmentID
		s.ada[env] = s.Add(rows, "subscribers", pgtest.Values{"subscriber_id": "ada"})
		s.bob[env] = s.Add(rows, "subscribers", pgtest.Values{"subscriber_id": "bob"})
		s.news[env] = s.Add(rows, "topics", pgtest.Values{"key": "news"})
	}
	return s
}

func (s *topics) subscribe(rows pgtest.Rows, identifier, subscriber string, change pgtest.Values) string {
	s.T.Helper()
	values := pgtest.Values{"identifier": identifier, "topic_id": s.news[rows.Scope.EnvironmentID], "subscriber_id": subscriber, "scope": ""}
	maps.Copy(values, change)
	return s.Add(rows, "subscriptions", values)
}

func (s *topics) audit(record string) postgres.AuditEntry {
	return postgres.AuditEntry{
		Scope: s.Here.Scope, ActorType: "user", ActorID: "u", ActorName: "Ada", Address: "192.0.2.1", Action: "subscribed", RecordType: "topic",
		RecordID: record, Changes: map[string]any{"n": 1}, At: pgtest.Noon,
	}
}

func (s *topics) batch(fn func(b *postgres.Batch) error) {
	s.T.Helper()
	require.NoError(s.T, s.Batch(s.Ctx, fn))
}

func subscriptionIDs(state *pgaudience.TopicState) []string {
	return pgtest.Names(state.Subscriptions, func(s **ent.Subscription) string { return (*s).Identifier })
}

func externalIDs(list []*ent.Subscriber) []string {
	return pgtest.Names(list, func(s **ent.Subscriber) string { return (*s).SubscriberID })
}

func TestMakeTopic(t *testing.T) {
	t.Parallel()
	s := newTopics(t)
	env := s.Here.Scope.EnvironmentID
	s.subscribe(s.Here, "by-name", s.bob[env], nil)
	s.subscribe(s.Here, "by-subscriber", s.ada[env], nil)
	s.subscribe(s.There, "by-name", s.bob[s.There.Scope.EnvironmentID], nil)
	tagged := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "tagged", "tags": `["t"]`, "active": true})
	s.Add(s.Here, "workflows", pgtest.Values{"identifier": "asleep", "tags": `["t"]`, "active": false})
	s.Add(s.There, "workflows", pgtest.Values{"identifier": "tagged", "tags": `["t"]`, "active": true})
	find := func(c pgaudience.SubscriptionCall, in pgaudience.NewTopic) (state *pgaudience.TopicState) {
		in.At = pgtest.Noon
		s.batch(func(b *postgres.Batch) (err error) {
			state, err = pgaudience.MakeTopic(s.Ctx, b, c, in)
			return err
		})
		return state
	}
	call := pgaudience.SubscriptionCall{Scope: s.Here.Scope, TopicKey: "news", Subscribers: []string{"ada", "nobody"}, Identifiers: []string{"by-name", "none"}}
	state := find(call, pgaudience.NewTopic{Choice: &pgaudience.WorkflowChoice{Tags: []string{"t"}}})
	require.Equal(t, s.news[env], state.Topic.ID)
	require.Equal(t, []string{"ada"}, externalIDs(state.Subscribers))
	require.ElementsMatch(t, []string{"by-name", "by-subscriber"}, subscriptionIDs(state), "those of the topic that the call names by either")
	require.Len(t, state.Chosen, 1)
	require.Equal(t, tagged, state.Chosen[0].ID, "a tag reaches active workflows of the environment")

	call.TopicKey = "fresh"
	state = find(call, pgaudience.NewTopic{Name: new("Fresh"), Contexts: []workflow.ContextRef{{Type: "region", ID: "eu"}}})
	require.Equal(t, []string{"fresh", "Fresh"}, []string{state.Topic.Key, *state.Topic.Name})
	require.Empty(t, state.Subscriptions)
	require.Contains(t, pgtest.Column[string](s.Store, s.Here, "contexts", "identifier"), "eu")
	require.Equal(t, "Fresh", *find(call, pgaudience.NewTopic{}).Topic.Name, "without a name it keeps its own")
	require.Equal(t, "Newer", *find(call, pgaudience.NewTopic{Name: new("Newer")}).Topic.Name)
	require.Equal(t, 1, pgtest.Ask[int](s.Store, `SELECT count(*) FROM topics WHERE key = 'fresh'`), "of the call's environment alone")
}

// TestTopicsAreNotDeletedWhileTheyAreSubscribedTo: whoever deletes a topic waits for those who change its subscriptions, and who subscribes
// later makes it anew.
func TestTopicsAreNotDeletedWhileTheyAreSubscribedTo(t *testing.T) {
	t.Parallel()
	s := newTopics(t)
	begin := func(bound string) pgx.Tx {
		tx, err := s.Pool.Begin(s.Ctx)
		require.NoError(t, err)
		t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(s.Ctx)) })
		_, err = tx.Exec(s.Ctx, `SET LOCAL lock_timeout = '`+bound+`'`)
		require.NoError(t, err)
		return tx
	}
	call := pgaudience.SubscriptionCall{Scope: s.Here.Scope, TopicKey: "news", Subscribers: []string{"ada"}}
	const remove = `DELETE FROM topics WHERE key = 'news'`
	for name, change := range map[string]func(b *postgres.Batch) error{
		"subscribe": func(b *postgres.Batch) error {
			_, err := pgaudience.MakeTopic(s.Ctx, b, call, pgaudience.NewTopic{At: pgtest.Noon})
			return err
		},
		"unsubscribe": func(b *postgres.Batch) error {
			_, err := pgaudience.LockSubscriptions(s.Ctx, b, call)
			return err
		},
	} {
		changing := begin("0")
		require.NoError(t, change(&postgres.Batch{Pgx: changing}))
		_, err := begin("50ms").Exec(s.Ctx, remove)
		require.True(t, postgres.IsLocked(err), "%s: %v", name, err)
		require.NoError(t, changing.Rollback(s.Ctx))
	}

	deleting := begin("0")
	_, err := deleting.Exec(s.Ctx, remove)
	require.NoError(t, err)
	made := make(chan *pgaudience.TopicState, 1)
	go func() {
		defer close(made)
		assert.NoError(t, pgx.BeginFunc(s.Ctx, s.Pool, func(tx pgx.Tx) error {
			state, err := pgaudience.MakeTopic(s.Ctx, &postgres.Batch{Pgx: tx}, call, pgaudience.NewTopic{At: pgtest.Noon})
			made <- state
			return err
		}))
	}()
	require.Eventually(t, func() bool {
		return pgtest.Ask[bool](s.Store, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`)
	}, stall.Limit(time.Minute), time.Millisecond)
	require.NoError(t, deleting.Commit(s.Ctx))
	fresh := <-made
	require.NotNil(t, fresh.Topic)
	require.NotEqual(t, s.news[s.Here.Scope.EnvironmentID], fresh.Topic.ID)
	<-made
}

// TestSubscribersOfATopicAreLocked shows that two calls wait for each other when they share a subscriber and a topic.
func TestSubscribersOfATopicAreLocked(t *testing.T) {
	t.Parallel()
	s := newTopics(t)
	tx, err := s.Pool.Begin(s.Ctx)
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(s.Ctx)) }()
	call := pgaudience.SubscriptionCall{Scope: s.Here.Scope, TopicKey: "news", Subscribers: []string{"ada"}}
	_, err = pgaudience.MakeTopic(s.Ctx, &postgres.Batch{Pgx: tx}, call, pgaudience.NewTopic{At: pgtest.Noon})
	require.NoError(t, err)
	waits := func(scope viewer.Scope, topic, subscriber string) bool {
		other, err := s.Pool.Begin(s.Ctx)
		require.NoError(t, err)
		defer func() { require.NoError(t, other.Rollback(s.Ctx)) }()
		_, err = other.Exec(s.Ctx, `SET LOCAL lock_timeout = '50ms'`)
		require.NoError(t, err)
		_, err = pgaudience.MakeTopic(s.Ctx, &postgres.Batch{Pgx: other}, pgaudience.SubscriptionCall{Scope: scope, TopicKey: topic, Subscribers: []string{subscriber}}, pgaudience.NewTopic{At: pgtest.Noon})
		return err != nil
	}
	require.True(t, waits(s.Here.Scope, "news", "ada"))
	require.False(t, waits(s.Here.Scope, "news", "bob"))
	require.False(t, waits(s.Here.Scope, "other", "ada"))
	require.False(t, waits(s.There.Scope, "news", "ada"))
}

func TestMakeSubscriptions(t *testing.T) {
	t.Parallel()
	s := newTopics(t)
	env := s.Here.Scope.EnvironmentID
	taken := s.subscribe(s.Here, "taken", s.bob[env], nil)
	ids := pgtest.IDs(3)
	flow, other := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "flow"}), s.Add(s.Here, "workflows", pgtest.Values{"identifier": "other"})
	var made *pgaudience.MadeSubscriptions
	s.batch(func(b *postgres.Batch) (err error) {
		made, err = pgaudience.MakeSubscriptions(s.Ctx, b, pgaudience.NewSubscriptions{
			Audit: s.audit(s.news[env]), ContextKeys: []string{"a:b"}, ScopeKey: "ab", At: pgtest.Noon,
			Rows: []pgaudience.NewSubscription{
				{ID: ids[0], SubscriberID: s.ada[env], Identifier: "z", Name: new("Z")},
				{ID: ids[1], SubscriberID: s.ada[env], Identifier: "taken"},
				{ID: ids[2], SubscriberID: s.bob[env], Identifier: "a"},
			},
			Preferences: []pgaudience.NewSubscriptionPreference{
				{WorkflowID: flow, Position: 1, Enabled: true, Condition: map[string]any{"==": []any{1.0, 1.0}}},
				{WorkflowID: other, Position: 0},
			},
			Shown: []id.ID{ids[0]},
		})
		return err
	})
	require.Equal(t, map[id.ID]bool{ids[0]: true, ids[2]: true}, made.Stored, "a name that is taken is left out")
	require.Len(t, made.Preferences, 2)
	require.Equal(t, []any{other, flow, true}, []any{made.Preferences[0].WorkflowID, made.Preferences[1].WorkflowID, made.Preferences[1].Enabled}, "by position")
	require.NotNil(t, made.Preferences[1].Condition)
	require.Len(t, made.Workflows, 2)
	row := s.Record("subscriptions", ids[0])
	require.Equal(t, []any{"z", "Z", "ab", []any{"a:b"}, s.ada[env], pgtest.JSONTime(0)},
		[]any{row["identifier"], row["name"], row["scope"], row["context_keys"], row["subscriber_id"], row["created_at"]})
	require.Equal(t, 2, pgtest.Ask[int](s.Store, `SELECT count(*) FROM subscription_preferences WHERE subscription_id = $1`, ids[2]), "each gets them")
	require.Zero(t, pgtest.Ask[int](s.Store, `SELECT count(*) FROM subscription_preferences WHERE subscription_id = ANY($1) AND position < 2 AND created_at = $2`, []string{taken, ids[1]}, pgtest.Noon))
	require.Equal(t, "Ada 192.0.2.1 subscribed 1", pgtest.Ask[string](s.Store, `SELECT concat_ws(' ', actor_name, address, action, changes ->> 'n') FROM audit_entries WHERE record_id = $1`, s.news[env]))

	s.batch(func(b *postgres.Batch) (err error) {
		made, err = pgaudience.MakeSubscriptions(s.Ctx, b, pgaudience.NewSubscriptions{Audit: s.audit("none"), At: pgtest.Noon, Shown: []id.ID{ids[2]}})
		return err
	})
	require.Empty(t, made.Stored)
	require.Len(t, made.Preferences, 2, "a call without rows only shows")
	require.Zero(t, pgtest.Ask[int](s.Store, `SELECT count(*) FROM audit_entries WHERE record_id = 'none'`), "and is not audited")
}

func TestDeleteSubscriptions(t *testing.T) {
	t.Parallel()
	s := newTopics(t)
	here, there := s.Here.Scope.EnvironmentID, s.There.Scope.EnvironmentID
	mine, others := s.subscribe(s.Here, "x", s.ada[here], nil), s.subscribe(s.There, "x", s.ada[there], nil)
	s.subscribe(s.Here, "y", s.bob[here], nil)
	s.Add(s.Here, "subscription_preferences", pgtest.Values{"subscription_id": mine})
	lock := func(c pgaudience.SubscriptionCall) (state *pgaudience.TopicState) {
		s.batch(func(b *postgres.Batch) (err error) {
			state, err = pgaudience.LockSubscriptions(s.Ctx, b, c)
			return err
		})
		return state
	}
	for _, c := range []struct {
		call pgaudience.SubscriptionCall
		want []string
	}{
		{pgaudience.SubscriptionCall{Identifiers: []string{"x"}}, []string{"x"}},
		{pgaudience.SubscriptionCall{Subscribers: []string{"bob", "none"}}, []string{"y"}},
		{pgaudience.SubscriptionCall{Subscribers: []string{"ada"}, Identifiers: []string{"x", "y"}}, []string{"x", "y"}},
		{pgaudience.SubscriptionCall{}, []string{}},
	} {
		c.call.Scope, c.call.TopicKey = s.Here.Scope, "news"
		state := lock(c.call)
		require.Equal(t, c.want, subscriptionIDs(state), "%+v", c.call)
		require.Len(t, state.Subscribers, len(c.want), "with those who have them")
		c.call.TopicKey = "other"
		state = lock(c.call)
		require.Nil(t, state.Topic)
		require.Empty(t, state.Subscriptions)
	}
	s.batch(func(b *postgres.Batch) error {
		return pgaudience.DeleteSubscriptions(s.Ctx, b, s.audit("gone"), []id.ID{mine, others})
	})
	require.Equal(t, []string{"y"}, pgtest.Column[string](s.Store, s.Here, "subscriptions", "identifier"))
	require.Equal(t, []string{"x"}, pgtest.Column[string](s.Store, s.There, "subscriptions", "identifier"), "another environment's stays")
	require.Zero(t, pgtest.Ask[int](s.Store, `SELECT count(*) FROM subscription_preferences WHERE subscription_id = $1`, mine))
	require.Equal(t, 1, pgtest.Ask[int](s.Store, `SELECT count(*) FROM audit_entries WHERE record_id = 'gone'`))
}

func TestUpdateSubscription(t *testing.T) {
	t.Parallel()
	s := newTopics(t)
	env := s.Here.Scope.EnvironmentID
	mine := s.subscribe(s.Here, "x", s.ada[env], pgtest.Values{"name": "Old"})
	s.subscribe(s.There, "x", s.ada[s.There.Scope.EnvironmentID], nil)
	flow, other := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "flow"}), s.Add(s.Here, "workflows", pgtest.Values{"identifier": "other"})
	s.Add(s.Here, "subscription_preferences", pgtest.Values{"subscription_id": mine, "workflow_id": flow, "position": 0})
	lock := func(scope viewer.Scope, topic, identifier string) (state *pgaudience.SubscriptionState) {
		s.batch(func(b *postgres.Batch) (err error) {
			state, err = pgaudience.LockSubscription(s.Ctx, b, scope, topic, identifier, &pgaudience.WorkflowChoice{Identifiers: []string{"flow"}})
			return err
		})
		return state
	}
	state := lock(s.Here.Scope, "news", "x")
	require.Equal(t, []string{mine, "ada", s.news[env]}, []string{state.Subscription.ID, state.Subscriber.SubscriberID, state.Topic.ID})
	require.Equal(t, []string{flow, flow, flow}, []string{state.Preferences[0].WorkflowID, state.Workflows[0].ID, state.Chosen[0].ID})
	require.Nil(t, lock(s.Here.Scope, "news", "y").Subscription)
	require.Nil(t, lock(s.Here.Scope, "none", "x").Topic)
	require.NotEqual(t, mine, lock(s.There.Scope, "news", "x").Subscription.ID)

	update := func(u pgaudience.SubscriptionUpdate) (stored []*ent.SubscriptionPreference) {
		u.Audit, u.At = s.audit(mine), pgtest.Noon
		s.batch(func(b *postgres.Batch) (err error) {
			stored, err = pgaudience.UpdateSubscription(s.Ctx, b, u)
			return err
		})
		return stored
	}
	require.Empty(t, update(pgaudience.SubscriptionUpdate{Name: new("New")}))
	row := s.Record("subscriptions", mine)
	require.Equal(t, []any{"New", pgtest.JSONTime(0), ""}, []any{row["name"], row["updated_at"], row["scope"]})
	require.Len(t, lock(s.Here.Scope, "news", "x").Preferences, 1, "preferences stay unless they are replaced")
	stored := update(pgaudience.SubscriptionUpdate{Replace: true, Preferences: []pgaudience.NewSubscriptionPreference{{WorkflowID: flow, Position: 1, Enabled: true}, {WorkflowID: other}}})
	require.Equal(t, []string{other, flow}, []string{stored[0].WorkflowID, stored[1].WorkflowID})
	require.Nil(t, s.Record("subscriptions", mine)["name"], "no name removes it")
	require.Empty(t, update(pgaudience.SubscriptionUpdate{Replace: true}))
	require.Empty(t, lock(s.Here.Scope, "news", "x").Preferences)
}

func TestReadSubscriptions(t *testing.T) {
	t.Parallel()
	s := newTopics(t)
	here, there := s.Here.Scope.EnvironmentID, s.There.Scope.EnvironmentID
	for i, identifier := range []string{"c", "a", "b"} {
		s.subscribe(s.Here, identifier, s.ada[here], pgtest.Values{"created_at": *pgtest.At(-i), "scope": map[bool]string{true: "x"}[identifier == "b"]})
	}
	s.subscribe(s.Here, "bob", s.bob[here], nil)
	s.subscribe(s.There, "foreign", s.ada[there], nil)
	for _, c := range []struct {
		in   pgaudience.FirstSubscriptions
		want []string
	}{
		{pgaudience.FirstSubscriptions{Column: "id", Limit: 9}, []string{"c", "a", "b"}},
		{pgaudience.FirstSubscriptions{Column: "id", Descending: true, Limit: 2}, []string{"b", "a"}},
		{pgaudience.FirstSubscriptions{Column: "identifier", Limit: 9}, []string{"a", "b", "c"}},
		{pgaudience.FirstSubscriptions{Column: "created_at", Limit: 1}, []string{"b"}},
		{pgaudience.FirstSubscriptions{Column: "id", ScopeKey: new(""), Limit: 9}, []string{"c", "a"}},
		{pgaudience.FirstSubscriptions{Column: "id", ScopeKey: new("x"), Limit: 9}, []string{"b"}},
	} {
		c.in.Scope, c.in.SubscriberID = s.Here.Scope, "ada"
		owner, rows, err := pgaudience.ReadSubscriptions(s.Ctx, s.DB, c.in)
		require.NoError(t, err)
		require.Equal(t, s.ada[here], owner.ID)
		require.Equal(t, c.want, pgtest.Names(rows, func(r **ent.Subscription) string { return (*r).Identifier }), "%+v", c.in)
		for _, row := range rows {
			require.Equal(t, []any{s.news[here], owner}, []any{row.Edges.Topic.ID, row.Edges.Subscriber})
		}
	}
	s.Exec(`UPDATE subscribers SET deleted = true WHERE id = $1`, s.ada[here])
	owner, rows, err := pgaudience.ReadSubscriptions(s.Ctx, s.DB, pgaudience.FirstSubscriptions{Scope: s.Here.Scope, SubscriberID: "ada", Column: "id", Limit: 9})
	require.NoError(t, err)
	require.Nil(t, owner)
	require.Empty(t, rows)
}
