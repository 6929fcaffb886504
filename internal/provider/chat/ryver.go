package chat

import (
	"strconv"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Unverified: the shape of errors, and that about 1000 characters are safe.
var ryver = provider.Definition{
	ID: "ryver", Name: "Ryver", Channel: workflow.ChannelChat, Endpoints: webhookOnly,
	New: func(d provider.Deps, _ provider.Credentials) (provider.Adapter, error) {
		return &hook{
			client: d.Client(),
			body: func(m *provider.Message) map[string]any { // the vendor's own form, and the one of compatible senders
				return map[string]any{"body": m.Content.Body, "content": m.Content.Body}
			},
			read: func(ans *provider.Answer) (*provider.Receipt, *provider.Error) {
				return &provider.Receipt{ID: strconv.Itoa(ans.Status)}, nil
			},
		}, nil
	},
}
