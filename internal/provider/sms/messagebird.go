package sms

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var messagebird = provider.Definition{
	ID: "messagebird", Name: "MessageBird", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("accessKey", "Access key"), fieldFrom},
	Receipts: &provider.ReceiptReader{Verify: provider.VerifyPassword, Parse: provider.StatusReport{
		// The words other than "delivered" are unverified.
		Outcomes: provider.Outcomes{
			"delivered":       provider.OutcomeDelivered,
			"delivery_failed": provider.OutcomeFailed,
			"expired":         provider.OutcomeFailed,
		},
		MessageID: "id", State: "status", Recipient: "recipient", At: "statusDatetime", Details: []string{"statusErrorCode"},
	}.Parse},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://rest.messagebird.com/messages", Secure: provider.Scheme("AccessKey", c.Secret("accessKey")),
					Body: json(map[string]any{
						"originator": as(digits, t.from), "recipients": []any{digits(t.to)}, "body": t.content, "datacoding": "auto",
						"reportUrl": d.Receipts,
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				return reply{
					id: ans.At("id"), date: moment(ans.At("createdDatetime")),
					code: ans.At("errors.0.code"), text: ans.At("errors.0.description"),
				}
			},
			codes: classes([]string{"2", "25"}, []string{"98", "99"}),
		})
	},
}
