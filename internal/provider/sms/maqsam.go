package sms

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var maqsam = provider.Definition{
	ID: "maqsam", Name: "Maqsam", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "Access key ID"), secretField("secretKey", "Access secret"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		// Unverified: the shape of errors, and that numbers carry a plus.
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://api.maqsam.com/v2/sms", Secure: provider.Basic(c.Secret("apiKey"), c.Secret("secretKey")),
					Body: json(map[string]any{"to": plus(t.to), "message": t.content, "sender": as(plus, t.from)}),
				}
			},
			read: func(ans *provider.Answer) reply {
				result := ans.At("result")
				return reply{
					id: ans.At("message.identifier"), date: moment(ans.At("message.timestamp")),
					failed: result != "" && result != "success", text: ans.At("message"),
				}
			},
		})
	},
}
