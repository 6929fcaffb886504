package chat

import (
	"cmp"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var zulip = provider.Definition{
	ID: "zulip", Name: "Zulip", Channel: workflow.ChannelChat, Endpoints: webhookOnly,
	New: func(d provider.Deps, _ provider.Credentials) (provider.Adapter, error) {
		return &hook{
			client: d.Client(), style: provider.Style{Case: provider.SnakeCase}, body: text,
			read: func(ans *provider.Answer) (*provider.Receipt, *provider.Error) {
				// Unverified: that newer servers answer in Slack's shape.
				if !ans.OK() || ans.At("result") == "error" || ans.At("ok") == "false" {
					return refused(ans, cmp.Or(ans.At("code"), ans.At("error")), ans.At("msg"))
				}
				return &provider.Receipt{}, nil
			},
		}, nil
	},
}
