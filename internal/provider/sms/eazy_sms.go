package sms

import (
	"net/url"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var eazySMS = provider.Definition{
	ID: "eazy-sms", Name: "Eazy", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), textField("channelId", "Channel ID")},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		// Unverified: the name of the field text, and the shape of errors.
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://api.eazy.im/v3/channels/" + url.PathEscape(c.String("channelId")) +
						"/messages/" + url.PathEscape(digits(t.to)+"@sms.eazy.im"),
					Secure: provider.Bearer(c.Secret("apiKey")),
					Body:   json(map[string]any{"message": map[string]any{"type": "text", "text": t.content}}),
				}
			},
			read: func(ans *provider.Answer) reply {
				id := ans.At("id")
				return reply{id: id, failed: id == "", text: ans.At("message")}
			},
		})
	},
}
