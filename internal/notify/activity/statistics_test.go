package activity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/postgres/pgactivity"
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
