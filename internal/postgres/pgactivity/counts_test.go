package pgactivity_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgactivity"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// at is an id of some minutes after Noon; n tells those of one minute apart.
func at(minutes, n int) string {
	return id.Floor(pgtest.At(minutes).Add(time.Duration(n) * time.Second))
}

var buckets = pgactivity.Buckets{From: pgtest.Noon, Each: 10 * time.Minute, Count: 3, Rows: 100, Counted: 200}

func TestBuckets(t *testing.T) {
	t.Parallel()
	low, high := buckets.Bounds()
	require.Len(t, low, 3)
	for i := range low {
		require.Equal(t, []string{id.Floor(*pgtest.At(10 * i)), id.Floor(*pgtest.At(10*i + 10))}, []string{low[i], high[i]})
	}
	require.Equal(t, low[1:], high[:2], "a bucket begins where the one before it ends")
}

func TestCountMessages(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	n := 0
	add := func(rows pgtest.Rows, minutes int, channel, status string, change pgtest.Values) string {
		n++
		values := pgtest.Values{"id": at(minutes, n), "step_id": fmt.Sprint(n), "channel": channel, "status": status, "created_at": *pgtest.At(minutes)}
		maps.Copy(values, change)
		return s.Add(rows, "messages", values)
	}
	add(s.Here, -1, "email", "sent", nil)
	add(s.Here, 1, "email", "sent", nil)
	add(s.Here, 1, "email", "error", nil)
	add(s.Here, 2, "sms", "pending", nil)
	last := add(s.Here, 9, "sms", "warning", nil)
	add(s.There, 1, "email", "sent", nil)
	add(s.Here, 21, "push", "skipped", nil)
	add(s.Here, 30, "email", "sent", nil)
	counts, err := pgactivity.CountMessages(s.Ctx, s.Pool, s.Here.Scope, buckets)
	require.NoError(t, err)
	var lines []string
	for _, c := range counts {
		channel := "all"
		if c.Channel != nil {
			channel = string(*c.Channel)
		}
		lines = append(lines, fmt.Sprint(c.Bucket, " ", channel, " ", c.Messages, c.Sent, c.Failed, c.Pending))
	}
	require.Equal(t, []string{"0 all 4 2 1 1", "0 email 2 1 1 0", "0 sms 2 1 0 1", "2 all 1 0 0 0", "2 push 1 0 0 0"}, lines,
		"a bucket's sum comes first, one without messages has none")
	require.Equal(t, pgactivity.Counted{Rows: 4, LastID: last}, counts[0].Counted)
	few := buckets
	few.Rows, few.Counted = 1, 3
	counts, err = pgactivity.CountMessages(s.Ctx, s.Pool, s.Here.Scope, few)
	require.NoError(t, err)
	require.Equal(t, []int{1, 3}, []int{counts[0].Messages, counts[0].Rows}, "so many are read, and so many counted")
}

// TestLatency says from when to when a message's latency counts.
func TestLatency(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		message pgtest.Values
		sent    int // minutes; of the accepted attempt
		want    float64
	}{
		"first message of its run": {pgtest.Values{"created_at": *pgtest.At(1)}, 3, 3},
		"after a wait":             {pgtest.Values{"created_at": *pgtest.At(2)}, 3, 1},
		"of an inbox":              {pgtest.Values{"created_at": *pgtest.At(1), "channel": "in_app"}, 9, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := pgtest.NewStore(t)
			values := pgtest.Values{"id": id.Floor(*pgtest.At(2)), "event_id": id.Floor(pgtest.Noon), "notification_id": id.Floor(*pgtest.At(1)), "channel": "email", "status": "sent"}
			maps.Copy(values, c.message)
			message := s.Add(s.Here, "messages", values)
			s.Add(s.Here, "attempts", pgtest.Values{"message_id": message, "number": 1, "outcome": "rejected", "updated_at": *pgtest.At(2)})
			s.Add(s.Here, "attempts", pgtest.Values{"message_id": message, "number": 2, "outcome": "accepted", "updated_at": *pgtest.At(c.sent)})
			counts, err := pgactivity.CountMessages(s.Ctx, s.Pool, s.Here.Scope, buckets)
			require.NoError(t, err)
			require.InDelta(t, c.want*60_000, counts[0].Latency[0], 1, "milliseconds")
		})
	}
}

func TestCountAttempts(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	n := 1 // as the attempts that there are
	for _, c := range []struct {
		rows              pgtest.Rows
		minutes           int
		provider, outcome string
	}{
		{s.Here, 1, "ses", "accepted"},
		{s.Here, 1, "ses", "rejected"},
		{s.Here, 2, "ses", "intent"},
		{s.Here, 3, "twilio", "unknown"},
		{s.Here, 11, "ses", "accepted"},
		{s.There, 1, "ses", "accepted"},
		{s.Here, 31, "ses", "accepted"},
	} {
		n++
		s.Add(c.rows, "attempts", pgtest.Values{"id": at(c.minutes, n), "number": n, "provider_id": c.provider, "outcome": c.outcome})
	}
	counts, err := pgactivity.CountAttempts(s.Ctx, s.Pool, s.Here.Scope, buckets)
	require.NoError(t, err)
	var lines []string
	for _, c := range counts {
		lines = append(lines, fmt.Sprint(c.Bucket, " ", c.ProviderID, " ", c.Accepted, c.Rejected, c.Unknown, c.Pending, c.Rows))
	}
	require.Equal(t, []string{"0 ses 1 1 0 1 4", "0 twilio 0 0 1 0 4", "1 ses 1 0 0 0 1"}, lines)
}
