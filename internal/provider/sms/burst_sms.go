package sms

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var burstSMS = provider.Definition{
	ID: "burst-sms", Name: "BurstSMS", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), secretField("secretKey", "API secret"), optional(fieldFrom)},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://api.transmitsms.com/send-sms.json", Secure: provider.Basic(c.Secret("apiKey"), c.Secret("secretKey")),
					Header: acceptJSON(),
					Body:   provider.PresentForm(map[string]string{"message": t.content, "to": digits(t.to), "from": as(digits, t.from)}),
				}
			},
			read: func(ans *provider.Answer) reply {
				id, code := ans.At("message_id"), ans.At("error.code")
				return reply{
					id: id, date: moment(ans.At("send_at")), // Unverified: that the date is UTC
					failed: id == "" || id == "0" || code != "" && code != "SUCCESS",
					code:   code, text: ans.At("error.description"),
				}
			},
			codes: classes([]string{"AUTH_FAILED", "AUTH_FAILED_NO_DATA", "LEDGER_ERROR"}, []string{"OVER_LIMIT"}),
		})
	},
}
