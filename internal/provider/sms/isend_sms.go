package sms

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var isendSMS = provider.Definition{
	ID: "isend-sms", Name: "iSend SMS", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiToken", "API token"), optional(fieldFrom), fieldBaseURL},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				kind := "plain"
				if !isGSM7(t.content) {
					kind = "unicode"
				}
				return &provider.Request{
					URL: c.URL("baseUrl", "https://isend.com.ly") + "/api/v3/sms/send", Origin: originOf(c, "baseUrl"),
					Secure: provider.Bearer(c.Secret("apiToken")),
					Body: json(map[string]any{
						"sender_id": as(digits, t.from), "recipient": digits(t.to), "type": kind, "message": t.content,
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				status := ans.At("status")
				return reply{id: ans.At("data.uid"), failed: status != "" && status != "success", text: ans.At("message")}
			},
		})
	},
}
