package sms

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var infobip = provider.Definition{
	ID: "infobip-sms", Name: "Infobip", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), required(fieldBaseURL), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: c.URL("baseUrl", "") + "/sms/2/text/advanced", Origin: provider.OriginCredentials,
					Secure: provider.Scheme("App", c.Secret("apiKey")),
					Body: json(map[string]any{"messages": []any{provider.Present(map[string]any{
						"from": as(digits, t.from), "destinations": []any{map[string]any{"to": digits(t.to)}}, "text": t.content,
					})}}),
				}
			},
			read: func(ans *provider.Answer) reply {
				group := ans.At("messages.0.status.groupId")
				return reply{
					id: ans.At("messages.0.messageId"), failed: group == "2" || group == "4" || group == "5",
					code: ans.At("requestError.serviceException.messageId", "messages.0.status.name"),
					text: ans.At("requestError.serviceException.text", "messages.0.status.description"),
				}
			},
		})
	},
}
