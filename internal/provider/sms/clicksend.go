package sms

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var clicksend = provider.Definition{
	ID: "clicksend", Name: "ClickSend", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{textField("user", "User name"), secretField("apiKey", "API key"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://rest.clicksend.com/v3/sms/send", Secure: provider.Basic(c.String("user"), c.Secret("apiKey")),
					Body: json(map[string]any{"messages": []any{provider.Present(map[string]any{
						"to": plus(t.to), "body": t.content, "from": as(plus, t.from),
					})}}),
				}
			},
			read: func(ans *provider.Answer) reply {
				status := ans.At("data.messages.0.status")
				whole := ans.At("response_code") // of the request, while status is that of the one text
				r := reply{
					id: ans.At("data.messages.0.message_id"), date: moment(ans.At("data.messages.0.date")),
					failed: status != "" && status != "SUCCESS" || status == "" && whole != "" && whole != "SUCCESS", code: status, text: ans.At("response_msg"),
				}
				if r.code == "" {
					r.code = whole
				}
				return r
			},
			codes: classes([]string{"MISSING_CREDENTIALS", "INSUFFICIENT_CREDIT", "INVALID_SENDER_ID"}, []string{"THROTTLED"}),
		})
	},
}
