package pgrun_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func window(name string, minutes int) pgrun.WindowRow {
	return pgrun.WindowRow{
		WindowKey: pgrun.WindowKey{EnvironmentID: "env", WorkflowID: "workflow", StepID: "step", SubscriberID: "subscriber", DigestKey: "key", Scope: "scope"},
		ID:        "d-" + name, ContextKeys: []string{"a:b"}, NotificationID: "n-" + name, Status: "open", OpenedAt: *pgtest.At(minutes), ClosesAt: *pgtest.At(minutes + 1),
		LastEventAt: *pgtest.At(minutes + 2), Total: minutes + 3,
	}
}

// inUTC has the times that the database gives in the zone that tests write.
func inUTC(rows []pgrun.WindowRow) []pgrun.WindowRow {
	for i := range rows {
		for _, t := range []*time.Time{&rows[i].OpenedAt, &rows[i].ClosesAt, &rows[i].LastEventAt} {
			*t = t.UTC()
		}
	}
	return rows
}

func TestWindows(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	lock := func(proposed ...pgrun.WindowRow) (found []pgrun.WindowRow) {
		s.InTx(func(tx pgx.Tx) {
			var err error
			found, err = pgrun.LockWindows(s.Ctx, tx, proposed)
			require.NoError(t, err)
		})
		return inUTC(found)
	}
	first, second := window("first", 0), window("second", 10)
	require.Equal(t, []pgrun.WindowRow{first}, lock(first), "an unknown identity gets the proposed window, as it was proposed")
	require.Equal(t, []pgrun.WindowRow{first}, lock(second), "a known one keeps what is open")
	for name, change := range map[string]func(*pgrun.WindowKey){
		"environment": func(k *pgrun.WindowKey) { k.EnvironmentID = "x" }, "workflow": func(k *pgrun.WindowKey) { k.WorkflowID = "x" },
		"step": func(k *pgrun.WindowKey) { k.StepID = "x" }, "subscriber": func(k *pgrun.WindowKey) { k.SubscriberID = "x" },
		"key": func(k *pgrun.WindowKey) { k.DigestKey = "x" }, "scope": func(k *pgrun.WindowKey) { k.Scope = "x" },
	} {
		other := window(name, 20)
		change(&other.WindowKey)
		found, err := pgrun.ReadWindows(s.Ctx, s.Pool, []pgrun.WindowRow{other})
		require.NoError(t, err)
		require.Empty(t, found, "the %s belongs to the identity", name)
		require.Equal(t, []pgrun.WindowRow{other}, lock(other), name)
	}

	first.Status, first.Total, first.LastEventAt, first.ClosesAt, first.NotificationID = "closed", 9, *pgtest.At(5), *pgtest.At(6), "n-next"
	s.Send(func(b *pgx.Batch) { pgrun.SaveWindows(b, []pgrun.WindowRow{first, second}) })
	found, err := pgrun.ReadWindows(s.Ctx, s.Pool, []pgrun.WindowRow{window("any", 0)})
	require.NoError(t, err)
	require.Equal(t, []pgrun.WindowRow{second}, inUTC(found), "the open window comes after the closed one")
	stored := s.Record("digests", "d-first")
	require.Equal(t, []any{"closed", pgtest.JSONTime(5), pgtest.JSONTime(6), "n-next"}, []any{stored["status"], stored["last_event_at"], stored["closes_at"], stored["notification_id"]})

	unknown := window("unknown", 0)
	unknown.StepID = "never"
	last, err := pgrun.LastEvents(s.Ctx, s.Pool, []pgrun.WindowRow{unknown, second, first})
	require.NoError(t, err)
	require.Len(t, last, 3)
	require.True(t, last[0].IsZero())
	require.Equal(t, []time.Time{*pgtest.At(5), *pgtest.At(12)}, []time.Time{last[1].UTC(), last[2].UTC()}, "in the order asked, each without its own window")

	s.Send(func(b *pgx.Batch) { pgrun.CancelWindows(b, []string{"d-first", "d-second"}) })
	require.Equal(t, []any{"closed", "cancelled"}, []any{s.Record("digests", "d-first")["status"], s.Record("digests", "d-second")["status"]}, "only open ones")
}

func TestThrottles(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	row := pgrun.ThrottleRow{ID: "t1", EnvironmentID: "env", WorkflowID: "workflow", StepID: "step", SubscriberID: "subscriber", ThrottleKey: "key"}
	lock := func(rows ...pgrun.ThrottleRow) (found []pgrun.ThrottleRow) {
		s.InTx(func(tx pgx.Tx) {
			var err error
			found, err = pgrun.LockThrottles(s.Ctx, tx, rows)
			require.NoError(t, err)
		})
		return found
	}
	require.Equal(t, "t1", lock(row)[0].ID)
	again := row
	again.ID = "t2"
	require.Equal(t, "t1", lock(again)[0].ID, "an identity has one row")
	row.StartsAt, row.EndsAt, row.Used = *pgtest.At(1), *pgtest.At(2), 3
	foreign := row
	foreign.EnvironmentID = "other"
	foreign.Used = 99
	s.Send(func(b *pgx.Batch) { pgrun.SaveThrottles(b, []pgrun.ThrottleRow{row}) })
	s.Send(func(b *pgx.Batch) { pgrun.SaveThrottles(b, []pgrun.ThrottleRow{foreign}) })
	found, err := pgrun.ReadThrottles(s.Ctx, s.Pool, []pgrun.ThrottleRow{again})
	require.NoError(t, err)
	require.Len(t, found, 1)
	found[0].StartsAt, found[0].EndsAt = found[0].StartsAt.UTC(), found[0].EndsAt.UTC()
	require.Equal(t, row, found[0], "another environment cannot change it")
	found, err = pgrun.ReadThrottles(s.Ctx, s.Pool, []pgrun.ThrottleRow{foreign})
	require.NoError(t, err)
	require.Empty(t, found)
}
