package chat

import (
	"net/http"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var getstream = provider.Definition{
	ID: "getstream", Name: "GetStream", Channel: workflow.ChannelChat, Endpoints: webhookOnly,
	Credentials: []provider.Field{{Name: "apiKey", Label: "API key", Kind: provider.KindString, Required: true, Secret: true}},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		key := c.Secret("apiKey")
		return &hook{
			client: d.Client(), style: provider.Style{Case: provider.SnakeCase, Free: []string{"headers"}},
			secure: http.Header{"X-Api-Key": {key}},
			body: func(m *provider.Message) map[string]any { // a relay's convention: the key travels in the body
				headers := map[string]any{"X-API-KEY": key}
				for _, layer := range []map[string]any{m.Overrides, m.Merge} {
					pass, _ := layer["_passthrough"].(map[string]any)
					more, _ := pass["headers"].(map[string]any)
					headers = provider.Merge(headers, more)
				}
				return map[string]any{"text": m.Content.Body, "headers": headers}
			},
			read: func(ans *provider.Answer) (*provider.Receipt, *provider.Error) {
				if !ans.OK() {
					return refused(ans, ans.At("code"), ans.At("message"))
				}
				return &provider.Receipt{ID: ans.Header.Get("X-Webhook-Id")}, nil
			},
		}, nil
	},
}
