package sms

import (
	"net/http"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var imedia = provider.Definition{
	ID: "imedia", Name: "iMedia", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("token", "Token"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(m *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://api.mobilebranding.vn/api/SMSBrandname/SendSMS", Secure: http.Header{"Token": {c.Secret("token")}},
					Body: &provider.JSON{Root: map[string]any{
						"to": digits(t.to), "from": as(digits, t.from), "message": t.content, "scheduled": "", // now
						"requestId": m.ID, "useUnicode": 1, "type": 1,
					}},
				}
			},
			read: func(ans *provider.Answer) reply { // Unverified: what the codes other than 000 mean
				code := ans.At("errorCode")
				return reply{id: ans.At("referentId"), failed: code != "" && code != "000", code: code, text: ans.At("errorMessage")}
			},
		})
	},
}
