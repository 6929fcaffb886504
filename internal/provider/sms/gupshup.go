package sms

import (
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var gupshup = provider.Definition{
	ID: "gupshup", Name: "Gupshup", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{textField("user", "User ID"), secretField("password", "Password"), optional(fieldFrom)},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				kind := "text"
				if !isGSM7(t.content) {
					kind = "UNICODE_TEXT"
				}
				return &provider.Request{
					URL: "https://enterprise.smsgupshup.com/GatewayAPI/rest",
					Body: provider.PresentForm(map[string]string{
						"method": "sendMessage", "send_to": digits(t.to), "msg": t.content, "msg_type": kind,
						"userid": c.String("user"), "password": c.Secret("password"), "auth_scheme": "plain", "v": "1.1", "format": "text",
						"mask":              as(digits, t.from),
						"principalEntityId": t.customText("principalEntityId", ""), "dltTemplateId": t.customText("dltTemplateId", ""),
					}),
				}
			},
			plain: true,
			read: func(ans *provider.Answer) reply { // "success | number | id" or "error | code | text"
				said := append(strings.SplitN(string(ans.Body), "|", 3), "", "")
				for i := range said {
					said[i] = strings.TrimSpace(said[i])
				}
				switch said[0] {
				case "success":
					return reply{id: said[2]}
				case "error":
					return reply{failed: true, code: said[1], text: said[2]}
				}
				return reply{}
			},
			codes: classes([]string{"102", "103", "104", "106"}, []string{"100"}),
		})
	},
}
