package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// crowd makes n subscribers, all of them subscribed to one topic, without going through ent.
func (b *bundle) crowd(n int) (newest string) {
	b.tb.Helper()
	topicID := b.db.Ent.Topic.Create().SetKey("crowd").SaveX(b.ctx).ID
	people, subscriptions := id.Batch(time.Now(), n), id.Batch(time.Now(), n)
	_, err := b.db.Pool.Exec(b.ctx, `INSERT INTO subscribers (id, created_at, updated_at, environment_id, subscriber_id, first_name)
SELECT id, now(), now(), $2, 'c' || at, 'Ann' FROM unnest($1::text[]) WITH ORDINALITY AS u (id, at)`, people, b.scope.EnvironmentID)
	require.NoError(b.tb, err)
	_, err = b.db.Pool.Exec(b.ctx, `INSERT INTO subscriptions (id, created_at, updated_at, environment_id, topic_id, subscriber_id, identifier, context_keys)
SELECT id, now(), now(), $3, $4, who, id, '[]' FROM unnest($1::text[], $2::text[]) AS u (id, who)`, subscriptions, people, b.scope.EnvironmentID, topicID)
	require.NoError(b.tb, err)
	b.exec(`ANALYZE`)
	return people[n-1]
}

const crowdSize = 10_000

// BenchmarkFanOutTopic fans one event out to a topic of 10,000 in-app subscribers, beside its floor: the plain COPY of the
// very same rows.
func BenchmarkFanOutTopic(b *testing.B) {
	s := setup(b)
	s.crowd(crowdSize)
	wf := s.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}}, {{subscriber.firstName}}")}})
	toTopic := &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "crowd"}}}
	var fanOut, floor time.Duration
	for b.Loop() {
		ev := s.triggered(wf, toTopic)
		started := time.Now()
		s.fanOut(ev)
		fanOut += time.Since(started)
		floor += s.copyFloor(ev)
	}
	report(b, fanOut, floor)
}

// BenchmarkFanOutBroadcast is the same for a broadcast.
func BenchmarkFanOutBroadcast(b *testing.B) {
	s := setup(b)
	newest := s.crowd(crowdSize)
	wf := s.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}}")}})
	var fanOut, floor time.Duration
	for b.Loop() {
		ev := s.triggered(wf, nil, func(e *ent.EventCreate) {
			e.SetKind(event.KindBroadcast).SetCheckpoint(map[string]any{"max_subscriber_id": newest})
		})
		started := time.Now()
		s.fanOut(ev)
		fanOut += time.Since(started)
		floor += s.copyFloor(ev)
	}
	report(b, fanOut, floor)
}

// BenchmarkFanOutSingles fans out 100 single-recipient events at once.
func BenchmarkFanOutSingles(b *testing.B) {
	s := setup(b)
	s.crowd(1000)
	wf := s.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}}")}})
	var fanOut time.Duration
	for b.Loop() {
		var events []string
		for i := range 100 {
			events = append(events, s.triggered(wf, to(fmt.Sprintf("c%d", i+1))))
		}
		started := time.Now()
		s.fanOut(events...)
		fanOut += time.Since(started)
	}
	b.ReportMetric(float64(fanOut.Microseconds())/float64(b.N)/100, "µs/event")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkTakeUp takes up 1,000 events that another process left, beside the same events fanned out at once.
func BenchmarkTakeUp(b *testing.B) {
	s := setup(b)
	s.crowd(1000)
	wf := s.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}}")}})
	const events, atOnce = 1_000, 100
	var takeUp, normal time.Duration
	for b.Loop() {
		for i := range events {
			s.triggered(wf, to(fmt.Sprintf("c%d", i+1)), left(event.LaneNormal, time.Minute))
		}
		started := time.Now()
		for s.wake(pgdue.DueEvents) > 0 {
			continue
		}
		takeUp += time.Since(started)
		var ids []string
		for i := range events {
			ids = append(ids, s.triggered(wf, to(fmt.Sprintf("c%d", i+1))))
		}
		started = time.Now()
		for some := range slices.Chunk(ids, atOnce) {
			s.fanOut(some...)
		}
		normal += time.Since(started)
	}
	b.ReportMetric(float64(takeUp.Microseconds())/float64(b.N)/events, "µs/event")
	b.ReportMetric(float64(takeUp)/float64(normal), "of-normal")
	b.ReportMetric(0, "ns/op")
}

func report(b *testing.B, fanOut, floor time.Duration) {
	b.Helper()
	n := float64(b.N * crowdSize)
	b.ReportMetric(float64(fanOut.Microseconds())/n, "µs/subscriber")
	b.ReportMetric(float64(floor.Microseconds())/n, "µs/floor")
	b.ReportMetric(floor.Seconds()/fanOut.Seconds(), "of-floor")
	b.ReportMetric(0, "ns/op")
}

// copyFloor takes the notifications and messages of an event out and puts the very same rows back by plain COPY.
func (b *bundle) copyFloor(eventID string) (took time.Duration) {
	b.tb.Helper()
	for _, table := range []string{"notifications", "messages"} {
		names, err := b.db.Pool.Query(b.ctx, `SELECT attname::text FROM pg_attribute
WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`, table)
		require.NoError(b.tb, err)
		columns, err := pgx.CollectRows(names, pgx.RowTo[string])
		require.NoError(b.tb, err)
		rows, err := b.db.Pool.Query(b.ctx, `SELECT `+strings.Join(columns, ", ")+` FROM `+table+` WHERE event_id = $1`, eventID)
		require.NoError(b.tb, err)
		values, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) ([]any, error) { return r.Values() })
		require.NoError(b.tb, err)
		_, err = b.db.Pool.Exec(b.ctx, `DELETE FROM `+table+` WHERE event_id = $1`, eventID)
		require.NoError(b.tb, err)
		started := time.Now()
		_, err = b.db.Pool.CopyFrom(b.ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(values))
		took += time.Since(started)
		require.NoError(b.tb, err)
	}
	return took
}
