package pgsubscriber_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestUpsertSubscribers(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	env := s.Here.Scope.EnvironmentID
	upsert := func(writes ...pgsubscriber.SubscriberWrite) (rows []pgsubscriber.SubscriberRow) {
		s.InTx(func(tx pgx.Tx) {
			var err error
			rows, err = pgsubscriber.UpsertSubscribers(s.Ctx, tx, writes)
			require.NoError(t, err)
		})
		require.Len(t, rows, len(writes))
		return rows
	}
	write := func(id, environment, given, namedBy string) pgsubscriber.SubscriberWrite {
		w := pgsubscriber.SubscriberWrite{ID: id, EnvironmentID: environment, NamedBy: namedBy}
		require.NoError(t, json.Unmarshal([]byte(given), &w.Input))
		return w
	}
	ids := pgtest.IDs(3)
	made := upsert(write(ids[0], env, `{"subscriberId": "u", "firstName": "f", "lastName": "l", "email": "e@example.org", "phone": "+1555", "avatar": "https://a.example",
		"locale": "de", "timezone": "Europe/Berlin", "data": {"k": 1}}`, "e5"))[0]
	require.Equal(t, pgsubscriber.SubscriberRow{
		ID: ids[0], EnvironmentID: env, SubscriberID: "u", Profile: workflow.Profile[*string]{FirstName: new("f"), LastName: new("l"), Email: new("e@example.org"), Phone: new("+1555"), Avatar: new("https://a.example"), Locale: new("de"), Timezone: new("Europe/Berlin")}, Data: []byte(`{"k": 1}`), NamedBy: new("e5"),
	}, made)
	for _, c := range []struct {
		json string
		want func(*pgsubscriber.SubscriberRow)
	}{
		{`{"subscriberId": "u"}`, func(*pgsubscriber.SubscriberRow) {}},
		{`{"subscriberId": "u", "firstName": "f2"}`, func(r *pgsubscriber.SubscriberRow) { r.FirstName = new("f2") }},
		{`{"subscriberId": "u", "lastName": "l2"}`, func(r *pgsubscriber.SubscriberRow) { r.LastName = new("l2") }},
		{`{"subscriberId": "u", "email": "e2@example.org"}`, func(r *pgsubscriber.SubscriberRow) { r.Email = new("e2@example.org") }},
		{`{"subscriberId": "u", "phone": "+1666"}`, func(r *pgsubscriber.SubscriberRow) { r.Phone = new("+1666") }},
		{`{"subscriberId": "u", "avatar": "https://b.example"}`, func(r *pgsubscriber.SubscriberRow) { r.Avatar = new("https://b.example") }},
		{`{"subscriberId": "u", "locale": "fr"}`, func(r *pgsubscriber.SubscriberRow) { r.Locale = new("fr") }},
		{`{"subscriberId": "u", "timezone": "Europe/Paris"}`, func(r *pgsubscriber.SubscriberRow) { r.Timezone = new("Europe/Paris") }},
		{`{"subscriberId": "u", "data": {"k": 2}}`, func(r *pgsubscriber.SubscriberRow) { r.Data = []byte(`{"k": 2}`) }},
	} {
		c.want(&made)
		require.Equal(t, made, upsert(write(ids[1], env, c.json, "e6"))[0], "%s changes what it names, and the older event stays", c.json)
	}
	require.Equal(t, new("e1"), upsert(write(ids[1], env, `{"subscriberId": "u"}`, "e1"))[0].NamedBy)
	require.Equal(t, ids[1], upsert(write(ids[1], s.There.Scope.EnvironmentID, `{"subscriberId": "u"}`, "e1"))[0].ID, "another environment has its own")
	s.Exec(`UPDATE subscribers SET deleted = true WHERE id = $1`, ids[0])
	found, err := pgsubscriber.FindSubscribers(s.Ctx, s.Pool, []pgsubscriber.SubscriberKey{{EnvironmentID: env, SubscriberID: "u"}})
	require.NoError(t, err)
	require.Empty(t, found)
	require.Equal(t, ids[2], upsert(write(ids[2], env, `{"subscriberId": "u"}`, "e7"))[0].ID, "who was deleted comes back as somebody new")
}

// beforeSecond is a transaction in which something happens before its second query.
type beforeSecond struct {
	pgx.Tx
	queries int
	happens func()
}

func (b *beforeSecond) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if b.queries++; b.queries == 2 {
		b.happens()
	}
	return b.Tx.Query(ctx, sql, args...)
}

// TestUpsertOfOneDeletedMeanwhile: one who was there to be changed, and is deleted before that, is created. The rows answered lacked them.
func TestUpsertOfOneDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	known := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "u"})
	ids := pgtest.IDs(2)
	s.InTx(func(tx pgx.Tx) {
		deleting := &beforeSecond{Tx: tx, happens: func() { s.Exec(`UPDATE subscribers SET deleted = true WHERE id = $1`, known) }}
		rows, err := pgsubscriber.UpsertSubscribers(s.Ctx, deleting, []pgsubscriber.SubscriberWrite{
			{ID: ids[0], EnvironmentID: s.Here.Scope.EnvironmentID, Input: workflow.SubscriberInput{SubscriberID: "t"}},
			{ID: ids[1], EnvironmentID: s.Here.Scope.EnvironmentID, Input: workflow.SubscriberInput{SubscriberID: "u"}},
		})
		require.NoError(t, err)
		require.Len(t, rows, 2)
		require.Equal(t, ids[1], rows[1].ID)
	})
}
