package sms

import (
	"net/http"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var sms77 = provider.Definition{
	ID: "sms77", Name: "sms77", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://gateway.seven.io/api/sms", Secure: http.Header{"X-Api-Key": {c.Secret("apiKey")}},
					Body: provider.PresentForm(map[string]string{
						"to": plus(t.to), "from": as(plus, t.from), "text": t.content, "json": "1",
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				code := ans.At("success")
				if code == "" { // an answer may be the bare number
					code = provider.Text(ans.JSON())
				}
				some := code == "101" && ans.At("messages.0.success") == "true"
				r := reply{
					id: ans.At("messages.0.id"), failed: code != "" && code != "100" && !some,
					code: code, text: ans.At("messages.0.error_text", "messages.0.error"),
				}
				if why := ans.At("messages.0.error"); code == "101" && why != "" { // the reason of the one recipient
					r.code = why
				}
				return r
			},
			codes: classes([]string{"300", "500", "900", "901", "902", "903"}, []string{"600", "700"}),
		})
	},
}
