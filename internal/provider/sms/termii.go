package sms

import (
	"cmp"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var termii = provider.Definition{
	ID: "termii", Name: "Termii", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), fieldFrom, fieldBaseURL},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: c.URL("baseUrl", "https://api.ng.termii.com") + "/api/sms/send", Origin: originOf(c, "baseUrl"),
					Body: json(map[string]any{
						"to": digits(t.to), "from": as(digits, t.from), "sms": t.content, "type": "plain",
						"channel": t.customText("channel", "generic"), "api_key": c.Secret("apiKey"),
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				id := cmp.Or(ans.At("message_id_str"), ans.At("message_id")) // a number may have lost digits on its way
				return reply{id: id, failed: id == "", code: ans.At("code"), text: ans.At("message")}
			},
		})
	},
}
