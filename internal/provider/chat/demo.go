package chat

import (
	"cmp"
	"context"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// demo is Slack without credentials on the integration. Two statements meet here. As with the other demo senders,
// messages land in the catcher unless the operator configured the OAuth application; and sending to a target that already
// holds a token or a webhook URL works without that application. So: without the application every message is caught,
// and a target that can be reached gets it for real as well; with the application the adapter is Slack's and no more.
var demo = provider.Definition{
	ID: "svc-slack", Name: "Demo Slack", Channel: workflow.ChannelChat,
	Endpoints: slackEndpoints,
	New: func(d provider.Deps, _ provider.Credentials) (provider.Adapter, error) {
		return &demoAdapter{deps: d, slack: newSlack(d, nil)}, nil
	},
}

type demoAdapter struct {
	deps  provider.Deps
	slack *slackAdapter
}

// Send catches, sends, or both.
func (a *demoAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	if a.deps.Demo.Slack.ClientID != "" {
		return a.slack.Send(ctx, m)
	}
	caught, err := a.catch(ctx, m)
	if err != nil || !reachable(m) {
		return caught, err
	}
	return a.slack.Send(ctx, m)
}

// reachable reports whether the target holds all that a real message needs.
func reachable(m *provider.Message) bool {
	switch m.Target.EndpointType {
	case workflow.EndpointSlackChannel, workflow.EndpointSlackUser:
		return m.Target.ConnectionToken != ""
	default:
		return cmp.Or(provider.Override(m, "webhookUrl"), m.Target.Endpoint.URL) != ""
	}
}

// catch names the target without its URL, which is the secret of a webhook.
func (a *demoAdapter) catch(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	e := m.Target.Endpoint
	return provider.Caught(ctx, a.deps, provider.CaughtMessage{
		MessageID: m.ID, ProviderID: "svc-slack", Channel: workflow.ChannelChat,
		Target: cmp.Or(e.ChannelID, e.UserID, e.Channel, "webhook"),
		Text:   m.Content.Body, Payload: m.Payload,
	})
}
