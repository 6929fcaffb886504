package sms

import (
	"net/http"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var africasTalking = provider.Definition{
	ID: "africas-talking", Name: "Africa's Talking", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), textField("user", "User name"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		host := "https://api.africastalking.com"
		if c.String("user") == "sandbox" {
			host = "https://api.sandbox.africastalking.com"
		}
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: host + "/version1/messaging", Header: acceptJSON(), Secure: http.Header{"Apikey": {c.Secret("apiKey")}},
					Body: provider.PresentForm(map[string]string{
						"username": c.String("user"), "to": plus(t.to), "message": t.content, "from": as(plus, t.from), "bulkSMSMode": "1",
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				code := ans.At("SMSMessageData.Recipients.0.statusCode")
				recipients, listed := ans.Value("SMSMessageData.Recipients").([]any)
				good := code == "100" || code == "101" || code == "102"
				return reply{
					id: ans.At("SMSMessageData.Recipients.0.messageId"), failed: listed && (len(recipients) == 0 || !good),
					code: code, text: ans.At("SMSMessageData.Recipients.0.status", "SMSMessageData.Message"),
				}
			},
			codes: classes([]string{"402", "405"}, []string{"500", "501", "502"}),
		})
	},
}
