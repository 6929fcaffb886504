package sms

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var nexmo = provider.Definition{
	ID: "nexmo", Name: "Nexmo", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), secretField("secretKey", "API secret"), fieldFrom},
	Receipts: &provider.ReceiptReader{Verify: provider.VerifyPassword, Parse: provider.StatusReport{
		Outcomes: provider.Outcomes{
			"delivered": provider.OutcomeDelivered,
			"failed":    provider.OutcomeFailed,
			"rejected":  provider.OutcomeFailed,
			"expired":   provider.OutcomeFailed,
		},
		MessageID: "messageId", State: "status", Recipient: "msisdn", At: "message-timestamp", Details: []string{"err-code"},
	}.Parse},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://rest.nexmo.com/sms/json", Secure: provider.Basic(c.Secret("apiKey"), c.Secret("secretKey")),
					Body: json(map[string]any{
						"to": digits(t.to), "from": as(digits, t.from), "text": t.content, "type": whenUnicode(t.content, "unicode"), "callback": d.Receipts,
					}),
				}
			},
			read: func(ans *provider.Answer) reply { // always 200: the status is in the body
				status := ans.At("messages.0.status")
				return reply{
					id: ans.At("messages.0.message-id"), failed: status != "" && status != "0",
					code: status, text: ans.At("messages.0.error-text"),
				}
			},
			codes: classes([]string{"4", "8", "9", "11", "14"}, []string{"1", "5", "10"}),
		})
	},
}
