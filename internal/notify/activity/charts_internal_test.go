package activity

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgactivity"
	"github.com/carillon/carillon/internal/workflow"
)

// TestPeriods holds each limit of a question at it and beyond, with the field named.
func TestPeriods(t *testing.T) {
	t.Parallel()
	from := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	const (
		count  = "buckets: must be from 1 to 200"
		before = "from: is not an instant of this service"
		length = "to: must lie from a second to 31 days after from"
	)
	for name, c := range map[string]struct {
		from    time.Time
		length  time.Duration
		buckets int
		want    []string
	}{
		"one second, one bucket": {from, time.Second, 1, nil},
		"the longest":            {from, longestPeriod, maxBuckets, nil},
		"no bucket":              {from, time.Hour, 0, []string{count}},
		"a bucket too many":      {from, time.Hour, maxBuckets + 1, []string{count}},
		"too short":              {from, time.Second - 1, 1, []string{length}},
		"backwards":              {from, -time.Hour, 1, []string{length}},
		"too long":               {from, longestPeriod + 1, 1, []string{length}},
		"the first instant":      {time.Unix(0, 0), time.Hour, 1, nil},
		"before it":              {time.Unix(-1, 0), time.Hour, 1, []string{before}},
		"the last instant":       {time.Unix(math.MaxUint32, 0), time.Hour, 1, nil},
		"after it":               {time.Unix(math.MaxUint32+1, 0), time.Hour, 1, []string{before}},
		"everything":             {time.Unix(-1, 0), 0, -1, []string{count, before, length}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			var refused *fault.Error
			if err := validPeriod(c.from, c.from.Add(c.length), c.buckets); errors.As(err, &refused) {
				for _, f := range refused.Fields {
					got = append(got, f.Path+": "+f.Message)
				}
			} else {
				require.NoError(t, err)
			}
			require.Equal(t, c.want, got)
		})
	}
}

var spans = pgactivity.Buckets{From: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Each: time.Hour, Count: 2, Rows: 10, Counted: 1000}

// TestChartsWithoutRows: every span of the period is there, with empty lists.
func TestChartsWithoutRows(t *testing.T) {
	t.Parallel()
	require.Equal(t, []DeliveryStatisticsBucket{
		{Start: spans.From, Channels: []ChannelStatistics{}, Providers: []ProviderStatistics{}},
		{Start: spans.From.Add(time.Hour), Channels: []ChannelStatistics{}, Providers: []ProviderStatistics{}},
	}, charted(spans, nil, nil))
}

// TestChartsAreDrawnUp: of a span of which a part was read every count grows by the same factor, latencies do not, and the
// other spans stay exact.
func TestChartsAreDrawnUp(t *testing.T) {
	t.Parallel()
	mail := workflow.ChannelEmail
	messages := []pgactivity.MessageCounts{
		{Bucket: 0, Messages: 3, Sent: 2, Failed: 1},
		{Bucket: 1, Messages: 10, Sent: 6, Failed: 3, Pending: 1, Latency: []float64{1, 2, 3}, Counted: pgactivity.Counted{Rows: 25}},
		{Bucket: 1, Channel: &mail, Messages: 4, Sent: 1, Failed: 3},
	}
	attempts := []pgactivity.AttemptCounts{
		{Bucket: 1, ProviderID: "a", Accepted: 6, Counted: pgactivity.Counted{Rows: 30}},
		{Bucket: 1, ProviderID: "b", Rejected: 2, Unknown: 1, Pending: 1, Counted: pgactivity.Counted{Rows: 30}},
	}
	got := charted(spans, messages, attempts)
	require.False(t, got[0].Estimated)
	require.Equal(t, MessageStatistics{Messages: 3, Sent: 2, Failed: 1}, got[0].MessageStatistics)
	require.True(t, got[1].Estimated)
	require.Equal(t, MessageStatistics{Messages: 25, Sent: 15, Failed: 8, Pending: 3, Latency: &DeliveryLatency{1, 2, 3}}, got[1].MessageStatistics)
	require.Equal(t, []ChannelStatistics{{mail, MessageStatistics{Messages: 10, Sent: 3, Failed: 8}}}, got[1].Channels)
	require.Equal(t, []ProviderStatistics{
		{ProviderID: "a", Accepted: 18}, {ProviderID: "b", Rejected: 6, Unknown: 3, Pending: 3},
	}, got[1].Providers, "the rows that were read are those of all providers")
}

// TestUncountableSpans: where a span holds more than is counted, the part of its time that was counted tells.
func TestUncountableSpans(t *testing.T) {
	t.Parallel()
	until := func(d time.Duration) pgactivity.Counted {
		return pgactivity.Counted{Rows: spans.Counted, LastID: id.Floor(spans.From.Add(d))}
	}
	for name, c := range map[string]struct {
		counted pgactivity.Counted
		want    int
	}{
		"half the time":         {until(30 * time.Minute), 2000},
		"the whole time":        {until(time.Hour), 1000},
		"later than the span":   {until(2 * time.Hour), 1000},
		"earlier than the span": {until(-time.Hour), math.MaxInt32},
	} {
		got := charted(spans, []pgactivity.MessageCounts{{Messages: 10, Counted: c.counted}}, nil)
		require.Equal(t, c.want, got[0].Messages, name)
		require.True(t, got[0].Estimated, name)
	}
}
