package sms

import (
	"net/http"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var smsmode = provider.Definition{
	ID: "smsmode", Name: "smsmode", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://rest.smsmode.com/sms/v1/messages", Secure: http.Header{"X-Api-Key": {c.Secret("apiKey")}},
					Body: json(map[string]any{
						"recipient": map[string]any{"to": digits(t.to)}, "body": map[string]any{"text": t.content}, "from": as(digits, t.from),
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				return reply{
					id: ans.At("messageId"), date: moment(ans.At("acceptedAt")),
					code: ans.At("errorCode"), text: ans.At("message", "detail", "title"),
				}
			},
		})
	},
}
