package sms

import (
	"net/http"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var brevo = provider.Definition{
	ID: "brevo-sms", Name: "Brevo", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				body := map[string]any{
					"sender": as(digits, t.from), "recipient": digits(t.to), "content": t.content, "type": "transactional",
				}
				if !isGSM7(t.content) {
					body["unicodeEnabled"] = true
				}
				return &provider.Request{
					URL: "https://api.brevo.com/v3/transactionalSMS/send", Secure: http.Header{"Api-Key": {c.Secret("apiKey")}}, Body: json(body),
				}
			},
			read: func(ans *provider.Answer) reply {
				id := ans.At("messageId")
				return reply{id: id, failed: id == "", code: ans.At("code"), text: ans.At("message")}
			},
			codes: classes([]string{"unauthorized", "not_enough_credits", "permission_denied"}, nil),
		})
	},
}
