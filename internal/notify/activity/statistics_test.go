package activity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/postgres/pgactivity"
	"github.com/carillon/carillon/internal/workflow"
)

// TestChartedBursts: messages that came in one instant of a bucket are as many as they are, not as many as there would be
// had they come all the time.
func TestChartedBursts(t *testing.T) {
	t.Parallel()
	from := time.Unix(1_700_000_000, 0).UTC()
	spans := pgactivity.Buckets{From: from, Each: time.Minute, Count: 1, Rows: 100, Counted: 5000}
	for name, c := range map[string]struct {
		read, rows int
		last       time.Duration
		want       int
		estimated  bool
	}{
		"AllRead":   {60, 60, time.Second, 60, false},
		"Burst":     {100, 1680, time.Second, 1680, true},
		"Uncounted": {100, 5000, 30 * time.Second, 10_000, true}, // the second half is taken to be as the first
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counted := pgactivity.Counted{Rows: c.rows, LastID: id.Floor(from.Add(c.last))}
			got := activity.Charted(spans, []pgactivity.MessageCounts{{Messages: c.read, Sent: c.read / 2, Counted: counted}},
				[]pgactivity.AttemptCounts{{ProviderID: "ses", Accepted: c.read / 4, Counted: counted}, {ProviderID: "sns", Rejected: c.read / 4 * 3, Counted: counted}})[0]
			require.InDelta(t, c.want, got.Messages, 1)
			require.InDelta(t, c.want/2, got.Sent, 1)
			require.InDelta(t, c.want/4, got.Providers[0].Accepted, 1)
			require.InDelta(t, c.want/4*3, got.Providers[1].Rejected, 1)
			require.Equal(t, c.estimated, got.Estimated)
		})
	}
}

// TestDeliveriesArePeriods holds which periods can be asked about, and what is counted in them.
func TestDeliveriesArePeriods(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.Now = time.Now().UTC().Add(time.Minute).Truncate(time.Second)
	u := a.MakeSubscribers(t, 1)[0]
	hourAgo := a.Now.Add(-time.Hour)
	for i, status := range []workflow.MessageStatus{workflow.MessageSent, workflow.MessageError, workflow.MessagePending, workflow.MessageSent} {
		messageID := a.MakeMessages(t, u, 1)[0]
		_, err := a.DB.Pool.Exec(a.Ctx, "UPDATE messages SET id = $2, status = $3, channel = 'email' WHERE id = $1", messageID, id.Floor(hourAgo.Add(time.Duration(i+1)*time.Minute)), status)
		require.NoError(t, err)
	}
	a.MakeMessages(t, u, 1) // as of now: behind the period
	got, err := a.Statistics.Deliveries(a.Ctx, hourAgo, new(hourAgo.Add(30*time.Minute)), 3)
	require.NoError(t, err)
	require.InDelta(t, 600, got.BucketSeconds, 0)
	require.Len(t, got.Buckets, 3)
	first := got.Buckets[0]
	require.Equal(t, []int{4, 2, 1, 1}, []int{first.Messages, first.Sent, first.Failed, first.Pending})
	require.Equal(t, workflow.ChannelEmail, first.Channels[0].Channel)
	require.Equal(t, 4, first.Channels[0].Messages)
	require.False(t, first.Estimated)
	require.Zero(t, got.Buckets[1].Messages)
	require.Equal(t, hourAgo.Add(10*time.Minute), got.Buckets[1].Start)
	other, err := a.Statistics.Deliveries(a.OtherEnvironment(t), hourAgo, nil, 1)
	require.NoError(t, err)
	require.Zero(t, other.Buckets[0].Messages, "of its own environment only")

	const longest = 31 * 24 * time.Hour
	for name, c := range map[string]struct {
		from    time.Time
		to      *time.Time
		buckets int
		want    []string
	}{
		"no buckets":      {hourAgo, nil, 0, []string{"buckets"}},
		"too many":        {hourAgo, nil, 201, []string{"buckets"}},
		"backwards":       {hourAgo, new(hourAgo.Add(-time.Hour)), 1, []string{"to"}},
		"too short":       {hourAgo, new(hourAgo.Add(time.Second - 1)), 1, []string{"to"}},
		"too long":        {hourAgo, new(hourAgo.Add(longest + 1)), 1, []string{"to"}},
		"before all time": {time.Unix(-1, 0), new(time.Unix(5, 0)), 1, []string{"from"}},
		"all of it":       {time.Time{}, nil, -1, []string{"buckets", "from", "to"}},
		"from the future": {a.Now.Add(time.Hour), nil, 1, []string{"to"}},
		"the most":        {hourAgo, new(hourAgo.Add(longest)), 200, nil},
		"the least":       {hourAgo, new(hourAgo.Add(time.Second)), 1, nil},
	} {
		_, err := a.Statistics.Deliveries(a.Ctx, c.from, c.to, c.buckets)
		if c.want == nil {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, c.want, notifytest.Paths(t, err), name)
	}
}
