package activity

import (
	"context"
	"math"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgactivity"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Statistics are the use cases of the charts: what was delivered in a period.
type Statistics struct{ usecase.Deps }

// The bounds of a question. Whatever a period holds, at most statisticsRows messages and as many attempts are read of it,
// and at most statisticsCounted of each are counted.
const (
	longestPeriod     = 31 * 24 * time.Hour
	maxBuckets        = 200
	statisticsRows    = 100_000
	statisticsCounted = 1_000_000
)

// DeliveryStatistics is what was delivered in a period.
type DeliveryStatistics struct {
	From, To      time.Time
	BucketSeconds float64
	Buckets       []DeliveryStatisticsBucket
}

// DeliveryStatisticsBucket is what was delivered in one span of a period.
type DeliveryStatisticsBucket struct {
	Start time.Time
	MessageStatistics
	Channels  []ChannelStatistics
	Providers []ProviderStatistics
	Estimated bool // the span holds more than was read
}

// MessageStatistics are messages by what became of them.
type MessageStatistics struct {
	Messages, Sent, Failed, Pending int
	Latency                         *DeliveryLatency // nil: none was sent
}

// ChannelStatistics are the messages of one channel.
type ChannelStatistics struct {
	Channel workflow.Channel
	MessageStatistics
}

// ProviderStatistics are the calls to one provider.
type ProviderStatistics struct {
	ProviderID                           string
	Accepted, Rejected, Unknown, Pending int
}

// DeliveryLatency is how many milliseconds messages took from when they were due to sent.
type DeliveryLatency struct{ P50, P95, P99 float64 }

// Deliveries returns what was delivered from an instant to another (nil: now), in equal spans.
func (s *Statistics) Deliveries(ctx context.Context, from time.Time, to *time.Time, buckets int) (*DeliveryStatistics, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadActivity, func(ctx context.Context, _ *ent.Client) (*DeliveryStatistics, error) {
		end := s.Now()
		if to != nil {
			end = *to
		}
		if err := validPeriod(from, end, buckets); err != nil {
			return nil, err
		}
		v, _ := viewer.FromContext(ctx)
		spans := pgactivity.Buckets{From: from, Each: end.Sub(from) / time.Duration(buckets), Count: buckets, Rows: statisticsRows / buckets, Counted: statisticsCounted / buckets}
		messages, err := pgactivity.CountMessages(ctx, s.DB.Pool, v.Scope, spans)
		if err != nil {
			return nil, err
		}
		attempts, err := pgactivity.CountAttempts(ctx, s.DB.Pool, v.Scope, spans)
		if err != nil {
			return nil, err
		}
		return &DeliveryStatistics{From: from, To: end, BucketSeconds: spans.Each.Seconds(), Buckets: charted(spans, messages, attempts)}, nil
	})
}

func validPeriod(from, to time.Time, buckets int) error {
	var p fault.Problems
	if buckets < 1 || buckets > maxBuckets {
		p.Add("buckets", buckets, "must be from 1 to %d", maxBuckets)
	}
	if from.Unix() < 0 || from.Unix() > math.MaxUint32 {
		p.Add("from", from, "is not an instant of this service")
	}
	if length := to.Sub(from); length < time.Second || length > longestPeriod {
		p.Add("to", to, "must lie from a second to %d days after from", longestPeriod/(24*time.Hour))
	}
	return p.Err()
}

// charted puts counts into their buckets. Where a bucket holds more rows than were read, those are scaled to all.
func charted(spans pgactivity.Buckets, messages []pgactivity.MessageCounts, attempts []pgactivity.AttemptCounts) []DeliveryStatisticsBucket {
	out := make([]DeliveryStatisticsBucket, spans.Count)
	for i := range out {
		out[i] = DeliveryStatisticsBucket{
			Start: spans.From.Add(time.Duration(i) * spans.Each), Channels: []ChannelStatistics{}, Providers: []ProviderStatistics{},
		}
	}
	var grow func(int) int
	for i := range messages {
		m := &messages[i]
		b := &out[m.Bucket]
		if m.Channel == nil {
			grow = growth(b, spans, m.Messages, m.Counted)
		}
		counts := MessageStatistics{
			Messages: grow(m.Messages), Sent: grow(m.Sent), Failed: grow(m.Failed), Pending: grow(m.Pending), Latency: latency(m.Latency),
		}
		if m.Channel == nil {
			b.MessageStatistics = counts
		} else {
			b.Channels = append(b.Channels, ChannelStatistics{*m.Channel, counts})
		}
	}
	chartAttempts(out, spans, attempts)
	return out
}

func chartAttempts(out []DeliveryStatisticsBucket, spans pgactivity.Buckets, attempts []pgactivity.AttemptCounts) {
	rows := make([]int, len(out))
	for i := range attempts {
		a := &attempts[i]
		rows[a.Bucket] += a.Accepted + a.Rejected + a.Unknown + a.Pending
	}
	for i := range attempts {
		a := &attempts[i]
		b := &out[a.Bucket]
		grow := growth(b, spans, rows[a.Bucket], a.Counted)
		b.Providers = append(b.Providers, ProviderStatistics{
			ProviderID: a.ProviderID, Accepted: grow(a.Accepted), Rejected: grow(a.Rejected), Unknown: grow(a.Unknown), Pending: grow(a.Pending),
		})
	}
}

// growth draws a count up to the whole bucket when not all of its rows were read. How many there are is known, unless they
// are too many to be counted: then the part of the bucket's time that those cover counts.
func growth(b *DeliveryStatisticsBucket, spans pgactivity.Buckets, read int, counted pgactivity.Counted) func(int) int {
	if counted.Rows <= read {
		return func(n int) int { return n }
	}
	b.Estimated = true
	factor := float64(counted.Rows) / float64(read)
	if counted.Rows >= spans.Counted {
		covered := max(id.Time(counted.LastID).Sub(b.Start), time.Microsecond)
		factor *= max(1, float64(spans.Each)/float64(covered))
	}
	return func(n int) int { return int(math.Min(math.Round(float64(n)*factor), math.MaxInt32)) }
}

func latency(quantiles []float64) *DeliveryLatency {
	if len(quantiles) != 3 {
		return nil
	}
	return &DeliveryLatency{quantiles[0], quantiles[1], quantiles[2]}
}
