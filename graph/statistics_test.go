package graph_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgactivity"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

const deliveryStatistics = `query($from: Time!, $to: Time, $n: Int!) { deliveryStatistics(from: $from, to: $to, buckets: $n) {
	from to bucketSeconds buckets { start messages sent failed pending estimated latency { p50 p95 p99 }
		channels { channel messages sent failed latency { p50 } } providers { providerId accepted rejected unknown pending } } } }`

// statisticsRows writes, from an instant on, an event every second: mails of which every third fails after two refused
// calls and the others are taken a quarter of a second after they were due, each followed by one in the inbox 50 ms after
// that. The first half is due when its event is accepted, the second an hour later.
func (b *bundle) statisticsRows(t *testing.T, scope viewer.Scope, from time.Time, n int) {
	t.Helper()
	const message = `INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id, event_id,
	transaction_id, workflow_id, workflow_identifier, step_id, subscriber_id, channel, target, status, arrived_at)
VALUES ($1, $7, $7, $2, '[]', '', $8, $3, 't', 'w', 'w', 's', 'u', $4, $5, $6, now())`
	const attempt = `INSERT INTO attempts (id, created_at, updated_at, environment_id, message_id, number, integration_id, provider_id, outcome)
VALUES ($1, $2, $2, $3, $4, $5, 'i', 'sendgrid', $6)`
	for i := range n {
		at := from.Add(time.Duration(i) * time.Second)
		event, made := id.Floor(at), at.Add(5*time.Millisecond)
		run, mail, inbox := id.Floor(made), id.Floor(at.Add(10*time.Millisecond)), id.Floor(at.Add(50*time.Millisecond))
		created := made.Add(-time.Millisecond) // read before the run got its identifier
		if i >= n/2 {
			created = at
			event, run = id.Floor(at.Add(-time.Hour)), id.Floor(made.Add(-time.Hour))
		}
		status, outcomes := "sent", []string{"accepted"}
		if i%3 == 0 {
			status, outcomes = "error", []string{"rejected", "rejected"}
		}
		_, err := b.db.Pool.Exec(t.Context(), message, mail, scope.EnvironmentID, event, "email", "mail", status, created, run)
		require.NoError(t, err)
		_, err = b.db.Pool.Exec(t.Context(), message, inbox, scope.EnvironmentID, event, "in_app", "inbox", "sent", created, run)
		require.NoError(t, err)
		for k, outcome := range outcomes {
			call := at.Add(time.Duration(20+k) * time.Millisecond)
			_, err = b.db.Pool.Exec(t.Context(), attempt, id.Floor(call), at.Add(250*time.Millisecond), scope.EnvironmentID, mail, k+1, outcome)
			require.NoError(t, err)
		}
	}
}

func TestDeliveryStatistics(t *testing.T) {
	t.Parallel()
	b := setup(t)
	env, err := b.db.Ent.Environment.Query().Only(viewer.SystemContext(t.Context()))
	require.NoError(t, err)
	own := viewer.Scope{OrganizationID: env.OrganizationID, EnvironmentID: env.ID}
	from := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	b.statisticsRows(t, own, from, 60)
	b.statisticsRows(t, pgtest.Fill(t, b.db, "").Scope, from.Add(100*time.Microsecond), 5)

	got := at(t, b.must(t, deliveryStatistics, map[string]any{"from": from, "to": from.Add(3 * time.Minute), "n": 6}), "deliveryStatistics")
	require.EqualValues(t, 30, at(t, got, "bucketSeconds"))
	buckets := at(t, got, "buckets").([]any)
	require.Len(t, buckets, 6)
	for i, bucket := range buckets {
		want := map[string]any{
			"start": from.Add(time.Duration(i) * 30 * time.Second).Format(time.RFC3339), "messages": 60.0, "sent": 50.0, "failed": 10.0,
			"pending": 0.0, "estimated": false,
			"latency": map[string]any{"p50": 50.0, "p95": 250.0, "p99": 250.0},
			"channels": []any{
				map[string]any{"channel": "EMAIL", "messages": 30.0, "sent": 20.0, "failed": 10.0, "latency": map[string]any{"p50": 250.0}},
				map[string]any{"channel": "IN_APP", "messages": 30.0, "sent": 30.0, "failed": 0.0, "latency": map[string]any{"p50": 50.0}},
			},
			"providers": []any{map[string]any{"providerId": "sendgrid", "accepted": 20.0, "rejected": 20.0, "unknown": 0.0, "pending": 0.0}},
		}
		if i > 1 {
			want = map[string]any{
				"start": want["start"], "messages": 0.0, "sent": 0.0, "failed": 0.0, "pending": 0.0, "estimated": false, "latency": nil,
				"channels": []any{}, "providers": []any{},
			}
		}
		start, err := time.Parse(time.RFC3339Nano, at(t, bucket, "start").(string))
		require.NoError(t, err)
		bucket.(map[string]any)["start"] = start.UTC().Format(time.RFC3339)
		requireClose(t, want, bucket)
	}

	// More than is read is counted, up to a bound, too.
	for bound, want := range map[int]struct {
		rows int
		last time.Duration
	}{1000: {120, time.Minute}, 60: {60, 30 * time.Second}} {
		counts, err := pgactivity.CountMessages(t.Context(), b.db.Pool, own, pgactivity.Buckets{From: from, Each: time.Minute, Count: 1, Rows: 20, Counted: bound})
		require.NoError(t, err)
		require.Equal(t, 20, counts[0].Messages)
		require.Equal(t, want.rows, counts[0].Rows)
		require.WithinDuration(t, from.Add(want.last), id.Time(counts[0].LastID), time.Second)
	}

	for name, wrong := range map[string]map[string]any{
		"buckets": {"from": from, "to": from.Add(time.Hour), "n": 201},
		"to":      {"from": from, "to": from.Add(32 * 24 * time.Hour), "n": 10},
		"from":    {"from": "1960-01-01T00:00:00Z", "to": "1960-01-02T00:00:00Z", "n": 10},
	} {
		r := b.ask(t, b.key, deliveryStatistics, wrong)
		require.Equal(t, "VALIDATION", r.code(), name)
		require.Equal(t, name, at(t, r.Errors[0].Extensions["fields"].([]any)[0], "path"))
	}
}

// requireClose compares answers, numbers up to a hundredth.
func requireClose(t *testing.T, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		require.Len(t, got, len(want))
		for name := range want {
			requireClose(t, want[name], got.(map[string]any)[name])
		}
	case []any:
		require.Len(t, got, len(want))
		for i := range want {
			requireClose(t, want[i], got.([]any)[i])
		}
	case float64:
		require.InDelta(t, want, got, 0.01)
	default:
		require.Equal(t, want, got)
	}
}
