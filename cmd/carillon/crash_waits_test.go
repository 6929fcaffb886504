package main_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
)

// TestKilledProcessEndsEveryRunOnce kills the process at random moments while digests, delays and fan-outs are under way:
// every accepted event ends in exactly one terminal state, is told of in exactly one digest, and no message is doubled.
func TestKilledProcessEndsEveryRunOnce(t *testing.T) {
	t.Parallel()
	kills, triggers, limit := 8, 150, 4*time.Minute
	if soak {
		kills, limit = soakKills(t), time.Hour
		triggers = 10 * kills
	}
	cfg := child.Config{DataDir: dataDir(t), Key: newKey(), Env: []string{"CARILLON_DATABASE_URL="}}
	p := serve(t, cfg)
	cfg.Addr = p.Addr
	c := &client.Client{URL: p.URL(), Key: cfg.Key}
	graphQL(t, c, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
		"identifier": "waiting", "name": "Waiting", "definition": object{"steps": []object{
			{"stepId": "each", "type": "IN_APP", "inApp": object{"body": "{{payload.text}}"}},
			{"stepId": "pause", "type": "DELAY", "delay": object{"type": "REGULAR", "amount": 1, "unit": "SECONDS"}},
			{"stepId": "window", "type": "DIGEST", "digest": object{"type": "REGULAR", "amount": 2, "unit": "SECONDS"}},
			{"stepId": "rest", "type": "DELAY", "delay": object{"type": "REGULAR", "amount": 1, "unit": "SECONDS"}},
			{"stepId": "all", "type": "IN_APP", "inApp": object{"body": "{{step.total_count}}:{% for e in step.events %} {{e.text}}{% endfor %}"}},
		}},
	}}, nil)

	const people = 5
	for k := range kills {
		// Each kill falls somewhere into its share of the triggers, or into what they and those before set off.
		flow := startFlow(within(t, limit), c, k*triggers/kills, (k+1)*triggers/kills, func(n int) shot {
			return shot{workflow: "waiting", to: subscriber(n % people)}
		})
		<-time.After(time.Duration(rand.Int64N(int64(time.Second))))
		p.Kill()
		p = serve(t, cfg)
		require.NoError(t, flow.wait())
	}
	until(t, limit, "everything comes to rest", func(ctx context.Context) (bool, error) {
		open, err := quiet(ctx, c)
		return open == 0, err
	})

	runs, err := notifications(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, runs, triggers)
	completed := 0
	for _, r := range runs {
		require.Contains(t, []string{"COMPLETED", "MERGED"}, r.Status, "%+v", r)
		if r.Status == "COMPLETED" {
			completed++
		}
	}
	sent, err := pages[inboxText](t.Context(), c, "messages", `stepId content { text }`)
	require.NoError(t, err)
	told, digests := map[string]map[string]int{"each": {}, "all": {}}, 0
	for _, m := range sent {
		text := m.Content.Text
		if m.StepID == "all" {
			digests++
			count, events, _ := strings.Cut(text, ":")
			require.Equal(t, count, fmt.Sprint(len(strings.Fields(events))), "the count is exact: %s", text)
			text = events
		}
		for event := range strings.FieldsSeq(text) {
			told[m.StepID][event]++
		}
	}
	require.Equal(t, completed, digests, "a digest is sent once")
	for step, events := range told {
		require.Len(t, events, triggers, "every event is told of by %s", step)
		for event, times := range events {
			require.Equal(t, 1, times, "%s by %s", event, step)
		}
	}
	t.Logf("%d triggers, %d kills, %d digests", triggers, kills, digests)
}

type inboxText struct {
	StepID  string
	Content struct{ Text string }
}
