package sms

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var unifonic = provider.Definition{
	ID: "unifonic", Name: "Unifonic", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("appSid", "App SID"), textField("senderId", "Sender ID"), optional(fieldFrom)},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			from: c.String("senderId"),
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://el.cloud.unifonic.com/rest/SMS/messages", Header: acceptJSON(),
					// Unverified: what baseEncode does; it is left out.
					Body: provider.PresentForm(map[string]string{
						"AppSid": c.Secret("appSid"), "SenderID": as(digits, t.from), "Recipient": digits(t.to),
						"Body": t.content, "responseType": "JSON",
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				code := ans.At("errorCode")
				status, _ := strconv.Atoi(strings.TrimPrefix(code, "ER-")) // the codes follow the statuses of HTTP
				return reply{
					id:   cmp.Or(ans.At("data.MessageID"), ans.At("data.messageID")),
					date: moment(ans.At("data.TimeCreated")), failed: ans.At("success") == "false" || code != "" && code != "ER-00",
					status: status, code: code, text: ans.At("message"),
				}
			},
		})
	},
}
