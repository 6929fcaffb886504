package postgres_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

func window(name string, minutes int) postgres.WindowRow {
	return postgres.WindowRow{
		WindowKey: postgres.WindowKey{EnvironmentID: "env", WorkflowID: "workflow", StepID: "step", SubscriberID: "subscriber", DigestKey: "key", Scope: "scope"},
		ID:        "d-" + name, ContextKeys: []string{"a:b"}, NotificationID: "n-" + name, Status: "open", OpenedAt: *at(minutes), ClosesAt: *at(minutes + 1),
		LastEventAt: *at(minutes + 2), Total: minutes + 3,
	}
}

// inUTC has the times that the database gives in the zone that tests write.
func inUTC(rows []postgres.WindowRow) []postgres.WindowRow {
	for i := range rows {
		for _, t := range []*time.Time{&rows[i].OpenedAt, &rows[i].ClosesAt, &rows[i].LastEventAt} {
			*t = t.UTC()
		}
	}
	return rows
}

func TestWindows(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	lock := func(proposed ...postgres.WindowRow) (found []postgres.WindowRow) {
		s.tx(func(tx pgx.Tx) {
			var err error
			found, err = postgres.LockWindows(s.ctx, tx, proposed)
			require.NoError(t, err)
		})
		return inUTC(found)
	}
	first, second := window("first", 0), window("second", 10)
	require.Equal(t, []postgres.WindowRow{first}, lock(first), "an unknown identity gets the proposed window, as it was proposed")
	require.Equal(t, []postgres.WindowRow{first}, lock(second), "a known one keeps what is open")
	for name, change := range map[string]func(*postgres.WindowKey){
		"environment": func(k *postgres.WindowKey) { k.EnvironmentID = "x" }, "workflow": func(k *postgres.WindowKey) { k.WorkflowID = "x" },
		"step": func(k *postgres.WindowKey) { k.StepID = "x" }, "subscriber": func(k *postgres.WindowKey) { k.SubscriberID = "x" },
		"key": func(k *postgres.WindowKey) { k.DigestKey = "x" }, "scope": func(k *postgres.WindowKey) { k.Scope = "x" },
	} {
		other := window(name, 20)
		change(&other.WindowKey)
		found, err := postgres.ReadWindows(s.ctx, s.Pool, []postgres.WindowRow{other})
		require.NoError(t, err)
		require.Empty(t, found, "the %s belongs to the identity", name)
		require.Equal(t, []postgres.WindowRow{other}, lock(other), name)
	}

	first.Status, first.Total, first.LastEventAt, first.ClosesAt, first.NotificationID = "closed", 9, *at(5), *at(6), "n-next"
	s.send(func(b *pgx.Batch) { postgres.SaveWindows(b, []postgres.WindowRow{first, second}) })
	found, err := postgres.ReadWindows(s.ctx, s.Pool, []postgres.WindowRow{window("any", 0)})
	require.NoError(t, err)
	require.Equal(t, []postgres.WindowRow{second}, inUTC(found), "the open window comes after the closed one")
	stored := s.record("digests", "d-first")
	require.Equal(t, []any{"closed", jsonTime(5), jsonTime(6), "n-next"}, []any{stored["status"], stored["last_event_at"], stored["closes_at"], stored["notification_id"]})

	unknown := window("unknown", 0)
	unknown.StepID = "never"
	last, err := postgres.LastEvents(s.ctx, s.Pool, []postgres.WindowRow{unknown, second, first})
	require.NoError(t, err)
	require.Len(t, last, 3)
	require.True(t, last[0].IsZero())
	require.Equal(t, []time.Time{*at(5), *at(12)}, []time.Time{last[1].UTC(), last[2].UTC()}, "in the order asked, each without its own window")

	s.send(func(b *pgx.Batch) { postgres.CancelWindows(b, []string{"d-first", "d-second"}) })
	require.Equal(t, []any{"closed", "cancelled"}, []any{s.record("digests", "d-first")["status"], s.record("digests", "d-second")["status"]}, "only open ones")
}

func TestThrottles(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	row := postgres.ThrottleRow{ID: "t1", EnvironmentID: "env", WorkflowID: "workflow", StepID: "step", SubscriberID: "subscriber", ThrottleKey: "key"}
	lock := func(rows ...postgres.ThrottleRow) (found []postgres.ThrottleRow) {
		s.tx(func(tx pgx.Tx) {
			var err error
			found, err = postgres.LockThrottles(s.ctx, tx, rows)
			require.NoError(t, err)
		})
		return found
	}
	require.Equal(t, "t1", lock(row)[0].ID)
	again := row
	again.ID = "t2"
	require.Equal(t, "t1", lock(again)[0].ID, "an identity has one row")
	row.StartsAt, row.EndsAt, row.Used = *at(1), *at(2), 3
	foreign := row
	foreign.EnvironmentID = "other"
	foreign.Used = 99
	s.send(func(b *pgx.Batch) { postgres.SaveThrottles(b, []postgres.ThrottleRow{row}) })
	s.send(func(b *pgx.Batch) { postgres.SaveThrottles(b, []postgres.ThrottleRow{foreign}) })
	found, err := postgres.ReadThrottles(s.ctx, s.Pool, []postgres.ThrottleRow{again})
	require.NoError(t, err)
	require.Len(t, found, 1)
	found[0].StartsAt, found[0].EndsAt = found[0].StartsAt.UTC(), found[0].EndsAt.UTC()
	require.Equal(t, row, found[0], "another environment cannot change it")
	found, err = postgres.ReadThrottles(s.ctx, s.Pool, []postgres.ThrottleRow{foreign})
	require.NoError(t, err)
	require.Empty(t, found)
}

func TestUpsertSubscribers(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	env := s.here.Scope.EnvironmentID
	upsert := func(writes ...postgres.SubscriberWrite) (rows []postgres.SubscriberRow) {
		s.tx(func(tx pgx.Tx) {
			var err error
			rows, err = postgres.UpsertSubscribers(s.ctx, tx, writes)
			require.NoError(t, err)
		})
		require.Len(t, rows, len(writes))
		return rows
	}
	write := func(id, environment, given, namedBy string) postgres.SubscriberWrite {
		w := postgres.SubscriberWrite{ID: id, EnvironmentID: environment, NamedBy: namedBy}
		require.NoError(t, json.Unmarshal([]byte(given), &w.Input))
		return w
	}
	ids := idsOf(3)
	made := upsert(write(ids[0], env, `{"subscriberId": "u", "firstName": "f", "lastName": "l", "email": "e@example.org", "phone": "+1555", "avatar": "https://a.example",
		"locale": "de", "timezone": "Europe/Berlin", "data": {"k": 1}}`, "e5"))[0]
	require.Equal(t, postgres.SubscriberRow{
		ID: ids[0], EnvironmentID: env, SubscriberID: "u", FirstName: new("f"), LastName: new("l"), Email: new("e@example.org"), Phone: new("+1555"),
		Avatar: new("https://a.example"), Locale: new("de"), Timezone: new("Europe/Berlin"), Data: []byte(`{"k": 1}`), NamedBy: new("e5"),
	}, made)
	for _, c := range []struct {
		json string
		want func(*postgres.SubscriberRow)
	}{
		{`{"subscriberId": "u"}`, func(*postgres.SubscriberRow) {}},
		{`{"subscriberId": "u", "firstName": "f2"}`, func(r *postgres.SubscriberRow) { r.FirstName = new("f2") }},
		{`{"subscriberId": "u", "lastName": "l2"}`, func(r *postgres.SubscriberRow) { r.LastName = new("l2") }},
		{`{"subscriberId": "u", "email": "e2@example.org"}`, func(r *postgres.SubscriberRow) { r.Email = new("e2@example.org") }},
		{`{"subscriberId": "u", "phone": "+1666"}`, func(r *postgres.SubscriberRow) { r.Phone = new("+1666") }},
		{`{"subscriberId": "u", "avatar": "https://b.example"}`, func(r *postgres.SubscriberRow) { r.Avatar = new("https://b.example") }},
		{`{"subscriberId": "u", "locale": "fr"}`, func(r *postgres.SubscriberRow) { r.Locale = new("fr") }},
		{`{"subscriberId": "u", "timezone": "Europe/Paris"}`, func(r *postgres.SubscriberRow) { r.Timezone = new("Europe/Paris") }},
		{`{"subscriberId": "u", "data": {"k": 2}}`, func(r *postgres.SubscriberRow) { r.Data = []byte(`{"k": 2}`) }},
	} {
		c.want(&made)
		require.Equal(t, made, upsert(write(ids[1], env, c.json, "e6"))[0], "%s changes what it names, and the older event stays", c.json)
	}
	require.Equal(t, new("e1"), upsert(write(ids[1], env, `{"subscriberId": "u"}`, "e1"))[0].NamedBy)
	require.Equal(t, ids[1], upsert(write(ids[1], s.there.Scope.EnvironmentID, `{"subscriberId": "u"}`, "e1"))[0].ID, "another environment has its own")
	s.exec(`UPDATE subscribers SET deleted = true WHERE id = $1`, ids[0])
	found, err := postgres.FindSubscribers(s.ctx, s.Pool, []postgres.SubscriberKey{{EnvironmentID: env, SubscriberID: "u"}})
	require.NoError(t, err)
	require.Empty(t, found)
	require.Equal(t, ids[2], upsert(write(ids[2], env, `{"subscriberId": "u"}`, "e7"))[0].ID, "who was deleted comes back as somebody new")
}

func TestBumpInbox(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	env := s.here.Scope.EnvironmentID
	delta := func(subscriber, scope string, total, unread, unseen int) postgres.InboxDelta {
		return postgres.InboxDelta{EnvironmentID: env, SubscriberID: subscriber, Scope: scope, ContextKeys: []string{"k"}, Total: total, Unread: unread, Unseen: unseen}
	}
	bump := func(deltas ...postgres.InboxDelta) (sequences []int64) {
		s.tx(func(tx pgx.Tx) {
			var err error
			sequences, err = postgres.BumpInbox(s.ctx, tx, deltas)
			require.NoError(t, err)
		})
		return sequences
	}
	state := func(subscriber, scope string) string {
		return ask[string](s, `SELECT concat_ws(' ', sequence, total, unread, unseen, context_keys) FROM inbox_states
			WHERE environment_id = $1 AND subscriber_id = $2 AND scope = $3`, env, subscriber, scope)
	}
	require.Empty(t, bump())
	require.Equal(t, []int64{1, 1, 1}, bump(delta("b", "", 1, 2, 3), delta("a", "x", 5, 5, 5), delta("b", "", 10, 20, 30)), "one step for each inbox")
	require.Equal(t, `1 11 22 33 ["k"]`, state("b", ""))
	require.Equal(t, `1 5 5 5 ["k"]`, state("a", "x"))
	require.Equal(t, []int64{2, 1}, bump(delta("b", "", -1, -2, -3), delta("b", "x", 0, 0, 0)))
	require.Equal(t, `2 10 20 30 ["k"]`, state("b", ""))
	require.Equal(t, `1 5 5 5 ["k"]`, state("a", "x"), "other inboxes stay")
}

func TestHealth(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	env, integration := s.here.Scope.EnvironmentID, s.here.IDs["integrations"]
	policy := postgres.BreakerPolicy{Failures: 3, Pause: time.Minute, Longest: 3 * time.Minute}
	record := func(sign postgres.Health) string {
		sign.EnvironmentID, sign.IntegrationID = env, integration
		changes, err := s.RecordHealth(s.ctx, []postgres.Health{sign}, policy)
		require.NoError(t, err)
		return fmt.Sprint(names(changes, func(c *postgres.BreakerChange) string { return c.State }))
	}
	probe := func(environment string, minutes int) bool {
		taken, err := postgres.TakeProbes(s.ctx, s.Pool, []postgres.Probe{{EnvironmentID: environment, IntegrationID: integration, Now: *at(minutes)}}, time.Minute)
		require.NoError(t, err)
		return taken[integration]
	}
	require.Equal(t, "[]", record(postgres.Health{Failures: 2, At: noon}))
	require.False(t, probe(env, 60), "a closed breaker gets no probe")
	require.Equal(t, "[open]", record(postgres.Health{Failures: 1, At: noon, Cause: "down"}), "failures in a row add up")
	require.Equal(t, "[]", record(postgres.Health{Well: true, At: noon}), "a call that began before proves nothing")
	require.False(t, probe(env, 0), "not before the pause is over")
	require.False(t, probe(s.there.Scope.EnvironmentID, 1), "nor from another environment")
	require.True(t, probe(env, 1))
	require.False(t, probe(env, 1), "one at a time")
	require.Equal(t, "[open]", record(postgres.Health{Failures: 1, Probe: true, At: *at(2)}))
	require.True(t, probe(env, 4), "the pause is as long as the breaker has been open")
	require.Equal(t, "[closed]", record(postgres.Health{Well: true, Probe: true, At: *at(4)}))
	require.Zero(t, ask[int](s, `SELECT breaker_failures FROM integrations WHERE id = $1`, integration))
	require.Equal(t, "[open]", record(postgres.Health{Failures: 1, Fault: true, At: noon}), "a failure of its own for sure opens at once")
}

func TestReservePace(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	integration := s.here.IDs["integrations"]
	reserve := func(environment string, minutes int) map[string]time.Duration {
		begins, err := postgres.ReservePace(s.ctx, s.Pool, []postgres.Pace{{EnvironmentID: environment, IntegrationID: integration, Now: *at(minutes), Span: 30 * time.Second}})
		require.NoError(t, err)
		return begins
	}
	env := s.here.Scope.EnvironmentID
	require.Equal(t, map[string]time.Duration{integration: 0}, reserve(env, 0))
	require.Equal(t, 30*time.Second, reserve(env, 0)[integration], "behind what was reserved before")
	require.Zero(t, reserve(env, 2)[integration], "what has passed is not made up for")
	require.Empty(t, reserve(s.there.Scope.EnvironmentID, 0))
}

func TestSuppressedAddressesAreTheEnvironmentsOwn(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.exec(`INSERT INTO suppressions (id, created_at, updated_at, environment_id, channel, address, reason) VALUES ('x', now(), now(), $1, 'email', 'a@example.org', 'bounce')`,
		s.here.Scope.EnvironmentID)
	mail := postgres.Address{EnvironmentID: s.here.Scope.EnvironmentID, Channel: workflow.ChannelEmail, Address: "a@example.org"}
	foreign, sms := mail, mail
	foreign.EnvironmentID, sms.Channel = s.there.Scope.EnvironmentID, workflow.ChannelSMS
	found, err := postgres.LoadSuppressed(s.ctx, s.Pool, []postgres.Address{foreign, sms, mail})
	require.NoError(t, err)
	require.Equal(t, map[postgres.Address]workflow.SuppressionReason{mail: workflow.SuppressionBounce}, found)
}
