package chat

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var mattermost = provider.Definition{
	ID: "mattermost", Name: "Mattermost", Channel: workflow.ChannelChat, Endpoints: webhookOnly,
	New: func(d provider.Deps, _ provider.Credentials) (provider.Adapter, error) {
		return &hook{
			client: d.Client(), style: provider.Style{Case: provider.SnakeCase, Free: []string{"props"}},
			body: func(m *provider.Message) map[string]any {
				return provider.Present(map[string]any{"text": m.Content.Body, "channel": m.Target.Endpoint.Channel})
			},
			read: header("X-Request-Id"),
		}, nil
	},
}
