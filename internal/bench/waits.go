package bench

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// planner measures how many decisions a second the planner takes: a run of five steps with conditions, preferences, a
// schedule and a time zone, again and again, on one core.
func (b *bench) planner(context.Context) error {
	text := func(stepID string, kind workflow.StepType) workflow.Step {
		return workflow.Step{StepID: stepID, Type: kind, Active: true, Filters: []condition.StepFilter{{
			Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{
				{On: "payload", Field: "order.total", Operator: "LARGER", Value: "10"},
				{On: "subscriber", Field: "data.plan", Operator: "EQUAL", Value: "pro"},
			},
		}}}
	}
	yes := true
	in := &plan.PlanInput{
		Now: time.Date(2026, 3, 29, 10, 0, 0, 0, time.UTC), Active: true,
		Definition: &workflow.Definition{Steps: []workflow.Step{
			text("bell", workflow.StepInApp), text("mail", workflow.StepEmail), text("sms", workflow.StepSMS), text("chat", workflow.StepChat), text("push", workflow.StepPush),
		}},
		Data: condition.FilterData{
			Payload:    map[string]any{"order": map[string]any{"total": 129.9}},
			Subscriber: map[string]any{"data": map[string]any{"plan": "pro"}},
		},
		Profile: plan.Profile{
			Email: "ada@example.com", Phone: "+4930901820", Timezone: "Europe/Berlin",
			Schedule: &calendar.Schedule{IsEnabled: true, WeeklySchedule: map[string]calendar.DaySchedule{"sunday": {IsEnabled: true, Hours: []calendar.TimeRange{{Start: "08:00 AM", End: "08:00 PM"}}}}},
		},
		Preferences: workflow.Preferences{Global: &workflow.PreferenceLevel{Channels: workflow.ChannelPreferences{Email: &yes}}},
		Integrations: []plan.Integration{
			{ID: "1", ProviderID: "svc", Channel: workflow.ChannelInApp},
			{ID: "2", ProviderID: "nodemailer", Channel: workflow.ChannelEmail, Primary: true},
			{ID: "3", ProviderID: "generic-sms", Channel: workflow.ChannelSMS, Primary: true},
		},
	}
	began, decisions := time.Now(), 0
	for time.Since(began) < time.Second {
		for range 100 {
			run := plan.NewRun(in)
			for {
				d, ok := run.Next()
				if !ok {
					break
				}
				decisions++
				if d.Step != nil {
					run.Record(d.Step.StepID, plan.StepResult{Sent: d.Kind == plan.DecideSend})
				}
			}
		}
	}
	b.row("planner decisions on one core", fmt.Sprintf("%.0f/s", float64(decisions)/time.Since(began).Seconds()), "", "", "")
	return nil
}

// setUpWaits makes the workflows that wait, a crowd of subscribers, and topics with the first of them.
func (b *bench) setUpWaits(ctx context.Context) error {
	for name, wait := range map[string]any{
		"bench-large": nil,
		"bench-burst": map[string]any{"stepId": "wait", "type": "DELAY", "delay": map[string]any{"type": "SCHEDULED", "delayPath": "at"}},
		"bench-timer": map[string]any{"stepId": "wait", "type": "DELAY", "delay": map[string]any{"type": "REGULAR", "amount": 2, "unit": "SECONDS"}},
	} {
		if err := b.inboxWorkflow(ctx, b.api, name, wait); err != nil {
			return err
		}
	}
	_, err := b.db.Exec(ctx, `INSERT INTO subscribers (id, created_at, updated_at, environment_id, subscriber_id, email)
SELECT 'f0000000' || lpad(to_hex(k), 16, '0'), now(), now(), $2, 'crowd-' || k, 'crowd-' || k || '@example.com'
FROM generate_series(1, $1) AS k ON CONFLICT DO NOTHING`, max(b.Broadcast, b.Topic), b.environment)
	if err != nil {
		return fmt.Errorf("make subscribers: %w", err)
	}
	for key, size := range map[string]int{"crowd": b.Broadcast / 10, "timers": b.Topic} {
		if err := b.crowdedTopic(ctx, key, size); err != nil {
			return err
		}
	}
	_, err = b.db.Exec(ctx, `ANALYZE subscribers, subscriptions`)
	return err
}

// crowdedTopic subscribes the first of the crowd to a topic.
func (b *bench) crowdedTopic(ctx context.Context, key string, size int) error {
	err := b.api.GraphQL(ctx, `mutation($key: String!) { createTopic(input: {key: $key, name: $key}) { topic { id } } }`, map[string]any{"key": key}, nil)
	if err != nil {
		return fmt.Errorf("make the topic: %w", err)
	}
	_, err = b.db.Exec(ctx, `INSERT INTO subscriptions (id, created_at, updated_at, environment_id, context_keys, scope, topic_id, subscriber_id, identifier)
SELECT substr(md5(t.id || s.id), 1, 24), now(), now(), s.environment_id, '[]', '', t.id, s.id, 'tk_' || t.key || ':si_' || s.subscriber_id
FROM (SELECT * FROM subscribers WHERE environment_id = $3 AND subscriber_id LIKE 'crowd-%' ORDER BY id LIMIT $1) s, topics t
WHERE t.key = $2 AND t.environment_id = $3`, size, key, b.environment)
	if err != nil {
		return fmt.Errorf("fill the topic: %w", err)
	}
	return nil
}

// large measures a fan-out to a large topic and a broadcast to everybody, beside COPY of the very same rows, and what they
// add to the memory of the idle process.
func (b *bench) large(ctx context.Context) error {
	if b.Broadcast == 0 {
		return nil
	}
	var everybody int
	if err := b.db.QueryRow(ctx, `SELECT count(*) FROM subscribers WHERE environment_id = $1 AND NOT deleted`, b.environment).Scan(&everybody); err != nil {
		return err
	}
	for _, size := range []struct {
		what, path string
		body       map[string]any
		recipients int
	}{
		{"fan-out to %d of a topic", "/v1/events/trigger", map[string]any{"to": map[string]any{"type": "Topic", "topicKey": "crowd"}}, b.Broadcast / 10},
		{"broadcast to %d", "/v1/events/trigger/broadcast", map[string]any{}, everybody},
	} {
		if err := b.oneLarge(ctx, fmt.Sprintf(size.what, size.recipients), size.path, size.body, size.recipients); err != nil {
			return err
		}
	}
	return nil
}

// copiedRows bounds what the floor of a large fan-out copies of each table.
const copiedRows = 100_000

func (b *bench) oneLarge(ctx context.Context, what, path string, body map[string]any, recipients int) error {
	idle, _, err := b.server.Memory()
	if err != nil {
		return err
	}
	watch := b.watchMemory(ctx)
	began := time.Now()
	body["name"], body["payload"] = "bench-large", map[string]any{"text": "hello"}
	var answer struct {
		TransactionID string `json:"transactionId"`
	}
	if _, err := b.api.Do(ctx, "POST", path, body, &answer); err != nil {
		return err
	}
	if err := b.drained(ctx); err != nil {
		return err
	}
	took := time.Since(began)
	highest := watch()
	chosen := "transaction_id = '" + answer.TransactionID + "'"
	var messages int
	if err := b.db.QueryRow(ctx, `SELECT count(*) FROM messages WHERE `+chosen).Scan(&messages); err != nil {
		return err
	}
	if messages != recipients {
		return fmt.Errorf("%s: %d messages are stored", what, messages)
	}
	part := fmt.Sprintf(" LIMIT %d", copiedRows) // a part shows the rate, and fits into memory
	rows, floor, err := copyFloor(ctx, b.db, keyed, map[string]string{
		"notifications": chosen + part, "messages": chosen + part,
		"inbox_states": "subscriber_id IN (SELECT subscriber_id FROM messages WHERE " + chosen + part + ")",
	})
	if err != nil {
		return err
	}
	const tables = 3
	ours, copied := float64(tables*messages)/took.Seconds(), float64(rows)/floor.Seconds()
	b.row(what, fmt.Sprintf("%.0f rows/s (%.1f s)", ours, took.Seconds()), fmt.Sprintf("%.0f rows/s", copied), ratio(ours, copied), "0.4 at least")
	b.row(what+": memory above idle", mebibytes(max(highest-idle, 0)), "", "", "64 MiB at most")
	return nil
}

// watchMemory looks at the server's memory until the answer is asked for: the highest that it saw.
func (b *bench) watchMemory(ctx context.Context) (highest func() int64) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	var most atomic.Int64
	go func() {
		defer close(done)
		_ = client.Until(ctx, 20*time.Millisecond, func(context.Context) (bool, error) {
			if now, _, err := b.server.Memory(); err == nil && now > most.Load() {
				most.Store(now)
			}
			return false, nil
		})
	}()
	return func() int64 {
		stop()
		<-done
		return most.Load()
	}
}

// timers measures how many waits end per second when many end at one instant, and how late they end at a steady rate.
func (b *bench) timers(ctx context.Context) error {
	at := time.Now().Add(8 * time.Second).Truncate(time.Second)
	_, err := b.api.Do(ctx, "POST", "/v1/events/trigger", map[string]any{
		"name": "bench-burst", "to": map[string]any{"type": "Topic", "topicKey": "timers"}, "payload": map[string]any{"at": at.UTC().Format(time.RFC3339)},
	}, nil)
	if err != nil {
		return err
	}
	if err := b.drained(ctx); err != nil {
		return err
	}
	took := time.Since(at)
	b.row(fmt.Sprintf("%d timers of one instant", b.Topic), fmt.Sprintf("%.0f/s (%.0f ms)", float64(b.Topic)/took.Seconds(), milliseconds(took)), "", "", "")

	const total, rate = 1000, 200
	pace := time.NewTicker(time.Second / rate)
	defer pace.Stop()
	for n := range total {
		<-pace.C
		body := map[string]any{"name": "bench-timer", "to": fmt.Sprintf("crowd-%d", 1+n%1000), "payload": map[string]any{}}
		if _, err := b.api.Do(ctx, "POST", "/v1/events/trigger", body, nil); err != nil {
			return err
		}
	}
	if err := b.drained(ctx); err != nil {
		return err
	}
	var p50, p99 float64
	err = b.db.QueryRow(ctx, `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY late), percentile_cont(0.99) WITHIN GROUP (ORDER BY late)
FROM (SELECT 1000 * extract(epoch FROM (delivered_at ->> 0)::timestamptz - created_at)::float8 AS late FROM messages WHERE workflow_identifier = 'bench-timer') l`).Scan(&p50, &p99)
	b.row(fmt.Sprintf("lateness of timers, %d/s", rate), fmt.Sprintf("p50 %.0f ms, p99 %.0f ms", p50, p99), "", "", "under 1,000 ms")
	return err
}
