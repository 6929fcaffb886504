package bench

import (
	"context"
	"fmt"

	"github.com/carillon/carillon/internal/client"
)

const createWorkflow = `mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`

// setUp makes the workflows that are measured and the topic with its subscribers.
func (b *bench) setUp(ctx context.Context) error {
	for _, name := range []string{"bench-inbox", "bench-latency", "bench-topic"} {
		if err := b.quietWorkflow(ctx, b.api, name); err != nil {
			return err
		}
	}
	const chunk = 100 // recipients of a trigger, and subscriptions of a call, at most
	for from := 0; from < b.Topic; from += chunk {
		var to []string
		for n := from; n < min(from+chunk, b.Topic); n++ {
			to = append(to, fmt.Sprintf("topic-%d", n))
		}
		if _, err := b.api.Do(ctx, "POST", "/v1/events/trigger", map[string]any{"name": "bench-quiet", "to": to}, nil); err != nil {
			return err
		}
	}
	if err := b.drained(ctx); err != nil {
		return err
	}
	for from := 0; from < b.Topic; from += chunk {
		var items []any
		for n := from; n < min(from+chunk, b.Topic); n++ {
			items = append(items, map[string]any{"subscriberId": fmt.Sprintf("topic-%d", n)})
		}
		err := b.api.GraphQL(ctx, `mutation ($input: CreateSubscriptionsInput!) { createSubscriptions(input: $input) { meta { successful } } }`,
			map[string]any{"input": map[string]any{"topicKey": "bench", "subscriptions": items}}, nil)
		if err != nil {
			return fmt.Errorf("subscribe to the topic: %w", err)
		}
	}
	return nil
}

// quietWorkflow makes a workflow with one step, into the inbox.
func (b *bench) quietWorkflow(ctx context.Context, api *client.Client, name string) error {
	return b.inboxWorkflow(ctx, api, name, nil)
}

// inboxWorkflow makes a workflow with a step into the inbox, and one before it unless it is nil.
func (b *bench) inboxWorkflow(ctx context.Context, api *client.Client, name string, before any) error {
	steps := []any{map[string]any{
		"stepId": "inbox", "name": "Inbox", "type": "IN_APP",
		"inApp": map[string]any{"subject": "Order {{ payload.order.id }}", "body": "Hello {{ subscriber.subscriberId }}: {{ payload.text }}"},
	}}
	if before != nil {
		steps = append([]any{before}, steps...)
	}
	err := api.GraphQL(ctx, createWorkflow, map[string]any{"input": map[string]any{
		"identifier": name, "name": name, "definition": map[string]any{"steps": steps},
	}}, nil)
	if err != nil {
		return fmt.Errorf("create workflow %s: %w", name, err)
	}
	return nil
}
